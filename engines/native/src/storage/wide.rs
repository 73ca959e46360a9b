//! Blocks of four-word keys (codec 2): the keys as they are, of as many bytes as the widest needs.
use super::bits::align8;
use super::block::{BlockKey, header, sealed};
use super::keys::Wide;
use super::layout::{CODEC_WIDE, HEADER, Layout};
use super::values::{ValueType, push_values};

impl BlockKey for Wide {
    const STATES: usize = 8192;
    const CODECS: &[u8] = &[CODEC_WIDE];

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

    fn jump_bits(key_bits: u32, _last: &Wide) -> u32 {
        key_bits
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
