//! Stock and waste as a circle of cards.
//!
//! Nothing but a play changes the order of the cards, read from the first of a pass on: `carry` starts the next pass
//! where the last one stopped, the other rule at the same card. So two numbers say everything: where the pass started
//! (`origin`, counted among the cards that are left) and how many of its cards lie in the waste (`dealt`). Dealing
//! and turning over are never both possible, so without a play there is only one way on.
use super::rules::{MAX_STOCK, Rules};
use std::collections::BTreeMap;
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
    /// Deals on the way.
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

/// The place that stands for all those from which the same can be done: with unlimited redeals, the least one of them.
/// With a limit every place stands for itself.
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
    carried(rules).stands_for[table_index(count, at)]
}

#[inline]
fn table_index(count: usize, at: Place) -> usize {
    (count * MAX_STOCK + usize::from(at.origin)) * (MAX_STOCK + 1) + usize::from(at.dealt)
}

/// The places of `carry` with unlimited redeals, three cards at a time.
///
/// **Places are alike** if the same cards can be played from them, however many deals and redeals it takes, and if
/// what is left after each are alike again. Which places are alike is computed for one card, then two, and so on, by
/// comparing their plays. (With the last cards dealt there is one kind of place when the cards left are no multiple
/// of three, for then every card comes up, and there are three kinds when they are: by the third of the cards that
/// comes up.) The idea is ours.
pub struct Carried {
    /// The least of the places that are alike, for each.
    stands_for: Vec<Place>,
    /// Where the plays of each representative begin.
    begins: Vec<u32>,
    /// Ordinal of the card, and the representative after.
    plays: Vec<(u8, Place)>,
}

/// The table of the places of `carry` by `Rules::deal_last`.
#[inline]
#[must_use]
pub fn carried(rules: &Rules) -> &'static Carried {
    static TABLES: [OnceLock<Carried>; 2] = [const { OnceLock::new() }; 2];
    TABLES[usize::from(rules.deal_last)].get_or_init(|| Carried::new(rules))
}

impl Carried {
    fn new(rules: &Rules) -> Carried {
        let size = (MAX_STOCK + 1) * MAX_STOCK * (MAX_STOCK + 1);
        let mut table =
            Carried { stands_for: vec![Place::default(); size], begins: vec![0; size + 1], plays: Vec::new() };
        for count in 1..=MAX_STOCK {
            let mut kinds: BTreeMap<Vec<(u8, Place)>, Place> = BTreeMap::new();
            for origin in 0..count {
                for dealt in 0..=count {
                    let at = Place { origin: origin as u8, dealt: dealt as u8 };
                    let mut plays = Vec::new();
                    self::plays(rules, count, at, 0, |play| {
                        let after = if count == 1 {
                            Place::default()
                        } else {
                            table.stands_for[table_index(count - 1, play.after)]
                        };
                        plays.push((play.ordinal, after));
                    });
                    plays.sort_unstable();
                    plays.dedup();
                    table.stands_for[table_index(count, at)] = *kinds.entry(plays).or_insert(at);
                }
            }
            let mut plays: Vec<_> = kinds.into_iter().map(|(plays, at)| (table_index(count, at), plays)).collect();
            plays.sort_unstable();
            for (index, plays) in plays {
                table.begins[index] = table.plays.len() as u32;
                table.plays.extend(plays);
                table.begins[index + 1] = table.plays.len() as u32;
            }
        }
        table
    }

    /// What can be played from a representative; for other places nothing is stored.
    #[inline]
    #[must_use]
    pub fn plays(&self, count: usize, at: Place) -> &[(u8, Place)] {
        let index = table_index(count, at);
        &self.plays[self.begins[index] as usize..self.begins[index + 1] as usize]
    }
}

/// The top of the waste, in the order of the cards that are left, and the place after it is played.
#[inline]
#[must_use]
pub fn play_at(count: usize, at: Place) -> (u8, Place) {
    let origin = usize::from(at.origin);
    let ordinal = origin + usize::from(at.dealt) - 1;
    let ordinal = if ordinal < count { ordinal } else { ordinal - count };
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
                steps += u16::from(!is_redeal);
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

    /// The ordinals of all rows of plays of at most so many cards.
    fn rows(rules: &Rules, count: usize, at: Place, most: usize) -> BTreeSet<Vec<u8>> {
        let mut found = BTreeSet::from([Vec::new()]);
        if most > 0 {
            plays(rules, count, at, 0, |play| {
                for mut row in rows(rules, count - 1, play.after, most - 1) {
                    row.insert(0, play.ordinal);
                    found.insert(row);
                }
            });
        }
        found
    }

    /// What `Game::free_plays` says: without the last card, all that is left can be played as with it.
    #[test]
    fn nothing_is_lost_without_the_last_card() {
        for (draw, carry) in [(1, false), (1, true), (3, false)] {
            let rules = Rules { draw, redeals: None, carry, deal_last: true, foundation_back: true };
            for count in 2..=11 {
                let without = rows(&rules, count - 1, Place::default(), 3);
                let mut with_last = 0;
                for row in rows(&rules, count, Place::default(), 3) {
                    let is_last = |at: usize| usize::from(row[at]) == count - 1 - at;
                    let first = (0..row.len()).find(|&at| is_last(at));
                    with_last += usize::from(first.is_some());
                    let mut others = row.clone();
                    first.map(|at| others.remove(at));
                    assert!(without.contains(&others), "{draw} {carry} {count}: {row:?}");
                }
                assert!(with_last > 0);
            }
        }
    }

    #[test]
    fn the_same_can_be_played_from_a_place_and_its_representative() {
        for (deal_last, carry) in [(false, true), (true, true), (true, false)] {
            let rules = Rules { draw: 3, redeals: None, carry, deal_last, foundation_back: true };
            for (count, most) in
                [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 4), (8, 3), (9, 3), (10, 2), (24, 1)]
            {
                for number in 0..count * (count + 1) {
                    let origin = if carry { number % count } else { 0 };
                    let at = Place { origin: origin as u8, dealt: (number / count) as u8 };
                    let stands_for = representative(&rules, count, at);
                    assert_eq!(
                        rows(&rules, count, at, most),
                        rows(&rules, count, stands_for, most),
                        "{rules:?} {count} {at:?} {stands_for:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn carried_places_are_of_one_or_three_kinds() {
        let rules = Rules { draw: 3, redeals: None, carry: true, deal_last: true, foundation_back: true };
        for count in 3..=MAX_STOCK {
            let kinds: BTreeSet<Place> = (0..count * (count + 1))
                .map(|number| Place { origin: (number % count) as u8, dealt: (number / count) as u8 })
                .map(|at| representative(&rules, count, at))
                .collect();
            assert_eq!(kinds.len(), if count.is_multiple_of(3) { 3 } else { 1 }, "{count}");
            for at in kinds {
                let ordinals: BTreeSet<u8> = carried(&rules).plays(count, at).iter().map(|play| play.0).collect();
                assert_eq!(ordinals.len(), if count.is_multiple_of(3) { count / 3 } else { count }, "{count}");
            }
        }
    }
}
