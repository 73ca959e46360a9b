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
pub struct Bound {
    /// No more than so many.
    pub most: u64,
    /// Exactly so many.
    pub exact: bool,
}

/// Open addressing, at most two thirds full.
pub struct Values {
    keys: Vec<u128>,
    /// Twice `most`, one more if it is exact.
    bounds: Vec<u64>,
    count: usize,
}

impl Values {
    pub fn new(budget: &mut Budget) -> Result<Values, Stop> {
        budget.take((FIRST_SLOTS * SLOT_BYTES) as u64)?;
        Ok(Values { keys: vec![FREE; FIRST_SLOTS], bounds: vec![0; FIRST_SLOTS], count: 0 })
    }

    #[must_use]
    pub fn get(&self, key: u128) -> Option<Bound> {
        let slot = self.slot(key);
        (self.keys[slot] == key).then(|| Bound { most: self.bounds[slot] >> 1, exact: self.bounds[slot] & 1 == 1 })
    }

    /// Replaces what was known.
    pub fn put(&mut self, key: u128, bound: Bound, context: &mut Context<'_>) -> Result<(), Stop> {
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
        self.bounds[slot] = bound.most << 1 | u64::from(bound.exact);
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
        let bounds = std::mem::replace(&mut self.bounds, vec![0; slots]);
        for (&key, &bound) in keys.iter().zip(&bounds).filter(|&(&key, _)| key != FREE) {
            let slot = self.slot(key);
            (self.keys[slot], self.bounds[slot]) = (key, bound);
        }
        budget.give((keys.len() * SLOT_BYTES) as u64);
        Ok(())
    }
}
