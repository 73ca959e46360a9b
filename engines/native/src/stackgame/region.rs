//! The region of a two-board state's shape: its points, and how they are numbered.
//!
//! Points are numbered antidiagonal by antidiagonal from the top, on each from the upper path of the canonical reading on.
use super::shape::{MIRRORED, SYMMETRIC, Shapes, mirrored_node, turn_of, width_of};
use super::width2::{MAX_STACKS, low_mask};

/// Antidiagonals, rounded up to a power of two so that masked indices need no check.
pub const DIAGONALS: usize = 32;

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
        // Stretches that were read as they stand are now read mirrored, except those that are symmetric.
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
