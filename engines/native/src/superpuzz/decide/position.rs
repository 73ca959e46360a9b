//! A position as the decision search sees it: rows of sixteen cells, and which aces are not told apart yet.
//!
//! Cell = row * 16 + column, card = suit * 16 + rank, 0 = hole. Cells right of the last column stay 0.

/// Cell that holds the rows (one bit each) whose aces are not told apart yet; see `classes`.
pub const UNTOLD: usize = 15;

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub cells: [u8; 64],
}

/// Cell of each card; 255 where there is no such card.
pub type Places = [u8; 64];

pub const fn ace(suit: usize) -> usize {
    suit * 16 + 1
}

pub const fn column(cell: u8) -> usize {
    (cell & 15) as usize
}

pub const fn rank(card: u8) -> usize {
    (card & 15) as usize
}

/// The set of the four aces, as bits by card.
pub const ACES: u64 = 1 << 1 | 1 << 17 | 1 << 33 | 1 << 49;
/// The cells of the leftmost column, as bits by cell.
pub const LEFT: u64 = 1 | 1 << 16 | 1 << 32 | 1 << 48;

impl Position {
    /// From `4 * columns` cells, row by row.
    pub fn new(cells: &[u8], columns: usize) -> Position {
        let mut position = Position { cells: [0; 64] };
        for (row, from) in cells.chunks_exact(columns).enumerate() {
            position.cells[row * 16..][..columns].copy_from_slice(from);
        }
        position
    }

    pub fn places(&self, columns: usize) -> Places {
        let mut places = [255; 64];
        for row in 0..4 {
            for cell in row * 16..row * 16 + columns {
                places[usize::from(self.cells[cell])] = cell as u8;
            }
        }
        places[0] = 255;
        places
    }

    /// Rows whose aces are not told apart yet, as bits.
    pub fn untold(&self) -> u8 {
        self.cells[UNTOLD]
    }

    pub fn is_untold(&self, row: usize) -> bool {
        self.cells[UNTOLD] >> row & 1 == 1
    }

    /// Whether every row is ace to queen of one suit, for one telling apart of the aces at least.
    pub fn is_won(&self, columns: usize) -> bool {
        (0..4).all(|row| {
            let cells = &self.cells[row * 16..][..columns];
            let from = usize::from(self.is_untold(row));
            cells[0] != 0
                && rank(cells[0]) == 1
                && cells[columns - 1] == 0
                && (from == 0 || columns == 2 || rank(cells[1]) == 2)
                && cells[from..columns - 1].windows(2).all(|pair| pair[1] == pair[0] + 1)
        })
    }
}
