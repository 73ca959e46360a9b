//! One turn: what can be done with a drawn card, and what each position that follows is worth.
use super::assignment::{Assignment, Move, Put};
use super::estimate::{Asked, LAST_HOPE, Parts};
use super::nodes::Nodes;
use super::options::{Alike, Misfits, Options, Ties, Worth};
use super::rules::{DRAWN, FOUNDATIONS, MAX_STACKS, Position, Rules, TO_STACK};
use super::table::{Failure, Table};
use crate::search::{Clock, Stop};
use crate::storage::bytes::Bytes;
use std::collections::HashSet;

/// Positions of a turn that are looked at; where there are more, the first ones.
pub(super) const MOST_PLAYS: usize = 256;

/// What ends a game before its time.
#[derive(Debug)]
pub enum Abort {
    Table(Failure),
    Stop(Stop),
}

impl From<Failure> for Abort {
    fn from(failure: Failure) -> Abort {
        Abort::Table(failure)
    }
}

impl From<Stop> for Abort {
    fn from(stop: Stop) -> Abort {
        Abort::Stop(stop)
    }
}

/// What a player uses to think.
pub struct Thinker<'a, 'b, B> {
    pub rules: &'a Rules,
    pub options: &'a Options,
    pub table: &'a Table<'a, B>,
    pub nodes: &'a mut Nodes,
    pub clock: &'a mut Clock<'b>,
    /// Assignments that were rated.
    pub evaluations_count: u64,
}

/// An assignment with one more card on a stack, rated and not made yet.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub value: f64,
    pub parent: u32,
    pub target: u8,
    pub parts: Parts,
}

/// A position that follows from a drawn card, with the moves that lead there.
pub struct Play {
    pub moves: Vec<[u8; 2]>,
    pub position: Position,
    pub value: f64,
    /// The stack that the drawn card went to, when nothing else happened.
    stack: Option<usize>,
    /// Its assignments, best first, once they are made.
    pub list: Vec<Assignment>,
    is_made: bool,
}

/// A drawn card's plays, and by stack the candidates of those that are not made.
struct Turn {
    plays: Vec<Play>,
    candidates: [Vec<Candidate>; MAX_STACKS],
}

/// Values as they are compared: the last digits of products of the same factors differ with their order.
pub(super) fn compared(value: f64) -> f32 {
    value as f32
}

impl<B: Bytes> Thinker<'_, '_, B> {
    /// All plays, each with its value and its assignments, best first. `position`: with `drawn` in no place, `list`: the
    /// assignments of the position before the draw. Without a drawn card, all that can be moved or not.
    pub fn plays(&mut self, position: &Position, list: &[Assignment], drawn: Option<u8>) -> Result<Vec<Play>, Abort> {
        let list = &self.recast(position, list, drawn)?[..];
        let mut turn = self.turn(position, list, drawn)?;
        for number in 0..turn.plays.len() {
            self.worth(&mut turn, number, position, list, drawn, self.options.look_ahead)?;
            self.make(&mut turn, number, position, list, drawn.unwrap_or(0))?;
        }
        let competing = self.competing(&turn.plays);
        let mut plays = turn.plays;
        let mut number = 0..;
        plays.retain(|_| number.next().is_some_and(|number| competing.contains(&number)));
        self.sort(&mut plays);
        Ok(plays)
    }

    /// The play that is made, with its assignments.
    pub fn choose(&mut self, position: &Position, list: &[Assignment], drawn: u8) -> Result<Play, Abort> {
        let list = &self.recast(position, list, Some(drawn))?[..];
        let mut turn = self.turn(position, list, Some(drawn))?;
        let order = self.competing(&turn.plays);
        for &number in &order {
            self.worth(&mut turn, number, position, list, Some(drawn), self.options.look_ahead)?;
        }
        let best = order.into_iter().min_by(|&a, &b| self.ahead(&turn.plays[a], a, &turn.plays[b], b));
        let best = best.expect("a drawn card can be put somewhere");
        self.make(&mut turn, best, position, list, drawn)?;
        Ok(turn.plays.swap_remove(best))
    }

