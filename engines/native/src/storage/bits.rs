//! Numbers in bytes, and bits in numbers.

#[inline(always)]
pub fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[inline(always)]
pub fn half(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

pub fn align8(n: usize) -> usize {
    n.div_ceil(8) * 8
}

#[inline(always)]
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

#[inline(always)]
pub fn shift_right(value: u64, bits: u32) -> u64 {
    if bits >= 64 { 0 } else { value >> bits }
}
