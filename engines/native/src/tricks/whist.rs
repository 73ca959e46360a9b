//! Whist, where every card is a point card, for deals of any size: how many tricks the leader takes, in a time that
//! grows with the cards. It agrees with every deal of the tables; there is no proof for larger ones
//! (docs/games/tricks.md has the rule and what it was held against).
//!
//! A deal is a **walk**: from the highest card down, a step up for each card of one player, a step down for each of the
//! other. **Level** h lies between heights h and h + 1; as many steps go up through a level as go down.

/// How a deal goes when who leads takes away a step of the lowest level that can spare one (seen with its own cards as
/// the steps up), and the other player always wins the trick as cheaply as can be.
struct Race {
    /// Tricks of the player whose cards are the steps up.
    tricks: usize,
    /// Cards each at the end, where all of one player's are above the other's: above 0 when they are the steps up.
    rest: isize,
}

/// Tricks of Left, which has the cards marked in `owners`, the highest first.
pub fn tricks(owners: &[bool], left_leads: bool) -> usize {
    let led = leading(owners, left_leads);
    if left_leads { led } else { owners.len() / 2 - led }
}

/// Left's tricks for each card of Left's (rows) and of Right's (columns) in the first trick, that one counted, in
/// descending order of the cards. Cards of one player that follow one another are worth the same.
pub fn first_trick(owners: &[bool]) -> Vec<usize> {
    let cards = owners.len() / 2;
    let (left, right): (Vec<usize>, Vec<usize>) = (0..owners.len()).partition(|&place| owners[place]);
    let follows = |hand: &[usize], number: usize| number > 0 && hand[number] == hand[number - 1] + 1;
    let mut found = vec![0; cards * cards];
    let mut rest = Vec::with_capacity(owners.len());
    for (row, &a) in left.iter().enumerate() {
        for (column, &b) in right.iter().enumerate() {
            found[row * cards + column] = if follows(&left, row) {
                found[(row - 1) * cards + column]
            } else if follows(&right, column) {
                found[row * cards + column - 1]
            } else {
                let (high, low) = (a.min(b), a.max(b));
                rest.clear();
                for part in [&owners[..high], &owners[high + 1..low], &owners[low + 1..]] {
                    rest.extend_from_slice(part);
                }
                usize::from(a < b) + tricks(&rest, a < b)
            };
        }
    }
    found
}

/// Tricks of the leader, who has the cards marked `leader` in `owners`.
fn leading(owners: &[bool], leader: bool) -> usize {
    let cards = owners.len() / 2;
    let levels = Levels::of(owners, leader);
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
    let (above, below) = if winner_leads {
        (levels.from(rest), levels.steps[..levels.side].iter().sum())
    } else {
        (levels.below(rest), levels.from(0))
    };
    let spare = loser_leads as isize - above as isize;
    let one_less = if owners[0] != winner {
        spare > 1 || spare == 1 && top_pays(owners, rest as isize, !winner_leads)
    } else {
        rest == 1 && winner_leads_count == below && spare > 1 && !top_pays(owners, 0, winner_leads)
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
    /// From the lowest level that the walk comes to.
    steps: Vec<usize>,
    /// Levels below height 0.
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
        Levels { steps: steps[lowest..highest].to_vec(), side: owners.len() / 2 - lowest }
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

/// Whether the player with the highest card, whose cards are the steps down, gains a trick by keeping that card when the
/// second one is led. The player has to use up the levels from `level` on and has one lead to spare for that.
fn top_pays(owners: &[bool], level: isize, top_leads: bool) -> bool {
    let up = !owners[0];
    let (mut height, mut ups, mut used) = (0isize, 0isize, 0isize);
    // Steps seen through the level below `level` since the other player got to the highest card, in turns down and up.
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
