//! Packed blocks of sorted keys with values: the codec of `storage/FORMAT.md`, byte for byte.
use crate::keys::{Key, Wide};

pub const MAGIC: &[u8; 4] = b"YMB1";
pub const HEADER: usize = 48;
/// States a block of one-word keys. A constant of the format: the same states give the same blocks everywhere.
pub const BLOCK_STATES: usize = 32_768;
/// Keys a bucket, on average.
const BUCKET: u64 = 16;
/// Zero bytes behind the packed low bits, so that a whole word can be read at any of them.
const LOWS_PADDING: usize = 16;

pub const CODEC_BUCKETS: u8 = 1;
pub const CODEC_WIDE: u8 = 2;
pub const CODEC_INDEX: u8 = 3;

/// Values as they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    None = 0,
    F32 = 1,
    F64 = 2,
    U8 = 3,
}

impl ValueType {
    pub fn bytes(self) -> usize {
        match self {
            ValueType::None => 0,
            ValueType::F32 => 4,
            ValueType::F64 => 8,
            ValueType::U8 => 1,
        }
    }

    pub fn parse(name: &str) -> Option<ValueType> {
        Some(match name {
            "none" => ValueType::None,
            "float32" => ValueType::F32,
            "float64" => ValueType::F64,
            "uint8" => ValueType::U8,
            _ => return None,
        })
    }

    fn from_byte(byte: u8) -> Option<ValueType> {
        [ValueType::None, ValueType::F32, ValueType::F64, ValueType::U8].into_iter().find(|v| *v as u8 == byte)
    }
}

