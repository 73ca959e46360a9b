//! The factors from which the numbers of states are made.
use super::rules::{MAX_COLUMNS, Position, Rules};

/// Factors of a key.
pub struct Radices {
    pub columns: [u64; MAX_COLUMNS],
    /// The weight of a card left as dealt in each column, and of a step of the foundations' number.
    pub weights: [u64; MAX_COLUMNS],
    pub foundations: u64,
    pub places: u64,
    pub circle_bits: u32,
}

impl Radices {
    #[must_use]
    pub fn new(position: &Position, rules: Rules) -> Radices {
        let count = position.stock.len() + position.waste.len();
        // Where passes always start at the same card, the origin is 0.
        let origins = if rules.has_one_origin() { 1 } else { count.max(1) };
        let columns =
            std::array::from_fn(|index| position.columns.get(index).map_or(1, |column| (column.face_down + 2) as u64));
        let mut foundations = 1u64;
        let weights = columns.map(|radix: u64| {
            let weight = foundations;
            foundations = foundations.wrapping_mul(radix);
            weight
        });
        Radices { columns, weights, foundations, places: (origins * (count + 1)) as u64, circle_bits: count as u32 }
    }

    /// One more than the highest key, if that fits.
    pub fn product(&self) -> Option<u64> {
        let places = self.places.checked_mul(14 * 14 * 14 * 14)?.checked_mul(1 << self.circle_bits)?;
        self.columns.iter().try_fold(places, |product, &radix| product.checked_mul(radix))
    }
}
