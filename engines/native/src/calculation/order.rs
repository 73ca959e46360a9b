//! Which cards must leave before which: for each card of a row the first card of every other row that must wait for it.
//!
//! Rows are chains, so that what must leave after a card is given by one place in each row. Cards of a row that have left
//! keep numbers that mean nothing any more.
use super::rules::FOUNDATIONS;

/// No card of a row has to wait.
pub const NONE: u8 = 15;

/// By place in a row.
pub type Row = [u8; 16];

/// `first[b][c][r]`: the first place of row c that must leave after place r of row b; r itself where c is b.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    first: [[Row; FOUNDATIONS]; FOUNDATIONS],
}

const IDENTITY: Row = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

impl Order {
    /// Nothing lies on a stack: only the rows count.
    pub fn new() -> Order {
        let mut first = [[[NONE; 16]; FOUNDATIONS]; FOUNDATIONS];
        for b in 0..FOUNDATIONS {
            first[b][b] = IDENTITY;
        }
        Order { first }
    }

    #[inline(always)]
    pub fn first(&self, b: usize, c: usize) -> &Row {
        &self.first[b & 3][c & 3]
    }

    /// Everything that must leave with or after a card, by row.
    #[inline(always)]
    pub fn up(&self, b: usize, place: u8) -> [u8; FOUNDATIONS] {
        std::array::from_fn(|c| self.first[b & 3][c][place as usize & 15])
    }

    /// Puts the card at `place` of row b above a card with `up` = `on`, which must not hold it.
    #[inline(always)]
    pub fn put(&mut self, b: usize, place: u8, on: [u8; FOUNDATIONS]) {
        for rows in &mut self.first {
            let before = rows[b & 3];
            for c in 0..FOUNDATIONS {
                lower(&mut rows[c], &before, place, on[c]);
            }
        }
    }

    /// The same where the cards of two rows alone count; `on`: places in row b and in row c.
    pub fn put_in_two(&mut self, b: usize, c: usize, place: u8, on: (u8, u8)) {
        lower(&mut self.first[b & 3][c & 3], &IDENTITY, place, on.1);
        let before = self.first[c & 3][b & 3];
        lower(&mut self.first[c & 3][b & 3], &before, place, on.0);
    }
}

impl Default for Order {
    fn default() -> Order {
        Order::new()
    }
}

/// For every place that `before` puts at or before `place`, the first card that must wait is `on` or an earlier one.
#[inline(always)]
fn lower(row: &mut Row, before: &Row, place: u8, on: u8) {
    for r in 0..16 {
        let limit = if before[r] <= place { on } else { NONE };
        row[r] = row[r].min(limit);
    }
}
