//! All deals of n cards each with the same point cards, checked against the statements.
use super::pattern::{Ranks, next_pattern, pattern_at, patterns_count};
use super::statements::*;

/// Deals between two looks at whether to go on.
const CHECK_DEALS: u64 = 1 << 12;

/// The values of all deals, Left in the lead, in the order of the patterns.
pub struct Deals<'a> {
    pub cards: usize,
    /// Cards above the point cards.
    pub above: usize,
    /// Point cards.
    pub count: usize,
    pub fewest: bool,
    pub values: &'a [u8],
    /// The same with one point card more.
    pub more: Option<&'a [u8]>,
}

/// Tallies of all statements over all deals, and over those that keep the conditions of section 5; then the least and
/// the most of `ADJACENT` for each pair of cards, the lowest first (0 and 0 where no deal has it).
pub struct Census {
    pub all: Vec<Tally>,
    pub conditions: Vec<Tally>,
    pub pairs: Vec<(i32, i32)>,
}

impl Deals<'_> {
    fn points(&self) -> u32 {
        let shift = 2 * self.cards - self.above - self.count;
        ((((1u64 << self.count) - 1) << shift) & u64::from(u32::MAX)) as u32
    }

    /// The conditions of section 5: Right has the lowest point card, and all of Left's other cards are below Right's.
    fn keeps_conditions(&self, pattern: u32) -> bool {
        let (points, whole) = (self.points(), ((1u64 << (2 * self.cards)) - 1) as u32);
        let (mine, theirs) = (pattern & !points, !pattern & whole & !points);
        let lowest = points & points.wrapping_neg();
        let in_order = mine == 0 || theirs == 0 || mine.ilog2() < theirs.trailing_zeros();
        points != 0 && pattern & lowest == 0 && in_order
    }

    /// None when `go_on` said no.
    pub fn census(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Census> {
        let tallies: Vec<Tally> = STATEMENTS.iter().map(|&statement| Tally::new(statement)).collect();
        let mut census = Census { all: tallies.clone(), conditions: tallies, pairs: Vec::new() };
        let mut pairs = vec![(i32::MAX, i32::MIN); 2 * self.cards - 1];
        let scan = Scan { deals: self, ranks: Ranks::new(self.cards), points: self.points() };
        let mut pattern = pattern_at(self.cards, 0);
        for deal in 0..patterns_count(self.cards) {
            if deal % CHECK_DEALS == 0 && !go_on() {
                return None;
            }
            let kept = self.keeps_conditions(pattern);
            scan.deal(pattern, deal, &mut |number, case| {
                census.all[number].add(deal, case);
                if kept {
                    census.conditions[number].add(deal, case);
                }
                if number == ADJACENT {
                    let (least, most) = &mut pairs[case.gives as usize];
                    (*least, *most) = (case.value.min(*least), case.value.max(*most));
                }
            });
            pattern = next_pattern(pattern);
        }
        census.pairs =
            pairs.into_iter().map(|(least, most)| if least > most { (0, 0) } else { (least, most) }).collect();
        Some(census)
    }
}

struct Scan<'a> {
    deals: &'a Deals<'a>,
    ranks: Ranks,
    points: u32,
}

impl Scan<'_> {
    /// Left's gain in one of the tables.
    #[inline(always)]
    fn gain(&self, values: &[u8], rank: usize, left_leads: bool, count: usize) -> i32 {
        let value = if left_leads {
            i32::from(values[rank])
        } else {
            count as i32 - i32::from(values[values.len() - 1 - rank])
        };
        if self.deals.fewest { -value } else { value }
    }

    /// All cases of a deal.
    fn deal(&self, pattern: u32, deal: u64, found: &mut impl FnMut(usize, Counterexample)) {
        let (deals, rank) = (self.deals, deal as usize);
        let whist = deals.count == 2 * deals.cards;
        let now = [false, true].map(|left_leads| self.gain(deals.values, rank, left_leads, deals.count));
        let case = |left_leads, value| Counterexample { pattern, left_leads, gives: 0, gets: 0, value };
        // Theorems 1 and 5 compare the two leaders.
        found(THEOREM_5, case(true, now[0] - now[1]));
        if whist {
            found(THEOREM_1, case(true, now[0] - now[1]));
        }
        if let Some(more) = deals.more {
            for left_leads in [false, true] {
                let then = self.gain(more, rank, left_leads, deals.count + 1);
                // Where point cards are to be avoided, one more is no gain.
                let change = then - now[usize::from(left_leads)];
                found(PROPERTY_1, case(left_leads, if deals.fewest { -change } else { change }));
            }
        }
        for low in 0..2 * deals.cards as u32 {
            for high in low + 1..2 * deals.cards as u32 {
                if (pattern >> low ^ pattern >> high) & 1 == 1 {
                    self.swap(pattern, low, high, now, whist, found);
                }
            }
        }
    }

    #[inline(always)]
    fn swap(
        &self,
        pattern: u32,
        low: u32,
        high: u32,
        now: [i32; 2],
        whist: bool,
        found: &mut impl FnMut(usize, Counterexample),
    ) {
        let deals = self.deals;
        let (low_is_point, high_is_point) = (self.points >> low & 1 == 1, self.points >> high & 1 == 1);
        let gets_higher = pattern >> low & 1 == 1;
        if !gets_higher && (low_is_point || high_is_point) {
            return; // No statement is about a lower card for a higher one, but for theorem 7.
        }
        let (gives, gets) = if gets_higher { (low, high) } else { (high, low) };
        let adjacent = high == low + 1;
        let rank = self.ranks.rank(pattern ^ (1 << low) ^ (1 << high));
        for left_leads in [false, true] {
            let then = self.gain(deals.values, rank, left_leads, deals.count);
            let value = then - now[usize::from(left_leads)];
            let mut add = |number| found(number, Counterexample { pattern, left_leads, gives, gets, value });
            if gets_higher && adjacent {
                add(ADJACENT);
                if whist {
                    add(THEOREM_2);
                }
            }
            match (gets_higher, low_is_point, high_is_point, adjacent) {
                (true, true, true, true) => add(THEOREM_6),
                (true, false, true, true) => add(THEOREM_8),
                (true, true, false, true) => add(UPPER_BORDER),
                (false, false, false, true) => {
                    add(THEOREM_7);
                    add(THEOREM_7_PROVEN);
                }
                (true, true, true, false) => {
                    add(FAR_POINTS);
                    add(FAR_POINTS_ORDER);
                }
                (false, false, false, false) => {
                    add(FAR_OTHERS);
                    add(FAR_OTHERS_ORDER);
                }
                (true, false, true, false) | (true, true, false, false) => add(FAR_BORDER),
                _ => {}
            }
        }
    }
}
