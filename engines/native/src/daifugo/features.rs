//! Features of plays, for a policy to learn from: a place in each of `GROUPS`.
//!
//! What all plays of a turn have in common is found out once, by `Context`; what is left for each play is cheap, since
//! playouts ask for it at almost every turn.
use super::cards::{COLUMNS, Cards, EIGHT, JOKER, LAST_COLUMN, NATURALS, S3, columns, of_suits, suits_at};
use super::play::{Kind, PASS, Play};
use super::players::rule::{View, units};

/// Groups of features with their sizes, in order. Python stores weights under these names.
///
/// Classes are those of `Class`, strengths 0 to 14 by the order in force, quarters four steps of strength.
pub const GROUPS: [(&str, usize); GROUPS_COUNT] = [
    // Lead or answer, class, strength; cards of the rank that stay behind, and whether it takes from a natural
    // sequence. For a pass: how many plays there are.
    ("card", 2 * CLASSES * 16 * 8),
    // Lead, free, locks, or locked; class, strength.
    ("lock", 4 * CLASSES * 16),
    // Single or not, strength of the play on top, strength (15: pass).
    ("step", 2 * 16 * 16),
    // Lead or answer, class, quarter; fewest cards that another has, units of the hand in four steps.
    ("stage", 2 * CLASSES * 4 * STAGES),
    // Others who may still play in this trick, whether the play on top is one's own; class, quarter.
    ("rivals", RIVALS * CLASSES * 4),
    // Lead or answer; nothing, clears by an 8, or nobody can beat it (a single); units and cards that are left.
    ("end", 2 * 3 * 4 * 4),
    // Uses the joker; whether it turns the order round, and for whom that is good, or is S3; units that are left.
    ("special", 2 * 8 * 4),
];
pub const GROUPS_COUNT: usize = 7;
pub(super) const CLASSES: usize = 7;
pub(super) const STAGES: usize = 16;
pub(super) const RIVALS: usize = 10;
pub const WEIGHTS_COUNT: usize = {
    let (mut sum, mut group) = (0, 0);
    while group < GROUPS_COUNT {
        sum += GROUPS[group].1;
        group += 1;
    }
    sum
};
/// Where a group's weights begin.
pub const STARTS: [usize; GROUPS_COUNT] = {
    let (mut starts, mut group) = ([0; GROUPS_COUNT], 1);
    while group < GROUPS_COUNT {
        starts[group] = starts[group - 1] + GROUPS[group - 1].1;
        group += 1;
    }
    starts
};
/// How many bits four bits have, 3 at most: processors of the least kind have no instruction for it.
const ONES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 3];
/// Places of a play's features among the weights.
pub type Features = [u16; GROUPS_COUNT];

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Class {
    /// Where a single, or a lone joker, is to be beaten.
    #[default]
    PassOnSingle,
    Single,
    Pair,
    LargerGroup,
    Sequence,
    LoneJoker,
    PassOnOther,
}

impl Class {
    /// Of a play on another one, or on an empty field, which is a pass.
    #[inline(always)]
    #[must_use]
    pub fn of(play: &Play, top: &Play) -> Class {
        match play.kind {
            Kind::Pass if top.size == 1 => Class::PassOnSingle,
            Kind::Pass => Class::PassOnOther,
            Kind::Single => Class::Single,
            Kind::Group if play.size == 2 => Class::Pair,
            Kind::Group => Class::LargerGroup,
            Kind::Sequence => Class::Sequence,
            Kind::Joker => Class::LoneJoker,
        }
    }
}

/// What a policy looks at in a play: small numbers.
#[derive(Clone, Copy, Default)]
pub struct Traits {
    pub class: Class,
    /// 0: lead, 1: free, 2: locks, 3: locked.
    pub bond: usize,
    pub top_strength: usize,
    /// A pass has that of the play on top.
    pub strength: usize,
    /// Twice the cards of the rank that stay behind, and whether it takes from a natural sequence; plays of a pass.
    pub shape: usize,
    /// Of the fewest cards that another has and of the units.
    pub stage: usize,
    /// Of the others in this trick and whose the play on top is.
    pub rivals: usize,
    /// Whether it uses it.
    pub joker: usize,
    /// 1 to 4: turns the order round; 5, 6: is S3.
    pub turn: usize,
    /// 1: clears by an 8, 2: nobody can beat it.
    pub sure: usize,
    pub few_units: usize,
    /// Cards, 3 at most.
    pub left: usize,
}

