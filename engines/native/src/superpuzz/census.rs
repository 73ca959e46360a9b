//! All states that can be reached, counted as the paper counts them: every state is found once and taken once.
use super::board::{Board, MAX_MOVES, Move};
use super::key::Key;
use super::open::{KEY_WORDS, Open, SLEEP_WORDS};
use super::path;
use super::sleep::{INDEPENDENT, MoveSet};
use super::space::{Child, Space, step_between};
use super::table::{Inserted, Place, Table};
use crate::search::{Budget, Limits, Outcome, Report, Stop};

/// Which state is taken next: the one found last (the paper's stack) or the one found first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Depth,
    Breadth,
}

/// States that are taken together, so that their look-ups wait for memory together.
const GROUP: usize = 32;
/// States that are taken between two looks at the clock.
const CLOCK_STATES: u64 = 1 << 13;

/// A child on its way into the table, and which state of a group it comes from.
#[derive(Clone, Copy)]
struct Found {
    place: Place,
    child: Child,
    parent: usize,
}

struct Search<'a> {
    space: Space,
    table: Table,
    stack: Open<KEY_WORDS>,
    queue: Open<SLEEP_WORDS>,
    budget: Budget,
    limits: Limits<'a>,
    taken_count: u64,
    wins_count: u64,
    states_before_win_count: u64,
    first_win: Option<Key>,
}

/// Counts the states that can be reached from `start`. `Err` only for an interrupt.
pub fn census(start: &Board, order: Order, limits: Limits<'_>) -> Result<Report<Move>, Stop> {
    let mut budget = Budget::new(limits.memory_bytes);
    let parts = Space::new(start.columns(), &mut budget).and_then(|space| Ok((space, Table::new(&mut budget)?)));
    let Ok((space, table)) = parts else { return Ok(nothing_fits()) };
    let mut search = Search {
        space,
        table,
        stack: Open::default(),
        queue: Open::default(),
        budget,
        limits,
        taken_count: 0,
        wins_count: 0,
        states_before_win_count: 0,
        first_win: None,
    };
    let mut moves = Vec::new();
    let limit = match search.run(start, order, &mut moves) {
        Ok(()) => None,
        Err(Stop::Interrupt) => return Err(Stop::Interrupt),
        Err(stop) => Some(stop),
    };
    // A win for whose solution there was no time left does not count as one.
    let outcome = match limit {
        _ if start.is_won() || !moves.is_empty() => Outcome::Won,
        None => Outcome::Lost,
        Some(_) => Outcome::Undecided,
    };
    Ok(Report {
        outcome,
        limit,
        states_count: search.table.count(),
        wins_count: Some(search.wins_count),
        states_before_win_count: (outcome == Outcome::Won).then_some(search.states_before_win_count),
        fewest_count: None,
        peak_bytes: search.budget.peak(),
        moves,
    })
}

/// The answer when there is no room even for the start.
fn nothing_fits() -> Report<Move> {
    Report {
        outcome: Outcome::Undecided,
        limit: Some(Stop::Memory),
        states_count: 0,
        wins_count: Some(0),
        states_before_win_count: None,
        fewest_count: None,
        peak_bytes: 0,
        moves: Vec::new(),
    }
}

