//! Shuffled decks: item `index` of a seed, the same on every platform, however a run is split.
use crate::rng::Stream;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Most cards of a deck: their numbers are bytes.
pub const MAX_CARDS: usize = 256;

/// The cards 0..cards_count, shuffled by the stream `index` of `seed`.
#[must_use]
pub fn shuffled(seed: u64, index: u64, cards_count: usize) -> Vec<u8> {
    assert!(cards_count <= MAX_CARDS, "at most {MAX_CARDS} cards");
    let mut deck: Vec<u8> = (0..cards_count).map(|card| card as u8).collect();
    Stream::new(seed, index).shuffle(&mut deck);
    deck
}

/// The deck of item `index` under `seed` (uint8): a permutation of 0..cards_count, the card dealt first standing first.
/// Before the shuffle the cards lie in order: C, D, H, S by rank from the ace.
#[pyfunction]
pub fn shuffled_deck(py: Python<'_>, seed: u64, index: u64, cards_count: usize) -> PyResult<Bound<'_, PyArray1<u8>>> {
    if cards_count > MAX_CARDS {
        return Err(PyValueError::new_err(format!("cards_count: {cards_count} is not in 0..{MAX_CARDS}")));
    }
    Ok(shuffled(seed, index, cards_count).into_pyarray(py))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutes_and_repeats() {
        for cards in [0, 1, 2, 52, MAX_CARDS] {
            let mut deck = shuffled(7, 3, cards);
            assert_eq!(deck, shuffled(7, 3, cards));
            deck.sort_unstable();
            assert!(deck.iter().enumerate().all(|(place, &card)| place == usize::from(card)));
            assert_eq!(deck.len(), cards);
        }
    }

    #[test]
    fn items_and_seeds_differ() {
        let deck = shuffled(1, 0, 52);
        assert_ne!(deck, shuffled(1, 1, 52));
        assert_ne!(deck, shuffled(2, 0, 52));
    }
}
