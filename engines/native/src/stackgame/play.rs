//! Random games of the stack game, each card put where the table says that it is best.
use super::boards::Boards;
use super::table::Rules;
use super::two_boards::TwoBoards;
use super::{general, width2};
use crate::rng::Stream;
use crate::storage::bytes::Bytes;
use crate::storage::damaged::Damaged;
use crate::storage::reader::Reader;

/// Games whose positions can be followed card by card. Cards are numbered board by board; those left keep their order.
pub trait Playable: Rules {
    type Position: Clone;
    fn opening(&self) -> Self::Position;
    /// Appends the live positions after putting card number `card` of those left on a stack, with their places.
    fn placements(&self, position: &Self::Position, card: usize, out: &mut Vec<(Self::Position, Self::Key)>);
}

impl Playable for TwoBoards {
    type Position = width2::State;

    fn opening(&self) -> width2::State {
        self.start()
    }

    fn placements(&self, position: &width2::State, card: usize, out: &mut Vec<(width2::State, u64)>) {
        position.successors(self.stacks, |c, _, next| {
            if c == card {
                out.push((*next, self.place(next)));
            }
        });
    }
}

impl Playable for Boards {
    type Position = general::State;

    fn opening(&self) -> general::State {
        self.start()
    }

    fn placements(
        &self,
        position: &general::State,
        card: usize,
        out: &mut Vec<(general::State, crate::storage::keys::Wide)>,
    ) {
        for stack in 0..self.stacks {
            if let Some(next) = general::place(position, card, stack, self.stacks) {
                out.push((next, self.place(&next)));
            }
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub won: bool,
    /// Cards placed before the end.
    pub placed: u8,
}

/// What can stop a game: a damaged block of a layer, or a position that the table should hold and does not.
#[derive(Debug)]
pub enum Failure {
    Damaged(usize, Damaged),
    Missing(usize),
}

/// Plays game `index` of `seed`. `layers[c]` looks up states with c cards left.
pub fn play<R: Playable, B: Bytes>(
    rules: &R,
    cards: usize,
    layers: &[Option<&Reader<R::Key, B>>],
    seed: u64,
    index: u64,
) -> Result<Outcome, Failure> {
    let mut pile: Vec<usize> = (0..cards).collect();
    Stream::new(seed, index).shuffle(&mut pile);
    let mut left: Vec<usize> = (0..cards).collect();
    let mut position = rules.opening();
    let mut options = Vec::new();
    for (placed, drawn) in pile.into_iter().enumerate() {
        if left.len() == 1 {
            // The last card of a live state has a stack, and the empty pile is won.
            return Ok(Outcome { won: true, placed: cards as u8 });
        }
        let card = left.iter().position(|&c| c == drawn).expect("a card of the pile is left");
        options.clear();
        rules.placements(&position, card, &mut options);
        left.remove(card);
        let Some(reader) = layers[left.len()] else { return Err(Failure::Missing(left.len())) };
        let keys: Vec<R::Key> = options.iter().map(|o| o.1).collect();
        let mut values = vec![0.0; keys.len()];
        reader.lookup(&keys, &mut values).map_err(|damaged| Failure::Damaged(left.len(), damaged))?;
        let mut best: Option<usize> = None;
        for (option, value) in values.iter().enumerate() {
            if value.is_nan() {
                return Err(Failure::Missing(left.len()));
            }
            if best.is_none_or(|b| values[b] < *value) {
                best = Some(option);
            }
        }
        match best {
            Some(option) => position = options[option].0.clone(),
            None => return Ok(Outcome { won: false, placed: placed as u8 }),
        }
    }
    Ok(Outcome { won: true, placed: cards as u8 })
}
