//! The relaxed game: cards and holes stay everywhere they ever were.
//!
//! Whatever real moves can do, relaxed ones can: each card has at least the places, each cell is at least as often a hole.
//! So a card that has no way to a place here has none in the game, and a position from which some card cannot reach a place
//! where it could finally lie is lost.
use super::position::*;
use crate::superpuzz::board::MAX_COLUMNS;

/// By rank and suit: the cells where a card can come to lie, as bits.
type Cells = [[u64; 4]; MAX_COLUMNS];

/// Where the cards of a position lie, ready to be relaxed.
pub struct Relaxed {
    columns: usize,
    start: Cells,
    holes: u64,
    /// Cells of all columns but the first.
    right_cells: u64,
}

/// What cards can do while some stay where they are.
pub struct Reach {
    at: Cells,
    /// Cards that can move, as bits.
    pub moved: u64,
}

impl Reach {
    pub fn can_lie(&self, card: usize, cell: usize) -> bool {
        self.at[card & 15][card >> 4] >> cell & 1 == 1
    }
}

impl Relaxed {
    pub fn new(position: &Position, columns: usize) -> Relaxed {
        let mut relaxed = Relaxed { columns, start: [[0; 4]; MAX_COLUMNS], holes: 0, right_cells: 0 };
        for row in 0..4 {
            relaxed.right_cells |= (((1u64 << columns) - 1) & !1) << (row * 16);
            for cell in row * 16..row * 16 + columns {
                let card = position.cells[cell];
                if card == 0 {
                    relaxed.holes |= 1 << cell;
                } else {
                    relaxed.start[rank(card)][usize::from(card >> 4)] = 1 << cell;
                }
            }
        }
        let untold = position.untold();
        if untold != 0 {
            let cells = (0..4).filter(|row| untold >> row & 1 == 1).fold(0u64, |cells, row| cells | 1 << (row * 16));
            for row in (0..4).filter(|row| untold >> row & 1 == 1) {
                relaxed.start[1][usize::from(position.cells[row * 16] >> 4)] = cells;
            }
        }
        relaxed
    }

    /// Where cards get while those of `frozen` (bits by card) stay.
    pub fn reach(&self, frozen: u64) -> Reach {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for. It is several times as fast, and this is
            // where the search spends most of its time.
            return unsafe { self.reach_avx2(frozen) };
        }
        self.reach_by_suits(frozen)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn reach_avx2(&self, frozen: u64) -> Reach {
        self.reach_by_suits(frozen)
    }

    /// The four suits go side by side, each with its own holes during a round.
    #[inline(always)]
    fn reach_by_suits(&self, frozen: u64) -> Reach {
        let frozen = lanes(|suit| frozen >> (suit * 16));
        let mut at = self.start;
        let mut holes = [self.holes; 4];
        loop {
            let mut news = [0u64; 4];
            let before = holes;
            let mut open = [LEFT; 4];
            for (rank, at) in at.iter_mut().enumerate().take(self.columns).skip(1) {
                let old = *at;
                let new = lanes(|s| open[s] & holes[s] & !old[s] & (frozen[s] >> rank & 1).wrapping_sub(1));
                holes = lanes(|s| holes[s] | if new[s] == 0 { 0 } else { old[s] });
                *at = lanes(|s| old[s] | new[s]);
                news = lanes(|s| news[s] | new[s]);
                open = lanes(|s| (at[s] << 1) & self.right_cells);
            }
            let all = holes[0] | holes[1] | holes[2] | holes[3];
            if news == [0; 4] && before == [all; 4] {
                break;
            }
            holes = [all; 4];
        }
        let mut moved = [0u64; 4];
        for rank in 1..self.columns {
            moved = lanes(|s| moved[s] | u64::from(at[rank][s] != self.start[rank][s]) << rank);
        }
        Reach { at, moved: moved[0] | moved[1] << 16 | moved[2] << 32 | moved[3] << 48 }
    }

    /// False when the position is lost for sure: each suit needs a row where all of its cards can lie at their
    /// places, and no two suits the same row.
    pub fn may_win(&self) -> bool {
        let at = self.reach(0).at;
        let mut rows_of = [0u8; 4];
        for (suit, rows) in rows_of.iter_mut().enumerate() {
            let cells = (1..self.columns).fold(LEFT, |cells, rank| cells & at[rank][suit] >> (rank - 1));
            *rows = (0..4).filter(|row| cells >> (row * 16) & 1 == 1).fold(0, |rows, row| rows | 1 << row);
        }
        has_matching(&rows_of, 0)
    }
}

/// A value for each suit.
#[inline(always)]
fn lanes(value: impl Fn(usize) -> u64) -> [u64; 4] {
    [value(0), value(1), value(2), value(3)]
}

fn has_matching(rows_of: &[u8], used: u8) -> bool {
    match rows_of.split_first() {
        None => true,
        Some((rows, rest)) => (0..4).any(|row| (rows & !used) >> row & 1 == 1 && has_matching(rest, used | 1 << row)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck;

    /// What the processor's wide instructions compute is what plain ones do, whatever stays where it is.
    #[test]
    fn wide_and_plain_are_one() {
        for (columns, index) in (2..=MAX_COLUMNS).flat_map(|columns| (0..50).map(move |index| (columns, index))) {
            let cells: Vec<u8> = deck::shuffled(7, index, 4 * columns)
                .into_iter()
                .map(|number| {
                    let (suit, rank) = (usize::from(number) / columns, usize::from(number) % columns + 1);
                    if rank == columns { 0 } else { (suit * 16 + rank) as u8 }
                })
                .collect();
            let relaxed = Relaxed::new(&Position::new(&cells, columns), columns);
            for frozen in [0, ACES, ACES << 1, index.wrapping_mul(0x9E37_79B9_7F4A_7C15), u64::MAX] {
                let (found, plain) = (relaxed.reach(frozen), relaxed.reach_by_suits(frozen));
                assert_eq!((found.at, found.moved), (plain.at, plain.moved), "{columns} columns, deal {index}");
                assert_eq!(found.moved & frozen, 0);
            }
            assert_eq!(relaxed.reach(u64::MAX).at, relaxed.start);
        }
    }
}
