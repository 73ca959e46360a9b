//! How likely the turns of the others were, by a policy, if they had certain hands.
use super::super::cards::{ALL, Cards};
use super::super::field::Field;
use super::super::inputs::Company;
use super::super::knowledge::Knowledge;
use super::super::legal::Families;
use super::super::play::Play;
use super::super::players::rule;
use super::super::playout::Policy;
use super::super::position::Hands;
use super::super::table::{PLAYERS, Table};

/// How often players who could play are taken to pass, and rule-based ones to do something else.
const PASS_SHARE: f64 = 0.3;
const ODD_SHARE: f64 = 0.3;
/// The same of players that a learnt policy is for.
const STRANGE_SHARE: f64 = 0.1;

/// A turn of somebody who still has cards.
struct Seen {
    play: Play,
    field: Field,
    /// What it played then and since.
    played_since: Cards,
    gone: Cards,
    least: u32,
    rivals: u32,
    is_own: bool,
    company: Company,
}

pub struct Likelihood {
    /// By seat.
    seen: [Vec<Seen>; PLAYERS],
    policy: Policy,
    families: Box<Families>,
}

impl Likelihood {
    pub fn new(knowledge: &Knowledge<'_>, policy: &Policy) -> Likelihood {
        Likelihood { seen: seen(knowledge), policy: policy.clone(), families: Box::default() }
    }

    /// Whether no turn of anybody tells anything; so it is without a whole record of the turns.
    pub fn is_blind(&self) -> bool {
        self.seen.iter().all(Vec::is_empty)
    }

    /// Of the turns of all if they had these hands now.
    pub fn of_all(&mut self, hands: &Hands) -> f64 {
        (0..PLAYERS).map(|seat| self.of(seat, hands[seat], 0.0)).product()
    }

    /// Of the turns of a seat if it had this hand now; if it is below `least`, anything that is, too.
    pub fn of(&mut self, seat: usize, hand: Cards, least: f64) -> f64 {
        let mut product = 1.0;
        for seen in &self.seen[seat] {
            product *= turn(seen, hand | seen.played_since, &self.policy, &mut self.families);
            if product < least {
                break;
            }
        }
        product
    }
}

fn turn(seen: &Seen, hand: Cards, policy: &Policy, families: &mut Families) -> f64 {
    families.list(hand, &seen.field);
    let count = f64::from(families.plays_count());
    let uniform = match (seen.field.is_empty(), seen.play.is_pass()) {
        (false, true) if count == 0.0 => return 1.0,
        (false, true) => PASS_SHARE,
        (false, false) => (1.0 - PASS_SHARE) / count,
        (true, _) => 1.0 / count,
    };
    let unseen = ALL & !(seen.gone | hand);
    let Seen { least, rivals, is_own, .. } = *seen;
    let view = rule::View { hand, field: &seen.field, unseen, least, rivals, is_own };
    match policy {
        Policy::Uniform => uniform,
        Policy::Learnt(learnt) => {
            // Without a weight for passing, it is known only what one plays that does not pass.
            let learnt = match (seen.play.is_pass(), learnt.may_pass(&seen.field)) {
                (_, true) => learnt.chance(&view, &seen.company, families, &seen.play),
                (true, false) => uniform,
                (false, false) if seen.field.is_empty() => learnt.chance(&view, &seen.company, families, &seen.play),
                (false, false) => (1.0 - PASS_SHARE) * learnt.chance(&view, &seen.company, families, &seen.play),
            };
            STRANGE_SHARE * uniform + (1.0 - STRANGE_SHARE) * learnt
        }
        Policy::Rule => {
            let same = rule::choose(&view, families) == seen.play;
            ODD_SHARE * uniform + if same { 1.0 - ODD_SHARE } else { 0.0 }
        }
    }
}

/// The turns of all others who still have cards, with what lay open at each; none if the record is not whole.
fn seen(knowledge: &Knowledge<'_>) -> [Vec<Seen>; PLAYERS] {
    let mut found: [Vec<Seen>; PLAYERS] = Default::default();
    let Some(leader) = knowledge.leader else { return found };
    let mut counts = knowledge.counts;
    for turn in knowledge.turns {
        counts[usize::from(turn.seat)] += turn.play.size;
    }
    let mut since: Hands = std::array::from_fn(|seat| knowledge.played_by(seat as u8));
    let mut table = Table::start(leader);
    let mut gone = 0;
    for turn in knowledge.turns {
        let seat = usize::from(turn.seat);
        if turn.seat != knowledge.seat && knowledge.counts[seat] > 0 {
            let others = (0..PLAYERS).filter(|&other| other != seat && counts[other] > 0);
            found[seat].push(Seen {
                play: turn.play,
                field: table.field,
                played_since: since[seat],
                gone,
                least: others.map(|other| u32::from(counts[other])).min().unwrap_or(0).min(4),
                rivals: table.rivals_count(),
                is_own: table.is_own(),
                company: Company::of(&table, |seat| counts[seat]),
            });
        }
        since[seat] &= !turn.play.cards;
        gone |= turn.play.cards;
        counts[seat] -= turn.play.size;
        table.play(&turn.play, counts[seat] == 0);
    }
    found
}

#[cfg(test)]
mod tests;
