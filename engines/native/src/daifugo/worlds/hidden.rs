//! Cards that are to be dealt, and the seats that they go to: what every way to make worlds begins with.
use super::super::cards::{CARDS_COUNT, Cards, strongest};
use super::super::dice::{Dice, Draws};
use super::super::knowledge::Knowledge;
use super::super::position::Hands;
use super::super::table::PLAYERS;
use crate::sets::cards_of;

/// Numbers drawn from one word of the dice: bounds up to 53, so that their product stays below 2^24.
const DRAWS_EACH: usize = 4;
/// And with bounds up to 4.
const SMALL_DRAWS_EACH: u32 = 10;

/// Cards in an order that matters to some, as bits' places.
#[derive(Clone, Copy)]
pub struct Pile {
    cards: [u8; CARDS_COUNT],
    count: usize,
}

impl Pile {
    pub fn new(cards: Cards) -> Pile {
        let mut pile = Pile { cards: [0; CARDS_COUNT], count: 0 };
        for card in cards_of(cards) {
            pile.push(card.trailing_zeros() as u8);
        }
        pile
    }

    /// The strongest card first, by the order in force.
    pub fn by_strength(mut cards: Cards, revolution: bool) -> Pile {
        let mut pile = Pile::new(0);
        while cards != 0 {
            let card = strongest(cards, revolution);
            cards ^= card;
            pile.push(card.trailing_zeros() as u8);
        }
        pile
    }

    fn push(&mut self, card: u8) {
        self.cards[self.count] = card;
        self.count += 1;
    }

    #[inline]
    pub fn cards(&self) -> &[u8] {
        &self.cards[..self.count]
    }

    /// The pile and these cards.
    pub fn with(mut self, cards: Cards) -> Pile {
        for card in cards_of(cards) {
            self.push(card.trailing_zeros() as u8);
        }
        self
    }

    /// Deals all cards at random; each deal is as likely. `room` has places for just these.
    #[inline]
    pub fn deal(&mut self, room: &Room, hands: &mut Hands, dice: &mut Dice) {
        let mut left = self.count;
        let mut draws = Draws::new(dice);
        let mut drawn = 0;
        for (number, &seat) in room.seats().iter().enumerate() {
            let hand = &mut hands[usize::from(seat)];
            if number + 1 == room.seats().len() {
                *hand |= set(&self.cards[..left]);
                return;
            }
            for _ in 0..room.places[usize::from(seat)] {
                if drawn == DRAWS_EACH {
                    (draws, drawn) = (Draws::new(dice), 0);
                }
                drawn += 1;
                let at = draws.below(left as u32) as usize;
                left -= 1;
                self.cards.swap(at, left);
                *hand |= 1 << self.cards[left];
            }
        }
    }

    /// `count` cards at random.
    #[inline]
    pub fn pick(&mut self, count: usize, dice: &mut Dice) -> Cards {
        let mut found = 0;
        for left in (self.count - count..self.count).rev() {
            let at = dice.below(left as u32 + 1) as usize;
            self.cards.swap(at, left);
            found |= 1 << self.cards[left];
        }
        found
    }
}

#[inline(always)]
pub fn set(cards: &[u8]) -> Cards {
    cards.iter().fold(0, |set, &card| set | 1 << card)
}

/// Seats that have places left.
#[derive(Clone, Copy, Default)]
pub struct Room {
    /// Places left by seat.
    pub places: [u8; PLAYERS],
    open: [u8; PLAYERS],
    open_count: usize,
}

impl Room {
    pub fn new(places: [u8; PLAYERS]) -> Room {
        let mut room = Room { places, ..Room::default() };
        for seat in 0..PLAYERS {
            if places[seat] > 0 {
                room.open[room.open_count] = seat as u8;
                room.open_count += 1;
            }
        }
        room
    }

    /// Places of all others.
    pub fn of(knowledge: &Knowledge<'_>) -> Room {
        let mut places = knowledge.counts;
        places[usize::from(knowledge.seat)] = 0;
        Room::new(places)
    }

    /// Seats with places, in their order.
    #[inline(always)]
    pub fn seats(&self) -> &[u8] {
        &self.open[..self.open_count]
    }

    /// Takes places of a seat away.
    #[inline]
    pub fn take(&mut self, seat: u8, count: u8) {
        self.places[usize::from(seat)] -= count;
        if self.places[usize::from(seat)] == 0
            && let Some(at) = self.seats().iter().position(|&open| open == seat)
        {
            self.open.copy_within(at + 1..self.open_count, at);
            self.open_count -= 1;
        }
    }

    /// Deals card after card, each to one of the seats with room, whoever it is as likely.
    #[inline]
    pub fn deal_in_turn(&mut self, cards: &[u8], hands: &mut Hands, dice: &mut Dice) {
        let mut draws = Draws::new(dice);
        let mut drawn = 0;
        for (number, &card) in cards.iter().enumerate() {
            if self.open_count == 1 {
                let seat = self.open[0];
                hands[usize::from(seat)] |= set(&cards[number..]);
                self.take(seat, (cards.len() - number) as u8);
                return;
            }
            if drawn == SMALL_DRAWS_EACH {
                (draws, drawn) = (Draws::new(dice), 0);
            }
            drawn += 1;
            let seat = self.open[draws.below(self.open_count as u32) as usize];
            hands[usize::from(seat)] |= 1 << card;
            self.take(seat, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// How often each of `count` results comes, each as often as it should: within a tenth. Each of a pile of its own, as what
    /// an earlier draw leaves of one evens out the later ones.
    fn check_even<K: Eq + std::hash::Hash>(count: usize, mut draw: impl FnMut(&mut Dice) -> K) {
        let mut dice = Dice::new(5);
        let mut found: HashMap<K, u32> = HashMap::new();
        let tries = 4_000 * count as u32;
        for _ in 0..tries {
            *found.entry(draw(&mut dice)).or_default() += 1;
        }
        assert_eq!(found.len(), count);
        assert!(found.values().all(|times| times.abs_diff(4_000) < 400), "{:?}", found.values());
    }

    #[test]
    fn every_deal_of_a_pile_is_as_likely() {
        let cards = 0b1011 << 20 | 1 << 40;
        check_even(4 * 3 / 2, |dice| Pile::new(cards).pick(2, dice));
        check_even(4, |dice| Pile::new(cards).pick(1, dice));
        check_even(1, |dice| Pile::new(cards).pick(4, dice));
        check_even(4 * 3, |dice| {
            let mut hands = [0; PLAYERS];
            Pile::new(cards).deal(&Room::new([0, 1, 1, 2, 0]), &mut hands, dice);
            hands
        });
    }
}
