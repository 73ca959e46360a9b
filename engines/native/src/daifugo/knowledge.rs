//! What one player knows: its hand, what lies open, what happened, and what it saw of the exchange.
use super::cards::{ALL, Cards, D3, strongest};
use super::play::Play;
use super::position::Position;
use super::table::{PLAYERS, Seats, Table};

/// One turn of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub seat: u8,
    pub play: Play,
}

/// The seats by their ranks in the game before, the first first.
pub type Before = [u8; PLAYERS];

/// Cards that a player gave and got in the exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gifts {
    pub gave: Cards,
    pub got: Cards,
}

/// Never more than a player can know: the hands of others are not in it.
#[derive(Clone, Copy)]
pub struct Knowledge<'a> {
    pub seat: u8,
    pub hand: Cards,
    /// Cards in each hand.
    pub counts: [u8; PLAYERS],
    /// Cards that were played.
    pub gone: Cards,
    /// Before the exchange is over, that of an empty field.
    pub table: Table,
    /// All turns, if `leader` is known; else plays whose order is right for each seat by itself.
    pub turns: &'a [Turn],
    /// Who had the first turn, and D3 with it.
    pub leader: Option<u8>,
    pub before: Option<Before>,
    pub gifts: Gifts,
}

impl Knowledge<'_> {
    /// Cards in the hands of the others.
    #[inline]
    #[must_use]
    pub fn unseen(&self) -> Cards {
        ALL & !(self.hand | self.gone)
    }

    /// The others that have cards.
    pub fn others(&self) -> impl Iterator<Item = u8> {
        let seat = self.seat;
        (0..PLAYERS as u8).filter(move |&other| other != seat && self.counts[usize::from(other)] > 0)
    }

    /// The rank of a seat in the game before, 0 for the first.
    #[must_use]
    pub fn rank_before(&self, seat: u8) -> Option<usize> {
        self.before.and_then(|before| before.iter().position(|&other| other == seat))
    }

    /// All cards that a seat played.
    #[must_use]
    pub fn played_by(&self, seat: u8) -> Cards {
        self.turns.iter().filter(|turn| turn.seat == seat).fold(0, |cards, turn| cards | turn.play.cards)
    }

    /// Who it exchanged cards with, and of that seat's hand: the cards it surely has, and those it may have besides.
    ///
    /// Who had to give its strongest cards has nothing left that is stronger, except what it got.
    #[must_use]
    pub fn exchanged(&self) -> Option<(u8, Cards, Cards)> {
        let partner = self.before?[4 - self.rank_before(self.seat).filter(|&rank| rank != 2)?];
        let unseen = self.unseen();
        let sure = unseen & self.gifts.gave;
        if self.rank_before(self.seat) > Some(2) || self.gifts.got == 0 {
            return Some((partner, sure, unseen & !sure));
        }
        let mut weakest = self.gifts.got;
        while weakest & (weakest - 1) != 0 {
            weakest &= !strongest(weakest, false);
        }
        // Without a revolution a higher bit is a stronger card.
        Some((partner, sure, unseen & !sure & (weakest - 1)))
    }

    /// Who surely has D3: who led at first, until it plays it.
    #[must_use]
    pub fn has_d3(&self) -> Option<u8> {
        self.leader.filter(|&leader| self.unseen() & D3 != 0 && leader != self.seat)
    }

    /// Cards whose owner among the others is known, by seat: what it gave away, and D3.
    #[must_use]
    pub fn known(&self) -> [Cards; PLAYERS] {
        let mut known = [0; PLAYERS];
        if let Some((partner, sure, _)) = self.exchanged() {
            known[usize::from(partner)] = sure;
        }
        if let Some(leader) = self.has_d3() {
            known[usize::from(leader)] |= D3;
        }
        known
    }

    /// The position in a world: hands of the others as dealt, the own one as it is.
    #[inline]
    #[must_use]
    pub fn position(&self, mut hands: [Cards; PLAYERS]) -> Position {
        hands[usize::from(self.seat)] = self.hand;
        Position { hands, table: self.table }
    }

    /// Why this cannot be what a player knows, with the part that is wrong.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self) -> Result<(), String> {
        let own = usize::from(self.seat);
        let table = &self.table;
        if own >= PLAYERS {
            return Err(format!("seat: {own} is not in 0..5"));
        }
        if self.leader.is_some_and(|leader| usize::from(leader) >= PLAYERS) {
            return Err("leader: not a seat".into());
        }
        if (self.hand | self.gone) & !ALL != 0 {
            return Err("hand: bits beyond the 53 cards".into());
        }
        if self.hand & self.gone != 0 {
            return Err("gone: cards of the own hand".into());
        }
        let hidden: u32 =
            self.counts.iter().enumerate().filter(|&(seat, _)| seat != own).map(|(_, &count)| u32::from(count)).sum();
        if u32::from(self.counts[own]) != self.hand.count_ones() || hidden != self.unseen().count_ones() {
            return Err(format!(
                "counts: {:?}, with {} cards in the hand and {} hidden",
                self.counts,
                self.hand.count_ones(),
                self.unseen().count_ones()
            ));
        }
        let alive = (0..PLAYERS).fold(0, |seats, seat| seats | Seats::from(self.counts[seat] > 0) << seat);
        if table.alive != alive || table.active & !alive != 0 || table.active == 0 {
            return Err("passed: somebody who has cards must not have passed".into());
        }
        if usize::from(table.turn) >= PLAYERS || usize::from(table.last) >= PLAYERS {
            return Err("turn: not a seat".into());
        }
        if table.active >> table.turn & 1 == 0 {
            return Err("turn: the seat is out of cards or passed".into());
        }
        let d3 = self.has_d3();
        if let Some((partner, mut sure, mut rest)) = self.exchanged() {
            if let Some(leader) = d3 {
                if leader == partner {
                    sure |= D3;
                } else if sure & D3 != 0 {
                    return Err(format!("leader: seat {leader} cannot have D3, which seat {partner} got"));
                }
                rest &= !D3;
            }
            let count = u32::from(self.counts[usize::from(partner)]);
            if sure.count_ones() > count || sure.count_ones() + rest.count_ones() < count {
                return Err(format!("gave: seat {partner} cannot have such cards"));
            }
        }
        if let Some(leader) = d3.filter(|&leader| self.counts[usize::from(leader)] == 0) {
            return Err(format!("leader: seat {leader} cannot have D3"));
        }
        Ok(())
    }
}
