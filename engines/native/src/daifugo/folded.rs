//! A policy's weights as playouts need them: what belongs together folded into one number.
use super::cards::EIGHT;
use super::features::{CLASSES, Class, Context, Features, RIVALS, STAGES, Traits};

/// A play's share is a product of three numbers.
#[derive(Clone, PartialEq)]
pub struct Folded {
    /// By class, bond and strength on top: rows by strength and shape.
    strengths: Vec<[f32; 128]>,
    /// By class, lead or answer, rivals and stage: rows by quarter.
    stages: Vec<[f32; 4]>,
    /// By turn, joker, and lead or answer: rows by `sure`, units and cards that are left.
    ends: Vec<[f32; 48]>,
}

impl Folded {
    /// `factor`: the product of what some groups have for a play.
    pub fn new(factor: impl Fn(&Features, std::ops::Range<usize>) -> f32) -> Folded {
        const ALL: [Class; CLASSES] = [
            Class::PassOnSingle,
            Class::Single,
            Class::Pair,
            Class::LargerGroup,
            Class::Sequence,
            Class::LoneJoker,
            Class::PassOnOther,
        ];
        let usual = Traits::default();
        let strengths = |place: usize| {
            let (class, bond, top_strength) = (ALL[place / 64], place / 16 % 4, place % 16);
            std::array::from_fn(|cell| {
                let traits = Traits { class, bond, top_strength, strength: cell / 8, shape: cell % 8, ..usual };
                factor(&traits.features(), 0..3)
            })
        };
        let stages = |place: usize| {
            let (class, bond) = (ALL[place / (2 * RIVALS * STAGES)], place / (RIVALS * STAGES) % 2);
            let (rivals, stage) = (place / STAGES % RIVALS, place % STAGES);
            std::array::from_fn(|quarter| {
                factor(&Traits { class, bond, rivals, stage, strength: 4 * quarter, ..usual }.features(), 3..5)
            })
        };
        let ends = |place: usize| {
            let (turn, joker, bond) = (place / 4, place / 2 % 2, place % 2);
            std::array::from_fn(|cell| {
                let (sure, few_units, left) = (cell / 16, cell / 4 % 4, cell % 4);
                factor(&Traits { turn, joker, bond, sure, few_units, left, ..usual }.features(), 5..7)
            })
        };
        Folded {
            strengths: (0..CLASSES * 64).map(strengths).collect(),
            stages: (0..CLASSES * 2 * RIVALS * STAGES).map(stages).collect(),
            ends: (0..8 * 4).map(ends).collect(),
        }
    }

    /// What a play's chance is in proportion to.
    #[inline(always)]
    pub fn share(&self, traits: &Traits) -> f32 {
        let Traits { class, bond, top_strength, strength, shape, sure, few_units, left, .. } = *traits;
        self.strengths(class, bond, top_strength)[(8 * strength + shape) & 127]
            * self.stages(traits)[(strength / 4) & 3]
            * self.ends(traits)[sure * 16 + few_units * 4 + left]
    }

    #[inline(always)]
    fn strengths(&self, class: Class, bond: usize, top_strength: usize) -> &[f32; 128] {
        &self.strengths[(class as usize * 4 + bond) * 16 + top_strength]
    }

    #[inline(always)]
    fn stages(&self, traits: &Traits) -> &[f32; 4] {
        let class = traits.class as usize;
        &self.stages[((class * 2 + traits.answer()) * RIVALS + traits.rivals) * STAGES + traits.stage]
    }

    #[inline(always)]
    fn ends(&self, traits: &Traits) -> &[f32; 48] {
        &self.ends[(traits.turn * 2 + traits.joker) * 2 + traits.answer()]
    }
}

/// The shares of singles, or of groups of one size up to three, of a turn.
pub struct Alike<'a> {
    context: &'a Context<'a>,
    is_single: bool,
    /// Those that do not lock, and those that do.
    strengths: [&'a [f32; 128]; 2],
    stages: [f32; 4],
    /// By `sure`; those that leave as many units, and those that leave one fewer.
    ends: [[f32; 4]; 2],
}

impl<'a> Alike<'a> {
    #[inline(always)]
    pub fn new(folded: &'a Folded, context: &'a Context<'a>, class: Class, size: usize, joker: bool) -> Alike<'a> {
        let traits = Traits { class, joker: usize::from(joker), ..context.pass };
        let Traits { bond, top_strength, .. } = traits;
        let (row, left) = (folded.ends(&traits), context.left_after(size));
        let ends = |shape| {
            let place = context.few_units_after(shape) * 4 + left;
            [row[place], row[16 + place], row[32 + place], 0.0]
        };
        let locking = bond + usize::from(bond == 1);
        Alike {
            context,
            is_single: class == Class::Single,
            strengths: [bond, locking].map(|bond| folded.strengths(class, bond, top_strength)),
            stages: *folded.stages(&traits),
            ends: [ends(1), ends(0)],
        }
    }

    /// Of the play that has these natural cards, and these suits, of a column, counted from 0. Not of S3.
    #[inline(always)]
    pub fn share(&self, column: u32, natural: u8, suits: u8) -> f32 {
        let strength = self.context.strength(column);
        let shape = self.context.shape(column, natural);
        let sure = match self.is_single {
            true => self.context.sure(column, natural),
            false => usize::from(column + 1 == u32::from(EIGHT)),
        };
        self.strengths[usize::from(self.context.locks(suits))][(8 * strength + shape) & 127]
            * self.stages[(strength / 4) & 3]
            * self.ends[usize::from(shape == 0)][sure & 3]
    }
}
