//! Look-ups in one finished layer: the blocks of all its shards, read in place.
use crate::block::{BlockKey, Layout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that stay where they are, unchanged, as long as their owner lives (a mapped file, an array).
pub trait Bytes: Send + Sync {
    fn bytes(&self) -> &[u8];
}

impl Bytes for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

struct Block<B> {
    owner: B,
    layout: Layout,
    /// Set once the checksum was found right in this process.
    checked: AtomicBool,
}

/// A damaged block: its number among those given, and what is wrong with it.
#[derive(Debug)]
pub struct Damaged {
    pub block: usize,
    pub reason: String,
}

/// The blocks of a layer in the order of their keys.
pub struct Reader<K, B> {
    key_bits: u32,
    blocks: Vec<Block<B>>,
    last: Vec<K>,
    /// First block that may hold a key with these top bits.
    jump: Vec<u32>,
    jump_bits: u32,
}

/// Index of a key not in the table.
const ABSENT: u32 = u32::MAX;
/// Keys that are looked up side by side.
const CHUNK: usize = 64;

impl<K: BlockKey, B: Bytes> Reader<K, B> {
    /// `blocks` in ascending order of their keys; headers are checked now, checksums when a block is first read.
    pub fn new(key_bits: u32, owners: Vec<B>) -> Result<Reader<K, B>, Damaged> {
        let mut blocks = Vec::with_capacity(owners.len());
        let mut last: Vec<K> = Vec::with_capacity(owners.len());
        for (number, owner) in owners.into_iter().enumerate() {
            let damaged = |reason: String| Damaged { block: number, reason };
            let layout = Layout::parse(owner.bytes()).map_err(damaged)?;
            if layout.codec != K::CODEC || u32::from(layout.key_bits) != key_bits {
                return Err(damaged(format!("holds keys of {} bits, {key_bits} expected", layout.key_bits)));
            }
            let block_last = K::last(&layout, owner.bytes());
            if last.last().is_some_and(|before| *before >= block_last) {
                return Err(damaged("blocks out of order".into()));
            }
            last.push(block_last);
            blocks.push(Block { owner, layout, checked: AtomicBool::new(false) });
        }
        let jump_bits = (blocks.len() as u32 * 4).next_power_of_two().ilog2().min(key_bits);
        let slots = 1usize << jump_bits;
        let mut jump = Vec::with_capacity(slots);
        let mut block = 0;
        for slot in 0..slots {
            while block < blocks.len() && last[block].top(key_bits, jump_bits) < slot {
                block += 1;
            }
            jump.push(block as u32);
        }
        Ok(Reader { key_bits, blocks, last, jump, jump_bits })
    }

    pub fn count(&self) -> usize {
        self.blocks.iter().map(|b| b.layout.count).sum()
    }

    /// The checked layout and bytes of a block.
    #[inline(always)]
    fn block(&self, number: usize) -> Result<(&Layout, &[u8]), Damaged> {
        let block = &self.blocks[number];
        if !block.checked.load(Ordering::Relaxed) {
            self.check(number)?;
        }
        Ok((&block.layout, block.owner.bytes()))
    }

    #[cold]
    fn check(&self, number: usize) -> Result<(), Damaged> {
        let block = &self.blocks[number];
        block.layout.check(block.owner.bytes()).map_err(|reason| Damaged { block: number, reason })?;
        block.checked.store(true, Ordering::Relaxed);
        Ok(())
    }

    #[inline(always)]
    fn block_of(&self, key: &K) -> usize {
        // A key that has more bits than the layer's is in no block.
        let Some(&first) = self.jump.get(key.top(self.key_bits, self.jump_bits)) else { return self.last.len() };
        let mut block = first as usize;
        while block < self.last.len() && self.last[block] < *key {
            block += 1;
        }
        block
    }

    /// Values of `keys` in their order; NaN where a key is not in the layer.
    pub fn lookup(&self, keys: &[K], values: &mut [f64]) -> Result<(), Damaged> {
        // With many keys a block, going block by block saves most of the address translation.
        const KEYS_A_BLOCK: usize = 8;
        if keys.len() < KEYS_A_BLOCK * self.blocks.len().max(64) {
            let mut numbers = [0u32; CHUNK];
            for (keys, values) in keys.chunks(CHUNK).zip(values.chunks_mut(CHUNK)) {
                for (key, number) in keys.iter().zip(&mut numbers) {
                    *number = self.block_of(key) as u32;
                }
                self.lookup_chunk(&numbers, keys, values)?;
            }
            return Ok(());
        }
        let numbers: Vec<u32> = keys.iter().map(|key| self.block_of(key) as u32).collect();
        let mut ends = vec![0usize; self.blocks.len() + 2];
        for &number in &numbers {
            ends[number as usize + 1] += 1;
        }
        for number in 1..ends.len() {
            ends[number] += ends[number - 1];
        }
        let mut order = vec![0u32; keys.len()];
        for (index, &number) in numbers.iter().enumerate() {
            let end = &mut ends[number as usize];
            order[*end] = index as u32;
            *end += 1;
        }
        let (mut chunk_numbers, mut chunk_keys, mut chunk_values) =
            ([0u32; CHUNK], [K::default(); CHUNK], [0.0; CHUNK]);
        for indices in order.chunks(CHUNK) {
            for (slot, &index) in indices.iter().enumerate() {
                chunk_numbers[slot] = numbers[index as usize];
                chunk_keys[slot] = keys[index as usize];
            }
            self.lookup_chunk(&chunk_numbers, &chunk_keys[..indices.len()], &mut chunk_values[..indices.len()])?;
            for (&index, &value) in indices.iter().zip(&chunk_values) {
                values[index as usize] = value;
            }
        }
        Ok(())
    }

    /// Looks up at most CHUNK keys, each in its block, in stages, so that the memory accesses of many keys are under
    /// way together.
    #[inline(always)]
    fn lookup_chunk(&self, numbers: &[u32; CHUNK], keys: &[K], values: &mut [f64]) -> Result<(), Damaged> {
        let mut found = [(0u32, 0u32); CHUNK];
        for (key, &number) in keys.iter().zip(numbers) {
            if let Some(block) = self.blocks.get(number as usize) {
                prefetch(block.owner.bytes(), K::directory_at(&block.layout, key));
            }
        }
        for ((key, &number), range) in keys.iter().zip(numbers).zip(&mut found) {
            if (number as usize) < self.blocks.len() {
                let (layout, bytes) = self.block(number as usize)?;
                *range = K::bucket(layout, bytes, key);
                // The search begins in the middle.
                let middle = (range.0 + range.1) as usize / 2;
                prefetch(bytes, layout.keys_at + middle * layout.low_bits as usize / 8);
            }
        }
        for ((key, &number), range) in keys.iter().zip(numbers).zip(&mut found) {
            let (from, to) = std::mem::replace(range, (0, ABSENT));
            if let Some(block) = self.blocks.get(number as usize) {
                let (layout, bytes) = (&block.layout, block.owner.bytes());
                if let Some(index) = K::find_in(layout, bytes, key, from, to) {
                    range.1 = index as u32;
                    prefetch(bytes, layout.values_at + index * layout.value_type.bytes());
                }
            }
        }
        for ((value, &number), range) in values.iter_mut().zip(numbers).zip(&found) {
            *value = if range.1 == ABSENT {
                f64::NAN
            } else {
                let block = &self.blocks[number as usize];
                block.layout.value(block.owner.bytes(), range.1 as usize)
            };
        }
        Ok(())
    }
}

/// Asks for a cache line ahead of its use.
#[inline(always)]
fn prefetch(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = bytes.get(at) {
        // SAFETY: a prefetch reads nothing, and the address is that of a live byte. In random look-ups it is what
        // keeps several cache misses under way at once.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::ValueType;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn look_ups_find_what_was_stored(keys in prop::collection::btree_set(0u64..1 << 20, 1..500), block in 1usize..90) {
            let keys: Vec<u64> = keys.into_iter().collect();
            let value = |key: u64| key as f64 / 1048576.0;
            let blocks: Vec<Vec<u8>> = keys.chunks(block).map(|part| {
                let values: Vec<f64> = part.iter().map(|&k| value(k)).collect();
                u64::encode(part, Some(&values), ValueType::F64, 20)
            }).collect();
            let reader = Reader::<u64, Vec<u8>>::new(20, blocks).unwrap();
            prop_assert_eq!(reader.count(), keys.len());
            // Few and many at a time, which go different ways.
            for stride in [9973, 97] {
            let asked: Vec<u64> = (0..1 << 20).step_by(stride).chain(keys.iter().copied()).collect();
            let mut values = vec![0.0; asked.len()];
            reader.lookup(&asked, &mut values).unwrap();
            for (key, found) in asked.iter().zip(values) {
                if keys.binary_search(key).is_ok() { prop_assert_eq!(found, value(*key)); } else { prop_assert!(found.is_nan()); }
            }
            }
        }
    }
}
