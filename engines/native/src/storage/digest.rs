//! The content digest of a table: the sum of a hash of every record, in two lanes (see storage/FORMAT.md).
use super::keys::Key;
use super::values::ValueType;

const SEEDS: [u64; 2] = [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344];

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline(always)]
fn mix64(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// Sums over the records (layer, place, stored value), modulo 2^64; sums of parts add up to that of the whole.
pub fn digest<K: Key>(layer: u64, places: &[K], values: &[f64], value_type: ValueType) -> [u64; 2] {
    let mut lanes = [0u64; 2];
    let mut words = Vec::with_capacity(K::WORDS);
    for (place, &value) in places.iter().zip(values) {
        words.clear();
        place.push_words(&mut words);
        let bits = match value_type {
            ValueType::None => 0,
            ValueType::F32 => u64::from((value as f32).to_bits()),
            ValueType::F64 => value.to_bits(),
            ValueType::U8 => value as u64,
        };
        for (lane, seed) in lanes.iter_mut().zip(SEEDS) {
            let mut h = seed;
            for word in std::iter::once(layer).chain(words.iter().copied()).chain(std::iter::once(bits)) {
                h = mix64((h ^ word).wrapping_add(GAMMA));
            }
            *lane = lane.wrapping_add(h);
        }
    }
    lanes
}

/// The same for bytes at the indices from `first` on.
pub fn indexed(layer: u64, first: u64, values: &[u8]) -> [u64; 2] {
    let mut lanes = [0u64; 2];
    for (lane, seed) in lanes.iter_mut().zip(SEEDS) {
        let start = mix64((seed ^ layer).wrapping_add(GAMMA));
        for (index, &value) in (first..).zip(values) {
            let place = mix64((start ^ index).wrapping_add(GAMMA));
            *lane = lane.wrapping_add(mix64((place ^ u64::from(value)).wrapping_add(GAMMA)));
        }
    }
    lanes
}
