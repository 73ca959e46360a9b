//! A deal, its moves and its wins.
//!
//! Cells are numbered row by row from 0. A card is `suit * 16 + rank`, suits 0..3 = C, D, H, S, ranks from 1 (ace) to
//! `columns - 1`; 0 is a hole.

/// Rows, suits and holes of every deal.
pub const ROWS: usize = 4;
/// Most columns.
pub const MAX_COLUMNS: usize = 13;
/// Most cells.
pub const MAX_CELLS: usize = ROWS * MAX_COLUMNS;
/// Most moves of a position: four holes in the leftmost column, each open to four aces.
pub const MAX_MOVES: usize = ROWS * ROWS;

pub const HOLE: u8 = 0;

/// The card at cell `from` goes to the hole at cell `to`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    pub from: u8,
    pub to: u8,
}

/// The cells of a position; those past `4 * columns` are holes and stay so.
pub type Cells = [u8; MAX_CELLS];

/// A position that has been checked: it holds each card once, and four holes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    columns: usize,
    cells: Cells,
}

/// The card that goes next to `left`; `None` next to a hole or to a queen (rank `columns - 1`).
#[must_use]
pub fn successor(left: u8, columns: usize) -> Option<u8> {
    (left != HOLE && usize::from(left & 15) + 1 < columns).then_some(left + 1)
}

/// The ace of a suit.
#[must_use]
pub const fn ace(suit: usize) -> u8 {
    (suit * 16 + 1) as u8
}

impl Board {
    /// Checks a deal; the message names the field and the place.
    pub fn new(cells: &[u8], columns: usize) -> Result<Board, String> {
        if !(2..=MAX_COLUMNS).contains(&columns) {
            return Err(format!("columns: {columns} is not in 2..{MAX_COLUMNS}"));
        }
        if cells.len() != ROWS * columns {
            return Err(format!("cells: {} cells are needed, not {}", ROWS * columns, cells.len()));
        }
        let place = |cell: usize| format!("row {}, column {}", cell / columns + 1, cell % columns + 1);
        let mut seen: [Option<usize>; 256] = [None; 256];
        for (cell, &card) in cells.iter().enumerate().filter(|&(_, &card)| card != HOLE) {
            if usize::from(card >> 4) >= ROWS || !(1..columns).contains(&usize::from(card & 15)) {
                return Err(format!("cells: {}: {card} is no card of {columns} columns", place(cell)));
            }
            if let Some(first) = seen[usize::from(card)].replace(cell) {
                return Err(format!("cells: card {card} lies at {} and at {}", place(first), place(cell)));
            }
        }
        for suit in 0..ROWS {
            for rank in 1..columns {
                let card = suit * 16 + rank;
                if seen[card].is_none() {
                    return Err(format!("cells: card {card} is missing"));
                }
            }
        }
        let mut all = [HOLE; MAX_CELLS];
        all[..cells.len()].copy_from_slice(cells);
        Ok(Board { columns, cells: all })
    }

    /// The board made of four rows of one deal, each padded with holes.
    #[must_use]
    pub fn of_rows(rows: [[u8; MAX_COLUMNS]; ROWS], columns: usize) -> Board {
        let mut cells = [HOLE; MAX_CELLS];
        for (row, from) in rows.iter().enumerate() {
            cells[row * columns..][..columns].copy_from_slice(&from[..columns]);
        }
        Board { columns, cells }
    }

    /// The rows, each padded with holes.
    #[must_use]
    pub fn rows(&self) -> [[u8; MAX_COLUMNS]; ROWS] {
        let mut rows = [[HOLE; MAX_COLUMNS]; ROWS];
        for (row, cells) in rows.iter_mut().zip(self.cells().chunks_exact(self.columns)) {
            row[..self.columns].copy_from_slice(cells);
        }
        rows
    }

    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The `4 * columns` cells.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..ROWS * self.columns]
    }

    /// Calls `emit` for each move, by the hole's cell, then by suit.
    pub fn moves(&self, mut emit: impl FnMut(Move)) {
        let cells = self.cells();
        let cell_of = |card: u8| cells.iter().position(|&c| c == card).expect("a board holds every card") as u8;
        for to in (0..cells.len()).filter(|&cell| cells[cell] == HOLE) {
            if to % self.columns == 0 {
                for suit in 0..ROWS {
                    emit(Move { from: cell_of(ace(suit)), to: to as u8 });
                }
            } else if let Some(card) = successor(cells[to - 1], self.columns) {
                emit(Move { from: cell_of(card), to: to as u8 });
            }
        }
    }

    /// Calls `emit` for each position from which one move leads here: a card that lies where it was allowed to go
    /// came from one of the holes.
    pub fn before(&self, mut emit: impl FnMut(Board)) {
        let cells = self.cells();
        for (cell, &card) in cells.iter().enumerate().filter(|&(_, &card)| card != HOLE) {
            let column = cell % self.columns;
            let allowed =
                if column == 0 { card & 15 == 1 } else { successor(cells[cell - 1], self.columns) == Some(card) };
            if allowed {
                for hole in (0..cells.len()).filter(|&hole| cells[hole] == HOLE) {
                    emit(self.after(Move { from: cell as u8, to: hole as u8 }));
                }
            }
        }
    }

    /// The position after a move of this position.
    #[must_use]
    pub fn after(&self, step: Move) -> Board {
        let mut next = *self;
        next.cells.swap(usize::from(step.from), usize::from(step.to));
        next
    }

    /// Whether every row is ace to queen of one suit with its hole at the right end.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.cells().chunks_exact(self.columns).all(|row| {
            let (hole, cards) = row.split_last().expect("rows have cells");
            *hole == HOLE && cards[0] & 15 == 1 && cards.windows(2).all(|pair| pair[1] == pair[0] + 1)
        })
    }
}