    /// The plays that may be made. For an eager player those to the end of its moves; all, if none of these is among
    /// the plays that are looked at.
    fn competing(&self, plays: &[Play]) -> Vec<usize> {
        let is_end = |play: &Play| play.position.pile == 0 || self.rules.movable(&play.position).next().is_none();
        let all = 0..plays.len();
        if self.options.eager && plays.iter().any(is_end) {
            return all.filter(|&number| is_end(&plays[number])).collect();
        }
        all.collect()
    }

    /// Which of two plays comes first, by value and then by the rule for ties.
    fn ahead(&self, a: &Play, a_number: usize, b: &Play, b_number: usize) -> std::cmp::Ordering {
        let up = |play: &Play| play.position.heights.iter().map(|&h| i32::from(h)).sum::<i32>();
        let number = |n: usize| if self.options.ties == Ties::LastStack { -(n as i64) } else { n as i64 };
        let sign = if self.options.ties == Ties::Stack { 1 } else { -1 };
        compared(b.value)
            .total_cmp(&compared(a.value))
            .then((sign * up(a)).cmp(&(sign * up(b))))
            .then(number(a_number).cmp(&number(b_number)))
    }

    fn sort(&self, plays: &mut Vec<Play>) {
        let mut numbered: Vec<(usize, Play)> = plays.drain(..).enumerate().collect();
        numbered.sort_by(|(a, play_a), (b, play_b)| self.ahead(play_a, *a, play_b, *b));
        plays.extend(numbered.into_iter().map(|(_, play)| play));
    }

    /// The best reply's value.
    fn reply(&mut self, position: &Position, list: &[Assignment], drawn: u8, look_ahead: usize) -> Result<f64, Abort> {
        let list = &self.recast(position, list, Some(drawn))?[..];
        if look_ahead == 0 && self.options.worth == Worth::Max && !self.options.eager {
            return self.best_reply(position, list, drawn);
        }
        let mut turn = self.turn(position, list, Some(drawn))?;
        let mut best = 0.0f64;
        for number in self.competing(&turn.plays) {
            self.worth(&mut turn, number, position, list, Some(drawn), look_ahead)?;
            best = best.max(turn.plays[number].value);
        }
        Ok(best)
    }

    /// The mean over the next card of the best reply's value.
    fn expected(&mut self, position: &Position, list: &[Assignment], look_ahead: usize) -> Result<f64, Abort> {
        let mut sum = 0.0;
        for rank in 1..=self.rules.ranks as u8 {
            let count = position.left[rank as usize];
            if count > 0 {
                let mut drawn = position.clone();
                drawn.draw(rank);
                sum += f64::from(count) * self.reply(&drawn, list, rank, look_ahead - 1)?;
            }
        }
        Ok(sum / f64::from(position.pile))
    }

    /// Sets a play's value.
    fn worth(
        &mut self,
        turn: &mut Turn,
        number: usize,
        position: &Position,
        list: &[Assignment],
        drawn: Option<u8>,
        look_ahead: usize,
    ) -> Result<(), Abort> {
        self.clock.check()?;
        let pile = turn.plays[number].position.pile;
        if look_ahead == 0 || pile == 0 {
            let play = &mut turn.plays[number];
            if play.is_made {
                play.value = self.together(play.list.iter().map(|each| each.value));
                return Ok(());
            }
            let stack = play.stack.expect("what is not made is a card on a stack");
            let candidates = &mut turn.candidates[stack];
            if self.options.worth != Worth::Max {
                self.best(candidates, list, drawn.expect("a card on a stack was drawn"));
            }
            play.value = self.together(candidates.iter().map(|each| each.value));
            return Ok(());
        }
        self.make(turn, number, position, list, drawn.unwrap_or(0))?;
        let play = &mut turn.plays[number];
        if !play.list.is_empty() {
            play.value = self.expected(&play.position, &play.list, look_ahead)?;
        }
        Ok(())
    }

