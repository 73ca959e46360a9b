//! Where the values of a layer are, and reading them in place.
//!
//! A layer has, for each pattern in turn, one value of a byte for each choice of point cards: how many (j) and, for
//! `Anywhere`, how many cards are above them (u). Values of a pattern are in rows: of u = 0, 1, ... one after another,
//! each with j = 0, 1, ... as far as there are cards.
use super::pattern::patterns_count;
use crate::storage::bytes::Bytes;
use crate::storage::damaged::Damaged;
use crate::storage::layout::{CODEC_INDEX, HEADER, Layout};
use crate::storage::values::ValueType;

/// Which cards are the point cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    /// The j highest of the cards left.
    Highest,
    /// The j lowest.
    Lowest,
    /// Any j consecutive ones, below u others.
    Anywhere,
}

impl Points {
    pub fn parse(name: &str) -> Option<Points> {
        match name {
            "highest" => Some(Points::Highest),
            "lowest" => Some(Points::Lowest),
            "anywhere" => Some(Points::Anywhere),
            _ => None,
        }
    }

    /// Rows of a pattern.
    pub fn rows_count(self, cards: usize) -> usize {
        if self == Points::Anywhere { 2 * cards + 1 } else { 1 }
    }

    /// Where the row of `above` begins among the values of a pattern.
    #[inline(always)]
    pub fn row_begin(self, cards: usize, above: usize) -> usize {
        if self == Points::Anywhere { above * (2 * cards + 1) - above * above.saturating_sub(1) / 2 } else { 0 }
    }

    /// Values of a pattern.
    pub fn stride(self, cards: usize) -> usize {
        if self == Points::Anywhere { (2 * cards + 1) * (cards + 1) } else { 2 * cards + 1 }
    }

    /// Number of the value of a pattern; None when there are not so many cards.
    pub fn place(self, cards: usize, above: usize, count: usize) -> Option<usize> {
        let fits = above + count <= 2 * cards
            && match self {
                Points::Highest => above == 0,
                Points::Lowest => above + count == 2 * cards,
                Points::Anywhere => true,
            };
        fits.then(|| self.row_begin(cards, above) + count)
    }
}

/// A finished layer: blocks of values without keys (storage/FORMAT.md, codec 3), each of the same number of patterns.
pub struct Layer<B> {
    pub points: Points,
    pub cards: usize,
    blocks: Vec<B>,
    block_patterns_log2: u32,
    stride: usize,
}

impl<B: Bytes> Layer<B> {
    /// `blocks`: all blocks of the layer in order, of `1 << block_patterns_log2` patterns each, the last one shorter.
    /// An error names the block.
    pub fn new(points: Points, cards: usize, block_patterns_log2: u32, blocks: Vec<B>) -> Result<Layer<B>, Damaged> {
        let stride = points.stride(cards);
        let patterns = patterns_count(cards);
        let wanted = patterns.div_ceil(1 << block_patterns_log2) as usize;
        if blocks.len() != wanted {
            let reason = format!("there are {} blocks of {wanted}", blocks.len());
            return Err(Damaged { block: blocks.len().min(wanted), reason });
        }
        for (number, block) in blocks.iter().enumerate() {
            let first = (number as u64) << block_patterns_log2;
            let count = (patterns - first).min(1 << block_patterns_log2);
            check(block.bytes(), first * stride as u64, count * stride as u64)
                .map_err(|reason| Damaged { block: number, reason })?;
        }
        Ok(Layer { points, cards, blocks, block_patterns_log2, stride })
    }

    /// The row that begins at `row_begin` of a pattern, from place 2 on; what lies before and after it means nothing.
    #[inline(always)]
    pub fn row<const L: usize>(&self, rank: usize, row_begin: usize, out: &mut [u8; L]) {
        let block = self.blocks[rank >> self.block_patterns_log2].bytes();
        let within = rank & ((1 << self.block_patterns_log2) - 1);
        let begin = HEADER + within * self.stride + row_begin - 2;
        match block.get(begin..begin + L) {
            Some(values) => out.copy_from_slice(values),
            None => {
                let rest = &block[begin..];
                out[..rest.len()].copy_from_slice(rest);
            }
        }
    }

    /// The value at one place of every pattern.
    pub fn column(&self, place: usize) -> Vec<u8> {
        let patterns = patterns_count(self.cards) as usize;
        let mut values = Vec::with_capacity(patterns);
        for (number, block) in self.blocks.iter().enumerate() {
            let first = number << self.block_patterns_log2;
            let count = (patterns - first).min(1 << self.block_patterns_log2);
            let bytes = &block.bytes()[HEADER..];
            values.extend((0..count).map(|within| bytes[within * self.stride + place]));
        }
        values
    }
}

impl Layer<Vec<u8>> {
    /// A layer in memory, in one block.
    pub fn of_values(points: Points, cards: usize, values: &[u8]) -> Layer<Vec<u8>> {
        let block = [&[0; HEADER], values].concat();
        let block_patterns_log2 = u64::BITS - patterns_count(cards).leading_zeros();
        Layer { points, cards, blocks: vec![block], block_patterns_log2, stride: points.stride(cards) }
    }

    pub fn value(&self, rank: usize, place: usize) -> u8 {
        self.blocks[0][HEADER + rank * self.stride + place]
    }
}

/// Header, checksum and extent of a block of values without keys.
fn check(block: &[u8], first: u64, count: u64) -> Result<(), String> {
    let layout = Layout::parse(block)?;
    layout.check(block)?;
    if layout.codec != CODEC_INDEX || layout.value_type != ValueType::U8 {
        return Err("does not hold bytes at an index".into());
    }
    if layout.count as u64 != count || layout.first != first {
        return Err(format!("does not hold {count} values from index {first} on"));
    }
    Ok(())
}
