//! The statements that are checked against a table, and what is counted for each.
//!
//! Values are gains: Left's points, or with point cards to be avoided the points that Left is spared.

/// A statement about every case (a deal with a leader, or with a leader and a swap) says that a gain lies in a range.
#[derive(Clone, Copy)]
pub struct Statement {
    pub name: &'static str,
    pub least: i32,
    pub most: i32,
}

const fn statement(name: &'static str, least: i32, most: i32) -> Statement {
    Statement { name, least, most }
}

pub const THEOREM_1: usize = 0;
pub const THEOREM_2: usize = 1;
pub const PROPERTY_1: usize = 2;
pub const THEOREM_5: usize = 3;
pub const THEOREM_6: usize = 4;
pub const THEOREM_7: usize = 5;
pub const THEOREM_7_PROVEN: usize = 6;
pub const THEOREM_8: usize = 7;
pub const UPPER_BORDER: usize = 8;
pub const ADJACENT: usize = 9;
pub const FAR_POINTS: usize = 10;
pub const FAR_POINTS_ORDER: usize = 11;
pub const FAR_OTHERS: usize = 12;
pub const FAR_OTHERS_ORDER: usize = 13;
pub const FAR_BORDER: usize = 14;

/// Above every difference of gains.
const ANY: i32 = 64;

pub const STATEMENTS: [Statement; 15] = [
    // The leader's disadvantage with all cards point cards: a trick, which has two of them.
    statement("theorem_1", 0, 2),
    // A higher card for one below it, all being point cards: a trick.
    statement("theorem_2", 0, 2),
    // One point card more.
    statement("property_1", 0, 1),
    // The leader's disadvantage.
    statement("theorem_5", 0, 2),
    // Left's point card for the next higher one, of Right.
    statement("theorem_6", 0, 2),
    // Left's other card for the next lower one, of Right: as it is stated, and as its induction step has it.
    statement("theorem_7", 0, 2),
    statement("theorem_7_proven", 0, 1),
    // Left's highest card below the point cards for Right's lowest point card.
    statement("theorem_8", -1, 1),
    // Left's highest point card for Right's lowest card above the point cards.
    statement("upper_border", -1, 1),
    // Any card of Left's for the next higher one, of Right.
    statement("adjacent", -2, 2),
    // Theorems 6 to 8 for cards that do not follow one another; then what is left of them without an upper bound.
    statement("far_points", 0, 2),
    statement("far_points_order", 0, ANY),
    statement("far_others", 0, 1),
    statement("far_others_order", 0, ANY),
    statement("far_border", -1, 1),
];

/// A case that does not obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub pattern: u32,
    pub left_leads: bool,
    /// Ranks from 0 of the cards that Left gives and gets; the same when no cards are swapped.
    pub gives: u32,
    pub gets: u32,
    pub value: i32,
}

/// What is counted for a statement.
#[derive(Clone)]
pub struct Tally {
    statement: Statement,
    pub deals_count: u64,
    pub deals_obeying_count: u64,
    pub cases_count: u64,
    pub cases_obeying_count: u64,
    /// How often each value came, from -ANY on.
    counts: [u64; 2 * ANY as usize + 1],
    pub first: Option<Counterexample>,
    last_deal: u64,
    last_obeys: bool,
}

impl Tally {
    pub fn new(statement: Statement) -> Tally {
        Tally {
            statement,
            deals_count: 0,
            deals_obeying_count: 0,
            cases_count: 0,
            cases_obeying_count: 0,
            counts: [0; 2 * ANY as usize + 1],
            first: None,
            last_deal: u64::MAX,
            last_obeys: true,
        }
    }

    /// Count a case of the deal numbered `deal`; the cases of a deal come one after another.
    #[inline(always)]
    pub fn add(&mut self, deal: u64, case: Counterexample) {
        if self.last_deal != deal {
            self.last_deal = deal;
            self.last_obeys = true;
            self.deals_count += 1;
            self.deals_obeying_count += 1;
        }
        self.cases_count += 1;
        self.counts[(case.value + ANY) as usize] += 1;
        if (self.statement.least..=self.statement.most).contains(&case.value) {
            self.cases_obeying_count += 1;
            return;
        }
        if self.last_obeys {
            self.last_obeys = false;
            self.deals_obeying_count -= 1;
        }
        self.first.get_or_insert(case);
    }

    /// The least value and how often it and those above it came; nothing without cases.
    pub fn extent(&self) -> (i32, Vec<u64>) {
        let Some(least) = self.counts.iter().position(|&count| count > 0) else {
            return (0, Vec::new());
        };
        let most = self.counts.iter().rposition(|&count| count > 0).unwrap_or(least);
        (least as i32 - ANY, self.counts[least..=most].to_vec())
    }
}
