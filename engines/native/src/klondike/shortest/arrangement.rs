//! Positions as they lie: a state, and on which card of a pair each loose card lies.
//!
//! How runs lie is no part of a `State`, but it is what moves are counted by. Which column a king without other cards as
//! dealt lies in is no part of an arrangement either: such columns are interchangeable.
use crate::klondike::bits;
use crate::klondike::pile::Place;
use crate::klondike::rules::Position;
use crate::klondike::state::{Game, State};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrangement {
    pub state: State,
    /// Loose cards that lie on the second card of the pair that they may lie on; of other cards it says nothing.
    pub second: u64,
}

impl Arrangement {
    /// A checked position.
    #[must_use]
    pub fn of(game: &Game, position: &Position) -> Arrangement {
        let place = Place { origin: 0, dealt: position.waste.len() as u8 };
        let mut at = Arrangement { state: State { place, ..game.start() }, second: 0 };
        for column in &position.columns {
            for pair in column.cards[column.face_down.min(column.cards.len())..].windows(2) {
                at.lay(1 << bits::bit(pair[1]), 1 << bits::bit(pair[0]));
            }
        }
        at
    }

    /// Loose cards that lie on others.
    #[inline(always)]
    #[must_use]
    pub fn lying(&self, game: &Game) -> u64 {
        self.state.visible & !self.state.anchors & !game.kings
    }

    /// Cards that others lie on.
    #[inline(always)]
    #[must_use]
    pub fn covered(&self, game: &Game) -> u64 {
        let lying = self.lying(game);
        bits::below(lying & !self.second, lying & self.second)
    }

    /// Cards that lie open.
    #[inline(always)]
    #[must_use]
    pub fn tops(&self, game: &Game) -> u64 {
        self.state.visible & !self.covered(game)
    }

    /// Whether a column is empty.
    #[inline(always)]
    #[must_use]
    pub fn has_room(&self, game: &Game) -> bool {
        let loose_kings = self.state.visible & !self.state.anchors & game.kings;
        loose_kings.count_ones() < u32::from(self.state.empty)
    }

    /// The card that lies on another one; none: nothing does.
    #[inline(always)]
    #[must_use]
    pub fn on(&self, game: &Game, host: u64) -> u64 {
        let lying = self.lying(game) & bits::takes(host);
        if host & bits::LOWER != 0 { lying & !self.second } else { lying & self.second }
    }

    #[inline(always)]
    pub fn lay(&mut self, card: u64, host: u64) {
        if host & bits::LOWER != 0 { self.second &= !card } else { self.second |= card }
    }
}