/// Rounds a value as it will be stored.
pub fn stored_value(value: f64, kind: ValueType) -> f64 {
    match kind {
        ValueType::F32 => f64::from(value as f32),
        _ => value,
    }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn half(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn align8(n: usize) -> usize {
    n.div_ceil(8) * 8
}

/// A block's header, with where its parts begin.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub codec: u8,
    pub value_type: ValueType,
    pub key_bits: u16,
    pub count: usize,
    pub buckets: usize,
    pub first: u64,
    pub last: u64,
    pub low_bits: u32,
    pub key_bytes: usize,
    pub keys_at: usize,
    pub values_at: usize,
    pub len: usize,
}

impl Layout {
    /// Reads and checks a header against the block's length; not the checksum.
    pub fn parse(bytes: &[u8]) -> Result<Layout, String> {
        if bytes.len() < HEADER || &bytes[..4] != MAGIC {
            return Err("not a block".into());
        }
        let value_type = ValueType::from_byte(bytes[5]).ok_or("unknown value type")?;
        let count = half(bytes, 8) as usize;
        let buckets = half(bytes, 12) as usize;
        let mut layout = Layout {
            codec: bytes[4],
            value_type,
            key_bits: u16::from_le_bytes([bytes[6], bytes[7]]),
            count,
            buckets,
            first: word(bytes, 16),
            last: word(bytes, 24),
            low_bits: u32::from(bytes[40]),
            key_bytes: 0,
            keys_at: HEADER,
            values_at: HEADER,
            len: half(bytes, 36) as usize,
        };
        match layout.codec {
            CODEC_BUCKETS => {
                if count == 0 || count > usize::from(u16::MAX) || layout.low_bits > 64 || layout.first > layout.last {
                    return Err("header out of range".into());
                }
                let span = layout.last - layout.first;
                if shift_right(span, layout.low_bits) != (buckets as u64).wrapping_sub(1) || buckets > count {
                    return Err("bucket count does not fit the keys".into());
                }
                layout.keys_at = HEADER + align8((buckets + 1) * 2);
                layout.values_at =
                    layout.keys_at + align8((count * layout.low_bits as usize).div_ceil(8) + LOWS_PADDING);
            }
            CODEC_WIDE => {
                layout.key_bytes = buckets;
                if count == 0 || layout.key_bytes != usize::from(layout.key_bits).div_ceil(8) || layout.key_bytes > 32 {
                    return Err("header out of range".into());
                }
                layout.values_at = HEADER + align8(count * layout.key_bytes);
            }
            CODEC_INDEX => {}
            _ => return Err("unknown codec".into()),
        }
        if layout.len != bytes.len() || layout.values_at + align8(count * value_type.bytes()) != bytes.len() {
            return Err("length does not fit the header".into());
        }
        Ok(layout)
    }

    /// Checks the checksum, and that no look-up can leave the block.
    pub fn check(&self, bytes: &[u8]) -> Result<(), String> {
        if checksum(bytes) != half(bytes, 32) {
            return Err("checksum does not match".into());
        }
        if self.codec == CODEC_BUCKETS {
            let mut before = 0;
            for b in 0..=self.buckets {
                let start = self.directory(bytes, b);
                if start < before || start > self.count {
                    return Err("directory out of order".into());
                }
                before = start;
            }
            if self.directory(bytes, 0) != 0 || before != self.count {
                return Err("directory does not cover the keys".into());
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub fn directory(&self, bytes: &[u8], bucket: usize) -> usize {
        let at = HEADER + bucket * 2;
        usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
    }

    /// Low bits of key number `index` of a bucketed block.
    #[inline(always)]
    pub fn low(&self, bytes: &[u8], index: usize) -> u64 {
        let bit = index * self.low_bits as usize;
        let at = self.keys_at + bit / 8;
        let shift = bit % 8;
        if self.low_bits <= 56 {
            word(bytes, at) >> shift & mask(self.low_bits)
        } else {
            let wide = u128::from_le_bytes(bytes[at..at + 16].try_into().expect("sixteen bytes"));
            (wide >> shift) as u64 & mask(self.low_bits)
        }
    }

    #[inline(always)]
    pub fn wide_key(&self, bytes: &[u8], index: usize) -> Wide {
        let at = HEADER + index * self.key_bytes;
        let mut raw = [0u8; 32];
        raw[32 - self.key_bytes..].copy_from_slice(&bytes[at..at + self.key_bytes]);
        std::array::from_fn(|w| u64::from_be_bytes(raw[w * 8..w * 8 + 8].try_into().expect("eight bytes")))
    }

    #[inline(always)]
    pub fn value(&self, bytes: &[u8], index: usize) -> f64 {
        match self.value_type {
            ValueType::F32 => {
                let at = self.values_at + index * 4;
                f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
            }
            ValueType::F64 => f64::from_bits(word(bytes, self.values_at + index * 8)),
            ValueType::U8 => f64::from(bytes[self.values_at + index]),
            ValueType::None => f64::NAN,
        }
    }
}

#[inline(always)]
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

#[inline(always)]
pub fn shift_right(value: u64, bits: u32) -> u64 {
    if bits >= 64 { 0 } else { value >> bits }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..32]);
    hasher.update(&bytes[36..]);
    hasher.finalize()
}

/// Keys that blocks can hold.
pub trait BlockKey: Key {
    /// States a block.
    const STATES: usize;
    fn encode(keys: &[Self], values: Option<&[f64]>, value_type: ValueType, key_bits: u32) -> Vec<u8>;
    /// Appends the keys of a checked block; refuses keys out of order.
    fn decode(layout: &Layout, bytes: &[u8], out: &mut Vec<Self>) -> Result<(), String>;
    /// Where the directory entry of the key's bucket is; only asked for bucketed blocks.
    fn directory_at(layout: &Layout, key: &Self) -> usize;
    /// First and last index (exclusive) where the key can be.
    fn bucket(layout: &Layout, bytes: &[u8], key: &Self) -> (u32, u32);
    /// Where key number `index` begins, for prefetching.
    fn key_at(layout: &Layout, index: usize) -> usize;
    /// What `at_most` and `is` compare: the part of the key that tells it from others of its bucket.
    fn within_bucket(layout: &Layout, key: &Self) -> Self;
    /// Whether key number `index` comes before a key or is it, and whether it is it. Both keys are in one bucket.
    fn at_most(layout: &Layout, bytes: &[u8], index: usize, wanted: &Self) -> bool;
    fn is(layout: &Layout, bytes: &[u8], index: usize, wanted: &Self) -> bool;
    fn last(layout: &Layout, bytes: &[u8]) -> Self;
    /// The top bits of the key, for a jump table over `1 << bits` slots.
    fn top(&self, key_bits: u32, bits: u32) -> usize;
    const CODEC: u8;
}

fn push_values(out: &mut Vec<u8>, values: Option<&[f64]>, value_type: ValueType) {
    for &value in values.unwrap_or(&[]) {
        match value_type {
            ValueType::F32 => out.extend_from_slice(&(value as f32).to_le_bytes()),
            ValueType::F64 => out.extend_from_slice(&value.to_le_bytes()),
            ValueType::U8 => out.push(value as u8),
            ValueType::None => {}
        }
    }
    out.resize(align8(out.len()), 0);
}

fn header(
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

fn sealed(mut out: Vec<u8>) -> Vec<u8> {
    let len = out.len() as u32;
    out[36..40].copy_from_slice(&len.to_le_bytes());
    let crc = checksum(&out);
    out[32..36].copy_from_slice(&crc.to_le_bytes());
    out
}

impl BlockKey for u64 {
    const STATES: usize = BLOCK_STATES;
    const CODEC: u8 = CODEC_BUCKETS;

    fn encode(keys: &[u64], values: Option<&[f64]>, value_type: ValueType, key_bits: u32) -> Vec<u8> {
        let (first, last) = (keys[0], keys[keys.len() - 1]);
        let most = (keys.len() as u64).div_ceil(BUCKET).max(1);
        let low_bits = (0..=64).find(|&l| shift_right(last - first, l) < most).expect("64 bits always do");
        let buckets = shift_right(last - first, low_bits) as usize + 1;
        let mut out = header(CODEC_BUCKETS, value_type, key_bits, keys.len(), buckets as u32, first, last);
        out[40] = low_bits as u8;
        let mut index = 0usize;
        for bucket in 0..=buckets {
            while index < keys.len() && (shift_right(keys[index] - first, low_bits) as usize) < bucket {
                index += 1;
            }
            out.extend_from_slice(&(index as u16).to_le_bytes());
        }
        out.resize(align8(out.len()), 0);
        let lows_at = out.len();
        let (mut pending, mut filled) = (0u128, 0u32);
        for &key in keys {
            pending |= u128::from((key - first) & mask(low_bits)) << filled;
            filled += low_bits;
            if filled >= 64 {
                out.extend_from_slice(&(pending as u64).to_le_bytes());
                pending >>= 64;
                filled -= 64;
            }
        }
        out.extend_from_slice(&(pending as u64).to_le_bytes());
        out.truncate(lows_at + (keys.len() * low_bits as usize).div_ceil(8));
        out.resize(align8(out.len() + LOWS_PADDING), 0);
        push_values(&mut out, values, value_type);
        sealed(out)
    }

    fn decode(layout: &Layout, bytes: &[u8], out: &mut Vec<u64>) -> Result<(), String> {
        let mut before = None;
        for bucket in 0..layout.buckets {
            for index in layout.directory(bytes, bucket)..layout.directory(bytes, bucket + 1) {
                let high = if layout.low_bits >= 64 { 0 } else { (bucket as u64) << layout.low_bits };
                let key = layout.first.wrapping_add(high).wrapping_add(layout.low(bytes, index));
                if before.is_some_and(|b| b >= key) {
                    return Err("keys out of order".into());
                }
                before = Some(key);
                out.push(key);
            }
        }
        if before != Some(layout.last) {
            return Err("last key is not the header's".into());
        }
        Ok(())
    }

    #[inline(always)]
    fn directory_at(layout: &Layout, key: &u64) -> usize {
        HEADER + shift_right(key.saturating_sub(layout.first), layout.low_bits) as usize * 2
    }

    #[inline(always)]
    fn bucket(layout: &Layout, bytes: &[u8], key: &u64) -> (u32, u32) {
        if *key < layout.first || *key > layout.last {
            return (0, 0);
        }
        let bucket = shift_right(key - layout.first, layout.low_bits) as usize;
        (layout.directory(bytes, bucket) as u32, layout.directory(bytes, bucket + 1) as u32)
    }

    #[inline(always)]
    fn key_at(layout: &Layout, index: usize) -> usize {
        layout.keys_at + index * layout.low_bits as usize / 8
    }

    #[inline(always)]
    fn within_bucket(layout: &Layout, key: &u64) -> u64 {
        key.wrapping_sub(layout.first) & mask(layout.low_bits)
    }

    #[inline(always)]
    fn at_most(layout: &Layout, bytes: &[u8], index: usize, wanted: &u64) -> bool {
        layout.low(bytes, index) <= *wanted
    }

    #[inline(always)]
    fn is(layout: &Layout, bytes: &[u8], index: usize, wanted: &u64) -> bool {
        layout.low(bytes, index) == *wanted
    }

    fn last(layout: &Layout, _bytes: &[u8]) -> u64 {
        layout.last
    }

    #[inline(always)]
    fn top(&self, key_bits: u32, bits: u32) -> usize {
        (self >> (key_bits - bits)) as usize
    }
}

impl BlockKey for Wide {
    const STATES: usize = 8192;
    const CODEC: u8 = CODEC_WIDE;

    fn encode(keys: &[Wide], values: Option<&[f64]>, value_type: ValueType, key_bits: u32) -> Vec<u8> {
        let key_bytes = key_bits.div_ceil(8) as usize;
        let mut out = header(CODEC_WIDE, value_type, key_bits, keys.len(), key_bytes as u32, 0, 0);
        for key in keys {
            let mut raw = [0u8; 32];
            for (w, part) in key.iter().enumerate() {
                raw[w * 8..w * 8 + 8].copy_from_slice(&part.to_be_bytes());
            }
            out.extend_from_slice(&raw[32 - key_bytes..]);
        }
        out.resize(align8(out.len()), 0);
        push_values(&mut out, values, value_type);
        sealed(out)
    }

    fn decode(layout: &Layout, bytes: &[u8], out: &mut Vec<Wide>) -> Result<(), String> {
        for index in 0..layout.count {
            let key = layout.wide_key(bytes, index);
            if index > 0 && out[out.len() - 1] >= key {
                return Err("keys out of order".into());
            }
            out.push(key);
        }
        Ok(())
    }

    fn directory_at(_layout: &Layout, _key: &Wide) -> usize {
        HEADER
    }

    fn bucket(layout: &Layout, _bytes: &[u8], _key: &Wide) -> (u32, u32) {
        (0, layout.count as u32)
    }

    fn key_at(layout: &Layout, index: usize) -> usize {
        HEADER + index * layout.key_bytes
    }

    fn within_bucket(_layout: &Layout, key: &Wide) -> Wide {
        *key
    }

    fn at_most(layout: &Layout, bytes: &[u8], index: usize, wanted: &Wide) -> bool {
        layout.wide_key(bytes, index) <= *wanted
    }

    fn is(layout: &Layout, bytes: &[u8], index: usize, wanted: &Wide) -> bool {
        layout.wide_key(bytes, index) == *wanted
    }

    fn last(layout: &Layout, bytes: &[u8]) -> Wide {
        layout.wide_key(bytes, layout.count - 1)
    }

    fn top(&self, key_bits: u32, bits: u32) -> usize {
        // key_bits <= 256: the wanted bits may lie across two words.
        let low = key_bits - bits;
        let (word, shift) = ((low / 64) as usize, low % 64);
        let mut value = u128::from(self[3 - word]);
        if word < 3 {
            value |= u128::from(self[2 - word]) << 64;
        }
        (value >> shift) as usize & ((1 << bits) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(keys: &[u64], values: &[f64], value_type: ValueType) {
        let bytes = u64::encode(keys, Some(values), value_type, 64);
        let layout = Layout::parse(&bytes).expect("parses");
        layout.check(&bytes).expect("checks");
        let mut decoded = Vec::new();
        u64::decode(&layout, &bytes, &mut decoded).expect("decodes");
        assert_eq!(decoded, keys);
        for (i, key) in keys.iter().enumerate() {
            let find = |key: u64| {
                let (from, to) = u64::bucket(&layout, &bytes, &key);
                let wanted = u64::within_bucket(&layout, &key);
                (from as usize..to as usize)
                    .rfind(|&at| u64::at_most(&layout, &bytes, at, &wanted))
                    .filter(|&at| u64::is(&layout, &bytes, at, &wanted))
            };
            assert_eq!(find(*key), Some(i));
            assert_eq!(layout.value(&bytes, i), stored_value(values[i], value_type));
            let absent = key.wrapping_add(1);
            assert_eq!(find(absent).is_some(), keys.binary_search(&absent).is_ok());
        }
    }

    proptest! {
        #[test]
        fn bucketed_blocks_round_trip(keys in prop::collection::btree_set(any::<u64>(), 1..400), shift in 0u32..64, double: bool) {
            let mut keys: Vec<u64> = keys.into_iter().map(|k| k >> shift).collect();
            keys.dedup();
            let values: Vec<f64> = keys.iter().map(|&k| (k % 1000) as f64 / 999.0).collect();
            round_trip(&keys, &values, if double { ValueType::F64 } else { ValueType::F32 });
        }

        #[test]
        fn garbage_is_refused_or_harmless(mut bytes in prop::collection::vec(any::<u8>(), 0..300), seal: bool, codec in 0u8..5) {
            if bytes.len() >= HEADER {
                bytes[..4].copy_from_slice(MAGIC);
                bytes[4] = codec;
                if seal { bytes = sealed(bytes); }
            }
            if let Ok(layout) = Layout::parse(&bytes)
                && layout.check(&bytes).is_ok()
                && layout.codec == CODEC_BUCKETS
            {
                let _ = u64::decode(&layout, &bytes, &mut Vec::new());
                let (from, to) = u64::bucket(&layout, &bytes, &layout.last);
                let wanted = u64::within_bucket(&layout, &layout.last);
                let _ = (from as usize..to as usize).any(|at| u64::at_most(&layout, &bytes, at, &wanted));
            }
        }

        #[test]
        fn every_flipped_byte_is_found(keys in prop::collection::btree_set(any::<u64>(), 1..60), at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let keys: Vec<u64> = keys.into_iter().collect();
            let values = vec![0.25; keys.len()];
            let mut bytes = u64::encode(&keys, Some(&values), ValueType::F32, 64);
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            let found = Layout::parse(&bytes).and_then(|layout| layout.check(&bytes));
            prop_assert!(found.is_err());
        }
    }
}
