//! Rejection sampling: worlds that honour the exchange are kept as often as a policy would have made the turns seen.
use super::super::cards::{ALL, Cards};
use super::super::dice::Dice;
use super::super::field::Field;
use super::super::knowledge::Knowledge;
use super::super::legal::Families;
use super::super::play::Play;
use super::super::players::rule;
use super::super::playout::Policy;
use super::super::position::Hands;
use super::super::table::{PLAYERS, Table};
use super::exchange::Exchange;

/// Worlds that set the scale before the first one is kept.
const FIRST_WORLDS: u32 = 16;
/// How often players who could play are taken to pass, and rule-based ones to do something else.
const PASS_SHARE: f64 = 0.3;
const ODD_SHARE: f64 = 0.3;

/// A turn of somebody who still has cards.
struct Seen {
    seat: u8,
    play: Play,
    field: Field,
    /// What it played then and since.
    played_since: Cards,
    gone: Cards,
    least: u32,
}

pub struct Reject {
    worlds: Exchange,
    seen: Vec<Seen>,
    policy: Policy,
    tries_max: u32,
    families: Box<Families>,
    /// The likelihood of the likeliest world up to now; 0 before there was one.
    greatest: f64,
}

impl Reject {
    /// The likeliest world of `tries_max` is taken when none of them was kept. Without a whole record of the turns all
    /// worlds are kept.
    pub fn new(knowledge: &Knowledge<'_>, policy: Policy, tries_max: u32) -> Reject {
        Reject {
            worlds: Exchange::new(knowledge),
            seen: seen(knowledge),
            policy,
            tries_max,
            families: Box::default(),
            greatest: 0.0,
        }
    }

    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        if self.seen.is_empty() {
            return self.worlds.deal(dice);
        }
        if self.greatest == 0.0 {
            for _ in 0..FIRST_WORLDS {
                let hands = self.worlds.deal(dice);
                self.greatest = self.greatest.max(self.likelihood(&hands));
            }
        }
        let mut best = ([0; PLAYERS], -1.0);
        for _ in 0..self.tries_max {
            let hands = self.worlds.deal(dice);
            let likelihood = self.likelihood(&hands);
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

    /// How likely the turns were if the others had these hands now.
    fn likelihood(&mut self, hands: &Hands) -> f64 {
        let mut product = 1.0;
        for seen in &self.seen {
            let hand = hands[usize::from(seen.seat)] | seen.played_since;
            self.families.list(hand, &seen.field);
            let count = f64::from(self.families.plays_count());
            let uniform = match (seen.field.is_empty(), seen.play.is_pass()) {
                (false, true) if count == 0.0 => 1.0,
                (false, true) => PASS_SHARE,
                (false, false) => (1.0 - PASS_SHARE) / count,
                (true, _) => 1.0 / count,
            };
            product *= match self.policy {
                Policy::Uniform => uniform,
                Policy::Rule => {
                    let unseen = ALL & !(seen.gone | hand);
                    let view = rule::View { hand, field: &seen.field, unseen, least: seen.least };
                    let same = rule::choose(&view, &mut self.families) == seen.play;
                    ODD_SHARE * uniform + if same { 1.0 - ODD_SHARE } else { 0.0 }
                }
            };
        }
        product
    }
}

/// The turns of all others who still have cards, with what lay open at each; none if the record is not whole.
fn seen(knowledge: &Knowledge<'_>) -> Vec<Seen> {
    let Some(leader) = knowledge.leader else { return Vec::new() };
    let mut counts = knowledge.counts;
    for turn in knowledge.turns {
        counts[usize::from(turn.seat)] += turn.play.size;
    }
    let mut since: Hands = std::array::from_fn(|seat| knowledge.played_by(seat as u8));
    let mut table = Table::start(leader);
    let (mut found, mut gone) = (Vec::new(), 0);
    for turn in knowledge.turns {
        let seat = usize::from(turn.seat);
        if turn.seat != knowledge.seat && knowledge.counts[seat] > 0 {
            let others = (0..PLAYERS).filter(|&other| other != seat && counts[other] > 0);
            found.push(Seen {
                seat: turn.seat,
                play: turn.play,
                field: table.field,
                played_since: since[seat],
                gone,
                least: others.map(|other| u32::from(counts[other])).min().unwrap_or(0),
            });
        }
        since[seat] &= !turn.play.cards;
        gone |= turn.play.cards;
        counts[seat] -= turn.play.size;
        table.play(&turn.play, counts[seat] == 0);
    }
    found
}
