//! Choices that are looked at by playouts until one of them is taken.
use super::super::dice::Dice;
use super::arm::Arm;
use super::bandit::{Bandit, Term};
use crate::search::{Clock, Stop};
use cpu_time::ThreadTime;
use std::time::Duration;

/// Playouts between two looks at the clock.
pub const LOOK_AFTER: u32 = 64;

/// When a decision must be made.
#[derive(Clone, Copy)]
pub enum Budget {
    /// After so many playouts.
    Playouts(u32),
    /// After so much processor time.
    Time(Duration),
}

/// How playouts are spent.
#[derive(Clone, Copy)]
pub struct Spending {
    pub budget: Budget,
    pub bandit: Bandit,
    /// The weight of what was looked at little; the paper has 4, the difference of best and worst score.
    pub c: f64,
    /// Ends as soon as the best choice is better than each other by so many standard errors of the difference; 0: never.
    pub lead: f64,
}

impl Spending {
    /// Looks at the choices one by one; `playout` has the number of a choice and that of its visit, and tells points.
    /// The number of playouts.
    ///
    /// # Errors
    /// Interrupts.
    pub fn look(
        &self,
        arms: &mut [Arm],
        dice: &mut Dice,
        clock: &mut Clock<'_>,
        mut playout: impl FnMut(usize, u32, &mut Dice) -> f64,
    ) -> Result<u32, Stop> {
        let begin = ThreadTime::now();
        let mut terms = vec![Term::default(); arms.len()];
        for number in 0.. {
            match self.budget {
                Budget::Playouts(count) if number == count => return Ok(number),
                Budget::Time(time) if number.is_multiple_of(LOOK_AFTER) && begin.elapsed() >= time => {
                    return Ok(number);
                }
                _ => {}
            }
            if number.is_multiple_of(LOOK_AFTER) {
                clock.check()?;
                if self.lead > 0.0 && number > 0 && leads(arms, self.lead) {
                    return Ok(number);
                }
            }
            let at = self.bandit.next(number, &terms, self.c, dice);
            let arm = &mut arms[at];
            arm.add(playout(at, arm.visits_count, dice));
            terms[at] = self.bandit.term(arm);
        }
        unreachable!("numbers do not end")
    }
}

/// The number of the best choice: the first one of equals. A choice without a visit has no value, which is never greater.
#[must_use]
pub fn best(arms: &[Arm]) -> usize {
    let mut best = 0;
    for at in 1..arms.len() {
        if arms[at].value() > arms[best].value() {
            best = at;
        }
    }
    best
}

/// Fewest visits of a choice whose error says something.
const VISITS_MIN: u32 = 16;

/// Whether the best choice is better than each other by `errors` standard errors.
///
/// A choice's scores are 1 to 5; so that one whose scores were all the same is not sure, a score of each extreme is added.
fn leads(arms: &[Arm], errors: f64) -> bool {
    let first = best(arms);
    let of = |arm: &Arm| {
        let inverse = 1.0 / f64::from(arm.visits_count + 2);
        let mean = (arm.points + 6.0) * inverse;
        ((arm.squares + 26.0) * inverse - mean * mean) * inverse
    };
    arms[first].visits_count >= VISITS_MIN
        && (0..arms.len()).filter(|&at| at != first).all(|at| {
            let ahead = arms[first].value() - arms[at].value();
            arms[at].visits_count > 0 && ahead * ahead > errors * errors * (of(&arms[first]) + of(&arms[at]))
        })
}

#[cfg(test)]
mod tests {
    use super::super::super::play::PASS;
    use super::*;

    /// Choices whose score is 5 by these chances, else 1; the best one and the number of playouts.
    fn look(chances: &[f64], playouts: u32, lead: f64, seed: u64) -> (usize, u32) {
        let mut arms = vec![Arm::new(PASS); chances.len()];
        let mut never = || false;
        let spending = Spending { budget: Budget::Playouts(playouts), bandit: Bandit::Ucb1Tuned, c: 4.0, lead };
        let mut visits = vec![0; chances.len()];
        let looked =
            spending.look(&mut arms, &mut Dice::new(seed), &mut Clock::new(0.0, &mut never), |at, number, dice| {
                assert_eq!(number, visits[at]);
                visits[at] += 1;
                if dice.unit() < chances[at] { 5.0 } else { 1.0 }
            });
        assert!(arms.iter().zip(&visits).all(|(arm, &count)| arm.visits_count == count));
        (best(&arms), looked.unwrap())
    }

    #[test]
    fn an_early_end_costs_no_choice() {
        let (mut saved, mut wrong) = (0, 0);
        for seed in 0..200 {
            let chances = [0.2, 0.3, 0.6, 0.25];
            let (whole, spent) = look(&chances, 2000, 0.0, seed);
            assert_eq!((whole, spent), (2, 2000));
            let (early, spent) = look(&chances, 2000, 2.2, seed);
            wrong += u32::from(early != whole);
            saved += 2000 - spent;
        }
        assert!(wrong <= 10 && saved > 200 * 1000, "{wrong} {saved}");
    }

    #[test]
    fn choices_that_are_alike_are_looked_at_longer() {
        let spent = |chances: &[f64]| (0..100).map(|seed| look(chances, 1000, 2.2, seed).1).sum::<u32>();
        let (alike, apart) = (spent(&[0.4, 0.4]), spent(&[0.2, 0.6]));
        assert!(alike > 2 * apart, "{alike} {apart}");
    }

    #[test]
    fn a_bonus_decides_between_equals() {
        let mut arms = vec![Arm::new(PASS); 3];
        for arm in &mut arms {
            arm.add(3.0);
        }
        assert_eq!(best(&arms), 0);
        arms[1].bonus = 0.1;
        assert_eq!(best(&arms), 1);
        arms[2] = Arm::new(PASS);
        assert_eq!(best(&arms), 1);
    }
}
