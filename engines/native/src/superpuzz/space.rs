//! States as four numbered rows: where moves lead, and how states look on the board.
use super::board::{Board, HOLE, MAX_MOVES, Move, ROWS};
use super::key::{Key, Layout, RowIds};
use super::rows::{MAX_WANTS, Rows};
use super::sleep::{MoveCode, MoveSet, card_of};
use crate::search::Budget;
use crate::search::Stop;

/// Most new contents of a row position by the moves of one state: each move puts once and takes once.
const MAX_NEW_ROWS: u64 = 2 * MAX_MOVES as u64;

/// A state that a move leads to.
#[derive(Clone, Copy)]
pub struct Child {
    pub key: Key,
    pub code: MoveCode,
    /// Moves of the parent that led to states that were found before this one.
    pub before: MoveSet,
    pub won: bool,
}

/// The rows that were seen, and the keys made of them.
pub struct Space {
    columns: usize,
    rows: [Rows; ROWS],
    pub layout: Layout,
}

impl Space {
    pub fn new(columns: usize, budget: &mut Budget) -> Result<Space, Stop> {
        let mut make = |position| Rows::new(columns, position, budget);
        Ok(Space { columns, rows: [make(0)?, make(1)?, make(2)?, make(3)?], layout: Layout::default() })
    }

    /// The key of a board; new rows get numbers.
    pub fn intern(&mut self, board: &Board, budget: &mut Budget) -> Result<Key, Stop> {
        let mut ids = [0; ROWS];
        for (row, cells) in board.rows().into_iter().enumerate() {
            ids[row] = self.rows[row].intern(cells, budget)?;
        }
        Ok(self.layout.pack(ids))
    }

    /// The key of a board all of whose rows were seen.
    #[must_use]
    pub fn find(&self, board: &Board) -> Option<Key> {
        let mut ids = [0; ROWS];
        for (row, cells) in board.rows().into_iter().enumerate() {
            ids[row] = self.rows[row].find(&cells)?;
        }
        Some(self.layout.pack(ids))
    }

    #[must_use]
    pub fn board(&self, key: Key) -> Board {
        let ids = self.layout.unpack(key);
        Board::of_rows(std::array::from_fn(|row| self.rows[row].get(ids[row]).cells), self.columns)
    }

    /// Makes the keys wide enough for all children of any one state; returns whether they had to grow.
    pub fn widen(&mut self) -> bool {
        let before = self.layout.high_bits();
        for row in 0..ROWS {
            if self.rows[row].count() as u64 + MAX_NEW_ROWS > self.layout.ids_count(row) {
                self.layout.extend(row);
            }
        }
        self.layout.high_bits() != before
    }

    /// Prefetches the rows of a state.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        let ids = self.layout.unpack(key);
        for row in 0..ROWS {
            self.rows[row].prefetch(ids[row]);
        }
    }

    /// Calls `emit` with the state after each move but those asleep, in the order of [`Board::moves`]. `widen` must have
    /// been called since the last call.
    #[inline(always)]
    pub fn children(
        &mut self,
        key: Key,
        asleep: MoveSet,
        budget: &mut Budget,
        mut emit: impl FnMut(Child),
    ) -> Result<(), Stop> {
        let ids = self.layout.unpack(key);
        // Which moves there are is hard to predict, so they are listed without a branch for each.
        let mut cards = [0; ROWS];
        let mut solved_count = 0;
        let mut list = [(0, 0, 0); ROWS * MAX_WANTS];
        let mut count = 0;
        for to in 0..ROWS {
            let row = self.rows[to].get(ids[to]);
            cards[to] = row.cards;
            solved_count += usize::from(row.is_solved);
            for want in 0..row.wants_count() {
                let code = row.wants[want];
                list[count % list.len()] = (to as u8, want as u8, code);
                count += usize::from(asleep >> code & 1 == 0);
            }
        }
        // A move changes two rows at most.
        let near_win = solved_count >= ROWS - 2;
        let mut before = asleep;
        for &(to, want, code) in &list[..count] {
            let (to, card) = (usize::from(to) % ROWS, card_of(code));
            let holds = |row: usize| (cards[row] >> card) as usize & 1;
            let from = holds(1) + 2 * holds(2) + 3 * holds(3);
            let put = self.rows[to].put(ids[to], usize::from(want), budget)?;
            let taken = if from == to { put } else { self.rows[from].take(ids[from], card, budget)? };
            // Chosen row by row, so that the numbers stay in registers.
            let next: RowIds = std::array::from_fn(|row| {
                let kept = if row == to { put } else { ids[row] };
                if row == from { taken } else { kept }
            });
            let won = near_win && (0..ROWS).all(|row| self.rows[row].get(next[row]).is_solved);
            emit(Child { key: self.layout.pack(next), code, before, won });
            before |= 1 << code;
        }
        Ok(())
    }
}

/// The move between two boards that are one move apart.
#[must_use]
pub fn step_between(before: &Board, after: &Board) -> Move {
    let mut step = Move { from: 0, to: 0 };
    for (cell, (&old, &new)) in before.cells().iter().zip(after.cells()).enumerate() {
        if old != new {
            *(if new == HOLE { &mut step.from } else { &mut step.to }) = cell as u8;
        }
    }
    step
}
