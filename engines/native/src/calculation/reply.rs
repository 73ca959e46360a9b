//! The worth of the best reply to a drawn card, where the largest value counts. What cannot be the largest is not rated.
use super::assignment::{Assignment, Move, Put};
use super::estimate::{Asked, LAST_HOPE};
use super::options::{Edges, Misfits};
use super::rules::{DRAWN, FOUNDATIONS, MAX_STACKS, Position, TO_STACK};
use super::turn::{Abort, Candidate, MOST_PLAYS, Thinker};
use crate::storage::bytes::Bytes;
use std::collections::HashSet;

/// Candidates that are rated together, so that their states are looked up side by side.
const CHUNK: usize = 32;

/// More than rounding can take from a bound: values of the table are rounded once a layer, to 24 bits.
const ROUNDING: f64 = 1.0 + 1e-4;

/// Whether a value of at most `bound` is surely less than `best`.
fn is_less(bound: f64, best: f64) -> bool {
    best > LAST_HOPE && bound * ROUNDING < best
}

/// How a play comes about.
#[derive(Clone, Copy)]
enum Way {
    /// The drawn card goes to a foundation.
    Played(usize),
    /// It goes on a stack.
    Put(usize),
    /// After an earlier play the top of a stack goes to a foundation.
    Moved { after: usize, from: usize, foundation: usize },
}

/// A position that can be reached with the drawn card.
struct Reached {
    way: Way,
    position: Position,
    /// Whether others are reached from here, so that its assignments are needed.
    goes_on: bool,
}

impl<B: Bytes> Thinker<'_, '_, B> {
    /// The largest value of any assignment after any play of a drawn card, as `turn` has them.
    pub(super) fn best_reply(&mut self, position: &Position, list: &[Assignment], rank: u8) -> Result<f64, Abort> {
        self.clock.check()?;
        let reached = self.reached(position, rank);
        let stacks = |goes_on: bool| {
            let ways = reached.iter().filter(move |each| each.goes_on == goes_on).map(|each| each.way);
            ways.fold(0, |mask, way| if let Way::Put(stack) = way { mask | 1 << stack } else { mask })
        };
        let mut candidates: [Vec<Candidate>; MAX_STACKS] = Default::default();
        self.rate(position, list, rank, stacks(true), &mut candidates)?;
        let mut best = 0.0f64;
        let mut lists: Vec<Vec<Assignment>> = Vec::with_capacity(reached.len());
        for each in &reached {
            let (before, of_before, from, foundation) = match each.way {
                Way::Put(stack) => {
                    self.best(&mut candidates[stack], list, rank);
                    lists.push(self.put(&candidates[stack], position, list, rank, stack));
                    best = lists.last().and_then(|made| made.first()).map_or(best, |first| best.max(first.value));
                    continue;
                }
                Way::Played(foundation) => (position, list, None, foundation),
                Way::Moved { after, from, foundation } => {
                    (&reached[after].position, &lists[after][..], Some(from), foundation)
                }
            };
            let to_foundation = Move { before, after: &each.position, from, foundation };
            if each.goes_on {
                lists.push(self.moved(to_foundation, of_before)?);
                best = lists.last().and_then(|made| made.first()).map_or(best, |first| best.max(first.value));
            } else {
                best = self.best_moved(to_foundation, of_before, best)?;
                lists.push(Vec::new());
            }
        }
        self.best_put(position, list, rank, stacks(false), best)
    }

