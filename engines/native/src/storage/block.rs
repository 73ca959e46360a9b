//! Packed blocks of sorted keys with values: the codec of `storage/FORMAT.md`, byte for byte.
use super::keys::Key;
use super::layout::{HEADER, Layout, MAGIC, checksum};
use super::values::ValueType;

/// Keys that blocks can hold.
pub trait BlockKey: Key {
    /// States a block.
    const STATES: usize;
    fn encode(keys: &[Self], values: Option<&[f64]>, value_type: ValueType, key_bits: u32) -> Vec<u8>;
    /// Appends the keys of a checked block; refuses keys out of order.
    fn decode(layout: &Layout, bytes: &[u8], out: &mut Vec<Self>) -> Result<(), String>;
    /// Where the directory entry of the key's bucket is; called for bucketed blocks only.
    fn directory_at(layout: &Layout, key: &Self) -> usize;
    /// First and last index (exclusive) where the key can be.
    fn bucket(layout: &Layout, bytes: &[u8], key: &Self) -> (u32, u32);
    /// Where key number `index` begins, for prefetching.
    fn key_at(layout: &Layout, index: usize) -> usize;
    /// What `at_most` and `is` compare: the part of the key by which it differs from others of its bucket.
    fn within_bucket(layout: &Layout, key: &Self) -> Self;
    /// Whether key number `index` is at most a key, and whether it is equal to it. Both keys are in one bucket.
    fn at_most(layout: &Layout, bytes: &[u8], index: usize, wanted: &Self) -> bool;
    fn is(layout: &Layout, bytes: &[u8], index: usize, wanted: &Self) -> bool;
    fn last(layout: &Layout, bytes: &[u8]) -> Self;
    /// The top bits of the key, for a jump table over `1 << bits` slots.
    fn top(&self, key_bits: u32, bits: u32) -> usize;
    /// The width of which the top bits are taken for a jump table: that of the layer's last key, where that is known
    /// to be less.
    fn jump_bits(key_bits: u32, last: &Self) -> u32;
    /// Codecs of blocks that these keys are in.
    const CODECS: &[u8];
}

pub fn header(
    codec: u8,
    value_type: ValueType,
    key_bits: u32,
    count: usize,
    buckets: u32,
    first: u64,
    last: u64,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER + count * 16);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[codec, value_type as u8]);
    out.extend_from_slice(&(key_bits as u16).to_le_bytes());
    out.extend_from_slice(&(count as u32).to_le_bytes());
    out.extend_from_slice(&buckets.to_le_bytes());
    out.extend_from_slice(&first.to_le_bytes());
    out.extend_from_slice(&last.to_le_bytes());
    out.resize(HEADER, 0);
    out
}

pub fn sealed(mut out: Vec<u8>) -> Vec<u8> {
    let len = out.len() as u32;
    out[36..40].copy_from_slice(&len.to_le_bytes());
    let crc = checksum(&out);
    out[32..36].copy_from_slice(&crc.to_le_bytes());
    out
}
