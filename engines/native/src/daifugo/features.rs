//! Features of plays, for a policy to learn from: a place in each of `GROUPS`.
use super::cards::{COLUMNS, Cards, JOKER, NATURALS, S3, columns, of_suits, suits_at};
use super::field::Field;
use super::play::{Kind, Play};
use super::players::rule::{View, units};

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
pub const STARTS: [usize; GROUPS_COUNT] = {
    let (mut starts, mut group) = ([0; GROUPS_COUNT], 1);
    while group < GROUPS_COUNT {
        starts[group] = starts[group - 1] + GROUPS[group - 1].1;
        group += 1;
    }
    starts
};
/// How many bits four bits have: processors of the least kind have no instruction for it.
const ONES: [u32; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
/// Places of a play's features among the weights.
pub type Features = [u16; GROUPS_COUNT];

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
