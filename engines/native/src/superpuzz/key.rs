//! A state as a key: the numbers of its four rows, packed.
//!
//! Every row position numbers the contents it has had from 0 (see [`super::rows`]), so that four numbers are a state
//! exactly. A key starts with 16 bits a row; a row that needs more gets them two by two at the upper end. A key that was
//! made before has zeros there, which is right, so that no key ever changes.
use super::board::ROWS;

const BASE_BITS: u32 = 16;
const STEP_BITS: u32 = 2;
const BASE_MASK: u32 = (1 << BASE_BITS) - 1;
const STEP_MASK: u32 = (1 << STEP_BITS) - 1;

/// Numbers of the contents of the four rows.
pub type RowIds = [u32; ROWS];

/// A packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    pub low: u32,
    pub high: u64,
}

/// Bits `shift..shift + 2` of a row's number stand at bit `at` of `Key::high`.
#[derive(Clone, Copy, Default)]
struct Extension {
    row: u8,
    shift: u8,
    at: u8,
}

/// Where the bits of the rows' numbers stand in a key.
pub struct Layout {
    bits: [u32; ROWS],
    extensions: Vec<Extension>,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { bits: [BASE_BITS; ROWS], extensions: Vec::new() }
    }
}

impl Layout {
    /// Bits in use of `Key::high`.
    #[must_use]
    pub fn high_bits(&self) -> u32 {
        2 * BASE_BITS + STEP_BITS * self.extensions.len() as u32
    }

    /// Numbers that a row may have.
    #[must_use]
    pub fn ids_count(&self, row: usize) -> u64 {
        1 << self.bits[row]
    }

    /// Two bits more for a row.
    pub fn extend(&mut self, row: usize) {
        self.extensions.push(Extension { row: row as u8, shift: self.bits[row] as u8, at: self.high_bits() as u8 });
        self.bits[row] += STEP_BITS;
    }

    #[inline]
    #[must_use]
    pub fn pack(&self, ids: RowIds) -> Key {
        let low = (ids[0] & BASE_MASK) | ids[1] << BASE_BITS;
        let mut high = u64::from((ids[2] & BASE_MASK) | ids[3] << BASE_BITS);
        for x in &self.extensions {
            high |= u64::from((ids[usize::from(x.row) % ROWS] >> x.shift) & STEP_MASK) << x.at;
        }
        Key { low, high }
    }

    #[inline]
    #[must_use]
    pub fn unpack(&self, key: Key) -> RowIds {
        let Key { low, high } = key;
        let base = high as u32;
        let mut ids = [low & BASE_MASK, low >> BASE_BITS, base & BASE_MASK, base >> BASE_BITS];
        for x in &self.extensions {
            ids[usize::from(x.row) % ROWS] |= ((high >> x.at) as u32 & STEP_MASK) << x.shift;
        }
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_stay_when_rows_grow(rows in proptest::collection::vec(0..ROWS, 0..8), seeds in any::<[u32; ROWS]>()) {
            let mut layout = Layout::default();
            let mut made = Vec::new();
            for row in rows.into_iter().map(Some).chain([None]) {
                let ids: RowIds = std::array::from_fn(|i| seeds[i] % layout.ids_count(i) as u32);
                made.push((ids, layout.pack(ids)));
                for &(ids, key) in &made {
                    prop_assert_eq!(layout.pack(ids), key);
                    prop_assert_eq!(layout.unpack(key), ids);
                }
                prop_assert!(made.iter().all(|(_, key)| key.high >> layout.high_bits() == 0));
                if let Some(row) = row {
                    layout.extend(row);
                }
            }
        }
    }
}
