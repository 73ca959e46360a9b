//! The states that a search has seen: whole keys, so that two states are never taken for one.
use crate::superpuzz::memory::{Budget, advise_huge_pages, prefetch};
use crate::superpuzz::report::Stop;

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 11;
/// Slots from which huge pages are asked for.
const LARGE_SLOTS: usize = 1 << 19;

/// Open addressing; a slot holds a key and one, 0 if free. With a limit on redeals, every state has a level, the redeals left:
/// a state with as many or more of them that was seen before covers it.
pub struct Visited {
    slots: Vec<u64>,
    /// Levels of the keys; none if every state has the same.
    levels: Vec<u16>,
    count: usize,
    shift: u32,
}

#[inline(always)]
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (key ^ key >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

fn bytes(slots: usize, has_levels: bool) -> u64 {
    (slots * if has_levels { 10 } else { 8 }) as u64
}

impl Visited {
    pub fn new(has_levels: bool, budget: &mut Budget) -> Result<Visited, Stop> {
        budget.take(bytes(FIRST_SLOTS, has_levels))?;
        Ok(Visited {
            slots: vec![0; FIRST_SLOTS],
            levels: vec![0; if has_levels { FIRST_SLOTS } else { 0 }],
            count: 0,
            shift: 64 - FIRST_SLOTS.trailing_zeros(),
        })
    }

    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.slots[(mix(key) >> self.shift) as usize]);
    }

    /// Whether a state has to be searched: it is new, or has a higher level than before. There must be room.
    #[inline(always)]
    pub fn enter(&mut self, key: u64, level: u16) -> bool {
        let mask = self.slots.len() - 1;
        let mut slot = (mix(key) >> self.shift) as usize;
        loop {
            let held = self.slots[slot & mask];
            if held == key + 1 {
                if self.levels.is_empty() || self.levels[slot & mask] >= level {
                    return false;
                }
                self.levels[slot & mask] = level;
                return true;
            }
            if held == 0 {
                self.slots[slot & mask] = key + 1;
                if !self.levels.is_empty() {
                    self.levels[slot & mask] = level;
                }
                self.count += 1;
                return true;
            }
            slot += 1;
        }
    }

    /// Makes room for more states.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize, budget: &mut Budget) -> Result<(), Stop> {
        if (self.count + more) * 8 > self.slots.len() * 5 { self.grow(budget) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let has_levels = !self.levels.is_empty();
        let slots_count = self.slots.len() * if self.slots.len() < LARGE_SLOTS { 4 } else { 2 };
        budget.take(bytes(slots_count, has_levels))?;
        let mut slots = vec![0; slots_count];
        if slots_count >= LARGE_SLOTS {
            advise_huge_pages(&mut slots);
        }
        let old_slots = std::mem::replace(&mut self.slots, slots);
        let old_levels = std::mem::replace(&mut self.levels, vec![0; if has_levels { slots_count } else { 0 }]);
        self.shift = 64 - slots_count.trailing_zeros();
        self.count = 0;
        for (index, &held) in old_slots.iter().enumerate() {
            if held != 0 {
                self.enter(held - 1, if has_levels { old_levels[index] } else { 0 });
            }
        }
        budget.give(bytes(old_slots.len(), has_levels));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_highest_level_of_each_key() {
        for has_levels in [false, true] {
            let mut budget = Budget::new(0);
            let mut visited = Visited::new(has_levels, &mut budget).expect("room");
            let mut known: HashMap<u64, u16> = HashMap::new();
            for number in 0..200_000u64 {
                let key = mix(number % 70_000) >> 40 | (number % 3) << 60;
                let level = if has_levels { (mix(number) >> 60) as u16 } else { 0 };
                visited.reserve(1, &mut budget).expect("room");
                assert_eq!(visited.enter(key, level), known.get(&key).is_none_or(|&seen| seen < level));
                let seen = known.entry(key).or_insert(level);
                *seen = level.max(*seen);
            }
            assert_eq!(visited.count, known.len());
        }
    }
}
