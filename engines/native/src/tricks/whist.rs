//! Whist, where every card is a point card, for deals of any size: how many tricks the leader takes, in a time that
//! grows with the cards. It agrees with every deal of the tables; there is no proof for larger ones
//! (docs/games/tricks.md has the rule, and with what it was compared).
//!
//! A deal is a **walk**: from the highest card down, a step up for each card of one player, a step down for each of the
//! other. **Level** h lies between heights h and h + 1; as many steps go up through a level as go down.

use super::first_trick::{pairs, without};
use std::borrow::Cow;

/// How a deal goes when the leader takes away a step of the lowest level that can spare one (where the leader's cards
/// are the steps up), and the other player always wins the trick as cheaply as possible.
struct Race {
    /// Tricks of the player whose cards are the steps up.
    tricks: usize,
    /// Cards each at the end, where all of one player's are above the other's: above 0 when they are the steps up.
    rest: isize,
}

/// Tricks of Left, which has the cards marked in `owners`, the highest first.
pub fn tricks(owners: &[bool], left_leads: bool) -> usize {
    let Some(&top) = owners.first() else { return 0 };
    let led = leading(&Levels::of(owners, left_leads), left_leads, top, || owners.into());
    if left_leads { led } else { owners.len() / 2 - led }
}

/// Left's tricks for each card of Left's (rows) and of Right's (columns) in the first trick, that one counted, in
/// descending order of the cards.
pub fn first_trick(owners: &[bool]) -> Vec<usize> {
    let cards = owners.len() / 2;
    let parts = Parts::of(owners);
    pairs(owners, owners.len(), |a, b| {
        let left_leads = a < b;
        let levels = parts.without(owners[a.min(b)], a.min(b), a.max(b));
        let levels = if left_leads { levels } else { levels.mirrored() };
        let top = (0..owners.len()).find(|&place| place != a && place != b).is_some_and(|place| owners[place]);
        let led = leading(&levels, left_leads, top, || without(owners, a, b).into());
        if left_leads { led + 1 } else { cards - 1 - led }
    })
}

/// Tricks of the leader, who has the cards marked `leader` in `owners`; these are the steps up of `levels`. `top`:
/// who has the highest card.
fn leading<'a>(levels: &Levels, leader: bool, top: bool, owners: impl FnOnce() -> Cow<'a, [bool]>) -> usize {
    let cards: usize = levels.steps.iter().sum();
    let first = levels.clone().race(true);
    let second = levels.clone().race(false);
    if second.rest.abs() != first.rest.abs() - 1 {
        return first.tricks;
    }
    let (rest, winner_leads) = (first.rest.unsigned_abs(), first.rest > 0);
    let winner = leader == winner_leads;
    let loser_leads = if winner_leads { (cards - rest) / 2 } else { (cards - rest).div_ceil(2) };
    let winner_leads_count = cards - rest - loser_leads;
    // Seen with the winner's cards as the steps up, level h of the walk is level -1 - h.
    let (above, below) =
        if winner_leads { (levels.from(rest), levels.below(0)) } else { (levels.below(rest), levels.from(0)) };
    let spare = loser_leads as isize - above as isize;
    let one_less = if top != winner {
        spare > 1 || spare == 1 && top_pays(&owners(), rest as isize, !winner_leads)
    } else {
        rest == 1 && winner_leads_count == below && spare > 1 && !top_pays(&owners(), 0, winner_leads)
    };
    match (one_less, winner_leads) {
        (false, _) => first.tricks,
        (true, true) => first.tricks - 1,
        (true, false) => first.tricks + 1,
    }
}

/// Steps up through each level of a walk.
#[derive(Clone)]
struct Levels {
    steps: Vec<usize>,
    /// Place of the level above height 0.
    side: usize,
}

impl Levels {
    fn of(owners: &[bool], up: bool) -> Levels {
        let mut steps = vec![0; owners.len() + 1];
        let (mut height, mut lowest, mut highest) = (owners.len() / 2, owners.len() / 2, owners.len() / 2);
        for &owner in owners {
            if owner == up {
                steps[height] += 1;
                height += 1;
                highest = highest.max(height);
            } else {
                height -= 1;
                lowest = lowest.min(height);
            }
        }
        Levels { steps: steps[lowest..highest].into(), side: owners.len() / 2 - lowest }
    }

    /// Seen with the other player's cards as the steps up.
    fn mirrored(mut self) -> Levels {
        self.steps.reverse();
        Levels { side: self.steps.len() - self.side, steps: self.steps }
    }

    /// Steps through level `level` and those above it.
    fn from(&self, level: usize) -> usize {
        self.steps.iter().skip(self.side + level).sum()
    }

    /// Steps through the levels below height `-depth`.
    fn below(&self, depth: usize) -> usize {
        self.steps[..self.side.saturating_sub(depth)].iter().sum()
    }