    /// All positions that can be reached, in the order of `turn`.
    fn reached(&self, position: &Position, rank: u8) -> Vec<Reached> {
        let with = |way: Way, made: [u8; 2]| {
            let mut after = position.clone();
            after.make(made, rank);
            Reached { way, position: after, goes_on: false }
        };
        let foundations = (0..FOUNDATIONS).filter(|&f| self.rules.fits(position, f, rank));
        let mut reached: Vec<Reached> = foundations.map(|f| with(Way::Played(f), [DRAWN, f as u8])).collect();
        let stacks = self.rules.different_stacks(position);
        let stacks = (0..self.rules.stacks).filter(|s| stacks >> s & 1 == 1);
        reached.extend(stacks.map(|s| with(Way::Put(s), [DRAWN, TO_STACK + s as u8])));
        let mut seen: HashSet<_> = reached.iter().map(|each| each.position.mark()).collect();
        let mut number = 0;
        while number < reached.len() && position.pile > 0 {
            let before = reached[number].position.clone();
            for (from, foundation) in self.rules.movable(&before) {
                let mut after = before.clone();
                after.make([from as u8, foundation as u8], 0);
                if reached.len() < MOST_PLAYS && seen.insert(after.mark()) {
                    let way = Way::Moved { after: number, from, foundation };
                    reached.push(Reached { way, position: after, goes_on: false });
                    reached[number].goes_on = true;
                }
            }
            number += 1;
        }
        reached
    }

    /// Whether an assignment is worth less than `best` whatever happens in one row, as long as the other rows stay as
    /// they are.
    fn is_less_without(&self, assignment: &Assignment, row: usize, best: f64) -> bool {
        is_less(assignment.parts.without(row, assignment.parts.stuck).bound(self.nodes), best)
    }

    /// The largest value of any assignment after a move to a foundation, or `best` if that is larger.
    fn best_moved(&mut self, made: Move<'_>, list: &[Assignment], mut best: f64) -> Result<f64, Abort> {
        let drop = self.options.misfits == Misfits::Drop;
        let mut moved = Vec::new();
        for assignment in list {
            // What leaves a stack frees other rows, where all cards count.
            let leaves_alone = made.from.is_none() || self.options.edges == Edges::Own;
            let is_alone = leaves_alone && assignment.is_meant(made) && assignment.parts.stuck == 0;
            if !(is_alone && self.is_less_without(assignment, made.foundation, best)) {
                assignment.moved(self.rules, made, drop, Asked::Singles, self.nodes, &mut moved);
            }
        }
        self.nodes.settle(self.table)?;
        moved.iter_mut().for_each(|each| each.value = each.parts.bound(self.nodes));
        moved.sort_unstable_by(|a, b| b.value.total_cmp(&a.value));
        for chunk in moved.chunks_mut(CHUNK) {
            if is_less(chunk[0].value, best) {
                break;
            }
            self.evaluations_count += chunk.len() as u64;
            chunk.iter_mut().for_each(|each| each.fill(self.rules, made.after, Asked::Pairs, self.nodes));
            self.nodes.settle(self.table)?;
            best = chunk.iter().fold(best, |best, each| best.max(each.parts.estimate(self.nodes)));
        }
        Ok(best)
    }

