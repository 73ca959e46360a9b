//! The rules for any number of boards as a numbered game, by the general canonical form.
use super::general::{self, Coder, State};
use super::table::Rules;
use crate::storage::keys::Wide;

/// One coder for each layer, the empty one included.
pub struct Boards {
    pub stacks: usize,
    boards: usize,
    cards: usize,
    coders: Vec<Coder>,
}

impl Boards {
    /// Refuses games whose states do not fit a key of 256 bits.
    pub fn new(stacks: usize, boards: usize, cards: usize) -> Result<Boards, String> {
        let coders = (0..=boards * cards).map(|left| Coder::new(stacks, boards, left)).collect::<Result<_, _>>()?;
        Ok(Boards { stacks, boards, cards, coders })
    }

    /// The first state of the game.
    pub fn start(&self) -> State {
        general::start(self.boards, self.cards)
    }

    pub fn place(&self, state: &State) -> Wide {
        let coder = &self.coders[state.cards];
        coder.place_of(coder.key(state))
    }

    pub fn state(&self, layer: usize, place: &Wide) -> State {
        let coder = &self.coders[layer];
        coder.state(coder.key_of_place(*place))
    }
}

impl Rules for Boards {
    type Key = Wide;
    type Walker<'a> = ();

    fn walker(&self, _layer: usize) {}

    fn key_bits(&self, layer: usize) -> u32 {
        self.coders[layer].key_bits()
    }

    fn contains(&self, layer: usize, place: &Wide) -> bool {
        // Every word of the layer's width decodes to some state.
        let bits = self.coders[layer].key_bits();
        (0..4u32).all(|w| {
            let above = bits.saturating_sub(64 * (3 - w));
            above >= 64 || place[w as usize] >> above == 0
        })
    }

    fn successors(&self, layer: usize, place: &Wide, mut emit: impl FnMut(usize, usize, Wide)) {
        let below = &self.coders[layer - 1];
        general::successors(&self.state(layer, place), self.stacks, below, |card, stack, key| {
            emit(card, stack, below.place_of(key));
        });
    }

    fn expand(&self, _walker: &mut (), layer: usize, place: &Wide, mut emit: impl FnMut(usize, Wide)) {
        self.successors(layer, place, |card, _, next| emit(card, next));
    }
}
