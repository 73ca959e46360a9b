//! Sorting of numbers of known width.

/// Least significant digit first, 11 bits a pass; a pass over a constant digit is left out.
pub fn radix_sort(keys: &mut Vec<u64>, scratch: &mut Vec<u64>, key_bits: u32) {
    const DIGIT: u32 = 11;
    if keys.len() < 4096 {
        keys.sort_unstable();
        return;
    }
    scratch.clear();
    scratch.resize(keys.len(), 0);
    let passes = key_bits.div_ceil(DIGIT) as usize;
    let mut counts = vec![[0usize; 1 << DIGIT]; passes];
    for &key in keys.iter() {
        for (pass, count) in counts.iter_mut().enumerate() {
            count[(key >> (pass as u32 * DIGIT)) as usize & ((1 << DIGIT) - 1)] += 1;
        }
    }
    for (pass, count) in counts.iter_mut().enumerate() {
        if count.contains(&keys.len()) {
            continue;
        }
        let mut start = 0;
        for c in count.iter_mut() {
            start += std::mem::replace(c, start);
        }
        for &key in keys.iter() {
            let slot = &mut count[(key >> (pass as u32 * DIGIT)) as usize & ((1 << DIGIT) - 1)];
            scratch[*slot] = key;
            *slot += 1;
        }
        std::mem::swap(keys, scratch);
    }
}
