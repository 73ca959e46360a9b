//! Worlds that honour what a player knows for sure: the cards that it gave away, that who had to give it the strongest
//! ones has nothing stronger left, and that who led at first had D3. All such worlds are as likely.
use super::super::cards::Cards;
use super::super::dice::Dice;
use super::super::knowledge::Knowledge;
use super::super::position::Hands;
use super::super::table::PLAYERS;
use super::hidden::{Pile, Room};

pub struct Exchange {
    /// Cards whose owner is known, by seat.
    sure: Hands,
    /// Who may have some cards only, and those, if such a seat has places for more than the sure ones.
    partner: u8,
    partner_count: usize,
    allowed: Pile,
    allowed_cards: Cards,
    /// Cards that are not for the partner.
    others: Pile,
    room: Room,
}

impl Exchange {
    pub fn new(knowledge: &Knowledge<'_>) -> Exchange {
        let mut room = Room::of(knowledge);
        let sure = knowledge.known();
        let mut left = knowledge.unseen();
        let (partner, _, mut allowed) = knowledge.exchanged().unwrap_or((0, 0, left));
        for seat in 0..PLAYERS {
            left &= !sure[seat];
            room.take(seat as u8, sure[seat].count_ones() as u8);
        }
        allowed &= left;
        let mut partner_count = 0;
        if allowed != left {
            partner_count = room.places[usize::from(partner)];
            room.take(partner, partner_count);
        }
        Exchange {
            sure,
            partner,
            partner_count: usize::from(partner_count),
            allowed: Pile::new(allowed),
            allowed_cards: allowed,
            others: Pile::new(left & !allowed),
            room,
        }
    }

    /// The cards that a seat has for sure.
    #[inline]
    pub fn sure(&self, seat: usize) -> Cards {
        self.sure[seat]
    }

    /// Whether a seat may have a card that is not sure to be somebody's.
    #[inline]
    pub fn may_have(&self, seat: usize, card: Cards) -> bool {
        self.partner_count == 0 || seat != usize::from(self.partner) || card & self.allowed_cards != 0
    }

    #[inline]
    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        let mut hands = self.sure;
        let picked = self.allowed.pick(self.partner_count, dice);
        hands[usize::from(self.partner)] |= picked;
        self.others.with(self.allowed_cards & !picked).deal(&self.room, &mut hands, dice);
        hands
    }
}
