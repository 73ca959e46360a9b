//! The rules of one or two boards as a numbered game.
use super::moves::Moves;
use super::places::{Coder, place, state_at};
use super::ranks::{NO_RANK, Ranks};
use super::shape::Shapes;
use super::table::Rules;
use super::width2::State;
use super::words::{Word, word};

/// One or two boards, each state a place of one word.
pub struct TwoBoards {
    pub stacks: usize,
    boards: usize,
    cards: usize,
    numbers: Numbers,
}

/// How the states of a layer are numbered.
enum Numbers {
    /// With gaps, computed from the state alone: the coders by layer.
    Places { shapes: Box<Shapes>, coders: Vec<Coder> },
    /// Those that can be reached, without gaps.
    Ranks(Ranks),
}

impl TwoBoards {
    /// For `boards` (1 or 2) boards of `cards` cards; None when a layer's places need more than 64 bits.
    pub fn new(stacks: usize, boards: usize, cards: usize) -> Option<TwoBoards> {
        let shapes = Box::new(Shapes::new(boards * cards));
        let coders = (0..=boards * cards).map(|left| Coder::new(&shapes, stacks, left)).collect::<Option<_>>()?;
        Some(TwoBoards { stacks, boards, cards, numbers: Numbers::Places { shapes, coders } })
    }

    /// The same with ranks for places; None when a layer has more states than 32 bits count.
    pub fn ranked(stacks: usize, boards: usize, cards: usize) -> Option<TwoBoards> {
        let ranks = Ranks::new(stacks, [cards, if boards == 2 { cards } else { 0 }])?;
        Some(TwoBoards { stacks, boards, cards, numbers: Numbers::Ranks(ranks) })
    }

    /// States of a layer, where they are numbered without gaps.
    pub fn count(&self, layer: usize) -> Option<u64> {
        match &self.numbers {
            Numbers::Places { .. } => None,
            Numbers::Ranks(ranks) => Some(ranks.count(layer)),
        }
    }

    /// The first state of the game.
    pub fn start(&self) -> State {
        State::start(self.cards, if self.boards == 2 { self.cards } else { 0 })
    }

    pub fn place(&self, state: &State) -> u64 {
        match &self.numbers {
            Numbers::Places { shapes, coders } => place(shapes, &coders[state.cards()], state, self.stacks),
            Numbers::Ranks(ranks) => ranks.rank(state).unwrap_or(NO_RANK),
        }
    }

    /// The canonical state at a place; None when no state has it.
    pub fn state(&self, layer: usize, place: u64) -> Option<State> {
        match &self.numbers {
            Numbers::Places { shapes, coders } => state_at(shapes, &coders[layer], layer, self.stacks, place),
            Numbers::Ranks(ranks) => ranks.state(layer, place),
        }
    }
}

