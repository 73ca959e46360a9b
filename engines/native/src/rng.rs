//! The only source of random numbers: ChaCha8, keyed by the seed, one stream for each item.
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Random numbers of item `stream` under `seed`; the same on every platform and in every release.
pub struct Stream(ChaCha8Rng);

impl Stream {
    pub fn new(seed: u64, stream: u64) -> Stream {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Stream(generator)
    }

    /// A number below `bound`, each as likely: the upper half of a 32 x 32 bit product, with rejection.
    pub fn below(&mut self, bound: u32) -> u32 {
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(bound);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// Fisher-Yates from the last place down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_large_bound_are_as_likely() {
        // Four words would map to three numbers: without rejection one of these would come twice as often.
        let mut stream = Stream::new(1, 0);
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            counts[stream.below(3 << 30) as usize % 3] += 1;
        }
        // Five standard deviations of a third of 30,000.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 409), "{counts:?}");
    }
}
