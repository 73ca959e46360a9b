//! The set of positions that were found: numbered rows and the exact table of the census.
//!
//! A row whose ace is not told apart holds a mark in place of it: which aces lie there follows from the other
//! rows, as `canonical` puts them in ascending order. So the four rows give the position back exactly.
//!
//! Slots are wide: after a hundred million positions rows have had a million contents and more, and a table of narrow
//! slots would have to grow sixteenfold for the longer keys.
use super::position::{Position, UNTOLD};
use super::rows::{Rows, UNSEEN};
use crate::search::{Budget, Clock, Stop};
use crate::superpuzz::board::ROWS;
use crate::superpuzz::key::{Key, Layout, RowIds};
use crate::superpuzz::table::{Inserted, Place, Table};

/// In place of an ace that is not told apart; no card has this number.
const MARK: u8 = 0x0f;

pub struct Store {
    rows: [Rows; ROWS],
    layout: Layout,
    table: Table<u128>,
}

/// The numbers of the contents of each row, by which positions of a store are compared.
type Contents = [u128; ROWS];

fn contents(position: &Position) -> Contents {
    let untold = position.untold();
    std::array::from_fn(|row| {
        let mut cells = [0; 16];
        cells.copy_from_slice(&position.cells[row * 16..][..16]);
        cells[15] = 0;
        if untold >> row & 1 == 1 {
            cells[0] = MARK;
        }
        u128::from_le_bytes(cells)
    })
}

/// A position and the numbers of its rows, as far as they were seen.
#[derive(Clone, Copy)]
pub struct Numbered {
    pub position: Position,
    ids: RowIds,
}

impl Store {
    pub fn new(budget: &mut Budget) -> Result<Store, Stop> {
        let mut rows = || Rows::new(budget);
        let rows = [rows()?, rows()?, rows()?, rows()?];
        Ok(Store { rows, layout: Layout::default(), table: Table::new(budget)? })
    }

    /// Looks up the rows of a position; most are those of the position it comes from. Prefetches its place in the table.
    #[inline(always)]
    pub fn numbered(&self, position: &Position, before: &Numbered) -> Numbered {
        let (rows, known) = (contents(position), contents(&before.position));
        let ids =
            std::array::from_fn(
                |row| {
                    if rows[row] == known[row] { before.ids[row] } else { self.rows[row].find(rows[row]) }
                },
            );
        if !ids.contains(&UNSEEN) {
            self.table.prefetch(Place::of(self.layout.pack(ids)));
        }
        Numbered { position: *position, ids }
    }

    /// Whether a position is in the store.
    #[inline(always)]
    pub fn holds(&self, numbered: &Numbered) -> bool {
        !numbered.ids.contains(&UNSEEN) && self.table.find(Place::of(self.layout.pack(numbered.ids))).is_some()
    }

    /// The position of a key of this store.
    pub fn position(&self, key: Key) -> Numbered {
        let ids = self.layout.unpack(key);
        let mut position = Position { cells: [0; 64] };
        for row in 0..ROWS {
            position.cells[row * 16..][..16].copy_from_slice(&self.rows[row].content(ids[row]).to_le_bytes());
        }
        let told =
            position.cells.iter().filter(|&&card| card & 15 == 1).fold(0u8, |suits, card| suits | 1 << (card >> 4));
        let mut untold = (0..4u8).filter(|suit| told >> suit & 1 == 0);
        for row in 0..ROWS {
            if position.cells[row * 16] == MARK {
                position.cells[row * 16] = untold.next().expect("as many marks as aces untold") * 16 + 1;
                position.cells[UNTOLD] |= 1 << row;
            }
        }
        Numbered { position, ids }
    }

    /// Puts a position in; returns its key if it is new.
    pub fn insert(
        &mut self,
        numbered: &mut Numbered,
        budget: &mut Budget,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Key>, Stop> {
        let rows = contents(&numbered.position);
        for row in 0..ROWS {
            if numbered.ids[row] != UNSEEN {
                continue;
            }
            if self.rows[row].count() as u64 == self.layout.ids_count(row) {
                if !self.layout.has_room() {
                    return Err(Stop::Memory);
                }
                self.layout.extend(row);
            }
            numbered.ids[row] = self.rows[row].intern(rows[row], budget)?;
        }
        let high_bits = self.layout.high_bits();
        if !self.table.has_room() || self.table.high_bits() < high_bits {
            self.table.grow(high_bits, budget, clock)?;
        }
        let key = self.layout.pack(numbered.ids);
        Ok((self.table.insert(Place::of(key), 0) == Inserted::New).then_some(key))
    }

    /// Puts the first position in.
    pub fn begin(
        &mut self,
        position: &Position,
        budget: &mut Budget,
        clock: &mut Clock<'_>,
    ) -> Result<(Numbered, Key), Stop> {
        let mut first = Numbered { position: *position, ids: [UNSEEN; ROWS] };
        let key = self.insert(&mut first, budget, clock)?.expect("the store is empty");
        Ok((first, key))
    }
}
