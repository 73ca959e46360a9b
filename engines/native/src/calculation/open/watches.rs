//! Which clauses have to be looked at when a literal becomes false: those that watch it.
use super::formula::Literal;
use crate::search::Budget;
use crate::search::Stop;

/// A clause that watches a literal.
#[derive(Clone, Copy)]
pub struct Watch {
    /// Where the clause is.
    pub clause: u32,
    /// Another literal of it: while that is true, the clause need not be looked at.
    pub other: Literal,
}

#[derive(Clone, Copy, Default)]
struct List {
    begin: u32,
    length: u32,
    capacity: u32,
}

/// A list of watches for each literal, all in one array; a list that is full moves to the end of it.
pub struct Watches {
    lists: Vec<List>,
    pool: Vec<Watch>,
}

impl Watches {
    #[must_use]
    pub fn new(literals_count: usize) -> Watches {
        Watches { lists: vec![List::default(); literals_count], pool: Vec::new() }
    }

    /// Bytes of empty lists.
    #[must_use]
    pub fn bytes(literals_count: usize) -> u64 {
        (literals_count * size_of::<List>()) as u64
    }

    #[inline(always)]
    pub fn push(&mut self, literal: Literal, watch: Watch, budget: &mut Budget) -> Result<(), Stop> {
        let list = self.lists[literal.index()];
        if list.length == list.capacity {
            self.move_to_end(literal, budget)?;
        }
        let list = &mut self.lists[literal.index()];
        self.pool[(list.begin + list.length) as usize] = watch;
        list.length += 1;
        Ok(())
    }

    #[cold]
    fn move_to_end(&mut self, literal: Literal, budget: &mut Budget) -> Result<(), Stop> {
        let list = self.lists[literal.index()];
        let (begin, capacity) = (self.pool.len() as u32, (2 * list.capacity).max(4));
        for index in 0..capacity {
            let watch = if index < list.length {
                self.pool[(list.begin + index) as usize]
            } else {
                Watch { clause: 0, other: Literal::FALSE }
            };
            budget.push(&mut self.pool, watch)?;
        }
        self.lists[literal.index()] = List { begin, capacity, ..list };
        Ok(())
    }

    /// Where the list of a literal is.
    #[inline(always)]
    #[must_use]
    pub fn range(&self, literal: Literal) -> std::ops::Range<usize> {
        let list = self.lists[literal.index()];
        list.begin as usize..(list.begin + list.length) as usize
    }

    #[inline(always)]
    #[must_use]
    pub fn get(&self, at: usize) -> Watch {
        self.pool[at]
    }

    #[inline(always)]
    pub fn set(&mut self, at: usize, watch: Watch) {
        self.pool[at] = watch;
    }

    /// Ends the list of a literal before `end`.
    #[inline(always)]
    pub fn cut(&mut self, literal: Literal, end: usize) {
        let list = &mut self.lists[literal.index()];
        list.length = end as u32 - list.begin;
    }

    /// Empties all lists. They keep their room.
    pub fn clear(&mut self) {
        for list in &mut self.lists {
            list.length = 0;
        }
    }
}
