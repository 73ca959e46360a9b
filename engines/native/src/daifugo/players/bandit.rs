//! Which play the next playout is spent on.
//!
//! Every bandit tries each arm once, in order, before it chooses. Scores are 1 to 5.
use super::super::dice::Dice;
use super::arm::Arm;

/// Least and greatest score; their difference is the paper's c.
const SCORE_MIN: f64 = 1.0;
const SCORE_MAX: f64 = 5.0;
const RANGE: f64 = SCORE_MAX - SCORE_MIN;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bandit {
    /// The paper's: mean + c * sqrt(2 ln n / n_j).
    Ucb1,
    /// UCB1-tuned (Auer, Cesa-Bianchi, Fischer 2002): c * sqrt(ln n / n_j * min(1/4, V)), V of scores scaled to 0..1.
    Ucb1Tuned,
    /// Thompson sampling from a normal distribution: the mean and its error, with one score of each extreme added, so
    /// that an arm seen rarely is never sure. Scores have five values and their sum is soon normal; a Beta distribution
    /// would take each score for a won or lost bet, of larger variance than it has. The error counts c / 4 times.
    Thompson,
    /// All in turn, for comparison.
    Even,
}

/// What a bandit keeps of an arm: it changes with the arm's visits only.
#[derive(Clone, Copy, Default)]
pub struct Term {
    /// The mean, and the arm's bonus.
    value: f64,
    /// 1 / visits.
    inverse: f64,
    /// UCB1-tuned: the variance of scores scaled to 0..1; Thompson: the standard error.
    spread: f64,
}

impl Bandit {
    pub fn term(self, arm: &Arm) -> Term {
        let inverse = 1.0 / f64::from(arm.visits_count);
        let mean = arm.mean();
        let value = arm.value();
        match self {
            Bandit::Ucb1 | Bandit::Even => Term { value, inverse, spread: 0.0 },
            Bandit::Ucb1Tuned => {
                let variance = (arm.squares * inverse - mean * mean).max(0.0);
                Term { value, inverse, spread: variance / (RANGE * RANGE) }
            }
            Bandit::Thompson => {
                let inverse = 1.0 / f64::from(arm.visits_count + 2);
                let mean = (arm.points + SCORE_MIN + SCORE_MAX) * inverse;
                let squares = arm.squares + SCORE_MIN * SCORE_MIN + SCORE_MAX * SCORE_MAX;
                let spread = ((squares * inverse - mean * mean) * inverse).sqrt();
                Term { value: mean + arm.bonus, inverse, spread }
            }
        }
    }

    /// The arm to look at next, after `number` playouts.
    #[inline]
    pub fn next(self, number: u32, terms: &[Term], c: f64, dice: &mut Dice) -> usize {
        if (number as usize) < terms.len() {
            return number as usize;
        }
        match self {
            Bandit::Ucb1 => {
                let scale = 2.0 * ln(number);
                greatest(terms, |term| term.value + c * (scale * term.inverse).sqrt())
            }
            Bandit::Ucb1Tuned => {
                let log = ln(number);
                greatest(terms, |term| {
                    let share = log * term.inverse;
                    term.value + c * (share * (term.spread + (2.0 * share).sqrt()).min(0.25)).sqrt()
                })
            }
            Bandit::Thompson => greatest(terms, |term| term.value + c / RANGE * term.spread * dice.normal()),
            Bandit::Even => number as usize % terms.len(),
        }
    }
}

/// The first of those with the greatest value.
#[inline(always)]
fn greatest(terms: &[Term], mut value_of: impl FnMut(&Term) -> f64) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (at, term) in terms.iter().enumerate() {
        let value = value_of(term);
        if value > best.1 {
            best = (at, value);
        }
    }
    best.0
}

/// The natural logarithm, by operations that all machines round alike (error below 1e-14).
#[must_use]
pub fn ln(number: u32) -> f64 {
    debug_assert!(number > 0);
    // number = 2^exponent * (1 + z) / (1 - z), so that ln = exponent * ln 2 + 2 * (z + z^3 / 3 + ...).
    let exponent = 31 - number.leading_zeros();
    let ratio = f64::from(number) / f64::from(1u32 << exponent);
    let z = (ratio - 1.0) / (ratio + 1.0);
    let square = z * z;
    let mut sum = 0.0;
    for odd in (1..30).rev().step_by(2) {
        sum = sum * square + 1.0 / f64::from(odd);
    }
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * z * sum
}

#[cfg(test)]
mod tests {
    use super::super::super::play::PASS;
    use super::*;

    const ALL: [Bandit; 4] = [Bandit::Ucb1, Bandit::Ucb1Tuned, Bandit::Thompson, Bandit::Even];

    /// Arms whose scores are 5 by these chances, else 1 to 4 evenly; visits of each after some playouts.
    fn visits(bandit: Bandit, chances: &[f64], playouts: u32, seed: u64) -> Vec<Arm> {
        let mut dice = Dice::new(seed);
        let mut arms = vec![Arm::new(PASS); chances.len()];
        let mut terms = vec![Term::default(); chances.len()];
        for number in 0..playouts {
            let at = bandit.next(number, &terms, 4.0, &mut dice);
            let score = if dice.unit() < chances[at] { 5 } else { 1 + dice.below(4) };
            arms[at].add(f64::from(score));
            terms[at] = bandit.term(&arms[at]);
        }
        arms
    }

