//! All states that can be reached, counted as the paper counts them: every state is found once and taken once.
use super::board::{Board, MAX_MOVES, Move};
use super::key::Key;
use super::memory::Budget;
use super::open::Open;
use super::path;
use super::report::{Limits, Outcome, Report, Stop};
use super::space::{Children, Space, step_between};
use super::table::{Inserted, Place, Table};

/// Which state is taken next: the one found last (the paper's stack) or the one found first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Depth,
    Breadth,
}

/// Children that are made before the first of them is looked up, so that memory has time to answer.
const BATCH: usize = 48;
/// States that are taken between two looks at the clock.
const CLOCK_STATES: u64 = 1 << 13;

/// A child on its way into the table.
#[derive(Clone, Copy)]
struct Found {
    key: Key,
    place: Place,
    won: bool,
}

struct Search<'a> {
    space: Space,
    table: Table,
    open: Open,
    budget: Budget,
    limits: Limits<'a>,
    to_first_win: bool,
    taken_count: u64,
    wins_count: u64,
    states_before_win_count: u64,
    first_win: Option<Key>,
}

/// Counts the states that can be reached from `start`; `to_first_win` ends the search at the first win.
/// `Err` only for an interrupt.
pub fn census(start: &Board, order: Order, to_first_win: bool, limits: Limits<'_>) -> Result<Report, Stop> {
    let mut budget = Budget::new(limits.memory_bytes);
    let parts = Space::new(start.columns(), &mut budget).and_then(|space| Ok((space, Table::new(&mut budget)?)));
    let Ok((space, table)) = parts else { return Ok(nothing_fits()) };
    let mut search = Search {
        space,
        table,
        open: Open::default(),
        budget,
        limits,
        to_first_win,
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
    let outcome = match (search.first_win, limit) {
        (Some(_), _) => Outcome::Won,
        (None, None) => Outcome::Lost,
        (None, Some(_)) => Outcome::Undecided,
    };
    Ok(Report {
        outcome,
        limit,
        states_count: search.table.count(),
        wins_count: search.wins_count,
        states_before_win_count: search.states_before_win_count,
        peak_bytes: search.budget.peak(),
        moves,
    })
}

/// The answer when not even the start has room.
fn nothing_fits() -> Report {
    Report {
        outcome: Outcome::Undecided,
        limit: Some(Stop::Memory),
        states_count: 0,
        wins_count: 0,
        states_before_win_count: 0,
        peak_bytes: 0,
        moves: Vec::new(),
    }
}

impl Search<'_> {
    fn run(&mut self, start: &Board, order: Order, moves: &mut Vec<Move>) -> Result<(), Stop> {
        let key = self.space.intern(start, &mut self.budget)?;
        let found = Found { key, place: Place::of(key), won: start.is_won() };
        if self.insert(found, 0)? && self.to_first_win {
            return Ok(());
        }
        match order {
            Order::Depth => self.depth(start, moves),
            Order::Breadth => self.breadth(start, moves),
        }
    }

    /// The stack: all children of the state taken last are looked up and pushed at once.
    fn depth(&mut self, start: &Board, moves: &mut Vec<Move>) -> Result<(), Stop> {
        let mut children = Children::default();
        let mut batch = Vec::with_capacity(BATCH);
        while let Some(key) = self.open.take_last(&mut self.budget) {
            self.children(key, &mut children, &mut batch)?;
            for found in batch.drain(..) {
                if self.insert(found, 0)? {
                    let mut boards: Vec<Board> = self.open.taken().map(|key| self.space.board(key)).collect();
                    boards.push(self.space.board(found.key));
                    debug_assert_eq!(boards[0], *start);
                    moves.extend(boards.windows(2).map(|pair| step_between(&pair[0], &pair[1])));
                    if self.to_first_win {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// The queue, layer by layer. Children wait in a batch; the order in which they are found is that of a plain queue.
    fn breadth(&mut self, start: &Board, moves: &mut Vec<Move>) -> Result<(), Stop> {
        let mut children = Children::default();
        let mut batch = Vec::with_capacity(BATCH);
        for layer in 1.. {
            let layer_end = self.table.count();
            if self.taken_count == layer_end {
                break;
            }
            while self.taken_count < layer_end {
                while self.taken_count < layer_end && batch.len() + MAX_MOVES <= BATCH {
                    let key = self.open.pop_first(&mut self.budget).expect("the layer has states left");
                    self.children(key, &mut children, &mut batch)?;
                }
                for found in batch.drain(..) {
                    if self.insert(found, path::tag(layer))? {
                        let won = self.space.board(found.key);
                        let way = path::shortest(start, won, layer, &self.space, &self.table, &mut self.limits.clock)?;
                        *moves = way;
                        if self.to_first_win {
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the children of a state to a batch and sends for their buckets.
    #[inline]
    fn children(&mut self, key: Key, children: &mut Children, batch: &mut Vec<Found>) -> Result<(), Stop> {
        self.taken_count += 1;
        if self.taken_count.is_multiple_of(CLOCK_STATES) {
            self.limits.clock.check()?;
        }
        if self.space.widen() {
            self.make_room()?;
        }
        self.space.children(key, &mut self.budget, children)?;
        for (ids, won) in children.iter() {
            let key = self.space.layout.pack(ids);
            let place = Place::of(key);
            self.table.prefetch(place);
            batch.push(Found { key, place, won });
        }
        Ok(())
    }

    /// Puts a child into the table and, if it is new, to the open states; whether it is the first win.
    #[inline]
    fn insert(&mut self, found: Found, tag: u8) -> Result<bool, Stop> {
        if !self.table.has_room() || self.table.count() == self.limits.states {
            if self.table.find(found.place).is_some() {
                return Ok(false);
            }
            if self.table.count() == self.limits.states && self.limits.states != 0 {
                return Err(Stop::States);
            }
            self.make_room()?;
        }
        if self.table.insert(found.place, tag) == Inserted::Known {
            return Ok(false);
        }
        self.open.push(found.key, &mut self.budget)?;
        Ok(found.won && self.count_win(found.key))
    }

    #[cold]
    fn make_room(&mut self) -> Result<(), Stop> {
        let high_bits = self.space.layout.high_bits();
        if self.table.has_room() && self.table.high_bits() >= high_bits {
            return Ok(());
        }
        self.table.grow(high_bits, &mut self.budget, &mut self.limits.clock)
    }

    /// Whether it is the first.
    #[cold]
    fn count_win(&mut self, key: Key) -> bool {
        self.wins_count += 1;
        if self.first_win.is_none() {
            self.first_win = Some(key);
            self.states_before_win_count = self.table.count();
            return true;
        }
        false
    }
}
