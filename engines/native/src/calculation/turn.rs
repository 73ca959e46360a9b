//! One turn: what can be done with a drawn card, and what each position that follows is worth.
use super::assignment::{Assignment, Put};
use super::nodes::{Failure, Nodes, Table};
use super::options::{Options, Ties, Unfit, Worth};
use super::rules::{DRAWN, FOUNDATIONS, MAX_STACKS, Position, Rules, TO_STACK};
use crate::reader::Bytes;
use crate::search::{Clock, Stop};
use std::collections::HashSet;

/// Positions of a turn that are looked at; of long rows of moves the first ones.
const MOST_PLAYS: usize = 256;

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

/// What a player thinks with.
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
struct Candidate {
    value: f64,
    parent: u32,
    target: u8,
    nodes: [super::nodes::Node; super::assignment::PARTS],
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
fn compared(value: f64) -> f32 {
    value as f32
}

impl<B: Bytes> Thinker<'_, '_, B> {
    /// All plays, each with its value and its assignments, best first. `position`: with `drawn` in no place, `list`: the
    /// assignments of the position before the draw, opened. Without a drawn card, all that can be moved or not.
    pub fn plays(&mut self, position: &Position, list: &[Assignment], drawn: Option<u8>) -> Result<Vec<Play>, Abort> {
        let mut turn = self.turn(position, list, drawn)?;
        for number in 0..turn.plays.len() {
            self.worth(&mut turn, number, position, list, drawn, self.options.look_ahead)?;
            self.make(&mut turn, number, position, list, drawn.unwrap_or(0))?;
        }
        let Turn { mut plays, .. } = turn;
        if self.options.eager {
            plays.retain(|play| self.rules.movable(&play.position).next().is_none());
        }
        self.sort(&mut plays);
        Ok(plays)
    }

    /// The play that is made, with its assignments opened for the next turn.
    pub fn choose(&mut self, position: &Position, list: &[Assignment], drawn: u8) -> Result<Play, Abort> {
        let mut turn = self.turn(position, list, Some(drawn))?;
        let mut order = Vec::new();
        for number in 0..turn.plays.len() {
            if self.competes(&turn.plays[number]) {
                self.worth(&mut turn, number, position, list, Some(drawn), self.options.look_ahead)?;
                order.push(number);
            }
        }
        let best = order.into_iter().min_by(|&a, &b| self.ahead(&turn.plays[a], a, &turn.plays[b], b));
        let best = best.expect("a drawn card can be put somewhere");
        self.make(&mut turn, best, position, list, drawn)?;
        let mut play = turn.plays.swap_remove(best);
        self.open(&mut play.list);
        Ok(play)
    }

    fn competes(&self, play: &Play) -> bool {
        !self.options.eager || play.position.pile == 0 || self.rules.movable(&play.position).next().is_none()
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

    pub fn open(&mut self, list: &mut [Assignment]) {
        for assignment in list {
            assignment.open(self.rules.stacks, self.nodes);
        }
    }

    /// The best reply's value.
    fn reply(&mut self, position: &Position, list: &[Assignment], drawn: u8, look_ahead: usize) -> Result<f64, Abort> {
        let mut turn = self.turn(position, list, Some(drawn))?;
        let mut best = 0.0f64;
        for number in 0..turn.plays.len() {
            if self.competes(&turn.plays[number]) {
                self.worth(&mut turn, number, position, list, Some(drawn), look_ahead)?;
                best = best.max(turn.plays[number].value);
            }
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
            if self.options.worth == Worth::Max && !play.is_made {
                let stack = play.stack.expect("what is not made is a card on a stack");
                let rank = drawn.expect("it was drawn");
                play.value = self.best(&turn.candidates[stack], position, list, rank, stack);
                return Ok(());
            }
            self.make(turn, number, position, list, drawn.unwrap_or(0))?;
            let play = &mut turn.plays[number];
            play.value = match self.options.worth {
                Worth::Max => play.list.first().map_or(0.0, |best| best.value),
                Worth::Independent => 1.0 - play.list.iter().map(|each| 1.0 - each.value.min(1.0)).product::<f64>(),
            };
            return Ok(());
        }
        self.make(turn, number, position, list, drawn.unwrap_or(0))?;
        let mut made = std::mem::take(&mut turn.plays[number].list);
        let mut value = 0.0;
        if !made.is_empty() {
            self.open(&mut made);
            value = self.expected(&turn.plays[number].position, &made, look_ahead)?;
        }
        turn.plays[number].list = made;
        turn.plays[number].value = value;
        Ok(())
    }

    /// The value of the best candidate that all four boards allow.
    fn best(&self, candidates: &[Candidate], position: &Position, list: &[Assignment], rank: u8, stack: usize) -> f64 {
        let mut best = 0.0;
        for each in candidates {
            if each.value > best {
                let put = Put { stack, rank, target: each.target.into() };
                if self.rules.whole || list[each.parent as usize].allows(self.rules, position, put) {
                    best = each.value;
                }
            }
        }
        best
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
        let mut left = turn.candidates[stack].as_mut_slice();
        let order = |a: &Candidate, b: &Candidate| {
            b.value.total_cmp(&a.value).then(a.parent.cmp(&b.parent)).then(a.target.cmp(&b.target))
        };
        while play.list.len() < self.options.kept && !left.is_empty() {
            let count = (self.options.kept - play.list.len()).min(left.len());
            if count < left.len() {
                left.select_nth_unstable_by(count, order);
            }
            let (first, rest) = left.split_at_mut(count);
            first.sort_unstable_by(order);
            for each in first {
                let put = Put { stack, rank, target: each.target.into() };
                let parent = &list[each.parent as usize];
                if self.rules.whole || parent.allows(self.rules, position, put) {
                    play.list.push(parent.with(
                        self.rules,
                        position,
                        put,
                        self.rules.whole.then_some(each.nodes),
                        self.nodes,
                    ));
                }
            }
            left = rest;
        }
        Ok(())
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
                        let made = self.moved(position, &after, list, None, f)?;
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
                let made = self.moved(&before, &after, &turn.plays[number].list, Some(s), f)?;
                let mut moves = turn.plays[number].moves.clone();
                moves.push([s as u8, f as u8]);
                turn.plays.push(Play { moves, position: after, value: 0.0, stack: None, list: made, is_made: true });
            }
            number += 1;
        }
        Ok(turn)
    }

