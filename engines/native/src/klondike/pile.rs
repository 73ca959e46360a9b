//! Stock and waste as a circle of cards.
//!
//! Nothing but a play changes the order of the cards, read from the first of a pass on: `carry` starts the next pass
//! where the last one stopped, the other rule at the same card. So a place in the circle tells all: where the pass
//! started (`origin`, counted among the cards that are left) and how many of its cards lie in the waste (`dealt`).
//! Dealing and turning over are never both possible, so the way without a play is a single one.
use super::rules::{MAX_STOCK, Rules};
use std::sync::OnceLock;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Place {
    pub origin: u8,
    pub dealt: u8,
}

/// A card that can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Play {
    /// Which of the cards that are left, in order of the circle's numbers.
    pub ordinal: u8,
    /// The place after it, among the cards that are left then.
    pub after: Place,
    /// Redeals used on the way.
    pub redeals: u16,
    /// Deals and redeals on the way.
    pub steps: u16,
}

/// The place after the next deal or redeal, and whether it was a redeal.
#[inline]
#[must_use]
pub fn step(rules: &Rules, count: usize, at: Place) -> Option<(Place, bool)> {
    let dealt = usize::from(at.dealt);
    let left = count - dealt;
    if left >= rules.draw || left > 0 && (!rules.carry || rules.deal_last && dealt == 0) {
        return Some((Place { dealt: (dealt + left.min(rules.draw)) as u8, ..at }, false));
    }
    if dealt == 0 {
        return None;
    }
    let origin = if rules.carry { (usize::from(at.origin) + dealt) % count } else { 0 };
    Some((Place { origin: origin as u8, dealt: 0 }, true))
}

/// The place that stands for all those that can be reached from each other without a play: with unlimited redeals, the
/// least one of its cycle. A place that can't be reached again stands for itself, and with a limit every place does.
#[inline]
#[must_use]
pub fn representative(rules: &Rules, count: usize, at: Place) -> Place {
    if count == 0 {
        return Place::default();
    }
    if rules.redeals.is_some() {
        return at;
    }
    if rules.has_one_origin() {
        // A pass ends with every card in the waste, so a cycle is the deals of one pass.
        let dealt = usize::from(at.dealt);
        let is_on_cycle = dealt == count || dealt.is_multiple_of(rules.draw);
        return if is_on_cycle { Place::default() } else { at };
    }
    static TABLES: [OnceLock<Vec<Place>>; 2] = [const { OnceLock::new() }; 2];
    let table = TABLES[usize::from(rules.deal_last)].get_or_init(|| all_representatives(rules));
    table[table_index(count, at)]
}

#[inline]
fn table_index(count: usize, at: Place) -> usize {
    (count * MAX_STOCK + usize::from(at.origin)) * (MAX_STOCK + 1) + usize::from(at.dealt)
}

/// The representatives of all places under `carry`.
fn all_representatives(rules: &Rules) -> Vec<Place> {
    let mut table = vec![Place::default(); (MAX_STOCK + 1) * MAX_STOCK * (MAX_STOCK + 1)];
    for count in 1..=MAX_STOCK {
        for origin in 0..count {
            for dealt in 0..=count {
                let at = Place { origin: origin as u8, dealt: dealt as u8 };
                table[table_index(count, at)] = least_of_cycle(rules, count, at);
            }
        }
    }
    table
}

fn least_of_cycle(rules: &Rules, count: usize, at: Place) -> Place {
    let (mut least, mut now) = (at, at);
    for _ in 0..count * (count + 1) {
        match step(rules, count, now) {
            None => return at,
            Some((next, _)) if next == at => return least,
            Some((next, _)) => now = next,
        }
        least = least.min(now);
    }
    at
}