    #[test]
    fn each_finds_the_best_arm() {
        let chances = [0.1, 0.15, 0.5, 0.2, 0.1, 0.3];
        for bandit in ALL {
            let mut found = 0;
            let mut share = 0;
            for seed in 0..100 {
                let arms = visits(bandit, &chances, 1000, seed);
                let best = (0..arms.len()).max_by(|&one, &other| arms[one].mean().total_cmp(&arms[other].mean()));
                found += u32::from(best == Some(2));
                share += arms[2].visits_count;
                assert_eq!(arms.iter().map(|arm| arm.visits_count).sum::<u32>(), 1000);
                assert!(arms.iter().all(|arm| arm.visits_count > 0));
            }
            assert!(found >= 95, "{bandit:?} {found}");
            let least = match bandit {
                Bandit::Ucb1 => 20_000,
                Bandit::Ucb1Tuned | Bandit::Thompson => 60_000,
                Bandit::Even => 16_000,
            };
            assert!(share > least, "{bandit:?} {share}");
        }
    }

    #[test]
    fn the_seed_decides() {
        for bandit in ALL {
            let run = |seed| {
                visits(bandit, &[0.3, 0.4, 0.35], 300, seed).iter().map(|arm| arm.visits_count).collect::<Vec<_>>()
            };
            assert_eq!(run(1), run(1));
            assert_eq!(run(1) == run(2) && run(2) == run(3), bandit == Bandit::Even);
        }
    }

    #[test]
    fn formulas() {
        // Two arms, each seen: the paper's value and that of UCB1-tuned by the standard library.
        let mut arms = [Arm::new(PASS), Arm::new(PASS)];
        for score in [5, 5, 4, 5, 5, 4] {
            arms[0].add(f64::from(score));
        }
        for score in [1, 5] {
            arms[1].add(f64::from(score));
        }
        let log = 8f64.ln();
        let paper = |arm: &Arm| arm.mean() + 4.0 * (2.0 * log / f64::from(arm.visits_count)).sqrt();
        let tuned = |arm: &Arm| {
            let count = f64::from(arm.visits_count);
            let variance = (arm.squares / count - arm.mean().powi(2)) / 16.0 + (2.0 * log / count).sqrt();
            arm.mean() + 4.0 * (log / count * variance.min(0.25)).sqrt()
        };
        for (bandit, value) in [(Bandit::Ucb1, &paper as &dyn Fn(&Arm) -> f64), (Bandit::Ucb1Tuned, &tuned)] {
            let expected = usize::from(value(&arms[1]) > value(&arms[0]));
            let terms = arms.each_ref().map(|arm| bandit.term(arm));
            assert_eq!(bandit.next(8, &terms, 4.0, &mut Dice::new(1)), expected, "{bandit:?}");
        }
        assert_eq!(ALL.map(|bandit| bandit.next(1, &[Term::default(); 3], 4.0, &mut Dice::new(1))), [1; 4]);
    }

    /// With c a little below and above the value at which two arms are worth the same by the paper's formula.
    #[test]
    fn the_weight_at_which_the_paper_s_choice_turns() {
        let mut arms = [Arm::new(PASS), Arm::new(PASS)];
        (0..10).for_each(|_| arms[0].add(5.0));
        (0..2).for_each(|_| arms[1].add(3.0));
        let bonus = |arm: &Arm| (2.0 * 12f64.ln() / f64::from(arm.visits_count)).sqrt();
        let turns_at = (arms[0].mean() - arms[1].mean()) / (bonus(&arms[1]) - bonus(&arms[0]));
        let terms = arms.each_ref().map(|arm| Bandit::Ucb1.term(arm));
        let next = |c| Bandit::Ucb1.next(12, &terms, c, &mut Dice::new(1));
        assert_eq!([next(turns_at - 1e-9), next(turns_at + 1e-9)], [0, 1]);
    }

    #[test]
    fn tuned_asks_how_far_scores_lie_apart_once_an_arm_was_seen_often() {
        let tuned = |arm: &Arm, log: f64| {
            let count = f64::from(arm.visits_count);
            let variance = (arm.squares / count - arm.mean().powi(2)) / 16.0 + (2.0 * log / count).sqrt();
            assert!(variance < 0.25, "only then it counts");
            arm.mean() + 4.0 * (log / count * variance).sqrt()
        };
        let mut chosen = [0, 0];
        for visits in (1000..6000).step_by(100) {
            let mut arms = [Arm::new(PASS), Arm::new(PASS)];
            (0..1000).for_each(|_| arms[0].add(3.0));
            (0..visits).for_each(|visit| arms[1].add(f64::from(2 + visit % 2 * 2)));
            let log = f64::from(1000 + visits).ln();
            let expected = usize::from(tuned(&arms[1], log) > tuned(&arms[0], log));
            let terms = arms.each_ref().map(|arm| Bandit::Ucb1Tuned.term(arm));
            assert_eq!(Bandit::Ucb1Tuned.next(1000 + visits, &terms, 4.0, &mut Dice::new(1)), expected, "{visits}");
            chosen[expected] += 1;
        }
        assert!(chosen.iter().all(|&count| count > 0), "{chosen:?}");
    }

    #[test]
    fn logarithm() {
        for number in (1..5000).chain([u32::MAX, 1 << 31, 123_456_789]) {
            assert!((ln(number) - f64::from(number).ln()).abs() < 1e-13, "{number}");
        }
    }
}
