//! States as numbers, for tables of those that were seen.
use super::bits::LOWER;
use super::radices::Radices;
use super::rules::{Position, Rules};
use super::state::{COUNT_BITS, Game, State};

impl Game {
    /// Whether the states of a checked position have numbers of 64 bits; those of every deal do.
    #[must_use]
    pub fn fits(position: &Position, rules: Rules) -> bool {
        Radices::new(position, rules).product().is_some()
    }

    /// Whether `key_of_cards` leaves eight bits.
    #[must_use]
    pub fn has_spare_bits(&self) -> bool {
        let columns = self.radices.columns.iter().product::<u64>() * 14 * 14 * 14 * 14;
        columns.leading_zeros() > 8 + self.radices.circle_bits
    }

    /// The number of a state but for place and redeals: no two have the same.
    #[inline(always)]
    #[must_use]
    pub fn key_of_cards(&self, state: &State) -> u64 {
        (self.key_of_columns(state) << self.circle.len()) + u64::from(state.circle)
    }

    /// The number of a state but for redeals.
    #[inline(always)]
    #[must_use]
    pub fn key(&self, state: &State) -> u64 {
        let count = u64::from(state.circle.count_ones());
        let place = u64::from(state.place.origin) * (count + 1) + u64::from(state.place.dealt);
        let key = self.key_of_columns(state) * self.radices.places + place;
        (key << self.circle.len()) + u64::from(state.circle)
    }

    #[inline(always)]
    fn key_of_columns(&self, state: &State) -> u64 {
        let mut key = state.foundations() as u64 * self.radices.foundations;
        for (column, weight) in self.radices.weights.iter().enumerate() {
            key += u64::from(state.counts >> (COUNT_BITS * column as u32) & 15) * weight;
        }
        key
    }
}

impl State {
    /// The ranks of the foundations as one number below 14^4.
    #[inline(always)]
    #[must_use]
    pub fn foundations(&self) -> usize {
        // A suit's bit moves from lane to lane with its rank; its place in the pair stays.
        SUITS.iter().fold(0, |number, suit| number * 14 + (self.next & suit).trailing_zeros() as usize / 4)
    }
}

/// Cards founded and next cards, by the number that `State::foundations` gives.
#[inline(always)]
#[must_use]
pub fn founded_and_next(mut number: usize) -> (u64, u64) {
    let (mut founded, mut next) = (0, 0);
    for suit in SUITS.into_iter().rev() {
        let below = 1u64 << (4 * (number % 14));
        founded |= suit & (below - 1);
        next |= suit & (below * 0xF);
        number /= 14;
    }
    (founded, next)
}

/// Black cards: the second lane on odd ranks has red ones.
const BLACK: u64 = lane_pattern(0);
const RED: u64 = lane_pattern(1);
/// The cards of each suit, in the order of the number of foundations.
const SUITS: [u64; 4] = [BLACK & LOWER, BLACK & !LOWER, RED & LOWER, RED & !LOWER];

const fn lane_pattern(colour: u8) -> u64 {
    let mut set = 0;
    let mut rank = 1;
    while rank <= 14 {
        let lane = colour ^ (rank & 1);
        set |= 3 << (4 * (rank - 1) + 2 * lane);
        rank += 1;
    }
    set
}
