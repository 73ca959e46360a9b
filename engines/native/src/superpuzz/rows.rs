//! The contents that a row position has had, each numbered once, and how moves lead from one to the next.
//!
//! A move changes one row or two, and what becomes of a row depends on that row alone: a card comes into a hole from
//! elsewhere ("put", also when it comes from the same row) or leaves ("take"). Both are looked up after the first time.
use super::board::{HOLE, MAX_COLUMNS, ROWS, successor};
use super::index::{Index, UNSEEN};
use super::sleep::{MoveCode, ace_move, card_of};
use crate::memory::prefetch;
use crate::search::Budget;
use crate::search::Stop;

/// Most cards that can go to the holes of a row: any of four aces to the first hole, one card each to three more.
pub const MAX_WANTS: usize = ROWS + 3;
const CHUNK_BITS: u32 = 9;
const CHUNK_ROWS: usize = 1 << CHUNK_BITS;

/// One content of a row, on two cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Row {
    /// Cards of this row, bit `card`.
    pub cards: u64,
    /// The moves into this row (see [`super::sleep`]), `wants_count` of them, by the hole's column, then by suit.
    pub wants: [MoveCode; MAX_WANTS],
    wants_count: u8,
    /// Contents after the wanted cards came, in the order of `wants`.
    puts: [u32; MAX_WANTS],
    /// Contents after a card left, by its rank among the cards of this row.
    takes: [u32; MAX_COLUMNS],
    pub cells: [u8; MAX_COLUMNS],
    /// Ace to queen of one suit, hole at the right end.
    pub is_solved: bool,
}

const EMPTY: Row = Row {
    cells: [HOLE; MAX_COLUMNS],
    is_solved: false,
    wants_count: 0,
    wants: [0; MAX_WANTS],
    cards: 0,
    puts: [UNSEEN; MAX_WANTS],
    takes: [UNSEEN; MAX_COLUMNS],
};

impl Row {
    /// `position`: which of the four rows this is.
    fn new(cells: [u8; MAX_COLUMNS], columns: usize, position: usize) -> Row {
        let mut row = Row { cells, ..EMPTY };
        for column in 0..columns {
            if cells[column] != HOLE {
                row.cards |= 1 << cells[column];
            } else if column == 0 {
                (0..ROWS).for_each(|suit| row.want(ace_move(suit, position)));
            } else if let Some(card) = successor(cells[column - 1], columns) {
                row.want(card);
            }
        }
        row.is_solved = cells[0] & 15 == 1
            && cells[columns - 1] == HOLE
            && cells[..columns - 1].windows(2).all(|pair| pair[1] == pair[0] + 1);
        row
    }

    /// How many cards of this row come before `card`.
    #[inline(always)]
    fn rank(&self, card: u8) -> usize {
        (self.cards & ((1 << card) - 1)).count_ones() as usize
    }

    fn want(&mut self, code: MoveCode) {
        self.wants[usize::from(self.wants_count)] = code;
        self.wants_count += 1;
    }

    #[inline(always)]
    pub fn wants_count(&self) -> usize {
        usize::from(self.wants_count).min(MAX_WANTS)
    }
}

/// All contents of one row position.
pub struct Rows {
    columns: usize,
    position: usize,
    count: usize,
    chunks: Vec<Box<[Row]>>,
    index: Index,
}

impl Rows {
    pub fn new(columns: usize, position: usize, budget: &mut Budget) -> Result<Rows, Stop> {
        Ok(Rows { columns, position, count: 0, chunks: Vec::new(), index: Index::new(budget)? })
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    #[must_use]
    pub fn get(&self, id: u32) -> &Row {
        row(&self.chunks, id)
    }

    /// Prefetches the row of a number.
    #[inline(always)]
    pub fn prefetch(&self, id: u32) {
        let row = self.get(id);
        prefetch(&row.cards);
        prefetch(&row.takes[MAX_COLUMNS - 1]);
    }

    /// The content after wanted card number `want` came.
    #[inline(always)]
    pub fn put(&mut self, id: u32, want: usize, budget: &mut Budget) -> Result<u32, Stop> {
        match self.get(id).puts[want] {
            UNSEEN => self.link_put(id, want, budget),
            next => Ok(next),
        }
    }

    /// The content after a card of this row left.
    #[inline(always)]
    pub fn take(&mut self, id: u32, card: u8, budget: &mut Budget) -> Result<u32, Stop> {
        let row = self.get(id);
        let rank = row.rank(card);
        match row.takes[rank] {
            UNSEEN => self.link_take(id, card, rank, budget),
            next => Ok(next),
        }
    }

    #[cold]
    fn link_put(&mut self, id: u32, want: usize, budget: &mut Budget) -> Result<u32, Stop> {
        let row = self.get(id);
        let card = card_of(row.wants[want]);
        let hole = (0..self.columns)
            .find(|&column| {
                row.cells[column] == HOLE
                    && if column == 0 { card & 15 == 1 } else { row.cells[column - 1] + 1 == card && card & 15 != 1 }
            })
            .expect("a hole wants the card");
        let mut cells = row.cells.map(|cell| if cell == card { HOLE } else { cell });
        cells[hole] = card;
        let next = self.intern(cells, budget)?;
        self.get_mut(id).puts[want] = next;
        Ok(next)
    }

    #[cold]
    fn link_take(&mut self, id: u32, card: u8, rank: usize, budget: &mut Budget) -> Result<u32, Stop> {
        let cells = self.get(id).cells.map(|cell| if cell == card { HOLE } else { cell });
        let next = self.intern(cells, budget)?;
        self.get_mut(id).takes[rank] = next;
        Ok(next)
    }

    fn get_mut(&mut self, id: u32) -> &mut Row {
        &mut self.chunks[(id >> CHUNK_BITS) as usize][id as usize % CHUNK_ROWS]
    }

    /// The number of a content that was seen before.
    #[must_use]
    pub fn find(&self, cells: &[u8; MAX_COLUMNS]) -> Option<u32> {
        Some(self.index.number(self.slot(cells))).filter(|&id| id != UNSEEN)
    }

    /// The number of a content, a new one if it was not seen before.
    pub fn intern(&mut self, cells: [u8; MAX_COLUMNS], budget: &mut Budget) -> Result<u32, Stop> {
        let slot = self.slot(&cells);
        let found = self.index.number(slot);
        if found != UNSEEN {
            return Ok(found);
        }
        if self.count == self.chunks.len() * CHUNK_ROWS {
            budget.take((CHUNK_ROWS * size_of::<Row>()) as u64)?;
            self.chunks.push(vec![EMPTY; CHUNK_ROWS].into_boxed_slice());
        }
        let id = self.count as u32;
        *self.get_mut(id) = Row::new(cells, self.columns, self.position);
        self.count += 1;
        let chunks = &self.chunks;
        self.index.put(slot, id, |id| word(&row(chunks, id).cells), budget)?;
        Ok(id)
    }

    /// Where a content stands in the index, or the free slot where it belongs.
    fn slot(&self, cells: &[u8; MAX_COLUMNS]) -> usize {
        self.index.slot(word(cells), |id| word(&self.get(id).cells))
    }
}

#[inline(always)]
fn row(chunks: &[Box<[Row]>], id: u32) -> &Row {
    &chunks[(id >> CHUNK_BITS) as usize][id as usize % CHUNK_ROWS]
}

/// A content as one word.
fn word(cells: &[u8; MAX_COLUMNS]) -> u128 {
    let mut bytes = [0; 16];
    bytes[..MAX_COLUMNS].copy_from_slice(cells);
    u128::from_le_bytes(bytes)
}