    /// The largest value of any assignment with the drawn card on one of these stacks, or `best` if that is larger.
    fn best_put(
        &mut self,
        position: &Position,
        list: &[Assignment],
        rank: u8,
        stacks: u8,
        mut best: f64,
    ) -> Result<f64, Abort> {
        let mut candidates: Vec<(Candidate, usize)> = Vec::new();
        for (parent, assignment) in list.iter().enumerate() {
            let tops = assignment.tops(self.rules, position);
            for target in (0..FOUNDATIONS).filter(|&b| assignment.is_free(b, self.rules.place_of(b, rank))) {
                // A card of this row forbids the cards of other rows nothing, unless all cards count.
                if self.options.edges == Edges::Own && self.is_less_without(assignment, target, best) {
                    continue;
                }
                for stack in (0..self.rules.stacks).filter(|s| stacks >> s & 1 == 1) {
                    let put = Put { stack, rank, target };
                    let found = assignment.follow(self.rules, (position, &tops), put, Asked::Singles, self.nodes);
                    if let Some(parts) = found {
                        let (parent, target) = (parent as u32, target as u8);
                        candidates.push((Candidate { value: 0.0, parent, target, parts }, stack));
                    }
                }
            }
        }
        self.nodes.settle(self.table)?;
        candidates.iter_mut().for_each(|(each, _)| each.value = each.parts.bound(self.nodes));
        candidates.sort_unstable_by(|(a, _), (b, _)| b.value.total_cmp(&a.value));
        for chunk in candidates.chunks_mut(CHUNK) {
            if is_less(chunk[0].0.value, best) {
                break;
            }
            self.evaluations_count += chunk.len() as u64;
            for (each, stack) in chunk.iter_mut() {
                let assignment = &list[each.parent as usize];
                let put = Put { stack: *stack, rank, target: each.target.into() };
                let tops = assignment.tops(self.rules, position);
                let found = assignment.follow(self.rules, (position, &tops), put, Asked::Pairs, self.nodes);
                each.parts = found.expect("there was no cycle before");
            }
            self.nodes.settle(self.table)?;
            best = chunk.iter().fold(best, |best, (each, _)| best.max(each.parts.estimate(self.nodes)));
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calculation::estimate::PAIRS;
    use crate::calculation::nodes::UNKNOWN;
    use crate::calculation::options::{Alike, Options};
    use crate::calculation::player::Player;
    use crate::calculation::rules::Rules;
    use crate::calculation::tests::{build, deck, table};
    use crate::search::Clock;

    /// Every reply of some games, and what each pair of boards is worth beside the two alone.
    #[test]
    fn best_replies_are_those_of_all_plays() {
        let usual = || Options { keep: 20, ..Options::default() };
        let variants = [
            usual(),
            Options { edges: Edges::Own, ..usual() },
            Options { edges: Edges::Own, misfits: Misfits::Drop, keep: 3, ..usual() },
            Options { alike: Alike::Once, exact_cards: 3, ..usual() },
            Options { edges: Edges::Own, recast: true, keep: 5, ..usual() },
        ];
        let (mut rated, mut rated_by_all, mut compared) = (0, 0, 0);
        for (stacks, ranks) in [(2, 5), (3, 6)] {
            let (game, layers) = build(ranks, stacks);
            let table = table(&game, &layers);
            for (options, index) in variants.iter().flat_map(|options| (0..4).map(move |index| (options, index))) {
                let mut player = Player::new(Rules::new(ranks, stacks).unwrap(), options.clone());
                let mut never = || false;
                let mut clock = Clock::new(0.0, &mut never);
                let (mut thinker, rules) = player.thinker(&table, &mut clock);
                let mut position = rules.start();
                let mut list = thinker.assign(&position, 1).unwrap();
                for rank in deck(11, index, ranks) {
                    position.draw(rank);
                    let play = thinker.choose(&position, &list, rank).unwrap();
                    (position, list) = (play.position, play.list);
                    list.iter().filter(|each| each.parts.stuck == 0).for_each(|each| {
                        let values = each.parts.values(thinker.nodes);
                        for (pair, (x, y)) in PAIRS.iter().enumerate() {
                            assert!(values[FOUNDATIONS + pair] <= values[*x] * values[*y] * ROUNDING);
                        }
                        let mut singles = each.parts;
                        singles.nodes[FOUNDATIONS..].fill(UNKNOWN);
                        assert!(each.value <= singles.bound(thinker.nodes) * ROUNDING);
                    });
                    for next in (1..=ranks as u8).filter(|&next| position.left[usize::from(next)] > 0) {
                        let mut drawn = position.clone();
                        drawn.draw(next);
                        thinker.evaluations_count = 0;
                        let plays = thinker.plays(&drawn, &list, Some(next)).unwrap();
                        rated_by_all += std::mem::take(&mut thinker.evaluations_count);
                        let list = thinker.recast(&drawn, &list, Some(next)).unwrap();
                        let best = plays.iter().fold(0.0, |best: f64, play| best.max(play.value));
                        thinker.evaluations_count = 0;
                        assert_eq!(thinker.best_reply(&drawn, &list, next).unwrap(), best);
                        rated += thinker.evaluations_count;
                        compared += u32::from(best > LAST_HOPE);
                    }
                }
            }
        }
        assert!(compared > 500 && rated < rated_by_all, "{compared} {rated} {rated_by_all}");
    }
}
