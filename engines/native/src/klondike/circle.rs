//! The cards of stock and waste as sets.
use super::rules::MAX_STOCK;
use super::state::Game;

/// Cards of each eight of the circle, by which of them are left.
pub struct CircleSets {
    sets: [[u64; 256]; MAX_STOCK / 8],
}

impl CircleSets {
    #[must_use]
    pub fn new(game: &Game) -> CircleSets {
        let mut sets = [[0; 256]; MAX_STOCK / 8];
        for (sets, part) in sets.iter_mut().zip(game.circle.chunks(8)) {
            for left in 1..1usize << part.len() {
                sets[left] = sets[left & (left - 1)] | 1 << part[left.trailing_zeros() as usize];
            }
        }
        CircleSets { sets }
    }

    /// Those of which some are left, by a state's `circle`.
    #[inline(always)]
    #[must_use]
    pub fn cards(&self, circle: u32) -> u64 {
        let byte = |index: usize| self.sets[index][(circle >> (8 * index) & 255) as usize];
        byte(0) | byte(1) | byte(2)
    }
}
