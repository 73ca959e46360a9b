//! The game as it is played: every card in its place, every move one that a player makes.
//!
//! Source: T. Shintani on Klondike, section 2. Here a card may also go back from a foundation, where the rules allow.
use super::rules::{Column, Position, Rules, lies_on, rank, suit};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    ColumnToColumn,
    ColumnToFoundation,
    WasteToColumn,
    WasteToFoundation,
    FoundationToColumn,
    /// `count` cards go from stock to waste.
    Deal,
    /// `count` cards go from waste to stock.
    Redeal,
}

/// A move; `from` and `to` are columns or suits, 0 where the kind says all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub kind: Kind,
    pub from: u8,
    pub to: u8,
    pub count: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub columns: Vec<Column>,
    /// The last one is dealt first.
    pub stock: Vec<u8>,
    pub waste: Vec<u8>,
    pub foundations: [u8; 4],
    /// `None`: unlimited.
    pub redeals: Option<u16>,
}

impl Board {
    #[must_use]
    pub fn new(position: &Position, rules: Rules) -> Board {
        Board {
            columns: position.columns.clone(),
            stock: position.stock.iter().rev().copied().collect(),
            waste: position.waste.clone(),
            foundations: position.foundations,
            redeals: rules.redeals,
        }
    }

    /// Won, or surely so: every card of the columns face up, and at most one in stock and waste. Columns then go down
    /// rank by rank, so that the lowest card left is that one or the top of its column, and all can be founded, one by
    /// one. (The source counts a card that is left in the stock as one that can be played: figure 1 b.)
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.columns.iter().all(|column| column.face_down == 0) && self.stock.len() + self.waste.len() <= 1
    }

    /// Whether a card may be laid on a column.
    fn takes(&self, column: usize, card: u8, ranks: u8) -> bool {
        match self.columns[column].cards.last() {
            Some(&top) => lies_on(card, top),
            None => rank(card) == ranks,
        }
    }

    fn is_next(&self, card: u8) -> bool {
        self.foundations[suit(card)] + 1 == rank(card)
    }

    /// Cards that a deal moves; 0: there is none.
    #[must_use]
    pub fn deal_count(&self, rules: Rules) -> usize {
        let left = self.stock.len();
        let last = !rules.carry || rules.deal_last && self.waste.is_empty();
        if left >= rules.draw || last { left.min(rules.draw) } else { 0 }
    }

    /// Whether the waste may be turned over.
    #[must_use]
    pub fn may_redeal(&self, rules: Rules) -> bool {
        let left = self.stock.len();
        let done = if rules.carry { left < rules.draw } else { left == 0 };
        done && !self.waste.is_empty() && self.redeals != Some(0)
    }

    /// Every legal move; `ranks` is the rank of the kings.
    pub fn moves(&self, rules: Rules, ranks: u8) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut push = |kind, from: usize, to: usize, count: usize| {
            moves.push(Move { kind, from: from as u8, to: to as u8, count: count as u8 });
        };
        for (from, Column { cards, face_down }) in self.columns.iter().enumerate() {
            let Some(&top) = cards.last() else { continue };
            if self.is_next(top) {
                push(Kind::ColumnToFoundation, from, suit(top), 1);
            }
            for start in *face_down..cards.len() {
                for to in (0..self.columns.len()).filter(|&to| to != from && self.takes(to, cards[start], ranks)) {
                    push(Kind::ColumnToColumn, from, to, cards.len() - start);
                }
            }
        }
        if let Some(&top) = self.waste.last() {
            if self.is_next(top) {
                push(Kind::WasteToFoundation, 0, suit(top), 1);
            }
            for to in (0..self.columns.len()).filter(|&to| self.takes(to, top, ranks)) {
                push(Kind::WasteToColumn, 0, to, 1);
            }
        }
        if rules.foundation_back {
            for from in (0..4).filter(|&from| self.foundations[from] > 0) {
                let card = from as u8 * 16 + self.foundations[from];
                for to in (0..self.columns.len()).filter(|&to| self.takes(to, card, ranks)) {
                    push(Kind::FoundationToColumn, from, to, 1);
                }
            }
        }
        match self.deal_count(rules) {
            0 if self.may_redeal(rules) => push(Kind::Redeal, 0, 0, self.waste.len()),
            0 => {}
            count => push(Kind::Deal, 0, 0, count),
        }
        moves
    }

    /// Makes a legal move; a face-down card that becomes the top is turned up.
    pub fn play(&mut self, at: Move) {
        let (from, to, count) = (usize::from(at.from), usize::from(at.to), usize::from(at.count));
        match at.kind {
            Kind::ColumnToColumn => {
                let run = self.take(from, count);
                self.columns[to].cards.extend(run);
            }
            Kind::ColumnToFoundation => {
                self.take(from, 1);
                self.foundations[to] += 1;
            }
            Kind::WasteToColumn => self.columns[to].cards.push(self.waste.pop().expect("a card in the waste")),
            Kind::WasteToFoundation => {
                self.waste.pop();
                self.foundations[to] += 1;
            }
            Kind::FoundationToColumn => {
                self.columns[to].cards.push(at.from * 16 + self.foundations[from]);
                self.foundations[from] -= 1;
            }
            Kind::Deal => self.waste.extend((0..count).map_while(|_| self.stock.pop())),
            Kind::Redeal => {
                // What is left of the stock stays on top.
                let mut stock: Vec<u8> = self.waste.drain(..).rev().collect();
                stock.append(&mut self.stock);
                self.stock = stock;
                self.redeals = self.redeals.map(|left| left - 1);
            }
        }
    }

    fn take(&mut self, from: usize, count: usize) -> Vec<u8> {
        let Column { cards, face_down } = &mut self.columns[from];
        let run = cards.split_off(cards.len() - count);
        *face_down = (*face_down).min(cards.len().saturating_sub(1));
        run
    }
}