impl Traits {
    /// 0: lead, 1: answer.
    #[inline(always)]
    pub fn answer(&self) -> usize {
        usize::from(self.bond != 0)
    }

    /// The place of each group.
    #[inline]
    pub fn features(&self) -> Features {
        let Traits { bond, top_strength, strength, shape, few_units, .. } = *self;
        let (answer, class, quarter) = (self.answer(), self.class as usize, strength / 4);
        let stepped = if matches!(self.class, Class::PassOnSingle | Class::PassOnOther) { 15 } else { strength };
        let single = matches!(self.class, Class::PassOnSingle | Class::Single | Class::LoneJoker);
        let places = [
            ((CLASSES * answer + class) * 16 + strength) * 8 + shape,
            (CLASSES * bond + class) * 16 + strength,
            (16 * usize::from(!single) + top_strength) * 16 + stepped,
            ((CLASSES * answer + class) * 4 + quarter) * STAGES + self.stage,
            (CLASSES * self.rivals + class) * 4 + quarter,
            ((3 * answer + self.sure) * 4 + few_units) * 4 + self.left,
            (8 * self.joker + self.turn) * 4 + few_units,
        ];
        std::array::from_fn(|group| (STARTS[group] + places[group]) as u16)
    }
}

/// What all plays of a turn have in common.
pub struct Context<'a> {
    view: &'a View<'a>,
    units: i32,
    /// Natural cards that are part of a sequence of three.
    runs: Cards,
    /// Whether somebody else has the joker.
    joker_unseen: bool,
    /// Number of cards.
    size: usize,
    /// Of a pass.
    pub pass: Traits,
}

