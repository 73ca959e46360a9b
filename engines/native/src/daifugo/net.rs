//! A small network that judges plays: sums of inputs' rows, what is above nothing of them weighed.
use super::dice::Dice;
use super::four::Four;
use super::inputs::{Changes, Company, Eye, INPUTS_COUNT};
use super::play::Play;
use super::players::rule::View;

/// Sums; the first counts as it is, the others where they are above 0, weighed.
pub const SUMS: usize = 32;
/// Numbers of a network: a row for each input, the rows' beginning, the weights of sums.
pub const NUMBERS_COUNT: usize = (INPUTS_COUNT + 2) * SUMS;
/// No number is farther from 0.
pub const NUMBER_MAX: f32 = 100.0;
/// Judgements beyond are cut.
const JUDGEMENT_MAX: f32 = 20.0;
const LANES: usize = 4;
/// Standard deviations of the numbers of a network that has learnt nothing, and what sums begin with.
const FRESH_NUMBER: f64 = 0.08;
const FRESH_WEIGHT: f64 = 0.15;
const FRESH_BEGIN: f64 = 0.1;

pub type Row = [Four; SUMS / LANES];

fn row(numbers: &[f32; SUMS]) -> Row {
    let fours = numbers.as_chunks::<LANES>().0;
    std::array::from_fn(|at| Four::new(fours[at]))
}

#[derive(Clone, PartialEq)]
pub struct Net {
    rows: Vec<Row>,
    begin: Row,
    weights: Row,
}

impl Net {
    /// None unless there are `NUMBERS_COUNT` numbers, none of them beyond `NUMBER_MAX`, and no weight of the first sum.
    #[must_use]
    pub fn new(numbers: &[f32]) -> Option<Net> {
        let (rows, rest) = numbers.as_chunks::<SUMS>();
        if numbers.len() != NUMBERS_COUNT || !rest.is_empty() || !numbers.iter().all(|one| one.abs() <= NUMBER_MAX) {
            return None;
        }
        let (rows, ends) = rows.split_at(INPUTS_COUNT);
        if ends[1][0] != 0.0 {
            return None;
        }
        Some(Net { rows: rows.iter().map(row).collect(), begin: row(&ends[0]), weights: row(&ends[1]) })
    }

    /// Numbers of nothing in particular, small ones, to learn from.
    #[must_use]
    pub fn fresh(seed: u64) -> Vec<f32> {
        let mut dice = Dice::new(seed);
        let mut numbers = vec![0.0; NUMBERS_COUNT];
        for (at, number) in numbers.iter_mut().enumerate() {
            let (row, sum) = (at / SUMS, at % SUMS);
            if sum > 0 {
                let size = if row > INPUTS_COUNT { FRESH_WEIGHT } else { FRESH_NUMBER };
                let shift = if row == INPUTS_COUNT { FRESH_BEGIN } else { 0.0 };
                *number = ((size * dice.normal() + shift) * 1e4).round() as f32 / 1e4;
            }
        }
        numbers
    }

    /// For the plays of a turn.
    #[inline(always)]
    pub fn judge<'a>(&'a self, view: &'a View<'a>, company: &'a Company) -> Judge<'a> {
        let eye = Eye::new(view, company, view.field.revolution);
        let sums = self.sums(&eye);
        Judge { net: self, view, company, eye, sums }
    }

    #[inline(always)]
    fn sums(&self, eye: &Eye<'_>) -> Row {
        let mut sums = self.begin;
        eye.each_of_turn(|input| add(&mut sums, &self.rows[input]));
        sums
    }

    #[inline(always)]
    fn judgement(&self, eye: &Eye<'_>, sums: &Row, play: &Play, locks: bool) -> f32 {
        let mut changed = Changed { sums: *sums, rows: &self.rows };
        eye.each_of_play(play, locks, &mut changed);
        weighed(&changed.sums, &self.weights).clamp(-JUDGEMENT_MAX, JUDGEMENT_MAX)
    }
}

/// Judges the plays of a turn.
pub struct Judge<'a> {
    net: &'a Net,
    view: &'a View<'a>,
    company: &'a Company,
    eye: Eye<'a>,
    sums: Row,
}

impl Judge<'_> {
    /// How good a play is; a chance grows by e to the power of it.
    #[inline(always)]
    pub fn judgement(&self, play: &Play, locks: bool) -> f32 {
        if self.eye.is_for(play) {
            return self.net.judgement(&self.eye, &self.sums, play, locks);
        }
        let eye = Eye::new(self.view, self.company, !self.view.field.revolution);
        self.net.judgement(&eye, &self.net.sums(&eye), play, locks)
    }
}

struct Changed<'a> {
    sums: Row,
    rows: &'a [Row],
}

