//! The contents that one row of the found positions has had, numbered in the order they were seen.
use crate::search::Budget;
use crate::search::Stop;

/// No number.
pub const UNSEEN: u32 = u32::MAX;

pub struct Rows {
    /// Sixteen cells each.
    contents: Vec<u128>,
    /// Open addressing, at most half full: numbers by their content's hash.
    index: Vec<u32>,
}

impl Rows {
    pub fn new(budget: &mut Budget) -> Result<Rows, Stop> {
        let mut rows = Rows { contents: Vec::new(), index: Vec::new() };
        rows.grow_index(budget)?;
        Ok(rows)
    }

    pub fn count(&self) -> usize {
        self.contents.len()
    }

    pub fn content(&self, id: u32) -> u128 {
        self.contents[id as usize]
    }

    /// The number of a content, or `UNSEEN`.
    #[inline(always)]
    pub fn find(&self, content: u128) -> u32 {
        self.index[self.slot(content)]
    }

    /// The number of a content, a new one if it was not seen before.
    pub fn intern(&mut self, content: u128, budget: &mut Budget) -> Result<u32, Stop> {
        let slot = self.slot(content);
        if self.index[slot] != UNSEEN {
            return Ok(self.index[slot]);
        }
        let id = self.contents.len() as u32;
        budget.push(&mut self.contents, content)?;
        self.index[slot] = id;
        if 2 * self.contents.len() > self.index.len() {
            self.grow_index(budget)?;
        }
        Ok(id)
    }

    #[inline(always)]
    fn home(&self, content: u128) -> usize {
        let (low, high) = (content as u64, (content >> 64) as u64);
        let product =
            u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high.rotate_left(17) ^ 0xBF58_476D_1CE4_E5B9);
        let mixed = ((product as u64) ^ (product >> 64) as u64).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed >> 20) as usize & (self.index.len() - 1)
    }

    /// Where a content stands in the index, or the free slot where it belongs.
    #[inline(always)]
    fn slot(&self, content: u128) -> usize {
        let mut slot = self.home(content);
        while self.index[slot] != UNSEEN && self.contents[self.index[slot] as usize] != content {
            slot = (slot + 1) & (self.index.len() - 1);
        }
        slot
    }

    fn grow_index(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let old_bytes = (self.index.len() * size_of::<u32>()) as u64;
        let slots = (2 * self.index.len()).max(256);
        budget.take((slots * size_of::<u32>()) as u64)?;
        self.index = vec![UNSEEN; slots];
        budget.give(old_bytes);
        for id in 0..self.contents.len() {
            let slot = self.slot(self.contents[id]);
            self.index[slot] = id as u32;
        }
        Ok(())
    }
}
