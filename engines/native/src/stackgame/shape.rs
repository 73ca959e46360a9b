//! The shape of a two-board state's order, and its number.
//!
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
use super::width2::MAX_CARDS;

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
pub fn mirrored_node(node: u8) -> u8 {
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