impl Search<'_> {
    fn run(&mut self, start: &Board, order: Order, moves: &mut Vec<Move>) -> Result<(), Stop> {
        let key = self.space.intern(start, &mut self.budget)?;
        self.insert(Place::of(key), 0)?;
        self.count_win(start.is_won(), key);
        if order == Order::Breadth {
            self.queue.push(key, 0, &mut self.budget)?;
        } else {
            self.stack.push(key, 0, &mut self.budget)?;
            self.depth(start, moves)?;
            // What is left has an order of its own only if there are states that it leaves out.
            for key in self.stack.stacked(false) {
                self.queue.push(key, 0, &mut self.budget)?;
            }
            self.stack.clear(&mut self.budget);
        }
        self.breadth(start, moves)
    }

    /// The stack: all children of the state taken last are looked up and pushed at once. Ends after the first win unless
    /// the number of states is limited: the order of the others matters only to which of them a limit leaves out.
    fn depth(&mut self, start: &Board, moves: &mut Vec<Move>) -> Result<(), Stop> {
        let mut batch: Vec<Found> = Vec::with_capacity(MAX_MOVES);
        while (self.first_win.is_none() || self.limits.states != 0)
            && let Some(key) = self.stack.take_last(&mut self.budget)
        {
            self.children(key, 0, 0, &mut batch)?;
            for found in &batch {
                self.table.prefetch(found.place);
            }
            for Found { place, child, .. } in batch.drain(..) {
                if !self.insert(place, 0)? {
                    continue;
                }
                self.stack.push(child.key, 0, &mut self.budget)?;
                if self.count_win(child.won, child.key) {
                    let mut board = *start;
                    for key in self.stack.stacked(true).skip(1).chain([child.key]) {
                        let next = self.space.board(key);
                        moves.push(step_between(&board, &next));
                        board = next;
                    }
                }
            }
        }
        Ok(())
    }

    /// The queue, layer by layer. States are taken in groups, whose children wait in a batch: each pass over it
    /// prefetches the memory that the next one needs. The order in which states are found is that of a plain queue.
    fn breadth(&mut self, start: &Board, moves: &mut Vec<Move>) -> Result<(), Stop> {
        let mut group = Vec::with_capacity(GROUP);
        let mut batch: Vec<Found> = Vec::with_capacity(GROUP * MAX_MOVES);
        for layer in 1.. {
            let layer_end = self.table.count();
            if self.taken_count == layer_end {
                break;
            }
            while self.taken_count < layer_end || !batch.is_empty() {
                group.clear();
                for _ in 0..(layer_end - self.taken_count).min(GROUP as u64) {
                    let (key, asleep) = self.queue.pop_first(&mut self.budget).expect("the layer has states left");
                    self.space.prefetch(key);
                    group.push((key, asleep));
                }
                if self.insert_batch(&mut batch, path::tag(layer))? {
                    let won = self.space.board(self.first_win.expect("just found"));
                    *moves = path::shortest(start, won, layer, &self.space, &self.table, &mut self.limits.clock)?;
                }
                for (parent, &(key, asleep)) in group.iter().enumerate() {
                    self.children(key, asleep, parent, &mut batch)?;
                }
                for found in &batch {
                    self.table.prefetch(found.place);
                }
            }
        }
        Ok(())
    }

    /// Adds the children of a state to a batch.
    #[inline(always)]
    fn children(&mut self, key: Key, asleep: MoveSet, parent: usize, batch: &mut Vec<Found>) -> Result<(), Stop> {
        self.taken_count += 1;
        if self.taken_count.is_multiple_of(CLOCK_STATES) {
            self.limits.clock.check()?;
        }
        if self.space.widen() {
            self.make_room()?;
        }
        self.space.children(key, asleep, &mut self.budget, |child| {
            batch.push(Found { place: Place::of(child.key), child, parent });
        })
    }

    /// Puts a batch into the table and its new states into the queue; returns whether the first win is among them.
    #[inline(always)]
    fn insert_batch(&mut self, batch: &mut Vec<Found>, tag: u8) -> Result<bool, Stop> {
        // First a look without branches: most known states are in their home buckets.
        let mut known = [0; GROUP];
        let mut kept = 0;
        for index in 0..batch.len() {
            let found = batch[index];
            let is_known = self.table.is_home(found.place);
            known[found.parent % GROUP] |= u64::from(is_known) << found.child.code;
            batch[kept] = found;
            kept += usize::from(!is_known);
        }
        let mut first_win = false;
        for &Found { place, child, parent } in &batch[..kept] {
            let asleep = (child.before | known[parent % GROUP]) & INDEPENDENT[usize::from(child.code) % 64];
            if self.insert(place, tag)? {
                self.queue.push(child.key, asleep, &mut self.budget)?;
                first_win |= self.count_win(child.won, child.key);
            }
        }
        batch.clear();
        Ok(first_win)
    }

    /// Puts a state into the table; returns whether it is new.
    #[inline(always)]
    fn insert(&mut self, place: Place, tag: u8) -> Result<bool, Stop> {
        if !self.table.has_room() || self.table.count() == self.limits.states {
            if self.table.find(place).is_some() {
                return Ok(false);
            }
            if self.table.count() == self.limits.states && self.limits.states != 0 {
                return Err(Stop::States);
            }
            self.make_room()?;
        }
        Ok(self.table.insert(place, tag) == Inserted::New)
    }

    #[cold]
    fn make_room(&mut self) -> Result<(), Stop> {
        let high_bits = self.space.layout.high_bits();
        if self.table.has_room() && self.table.high_bits() >= high_bits {
            return Ok(());
        }
        self.table.grow(high_bits, &mut self.budget, &mut self.limits.clock)
    }

    /// Counts a new state if it is a win; returns whether it is the first win.
    #[inline(always)]
    fn count_win(&mut self, won: bool, key: Key) -> bool {
        if !won {
            return false;
        }
        self.wins_count += 1;
        if self.first_win.is_some() {
            return false;
        }
        self.first_win = Some(key);
        self.states_before_win_count = self.table.count();
        true
    }
}
