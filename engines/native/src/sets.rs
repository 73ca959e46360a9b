//! Sets of up to 64 cards as the bits of a word.

/// The cards of a set one by one as sets of one, the lowest bit first.
#[inline(always)]
pub fn cards_of(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_come_one_by_one() {
        assert_eq!(cards_of(0b1011).collect::<Vec<_>>(), [1, 2, 8]);
        assert_eq!(cards_of(1 << 63).collect::<Vec<_>>(), [1 << 63]);
        assert_eq!(cards_of(0).count(), 0);
    }
}
