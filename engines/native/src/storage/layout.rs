//! What a block's header says: where its parts are, and whether they are whole.
use super::bits::{align8, half, mask, shift_right, word};
use super::keys::Wide;
use super::values::ValueType;

pub const MAGIC: &[u8; 4] = b"YMB1";
pub const HEADER: usize = 48;
/// Zero bytes behind the packed low bits, so that a whole word can be read at any of them.
pub const LOWS_PADDING: usize = 16;

pub const CODEC_BUCKETS: u8 = 1;
pub const CODEC_WIDE: u8 = 2;
pub const CODEC_INDEX: u8 = 3;

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
            CODEC_INDEX => {
                let is_whole = layout.last.checked_sub(layout.first) == (count as u64).checked_sub(1);
                if count == 0 || !is_whole || layout.low_bits != 0 || value_type == ValueType::None {
                    return Err("header out of range".into());
                }
            }
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

/// The checksum of all bytes but its own.
pub fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..32]);
    hasher.update(&bytes[36..]);
    hasher.finalize()
}
