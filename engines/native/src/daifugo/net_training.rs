//! A policy that is improved by what the plays of choices are worth: gradient steps (Adam), the same on every call.
use super::choice::{Choice, Sight};
use super::features::{Features, WEIGHTS_COUNT};
use super::inputs::INPUTS_COUNT;
use super::legal::Families;
use super::net::{NUMBER_MAX, SUMS};
use super::policy::WEIGHT_MAX;
use crate::search::{Clock, Stop};

#[derive(Clone, Copy)]
pub struct Plan {
    pub passes: bool,
    pub temperature: f32,
    pub epochs: u32,
    pub batch: usize,
    /// Of weights, of numbers: the largest steps at first; they fall evenly to nothing.
    pub rates: (f32, f32),
    pub penalty: f32,
}

/// What is learnt: the weights of features, and the numbers of the network or none.
#[derive(Clone)]
pub struct Pupil {
    pub weights: Vec<f32>,
    pub numbers: Vec<f32>,
}

const BEGIN: usize = INPUTS_COUNT * SUMS;
const OUT: usize = BEGIN + SUMS;

type Sums = [f32; SUMS];

fn sign(adds: bool) -> f32 {
    if adds { 1.0 } else { -1.0 }
}

fn add(sums: &mut [f32], row: &[f32], sign: f32) {
    for (sum, one) in sums.iter_mut().zip(row) {
        *sum += sign * one;
    }
}

struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { mean: vec![0.0; size], square: vec![0.0; size], steps: 0 }
    }

    fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f32, max: f32) {
        self.steps += 1;
        let (first, second) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        for (((number, &slope), mean), square) in
            numbers.iter_mut().zip(gradient).zip(&mut self.mean).zip(&mut self.square)
        {
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            *number = (*number + rate * (*mean / first) / ((*square / second).sqrt() + 1e-7)).clamp(-max, max);
        }
    }
}

/// Scores of the plays of a choice.
#[derive(Default)]
struct Scorer {
    families: Families,
    plays: Vec<super::play::Play>,
    sight: Sight,
    sums: Vec<Sums>,
    scores: Vec<f32>,
}

impl Scorer {
    fn score(&mut self, choice: &Choice, passes: bool, pupil: &Pupil) {
        choice.plays(passes, &mut self.families, &mut self.plays);
        self.sight.look(choice, &self.plays);
        self.sums.clear();
        self.scores.clear();
        self.scores.extend(self.sight.features.iter().map(|features| linear(features, &pupil.weights)));
        if pupil.numbers.is_empty() {
            return;
        }
        let row = |input: usize| &pupil.numbers[input * SUMS..(input + 1) * SUMS];
        let begin: Sums = row(INPUTS_COUNT).try_into().expect("a row");
        let mut common = begin;
        for &input in &self.sight.common {
            add(&mut common, row(usize::from(input)), 1.0);
        }
        let mut from = 0;
        for (at, &end) in self.sight.ends.iter().enumerate() {
            let mut sums = if self.sight.alone[at] { begin } else { common };
            for &(input, adds) in &self.sight.own[from..end] {
                add(&mut sums, row(usize::from(input)), sign(adds));
            }
            from = end;
            let above = sums.iter().zip(row(INPUTS_COUNT + 1)).map(|(sum, weight)| sum.max(0.0) * weight);
            self.scores[at] += sums[0] + above.sum::<f32>();
            self.sums.push(sums);
        }
    }

    /// Scores become chances.
    fn soften(&mut self) {
        let most = self.scores.iter().copied().fold(f32::MIN, f32::max);
        let mut total = 0.0;
        for score in &mut self.scores {
            *score = (*score - most).exp();
            total += *score;
        }
        for score in &mut self.scores {
            *score /= total;
        }
    }
}

fn linear(features: &Features, weights: &[f32]) -> f32 {
    features.iter().map(|&place| weights[usize::from(place)]).sum()
}

