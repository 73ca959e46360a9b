//! A policy for playouts that was learnt: each play, with a chance that grows with the sum of its features' weights.
//!
//! Softmax over the legal plays. A play has one feature of each **group**, a place in that group's part of the weights;
//! so a score is a sum of `GROUPS_COUNT` numbers that are looked up.
use super::cards::{COLUMNS, Cards, JOKER, NATURALS, S3, columns, of_suits, suits_at};
use super::dice::Dice;
use super::field::Field;
use super::legal::Families;
use super::play::{Kind, PASS, Play};
use super::players::rule::{View, units};
use super::position::Position;

/// Groups of features with their sizes, in order. Python stores weights under these names.
pub const GROUPS: [(&str, usize); GROUPS_COUNT] = [
    // Lead or answer, class of the play, strength.
    ("strength", 2 * 8 * 16),
    // Lead, pass, or how far above the play on top; single or not.
    ("step", 2 * 16),
    // Lead or answer, cards that are left.
    ("left", 2 * 16),
    // Lead or answer, units (plays that the hand takes) before, how many fewer after.
    ("units", 2 * 8 * 8),
    // Class, cards of the same rank that stay behind.
    ("mates", 8 * 4),
    // Class, whether it takes a card of a natural sequence.
    ("run", 8 * 2),
    // Lead or answer, clears by an 8, uses the joker, units left.
    ("eight", 2 * 2 * 2 * 4),
    // Lead or answer, fewest cards that another has, kind, strength in four steps.
    ("threat", 2 * 4 * 4 * 4),
    // Lead or answer, cards of the hand in four steps, kind, strength in four steps.
    ("hand", 2 * 4 * 4 * 4),
    // Lead or answer, whether nobody else can beat it (singles), units left.
    ("unbeatable", 2 * 2 * 4),
    // Lead, locked, locks, or none of these; kind, strength in four steps.
    ("lock", 4 * 4 * 4),
    // Whether it turns the order round, and for whom that is good; S3 while the joker may come.
    ("revolution", 8),
    // Only a pass: plays that there are, class of the play on top.
    ("pass", 8 * 8),
];
pub const GROUPS_COUNT: usize = 13;
pub const WEIGHTS_COUNT: usize = {
    let (mut sum, mut group) = (0, 0);
    while group < GROUPS_COUNT {
        sum += GROUPS[group].1;
        group += 1;
    }
    sum
};
/// Where a group's weights begin.
const STARTS: [usize; GROUPS_COUNT] = {
    let (mut starts, mut group) = ([0; GROUPS_COUNT], 1);
    while group < GROUPS_COUNT {
        starts[group] = starts[group - 1] + GROUPS[group - 1].1;
        group += 1;
    }
    starts
};
/// How many bits four bits have: processors of the least kind have no instruction for it.
const ONES: [u32; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
/// No weight is farther from 0.
pub const WEIGHT_MAX: f32 = 50.0;
/// Scores, in powers of 2, are kept within this, so that sums of shares are finite.
const EXPONENT_MAX: f32 = 60.0;

/// Places of a play's features among the weights.
pub type Features = [u16; GROUPS_COUNT];

/// What a policy was taught.
#[derive(Clone, PartialEq, Debug)]
pub struct Learnt {
    /// Times log2(e), so that a share is a power of 2.
    weights: [f32; WEIGHTS_COUNT],
    /// Whether one may pass though a play is legal.
    passes: bool,
}

/// What all plays of a turn have in common.
pub struct Context<'a> {
    view: &'a View<'a>,
    answer: usize,
    units: i32,
    /// Natural cards that are part of a sequence of three.
    runs: Cards,
    top_strength: i32,
    least: usize,
    cards_count: u32,
    /// Number of cards in four steps.
    size: usize,
    plays_count: usize,
}