impl Changes for Changed<'_> {
    #[inline(always)]
    fn add(&mut self, input: usize) {
        add(&mut self.sums, &self.rows[input]);
    }

    #[inline(always)]
    fn take(&mut self, input: usize) {
        take(&mut self.sums, &self.rows[input]);
    }
}

#[inline(always)]
fn add(sums: &mut Row, row: &Row) {
    for (sum, one) in sums.iter_mut().zip(row) {
        *sum = *sum + *one;
    }
}

#[inline(always)]
fn take(sums: &mut Row, row: &Row) {
    for (sum, one) in sums.iter_mut().zip(row) {
        *sum = *sum - *one;
    }
}

/// In a fixed order, so that all machines find the same.
#[inline(always)]
fn weighed(sums: &Row, weights: &Row) -> f32 {
    let mut found = Four::new([0.0; LANES]);
    for (&sums, &weights) in sums.iter().zip(weights) {
        found = found + sums.above_nothing() * weights;
    }
    // The weight of the first sum is 0.
    let lanes = found.numbers();
    sums[0].numbers()[0] + (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

#[cfg(test)]
mod tests {
    use super::super::choice::{Choice, Sight};
    use super::super::features::Context;
    use super::super::legal::Families;
    use super::super::position::{Position, deal};
    use super::*;
    use crate::deck;

    /// Sums of all inputs' rows from nothing on.
    fn plainly(numbers: &[f32], sight: &Sight, at: usize) -> f32 {
        let row = |input: usize| &numbers[input * SUMS..(input + 1) * SUMS];
        let mut sums: Vec<f64> = row(INPUTS_COUNT).iter().copied().map(f64::from).collect();
        let mut add = |input: u16, sign: f64| {
            for (sum, one) in sums.iter_mut().zip(row(usize::from(input))) {
                *sum += sign * f64::from(*one);
            }
        };
        if !sight.alone[at] {
            sight.common.iter().for_each(|&input| add(input, 1.0));
        }
        let from = if at == 0 { 0 } else { sight.ends[at - 1] };
        for &(input, adds) in &sight.own[from..sight.ends[at]] {
            add(input, if adds { 1.0 } else { -1.0 });
        }
        let weights = row(INPUTS_COUNT + 1);
        let rest: f64 = (1..SUMS).map(|sum| sums[sum].max(0.0) * f64::from(weights[sum])).sum();
        (sums[0] + rest) as f32
    }

    #[test]
    fn plays_are_judged_as_by_all_their_inputs() {
        let numbers = Net::fresh(5);
        let net = Net::new(&numbers).unwrap();
        let (mut families, mut dice, mut plays, mut sight) =
            (Families::default(), Dice::new(1), Vec::new(), Sight::default());
        let (mut judged, mut turned) = (0, 0);
        for index in 0..200 {
            let mut position = Position::start(deal(&deck::shuffled(2, index, 53).try_into().unwrap(), 0));
            while !position.table.is_over() {
                let choice = Choice::of(&position);
                choice.plays(true, &mut families, &mut plays);
                sight.look(&choice, &plays);
                let (view, company) = (position.view(), Company::of_position(&position));
                assert_eq!(company, choice.company);
                assert_eq!((view.least, view.rivals, view.is_own), {
                    let again = choice.view();
                    (again.least, again.rivals, again.is_own)
                });
                let judge = net.judge(&view, &company);
                let context = Context::new(&view, 0);
                for (at, play) in plays.iter().enumerate() {
                    let judgement = judge.judgement(play, context.locks(play.suits));
                    assert!((judgement - plainly(&numbers, &sight, at)).abs() < 1e-4, "{play:?}");
                    judged += 1;
                    turned += u32::from(sight.alone[at]);
                }
                let play = families.draw(position.hand(), &position.table.field, &mut dice);
                position.play(&play);
            }
        }
        assert!(judged > 20_000 && turned > 10, "{judged} {turned}");
    }

    #[test]
    fn numbers_that_cannot_be() {
        assert!(Net::new(&[0.0; NUMBERS_COUNT - 1]).is_none());
        for wrong in [f32::NAN, f32::INFINITY, NUMBER_MAX + 1.0] {
            let mut numbers = vec![0.0; NUMBERS_COUNT];
            numbers[3] = wrong;
            assert!(Net::new(&numbers).is_none());
        }
        let mut numbers = vec![0.0; NUMBERS_COUNT];
        numbers[(INPUTS_COUNT + 1) * SUMS] = 1.0;
        assert!(Net::new(&numbers).is_none(), "the first sum has no weight");
        assert_eq!(Net::fresh(3), Net::fresh(3));
        assert!(Net::fresh(3) != Net::fresh(4));
    }
}
