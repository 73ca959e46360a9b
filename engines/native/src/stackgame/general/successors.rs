//! The states that follow from a state.
use super::coder::Coder;
use super::state::{Play, State};
use crate::storage::keys::Wide;

/// The state after `card` was put on `stack`; `None` if that is not allowed or the result is dead.
#[must_use]
pub fn place(state: &State, card: usize, stack: usize, stacks: usize) -> Option<State> {
    Play::of(state, stacks).place(card, stack).map(|play| play.state())
}

/// Calls `emit(card, stack, key)` for every live successor; `below` is the coder of the layer with one card less.
/// Stacks with equal up-sets lead to the same states: only the first of each class is used.
pub fn successors(state: &State, stacks: usize, below: &Coder, mut emit: impl FnMut(usize, usize, Wide)) {
    let play = Play::of(state, stacks);
    for card in 0..state.cards {
        for stack in 0..stacks {
            if play.upset[..stack].contains(&play.upset[stack]) {
                continue;
            }
            if let Some(next) = play.place(card, stack) {
                emit(card, stack, below.key_of_play(&next));
            }
        }
    }
}
