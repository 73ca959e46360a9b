//! A policy for playouts that was learnt: each play, with a chance that grows with the sum of its features' weights.
//!
//! Softmax over the legal plays. A play has one feature of each group, a place among the weights; so its share is a
//! product of `GROUPS_COUNT` numbers that are looked up, times e to the judgement of a network, if there is one.
use super::cards::JOKER;
use super::dice::Dice;
use super::features::{Context, GROUPS_COUNT, WEIGHTS_COUNT};
use super::field::Field;
use super::folded::Folded;
use super::inputs::Company;
use super::legal::{Families, answering_singles};
use super::net::{Judge, Net};
use super::play::{LONE_JOKER, PASS, Play};
use super::players::rule::View;
use super::position::Position;

/// No weight is farther from 0, so that sums of shares are finite and no share is 0.
pub const WEIGHT_MAX: f32 = 10.0;
const _: () = assert!(WEIGHT_MAX * (GROUPS_COUNT as f32) < 80.0);
/// With a network's judgement a share may become larger than numbers are: then it is cut.
const SHARE_MAX: f32 = 1e35;

/// What a policy was taught.
#[derive(Clone, PartialEq)]
pub struct Learnt {
    folded: Folded,
    net: Option<Net>,
    /// Whether one may pass though a play is legal.
    passes: bool,
}

impl Learnt {
    /// None unless there are `WEIGHTS_COUNT` weights, none of them beyond `WEIGHT_MAX`.
    #[must_use]
    pub fn new(weights: &[f32], passes: bool) -> Option<Learnt> {
        let weights: &[f32; WEIGHTS_COUNT] = weights.try_into().ok()?;
        if !weights.iter().all(|weight| weight.abs() <= WEIGHT_MAX) {
            return None;
        }
        let folded = Folded::new(|features, groups| {
            let weights = features[groups].iter().map(|&place| weights[usize::from(place)]);
            exp2(weights.sum::<f32>() * std::f32::consts::LOG2_E)
        });
        Some(Learnt { folded, net: None, passes })
    }

    /// The same policy with a network that judges plays besides.
    #[must_use]
    pub fn with_net(self, net: Net) -> Learnt {
        Learnt { net: Some(net), ..self }
    }

    /// A play, or a pass where there is none, or by chance if this policy may.
    #[inline(always)]
    pub fn draw(&self, position: &Position, families: &mut Families, dice: &mut Dice) -> Play {
        let field = &position.table.field;
        let (may_pass, leads) = (self.may_pass(field), field.is_empty());
        if let Some(net) = &self.net {
            return self.draw_by_net(net, position, families, dice);
        }
        let pass = |context: &Context<'_>| if may_pass { self.folded.share(&context.pass) } else { 0.0 };
        if field.top.size == 1 {
            let places = answering_singles(position.hand(), field);
            match places.count_ones() {
                0 => return PASS,
                1 if !may_pass => {
                    return if places == JOKER { LONE_JOKER } else { Play::single(places.trailing_zeros()) };
                }
                _ => {}
            }
            let view = position.view();
            let context = Context::new(&view, places.count_ones());
            return families.room.draw_single(places, &self.folded, &context, pass(&context), dice);
        }
        families.list(position.hand(), field);
        if families.is_empty() {
            return PASS;
        }
        let view = position.view();
        // At a lead nobody asks how many plays there are.
        let context = Context::new(&view, if leads { 0 } else { families.plays_count() });
        let mut room = std::mem::take(&mut families.room);
        let play = room.draw(families, &self.folded, &context, pass(&context), dice);
        families.room = room;
        play
    }

    #[inline(always)]
    fn draw_by_net(&self, net: &Net, position: &Position, families: &mut Families, dice: &mut Dice) -> Play {
        let field = &position.table.field;
        families.list(position.hand(), field);
        let (may_pass, count) = (self.may_pass(field), families.plays_count());
        match count {
            0 => return PASS,
            1 if !may_pass => return families.play(0),
            _ => {}
        }
        let view = position.view();
        let company = Company::of_position(position);
        let context = Context::new(&view, if field.is_empty() { 0 } else { count });
        let judge = net.judge(&view, &company);
        let share = |play: &Play| self.share(&context, Some(&judge), play);
        let pass = if may_pass { share(&PASS) } else { 0.0 };
        let mut room = std::mem::take(&mut families.room);
        let play = room.draw_any(families, pass, field.is_empty(), share, dice);
        families.room = room;
        play
    }

    #[inline(always)]
    fn share(&self, context: &Context<'_>, judge: Option<&Judge<'_>>, play: &Play) -> f32 {
        let traits = context.traits(play);
        let share = self.folded.share(&traits);
        let Some(judge) = judge else { return share };
        (share * exp2(judge.judgement(play, context.locks(play.suits)) * std::f32::consts::LOG2_E)).min(SHARE_MAX)
    }

