//! A quick look at what can never happen any more.
//!
//! Suppose that a card, once it can be moved, stays where it was as well as going where it can: on its foundation, on
//! every card that takes it. Then nothing that can happen is ever lost, and all of it is found by doing it until
//! nothing is new. **What does not happen so never happens in the game**: every move of the game asks for cards that
//! lie open, or for an empty column, and whatever a row of moves has laid open by then is open here. (The relaxation of
//! B. Bonet and H. Geffner, "Planning as heuristic search", Artificial Intelligence 129, 2001.) So a state is lost if
//! even so a card stays face down, or two of stock and waste stay there.
//!
//! With a redeal left, every card of stock and waste counts as one that can be played. With none, the waste is a stack,
//! and so is each group of cards that is still to be dealt: what lies in it above a card has to be played before. (Cards
//! dealt later lie above, too, but need not be dealt before.)
use super::bits;
use super::rules::MAX_STOCK;
use super::state::{COUNT_BITS, Game, State};

/// Columns with more than one card left as dealt have some face down.
const FACE_DOWN: u32 = 0x0EEE_EEEE;

/// Stacks of cards of which only the last one can be played.
struct Stacks {
    cards: [u64; MAX_STOCK],
    /// From where to where the cards of each stack lie.
    parts: [(u8, u8); MAX_STOCK + 1],
    count: usize,
}

impl Stacks {
    /// The waste and the groups of cards that will be dealt, when there is no redeal any more.
    fn of_last_pass(game: &Game, state: &State) -> Stacks {
        let mut left = state.circle;
        let mut circle = [0; MAX_STOCK];
        let count = state.circle.count_ones() as usize;
        for card in circle.iter_mut().take(count) {
            *card = 1 << game.circle[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        let (origin, dealt) = (usize::from(state.place.origin), usize::from(state.place.dealt));
        circle[..count].rotate_left(origin.min(count));
        let mut stacks = Stacks { cards: circle, parts: [(0, 0); MAX_STOCK + 1], count: 1 };
        stacks.parts[0] = (0, dealt as u8);
        let mut begin = dealt;
        while begin < count {
            let end = (begin + game.rules.draw).min(count);
            stacks.parts[stacks.count] = (begin as u8, end as u8);
            stacks.count += 1;
            begin = end;
        }
        stacks
    }

    /// Takes the cards of a set from the stacks as long as one is the last of its stack.
    fn take(&mut self, set: u64) -> u64 {
        let mut taken = 0;
        for (begin, end) in &mut self.parts[..self.count] {
            while begin < end && self.cards[usize::from(*end) - 1] & set != 0 {
                *end -= 1;
                taken |= self.cards[usize::from(*end)];
            }
        }
        taken
    }
}

/// Cards of each eight of the circle, by which of them are left.
pub struct Blocked {
    sets: [[u64; 256]; MAX_STOCK / 8],
}

impl Blocked {
    #[must_use]
    pub fn new(game: &Game) -> Blocked {
        let mut sets = [[0; 256]; MAX_STOCK / 8];
        for (byte, part) in game.circle.chunks(8).enumerate() {
            for left in 1..1 << part.len() {
                sets[byte][left] = sets[byte][left & (left - 1)] | 1 << part[left.trailing_zeros() as usize];
            }
        }
        Blocked { sets }
    }

    /// Whether a card will stay face down, or two in stock and waste, whatever is played.
    #[must_use]
    pub fn holds(&self, game: &Game, state: &State) -> bool {
        let byte = |index: usize| self.sets[index][(state.circle >> (8 * index) & 255) as usize];
        is_blocked(game, state, byte(0) | byte(1) | byte(2))
    }
}

/// The same, with the cards of stock and waste as a set.
fn is_blocked(game: &Game, state: &State, stock: u64) -> bool {
    let has_last_pass = game.rules.redeals.is_some() && state.redeals == 0;
    let mut stacks = has_last_pass.then(|| Stacks::of_last_pass(game, state));
    // Cards that lay open in a column, on a foundation, or could be played from the waste, at any time.
    let (mut visible, mut founded, mut played) = (state.visible, state.founded, 0u64);
    let mut next = state.next;
    let mut has_empty = state.empty > 0;
    let mut counts = state.counts;
    loop {
        let before = (visible, founded, played, counts);
        let accepted = bits::takes(visible) | if has_empty { game.kings } else { 0 };
        let wanted = accepted | next;
        played |= match &mut stacks {
            Some(stacks) => stacks.take(wanted),
            None => stock & wanted,
        };
        visible |= played & accepted;
        let up = (visible | played) & next;
        founded |= up;
        next |= bits::one_higher(up);
        if game.rules.foundation_back {
            visible |= founded & accepted;
        }
        for column in 0..game.columns_count {
            let shift = COUNT_BITS * column as u32;
            while counts >> shift & 15 != 0 {
                let card = 1 << game.columns[column][(counts >> shift & 15) as usize - 1];
                visible |= card;
                if card & (accepted | founded) == 0 {
                    break;
                }
                counts -= 1 << shift;
                has_empty |= counts >> shift & 15 == 0;
            }
        }
        // With one card left the state is won already (`Game::is_won`). To wait for it would only take longer: all others
        // are open by now, so that those of its suit below it get founded, and then it is asked for and can be played.
        if counts & FACE_DOWN == 0 && (stock & !played).count_ones() <= 1 {
            return false;
        }
        if before == (visible, founded, played, counts) {
            return true;
        }
    }
}

#[cfg(test)]
mod tests;
