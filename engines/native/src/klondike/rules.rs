//! The rules that a game is played by, and positions as they come in.
use crate::deck;

/// Most columns.
pub const MAX_COLUMNS: usize = 7;
/// Most cards of stock and waste together.
pub const MAX_STOCK: usize = 24;
/// Most face-down cards of a column.
pub const MAX_FACE_DOWN: usize = 13;
pub const MAX_RANKS: u8 = 13;
/// Redeals beyond this are as good as any number: see `Rules::limited`.
const MANY_REDEALS: u32 = 1000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Cards dealt at once: 1 or 3.
    pub draw: usize,
    /// Redeals that are left; `None`: unlimited.
    pub redeals: Option<u16>,
    /// The last cards of the stock, when fewer than `draw` are left: they stay on top of the new stock (`carry`), or
    /// they are dealt.
    pub carry: bool,
    /// With `carry`: the last cards are dealt when the waste is empty.
    pub deal_last: bool,
    /// Cards may go back from a foundation to a column.
    pub foundation_back: bool,
}

impl Rules {
    /// The rules with a number of redeals: `None` and numbers that no game can use up mean unlimited.
    ///
    /// Between two plays from the waste, a game that repeats a position of stock and waste can leave out what lies
    /// between. Stock and waste have at most 24 starts of a pass between two plays, so 24 * 24 redeals are as good as
    /// any number.
    #[must_use]
    pub fn limited(self, redeals: Option<u32>) -> Rules {
        Rules { redeals: redeals.filter(|&redeals| redeals < MANY_REDEALS).map(|redeals| redeals as u16), ..self }
    }
}

impl Rules {
    /// Whether every pass through the stock begins at the same card.
    #[inline]
    #[must_use]
    pub fn has_one_origin(&self) -> bool {
        !self.carry || self.draw == 1
    }
}

/// A column, bottom first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Column {
    pub cards: Vec<u8>,
    pub face_down: usize,
}

/// A position: cards are suit * 16 + rank, suits C, D, H, S, ranks from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub columns: Vec<Column>,
    /// First dealt first.
    pub stock: Vec<u8>,
    /// Bottom first.
    pub waste: Vec<u8>,
    /// Top rank of each suit.
    pub foundations: [u8; 4],
    /// Rank of the kings.
    pub ranks: u8,
}

#[must_use]
pub fn suit(card: u8) -> usize {
    usize::from(card >> 4)
}

#[must_use]
pub fn rank(card: u8) -> u8 {
    card & 15
}

#[must_use]
pub fn is_red(card: u8) -> bool {
    matches!(suit(card), 1 | 2)
}

/// Whether a card may lie on another one in a column.
#[must_use]
pub fn lies_on(card: u8, below: u8) -> bool {
    rank(card) + 1 == rank(below) && is_red(card) != is_red(below)
}

impl Position {
    /// The whole game as it is dealt: columns of 1 to 7 cards, bottom first, then the stock.
    #[must_use]
    pub fn dealt(cards: &[u8]) -> Position {
        let mut columns = Vec::new();
        let mut at = 0;
        for length in 1..=MAX_COLUMNS {
            columns.push(Column { cards: cards[at..at + length].to_vec(), face_down: length - 1 });
            at += length;
        }
        let stock = cards[at..].to_vec();
        Position { columns, stock, waste: Vec::new(), foundations: [0; 4], ranks: MAX_RANKS }
    }

    /// Deal `index` of a seed, the same as in Python.
    #[must_use]
    pub fn random(seed: u64, index: u64) -> Position {
        let numbers = deck::shuffled(seed, index, 52);
        Position::dealt(&numbers.into_iter().map(|number| number / 13 * 16 + number % 13 + 1).collect::<Vec<u8>>())
    }

    /// Whether this is a position of a game; the error names the field.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=MAX_RANKS).contains(&self.ranks) {
            return Err(format!("ranks: {} is not in 1..{MAX_RANKS}", self.ranks));
        }
        if !(1..=MAX_COLUMNS).contains(&self.columns.len()) {
            return Err(format!("columns: {} of them are not 1 to {MAX_COLUMNS}", self.columns.len()));
        }
        if let Some(top) = self.foundations.iter().find(|&&top| top > self.ranks) {
            return Err(format!("foundations: no rank {top}"));
        }
        if self.stock.len() + self.waste.len() > MAX_STOCK {
            return Err(format!("stock: more than {MAX_STOCK} cards with the waste"));
        }
        let mut seen = [false; 64];
        let named = self.columns.iter().map(|column| ("columns", &column.cards));
        for (field, cards) in named.chain([("stock", &self.stock), ("waste", &self.waste)]) {
            for &card in cards {
                if suit(card) >= 4 || !(1..=self.ranks).contains(&rank(card)) {
                    return Err(format!("{field}: {card} is no card"));
                }
                if seen[usize::from(card)] || rank(card) <= self.foundations[suit(card)] {
                    return Err(format!("{field}: card {card} is there twice"));
                }
                seen[usize::from(card)] = true;
            }
        }
        for (suit, &top) in self.foundations.iter().enumerate() {
            if let Some(rank) = (top + 1..=self.ranks).find(|&rank| !seen[suit * 16 + usize::from(rank)]) {
                return Err(format!("columns: card {} is missing", suit * 16 + usize::from(rank)));
            }
        }
        for (index, Column { cards, face_down }) in self.columns.iter().enumerate() {
            if *face_down > MAX_FACE_DOWN || *face_down > cards.len().saturating_sub(1) {
                return Err(format!("face_down: not {face_down} of {} cards in column {index}", cards.len()));
            }
            if cards[*face_down..].windows(2).any(|pair| !lies_on(pair[1], pair[0])) {
                return Err(format!("columns: the face-up cards of column {index} are no run"));
            }
        }
        Ok(())
    }
}
