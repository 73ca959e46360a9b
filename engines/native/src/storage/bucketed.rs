//! Blocks of one-word keys: in buckets by their high bits, the low bits packed (codec 1); or all keys from the first
//! to the last, which are then not stored at all (codec 3).
use super::bits::{align8, mask, shift_right};
use super::block::{BlockKey, header, sealed};
use super::layout::{CODEC_BUCKETS, CODEC_INDEX, HEADER, LOWS_PADDING, Layout};
use super::values::{ValueType, push_values};

/// States a block of one-word keys. A constant of the format: the same states give the same blocks everywhere.
pub const BLOCK_STATES: usize = 32_768;
/// Keys a bucket, on average.
const BUCKET: u64 = 16;

impl BlockKey for u64 {
    const STATES: usize = BLOCK_STATES;
    const CODECS: &[u8] = &[CODEC_BUCKETS, CODEC_INDEX];

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
        if layout.codec == CODEC_INDEX {
            out.extend(layout.first..=layout.last);
            return Ok(());
        }
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
        if layout.codec == CODEC_INDEX {
            return layout.values_at + key.wrapping_sub(layout.first) as usize * layout.value_type.bytes();
        }
        HEADER + shift_right(key.saturating_sub(layout.first), layout.low_bits) as usize * 2
    }

    #[inline(always)]
    fn bucket(layout: &Layout, bytes: &[u8], key: &u64) -> (u32, u32) {
        // Readers ask for no key above a block's last one; for any other caller the directory ends there.
        if *key < layout.first || *key > layout.last {
            return (0, 0);
        }
        if layout.codec == CODEC_INDEX {
            let index = (key - layout.first) as u32;
            return (index, index + 1);
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
        layout.codec == CODEC_INDEX || layout.low(bytes, index) == *wanted
    }

    fn last(layout: &Layout, _bytes: &[u8]) -> u64 {
        layout.last
    }

    fn jump_bits(_key_bits: u32, last: &u64) -> u32 {
        (64 - last.leading_zeros()).max(1)
    }

    #[inline(always)]
    fn top(&self, key_bits: u32, bits: u32) -> usize {
        (self >> (key_bits - bits)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::MAGIC;
    use super::super::values::stored_value;
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

    /// A block of some keys with one byte more than there should be, under a checksum that is right.
    fn forged(at: usize) -> Vec<u8> {
        let mut bytes = u64::encode(&[3, 5, 90, 700], Some(&[0.5; 4]), ValueType::F64, 64);
        bytes[at] += 1;
        sealed(bytes)
    }

    #[test]
    fn a_directory_must_begin_with_the_first_key() {
        let bytes = forged(HEADER);
        let layout = Layout::parse(&bytes).expect("parses");
        assert_eq!(layout.check(&bytes), Err("directory does not cover the keys".into()));
    }

    #[test]
    fn the_last_key_must_be_the_header_s() {
        let bytes = forged(24);
        let layout = Layout::parse(&bytes).expect("parses");
        layout.check(&bytes).expect("checks");
        let decoded = u64::decode(&layout, &bytes, &mut Vec::new());
        assert_eq!(decoded, Err("last key is not the header's".into()));
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
        fn a_last_key_that_is_not_the_header_s_is_found(first in 0u64..1 << 40, span in 1u64..8) {
            // One bucket of three low bits, for any last key in the header that is at most 7 above the first.
            let mut bytes = u64::encode(&[first, first + span], None, ValueType::None, 64);
            let low_bits = u32::from(bytes[40]);
            for last in first..=first + mask(low_bits) {
                bytes[24..32].copy_from_slice(&last.to_le_bytes());
                let bytes = sealed(bytes.clone());
                let layout = Layout::parse(&bytes).unwrap();
                layout.check(&bytes).unwrap();
                prop_assert_eq!(u64::decode(&layout, &bytes, &mut Vec::new()).is_ok(), last == first + span);
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
