//! Positions between two draws, in few bytes.
use super::game::{MAX_RANKS, RANKS};
use crate::calculation::rules::{self, FOUNDATIONS, MAX_STACKS};

/// Bits of a rank on a stack; 0 is no rank.
pub const BITS: u32 = 3;
pub const RANK: Stack = (1 << BITS) - 1;
const _: () = assert!(MAX_RANKS < 1 << BITS);

/// A stack: its ranks, the top one in the lowest bits.
pub type Stack = u128;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub heights: [u8; FOUNDATIONS],
    pub stacks: [Stack; MAX_STACKS],
    /// Cards in the pile, by rank.
    pub left: [u8; RANKS],
}

/// The top card of a stack; none of an empty one.
#[inline(always)]
#[must_use]
pub fn top(stack: Stack) -> Option<u8> {
    (stack != 0).then_some((stack & RANK) as u8)
}

/// The ranks of a stack, the top one first.
pub fn ranks_of(mut stack: Stack) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let rank = top(stack)?;
        stack >>= BITS;
        Some(rank)
    })
}

impl Position {
    #[must_use]
    pub fn new(position: &rules::Position) -> Position {
        let pack =
            |stack: &rules::Stack| stack.cards().iter().fold(0, |packed, &rank| packed << BITS | Stack::from(rank));
        let mut left = [0; RANKS];
        left.copy_from_slice(&position.left[..RANKS]);
        Position { heights: position.heights, stacks: position.stacks.each_ref().map(pack), left }
    }

    #[inline(always)]
    pub fn push(&mut self, stack: usize, rank: u8) {
        self.stacks[stack] = self.stacks[stack] << BITS | Stack::from(rank);
    }

    #[inline(always)]
    pub fn pop(&mut self, stack: usize) {
        self.stacks[stack] >>= BITS;
    }

    #[must_use]
    pub fn is_pile_empty(&self) -> bool {
        self.left.iter().all(|&count| count == 0)
    }

    #[must_use]
    pub fn are_stacks_empty(&self) -> bool {
        self.stacks.iter().all(|&stack| stack == 0)
    }
}
