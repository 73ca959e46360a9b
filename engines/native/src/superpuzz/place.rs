//! Where a state belongs in a table, and how a slot says which state it holds.
use super::key::Key;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A slot, from the lowest bit: tag, how often it was passed on, low bits of the place, `high + 1`. 0 is an empty slot.
pub const TAG_BITS: u32 = 2;
const PASSES_BITS: u32 = 5;
pub const META_BITS: u32 = TAG_BITS + PASSES_BITS;
pub const TAG_MASK: u64 = (1 << TAG_BITS) - 1;
/// How often a state may be passed on, and how many buckets it may lie past its home; a table has as many more than it
/// has homes.
pub const MAX_PASSES: usize = (1 << PASSES_BITS) - 1;
/// Most homes: places are 32 bits wide.
pub const MAX_HOMES: u64 = 1 << 32;

/// A word that says which state it holds. Wider ones have room for keys of more bits.
pub trait Slot:
    Copy
    + Eq
    + From<u64>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const BITS: u32;
    /// As many as fill a cache line.
    const IN_BUCKET: usize;

    /// The lowest 64 bits.
    fn low(self) -> u64;
}

impl Slot for u64 {
    const BITS: u32 = u64::BITS;
    const IN_BUCKET: usize = 8;

    #[inline(always)]
    fn low(self) -> u64 {
        self
    }
}

impl Slot for u128 {
    const BITS: u32 = u128::BITS;
    const IN_BUCKET: usize = 4;

    #[inline(always)]
    fn low(self) -> u64 {
        self as u64
    }
}

/// Where a state belongs.
#[derive(Clone, Copy, Default)]
pub struct Place {
    pub place: u32,
    pub high: u64,
}

impl Place {
    /// Mixes a key; invertible, since `low` passes through invertible steps and an exclusive or with a function of `high`.
    #[inline(always)]
    #[must_use]
    pub fn of(key: Key) -> Place {
        let mut low = key.low;
        low = (low ^ low >> 16).wrapping_mul(0x85EB_CA6B);
        low = (low ^ low >> 13).wrapping_mul(0xC2B2_AE35);
        let mut fold = key.high.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        fold = (fold ^ fold >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Place { place: low ^ low >> 16 ^ (fold >> 32) as u32, high: key.high }
    }
}

/// Homes and how they follow from places.
#[derive(Clone, Copy)]
pub struct Shape {
    pub homes: u64,
    pub low_bits: u32,
}

impl Shape {
    pub fn new(homes: u64) -> Shape {
        let places = MAX_HOMES.div_ceil(homes);
        Shape { homes, low_bits: places.next_power_of_two().trailing_zeros() }
    }

    /// Bits of `high` that fit; one value is lost to `high + 1`.
    pub fn high_bits<S: Slot>(&self) -> u32 {
        (S::BITS - META_BITS - self.low_bits - 1).min(u64::BITS - 1)
    }

    #[inline(always)]
    pub fn home(&self, place: u32) -> usize {
        ((u64::from(place) * self.homes) >> 32) as usize
    }

    /// The first place of a home.
    pub fn first_place(&self, home: usize) -> u64 {
        ((home as u64) << 32).div_ceil(self.homes)
    }

    /// The place with these low bits, from the first place of its home on.
    #[inline(always)]
    pub fn place(&self, first: u64, low: u64) -> u32 {
        (first + (low.wrapping_sub(first) & ((1 << self.low_bits) - 1))) as u32
    }

    #[inline(always)]
    pub fn slot<S: Slot>(&self, at: Place) -> S {
        let low = u64::from(at.place) & ((1 << self.low_bits) - 1);
        (S::from(at.high + 1) << self.low_bits | S::from(low)) << META_BITS
    }

    pub fn buckets(&self) -> usize {
        self.homes as usize + MAX_PASSES
    }
}

/// Buckets past home after so many passes: each value once for each slot.
#[inline(always)]
pub fn offset<S: Slot>(slot: S, passes: usize) -> usize {
    let stride = ((slot >> META_BITS).low() as usize) << 1 | 1;
    (passes * (stride & MAX_PASSES)) & MAX_PASSES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_from_homes() {
        for homes in [256, 257, 1000, 4097, 3 << 20, (1 << 31) + 12345, MAX_HOMES] {
            let shape = Shape::new(homes);
            for i in 0..2000u32 {
                for place in [i, u32::MAX - i, i.wrapping_mul(0x9E37_79B9)] {
                    let low = u64::from(place) & ((1 << shape.low_bits) - 1);
                    assert_eq!(shape.place(shape.first_place(shape.home(place)), low), place);
                }
            }
        }
    }

    #[test]
    fn a_full_bucket_passes_on_to_every_one_near() {
        for body in 0..64u64 {
            let reached = (0..=MAX_PASSES).fold(0u32, |set, passes| set | 1 << offset(body << META_BITS, passes));
            assert_eq!((reached, offset(body << META_BITS, 0)), (u32::MAX, 0));
        }
    }
}
