//! Two-board states as a number: the shape of the order, then where the stacks lie in it.
//!
//! # The shape
//! Two chains A (a cards) and B (b cards) with relations between them: the up-sets of such an order are the lattice
//! points (i, j) ("A from i on and B from j on") of a region between two monotone paths from (a, b) down to (0, 0). The
//! *upper* path takes an A-step (i falls) wherever it can, the *lower* path a B-step (j falls). The cross-section of
//! the region on the antidiagonal i + j = d is an interval of w + 1 points. Going down the antidiagonals from the top, w
//! changes by +1 (upper A, lower B: `WIDEN`), -1 (`NARROW`) or 0 (both A or both B). Where w = 0 the order is cut: the cards
//! above come after all cards below. A shape is the word of these steps.
//!
//! Relabelling cards can only mirror the stretches between two cuts, each by itself (a two-chain order that is not cut has one
//! decomposition into chains up to swapping them). The first step of a stretch that is not its own mirror image decides: the
//! stretch is read so that it is both A. A stretch without such a step is symmetric. Words are numbered by how many are
//! smaller; the automaton's nodes are few (width, and whether the stretch is symmetric so far, read as it stands, or mirrored), so
//! completions are tabulated for every number of antidiagonals left.
//!
//! # The marks
//! A stack is an up-set, so it is a point of the region, here called a mark. Points are numbered antidiagonal by antidiagonal
//! from the top, on each from the upper path of the canonical reading on. Renaming stacks makes the marks a multiset, which has
//! its combinatorial number. In a symmetric stretch the smaller of the multiset and its mirror image counts.
use super::width2::{State, low_mask};

/// Most cards of a state (two boards of twelve).
pub const MAX_CARDS: usize = 24;
/// Most stacks.
pub const MAX_STACKS: usize = 5;
/// Antidiagonals, rounded up to a power of two so that masked indices need no check.
pub const DIAGONALS: usize = 32;
/// Widths run from 0 to 12.
const WIDTHS: usize = 16;
/// Nodes: turn and width.
const NODES: usize = 64;

pub const SYMMETRIC: usize = 0;
const KEPT: usize = 1;
pub const MIRRORED: usize = 2;

/// Steps by the bits of the two paths (0 = A-step, 1 = B-step): upper | lower << 1.
const BOTH_A: usize = 0;
const NARROW: usize = 1;
const WIDEN: usize = 2;
const BOTH_B: usize = 3;

#[inline(always)]
pub fn width_of(node: usize) -> usize {
    node % WIDTHS
}

#[inline(always)]
pub fn turn_of(node: usize) -> usize {
    node / WIDTHS
}

/// The node of the mirror image of a canonical walk.
#[inline(always)]
fn mirrored_node(node: u8) -> u8 {
    if turn_of(node as usize) == KEPT { node + WIDTHS as u8 } else { node }
}

/// The step that two paths take at `t`.
#[inline(always)]
fn step_of(upper: u32, lower: u32, t: usize) -> usize {
    (upper >> t & 1 | (lower >> t & 1) << 1) as usize
}

/// Counted completions of shapes, for all numbers of cards.
pub struct Shapes {
    /// Next node by [node][step]; meaningless where the step is not possible.
    next: [[u8; 4]; NODES],
    /// Shapes numbered before those that take a step, by [antidiagonals left][node][step].
    offset: Vec<[u64; 4]>,
    /// Completions by [antidiagonals left][node].
    completions: Vec<u64>,
}

impl Shapes {
    pub fn new(cards: usize) -> Shapes {
        assert!(cards <= MAX_CARDS);
        let mut next = [[0u8; 4]; NODES];
        for width in 0..WIDTHS - 1 {
            for turn in [SYMMETRIC, KEPT, MIRRORED] {
                // At a cut every stretch begins anew.
                let turn_here = if width == 0 { SYMMETRIC } else { turn };
                let row = &mut next[turn * WIDTHS + width];
                let to = |turn: usize, width: usize| (turn * WIDTHS + width) as u8;
                row[WIDEN] = to(turn_here, width + 1);
                if width == 0 {
                    // A single card has no orientation.
                    row[BOTH_A] = to(SYMMETRIC, 0);
                    row[BOTH_B] = to(SYMMETRIC, 0);
                } else {
                    row[NARROW] = to(if width == 1 { SYMMETRIC } else { turn_here }, width - 1);
                    row[BOTH_A] = to(if turn_here == SYMMETRIC { KEPT } else { turn_here }, width);
                    row[BOTH_B] = to(if turn_here == SYMMETRIC { MIRRORED } else { turn_here }, width);
                }
            }
        }
        let mut shapes =
            Shapes { next, offset: vec![[0; 4]; NODES * (cards + 1)], completions: vec![0; NODES * (cards + 1)] };
        for left in 0..=cards {
            shapes.fill(left);
        }
        shapes
    }