impl<'a> Context<'a> {
    /// `plays_count`: legal plays without the pass.
    #[inline]
    pub fn new(view: &'a View<'a>, plays_count: u32) -> Context<'a> {
        let cards = view.hand & NATURALS;
        let begins = cards & cards >> 4 & cards >> 8;
        let cards_count = view.hand.count_ones();
        Context {
            view,
            cards_count,
            answer: usize::from(!view.field.is_empty()),
            units: units(view.hand),
            runs: begins | begins << 4 | begins << 8,
            top_strength: strength(&view.field.top, view.field.revolution),
            least: (view.least.clamp(1, 4) - 1) as usize,
            size: cards_count.saturating_sub(1).min(11) as usize / 3,
            plays_count: plays_count.min(7) as usize,
        }
    }

    /// Of a legal play of the turn, or a pass.
    #[inline(always)]
    pub fn features(&self, play: &Play) -> Features {
        let (view, answer) = (self.view, self.answer);
        let (field, top) = (view.field, &view.field.top);
        let class = class_of(play);
        let kind = match class {
            0 | 1 => class,
            5 => 2,
            _ => 3,
        };
        let strength = if play.is_pass() { self.top_strength } else { strength(play, field.revolution) };
        let quarter = (strength / 4) as usize;
        let rest = view.hand & !play.cards;
        let units_left = if play.is_pass() { self.units } else { units(rest) };
        let few_units = units_left.min(3) as usize;
        let step = match (answer, play.kind) {
            (0, _) => 0,
            (_, Kind::Pass) => 1,
            (_, Kind::Joker) => 15,
            _ => (1 + strength - self.top_strength).clamp(2, 14) as usize,
        };
        let (mates, breaks) = match play.kind {
            Kind::Pass | Kind::Joker => (0, false),
            Kind::Sequence => {
                // Columns of it that keep a card, at the place of suit 0.
                let folded = rest & NATURALS;
                let folded = (folded | folded >> 1 | folded >> 2 | folded >> 3) & COLUMNS;
                let taken = play.cards & NATURALS;
                let taken = (taken | taken >> 1 | taken >> 2 | taken >> 3) & COLUMNS;
                ((folded & taken).count_ones().min(3), rest & self.runs != 0)
            }
            _ => (ONES[usize::from(suits_at(rest, play.column))].min(3), play.cards & self.runs != 0),
        };
        let unbeatable = match play.kind {
            Kind::Single => {
                let beyond = Field { top: *play, ..*field }.stronger();
                let suits = if play.suits == top.suits { of_suits(play.suits) } else { NATURALS };
                view.unseen & (beyond & suits | JOKER) == 0
            }
            Kind::Joker => view.unseen & S3 == 0,
            _ => false,
        };
        let lock = match answer {
            0 => 0,
            _ if field.lock != 0 => 1,
            _ if play.suits != 0 && play.suits == top.suits => 2,
            _ => 3,
        };
        let turn = if play.is_revolution() {
            let high = (rest & columns(10, 13)).count_ones();
            let low = (rest & columns(1, 4)).count_ones();
            1 + usize::from(high > low) + 2 * usize::from(field.revolution)
        } else if play.cards == S3 {
            5 + usize::from(view.unseen & JOKER != 0)
        } else {
            0
        };
        let pass = if play.is_pass() { 8 * self.plays_count + class_of(top) } else { 0 };
        let places = [
            (answer * 8 + class) * 16 + strength as usize,
            16 * usize::from(play.kind == Kind::Single) + step,
            16 * answer + (self.cards_count as usize - usize::from(play.size)).min(15),
            (8 * answer + self.units.min(7) as usize) * 8 + (self.units - units_left + 3).clamp(0, 7) as usize,
            4 * class + mates as usize,
            2 * class + usize::from(breaks),
            ((2 * answer + usize::from(play.has_eight())) * 2 + usize::from(play.cards & JOKER != 0)) * 4 + few_units,
            ((4 * answer + self.least) * 4 + kind) * 4 + quarter,
            ((4 * answer + self.size) * 4 + kind) * 4 + quarter,
            (2 * answer + usize::from(unbeatable)) * 4 + few_units,
            (4 * lock + kind) * 4 + quarter,
            turn,
            pass,
        ];
        std::array::from_fn(|group| (STARTS[group] + places[group]) as u16)
    }
}

impl Learnt {
    /// None unless there are `WEIGHTS_COUNT` weights, none of them beyond `WEIGHT_MAX`.
    #[must_use]
    pub fn new(weights: &[f32], passes: bool) -> Option<Learnt> {
        let mut weights: [f32; WEIGHTS_COUNT] = weights.try_into().ok()?;
        if !weights.iter().all(|weight| weight.abs() <= WEIGHT_MAX) {
            return None;
        }
        for weight in &mut weights {
            *weight *= std::f32::consts::LOG2_E;
        }
        Some(Learnt { weights, passes })
    }

    /// A play, or a pass where there is none, or by chance if this policy may.
    #[inline]
    pub fn draw(&self, position: &Position, families: &mut Families, dice: &mut Dice) -> Play {
        let field = &position.table.field;
        families.list(position.hand(), field);
        let count = families.plays_count();
        let may_pass = self.may_pass(field);
        match count {
            0 => return PASS,
            1 if !may_pass => return families.play(0),
            _ => {}
        }
        let view = position.view();
        let context = Context::new(&view, count);
        let (mut total, mut drawn) = (0.0, PASS);
        // One pass: each takes the place of what was drawn before with its share of all up to it.
        let mut consider = |play: Play| {
            let share = self.share(&context, &play);
            total += share;
            if dice.small_unit() * total < share {
                drawn = play;
            }
        };
        if may_pass {
            consider(PASS);
        }
        families.each(consider);
        drawn
    }

    /// How likely it makes a play, when the plays are listed in `families`.
    pub fn chance(&self, view: &View<'_>, families: &Families, play: &Play) -> f64 {
        let context = Context::new(view, families.plays_count());
        let mut total = if self.may_pass(view.field) { self.share(&context, &PASS) } else { 0.0 };
        families.each(|play| total += self.share(&context, &play));
        if total == 0.0 { 1.0 } else { f64::from(self.share(&context, play)) / f64::from(total) }
    }