/// Whether the choices have as many plays as `ends` says.
#[must_use]
pub fn have_plays(choices: &[Choice], ends: &[u64], passes: bool) -> bool {
    let mut families = Families::default();
    let mut before = 0;
    choices.iter().zip(ends).all(|(choice, &end)| {
        families.list(choice.hand, &choice.field);
        let count = u64::from(families.plays_count()) + u64::from(passes && !choice.field.is_empty());
        let fits = end - before == count;
        before = end;
        fits
    })
}

/// Mean points of a choice by a policy that goes on as the one that was tried.
///
/// # Errors
/// Interrupts.
pub fn worth(
    pupil: &Pupil,
    choices: &[Choice],
    points: &[f32],
    passes: bool,
    clock: &mut Clock<'_>,
) -> Result<f64, Stop> {
    let (mut scorer, mut sum, mut at) = (Scorer::default(), 0.0, 0);
    for (number, choice) in choices.iter().enumerate() {
        if number % 1024 == 0 {
            clock.check()?;
        }
        scorer.score(choice, passes, pupil);
        scorer.soften();
        for (chance, points) in scorer.scores.iter().zip(&points[at..]) {
            sum += f64::from(chance * points);
        }
        at += scorer.scores.len();
    }
    Ok(sum / choices.len() as f64)
}

/// Improves what is learnt: the mean over the choices of points and `temperature` times entropy grows.
///
/// # Errors
/// Interrupts.
pub fn improve(
    pupil: &mut Pupil,
    choices: &[Choice],
    points: &[f32],
    plan: &Plan,
    clock: &mut Clock<'_>,
) -> Result<(), Stop> {
    let mut scorer = Scorer::default();
    let (mut of_weights, mut of_numbers) = (Adam::new(WEIGHTS_COUNT), Adam::new(pupil.numbers.len()));
    let (mut weights, mut numbers) = (vec![0.0; WEIGHTS_COUNT], vec![0.0; pupil.numbers.len()]);
    let steps = plan.epochs as usize * choices.len().div_ceil(plan.batch);
    let mut step = 0;
    for _ in 0..plan.epochs {
        let mut at = 0;
        for batch in choices.chunks(plan.batch) {
            clock.check()?;
            weights.fill(0.0);
            numbers.fill(0.0);
            for choice in batch {
                scorer.score(choice, plan.passes, pupil);
                scorer.soften();
                let count = scorer.scores.len();
                add_gradient(&scorer, &points[at..at + count], plan.temperature, pupil, &mut weights, &mut numbers);
                at += count;
            }
            let scale = 1.0 / batch.len() as f32;
            for (gradient, held) in [(&mut weights, &pupil.weights), (&mut numbers, &pupil.numbers)] {
                for (slope, number) in gradient.iter_mut().zip(held) {
                    *slope = *slope * scale - plan.penalty * number;
                }
            }
            // The first sum counts as it is.
            if let Some(slope) = numbers.get_mut(OUT) {
                *slope = 0.0;
            }
            let rest = 1.0 - step as f32 / steps as f32;
            of_weights.step(&mut pupil.weights, &weights, plan.rates.0 * rest, WEIGHT_MAX);
            of_numbers.step(&mut pupil.numbers, &numbers, plan.rates.1 * rest, NUMBER_MAX);
            step += 1;
        }
    }
    Ok(())
}

