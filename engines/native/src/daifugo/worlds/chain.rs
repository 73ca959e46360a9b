//! A Markov chain of worlds: two of the others swap a card if that makes the turns seen likelier, or by chance.
//!
//! Metropolis sampling. In the long run worlds come as often as they are likely, given the turns, the exchange and a
//! policy; neighbours in the chain are alike, so that it takes some swaps from one world to the next.
use super::super::cards::{Cards, any};
use super::super::dice::Dice;
use super::super::knowledge::Knowledge;
use super::super::playout::Policy;
use super::super::position::Hands;
use super::super::table::PLAYERS;
use super::exchange::Exchange;
use super::likelihood::Likelihood;

/// Worlds of which the likeliest begins the chain, and swaps that are tried before the first world is given.
const FIRST_WORLDS: u32 = 16;
const FIRST_SWAPS: u32 = 100;

pub struct Chain {
    worlds: Exchange,
    likelihood: Likelihood,
    /// Swaps that are tried from one world to the next.
    swaps_count: u32,
    /// The seats that have cards to swap.
    seats: Vec<u8>,
    now: Option<(Hands, [f64; PLAYERS])>,
}

impl Chain {
    pub fn new(knowledge: &Knowledge<'_>, policy: &Policy, swaps_count: u32) -> Chain {
        let worlds = Exchange::new(knowledge);
        let free =
            |&seat: &u8| u32::from(knowledge.counts[usize::from(seat)]) > worlds.sure(usize::from(seat)).count_ones();
        let seats = knowledge.others().filter(free).collect();
        Chain { worlds, likelihood: Likelihood::new(knowledge, policy), swaps_count, seats, now: None }
    }

    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        if self.likelihood.is_blind() || self.seats.len() < 2 {
            return self.worlds.deal(dice);
        }
        let (mut hands, mut shares, swaps_count) = match self.now {
            Some((hands, shares)) => (hands, shares, self.swaps_count),
            None => {
                let (hands, shares) = self.first(dice);
                (hands, shares, FIRST_SWAPS)
            }
        };
        for _ in 0..swaps_count {
            self.swap(&mut hands, &mut shares, dice);
        }
        self.now = Some((hands, shares));
        hands
    }

    fn first(&mut self, dice: &mut Dice) -> (Hands, [f64; PLAYERS]) {
        let mut best = ([0; PLAYERS], [-1.0; PLAYERS]);
        let mut greatest = -1.0;
        for _ in 0..FIRST_WORLDS {
            let hands = self.worlds.deal(dice);
            let shares = std::array::from_fn(|seat| self.likelihood.of(seat, hands[seat], 0.0));
            let likelihood = shares.iter().product();
            if likelihood > greatest {
                (best, greatest) = ((hands, shares), likelihood);
            }
        }
        best
    }

    /// Two seats and a card of each, all as likely; so that each swap is as likely as the one that takes it back.
    fn swap(&mut self, hands: &mut Hands, shares: &mut [f64; PLAYERS], dice: &mut Dice) {
        let count = self.seats.len() as u32;
        let first = dice.below(count);
        let second = (first + 1 + dice.below(count - 1)) % count;
        let [one, other] = [first, second].map(|number| usize::from(self.seats[number as usize]));
        let mut card = |seat: usize| -> Cards { any(hands[seat] & !self.worlds.sure(seat), 1, dice) };
        let (given, taken) = (card(one), card(other));
        if !self.worlds.may_have(one, taken) || !self.worlds.may_have(other, given) {
            return;
        }
        let after = [hands[one] ^ given ^ taken, hands[other] ^ given ^ taken];
        let least = dice.unit() * shares[one] * shares[other];
        let of_one = self.likelihood.of(one, after[0], least);
        if of_one < least {
            return;
        }
        let of_other = self.likelihood.of(other, after[1], least / of_one);
        if of_one * of_other < least {
            return;
        }
        [hands[one], hands[other]] = after;
        [shares[one], shares[other]] = [of_one, of_other];
    }
}