    /// Rates every assignment with the drawn card on every stack, for every target.
    fn rate(
        &mut self,
        position: &Position,
        list: &[Assignment],
        rank: u8,
        stacks: u8,
        candidates: &mut [Vec<Candidate>; MAX_STACKS],
    ) -> Result<(), Abort> {
        let count = self.rules.stacks;
        let places: [u8; FOUNDATIONS] = std::array::from_fn(|b| self.rules.place_of(b, rank));
        let mut unknown = Vec::new();
        for (parent, assignment) in list.iter().enumerate() {
            for target in 0..FOUNDATIONS {
                if places[target] < position.heights[target] {
                    continue;
                }
                let Some(card) = assignment.card(target, places[target]) else { continue };
                if self.rules.whole {
                    for s in (0..count).filter(|s| stacks >> s & 1 == 1) {
                        let put = Put { stack: s, rank, target };
                        self.evaluations_count += 1;
                        if let Some(nodes) = assignment.follow_whole(self.rules, position, put, self.nodes) {
                            candidates[s].push(Candidate {
                                value: 0.0,
                                parent: parent as u32,
                                target: target as u8,
                                nodes,
                            });
                        }
                    }
                    continue;
                }
                for s in 0..count {
                    if stacks >> s & 1 == 0 {
                        continue;
                    }
                    match assignment.follow(target, card, s, count, self.nodes) {
                        None => {
                            assignment.ask(target, card, s, count, self.nodes);
                            unknown.push((parent as u32, target as u8, card, s as u8));
                        }
                        Some(value) if value > 0.0 => {
                            candidates[s].push(Candidate {
                                value,
                                parent: parent as u32,
                                target: target as u8,
                                nodes: [0; 10],
                            });
                        }
                        Some(_) => {}
                    }
                    self.evaluations_count += 1;
                }
            }
        }
        self.nodes.settle(self.table)?;
        if self.rules.whole {
            for of_stack in candidates.iter_mut() {
                for each in of_stack.iter_mut() {
                    each.value = super::assignment::estimate(self.nodes, &each.nodes);
                }
                of_stack.retain(|each| each.value > 0.0);
            }
        }
        for (parent, target, card, s) in unknown {
            let assignment = &list[parent as usize];
            let value = assignment.follow(target.into(), card, s.into(), count, self.nodes).expect("it is settled");
            if value > 0.0 {
                candidates[s as usize].push(Candidate { value, parent, target, nodes: [0; 10] });
            }
        }
        Ok(())
    }

    /// The assignments after a move to a foundation, best first, each once.
    fn moved(
        &mut self,
        before: &Position,
        after: &Position,
        list: &[Assignment],
        from: Option<usize>,
        foundation: usize,
    ) -> Result<Vec<Assignment>, Abort> {
        let mut made = Vec::with_capacity(list.len());
        let drop = self.options.unfit == Unfit::Drop;
        for assignment in list {
            assignment.moved(self.rules, before, after, from, foundation, drop, self.nodes, &mut made);
        }
        self.evaluations_count += made.len() as u64;
        self.settle(made, self.options.kept)
    }

    /// Rates assignments that were made with new nodes: the best ones, each once.
    fn settle(&mut self, mut made: Vec<Assignment>, most: usize) -> Result<Vec<Assignment>, Abort> {
        self.nodes.settle(self.table)?;
        let mut seen = HashSet::with_capacity(made.len());
        made.retain_mut(|each| each.rate(self.nodes) && seen.insert(each.targets));
        made.sort_by(|a, b| b.value.total_cmp(&a.value));
        made.truncate(most);
        Ok(made)
    }

    /// Assignments of a position of which nothing is known, best first: its cards are given targets one after another, the
    /// lowest of all stacks first, and the best `most` assignments of what has one are kept.
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
        let mut list: Vec<Assignment> = Assignment::new(self.rules, &partial, &empty, self.nodes).into_iter().collect();
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
                        made.extend(Assignment::new(self.rules, &partial, &targets, self.nodes));
                        self.evaluations_count += 1;
                    }
                }
                list = self.settle(made, most)?;
            }
        }
        Ok(list)
    }
}
