//! The set of positions that were found: numbered rows and the exact table of the census.
//!
//! A row whose ace is not told apart holds a mark in place of it: which aces lie there follows from the other
//! rows, as `canonical` puts them in ascending order. So the four rows give the position back exactly.
use super::position::{Position, UNTOLD};
use crate::superpuzz::board::{Board, MAX_COLUMNS, ROWS};
use crate::superpuzz::key::Key;
use crate::superpuzz::memory::Budget;
use crate::superpuzz::report::{Clock, Stop};
use crate::superpuzz::space::Space;
use crate::superpuzz::table::{Inserted, Place, Table};

/// In place of an ace that is not told apart; no card has this number.
const MARK: u8 = 0x0f;

pub struct Store {
    columns: usize,
    space: Space,
    table: Table,
}

impl Store {
    pub fn new(columns: usize, budget: &mut Budget) -> Result<Store, Stop> {
        Ok(Store { columns, space: Space::new(columns, budget)?, table: Table::new(budget)? })
    }

    fn board(&self, position: &Position) -> Board {
        let mut rows = [[0; MAX_COLUMNS]; ROWS];
        for (row, cells) in rows.iter_mut().enumerate() {
            cells[..self.columns].copy_from_slice(&position.cells[row * 16..][..self.columns]);
            if position.is_untold(row) {
                cells[0] = MARK;
            }
        }
        Board::of_rows(rows, self.columns)
    }

    /// The position of a key of this store.
    pub fn position(&self, key: Key) -> Position {
        let mut position = Position::new(self.space.board(key).cells(), self.columns);
        let told =
            position.cells.iter().filter(|&&card| card & 15 == 1).fold(0u8, |suits, card| suits | 1 << (card >> 4));
        let mut untold = (0..4u8).filter(|suit| told >> suit & 1 == 0);
        for row in 0..ROWS {
            if position.cells[row * 16] == MARK {
                position.cells[row * 16] = untold.next().expect("as many marks as aces untold") * 16 + 1;
                position.cells[UNTOLD] |= 1 << row;
            }
        }
        position
    }

    pub fn holds(&self, position: &Position) -> bool {
        self.space.find(&self.board(position)).is_some_and(|key| self.table.find(Place::of(key)).is_some())
    }

    /// Puts a position in; its key if it is new.
    pub fn insert(
        &mut self,
        position: &Position,
        budget: &mut Budget,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Key>, Stop> {
        let grown = self.space.widen();
        if grown || !self.table.has_room() {
            let high_bits = self.space.layout.high_bits();
            if !self.table.has_room() || self.table.high_bits() < high_bits {
                self.table.grow(high_bits, budget, clock)?;
            }
        }
        let key = self.space.intern(&self.board(position), budget)?;
        Ok((self.table.insert(Place::of(key), 0) == Inserted::New).then_some(key))
    }
}
