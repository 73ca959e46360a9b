//! A lower bound for the moves that are left.
//!
//! Suppose that it is known which suit ends in which row. Every card that does not lie in its final cell has to move.
//! Cards may form a circle: each lies in the final cell of the next one. Then one of them has to move twice, since
//! each could go to its final cell only after the card there has gone. Circles have no card in common, so each counts
//! one. The bound is the least of these sums over all ways to give rows to suits.
//!
//! **No move lowers it by more than one.** A card that goes to its final cell is part of no circle before or after,
//! since that cell was a hole: it counted one, and now counts none. A card that goes elsewhere breaks one circle at
//! most.
use super::board::{Board, HOLE, MAX_CELLS, ROWS};

const PERMUTATIONS: usize = 24;

pub struct Bound {
    columns: usize,
    /// Rows of the suits, in every way.
    rows: [[u8; ROWS]; PERMUTATIONS],
}

impl Bound {
    #[must_use]
    pub fn new(columns: usize) -> Bound {
        let mut rows = [[0; ROWS]; PERMUTATIONS];
        let mut count = 0;
        for number in 0..ROWS.pow(ROWS as u32) {
            let given: [u8; ROWS] = std::array::from_fn(|suit| (number / ROWS.pow(suit as u32) % ROWS) as u8);
            if given.iter().fold(0, |set, row| set | 1 << row) == 15 {
                rows[count] = given;
                count += 1;
            }
        }
        Bound { columns, rows }
    }

    /// No win is nearer.
    #[must_use]
    pub fn fewest(&self, board: &Board) -> usize {
        // For each suit and row, the cards of the suit that lie in their final cells if it ends in that row.
        let mut in_place = [[0usize; ROWS]; ROWS];
        for (row, cells) in board.cells().chunks_exact(self.columns).enumerate() {
            for (column, &card) in cells.iter().enumerate().filter(|&(_, &card)| card != HOLE) {
                in_place[usize::from(card >> 4)][row] += usize::from(usize::from(card & 15) == column + 1);
            }
        }
        let cards_count = ROWS * (self.columns - 1);
        let mut fewest = usize::MAX;
        for rows in &self.rows {
            let in_place: usize = (0..ROWS).map(|suit| in_place[suit][usize::from(rows[suit])]).sum();
            if cards_count - in_place < fewest {
                fewest = fewest.min(cards_count - in_place + self.circles(board, rows));
            }
        }
        fewest
    }

    /// The number of circles of cards (see above).
    fn circles(&self, board: &Board, rows: &[u8; ROWS]) -> usize {
        let cells = board.cells();
        let end = |card: u8| usize::from(rows[usize::from(card >> 4)]) * self.columns + usize::from(card & 15) - 1;
        // The number of the walk on which a cell was seen; 0: on none.
        let mut seen = [0u8; MAX_CELLS];
        let mut count = 0;
        for (way, begin) in (1..).zip(0..cells.len()) {
            let mut at = begin;
            while seen[at] == 0 && cells[at] != HOLE && end(cells[at]) != at {
                seen[at] = way;
                at = end(cells[at]);
            }
            count += usize::from(seen[at] == way);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn no_move_lowers_the_bound_by_more_than_one() {
        let mut circles = 0;
        for index in 0..400 {
            let mut stream = Stream::new(21, index);
            let columns = 2 + index as usize % 12;
            let mut cells: Vec<u8> =
                (0..ROWS * columns).map(|cell| (cell / columns * 16 + (cell + 1) % columns) as u8).collect();
            cells.iter_mut().filter(|card| **card & 15 == 0).for_each(|card| *card = HOLE);
            stream.shuffle(&mut cells);
            let mut board = Board::new(&cells, columns).expect("a deal");
            let bound = Bound::new(columns);
            for _ in 0..60 {
                let before = bound.fewest(&board);
                circles += usize::from(bound.circles(&board, &bound.rows[0]) > 0);
                assert!(before > 0 || board.is_won());
                let mut after = Vec::new();
                board.moves(|step| after.push(board.after(step)));
                assert!(after.iter().all(|next| bound.fewest(next) + 1 >= before), "{board:?}");
                if after.is_empty() {
                    break;
                }
                board = after[stream.below(after.len() as u32) as usize];
            }
        }
        assert!(circles > 1000);
    }
}
