//! What is known of positions, by key.
use crate::hash;
use crate::search::{Budget, Context, Stop};

/// Positions of a new table; a power of two.
const FIRST_SLOTS: usize = 1 << 12;
const SLOT_BYTES: usize = size_of::<u128>() + size_of::<u64>();
/// Of no position.
const FREE: u128 = u128::MAX;

/// Orders of the pile that the best play wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// No order can be won, even if tops of stacks go to foundations before the next draw. More than `Exactly(0)`, where
    /// all that may be done comes after the next draw.
    Dead,
    Exactly(u64),
    AtMost(u64),
}

impl Worth {
    #[must_use]
    pub fn most(self) -> u64 {
        match self {
            Worth::Dead => 0,
            Worth::Exactly(wins) | Worth::AtMost(wins) => wins,
        }
    }

    #[must_use]
    pub fn is_exact(self) -> bool {
        !matches!(self, Worth::AtMost(_))
    }

    fn packed(self) -> u64 {
        let kind = match self {
            Worth::AtMost(_) => 0,
            Worth::Exactly(_) => 1,
            Worth::Dead => 2,
        };
        self.most() << 2 | kind
    }

    fn unpacked(packed: u64) -> Worth {
        match packed & 3 {
            0 => Worth::AtMost(packed >> 2),
            1 => Worth::Exactly(packed >> 2),
            _ => Worth::Dead,
        }
    }
}

/// Open addressing, at most two thirds full.
pub struct Values {
    keys: Vec<u128>,
    /// Packed.
    worths: Vec<u64>,
    count: usize,
}

impl Values {
    pub fn new(budget: &mut Budget) -> Result<Values, Stop> {
        budget.take((FIRST_SLOTS * SLOT_BYTES) as u64)?;
        Ok(Values { keys: vec![FREE; FIRST_SLOTS], worths: vec![0; FIRST_SLOTS], count: 0 })
    }

    #[must_use]
    pub fn get(&self, key: u128) -> Option<Worth> {
        let slot = self.slot(key);
        (self.keys[slot] == key).then(|| Worth::unpacked(self.worths[slot]))
    }

    /// Replaces what was known.
    pub fn put(&mut self, key: u128, worth: Worth, context: &mut Context<'_>) -> Result<(), Stop> {
        let mut slot = self.slot(key);
        if self.keys[slot] != key {
            context.count_state()?;
            if 3 * (self.count + 1) > 2 * self.keys.len() {
                self.grow(&mut context.budget)?;
                slot = self.slot(key);
            }
            self.keys[slot] = key;
            self.count += 1;
        }
        self.worths[slot] = worth.packed();
        Ok(())
    }

    /// Where a key is, or may be put.
    fn slot(&self, key: u128) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = hash::of_two(key as u64, (key >> 64) as u64) as usize & mask;
        while self.keys[slot] != key && self.keys[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let slots = 2 * self.keys.len();
        budget.take((slots * SLOT_BYTES) as u64)?;
        let keys = std::mem::replace(&mut self.keys, vec![FREE; slots]);
        let worths = std::mem::replace(&mut self.worths, vec![0; slots]);
        for (&key, &worth) in keys.iter().zip(&worths).filter(|&(&key, _)| key != FREE) {
            let slot = self.slot(key);
            (self.keys[slot], self.worths[slot]) = (key, worth);
        }
        budget.give((keys.len() * SLOT_BYTES) as u64);
        Ok(())
    }
}
