//! A quick look at what can never happen any more.
//!
//! Suppose that a card, once it can be moved, stays where it was as well as going where it can: on its foundation, on
//! every card that takes it. Then nothing that has become possible ever becomes impossible, and all that is possible
//! is found by doing it until nothing is new. **What does not happen here never happens in the game**: every move of
//! the game needs cards that lie open, or an empty column, and whatever a sequence of moves lays open is open here.
//! (The relaxation of B. Bonet and H. Geffner, "Planning as heuristic search", Artificial Intelligence 129, 2001.) So
//! a state is lost if even here a card stays face down, or two cards stay in stock and waste.
//!
//! With a redeal left, every card of stock and waste counts as one that can be played. With none, the waste is a stack,
//! and so is each group of cards that is still to be dealt: what lies in it above a card has to be played before. (Cards
//! dealt later lie above, too, but need not be dealt before.)
use super::bits;
use super::circle::CircleSets;
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

pub struct Blocked {
    circle_sets: CircleSets,
}

impl Blocked {
    #[must_use]
    pub fn new(game: &Game) -> Blocked {
        Blocked { circle_sets: CircleSets::new(game) }
    }

    /// Whether a card will stay face down, or two in stock and waste, whatever is played.
    #[must_use]
    pub fn holds(&self, game: &Game, state: &State) -> bool {
        let stock = self.circle_sets.cards(state.circle);
        let mut relaxed = Relaxation::new(game, state, stock);
        loop {
            let is_new = relaxed.go_on(game);
            // With one card left the state is won already (`Game::is_won`). To wait for that card would only take
            // longer: all others are open by now, so those of its suit below it get founded, and then it can be
            // played, too.
            if relaxed.counts & FACE_DOWN == 0 && (stock & !relaxed.played).count_ones() <= 1 {
                return false;
            }
            if !is_new {
                return true;
            }
        }
    }

    /// No line of play from a state founds more cards than this.
    #[must_use]
    pub fn most_founded(&self, game: &Game, state: &State) -> u32 {
        let mut relaxed = Relaxation::new(game, state, self.circle_sets.cards(state.circle));
        while relaxed.go_on(game) {}
        relaxed.founded.count_ones()
    }
}

/// What is possible so far, in the relaxation of the module.
struct Relaxation {
    /// Those of the last pass, if there is no redeal.
    stacks: Option<Stacks>,
    stock: u64,
    // Cards that lay open in a column, on a foundation, or could be played from the waste, at any time.
    visible: u64,
    founded: u64,
    played: u64,
    next: u64,
    has_empty: bool,
    counts: u32,
}

impl Relaxation {
    fn new(game: &Game, state: &State, stock: u64) -> Relaxation {
        let has_last_pass = game.rules.redeals.is_some() && state.redeals == 0;
        Relaxation {
            stacks: has_last_pass.then(|| Stacks::of_last_pass(game, state)),
            stock,
            visible: state.visible,
            founded: state.founded,
            played: 0,
            next: state.next,
            has_empty: state.empty > 0,
            counts: state.counts,
        }
    }

    /// Does once all that can be done; returns whether anything is new.
    #[inline(always)]
    fn go_on(&mut self, game: &Game) -> bool {
        let before = (self.visible, self.founded, self.played, self.counts);
        let accepted = bits::takes(self.visible) | if self.has_empty { game.kings } else { 0 };
        let wanted = accepted | self.next;
        self.played |= match &mut self.stacks {
            Some(stacks) => stacks.take(wanted),
            None => self.stock & wanted,
        };
        self.visible |= self.played & accepted;
        let up = (self.visible | self.played) & self.next;
        self.founded |= up;
        self.next |= bits::one_higher(up);
        if game.rules.foundation_back {
            self.visible |= self.founded & accepted;
        }
        for column in 0..game.columns_count {
            let shift = COUNT_BITS * column as u32;
            while self.counts >> shift & 15 != 0 {
                let card = 1 << game.columns[column][(self.counts >> shift & 15) as usize - 1];
                self.visible |= card;
                if card & (accepted | self.founded) == 0 {
                    break;
                }
                self.counts -= 1 << shift;
                self.has_empty |= self.counts >> shift & 15 == 0;
            }
        }
        before != (self.visible, self.founded, self.played, self.counts)
    }
}

#[cfg(test)]
mod tests;
