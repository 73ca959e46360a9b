//! Patterns, their numbers, and what is left of one after a trick.
use std::sync::LazyLock;

const SIZE: usize = 2 * super::CARDS_MAX + 1;

static BINOMIALS: LazyLock<[[u64; SIZE]; SIZE]> = LazyLock::new(|| {
    let mut table = [[0; SIZE]; SIZE];
    for n in 0..SIZE {
        table[n][0] = 1;
        for k in 1..=n {
            table[n][k] = table[n - 1][k - 1] + if k < n { table[n - 1][k] } else { 0 };
        }
    }
    table
});

pub fn binomial(n: usize, k: usize) -> u64 {
    BINOMIALS[n][k]
}

/// Number of patterns with `cards` cards each.
pub fn patterns_count(cards: usize) -> u64 {
    binomial(2 * cards, cards)
}

/// The pattern after the exchange of the hands.
pub fn exchanged(pattern: u32, cards: usize) -> u32 {
    !pattern & mask(2 * cards)
}

fn mask(bits: usize) -> u32 {
    ((1u64 << bits) - 1) as u32
}

/// The pattern without the bits `x` and `y`, those above them moved down.
#[inline(always)]
pub fn without(pattern: u32, x: u32, y: u32) -> u32 {
    let (low, high) = if x < y { (x, y) } else { (y, x) };
    let once = squeezed(pattern, high);
    squeezed(once, low)
}

#[inline(always)]
fn squeezed(pattern: u32, bit: u32) -> u32 {
    let below = (1u32 << bit) - 1;
    (pattern & below) | ((pattern >> 1) & !below)
}

/// Numbers of the patterns of one layer: the set bit at position p with c set bits below it counts C(p, c + 1).
pub struct Ranks {
    cards: usize,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Ranks {
    pub fn new(cards: usize) -> Ranks {
        // Both halves have `cards` bits; the set bits below the upper half are those that are not in it.
        let half = 1usize << cards;
        let term = |bits: usize, offset: usize, below: usize| -> u32 {
            let (mut sum, mut count) = (0, below);
            for bit in (0..cards).filter(|bit| bits >> bit & 1 == 1) {
                count += 1;
                sum += if count < SIZE { binomial(offset + bit, count) } else { 0 };
            }
            sum as u32
        };
        let low = (0..half).map(|bits| term(bits, 0, 0)).collect();
        let high = (0..half).map(|bits| term(bits, cards, cards - bits.count_ones() as usize)).collect();
        Ranks { cards, low, high }
    }

    #[inline(always)]
    pub fn rank(&self, pattern: u32) -> usize {
        let low = pattern & mask(self.cards);
        self.low[low as usize] as usize + self.high[(u64::from(pattern) >> self.cards) as usize] as usize
    }
}

/// The pattern with this number.
pub fn pattern_at(cards: usize, mut rank: u64) -> u32 {
    let mut pattern = 0;
    let mut bit = 2 * cards;
    for count in (1..=cards).rev() {
        bit -= 1;
        while binomial(bit, count) > rank {
            bit -= 1;
        }
        rank -= binomial(bit, count);
        pattern |= 1 << bit;
    }
    pattern
}

/// The next pattern with as many set bits; the last one has none (what is returned then is no pattern).
#[inline(always)]
pub fn next_pattern(pattern: u32) -> u32 {
    if pattern == 0 {
        return 0;
    }
    let pattern = u64::from(pattern);
    let lowest = pattern & pattern.wrapping_neg();
    let carried = pattern + lowest;
    (carried | (((pattern ^ carried) >> 2) / lowest)) as u32
}
