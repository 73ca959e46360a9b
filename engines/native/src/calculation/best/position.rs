//! Positions between two draws, in few bytes, and their keys.
use super::game::{Game, MAX_RANKS, RANKS, Renaming};
use crate::calculation::rules::{self, FOUNDATIONS, MAX_STACKS};

/// Bits of a rank on a stack and of a height; 0 is no rank.
const BITS: u32 = 3;
const RANK: u128 = (1 << BITS) - 1;
const _: () =
    assert!(MAX_RANKS < 1 << BITS && FOUNDATIONS * MAX_RANKS + MAX_STACKS + FOUNDATIONS <= 128 / BITS as usize);

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

    /// Equal for positions that differ only in the order of their stacks or by a renaming.
    #[must_use]
    pub fn key(&self, game: &Game) -> u128 {
        let stacks = game.rules.stacks;
        let renamed = game.renamings.iter().map(|renaming| self.renamed(renaming).packed(stacks));
        renamed.fold(self.packed(stacks), u128::min)
    }

    fn renamed(&self, renaming: &Renaming) -> Position {
        let mut renamed = *self;
        for (from, &to) in renaming.foundation.iter().enumerate() {
            renamed.heights[to] = self.heights[from];
        }
        for stack in &mut renamed.stacks {
            let ranks = ranks_of(*stack).enumerate();
            *stack = ranks.fold(0, |packed, (depth, rank)| {
                packed | Stack::from(renaming.rank[usize::from(rank)]) << (BITS * depth as u32)
            });
        }
        renamed
    }

    /// Stacks in order, each after a 0, then the heights.
    fn packed(&self, stacks: usize) -> u128 {
        let mut ordered = self.stacks;
        ordered[..stacks].sort_unstable();
        let packed = ordered[..stacks].iter().fold(0, |packed, &stack| {
            let bits = (u128::BITS - stack.leading_zeros()).next_multiple_of(BITS);
            packed << (BITS + bits) | stack
        });
        self.heights.iter().fold(packed, |packed, &height| packed << BITS | u128::from(height))
    }
}
