//! Look-ups in one finished layer: the blocks of all its shards, read in place.
use super::block::BlockKey;
use super::bytes::Bytes;
use super::damaged::Damaged;
use super::layout::Layout;
use crate::memory::prefetch_at;
use std::sync::atomic::{AtomicBool, Ordering};

struct Block<B> {
    owner: B,
    layout: Layout,
    /// Set when this process has found the checksum right.
    checked: AtomicBool,
}

impl<B: Bytes> Block<B> {
    #[cold]
    fn check(&self) -> Result<(), String> {
        self.layout.check(self.owner.bytes())?;
        self.checked.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// The blocks of a layer in the order of their keys.
pub struct Reader<K, B> {
    /// Of the layer's last key, at least.
    key_bits: u32,
    blocks: Vec<Block<B>>,
    last: Vec<K>,
    /// First block that may hold a key with these top bits.
    jump: Vec<u32>,
    jump_bits: u32,
}

/// Keys that are looked up side by side.
const CHUNK: usize = 128;

impl<K: BlockKey, B: Bytes> Reader<K, B> {
    /// `blocks` in ascending order of their keys; headers are checked now, checksums when a block is first read.
    pub fn new(key_bits: u32, owners: Vec<B>) -> Result<Reader<K, B>, Damaged> {
        let mut blocks = Vec::with_capacity(owners.len());
        let mut last: Vec<K> = Vec::with_capacity(owners.len());
        for (number, owner) in owners.into_iter().enumerate() {
            let damaged = |reason: String| Damaged { block: number, reason };
            let layout = Layout::parse(owner.bytes()).map_err(damaged)?;
            if !K::CODECS.contains(&layout.codec) || u32::from(layout.key_bits) != key_bits {
                return Err(damaged(format!("holds keys of {} bits, {key_bits} expected", layout.key_bits)));
            }
            let block_last = K::last(&layout, owner.bytes());
            if last.last().is_some_and(|before| *before >= block_last) {
                return Err(damaged("blocks out of order".into()));
            }
            last.push(block_last);
            blocks.push(Block { owner, layout, checked: AtomicBool::new(false) });
        }
        let key_bits = last.last().map_or(key_bits, |last| K::jump_bits(key_bits, last));
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

    #[inline(always)]
    fn block_of(&self, key: &K) -> Option<usize> {
        // A key that has more bits than the layer's is in no block.
        let mut number = *self.jump.get(key.top(self.key_bits, self.jump_bits))? as usize;
        while self.last.get(number)? < key {
            number += 1;
        }
        Some(number)
    }

    /// Values of `keys` in their order; NaN where a key is not in the layer.
    pub fn lookup(&self, keys: &[K], values: &mut [f64]) -> Result<(), Damaged> {
        lookup(&[Some(self)], keys, |_| 0, values).map_err(|(_, damaged)| damaged)
    }
}

/// Values of `keys` in their order, each looked up in the reader that `which` names for its index; NaN where it is
/// not there. An error about damage comes with the number of its reader.
pub fn lookup<K: BlockKey, B: Bytes>(
    readers: &[Option<&Reader<K, B>>],
    keys: &[K],
    which: impl Fn(usize) -> usize,
    values: &mut [f64],
) -> Result<(), (usize, Damaged)> {
    /// With many keys a block, going block by block saves most of the address translation and some cache misses.
    const KEYS_A_BLOCK: usize = 8;
    /// Fewer keys than this are not worth sorting.
    const SORTED: usize = 1 << 14;
    let placed = |index: usize| {
        let number = which(index);
        let reader = readers.get(number).copied().flatten()?;
        Some((number, reader.block_of(&keys[index])?))
    };
    let found = |(block, reason): (&Block<B>, String)| {
        let number_in = |reader: &Reader<K, B>| reader.blocks.iter().position(|other| std::ptr::eq(other, block));
        let mut places = readers.iter().enumerate().filter_map(|(n, reader)| Some((n, number_in((*reader)?)?)));
        let (reader, block) = places.next().expect("the block is one of theirs");
        (reader, Damaged { block, reason })
    };
    values.fill(f64::NAN);
    let mut searches = Searches::new();
    let blocks = || readers.iter().flatten().flat_map(|reader| &reader.blocks);
    let count = readers.iter().flatten().map(|reader| reader.blocks.len()).sum::<usize>();
    if keys.len() < SORTED.max(KEYS_A_BLOCK * count) {
        for (index, key) in keys.iter().enumerate() {
            let Some((number, block)) = placed(index) else { continue };
            let reader = readers[number].expect("it is the one that the block is in");
            searches.push(&reader.blocks[block], key, index, values).map_err(found)?;
        }
        return searches.finish(values).map_err(found);
    }
    // The blocks of all readers are numbered in one sequence; the number after the last one stands for no block.
    let mut firsts = vec![0; readers.len()];
    for number in 1..readers.len() {
        firsts[number] = firsts[number - 1] + readers[number - 1].map_or(0, |reader| reader.blocks.len());
    }
    let number = |(reader, block): (usize, usize)| (firsts[reader] + block) as u32;
    let numbers: Vec<u32> = (0..keys.len()).map(|index| placed(index).map_or(count as u32, number)).collect();
    let mut ends = vec![0u32; count + 2];
    for &number in &numbers {
        ends[number as usize + 1] += 1;
    }
    for number in 1..ends.len() {
        ends[number] += ends[number - 1];
    }
    let mut sorted = vec![(K::default(), 0u32); keys.len()];
    for (index, (&number, key)) in numbers.iter().zip(keys).enumerate() {
        let end = &mut ends[number as usize];
        sorted[*end as usize] = (*key, index as u32);
        *end += 1;
    }
    let mut from = 0;
    for (block, &end) in blocks().zip(&ends) {
        for (key, index) in &sorted[from..end as usize] {
            searches.push(block, key, *index as usize, values).map_err(found)?;
        }
        from = end as usize;
    }
    searches.finish(values).map_err(found)
}

/// A key on its way through its bucket.
struct Search<'a, K, B> {
    block: &'a Block<B>,
    wanted: K,
    /// The key can be one of the `len` from here on.
    from: u32,
    len: u32,
    index: u32,
}

/// Searches that go side by side, in stages, so that the memory accesses of many keys are under way together.
struct Searches<'a, K, B> {
    pushed: Vec<(&'a Block<B>, K, u32)>,
    under_way: Vec<Search<'a, K, B>>,
}

impl<'a, K: BlockKey, B: Bytes> Searches<'a, K, B> {
    fn new() -> Searches<'a, K, B> {
        Searches { pushed: Vec::with_capacity(CHUNK), under_way: Vec::with_capacity(CHUNK) }
    }

    /// Adds a key that can only be in this block; its value's place is `values[index]`.
    #[inline(always)]
    fn push(
        &mut self,
        block: &'a Block<B>,
        key: &K,
        index: usize,
        values: &mut [f64],
    ) -> Result<(), (&'a Block<B>, String)> {
        prefetch_at(block.owner.bytes(), K::directory_at(&block.layout, key));
        self.pushed.push((block, *key, index as u32));
        if self.pushed.len() == CHUNK { self.finish(values) } else { Ok(()) }
    }

    /// Puts the values of the keys that are there in their places; empty again.
    fn finish(&mut self, values: &mut [f64]) -> Result<(), (&'a Block<B>, String)> {
        let mut longest = 0;
        for (block, key, index) in self.pushed.drain(..) {
            if !block.checked.load(Ordering::Relaxed) {
                block.check().map_err(|reason| (block, reason))?;
            }
            let (layout, bytes) = (&block.layout, block.owner.bytes());
            let (from, to) = K::bucket(layout, bytes, &key);
            if from < to {
                let len = to - from;
                longest = longest.max(len);
                prefetch_at(bytes, K::key_at(layout, from as usize + len as usize / 2));
                self.under_way.push(Search { block, wanted: K::within_bucket(layout, &key), from, len, index });
            }
        }
        // Binary search without branches: a branch that is predicted wrongly would stop all memory accesses that are
        // under way. The longest bucket of a chunk is not much longer than most, so all keys take the same number of
        // steps.
        while longest > 1 {
            for search in &mut self.under_way {
                let half = search.len / 2;
                let middle = (search.from + half) as usize;
                let (layout, bytes) = (&search.block.layout, search.block.owner.bytes());
                let not_before = K::at_most(layout, bytes, middle, &search.wanted);
                search.from = std::hint::select_unpredictable(not_before, middle as u32, search.from);
                search.len -= half;
                prefetch_at(bytes, K::key_at(layout, (search.from + search.len / 2) as usize));
            }
            longest -= longest / 2;
        }
        self.under_way.retain(|search| {
            let (layout, bytes) = (&search.block.layout, search.block.owner.bytes());
            prefetch_at(bytes, layout.values_at + search.from as usize * layout.value_type.bytes());
            K::is(layout, bytes, search.from as usize, &search.wanted)
        });
        for search in self.under_way.drain(..) {
            let value = search.block.layout.value(search.block.owner.bytes(), search.from as usize);
            values[search.index as usize] = value;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::values::ValueType;
    use proptest::prelude::*;

    #[test]
    fn a_block_that_comes_twice_is_refused() {
        let block = u64::encode(&[3, 5], Some(&[0.5; 2]), ValueType::F64, 20);
        let found = Reader::<u64, Vec<u8>>::new(20, vec![block.clone(), block]).err().expect("they do not ascend");
        assert_eq!((found.block, found.reason.as_str()), (1, "blocks out of order"));
    }

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
            // Few and many keys at a time, which take different paths through the code.
            for stride in [9973, 41] {
                let asked: Vec<u64> = (0..1 << 20).step_by(stride).chain(keys.iter().copied()).collect();
                let mut values = vec![0.0; asked.len()];
                reader.lookup(&asked, &mut values).unwrap();
                for (key, found) in asked.iter().zip(values) {
                    if keys.binary_search(key).is_ok() { prop_assert_eq!(found, value(*key)); } else { prop_assert!(found.is_nan()); }
                }
                // In two readers by turns, and in one that is missing.
                let other = Reader::<u64, Vec<u8>>::new(20, vec![u64::encode(&[7, 1 << 19], Some(&[2.0, 3.0]), ValueType::F64, 20)]).unwrap();
                let mut values = vec![0.0; asked.len()];
                lookup(&[Some(&reader), None, Some(&other)], &asked, |index| index % 4, &mut values).unwrap();
                for (index, (key, found)) in asked.iter().zip(values).enumerate() {
                    let expected = match index % 4 {
                        0 => keys.binary_search(key).ok().map(|_| value(*key)),
                        2 => [(7, 2.0), (1 << 19, 3.0)].iter().find(|entry| entry.0 == *key).map(|entry| entry.1),
                        _ => None,
                    };
                    prop_assert_eq!(Some(found).filter(|found| !found.is_nan()), expected);
                }
            }
        }
    }

    #[test]
    fn damaged_blocks_are_named() {
        let block = |key: u64| u64::encode(&[key], Some(&[0.5]), ValueType::F64, 20);
        let mut bad = block(3);
        let at = bad.len() - 1;
        bad[at] ^= 1;
        let good = Reader::<u64, Vec<u8>>::new(20, vec![block(1)]).unwrap();
        let damaged = Reader::<u64, Vec<u8>>::new(20, vec![block(2), bad, block(4)]).unwrap();
        for count in [1, 1 << 15] {
            let ask =
                |key: u64| lookup(&[Some(&good), Some(&damaged)], &vec![key; count], |_| 1, &mut vec![0.0; count]);
            ask(2).unwrap();
            let (reader, found) = ask(3).unwrap_err();
            assert_eq!((reader, found.block, found.reason.as_str()), (1, 1, "checksum does not match"));
        }
    }
}