/// What is kept from one state to the next.
pub enum Walker<'a> {
    /// What is known of the current shape.
    Shape(Box<Moves<'a>>),
    /// The cards that went, and the words of the states that followed.
    Words { ranks: &'a Ranks, cards: Vec<usize>, words: Vec<Word> },
}

impl Rules for TwoBoards {
    type Key = u64;
    type Walker<'a> = Walker<'a>;

    fn walker(&self, layer: usize) -> Walker<'_> {
        match &self.numbers {
            Numbers::Places { shapes, coders } => {
                Walker::Shape(Box::new(Moves::new(shapes, coders[layer], coders[layer - 1], layer)))
            }
            Numbers::Ranks(ranks) => Walker::Words { ranks, cards: Vec::new(), words: Vec::new() },
        }
    }

    fn key_bits(&self, layer: usize) -> u32 {
        match &self.numbers {
            Numbers::Places { coders, .. } => coders[layer].key_bits(),
            Numbers::Ranks(_) => 64,
        }
    }

    fn contains(&self, layer: usize, place: &u64) -> bool {
        match &self.numbers {
            Numbers::Places { shapes, coders } => {
                let bits = coders[layer].key_bits();
                (bits == 64 || place >> bits == 0) && coders[layer].parts(*place).0 < shapes.count(layer)
            }
            Numbers::Ranks(ranks) => *place < ranks.count(layer),
        }
    }

    fn successors(&self, layer: usize, place: &u64, mut emit: impl FnMut(usize, usize, u64)) {
        let Some(state) = self.state(layer, *place) else { return };
        state.successors(self.stacks, |card, stack, next| emit(card, stack, self.place(next)));
    }

    #[inline(always)]
    fn expand(&self, walker: &mut Walker<'_>, layer: usize, place: &u64, mut emit: impl FnMut(usize, u64)) {
        let walker = match walker {
            Walker::Shape(moves) => moves,
            Walker::Words { ranks, cards, words } => {
                let Some(state) = ranks.state(layer, *place) else { return };
                cards.clear();
                words.clear();
                state.successors(self.stacks, |card, _, next| {
                    cards.push(card);
                    words.push(word(next, self.stacks));
                });
                return ranks.ranks(layer - 1, words, |number, rank| emit(cards[number], rank));
            }
        };
        match self.stacks {
            1 => walker.successors::<1>(*place, emit),
            2 => walker.successors::<2>(*place, emit),
            3 => walker.successors::<3>(*place, emit),
            4 => walker.successors::<4>(*place, emit),
            _ => walker.successors::<5>(*place, emit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stackgame::table::{Expander, Failure, evaluate, solve};
    use crate::storage::block::BlockKey;
    use crate::storage::reader::Reader;
    use crate::storage::values::ValueType;

    /// Every layer of a game, start first, and the start's probability.
    fn build(stacks: usize, boards: usize, cards: usize) -> (Vec<usize>, f64) {
        let game = TwoBoards::new(stacks, boards, cards).unwrap();
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
    fn a_value_takes_as_many_states_as_there_are_and_no_more() {
        let game = TwoBoards::new(3, 2, 4).unwrap();
        let (counts, value) = build(3, 2, 4);
        let states = counts.iter().sum();
        let solved = |most| solve(&game, 8, game.place(&game.start()), most);
        assert_eq!(solved(states), Some(value));
        assert_eq!(solved(states - 1), None);
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
    fn a_successor_that_is_missing_is_told() {
        let game = TwoBoards::new(3, 2, 3).unwrap();
        let expand = |layer: usize, places: &[u64]| {
            let mut expander = Expander::new(game.key_bits(layer - 1), 2048);
            expander.push(&game, layer, places);
            expander.take()
        };
        let above = expand(6, &[game.place(&game.start())]);
        let below = expand(5, &above);
        for missing in &below {
            let rest: Vec<u64> = below.iter().copied().filter(|place| place != missing).collect();
            let block = u64::encode(&rest, Some(&vec![0.5; rest.len()]), ValueType::F64, game.key_bits(4));
            let reader = Reader::<u64, Vec<u8>>::new(game.key_bits(4), vec![block]).unwrap();
            let leads_there = |place: &u64| {
                let mut found = false;
                game.successors(5, place, |_, _, next| found |= next == *missing);
                found
            };
            let first = above.iter().position(leads_there).expect("it follows from one of them");
            match evaluate(&game, 5, &above, Some(&reader)) {
                Err(Failure::Missing(state)) => assert_eq!(state, first),
                other => panic!("{other:?}"),
            }
        }
    }

    /// A state that is written as an order and read back has the same place, and different places are different states.
    #[test]
    fn places_come_back() {
        for stacks in 1..=5 {
            let game = TwoBoards::new(stacks, 2, 3).unwrap();
            for cards in 1..=if stacks < 4 { 6 } else { 5 } {
                let mut states = 0;
                for place in 0..1u64 << game.key_bits(cards) {
                    let Some(state) = game.state(cards, place) else { continue };
                    states += 1;
                    let (before, forbidden) = state.to_order(stacks);
                    let (again, _, _) = State::from_order(&before, &forbidden, stacks).unwrap();
                    assert_eq!(game.place(&again), place);
                    assert_eq!(game.place(&state.mirrored()), place);
                }
                assert!(states > 0);
            }
        }
    }
}
