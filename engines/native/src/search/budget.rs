//! The memory that a search holds, against what it may have.
use super::stop::Stop;
use std::fs;

/// For blocks from this size on, it is checked how much memory the machine has left.
const LARGE_BYTES: u64 = 1 << 20;

/// Bytes that a search holds. Everything that grows with the number of states is counted here.
pub struct Budget {
    /// 0: as much as the machine has available.
    limit: u64,
    used: u64,
    peak: u64,
}

impl Budget {
    #[must_use]
    pub fn new(limit: u64) -> Budget {
        Budget { limit, used: 0, peak: 0 }
    }

    /// Whether so many bytes more are allowed.
    #[must_use]
    pub fn fits(&self, bytes: u64) -> bool {
        if self.limit != 0 {
            return self.used + bytes <= self.limit;
        }
        bytes < LARGE_BYTES || available_bytes().is_none_or(|available| bytes <= available)
    }

    /// Counts bytes that are about to be allocated, or refuses them.
    pub fn take(&mut self, bytes: u64) -> Result<(), Stop> {
        if !self.fits(bytes) {
            return Err(Stop::Memory);
        }
        self.count(bytes);
        Ok(())
    }

    /// Counts bytes whose room was asked for before.
    pub fn count(&mut self, bytes: u64) {
        self.used += bytes;
        self.peak = self.peak.max(self.used);
    }

    /// Adds to a list whose memory is counted; while it grows, the old and the new one are both there.
    pub fn push<T>(&mut self, list: &mut Vec<T>, item: T) -> Result<(), Stop> {
        if list.len() == list.capacity() {
            let before = list.capacity();
            let after = (2 * before).max(1024);
            self.take((after * size_of::<T>()) as u64)?;
            list.reserve_exact(after - before);
            self.give((before * size_of::<T>()) as u64);
        }
        list.push(item);
        Ok(())
    }

    /// Bytes that were freed.
    pub fn give(&mut self, bytes: u64) {
        self.used -= bytes;
    }

    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }
}

/// Bytes that this process can still get: what the kernel says, within the control group's limit.
fn available_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
    });
    let number = |name| fs::read_to_string(name).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(most, current)| most.saturating_sub(current));
    machine.into_iter().chain(group).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_grows_holds_what_it_has_room_for() {
        let mut budget = Budget::new(1 << 20);
        let mut list = Vec::new();
        for number in 0..5000u64 {
            budget.push(&mut list, number).expect("there is room");
            assert_eq!(budget.used(), (list.capacity() * size_of::<u64>()) as u64);
        }
        // The last time it grew, both were there.
        assert_eq!(budget.peak(), budget.used() * 3 / 2);
    }

    #[test]
    fn what_just_fits_is_taken() {
        let mut budget = Budget::new(100);
        assert_eq!(budget.take(100), Ok(()));
        assert_eq!(budget.take(1), Err(Stop::Memory));
        budget.give(1);
        assert_eq!(budget.take(1), Ok(()));
    }
}
