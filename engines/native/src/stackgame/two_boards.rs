//! The rules of one or two boards as a numbered game.
use super::moves::successor_ranks;
use super::rank::Automaton;
use super::table::Rules;
use super::width2::State;

/// One or two boards: places are ranks with their upper bits put in another order.
pub struct TwoBoards {
    pub automaton: Automaton,
    boards: usize,
    cards: usize,
    key_bits: Vec<u32>,
}

/// Ranks of states that are alike lie together, and so do their successors: runs of this many bits stay together,
/// which keeps look-ups in the caches. The bits above are mixed, which makes shards even.
const RUN_BITS: u32 = 16;
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// The multiplier's inverse modulo 2^64 (and so modulo every smaller power of two), by Newton's iteration.
const INVERSE: u64 = {
    let mut x = MULTIPLIER;
    let mut i = 0;
    while i < 6 {
        x = x.wrapping_mul(2u64.wrapping_sub(MULTIPLIER.wrapping_mul(x)));
        i += 1;
    }
    x
};

#[inline(always)]
fn split(bits: u32) -> (u32, u64, u32) {
    let run = RUN_BITS.min(bits / 2);
    let high = bits - run;
    (run, (1u64 << high) - 1, high.div_ceil(2).max(1))
}

/// Mixes the bits above a run: an invertible map of the numbers below 2^bits.
#[inline(always)]
pub fn place_of_rank(rank: u64, bits: u32) -> u64 {
    let (run, mask, shift) = split(bits);
    let mut high = (rank >> run).wrapping_mul(MULTIPLIER) & mask;
    high ^= high >> shift;
    high = high.wrapping_mul(MULTIPLIER) & mask;
    high << run | rank & ((1 << run) - 1)
}

#[inline(always)]
pub fn rank_of_place(place: u64, bits: u32) -> u64 {
    let (run, mask, shift) = split(bits);
    let mut high = (place >> run).wrapping_mul(INVERSE) & mask;
    high ^= high >> shift; // undoes itself, since the shift is at least half of the width
    high = high.wrapping_mul(INVERSE) & mask;
    high << run | place & ((1 << run) - 1)
}

impl TwoBoards {
    /// Tables for `boards` (1 or 2) boards of `cards` cards.
    pub fn new(stacks: usize, boards: usize, cards: usize) -> TwoBoards {
        let automaton = Automaton::new(stacks, boards * cards);
        let key_bits = (0..=boards * cards).map(|c| (64 - (automaton.count(c) - 1).leading_zeros()).max(1)).collect();
        TwoBoards { automaton, boards, cards, key_bits }
    }

    /// The first state of the game.
    pub fn start(&self) -> State {
        State::start(self.cards, if self.boards == 2 { self.cards } else { 0 })
    }

    #[inline(always)]
    pub fn place(&self, state: &State) -> u64 {
        place_of_rank(state.rank(&self.automaton), self.key_bits[state.cards()])
    }

    /// The canonical state at a place; None when no state has it.
    pub fn state(&self, layer: usize, place: u64) -> Option<State> {
        let rank = rank_of_place(place, self.key_bits[layer]);
        self.contains(layer, &place).then(|| State::from_rank(&self.automaton, layer, rank))
    }
}

impl Rules for TwoBoards {
    type Key = u64;

    fn key_bits(&self, layer: usize) -> u32 {
        self.key_bits[layer]
    }

    fn contains(&self, layer: usize, place: &u64) -> bool {
        let bits = self.key_bits[layer];
        place >> bits == 0 && rank_of_place(*place, bits) < self.automaton.count(layer)
    }

    #[inline(always)]
    fn successors(&self, layer: usize, place: &u64, mut emit: impl FnMut(usize, usize, u64)) {
        let rank = rank_of_place(*place, self.key_bits[layer]);
        let state = State::from_rank(&self.automaton, layer, rank);
        let bits = self.key_bits[layer - 1];
        state.successors(self.automaton.stacks, |card, stack, next| {
            emit(card, stack, place_of_rank(next.rank(&self.automaton), bits));
        });
    }