/// The top of the waste, in the order of the cards that are left, and the place after it is played.
#[inline]
#[must_use]
pub fn play_at(count: usize, at: Place) -> (u8, Place) {
    let origin = usize::from(at.origin);
    let ordinal = (origin + usize::from(at.dealt) - 1) % count;
    // Cards that are numbered beyond the played one move up by one.
    let origin = origin - usize::from(ordinal < origin);
    let origin = if origin >= count - 1 { 0 } else { origin };
    (ordinal as u8, Place { origin: origin as u8, dealt: at.dealt - 1 })
}

/// Every card that can be played before a place comes again, nearest first.
pub fn plays(rules: &Rules, count: usize, at: Place, redeals: u16, mut found: impl FnMut(Play)) {
    let mut seen = [0u64; 10];
    let mut now = at;
    let (mut used, mut steps) = (0, 0);
    if count == 0 {
        return;
    }
    loop {
        let index = usize::from(now.origin) * (count + 1) + usize::from(now.dealt);
        if seen[index / 64] >> (index % 64) & 1 == 1 {
            return;
        }
        seen[index / 64] |= 1 << (index % 64);
        if now.dealt > 0 {
            let (ordinal, after) = play_at(count, now);
            found(Play { ordinal, after, redeals: used, steps });
        }
        match step(rules, count, now) {
            None => return,
            Some((next, is_redeal)) => {
                if is_redeal && rules.redeals.is_some() {
                    if used == redeals {
                        return;
                    }
                    used += 1;
                }
                now = next;
                steps += 1;
            }
        }
    }
}

/// The same with unlimited redeals where every pass begins at the same card, in another order, with representatives
/// after.
#[inline(always)]
pub fn endless_plays(rules: &Rules, count: usize, at: Place, mut found: impl FnMut(u8, Place)) {
    if rules.draw == 1 {
        for ordinal in 0..count {
            found(ordinal as u8, Place::default());
        }
        return;
    }
    let mut play = |dealt: usize| {
        let is_on_cycle = dealt == count || dealt % 3 == 1;
        found(dealt as u8 - 1, Place { origin: 0, dealt: if is_on_cycle { 0 } else { dealt as u8 - 1 } });
    };
    let first = usize::from(at.dealt);
    if first % 3 != 0 {
        (first..count).step_by(3).for_each(&mut play);
    }
    (3..count).step_by(3).for_each(&mut play);
    if count > 0 {
        play(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn endless_plays_are_the_plays() {
        for draw in [1, 3] {
            let rules = Rules { draw, redeals: None, carry: false, deal_last: true, foundation_back: true };
            for count in 0..=MAX_STOCK {
                for dealt in 0..=count {
                    let at = representative(&rules, count, Place { origin: 0, dealt: dealt as u8 });
                    let mut expected = BTreeSet::new();
                    plays(&rules, count, at, 0, |play| {
                        expected.insert((play.ordinal, representative(&rules, count - 1, play.after)));
                    });
                    let mut found = BTreeSet::new();
                    endless_plays(&rules, count, at, |ordinal, after| assert!(found.insert((ordinal, after))));
                    assert_eq!(found, expected, "{draw} {count} {dealt}");
                }
            }
        }
    }

    #[test]
    fn representatives_are_reached_from_all_of_their_cycle() {
        for deal_last in [false, true] {
            let rules = Rules { draw: 3, redeals: None, carry: true, deal_last, foundation_back: true };
            for count in 1..=MAX_STOCK {
                for number in 0..count * (count + 1) {
                    let at = Place { origin: (number % count) as u8, dealt: (number / count) as u8 };
                    let stands = representative(&rules, count, at);
                    // It is reached, and if it is another place, the way leads back.
                    let way = |from: Place| {
                        let mut way = vec![from];
                        while let Some((next, _)) = step(&rules, count, way[way.len() - 1]) {
                            if way.contains(&next) {
                                break;
                            }
                            way.push(next);
                        }
                        way
                    };
                    assert!(way(at).contains(&stands) && way(stands).contains(&at), "{count} {at:?} {stands:?}");
                }
            }
        }
    }
}
