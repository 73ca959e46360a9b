//! A layer's values from the layer below it: maxima over Left's cards of minima over Right's.
//!
//! Cards of one player that follow one another are worth the same as long as they are of one class (point card or
//! not), so of a run only the highest and the lowest card are tried, and the first point card where the run begins
//! above it. All numbers of point cards of a row are computed at once, side by side in the lanes of a vector.
use super::layer::{Layer, Points};
use super::pattern::{Ranks, next_pattern, pattern_at, patterns_count, without};
use crate::storage::bytes::Bytes;

/// Patterns between two looks at whether to go on.
const CHECK_PATTERNS: usize = 1 << 12;
/// For a card that is no point card however many there are.
const NEVER: u8 = u8::MAX;

/// A run of one player's cards, as ranks from 0.
#[derive(Clone, Copy, Default)]
struct Run {
    high: u32,
    low: u32,
}

/// A card that stands for others.
#[derive(Clone, Copy, Default)]
struct Card {
    /// A point card when there are more point cards than this.
    threshold: u8,
    /// 1 for a card above the point cards.
    above: usize,
}

/// What every layer and pattern is evaluated with.
pub struct Evaluator<'a, B> {
    /// None: the layer of no cards.
    pub below: Option<&'a Layer<B>>,
    pub points: Points,
    /// Point cards are to be avoided.
    pub fewest: bool,
    pub cards: usize,
    ranks: Ranks,
}