    fn fill(&mut self, left: usize) {
        let row = left * NODES;
        for width in 0..WIDTHS - 1 {
            for turn in [SYMMETRIC, KEPT, MIRRORED] {
                let node = turn * WIDTHS + width;
                if left == 0 {
                    self.completions[node] = u64::from(width == 0);
                    continue;
                }
                // Of two steps that are each other's mirror image one is counted, and both have its number.
                let steps: &[usize] = match (width, turn) {
                    (0, _) => &[BOTH_A, WIDEN],
                    (_, SYMMETRIC) => &[NARROW, BOTH_A, WIDEN],
                    (_, KEPT) => &[NARROW, BOTH_A, BOTH_B, WIDEN],
                    _ => &[NARROW, BOTH_B, BOTH_A, WIDEN],
                };
                let mut total = 0;
                let mut offsets = [0; 4];
                for &step in steps {
                    offsets[step] = total;
                    total += self.completions[row - NODES + self.next[node][step] as usize];
                }
                if steps.len() < 4 {
                    offsets[BOTH_B] = offsets[BOTH_A];
                }
                self.offset[row + node] = offsets;
                self.completions[row + node] = total;
            }
        }
    }

    /// Number of shapes of `cards` cards.
    pub fn count(&self, cards: usize) -> u64 {
        self.completions[cards * NODES]
    }

    /// Takes a step with `left` antidiagonals below: the next node, and what the step adds to the number.
    #[inline(always)]
    pub fn step(&self, left: usize, node: usize, upper: u32, lower: u32, t: usize) -> (usize, u64) {
        let step = step_of(upper, lower, t);
        (self.next[node % NODES][step] as usize, self.offset[left * NODES + node % NODES][step])
    }

    /// Paths (upper, lower) of the shape with this number, as it is read; the number must be below `count(cards)`.
    pub fn paths(&self, cards: usize, number: u64) -> (u32, u32) {
        let (mut node, mut rest) = (0, number);
        let (mut upper, mut lower) = (0u32, 0u32);
        for t in 0..cards {
            let offsets = &self.offset[(cards - t) * NODES + node];
            // In the order of their numbers; a symmetric stretch is never left by both B.
            let kept = width_of(node) > 0 && turn_of(node) == KEPT;
            let step = if rest >= offsets[WIDEN] {
                WIDEN
            } else if kept && rest >= offsets[BOTH_B] {
                BOTH_B
            } else if rest >= offsets[BOTH_A] {
                BOTH_A
            } else {
                NARROW
            };
            rest -= offsets[step];
            upper |= (step as u32 & 1) << t;
            lower |= (step as u32 >> 1) << t;
            node = self.next[node][step] as usize;
        }
        (upper, lower)
    }
}

/// A region between two paths, walked from the top, in whatever orientation it comes.
#[derive(Clone)]
pub struct Region {
    pub cards: usize,
    pub a: u8,
    pub b: u8,
    pub upper: u32,
    pub lower: u32,
    /// The shape's number.
    pub number: u64,
    /// What the steps before each antidiagonal add to the number, with all antidiagonals and with one less below.
    pub sum: [u64; DIAGONALS],
    pub shorter_sum: [u64; DIAGONALS],
    /// The automaton's node on each antidiagonal.
    pub node: [u8; DIAGONALS],
    pub diagonals: Diagonals,
}

/// How points are numbered: for each antidiagonal its first point's number, width and least first coordinate.
#[derive(Clone, Copy)]
pub struct Diagonals {
    pub first: [u8; DIAGONALS],
    pub width: [u8; DIAGONALS],
    pub low: [u8; DIAGONALS],
    /// First antidiagonal of the stretch that an antidiagonal is in (that of the cut above it).
    pub stretch: [u8; DIAGONALS],
    /// Antidiagonals of stretches that are read mirrored.
    pub mirrored: u32,
    /// Antidiagonals, wider than a point, of stretches that are symmetric.
    pub symmetric: u32,
}

impl Region {
    pub fn new(shapes: &Shapes, cards: usize, upper: u32, lower: u32) -> Region {
        let b = upper.count_ones() as u8;
        let mut region = Region {
            cards,
            a: cards as u8 - b,
            b,
            upper,
            lower,
            number: 0,
            sum: [0; DIAGONALS],
            shorter_sum: [0; DIAGONALS],
            node: [0; DIAGONALS],
            diagonals: Diagonals {
                first: [0; DIAGONALS],
                width: [0; DIAGONALS],
                low: [0; DIAGONALS],
                stretch: [0; DIAGONALS],
                mirrored: 0,
                symmetric: 0,
            },
        };
        let (mut node, mut sum, mut shorter, mut low, mut first, mut stretch) = (0, 0u64, 0u64, region.a, 0u8, 0u8);
        for t in 0..=cards {
            region.node[t] = node as u8;
            region.sum[t] = sum;
            region.shorter_sum[t] = shorter;
            let diagonals = &mut region.diagonals;
            diagonals.first[t] = first;
            diagonals.width[t] = width_of(node) as u8;
            diagonals.low[t] = low;
            diagonals.stretch[t] = stretch;
            if t == cards {
                break;
            }
            let (next, offset) = shapes.step(cards - t, node, upper, lower, t);
            sum += offset;
            shorter = shorter.wrapping_add(shapes.step((cards - t) - 1, node, upper, lower, t).1);
            first += width_of(node) as u8 + 1;
            low -= (upper >> t & 1 == 0) as u8;
            if width_of(next) == 0 {
                diagonals.close(turn_of(node), stretch as usize, t);
                stretch = t as u8 + 1;
            }
            node = next;
        }
        region.number = sum;
        region
    }

