//! Rand, Rand/D and Rand/DR (the paper, section 3.1): worlds that do not depend on what was played.
use super::super::cards::Cards;
use super::super::dice::Dice;
use super::super::knowledge::Knowledge;
use super::super::position::Hands;
use super::super::table::PLAYERS;
use super::hidden::{Pile, Room, set};

/// Rand: all deals are as likely.
pub struct Rand {
    pile: Pile,
    room: Room,
}

impl Rand {
    pub fn new(knowledge: &Knowledge<'_>) -> Rand {
        Rand { pile: Pile::new(knowledge.unseen()), room: Room::of(knowledge) }
    }

    #[inline]
    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        let mut hands = [0; PLAYERS];
        self.pile.deal(&self.room, &mut hands, dice);
        hands
    }
}

/// Rand/D: from the strongest card down, each to one of those with room; who has few cards gets strong ones.
///
/// Rand/DR: the strongest cards go to the first three of the game before, 3, 2 and 1 places of them.
pub struct RandD {
    /// Cards that are not dealt: their owner is known, and counts.
    known: Hands,
    top: Pile,
    favoured: Room,
    rest: Pile,
    room: Room,
}

/// Strong cards that Rand/DR gives by rank in the game before.
const FAVOURS: [u8; 3] = [3, 2, 1];

impl RandD {
    pub fn new(knowledge: &Knowledge<'_>, by_rank: bool) -> RandD {
        let mut room = Room::of(knowledge);
        let mut places = [0; PLAYERS];
        for seat in knowledge.others().filter(|_| by_rank) {
            let rank = knowledge.rank_before(seat).unwrap_or(PLAYERS);
            let favour = FAVOURS.get(rank).copied().unwrap_or(0).min(room.places[usize::from(seat)]);
            places[usize::from(seat)] = favour;
            room.take(seat, favour);
        }
        let order = Pile::by_strength(knowledge.unseen(), knowledge.table.field.revolution);
        let top_count = places.iter().map(|&count| usize::from(count)).sum();
        let top: Cards = set(&order.cards()[..top_count]);
        RandD {
            known: [0; PLAYERS],
            top: Pile::new(top),
            favoured: Room::new(places),
            rest: Pile::by_strength(knowledge.unseen() & !top, knowledge.table.field.revolution),
            room,
        }
    }

    /// Rand/D of all cards but those whose owner is known (`Knowledge::known`).
    pub fn known(knowledge: &Knowledge<'_>) -> RandD {
        let known = knowledge.known();
        let mut room = Room::of(knowledge);
        let mut left = knowledge.unseen();
        for seat in 0..PLAYERS {
            left &= !known[seat];
            room.take(seat as u8, known[seat].count_ones() as u8);
        }
        let rest = Pile::by_strength(left, knowledge.table.field.revolution);
        RandD { known, top: Pile::new(0), favoured: Room::default(), rest, room }
    }

    #[inline]
    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        let mut hands = self.known;
        if !self.favoured.seats().is_empty() {
            self.top.deal(&self.favoured, &mut hands, dice);
        }
        let mut room = self.room;
        room.deal_in_turn(self.rest.cards(), &mut hands, dice);
        hands
    }
}
