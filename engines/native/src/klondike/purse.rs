//! Whether one more question about a single state is worth its time.
//!
//! A question costs classes of the relaxed game. A state that it finds lost saves the search below it, some five to ten
//! classes of the real game in the long searches that were measured. So what questions cost is set against what they
//! find: while they find little, there are few.

/// What is counted: eighths of a class of the relaxed game.
const CLASS: i64 = 8;
/// A question by itself: most are answered by a look into the table.
const QUESTION: i64 = 1;
/// What a lost state saves.
const LOST: i64 = 50;
/// What every state of the search adds, so that questions are tried again from time to time.
const TURN: i64 = 1;
const AT_FIRST: i64 = 1_000;
/// Most that is saved up: 10,000 classes.
const MOST: i64 = 10_000 * CLASS;

pub struct Purse {
    left: i64,
}

impl Default for Purse {
    fn default() -> Purse {
        Purse { left: AT_FIRST }
    }
}

impl Purse {
    /// One more state is searched; returns whether there is enough for a question about it.
    #[inline(always)]
    pub fn turn(&mut self) -> bool {
        self.left = (self.left + TURN).min(MOST);
        self.left >= 0
    }

    /// A question took so many classes.
    #[inline(always)]
    pub fn pay(&mut self, classes: u64, is_lost: bool) {
        self.left += if is_lost { LOST } else { 0 } - QUESTION - CLASS * classes as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Questions asked in so many turns, when each takes so many classes and every n-th finds a lost state.
    fn questions(turns: u64, classes: u64, lost_each: u64) -> u64 {
        let mut purse = Purse::default();
        let mut asked = 0;
        for _ in 0..turns {
            if purse.turn() {
                asked += 1;
                purse.pay(classes, asked % lost_each == 0);
            }
        }
        asked
    }

    #[test]
    fn questions_that_find_lost_states_are_asked_at_every_turn() {
        assert_eq!(questions(100_000, 1, 3), 100_000);
        assert_eq!(questions(100_000, 0, u64::MAX), 100_000, "nothing but looks into the table");
    }

    #[test]
    fn questions_that_find_nothing_take_at_most_a_class_in_eight_turns() {
        for classes in [1, 10, 1_000] {
            let most = 100_000 / CLASS as u64 + AT_FIRST as u64 / CLASS as u64 + classes;
            assert!(questions(100_000, classes, u64::MAX) * classes <= most, "{classes}");
        }
    }
}