    /// Makes the assignments of a play, the best ones up to the limit, best first.
    fn make(
        &mut self,
        turn: &mut Turn,
        number: usize,
        position: &Position,
        list: &[Assignment],
        rank: u8,
    ) -> Result<(), Abort> {
        let play = &mut turn.plays[number];
        if std::mem::replace(&mut play.is_made, true) {
            return Ok(());
        }
        let stack = play.stack.expect("what is not made is a card on a stack");
        let candidates = &mut turn.candidates[stack];
        self.best(candidates, list, rank);
        play.list = self.put(candidates, position, list, rank, stack);
        Ok(())
    }

    /// The assignments of candidates.
    pub(super) fn put(
        &self,
        candidates: &[Candidate],
        position: &Position,
        list: &[Assignment],
        rank: u8,
        stack: usize,
    ) -> Vec<Assignment> {
        let with = |each: &Candidate| {
            let put = Put { stack, rank, target: each.target.into() };
            list[each.parent as usize].with(self.rules, position, put, each.parts, each.value, self.options.edges)
        };
        candidates.iter().map(with).collect()
    }

    /// What a position is worth by the values of its assignments; they come best first, unless only the best one counts.
    pub(super) fn together(&self, values: impl Iterator<Item = f64> + Clone) -> f64 {
        match self.options.worth {
            Worth::Max => values.fold(0.0, f64::max),
            Worth::Independent => 1.0 - values.map(|value| 1.0 - value.min(1.0)).product::<f64>(),
            Worth::Norm(exponent) => {
                let best = values.clone().next().unwrap_or(0.0);
                if best <= LAST_HOPE {
                    return best;
                }
                best * values.map(|value| (value / best).powf(exponent)).sum::<f64>().powf(1.0 / exponent)
            }
        }
    }

    /// Leaves the best candidates up to the limit, best first.
    pub(super) fn best(&self, candidates: &mut Vec<Candidate>, list: &[Assignment], rank: u8) {
        let order = |a: &Candidate, b: &Candidate| {
            b.value.total_cmp(&a.value).then(a.parent.cmp(&b.parent)).then(a.target.cmp(&b.target))
        };
        if self.options.alike == Alike::Once {
            candidates.sort_unstable_by(order);
            let mut seen = HashSet::with_capacity(candidates.len());
            candidates.retain(|each| {
                let target = usize::from(each.target);
                let mut chains = list[each.parent as usize].chains;
                chains[target] &= !(1 << self.rules.place_of(target, rank));
                seen.insert((chains, each.parts.nodes))
            });
            candidates.truncate(self.options.keep);
            return;
        }
        if self.options.keep < candidates.len() {
            candidates.select_nth_unstable_by(self.options.keep, order);
            candidates.truncate(self.options.keep);
        }
        candidates.sort_unstable_by(order);
    }