    /// The same region with its chains exchanged, for a region that is read as it stands.
    pub fn mirrored(&self) -> Region {
        let all = low_mask(self.cards as u32);
        let mut mirrored = self.clone();
        (mirrored.a, mirrored.b) = (self.b, self.a);
        (mirrored.upper, mirrored.lower) = (!self.lower & all, !self.upper & all);
        mirrored.node = self.node.map(mirrored_node);
        let mut low = self.b;
        for t in 0..=self.cards {
            mirrored.diagonals.low[t] = low;
            low -= (mirrored.upper >> t & 1 == 0 && t < self.cards) as u8;
        }
        // What was read as it stands is now read mirrored, except where there is nothing to choose.
        mirrored.diagonals.mirrored = low_mask(self.cards as u32 + 1) & !self.diagonals.symmetric;
        mirrored
    }
}

impl Diagonals {
    /// Ends a stretch at antidiagonal `last`, the cut above it at `begin`.
    #[inline(always)]
    pub fn close(&mut self, turn: usize, begin: usize, last: usize) {
        let inside = low_mask(last as u32 + 1) & !low_mask(begin as u32);
        if turn == MIRRORED {
            self.mirrored |= inside;
        } else if turn == SYMMETRIC {
            self.symmetric |= inside & !(1 << begin);
        }
    }

    /// Number of the point with first coordinate `i` on antidiagonal `t`.
    #[inline(always)]
    pub fn point(&self, t: usize, i: u8) -> u8 {
        let t = t % DIAGONALS;
        let x = i - self.low[t];
        self.first[t] + if self.mirrored >> t & 1 == 1 { self.width[t] - x } else { x }
    }

    /// Makes the marks of symmetric stretches canonical. `points` ascending, `t` their antidiagonals.
    pub fn settle(&self, points: &mut [u8], t: &[u8]) {
        let mut from = 0;
        while from < points.len() {
            let at = t[from] as usize % DIAGONALS;
            if self.symmetric >> at & 1 == 0 {
                from += 1;
                continue;
            }
            // A stretch is a run of set bits: stretches have a cut between them, which is not set.
            let end = at + (self.symmetric >> at).trailing_ones() as usize;
            let to = from + t[from..].iter().take_while(|&&t| (t as usize) < end).count();
            let mut turned = [0u8; MAX_STACKS];
            let count = to - from;
            for (turned, (&point, &t)) in turned.iter_mut().zip(points[from..to].iter().zip(&t[from..to])) {
                let t = t as usize % DIAGONALS;
                *turned = self.first[t] + (self.width[t] - (point - self.first[t]));
            }
            turned[..count].sort_unstable();
            if turned[..count] < points[from..to] {
                points[from..to].copy_from_slice(&turned[..count]);
            }
            from = to;
        }
    }
}

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
    /// Numbers that each shape takes: a power of two, but for a layer that would not fit 64 bits so.
    span: u64,
    key_bits: u32,
    /// Shapes are put in another order. States of a shape lie together, and so do their successors; mixing the
    /// shapes makes shards even.
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
        let mask = low_bits(self.shape_bits);
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
        let mask = low_bits(self.shape_bits);
        let shift = self.shape_bits.div_ceil(2);
        let mut number = (place >> self.span.trailing_zeros()).wrapping_mul(INVERSE) & mask;
        number ^= number >> shift; // undoes itself, since the shift is at least half of the width
        number = number.wrapping_mul(INVERSE) & mask;
        (number, place & (self.span - 1))
    }
}

#[inline(always)]
fn low_bits(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The place of a state in any spelling, by walking all of it.
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
    // What is not canonical, or no number at all, comes back as another place.
    (self::place(shapes, coder, &state, stacks) == place && !state.is_dead(stacks)).then_some(state)
}

/// Coordinates of the points of a region that is read as it stands.
pub struct Points {
    pub count: u8,
    pub i: [u8; 256],
    pub j: [u8; 256],
}

impl Points {
    pub fn new(region: &Region) -> Points {
        let mut points = Points { count: 0, i: [0; 256], j: [0; 256] };
        for t in 0..=region.cards {
            for x in 0..=region.diagonals.width[t] {
                let i = region.diagonals.low[t] + x;
                points.i[points.count as usize] = i;
                points.j[points.count as usize] = (region.cards - t) as u8 - i;
                points.count += 1;
            }
        }
        points
    }
}
