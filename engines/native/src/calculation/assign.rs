//! Assignments that are made from scratch, and those that are worth trying when a card is drawn.
use super::assignment::Assignment;
use super::estimate::Asked;
use super::rules::{FOUNDATIONS, MAX_STACKS, Position};
use super::turn::{Abort, Thinker};
use crate::storage::bytes::Bytes;
use std::borrow::Cow;

impl<B: Bytes> Thinker<'_, '_, B> {
    /// `list` and the assignments that differ from one of it in the targets of stacked cards of the drawn rank: one
    /// card takes a place that is free, or two cards exchange theirs. The best ones, best first. `position`: as in
    /// `plays`.
    pub(super) fn recast<'c>(
        &mut self,
        position: &Position,
        list: &'c [Assignment],
        drawn: Option<u8>,
    ) -> Result<Cow<'c, [Assignment]>, Abort> {
        let Some(rank) = drawn.filter(|_| self.options.recast) else { return Ok(Cow::Borrowed(list)) };
        let cards: Vec<(usize, usize)> = position.places_of(rank).collect();
        if cards.is_empty() {
            return Ok(Cow::Borrowed(list));
        }
        let mut made = list.to_vec();
        for assignment in list {
            let target_of = |&(s, depth): &(usize, usize)| {
                (0..FOUNDATIONS).find(|&b| assignment.targets[s][b] >> depth & 1 == 1).expect("every card has one")
            };
            let meant: Vec<usize> = cards.iter().map(target_of).collect();
            for (n, &from) in meant.iter().enumerate() {
                for to in (0..FOUNDATIONS).filter(|&b| b != from) {
                    let other = meant.iter().position(|&b| b == to);
                    if other.is_some_and(|other| other < n) {
                        continue;
                    }
                    let mut targets = assignment.targets;
                    for &(s, depth) in std::iter::once(&cards[n]).chain(other.map(|other| &cards[other])) {
                        targets[s][from] ^= 1 << depth;
                        targets[s][to] ^= 1 << depth;
                    }
                    made.extend(Assignment::new(self.rules, position, &targets, Asked::Pairs, self.nodes));
                    self.evaluations_count += 1;
                }
            }
        }
        let most = self.options.keep.max(list.len());
        Ok(Cow::Owned(self.settle(made, most)?))
    }

    /// Assignments of a position for which none are known, best first. Cards are given targets one after another, the
    /// lowest of all stacks first; after each card the best `most` assignments of the cards so far are kept.
    pub fn assign(&mut self, position: &Position, most: usize) -> Result<Vec<Assignment>, Abort> {
        let mut partial = position.clone();
        for stack in &mut partial.stacks {
            while stack.len > 0 {
                let rank = stack.pop();
                partial.left[rank as usize] += 1;
                partial.pile += 1;
            }
        }
        let empty = [[0; FOUNDATIONS]; MAX_STACKS];
        let first = Assignment::new(self.rules, &partial, &empty, Asked::Pairs, self.nodes);
        let mut list: Vec<Assignment> = first.into_iter().collect();
        list = self.settle(list, most)?;
        let deepest = position.stacks.iter().map(|stack| stack.len).max().unwrap_or(0);
        for depth in 0..usize::from(deepest) {
            for s in 0..self.rules.stacks {
                let Some(&rank) = position.stacks[s].cards().get(depth) else { continue };
                self.clock.check()?;
                partial.stacks[s].push(rank);
                partial.draw(rank);
                let mut made = Vec::with_capacity(list.len() * FOUNDATIONS);
                for assignment in &list {
                    for target in 0..FOUNDATIONS {
                        let mut targets = assignment.targets;
                        targets[s][target] |= 1 << depth;
                        made.extend(Assignment::new(self.rules, &partial, &targets, Asked::Pairs, self.nodes));
                        self.evaluations_count += 1;
                    }
                }
                list = self.settle(made, most)?;
            }
        }
        Ok(list)
    }
}
