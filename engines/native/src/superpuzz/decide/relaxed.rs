//! The relaxed game: cards and holes stay everywhere they ever were.
//!
//! Relaxed moves can do whatever real ones can: each card lies at least where it lies in the game, and each cell is a
//! hole at least when it is one in the game. So a card that cannot get to a cell here cannot get there in the game,
//! and a position is lost if some card cannot get to any cell where it could lie in the end.
use super::position::*;

/// Where the cards of a position lie, ready to be relaxed.
pub struct Relaxed<'a> {
    columns: usize,
    places: &'a Places,
    /// By cell: the cards that lie there, as bits; several where aces are not told apart.
    cards: [u64; 64],
    /// Cells that are holes, as bits.
    holes: u64,
    /// Aces that are not told apart, and the cells where they lie.
    untold: u64,
    untold_cells: u64,
}

/// A game under way.
struct Game {
    /// By cell: the cards that can come to lie there.
    cards: [u64; 64],
    /// Cards that can move.
    moved: u64,
    /// Cells that can be holes.
    holes: u64,
    /// Holes that new cards may be able to go to.
    todo: u64,
}

/// Something that cards outside of a set can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disturbance {
    /// These cards can move.
    Moved(u64),
    /// The successor of the card left of this cell can come to lie in it.
    Followed(u8),
}

impl<'a> Relaxed<'a> {
    pub fn new(position: &Position, places: &'a Places, columns: usize) -> Relaxed<'a> {
        let mut relaxed = Relaxed { columns, places, cards: [0; 64], holes: 0, untold: 0, untold_cells: 0 };
        for row in 0..4 {
            for cell in row * 16..row * 16 + columns {
                let card = position.cells[cell];
                relaxed.cards[cell] = 1 << card;
                relaxed.holes |= u64::from(card == 0) << cell;
            }
        }
        if position.untold() != 0 {
            for row in (0..4).filter(|&row| position.is_untold(row)) {
                relaxed.untold |= 1 << position.cells[row * 16];
                relaxed.untold_cells |= 1 << (row * 16);
            }
            for row in (0..4).filter(|&row| position.is_untold(row)) {
                relaxed.cards[row * 16] = relaxed.untold;
            }
        }
        relaxed
    }

    fn begin(&self) -> Game {
        Game { cards: self.cards, moved: 0, holes: self.holes, todo: self.holes }
    }

    /// Cards that have a successor.
    fn followed(&self) -> u64 {
        (((1u64 << (self.columns - 1)) - 1) & !1) * LEFT
    }

    /// One hole of `todo` and the cards that can newly go there, if they are not of `frozen`.
    #[inline(always)]
    fn next(&self, game: &mut Game, frozen: u64) -> (usize, u64) {
        let cell = game.todo.trailing_zeros() as usize;
        game.todo &= game.todo - 1;
        let able = if cell & 15 == 0 { ACES } else { (game.cards[cell - 1] & self.followed()) << 1 };
        (cell, able & !frozen & !game.cards[cell])
    }

    /// Lets cards go to a hole.
    #[inline(always)]
    fn go(&self, game: &mut Game, cell: usize, new: u64) {
        game.cards[cell] |= new;
        let mut left = 0u64;
        // A card that had already left its first cell had left a hole there then.
        let mut first = new & !game.moved;
        game.moved |= new;
        if first & self.untold != 0 {
            left |= self.untold_cells;
        }
        while first != 0 {
            left |= 1 << (self.places[first.trailing_zeros() as usize] & 63);
            first &= first - 1;
        }
        game.holes |= left;
        let right = (1u64 << cell & !(LEFT << (self.columns - 1))) << 1;
        game.todo |= left | right & game.holes;
    }

    /// What others can do while the cards of `frozen` stay: move one of the cards of `needed`, or bring to a cell of
    /// `watched` the successor of the card that lies left of it now. Returns the first that is found; `None` when
    /// there is none.
    pub fn disturbance(&self, frozen: u64, needed: u64, watched: u64) -> Option<Disturbance> {
        let mut game = self.begin();
        while game.todo != 0 {
            let (cell, new) = self.next(&mut game, frozen);
            if new == 0 {
                continue;
            }
            if new & needed != 0 {
                return Some(Disturbance::Moved(new & needed));
            }
            if watched >> cell & 1 == 1 && new & self.cards[cell - 1] << 1 != 0 {
                return Some(Disturbance::Followed(cell as u8));
            }
            self.go(&mut game, cell, new);
        }
        None
    }

    /// By cell: the cards that ever come to lie there.
    pub fn reached(&self) -> [u64; 64] {
        let mut game = self.begin();
        while game.todo != 0 {
            let (cell, new) = self.next(&mut game, 0);
            if new != 0 {
                self.go(&mut game, cell, new);
            }
        }
        game.cards
    }

    /// False when the position is surely lost: each suit needs a row of its own where all of its cards can lie at
    /// their places.
    pub fn may_win(&self) -> bool {
        let reached = self.reached();
        let mut rows_of = [0u8; 4];
        for row in 0..4 {
            let cells = &reached[row * 16..][..self.columns - 1];
            let suits = cells.iter().enumerate().fold(LEFT, |suits, (column, &cards)| suits & cards >> (column + 1));
            for (suit, rows) in rows_of.iter_mut().enumerate() {
                *rows |= ((suits >> (suit * 16) & 1) as u8) << row;
            }
        }
        has_matching(&rows_of, 0)
    }
}

fn has_matching(rows_of: &[u8], used: u8) -> bool {
    match rows_of.split_first() {
        None => true,
        Some((rows, rest)) => (0..4).any(|row| (rows & !used) >> row & 1 == 1 && has_matching(rest, used | 1 << row)),
    }
}