    /// How likely it makes a play, when the plays are listed in `families`.
    pub fn chance(&self, view: &View<'_>, company: &Company, families: &Families, play: &Play) -> f64 {
        let context = Context::new(view, families.plays_count());
        let judge = self.net.as_ref().map(|net| net.judge(view, company));
        let share = |play: &Play| f64::from(self.share(&context, judge.as_ref(), play));
        let mut total = if self.may_pass(view.field) { share(&PASS) } else { 0.0 };
        families.each(|play| total += share(&play));
        if total == 0.0 { 1.0 } else { share(play) / total }
    }

    #[must_use]
    pub fn may_pass(&self, field: &Field) -> bool {
        self.passes && !field.is_empty()
    }
}

/// 2 to a power within 60, by operations that all machines round alike (relative error below 1e-4).
fn exp2(power: f32) -> f32 {
    let power = power + 64.0;
    let whole = power as i32;
    let part = power - whole as f32;
    let series = 1.0 + part * (0.695_04 + part * (0.227_64 + part * 0.077_32));
    series * f32::from_bits(((whole + 63) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::super::cards::{Cards, JOKER, NATURALS, at_column, of_suits};
    use super::super::features::{GROUPS, STARTS};
    use super::super::net::{NUMBER_MAX, NUMBERS_COUNT, SUMS};
    use super::super::position::deal;
    use super::super::table::Table;
    use super::*;
    use crate::deck;

    /// Calls for each turn of some games in which all plays are as likely.
    fn turns(mut visit: impl FnMut(&Position, &mut Families, &mut Dice)) {
        let (mut families, mut dice) = (Families::default(), Dice::new(1));
        for index in 0..50 {
            let mut position = Position::start(deal(&deck::shuffled(1, index, 53).try_into().unwrap(), 0));
            while !position.table.is_over() {
                visit(&position, &mut families, &mut dice);
                let play = families.draw(position.hand(), &position.table.field, &mut dice);
                position.play(&play);
            }
        }
    }

    /// Seat 0 has the turn, the others have all other cards.
    fn against_four(hand: Cards, field: Field) -> Position {
        let rest = NATURALS & !hand;
        let others = [1, 2, 4, 8].map(|suits| rest & of_suits(suits));
        let mut table = Table::start(0);
        table.field = field;
        Position { hands: [hand, others[0], others[1], others[2], others[3]], table }
    }

    #[test]
    fn each_group_has_its_own_places() {
        let mut seen = [false; WEIGHTS_COUNT];
        turns(|position, families, _| {
            let view = position.view();
            families.list(view.hand, view.field);
            let context = Context::new(&view, families.plays_count());
            let mut look = |play: Play| {
                for (group, &place) in context.traits(&play).features().iter().enumerate() {
                    let within = usize::from(place) - STARTS[group];
                    assert!(within < GROUPS[group].1, "{play:?} {}: {within}", GROUPS[group].0);
                    seen[usize::from(place)] = true;
                }
            };
            families.each(&mut look);
            if !view.field.is_empty() {
                look(PASS);
            }
        });
        // Many places are of what cannot be: a lone joker has one strength.
        for (&(name, size), &start) in GROUPS.iter().zip(&STARTS) {
            let count = seen[start..start + size].iter().filter(|&&seen| seen).count();
            assert!(6 * count > size, "{name}: {count} of {size}");
        }
    }

    #[test]
    fn equal_weights_are_the_uniform_policy() {
        for passes in [false, true] {
            let learnt = Learnt::new(&[0.0; WEIGHTS_COUNT], passes).unwrap();
            turns(|position, families, dice| {
                let view = position.view();
                families.list(view.hand, view.field);
                let pass = passes && !view.field.is_empty();
                let count = families.plays_count() + u32::from(pass);
                families.each(|play| {
                    assert!(
                        (learnt.chance(&view, &Company::of_position(position), families, &play) * f64::from(count)
                            - 1.0)
                            .abs()
                            < 1e-4
                    );
                });
                let play = learnt.draw(position, families, dice);
                let legal = super::super::legal::legal_plays(view.hand, view.field);
                assert!(legal.contains(&play) || play == PASS && (pass || legal.is_empty()));
            });
        }
    }

    #[test]
    fn shares_are_numbers_at_the_limits_of_weights_and_judgements() {
        for sign in [1.0, -1.0] {
            let mut numbers = vec![0.0; NUMBERS_COUNT];
            // What sums begin with: the first is the judgement.
            numbers[NUMBERS_COUNT - 2 * SUMS] = sign * NUMBER_MAX;
            let learnt = Learnt::new(&[sign * WEIGHT_MAX; WEIGHTS_COUNT], true).unwrap();
            check_draws(&learnt.with_net(Net::new(&numbers).unwrap()), &mut Dice::new(4));
        }
    }

    #[test]
    fn draws_are_as_frequent_as_their_chances() {
        let mut dice = Dice::new(2);
        let weights: Vec<f32> = (0..WEIGHTS_COUNT).map(|_| dice.unit() as f32 - 0.5).collect();
        let learnt = Learnt::new(&weights, true).unwrap();
        check_draws(&learnt, &mut dice);
        check_draws(&learnt.with_net(Net::new(&Net::fresh(6)).unwrap()), &mut dice);
    }

    /// Draws at some turns, as often as their chances say.
    fn check_draws(learnt: &Learnt, dice: &mut Dice) {
        let on = |cards| {
            let mut field = Field::START;
            field.lay(&Play::new(cards, -1).unwrap());
            field
        };
        let hand = at_column(0b0110, 4) | at_column(1, 6) | at_column(8, 9) | JOKER;
        let four = at_column(15, 5) | JOKER;
        let run = at_column(0b0011, 3) | at_column(0b0111, 4) | at_column(1, 5) | JOKER;
        for (hand, field) in [
            (hand, on(at_column(1, 2))),
            (hand, on(at_column(0b0110, 2))),
            (hand, Field::START),
            (four, Field::START),
            (run, Field::START),
        ] {
            let position = against_four(hand, field);
            let view = position.view();
            let mut families = Families::default();
            families.list(hand, &field);
            let mut plays = if field.is_empty() { Vec::new() } else { vec![PASS] };
            families.each(|play| plays.push(play));
            assert!(plays.len() >= 6);
            let chances: Vec<f64> = plays
                .iter()
                .map(|play| learnt.chance(&view, &Company::of_position(&position), &families, play))
                .collect();
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            let mut counts = vec![0u32; plays.len()];
            for _ in 0..60_000 {
                let play = learnt.draw(&position, &mut families, dice);
                counts[plays.iter().position(|other| *other == play).unwrap()] += 1;
            }
            for (count, chance) in counts.iter().zip(&chances) {
                let (mean, deviation) = (60_000.0 * chance, (60_000.0 * chance * (1.0 - chance)).sqrt());
                assert!((f64::from(*count) - mean).abs() < 4.5 * deviation, "{counts:?} {chances:?}");
            }
        }
    }

    #[test]
    fn shares_are_the_products_of_all_groups() {
        let mut dice = Dice::new(3);
        let weights: Vec<f32> = (0..WEIGHTS_COUNT).map(|_| dice.unit() as f32 - 0.5).collect();
        let learnt = Learnt::new(&weights, true).unwrap();
        turns(|position, families, _| {
            let view = position.view();
            families.list(view.hand, view.field);
            let context = Context::new(&view, families.plays_count());
            let share = |play: &Play| -> f64 {
                let features = context.traits(play).features();
                features.iter().map(|&place| f64::from(weights[usize::from(place)])).sum::<f64>().exp()
            };
            let mut total = if view.field.is_empty() { 0.0 } else { share(&PASS) };
            families.each(|play| total += share(&play));
            families.each(|play| {
                let chance = learnt.chance(&view, &Company::of_position(position), families, &play);
                assert!((chance / (share(&play) / total) - 1.0).abs() < 1e-3, "{play:?} {chance}");
            });
        });
    }

    #[test]
    fn what_a_weight_is_for() {
        // Only `card` counts: a low card that leaves no other of its rank behind is sure to be played.
        let mut weights = [0.0; WEIGHTS_COUNT];
        weights[STARTS[0] + ((7 + 1) * 16 + 7) * 8] = 10.0;
        let learnt = Learnt::new(&weights, false).unwrap();
        let hand = at_column(0b0110, 4) | at_column(1, 7) | at_column(0b1100, 9);
        let mut field = Field::START;
        field.lay(&Play::new(at_column(1, 2), -1).unwrap());
        let position = against_four(hand, field);
        let (mut families, mut dice) = (Families::default(), Dice::new(2));
        let alone = (0..100).filter(|_| learnt.draw(&position, &mut families, &mut dice).cards == at_column(1, 7));
        assert!(alone.count() >= 99);
    }

    #[test]
    fn weights_that_cannot_be() {
        assert!(Learnt::new(&[0.0; WEIGHTS_COUNT - 1], false).is_none());
        for wrong in [f32::NAN, f32::INFINITY, 10.5] {
            let mut weights = [0.0; WEIGHTS_COUNT];
            weights[7] = wrong;
            assert!(Learnt::new(&weights, false).is_none());
        }
    }

    #[test]
    fn powers() {
        for step in -600..=600 {
            let power = step as f32 / 10.0;
            assert!((exp2(power) / power.exp2() - 1.0).abs() < 3e-4, "{power}");
        }
    }
}