    #[inline(always)]
    fn expand(&self, layer: usize, place: &u64, mut emit: impl FnMut(usize, u64)) {
        let rank = rank_of_place(*place, self.key_bits[layer]);
        let walk = self.automaton.walk(layer, rank);
        let bits = self.key_bits[layer - 1];
        successor_ranks(&self.automaton, &walk, |card, rank| emit(card, place_of_rank(rank, bits)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{BlockKey, ValueType};
    use crate::reader::Reader;
    use crate::stackgame::table::{Expander, evaluate};
    use proptest::prelude::*;

    /// Every layer of a game, start first, and the start's probability.
    fn build(stacks: usize, boards: usize, cards: usize) -> (Vec<usize>, f64) {
        let game = TwoBoards::new(stacks, boards, cards);
        let mut layers = vec![vec![game.place(&game.start())]];
        for layer in (2..=boards * cards).rev() {
            let mut expander = Expander::new(game.key_bits(layer - 1), 2048);
            expander.push(&game, layer, layers.last().unwrap());
            layers.push(expander.take());
        }
        let counts = layers.iter().map(Vec::len).collect();
        let mut reader: Option<Reader<u64, Vec<u8>>> = None;
        let mut value = 0.0;
        for (layer, places) in layers.iter().rev().enumerate().map(|(c, p)| (c + 1, p)) {
            let values = evaluate(&game, layer, places, reader.as_ref()).unwrap();
            value = values[0];
            let bits = game.key_bits(layer);
            let blocks = places.chunks(1000).zip(values.chunks(1000));
            let blocks = blocks.map(|(p, v)| u64::encode(p, Some(v), ValueType::F64, bits)).collect();
            reader = Some(Reader::new(bits, blocks).unwrap());
        }
        (counts, value)
    }

    #[test]
    fn counts_of_the_paper() {
        for (stacks, row) in [(3, [2, 12, 65, 339, 1665, 7757]), (4, [2, 12, 71, 459, 2937, 17851])] {
            for (n, expected) in row.into_iter().enumerate() {
                assert_eq!(
                    build(stacks, 2, n + 1).0.iter().sum::<usize>(),
                    expected,
                    "{stacks} stacks, {} cards",
                    n + 1
                );
            }
        }
        for (stacks, row) in [
            (3, [1, 3, 7, 14, 25, 41, 63, 92, 129, 175, 231, 298]),
            (4, [1, 3, 7, 15, 30, 56, 98, 162, 255, 385, 561, 793]),
        ] {
            for (n, expected) in row.into_iter().enumerate() {
                assert_eq!(build(stacks, 1, n + 1).0.iter().sum::<usize>(), expected);
            }
        }
    }

    #[test]
    fn probability_of_the_start() {
        assert!((build(3, 2, 4).1 - 0.918402777778).abs() < 1e-12);
    }

    #[test]
    fn every_rank_is_a_state_and_every_state_has_its_rank() {
        for stacks in 2..=5 {
            let automaton = Automaton::new(stacks, 7);
            for cards in 0..=if stacks < 5 { 7 } else { 6 } {
                for rank in 0..automaton.count(cards) {
                    let state = State::from_rank(&automaton, cards, rank);
                    assert_eq!(state.rank(&automaton), rank, "{stacks} stacks, {cards} cards: {state:?}");
                    let (before, forbidden) = state.to_order(stacks);
                    let (again, _, _) = State::from_order(&before, &forbidden, stacks).unwrap();
                    assert_eq!(again.rank(&automaton), rank);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn places_are_a_permutation(rank: u64, bits in 1u32..=60) {
            let rank = rank & ((1 << bits) - 1);
            let place = place_of_rank(rank, bits);
            prop_assert!(place >> bits == 0);
            prop_assert_eq!(rank_of_place(place, bits), rank);
        }
    }
}
