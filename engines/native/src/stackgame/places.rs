//! Two-board states as a number: the shape of the order, then where the stacks lie in it.
//!
//! A stack is an up-set, so it is a point of the region, here called a mark. Renaming stacks makes the marks a multiset,
//! which has its combinatorial number. In a symmetric stretch the smaller of the multiset and its mirror image counts.
use super::region::{Points, Region};
use super::shape::Shapes;
use super::width2::{MAX_STACKS, State};
use crate::storage::bits::mask;

/// C(p + i, i + 1) by [i][p]: the numbers of the multisets of marks.
const MULTISETS: [[u64; 256]; MAX_STACKS] = {
    let mut table = [[0u64; 256]; MAX_STACKS];
    let mut p = 0;
    while p < 256 {
        table[0][p] = p as u64;
        p += 1;
    }
    let mut i = 1;
    while i < MAX_STACKS {
        let mut p = 1;
        while p < 256 {
            table[i][p] = table[i][p - 1] + table[i - 1][p];
            p += 1;
        }
        i += 1;
    }
    table
};

/// Number of an ascending multiset of points.
#[inline(always)]
pub fn number_of_marks(points: &[u8]) -> u64 {
    points.iter().zip(&MULTISETS).map(|(&p, row)| row[p as usize]).sum()
}

/// The ascending multiset with this number, all below `limit` points; fewer numbers than that are not checked.
#[inline(always)]
pub fn marks_of_number(number: u64, stacks: usize, limit: u8) -> [u8; MAX_STACKS] {
    let mut rest = number;
    let mut points = [0; MAX_STACKS];
    let mut below = limit as usize;
    for i in (0..stacks).rev() {
        let row = &MULTISETS[i];
        // The largest point whose number is not above the rest; marks descend from here on.
        let (mut from, mut to) = (0, below);
        while to - from > 1 {
            let middle = (from + to) / 2;
            if row[middle % 256] <= rest { from = middle } else { to = middle }
        }
        points[i] = from as u8;
        rest = rest.wrapping_sub(row[from % 256]);
        below = from + 1;
    }
    points
}

/// Numbers the states of one layer: `shape * span + marks`.
#[derive(Clone, Copy, Debug)]
pub struct Coder {
    shape_bits: u32,
    /// Numbers that each shape takes: a power of two, unless the layer would then not fit into 64 bits.
    span: u64,
    key_bits: u32,
    /// Shapes are put in a mixed order: states of a shape lie together, and so do their successors; with the shapes
    /// mixed, shards have about equally many states.
    mixed: bool,
}

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// The multiplier's inverse modulo 2^64 (and so modulo every smaller power of two), by Newton's iteration.
const INVERSE: u64 = {
    let mut x = MULTIPLIER;
    let mut i = 0;
    while i < 6 {
        x = x.wrapping_mul(2u64.wrapping_sub(MULTIPLIER.wrapping_mul(x)));
        i += 1;
    }
    x
};

impl Coder {
    /// None when shapes and marks together need more than 64 bits.
    pub fn new(shapes: &Shapes, stacks: usize, cards: usize) -> Option<Coder> {
        let points = (cards / 2 + 1) * (cards.div_ceil(2) + 1);
        let bits = |count: u64| (64 - (count - 1).leading_zeros()).max(1);
        let multisets = MULTISETS[stacks - 1][points];
        let shape_bits = bits(shapes.count(cards));
        let key_bits = shape_bits + bits(multisets);
        if key_bits <= 64 {
            return Some(Coder { shape_bits, span: multisets.next_power_of_two().max(2), key_bits, mixed: true });
        }
        let places = shapes.count(cards).checked_mul(multisets)?;
        Some(Coder { shape_bits, span: multisets, key_bits: bits(places), mixed: false })
    }

    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Numbers that each shape takes.
    pub fn span(&self) -> u64 {
        self.span
    }

    /// First place of a shape.
    #[inline(always)]
    pub fn place_of_shape(&self, number: u64) -> u64 {
        if !self.mixed {
            return number * self.span;
        }
        let mask = mask(self.shape_bits);
        let shift = self.shape_bits.div_ceil(2);
        let mut mixed = number.wrapping_mul(MULTIPLIER) & mask;
        mixed ^= mixed >> shift;
        mixed = mixed.wrapping_mul(MULTIPLIER) & mask;
        mixed * self.span
    }

    /// Numbers of a place's shape and marks.
    #[inline(always)]
    pub fn parts(&self, place: u64) -> (u64, u64) {
        if !self.mixed {
            return (place / self.span, place % self.span);
        }
        let mask = mask(self.shape_bits);
        let shift = self.shape_bits.div_ceil(2);
        let mut number = (place >> self.span.trailing_zeros()).wrapping_mul(INVERSE) & mask;
        number ^= number >> shift; // undoes itself, since the shift is at least half of the width
        number = number.wrapping_mul(INVERSE) & mask;
        (number, place & (self.span - 1))
    }
}

/// The place of a state, however its chains and stacks are named, by walking the whole shape.
pub fn place(shapes: &Shapes, coder: &Coder, state: &State, stacks: usize) -> u64 {
    let region = Region::new(shapes, state.cards(), state.upper, state.lower);
    let mut marks = [(0u8, 0u8); MAX_STACKS];
    for (mark, &(i, j)) in marks.iter_mut().zip(&state.marks[..stacks]) {
        let t = region.cards as u8 - i - j;
        *mark = (region.diagonals.point(t as usize, i), t);
    }
    marks[..stacks].sort_unstable();
    let mut points = marks.map(|mark| mark.0);
    region.diagonals.settle(&mut points[..stacks], &marks.map(|mark| mark.1)[..stacks]);
    coder.place_of_shape(region.number) + number_of_marks(&points[..stacks])
}

/// The canonical state at a place; None when no state has it.
pub fn state_at(shapes: &Shapes, coder: &Coder, cards: usize, stacks: usize, place: u64) -> Option<State> {
    if coder.key_bits() < 64 && place >> coder.key_bits() != 0 {
        return None;
    }
    let (shape, marks) = coder.parts(place);
    if shape >= shapes.count(cards) {
        return None;
    }
    let (upper, lower) = shapes.paths(cards, shape);
    let region = Region::new(shapes, cards, upper, lower);
    let points = Points::new(&region);
    let mut state = State { a: region.a, b: region.b, upper, lower, marks: [(0, 0); MAX_STACKS] };
    for (mark, &point) in state.marks.iter_mut().zip(&marks_of_number(marks, stacks, points.count)[..stacks]) {
        *mark = (points.i[point as usize], points.j[point as usize]);
    }
    // A place that is not canonical, or none at all, comes back as another one.
    (self::place(shapes, coder, &state, stacks) == place && !state.is_dead(stacks)).then_some(state)
}
