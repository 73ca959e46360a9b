//! The numbers of a row's contents, found by the content. The contents lie with whoever numbers them.
use crate::search::{Budget, Stop};

/// No number.
pub const UNSEEN: u32 = u32::MAX;

/// Open addressing, at most half full.
pub struct Index {
    slots: Vec<u32>,
}

impl Index {
    pub fn new(budget: &mut Budget) -> Result<Index, Stop> {
        let mut index = Index { slots: Vec::new() };
        index.grow(0, |_| 0, budget)?;
        Ok(index)
    }

    /// Where a content stands, or the free slot where it belongs; `content_of` gives contents by their numbers.
    #[inline(always)]
    pub fn slot(&self, content: u128, content_of: impl Fn(u32) -> u128) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(content) as usize & mask;
        while self.slots[slot] != UNSEEN && content_of(self.slots[slot]) != content {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number in a slot, or `UNSEEN`.
    #[inline(always)]
    pub fn number(&self, slot: usize) -> u32 {
        self.slots[slot]
    }

    /// Puts the next number, that of the last content, into the free slot where it belongs.
    pub fn put(
        &mut self,
        slot: usize,
        number: u32,
        content_of: impl Fn(u32) -> u128,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        self.slots[slot] = number;
        if 2 * (number as usize + 1) > self.slots.len() {
            self.grow(number + 1, content_of, budget)?;
        }
        Ok(())
    }

    fn grow(&mut self, count: u32, content_of: impl Fn(u32) -> u128, budget: &mut Budget) -> Result<(), Stop> {
        let old_bytes = (self.slots.len() * size_of::<u32>()) as u64;
        let slots = (2 * self.slots.len()).max(256);
        budget.take((slots * size_of::<u32>()) as u64)?;
        self.slots = vec![UNSEEN; slots];
        budget.give(old_bytes);
        for number in 0..count {
            let slot = self.slot(content_of(number), &content_of);
            self.slots[slot] = number;
        }
        Ok(())
    }
}

#[inline(always)]
fn hash(content: u128) -> u64 {
    let (low, high) = (content as u64, (content >> 64) as u64);
    let product = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high.rotate_left(17) ^ 0xBF58_476D_1CE4_E5B9);
    ((product as u64) ^ (product >> 64) as u64).wrapping_mul(0x94D0_49BB_1331_11EB) >> 20
}
