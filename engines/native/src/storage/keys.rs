//! Keys of stored states ("places"): one word, or four for games without a short code.
use super::sort::radix_sort;

/// Four words, most significant first.
pub type Wide = [u64; 4];

/// What tables need of a key. Keys are numbers below 2^key_bits, ordered as such.
pub trait Key: Copy + Ord + Default + Send + Sync + 'static {
    /// 64-bit words of a key in numpy arrays.
    const WORDS: usize;
    /// A cheap hash for a direct-mapped cache.
    fn spread(&self) -> u64;
    /// Sorts and makes unique.
    fn sort_unique(keys: &mut Vec<Self>, scratch: &mut Vec<Self>, key_bits: u32);
    fn from_words(words: &[u64]) -> Self;
    fn push_words(&self, out: &mut Vec<u64>);
}

impl Key for u64 {
    const WORDS: usize = 1;

    #[inline(always)]
    fn spread(&self) -> u64 {
        self.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn sort_unique(keys: &mut Vec<u64>, scratch: &mut Vec<u64>, key_bits: u32) {
        radix_sort(keys, scratch, key_bits);
        keys.dedup();
    }

    fn from_words(words: &[u64]) -> u64 {
        words[0]
    }

    fn push_words(&self, out: &mut Vec<u64>) {
        out.push(*self);
    }
}

impl Key for Wide {
    const WORDS: usize = 4;

    fn spread(&self) -> u64 {
        self.iter().fold(0, |h, w| (h ^ w).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    }

    fn sort_unique(keys: &mut Vec<Wide>, _scratch: &mut Vec<Wide>, _key_bits: u32) {
        keys.sort_unstable();
        keys.dedup();
    }

    fn from_words(words: &[u64]) -> Wide {
        [words[0], words[1], words[2], words[3]]
    }

    fn push_words(&self, out: &mut Vec<u64>) {
        out.extend_from_slice(self);
    }
}

/// Unites sorted lists.
pub fn merge<K: Key>(lists: &[&[K]], key_bits: u32) -> Vec<K> {
    let mut all = Vec::with_capacity(lists.iter().map(|l| l.len()).sum());
    for list in lists {
        all.extend_from_slice(list);
    }
    if lists.len() > 1 {
        K::sort_unique(&mut all, &mut Vec::new(), key_bits);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn radix_sort_is_a_sort(mut keys in prop::collection::vec(0u64..1 << 45, 0..9000), shift in 0u32..40) {
            for key in &mut keys { *key >>= shift; }
            let mut expected = keys.clone();
            expected.sort_unstable();
            expected.dedup();
            u64::sort_unique(&mut keys, &mut Vec::new(), 45);
            prop_assert_eq!(keys, expected);
        }
    }
}
