//! A shortest solution: best-first search with a lower bound for the moves that are left (`bound`).
//!
//! First it is decided whether there is a solution, and how long one is (`decide`); then shorter ones are looked for.
use super::board::{Board, Move};
use super::bound::Bound;
use super::decide;
use super::key::Key;
use super::space::{Space, step_between};
use crate::hash;
use crate::search::best_first::{BestFirst, Entry};
use crate::search::{Context, Limits, Report, Stop};

#[derive(Clone, Copy)]
struct State {
    low: u32,
    /// In two halves, so that a state has no gap.
    high: [u32; 2],
    parent: u32,
    cost: u16,
}

impl State {
    fn key(&self) -> Key {
        Key { low: self.low, high: u64::from(self.high[0]) | u64::from(self.high[1]) << 32 }
    }
}

impl Entry for State {
    #[inline(always)]
    fn is_same(&self, other: &State) -> bool {
        self.key() == other.key()
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        let Key { low, high } = self.key();
        hash::of_two(high, u64::from(low))
    }

    fn parent(&self) -> u32 {
        self.parent
    }
}

/// A shortest solution, or what is known when a limit is hit. `states_count` counts classes of positions that `decide`
/// stored, and positions. `Err` only for an interrupt.
pub fn shortest(start: &Board, limits: Limits<'_>) -> Result<Report<Move>, Stop> {
    let mut context = Context::new(limits);
    let known = match decide::win(start, &mut context) {
        Ok(Some(known)) => known,
        other => return Report::new(other, &context),
    };
    let mut search = Search::new(start, known.len());
    let (moves, stopped) = match search.run(start, &mut context) {
        Ok(shorter) => (shorter.unwrap_or(known), None),
        Err(stop) => (known, Some(stop)),
    };
    Report::shortest(moves, search.open.fewest as u64, stopped, &context)
}

struct Search {
    bound: Bound,
    open: BestFirst<State>,
}

impl Search {
    /// A search for a solution of fewer than `below` moves.
    fn new(start: &Board, below: usize) -> Search {
        let bound = Bound::new(start.columns());
        let fewest = bound.fewest(start);
        Search { bound, open: BestFirst::new(fewest, below) }
    }

    /// The moves of a shortest solution; `None` if there is none below the bound.
    fn run(&mut self, start: &Board, context: &mut Context<'_>) -> Result<Option<Vec<Move>>, Stop> {
        let mut space = Space::new(start.columns(), &mut context.budget)?;
        let first = space.intern(start, &mut context.budget)?;
        self.enter(first, 0, 0, context)?;
        let mut children = Vec::new();
        while let Some((at, state)) = self.open.next(context)? {
            // The bound is 0 at a win, and nowhere else.
            if usize::from(state.cost) == self.open.fewest {
                let way: Vec<Board> = self.open.way(at).iter().map(|state| space.board(state.key())).collect();
                return Ok(Some(way.windows(2).map(|pair| step_between(&pair[0], &pair[1])).collect()));
            }
            space.widen();
            children.clear();
            space.children(state.key(), 0, &mut context.budget, |child| children.push(child.key))?;
            let mut next = usize::MAX;
            for &key in &children {
                let fewest = usize::from(state.cost) + 1 + self.bound.fewest(&space.board(key));
                if fewest > self.open.fewest {
                    next = next.min(fewest);
                } else if fewest == self.open.fewest {
                    self.enter(key, state.cost + 1, at, context)?;
                }
            }
            self.open.wait(at, next, context)?;
        }
        Ok(None)
    }

    fn enter(&mut self, key: Key, cost: u16, parent: u32, context: &mut Context<'_>) -> Result<(), Stop> {
        let Key { low, high } = key;
        let high = [high as u32, (high >> 32) as u32];
        self.open.enter(State { low, high, parent, cost }, context)
    }
}
