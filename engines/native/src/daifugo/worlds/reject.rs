//! Rejection sampling: worlds that honour the exchange are kept as often as a policy would have made the turns seen.
use super::super::dice::Dice;
use super::super::knowledge::Knowledge;
use super::super::playout::Policy;
use super::super::position::Hands;
use super::super::table::PLAYERS;
use super::exchange::Exchange;
use super::likelihood::Likelihood;

/// Worlds that set the scale before the first one is kept.
const FIRST_WORLDS: u32 = 16;

pub struct Reject {
    worlds: Exchange,
    likelihood: Likelihood,
    tries_max: u32,
    /// The likelihood of the likeliest world up to now; 0 before there was one.
    greatest: f64,
}

impl Reject {
    /// The likeliest world of `tries_max` is taken when none of them was kept. Without a whole record of the turns all
    /// worlds are kept.
    pub fn new(knowledge: &Knowledge<'_>, policy: &Policy, tries_max: u32) -> Reject {
        let likelihood = Likelihood::new(knowledge, policy);
        Reject { worlds: Exchange::new(knowledge), likelihood, tries_max, greatest: 0.0 }
    }

    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        if self.likelihood.is_blind() {
            return self.worlds.deal(dice);
        }
        if self.greatest == 0.0 {
            for _ in 0..FIRST_WORLDS {
                let hands = self.worlds.deal(dice);
                self.greatest = self.greatest.max(self.likelihood.of_all(&hands));
            }
        }
        let mut best = ([0; PLAYERS], -1.0);
        for _ in 0..self.tries_max {
            let hands = self.worlds.deal(dice);
            let likelihood = self.likelihood.of_all(&hands);
            if dice.unit() * self.greatest < likelihood {
                self.greatest = self.greatest.max(likelihood);
                return hands;
            }
            if likelihood > best.1 {
                best = (hands, likelihood);
            }
        }
        best.0
    }
}