    #[must_use]
    pub fn may_pass(&self, field: &Field) -> bool {
        self.passes && !field.is_empty()
    }

    /// What a play's chance is in proportion to.
    #[inline(always)]
    fn share(&self, context: &Context<'_>, play: &Play) -> f32 {
        let features = context.features(play);
        exp2(features.iter().map(|&place| self.weights[usize::from(place)]).sum())
    }
}

/// 2 to a power within `EXPONENT_MAX`, by operations that all machines round alike (relative error below 1e-4).
#[inline(always)]
fn exp2(power: f32) -> f32 {
    let power = power.clamp(-EXPONENT_MAX, EXPONENT_MAX) + 64.0;
    let whole = power as i32;
    let part = power - whole as f32;
    let series = 1.0 + part * (0.695_04 + part * (0.227_64 + part * 0.077_32));
    series * f32::from_bits(((whole + 63) as u32) << 23)
}

/// 0: a pass, 1: a single, 2: a pair, 3: a larger group, 4: a sequence, 5: the joker alone.
#[inline(always)]
fn class_of(play: &Play) -> usize {
    match play.kind {
        Kind::Pass => 0,
        Kind::Single => 1,
        Kind::Group if play.size == 2 => 2,
        Kind::Group => 3,
        Kind::Sequence => 4,
        Kind::Joker => 5,
    }
}

/// 0 to 14, by the order in force; of a sequence that of its weakest card.
#[inline(always)]
fn strength(play: &Play, revolution: bool) -> i32 {
    match play.kind {
        Kind::Pass => 0,
        Kind::Joker => 14,
        _ if revolution => 14 - i32::from(play.last_column()),
        _ => i32::from(play.column),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::at_column;
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
                for (group, &place) in context.features(&play).iter().enumerate() {
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
        assert!(seen.iter().filter(|&&seen| seen).count() > WEIGHTS_COUNT / 2);
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
                    assert!((learnt.chance(&view, families, &play) * f64::from(count) - 1.0).abs() < 1e-4);
                });
                let play = learnt.draw(position, families, dice);
                let legal = super::super::legal::legal_plays(view.hand, view.field);
                assert!(legal.contains(&play) || play == PASS && (pass || legal.is_empty()));
            });
        }
    }

    #[test]
    fn draws_are_as_frequent_as_their_chances() {
        let mut dice = Dice::new(2);
        let weights: Vec<f32> = (0..WEIGHTS_COUNT).map(|_| dice.unit() as f32 - 0.5).collect();
        let learnt = Learnt::new(&weights, true).unwrap();
        let mut field = Field::START;
        field.lay(&Play::new(at_column(1, 2), -1).unwrap());
        let hand = at_column(0b0110, 4) | at_column(1, 6) | at_column(8, 9) | JOKER;
        let position = against_four(hand, field);
        let view = position.view();
        let mut families = Families::default();
        families.list(hand, &field);
        let mut plays = vec![PASS];
        families.each(|play| plays.push(play));
        assert_eq!(plays.len(), 6);
        let chances: Vec<f64> = plays.iter().map(|play| learnt.chance(&view, &families, play)).collect();
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            let play = learnt.draw(&position, &mut families, &mut dice);
            counts[plays.iter().position(|other| *other == play).unwrap()] += 1;
        }
        for (count, chance) in counts.iter().zip(&chances) {
            let (mean, deviation) = (60_000.0 * chance, (60_000.0 * chance * (1.0 - chance)).sqrt());
            assert!((f64::from(*count) - mean).abs() < 4.5 * deviation, "{counts:?} {chances:?}");
        }
    }

    #[test]
    fn what_a_weight_is_for() {
        // Only `mates` counts: a card that leaves no other of its rank behind is sure to be played.
        let mut weights = [0.0; WEIGHTS_COUNT];
        weights[STARTS[4] + 4] = 30.0;
        let learnt = Learnt::new(&weights, false).unwrap();
        let hand = at_column(0b0110, 4) | at_column(1, 7) | at_column(0b1100, 9);
        let mut field = Field::START;
        field.lay(&Play::new(at_column(1, 2), -1).unwrap());
        let position = against_four(hand, field);
        let (mut families, mut dice) = (Families::default(), Dice::new(2));
        for _ in 0..100 {
            assert_eq!(learnt.draw(&position, &mut families, &mut dice).cards, at_column(1, 7));
        }
    }

    #[test]
    fn weights_that_cannot_be() {
        assert!(Learnt::new(&[0.0; WEIGHTS_COUNT - 1], false).is_none());
        for wrong in [f32::NAN, f32::INFINITY, 51.0] {
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
        assert!(exp2(f32::MAX).is_finite() && exp2(f32::MIN) > 0.0);
    }
}
