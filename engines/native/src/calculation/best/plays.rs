//! What can be done with a drawn card: where it goes, and which tops of stacks go to foundations after it.
use super::game::Game;
use super::position::{Position, top};
use crate::calculation::rules::FOUNDATIONS;

/// Positions that a draw can lead to, each once, with their keys.
pub type Found = Vec<(u128, Position)>;

impl Game {
    /// Foundations that still need a card of this rank.
    pub fn needing(&self, position: &Position, rank: u8) -> impl Iterator<Item = usize> {
        let heights = position.heights;
        (0..FOUNDATIONS).filter(move |&f| self.rules.place_of(f, rank) >= heights[f])
    }

    #[inline(always)]
    fn fits(&self, position: &Position, foundation: usize, rank: u8) -> bool {
        self.rules.place_of(foundation, rank) == position.heights[foundation]
    }

    /// The only foundation that still needs this rank, if it waits for it now. A card that goes nowhere else is never better
    /// off elsewhere: without it on a stack, all that could be done still can be.
    fn sure_target(&self, position: &Position, rank: u8) -> Option<usize> {
        let mut needing = self.needing(position, rank);
        let only = needing.next()?;
        (needing.next().is_none() && self.fits(position, only, rank)).then_some(only)
    }

    /// Fills `found` with the positions after a card of `rank` was drawn and played, but for those that cannot be better
    /// than another of them.
    pub fn plays(&self, position: &Position, rank: u8, found: &mut Found) {
        found.clear();
        let mut drawn = *position;
        drawn.left[usize::from(rank)] -= 1;
        for f in (0..FOUNDATIONS).filter(|&f| self.fits(position, f, rank)) {
            let mut next = drawn;
            next.heights[f] += 1;
            self.follow(next, found);
        }
        if self.sure_target(position, rank).is_some() {
            return;
        }
        for s in 0..self.rules.stacks {
            if !drawn.stacks[..s].contains(&drawn.stacks[s]) {
                let mut next = drawn;
                next.push(s, rank);
                self.follow(next, found);
            }
        }
    }

    /// Stacks that are not empty, with their top ranks.
    pub fn tops(&self, position: &Position) -> impl Iterator<Item = (usize, u8)> {
        let stacks = position.stacks;
        (0..self.rules.stacks).filter_map(move |s| Some((s, top(stacks[s])?)))
    }

    /// The position after all tops that go nowhere else went where they fit.
    pub fn with_sure_moves(&self, mut position: Position) -> Position {
        let next = |position: &Position| {
            self.tops(position).find_map(|(s, rank)| Some((s, self.sure_target(position, rank)?)))
        };
        while let Some((s, f)) = next(&position) {
            position = moved(&position, s, f);
        }
        position
    }

    /// Adds a position and those to which tops of stacks lead from it.
    fn follow(&self, position: Position, found: &mut Found) {
        let position = self.with_sure_moves(position);
        let key = position.key(self);
        if found.iter().any(|each| each.0 == key) {
            return;
        }
        found.push((key, position));
        for (s, rank) in self.tops(&position) {
            for f in (0..FOUNDATIONS).filter(|&f| self.fits(&position, f, rank)) {
                self.follow(moved(&position, s, f), found);
            }
        }
    }
}

/// The position after the top of a stack went to a foundation.
fn moved(position: &Position, stack: usize, foundation: usize) -> Position {
    let mut next = *position;
    next.pop(stack);
    next.heights[foundation] += 1;
    next
}
