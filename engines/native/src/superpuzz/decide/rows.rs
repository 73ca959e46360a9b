//! The contents that one row has had in the positions found, numbered in the order in which they were seen.
use crate::search::{Budget, Stop};
use crate::superpuzz::index::Index;

pub use crate::superpuzz::index::UNSEEN;

pub struct Rows {
    /// Sixteen cells each.
    contents: Vec<u128>,
    index: Index,
}

impl Rows {
    pub fn new(budget: &mut Budget) -> Result<Rows, Stop> {
        Ok(Rows { contents: Vec::new(), index: Index::new(budget)? })
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
        self.index.number(self.slot(content))
    }

    /// The number of a content, a new one if it was not seen before.
    pub fn intern(&mut self, content: u128, budget: &mut Budget) -> Result<u32, Stop> {
        let slot = self.slot(content);
        let found = self.index.number(slot);
        if found != UNSEEN {
            return Ok(found);
        }
        let id = self.contents.len() as u32;
        budget.push(&mut self.contents, content)?;
        self.index.put(slot, id, |id| self.contents[id as usize], budget)?;
        Ok(id)
    }

    #[inline(always)]
    fn slot(&self, content: u128) -> usize {
        self.index.slot(content, |id| self.contents[id as usize])
    }
}
