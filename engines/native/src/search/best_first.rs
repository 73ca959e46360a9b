//! Best-first search by the moves made and a lower bound for those that are left (A*).
//!
//! The bound must never fall by more than a move costs. Then an entry is reached in the fewest moves when it is first
//! reached. (P. Hart, N. Nilsson and B. Raphael, "A formal basis for the heuristic determination of minimum cost
//! paths", 1968.) So each is kept once, and compared exactly: two different ones are never taken for the same.
//!
//! Only entries whose turn has come are kept: an entry first yields the children that have its own bound, and then
//! waits for its next turn with the lowest bound of the other children. (T. Yoshizumi, T. Miura and T. Ishida, "A*
//! with partial expansion for large branching factor problems", 2000.)
use super::limits::Context;
use super::stop::Stop;

const FIRST_SLOTS: usize = 1 << 10;
/// Entries that are taken between two looks at the clock.
const CLOCK_TURNS: u64 = 1 << 10;

/// A position, how many moves lead there, and from where.
pub trait Entry: Copy {
    /// Whether the positions are the same.
    fn is_same(&self, other: &Self) -> bool;
    /// A number made of the position; tables take its lowest bits.
    fn hash(&self) -> u64;
    /// Place of the entry that it was reached from; the first one's says nothing.
    fn parent(&self) -> u32;
}

pub struct BestFirst<E> {
    entries: Vec<E>,
    /// Places of entries by their hash, and one; 0: free. At most three of four are taken.
    slots: Vec<u32>,
    /// Places of entries by the fewest moves of what they still have to yield.
    open: Vec<Vec<u32>>,
    turns: u64,
    /// No solution has fewer moves.
    pub fewest: usize,
}

impl<E: Entry> BestFirst<E> {
    /// Looks for solutions of fewer than `below` moves, of which none has fewer than `fewest`.
    #[must_use]
    pub fn new(fewest: usize, below: usize) -> BestFirst<E> {
        BestFirst {
            entries: Vec::new(),
            slots: Vec::new(),
            open: vec![Vec::new(); below],
            turns: 0,
            fewest: fewest.min(below),
        }
    }

    /// The entry whose turn it is, and its place; none if no solution is below the limit.
    #[inline(always)]
    pub fn next(&mut self, context: &mut Context<'_>) -> Result<Option<(u32, E)>, Stop> {
        while let Some(open) = self.open.get_mut(self.fewest) {
            if let Some(at) = open.pop() {
                self.turns += 1;
                if self.turns.is_multiple_of(CLOCK_TURNS) {
                    context.clock.check()?;
                }
                return Ok(Some((at, self.entries[at as usize])));
            }
            let done = std::mem::take(open);
            context.budget.give((done.capacity() * size_of::<u32>()) as u64);
            self.fewest += 1;
        }
        Ok(None)
    }

    /// Keeps an entry through which a solution may have `fewest` moves, unless its position was reached before or
    /// that is too many.
    #[inline(always)]
    pub fn enter(&mut self, entry: E, context: &mut Context<'_>) -> Result<(), Stop> {
        if self.fewest == self.open.len() {
            return Ok(());
        }
        if self.entries.len() * 4 >= self.slots.len() * 3 {
            self.grow(context)?;
        }
        let slot = self.slot(&entry);
        if self.slots[slot] != 0 {
            return Ok(());
        }
        context.count_state()?;
        context.budget.push(&mut self.entries, entry)?;
        self.slots[slot] = self.entries.len() as u32;
        context.budget.push(&mut self.open[self.fewest], self.entries.len() as u32 - 1)
    }

    /// An entry has its turn again when solutions have at least so many moves.
    #[inline(always)]
    pub fn wait(&mut self, at: u32, until: usize, context: &mut Context<'_>) -> Result<(), Stop> {
        match self.open.get_mut(until) {
            Some(open) => context.budget.push(open, at),
            None => Ok(()),
        }
    }

    /// The entries on the way to one, the first one first.
    #[must_use]
    pub fn way(&self, last: u32) -> Vec<E> {
        let mut at = last;
        let mut way = vec![self.entries[at as usize]];
        while at != 0 {
            at = self.entries[at as usize].parent();
            way.push(self.entries[at as usize]);
        }
        way.reverse();
        way
    }

    /// The slot of an entry, or a free one.
    #[inline(always)]
    fn slot(&self, entry: &E) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = entry.hash() as usize & mask;
        while self.slots[slot] != 0 && !self.entries[self.slots[slot] as usize - 1].is_same(entry) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self, context: &mut Context<'_>) -> Result<(), Stop> {
        let slots = (self.slots.len() * 2).max(FIRST_SLOTS);
        if slots > 1 << 32 {
            return Err(Stop::Memory);
        }
        context.budget.take((slots * size_of::<u32>()) as u64)?;
        context.budget.give((self.slots.len() * size_of::<u32>()) as u64);
        self.slots = Vec::new();
        self.slots = vec![0; slots];
        for at in 0..self.entries.len() {
            let slot = self.slot(&self.entries[at]);
            self.slots[slot] = at as u32 + 1;
        }
        Ok(())
    }
}