    /// All positions that can be reached. Those with nothing but a card put on a stack are not made yet.
    fn turn(&mut self, position: &Position, list: &[Assignment], drawn: Option<u8>) -> Result<Turn, Abort> {
        let mut turn = Turn { plays: Vec::new(), candidates: Default::default() };
        let mut seen = HashSet::new();
        match drawn {
            None => turn.plays.push(Play {
                moves: Vec::new(),
                position: position.clone(),
                value: 0.0,
                stack: None,
                list: list.to_vec(),
                is_made: true,
            }),
            Some(rank) => {
                for f in 0..FOUNDATIONS {
                    if self.rules.fits(position, f, rank) {
                        let mut after = position.clone();
                        after.make([DRAWN, f as u8], rank);
                        let made = Move { before: position, after: &after, from: None, foundation: f };
                        let made = self.moved(made, list)?;
                        turn.plays.push(Play {
                            moves: vec![[DRAWN, f as u8]],
                            position: after,
                            value: 0.0,
                            stack: None,
                            list: made,
                            is_made: true,
                        });
                    }
                }
                let stacks = self.rules.different_stacks(position);
                self.rate(position, list, rank, stacks, &mut turn.candidates)?;
                for s in (0..self.rules.stacks).filter(|s| stacks >> s & 1 == 1) {
                    let mut after = position.clone();
                    let made = [DRAWN, TO_STACK + s as u8];
                    after.make(made, rank);
                    turn.plays.push(Play {
                        moves: vec![made],
                        position: after,
                        value: 0.0,
                        stack: Some(s),
                        list: Vec::new(),
                        is_made: false,
                    });
                }
            }
        }
        if position.pile == 0 {
            return Ok(turn);
        }
        seen.extend(turn.plays.iter().map(|play| play.position.mark()));
        let mut number = 0;
        while number < turn.plays.len() {
            let before = turn.plays[number].position.clone();
            for (s, f) in self.rules.movable(&before) {
                let mut after = before.clone();
                after.make([s as u8, f as u8], 0);
                if turn.plays.len() >= MOST_PLAYS || !seen.insert(after.mark()) {
                    continue;
                }
                self.make(&mut turn, number, position, list, drawn.unwrap_or(0))?;
                let made = Move { before: &before, after: &after, from: Some(s), foundation: f };
                let made = self.moved(made, &turn.plays[number].list)?;
                let mut moves = turn.plays[number].moves.clone();
                moves.push([s as u8, f as u8]);
                turn.plays.push(Play { moves, position: after, value: 0.0, stack: None, list: made, is_made: true });
            }
            number += 1;
        }
        Ok(turn)
    }

    /// Rates every assignment with the drawn card on every stack, for every target.
    pub(super) fn rate(
        &mut self,
        position: &Position,
        list: &[Assignment],
        rank: u8,
        stacks: u8,
        candidates: &mut [Vec<Candidate>; MAX_STACKS],
    ) -> Result<(), Abort> {
        let places: [u8; FOUNDATIONS] = std::array::from_fn(|b| self.rules.place_of(b, rank));
        for (parent, assignment) in list.iter().enumerate() {
            let tops = assignment.tops(self.rules, position);
            for target in (0..FOUNDATIONS).filter(|&b| assignment.is_free(b, places[b])) {
                for stack in (0..self.rules.stacks).filter(|s| stacks >> s & 1 == 1) {
                    self.evaluations_count += 1;
                    let put = Put { stack, rank, target };
                    if let Some(parts) = assignment.follow(self.rules, (position, &tops), put, Asked::Pairs, self.nodes)
                    {
                        let (parent, target) = (parent as u32, target as u8);
                        candidates[stack].push(Candidate { value: 0.0, parent, target, parts });
                    }
                }
            }
        }
        self.nodes.settle(self.table)?;
        for each in candidates.iter_mut().flatten() {
            each.value = each.parts.estimate(self.nodes);
        }
        Ok(())
    }

    /// The assignments after a move to a foundation, best first, each once.
    pub(super) fn moved(&mut self, to_foundation: Move<'_>, list: &[Assignment]) -> Result<Vec<Assignment>, Abort> {
        let mut made = Vec::with_capacity(list.len());
        let drop = self.options.misfits == Misfits::Drop;
        for assignment in list {
            assignment.moved(self.rules, to_foundation, drop, Asked::Pairs, self.nodes, &mut made);
        }
        self.evaluations_count += made.len() as u64;
        self.settle(made, self.options.keep)
    }

    /// Rates assignments that were made with new nodes: the best ones, each once.
    pub(super) fn settle(&mut self, mut made: Vec<Assignment>, most: usize) -> Result<Vec<Assignment>, Abort> {
        self.nodes.settle(self.table)?;
        let mut seen = HashSet::with_capacity(made.len());
        made.retain_mut(|each| {
            each.rate(self.nodes);
            seen.insert(each.targets)
        });
        made.sort_by(|a, b| b.value.total_cmp(&a.value));
        if self.options.alike == Alike::Once {
            let mut alike = HashSet::with_capacity(made.len());
            made.retain(|each| alike.insert((each.chains, each.parts.nodes)));
        }
        made.truncate(most);
        Ok(made)
    }
}