impl<'a> Context<'a> {
    /// `plays_count`: legal plays without the pass.
    #[inline(always)]
    pub fn new(view: &'a View<'a>, plays_count: u32) -> Context<'a> {
        let field = view.field;
        let units = units(view.hand);
        let size = view.hand.count_ones() as usize;
        let top_strength = strength(&field.top, field.revolution);
        let pass = Traits {
            class: Class::of(&PASS, &field.top),
            bond: if field.is_empty() { 0 } else { 1 + 2 * usize::from(field.lock != 0) },
            top_strength,
            strength: top_strength,
            shape: plays_count.min(7) as usize,
            stage: 4 * (view.least.clamp(1, 4) - 1) as usize + ((units - 1).clamp(0, 7) / 2) as usize,
            rivals: 2 * view.rivals as usize + usize::from(view.is_own),
            few_units: few_units(units),
            left: few(size),
            ..Traits::default()
        };
        Context { view, units, runs: runs_of(view.hand), joker_unseen: view.unseen & JOKER != 0, size, pass }
    }

    /// Of a legal play of the turn, or a pass.
    #[inline(always)]
    pub fn traits(&self, play: &Play) -> Traits {
        let (view, rest) = (self.view, self.view.hand & !play.cards);
        let (size, joker) = (usize::from(play.size), play.cards & JOKER != 0);
        if play.is_pass() {
            return self.pass;
        }
        let class = Class::of(play, &view.field.top);
        let traits = Traits { joker: usize::from(joker), left: self.left_after(size), class, ..self.pass };
        let bond = traits.bond + usize::from(self.locks(play.suits));
        let mut traits = match play.kind {
            Kind::Single | Kind::Group => {
                let column = u32::from(play.column - 1);
                let natural = suits_at(play.cards & NATURALS, play.column);
                let shape = self.shape(column, natural);
                let sure = if size == 1 { self.sure(column, natural) } else { usize::from(play.has_eight()) };
                let (strength, few_units) = (self.strength(column), self.few_units_after(shape));
                let turn = if play.cards == S3 { self.turn_of_s3() } else { 0 };
                Traits { bond, strength, shape, turn, sure, few_units, ..traits }
            }
            _ => {
                let alone = play.kind == Kind::Joker;
                let shape = if alone { 0 } else { shape_of_sequence(play, rest, self.runs) };
                let sure = if alone { 2 * usize::from(view.unseen & S3 == 0) } else { usize::from(play.has_eight()) };
                let strength = strength(play, view.field.revolution);
                Traits { bond, strength, shape, sure, few_units: few_units(units(rest)), ..traits }
            }
        };
        if play.is_revolution() {
            let high = (rest & columns(10, 13)).count_ones();
            let low = (rest & columns(1, 4)).count_ones();
            traits.turn = 1 + usize::from(high > low) + 2 * usize::from(view.field.revolution);
        }
        traits
    }

    /// Whether a play with these suits, none for the joker, locks.
    #[inline(always)]
    pub fn locks(&self, suits: u8) -> bool {
        self.pass.bond == 1 && suits != 0 && suits == self.view.field.top.suits
    }

    /// Of a single or a group; columns are counted from 0 here.
    #[inline(always)]
    pub fn strength(&self, column: u32) -> usize {
        (if self.view.field.revolution { 13 - column } else { column + 1 }) as usize
    }

    /// Of a single or a group that takes these natural cards of a column.
    #[inline(always)]
    pub fn shape(&self, column: u32, natural: u8) -> usize {
        let suits = (self.view.hand >> (4 * column)) as u8 & 15;
        let breaks = (self.runs >> (4 * column)) as u8 & natural != 0;
        2 * usize::from(ONES[usize::from(suits & !natural)]) + usize::from(breaks)
    }

    /// Of a natural card alone: of this column, and the only one of its suits.
    #[inline(always)]
    pub fn sure(&self, column: u32, suits: u8) -> usize {
        match column + 1 == u32::from(EIGHT) {
            true => 1,
            false if self.joker_unseen => 0,
            false => 2 * usize::from(self.is_unbeatable(column as u8 + 1, suits)),
        }
    }

    /// Cards that are left after a play, 3 at most.
    #[inline(always)]
    pub fn left_after(&self, size: usize) -> usize {
        few(self.size - size)
    }

    /// Units that are left after a single or a group: by one fewer if it takes all of its rank, and no sequence
    /// wants it.
    #[inline(always)]
    pub fn few_units_after(&self, shape: usize) -> usize {
        few_units(self.units - i32::from(shape == 0))
    }

    #[inline(always)]
    pub fn turn_of_s3(&self) -> usize {
        5 + usize::from(self.joker_unseen)
    }

    /// Whether nobody else has a stronger card than this one; the joker is not looked at.
    fn is_unbeatable(&self, column: u8, suits: u8) -> bool {
        let field = self.view.field;
        let beyond = if field.revolution { columns(1, column - 1) } else { columns(column + 1, LAST_COLUMN) };
        let suits = if suits == field.top.suits { of_suits(suits) } else { NATURALS };
        self.view.unseen & beyond & suits == 0
    }
}

/// Natural cards that are part of a sequence of three.
#[inline(always)]
pub(super) fn runs_of(hand: Cards) -> Cards {
    let cards = hand & NATURALS;
    let begins = cards & cards >> 4 & cards >> 8;
    begins | begins << 4 | begins << 8
}

#[inline(always)]
fn few_units(units: i32) -> usize {
    units.clamp(0, 3) as usize
}

/// Twice the columns of a sequence that keep a card in the rest of the hand, 3 at most, and whether a part of another
/// sequence stays behind.
fn shape_of_sequence(play: &Play, rest: Cards, runs: Cards) -> usize {
    let folded = |cards: Cards| (cards | cards >> 1 | cards >> 2 | cards >> 3) & COLUMNS;
    let kept = folded(rest & NATURALS) & folded(play.cards & NATURALS);
    2 * kept.count_ones().min(3) as usize + usize::from(rest & runs != 0)
}

/// A number of cards, 3 at most.
#[inline(always)]
fn few(count: usize) -> usize {
    count.min(3)
}

/// 0 to 14, by the order in force; of a sequence that of its weakest card.
#[inline(always)]
pub(super) fn strength(play: &Play, revolution: bool) -> usize {
    match play.kind {
        Kind::Pass => 0,
        Kind::Joker => 14,
        _ if revolution => 14 - usize::from(play.last_column()),
        _ => usize::from(play.column),
    }
}
