//! States as four numbered rows: where moves lead, and how states look on the board.
use super::board::{Board, HOLE, MAX_MOVES, Move, ROWS};
use super::key::{Key, Layout, RowIds};
use super::memory::Budget;
use super::report::Stop;
use super::rows::Rows;

/// Most new contents of a row position by the moves of one state: each move puts once and takes once.
const MAX_NEW_ROWS: u64 = 2 * MAX_MOVES as u64;

/// The states after each move of a state, in the order of [`Board::moves`].
#[derive(Default)]
pub struct Children {
    count: usize,
    ids: [RowIds; MAX_MOVES],
    won: [bool; MAX_MOVES],
}

impl Children {
    #[inline]
    fn push(&mut self, ids: RowIds, won: bool) {
        self.ids[self.count % MAX_MOVES] = ids;
        self.won[self.count % MAX_MOVES] = won;
        self.count += 1;
    }

    /// Each child and whether it is a win.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (RowIds, bool)> + '_ {
        let count = self.count.min(MAX_MOVES);
        self.ids[..count].iter().copied().zip(self.won[..count].iter().copied())
    }
}

/// The rows that were seen, and the keys made of them.
pub struct Space {
    columns: usize,
    rows: [Rows; ROWS],
    pub layout: Layout,
}

impl Space {
    pub fn new(columns: usize, budget: &mut Budget) -> Result<Space, Stop> {
        let mut make = || Rows::new(columns, budget);
        Ok(Space { columns, rows: [make()?, make()?, make()?, make()?], layout: Layout::default() })
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

    /// Makes the keys wide enough for all children of any one state; whether they had to grow.
    pub fn widen(&mut self) -> bool {
        let before = self.layout.high_bits();
        for row in 0..ROWS {
            if self.rows[row].count() as u64 + MAX_NEW_ROWS > self.layout.ids_count(row) {
                self.layout.extend(row);
            }
        }
        self.layout.high_bits() != before
    }

    /// The states after each move. `widen` must have been called since the last call.
    #[inline]
    pub fn children(&mut self, key: Key, budget: &mut Budget, children: &mut Children) -> Result<(), Stop> {
        let ids = self.layout.unpack(key);
        children.count = 0;
        let cards: [u64; ROWS] = std::array::from_fn(|row| self.rows[row].get(ids[row]).cards);
        let solved: [bool; ROWS] = std::array::from_fn(|row| self.rows[row].get(ids[row]).is_solved);
        // A move changes two rows at most.
        let near_win = solved.iter().filter(|&&solved| solved).count() >= ROWS - 2;
        for to in 0..ROWS {
            let row = self.rows[to].get(ids[to]);
            let wants = row.wants;
            for (want, &card) in wants[..row.wants_count()].iter().enumerate() {
                let holds = |row: usize| (cards[row] >> card) as usize & 1;
                let from = holds(1) + 2 * holds(2) + 3 * holds(3);
                let mut next = ids;
                next[to] = self.rows[to].put(ids[to], want, budget)?;
                if from != to {
                    next[from] = self.rows[from].take(ids[from], card, budget)?;
                }
                let won = near_win && (0..ROWS).all(|row| self.rows[row].get(next[row]).is_solved);
                children.push(next, won);
            }
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
