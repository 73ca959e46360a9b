//! Hash tables by keys of one word, and a number for those of two.
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub type WordMap<Value> = HashMap<u64, Value, BuildHasherDefault<WordHasher>>;

/// One multiplication; the upper half of the product is mixed into the lower one, since tables take the lowest bits.
#[derive(Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are words")
    }

    fn write_u64(&mut self, word: u64) {
        let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = product ^ product >> 32;
    }
}

/// A number made of two words; tables take its lowest bits.
#[inline(always)]
#[must_use]
pub fn of_two(first: u64, second: u64) -> u64 {
    let mixed = first.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 31 ^ second).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ mixed >> 32
}