    /// `first`: whether the player whose cards are the steps up leads first. A level on the other player's side can be
    /// used up, one on the player's own side keeps its last step: that is a card that only the other one can take away.
    fn race(mut self, first: bool) -> Race {
        let (mut lowest, mut highest) = (0, self.steps.len());
        let (mut left, mut tricks, mut up_leads) = (self.steps.iter().sum::<usize>(), 0, first);
        while left > 0 {
            while lowest < self.steps.len() && self.steps[lowest] <= usize::from(lowest >= self.side) {
                lowest += 1;
            }
            while highest > 0 && self.steps[highest - 1] <= usize::from(highest - 1 < self.side) {
                highest -= 1;
            }
            // Two levels are used up side by side, whoever leads.
            if lowest < self.steps.len() && highest > 0 && lowest != highest - 1 {
                let mine = self.steps[lowest] - usize::from(lowest >= self.side);
                let theirs = self.steps[highest - 1] - usize::from(highest - 1 < self.side);
                let rounds = mine.min(theirs);
                self.steps[lowest] -= rounds;
                self.steps[highest - 1] -= rounds;
                left -= 2 * rounds;
                tricks += rounds;
                continue;
            }
            if up_leads {
                if lowest == self.steps.len() {
                    return Race { tricks: tricks + left, rest: left as isize };
                }
                self.steps[lowest] -= 1;
            } else {
                if highest == 0 {
                    return Race { tricks, rest: -(left as isize) };
                }
                self.steps[highest - 1] -= 1;
                tricks += 1;
            }
            left -= 1;
            up_leads = !up_leads;
        }
        Race { tricks, rest: 0 }
    }
}

/// A walk of Left's cards, summed up to every place, so that the levels without any two cards are found at once.
struct Parts {
    /// Steps up through each level before each place.
    before: Vec<Vec<usize>>,
    /// Place of the level above height 0.
    side: usize,
}

impl Parts {
    fn of(owners: &[bool]) -> Parts {
        let (mut height, mut lowest, mut highest) = (0isize, 0isize, 0isize);
        for &owner in owners {
            height += if owner { 1 } else { -1 };
            (lowest, highest) = (lowest.min(height), highest.max(height));
        }
        // Without two cards a part of the walk is one higher or lower.
        let side = (1 - lowest) as usize;
        let mut steps = vec![0; side + highest as usize + 1];
        let mut before = vec![steps.clone()];
        let mut place = side;
        for &owner in owners {
            if owner {
                steps[place] += 1;
                place += 1;
            } else {
                place -= 1;
            }
            before.push(steps.clone());
        }
        Parts { before, side }
    }

    /// Levels without the cards at `high` and `low`; `left`: the first one is Left's, otherwise the second one is.
    fn without(&self, left: bool, high: usize, low: usize) -> Levels {
        let [head, begin, end, tail] = [high, high + 1, low, low + 1].map(|place| &self.before[place]);
        let whole = &self.before[self.before.len() - 1];
        let mut steps: Vec<usize> = (0..whole.len()).map(|level| head[level] + whole[level] - tail[level]).collect();
        // The steps between them are lower without Left's card, or higher without Right's.
        let count = steps.len() - 1;
        let (from, to) = if left { (1, 0) } else { (0, 1) };
        for level in 0..count {
            steps[level + to] += end[level + from] - begin[level + from];
        }
        Levels { steps, side: self.side }
    }
}

/// Whether the player with the highest card, whose cards are the steps down, gains a trick by keeping that card when the
/// second one is led. The player has to use up the levels from `level` on and has one lead to spare for that.
fn top_pays(owners: &[bool], level: isize, top_leads: bool) -> bool {
    let up = !owners[0];
    let (mut height, mut ups, mut used) = (0isize, 0isize, 0isize);
    // Steps through the level below `level` since the other player got to the highest card, down and up in turn.
    let mut turns = None;
    let (mut last_up, mut last_above) = (0, 0);
    let mut goes_on = false;
    for (place, &owner) in owners.iter().enumerate() {
        let goes_up = owner == up;
        let through = if goes_up { height } else { height - 1 };
        height += if goes_up { 1 } else { -1 };
        if goes_up {
            // The other player has to take away what is before this step, while the levels above are used up from the
            // left.
            if through >= level && turns.is_none() {
                if ups - used - level <= used + isize::from(!top_leads) {
                    turns = Some(0);
                } else {
                    used += 1;
                }
            }
            goes_on |= turns == Some(3);
            ups += 1;
            last_up = place;
        }
        if let Some(count) = &mut turns
            && *count < 3
            && through == level - 1
            && goes_up == (*count == 1)
        {
            *count += 1;
        }
        if height > level {
            last_above = place;
        }
    }
    !(goes_on && last_up > last_above)
}