impl<'a, B: Bytes> Evaluator<'a, B> {
    pub fn new(points: Points, fewest: bool, cards: usize, below: Option<&'a Layer<B>>) -> Evaluator<'a, B> {
        Evaluator { below, points, fewest, cards, ranks: Ranks::new(cards - 1) }
    }

    /// Values of the patterns numbered `first` to `first + count - 1`; None when `go_on` said no.
    pub fn values(&self, first: u64, count: usize, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<u8>> {
        match (2 * self.cards + 1, self.fewest) {
            (..=16, false) => self.run::<16, 18, false>(first, count, go_on),
            (..=16, true) => self.run::<16, 18, true>(first, count, go_on),
            (17..=32, false) => self.run::<32, 34, false>(first, count, go_on),
            (17..=32, true) => self.run::<32, 34, true>(first, count, go_on),
            (_, false) => self.run::<48, 50, false>(first, count, go_on),
            (_, true) => self.run::<48, 50, true>(first, count, go_on),
        }
    }

    fn run<const W: usize, const L: usize, const FEWEST: bool>(
        &self,
        first: u64,
        count: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<u8>> {
        let stride = self.points.stride(self.cards);
        let mut values = vec![0u8; count * stride];
        let mut pattern = pattern_at(self.cards, first);
        for (number, out) in values.chunks_exact_mut(stride).enumerate() {
            if number % CHECK_PATTERNS == 0 && !go_on() {
                return None;
            }
            self.pattern::<W, L, FEWEST>(pattern, out);
            pattern = next_pattern(pattern);
        }
        Some(values)
    }

    fn pattern<const W: usize, const L: usize, const FEWEST: bool>(&self, pattern: u32, out: &mut [u8]) {
        let (mine, theirs) = (self.runs(pattern, 1), self.runs(pattern, 0));
        let last = patterns_count(self.cards - 1) as usize - 1;
        let mut below = [[0usize; 16]; 16];
        for (x, a) in mine.0[..mine.1].iter().enumerate() {
            for (y, b) in theirs.0[..theirs.1].iter().enumerate() {
                let rank = self.ranks.rank(without(pattern, a.high, b.high));
                below[x][y] = if a.high > b.high { rank } else { last - rank };
            }
        }
        for above in 0..self.points.rows_count(self.cards) {
            let mut best = [if FEWEST { u8::MAX } else { 0 }; W];
            for (x, a) in mine.0[..mine.1].iter().enumerate() {
                let (leads, leads_count) = self.cards_of(*a, above);
                let mut worst = [[if FEWEST { 0 } else { u8::MAX }; W]; 3];
                for (y, b) in theirs.0[..theirs.1].iter().enumerate() {
                    let (replies, replies_count) = self.cards_of(*b, above);
                    for (lead, worst) in leads[..leads_count].iter().zip(&mut worst) {
                        for reply in &replies[..replies_count] {
                            let mut row = [0u8; L];
                            if let Some(layer) = self.below {
                                let left = above - lead.above - reply.above;
                                layer.row(below[x][y], self.points.row_begin(self.cards - 1, left), &mut row);
                            }
                            let (low, high) =
                                (lead.threshold.min(reply.threshold), lead.threshold.max(reply.threshold));
                            if a.high > b.high {
                                take::<W, L, FEWEST, true>(&row, low, high, worst);
                            } else {
                                take::<W, L, FEWEST, false>(&row, low, high, worst);
                            }
                        }
                    }
                }
                for worst in &worst[..leads_count] {
                    for j in 0..W {
                        best[j] = if FEWEST { best[j].min(worst[j]) } else { best[j].max(worst[j]) };
                    }
                }
            }
            let begin = self.points.row_begin(self.cards, above);
            let count = 2 * self.cards + 1 - if self.points == Points::Anywhere { above } else { 0 };
            out[begin..begin + count].copy_from_slice(&best[..count]);
        }
    }

    /// The runs of set (`owner` 1) or clear bits, and how many there are.
    fn runs(&self, pattern: u32, owner: u32) -> ([Run; 16], usize) {
        let mut runs = [Run::default(); 16];
        let (mut count, mut inside) = (0, false);
        for bit in 0..2 * self.cards as u32 {
            if pattern >> bit & 1 != owner {
                inside = false;
                continue;
            }
            if !inside {
                runs[count].low = bit;
                count += 1;
                inside = true;
            }
            runs[count - 1].high = bit;
        }
        (runs, count)
    }

    /// Cards that stand for all of a run, and how many there are.
    #[inline(always)]
    fn cards_of(&self, run: Run, above: usize) -> ([Card; 3], usize) {
        let mut cards = [self.card(run.high, above), self.card(run.low, above), Card::default()];
        let mut count = if run.high == run.low { 1 } else { 2 };
        if count == 2 && cards[0].above == 1 && cards[1].above == 0 {
            cards[2] = Card { threshold: 0, above: 0 };
            count = 3;
        }
        (cards, count)
    }

    #[inline(always)]
    fn card(&self, bit: u32, above: usize) -> Card {
        let from_top = 2 * self.cards - 1 - bit as usize;
        match self.points {
            Points::Lowest => Card { threshold: bit as u8, above: 0 },
            _ if from_top < above => Card { threshold: NEVER, above: 1 },
            _ => Card { threshold: (from_top - above) as u8, above: 0 },
        }
    }
}

/// Compares a trick with the reply that is worst so far, for every number j of point cards.
///
/// Both cards are point cards when j is above `high`, one of them when it is above `low`. `row` has the values below
/// from its place 2 on, of Left's hand when Left won (`WON`) and of Right's when Right did, who leads next.
#[inline(always)]
fn take<const W: usize, const L: usize, const FEWEST: bool, const WON: bool>(
    row: &[u8; L],
    low: u8,
    high: u8,
    worst: &mut [u8; W],
) {
    for j in 0..W {
        let count = j as u8;
        let (none, one, two) = if WON {
            (row[j + 2], row[j + 1].wrapping_add(1), row[j].wrapping_add(2))
        } else {
            (
                count.wrapping_sub(row[j + 2]),
                count.wrapping_sub(1).wrapping_sub(row[j + 1]),
                count.wrapping_sub(2).wrapping_sub(row[j]),
            )
        };
        let value = if count <= low {
            none
        } else if count <= high {
            one
        } else {
            two
        };
        worst[j] = if FEWEST { worst[j].max(value) } else { worst[j].min(value) };
    }
}
