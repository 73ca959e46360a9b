//! A state as a key: the numbers of its four rows, packed.
//!
//! Every row position numbers the contents it has had from 0 (see [`super::rows`]), so that four numbers are a state
//! exactly. A key starts with 16 bits a row; a row that needs more gets them two by two at the upper end. A key that was
//! made before has zeros there, which is right, so that no key ever changes.
use super::board::ROWS;

const BASE_BITS: u32 = 16;
const STEP_BITS: u32 = 2;
const BASE_MASK: u32 = (1 << BASE_BITS) - 1;
/// Upper bits of a key are read back by bytes.
const BYTES: usize = 4;

/// Numbers of the contents of the four rows.
pub type RowIds = [u32; ROWS];

/// A packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    pub low: u32,
    pub high: u64,
}

/// Where the bits of the rows' numbers stand in a key.
pub struct Layout {
    bits: [u32; ROWS],
    high_bits: u32,
    /// For each row, the value in `Key::high` of each bit of its number from the 17th on.
    spread: [Vec<u64>; ROWS],
    /// For each byte of the upper half of `Key::high` and each of its values: the 17th to 32nd bit of the four rows'
    /// numbers, 16 bits a row.
    gathered: Box<[[u64; 256]; BYTES]>,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            bits: [BASE_BITS; ROWS],
            high_bits: 2 * BASE_BITS,
            spread: std::array::from_fn(|_| vec![0]),
            gathered: Box::new([[0; 256]; BYTES]),
        }
    }
}

impl Layout {
    /// Bits in use of `Key::high`.
    #[must_use]
    pub fn high_bits(&self) -> u32 {
        self.high_bits
    }

    /// Numbers that a row may have.
    #[must_use]
    pub fn ids_count(&self, row: usize) -> u64 {
        1 << self.bits[row]
    }

    /// Whether [`Self::extend`] is possible: the widest table takes keys with 63 bits of `high`.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.high_bits + STEP_BITS < u64::BITS
    }

    /// Two bits more for a row.
    pub fn extend(&mut self, row: usize) {
        for bit in self.bits[row]..self.bits[row] + STEP_BITS {
            let upper = self.spread[row].iter().map(|&high| high | 1 << self.high_bits).collect::<Vec<_>>();
            self.spread[row].extend(upper);
            let (byte, shift) = ((self.high_bits as usize - 32) / 8, self.high_bits % 8);
            for (_, gathered) in self.gathered[byte].iter_mut().enumerate().filter(|(value, _)| value >> shift & 1 == 1)
            {
                *gathered |= 1 << (16 * row as u32 + bit - BASE_BITS);
            }
            self.high_bits += 1;
        }
        self.bits[row] += STEP_BITS;
    }

    #[inline(always)]
    #[must_use]
    pub fn pack(&self, ids: RowIds) -> Key {
        let low = (ids[0] & BASE_MASK) | ids[1] << BASE_BITS;
        let base = u64::from((ids[2] & BASE_MASK) | ids[3] << BASE_BITS);
        let upper = |row: usize| self.spread[row][(ids[row] >> BASE_BITS) as usize];
        Key { low, high: base | upper(0) | upper(1) | upper(2) | upper(3) }
    }

    #[inline(always)]
    #[must_use]
    pub fn unpack(&self, key: Key) -> RowIds {
        let Key { low, high } = key;
        let base = high as u32;
        let byte = |index: usize| self.gathered[index][(high >> (32 + 8 * index)) as usize & 255];
        let upper = byte(0) | byte(1) | byte(2) | byte(3);
        let upper = |row: u32| ((upper >> (16 * row)) as u32 & BASE_MASK) << BASE_BITS;
        [
            low & BASE_MASK | upper(0),
            low >> BASE_BITS | upper(1),
            base & BASE_MASK | upper(2),
            base >> BASE_BITS | upper(3),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As wide as keys get, all bits of all rows come back.
    #[test]
    fn the_widest_keys() {
        let mut layout = Layout::default();
        for row in (0..ROWS).cycle() {
            if !layout.has_room() {
                break;
            }
            layout.extend(row);
        }
        assert_eq!(layout.high_bits(), 62);
        for row in 0..ROWS {
            for bit in (0..layout.ids_count(row).ilog2()).map(|at| 1u32 << at) {
                let ids: RowIds = std::array::from_fn(|i| if i == row { bit } else { 0 });
                assert_eq!(layout.unpack(layout.pack(ids)), ids);
            }
        }
        let most: RowIds = std::array::from_fn(|row| (layout.ids_count(row) - 1) as u32);
        assert_eq!(layout.unpack(layout.pack(most)), most);
        assert_eq!(layout.pack(most).high, (1 << 62) - 1);
    }

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