fn add_gradient(
    scorer: &Scorer,
    points: &[f32],
    temperature: f32,
    pupil: &Pupil,
    weights: &mut [f32],
    numbers: &mut [f32],
) {
    let (sight, chances) = (&scorer.sight, &scorer.scores);
    let gain = |at: usize| points[at] - temperature * chances[at].max(1e-30).ln();
    let mean: f32 = (0..chances.len()).map(|at| chances[at] * gain(at)).sum();
    let pull = |at: usize| chances[at] * (gain(at) - mean);
    for (at, features) in sight.features.iter().enumerate() {
        for &place in features {
            weights[usize::from(place)] += pull(at);
        }
    }
    if pupil.numbers.is_empty() {
        return;
    }
    let mut common = [0.0; SUMS];
    let mut from = 0;
    for (at, &end) in sight.ends.iter().enumerate() {
        let (pull, sums) = (pull(at), &scorer.sums[at]);
        let mut slopes = [0.0; SUMS];
        for (sum, slope) in slopes.iter_mut().enumerate() {
            *slope = if sums[sum] > 0.0 { pull * pupil.numbers[OUT + sum] } else { 0.0 };
            numbers[OUT + sum] += pull * sums[sum].max(0.0);
        }
        slopes[0] = pull;
        for &(input, adds) in &sight.own[from..end] {
            let row = usize::from(input) * SUMS;
            add(&mut numbers[row..row + SUMS], &slopes, sign(adds));
        }
        from = end;
        add(if sight.alone[at] { &mut numbers[BEGIN..BEGIN + SUMS] } else { &mut common }, &slopes, 1.0);
    }
    for input in sight.common.iter().map(|&input| usize::from(input)).chain([INPUTS_COUNT]) {
        add(&mut numbers[input * SUMS..(input + 1) * SUMS], &common, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::net::Net;
    use super::super::policy::Learnt;
    use super::super::trials::Trials;
    use super::*;
    use std::sync::Arc;

    const PLAN: Plan =
        Plan { passes: true, temperature: 0.1, epochs: 2, batch: 64, rates: (0.02, 0.004), penalty: 0.0 };

    fn trials(count: u64) -> Trials {
        let learnt = Arc::new(Learnt::new(&[0.0; WEIGHTS_COUNT], true).unwrap());
        let (mut trials, mut never) = (Trials::default(), || false);
        trials.add(&learnt, (4, 0, count), (6, 2), &mut Clock::new(0.0, &mut never)).unwrap();
        trials
    }

    /// What is to grow: of one choice.
    fn worth_of(pupil: &Pupil, choice: &Choice, points: &[f32]) -> f64 {
        let mut scorer = Scorer::default();
        scorer.score(choice, true, pupil);
        scorer.soften();
        let gains = scorer.scores.iter().zip(points).map(|(&chance, &points)| {
            f64::from(chance) * (f64::from(points) - f64::from(PLAN.temperature) * f64::from(chance).ln())
        });
        gains.sum()
    }

    #[test]
    fn the_gradient_is_that_of_differences() {
        let trials = trials(20);
        let pupil = Pupil { weights: vec![0.1; WEIGHTS_COUNT], numbers: Net::fresh(2) };
        let (mut at, mut compared) = (0, 0);
        for (choice, &end) in trials.choices.iter().zip(&trials.ends) {
            let points = &trials.points[at..end as usize];
            at = end as usize;
            let mut scorer = Scorer::default();
            scorer.score(choice, true, &pupil);
            scorer.soften();
            let (mut weights, mut numbers) = (vec![0.0; WEIGHTS_COUNT], vec![0.0; pupil.numbers.len()]);
            add_gradient(&scorer, points, PLAN.temperature, &pupil, &mut weights, &mut numbers);
            let most = (0..numbers.len()).max_by(|&one, &other| numbers[one].abs().total_cmp(&numbers[other].abs()));
            let (most, step) = (most.unwrap(), 2e-2);
            let moved = |by: f32| {
                let mut pupil = pupil.clone();
                pupil.numbers[most] += by;
                worth_of(&pupil, choice, points)
            };
            let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            if slope.abs() > 1e-3 {
                assert!((slope / f64::from(numbers[most]) - 1.0).abs() < 0.15, "{slope} {}", numbers[most]);
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn steps_make_choices_worth_more_and_repeat() {
        let trials = trials(200);
        let mut never = || false;
        let mut clock = Clock::new(0.0, &mut never);
        for numbers in [Vec::new(), Net::fresh(1)] {
            let begin = Pupil { weights: vec![0.0; WEIGHTS_COUNT], numbers };
            let mut learn = || {
                let mut pupil = begin.clone();
                improve(&mut pupil, &trials.choices, &trials.points, &PLAN, &mut clock).unwrap();
                pupil
            };
            let (one, other) = (learn(), learn());
            assert!(one.weights == other.weights && one.numbers == other.numbers);
            let mut worth = |pupil| worth(pupil, &trials.choices, &trials.points, true, &mut clock).unwrap();
            assert!(worth(&one) > worth(&begin) + 0.1);
        }
    }
}
