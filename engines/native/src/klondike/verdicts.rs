//! What is known of the states of a relaxed game.
use crate::search::Budget;
use crate::search::Stop;

/// No win can be reached.
pub const LOST: u32 = u32::MAX;
/// A win can be reached.
pub const OPEN: u32 = u32::MAX - 1;
/// Nothing is known.
pub const UNKNOWN: u32 = u32::MAX - 2;

const FIRST_SLOTS: usize = 1 << 9;
const SLOT_BYTES: usize = size_of::<(u64, u32)>();

/// A map from keys to verdicts, or to other numbers below them.
#[derive(Default)]
pub struct Verdicts {
    /// Keys and one, with their values; 0: free.
    slots: Vec<(u64, u32)>,
    count: usize,
}

#[inline(always)]
fn mix(key: u64) -> usize {
    let key = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (key ^ key >> 29) as usize
}

impl Verdicts {
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = mix(key) & mask;
        while self.slots[slot].0 != 0 && self.slots[slot].0 != key + 1 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline(always)]
    #[must_use]
    pub fn get(&self, key: u64) -> u32 {
        if self.slots.is_empty() {
            return UNKNOWN;
        }
        let (held, value) = self.slots[self.slot(key)];
        if held == 0 { UNKNOWN } else { value }
    }

    pub fn set(&mut self, key: u64, value: u32, budget: &mut Budget) -> Result<(), Stop> {
        if self.count * 8 >= self.slots.len() * 5 {
            self.grow(budget)?;
        }
        let slot = self.slot(key);
        self.count += usize::from(self.slots[slot].0 == 0);
        self.slots[slot] = (key + 1, value);
        Ok(())
    }

    #[cold]
    fn grow(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let count = (self.slots.len() * 2).max(FIRST_SLOTS);
        budget.take((count * SLOT_BYTES) as u64)?;
        let slots = std::mem::replace(&mut self.slots, vec![(0, UNKNOWN); count]);
        self.count = 0;
        for &(key, value) in &slots {
            if key != 0 && value != UNKNOWN {
                self.set(key - 1, value, budget)?;
            }
        }
        budget.give((slots.len() * SLOT_BYTES) as u64);
        Ok(())
    }
}
