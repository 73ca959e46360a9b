//! Won or not, as fast as possible: a depth-first search over classes of states that ends where a relaxed game is lost.
//!
//! **Classes.** With moves back, a loose card goes up and down between its foundation and the columns, so the states
//! that differ by such moves alone (the **members** of a class) are won or lost together. Only moves that can't be
//! taken back lead on (`Commit`). A class is searched once: its members where no card can go up are remembered, and `rise`
//! leads from every member to one where no loose card can. Without moves back every state is a class of its own.
//!
//! A safe card (see `state`) goes up before anything else; if it is an anchor, that is the only way on for the whole
//! class. Moves down of cards that would be safe to go up again are left out by the same argument.
//!
//! **Relaxed games.** Most of a long search is below a state that no order of the stock could win from. So the states
//! on the way are shown to a relaxed game now and then (`reserve`), and everything beyond the first one that it can't
//! win is left. Only what followed that state is thrown away: on the stack lie, above it, the children of the states on
//! the way from it, all of which come after it. States that were entered stay so: those below a lost state are lost, and
//! the others that were entered were searched or lie on the stack still.
//!
//! Without moves back, or with a limit to the redeals, states are also looked at by `blocked` when they are expanded.
//!
//! With moves back, a card of the waste that can be founded is founded, not laid in a column: what is founded can go to
//! the column after, and the class has both.
use super::bits;
use super::blocked::Blocked;
use super::reserve::{Reserve, Verdict};
use super::state::{Commit, Game, State};
use super::visited::Visited;
use crate::search::Context;
use crate::search::Stop;
use crate::sets::cards_of;

/// Classes between two looks at the clock.
const CLOCK_CLASSES: u64 = 1 << 8;

/// When what is done, counted in classes expanded.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Classes from which the move that looks best is made alone before the others are.
    pub easy: u64,
    pub first: u64,
    /// Fewest from one question to the next; as many as the last question took, if that is more.
    pub after: u64,
    /// Classes that a question may take, to which those expanded before are added.
    pub limit: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { easy: 100, first: 300, after: 100, limit: 20_000 }
    }
}

/// How a node came from its parent: the parent's foundations when the move was made, and the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    pub founded: u64,
    pub commit: Commit,
    pub card: u64,
}

/// How far a node is expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    New,
    /// The move that looks best was made: most wins need no others.
    Begun,
    Expanded,
}

#[derive(Clone, Copy)]
struct Node {
    state: State,
    exit: Exit,
    /// Place of the parent on the stack.
    parent: u32,
    phase: Phase,
    score: u32,
}

/// A state on the way to a win, and how it was reached from the one before.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub state: State,
    pub exit: Exit,
}

pub struct Decide<'g> {
    game: &'g Game,
    schedule: Schedule,
    /// With moves back and no limit, hardly any state is blocked.
    blocked: Option<Blocked>,
    visited: Visited,
    stack: Vec<Node>,
    /// Scratch memory of an expansion.
    members: Vec<State>,
    seen: Vec<u64>,
    children: Vec<Node>,
    /// Keys of the children.
    keys: Vec<u64>,
    plays: Vec<(u64, u32, super::pile::Place, u16)>,
    /// Made when it is first asked.
    reserve: Option<Reserve>,
}

impl<'g> Decide<'g> {
    pub fn new(game: &'g Game, schedule: Schedule, context: &mut Context<'_>) -> Result<Decide<'g>, Stop> {
        Ok(Decide {
            game,
            schedule,
            blocked: (!game.rules.foundation_back || game.rules.redeals.is_some()).then(|| Blocked::new(game)),
            visited: Visited::new(game, &mut context.budget)?,
            stack: Vec::new(),
            members: Vec::new(),
            seen: Vec::new(),
            children: Vec::new(),
            keys: Vec::new(),
            plays: Vec::new(),
            reserve: None,
        })
    }

    pub fn search(&mut self, context: &mut Context<'_>) -> Result<Option<Vec<Step>>, Stop> {
        let game = self.game;
        let mut start = game.start();
        rise(game, &mut start, |_| ());
        let exit = Exit { founded: 0, commit: Commit::Up, card: 0 };
        context.budget.push(&mut self.stack, Node { state: start, exit, parent: 0, phase: Phase::New, score: 0 })?;
        if game.is_won(&start) {
            return Ok(Some(self.way(0)));
        }
        self.visited.enter(self.visited.key(game, &start), &start);
        context.count_state()?;
        let mut turns = 0u64;
        let mut ask_at = self.schedule.first;
        while let Some(&node) = self.stack.last() {
            let index = self.stack.len() - 1;
            match node.phase {
                Phase::Expanded => {
                    self.stack.pop();
                    continue;
                }
                Phase::New => {
                    if turns >= ask_at {
                        let (cut, used) = self.cut(index, turns, context)?;
                        ask_at = turns + self.schedule.after.max(used);
                        if let Some(cut) = cut {
                            self.stack.truncate(cut);
                            continue;
                        }
                    }
                    turns += 1;
                    if turns.is_multiple_of(CLOCK_CLASSES) {
                        context.clock.check()?;
                    }
                    if self.blocked.as_ref().is_some_and(|blocked| blocked.holds(game, &node.state)) {
                        self.stack.pop();
                        continue;
                    }
                    if turns <= self.schedule.easy {
                        self.stack[index].phase = Phase::Begun;
                        self.begin(&node.state);
                    } else {
                        self.stack[index].phase = Phase::Expanded;
                        self.expand(&node.state);
                    }
                }
                Phase::Begun => {
                    self.stack[index].phase = Phase::Expanded;
                    self.expand(&node.state);
                }
            }
            self.visited.reserve(self.members.len() + self.children.len(), &mut context.budget)?;
            for at in 1..self.members.len() {
                let member = self.members[at];
                if game.choices(&member).up == 0 {
                    self.visited.enter(self.visited.key(game, &member), &member);
                }
            }
            self.keys.clear();
            for child in &self.children {
                let key = self.visited.key(game, &child.state);
                self.visited.prefetch(key);
                self.keys.push(key);
            }
            for at in 0..self.children.len() {
                let child = self.children[at];
                if self.visited.enter(self.keys[at], &child.state) {
                    context.count_state()?;
                    context.budget.push(&mut self.stack, Node { parent: index as u32, ..child })?;
                    if game.is_won(&child.state) {
                        return Ok(Some(self.way(self.stack.len() - 1)));
                    }
                }
            }
            self.stack[index + 1..].sort_by_key(|node| node.score);
        }
        Ok(None)
    }

    /// Looks for a lost state on the way to the top of the stack: the lowest place of one, and the classes that it took.
    fn cut(&mut self, top: usize, turns: u64, context: &mut Context<'_>) -> Result<(Option<usize>, u64), Stop> {
        let reserve = self.reserve.get_or_insert_with(|| Reserve::new(self.game));
        let before = reserve.classes_count;
        let mut way = vec![top];
        let mut at = top;
        while at != 0 {
            at = self.stack[at].parent as usize;
            way.push(at);
        }
        way.reverse();
        let limit = self.schedule.limit + turns;
        // What follows a lost state is lost.
        let (mut open, mut lost) = (0, way.len());
        let mut at = way.len() - 1;
        loop {
            let state = self.stack[way[at]].state;
            match reserve.ask(self.game, &state, limit, context)? {
                Verdict::Lost => lost = at,
                Verdict::Open | Verdict::Unknown => open = at + 1,
            }
            if open >= lost {
                return Ok((way.get(lost).copied(), reserve.classes_count - before));
            }
            at = (open + lost) / 2;
        }
    }

    fn way(&self, last: usize) -> Vec<Step> {
        let mut way = Vec::new();
        let mut at = last;
        loop {
            let node = &self.stack[at];
            way.push(Step { state: node.state, exit: node.exit });
            if at == 0 {
                way.reverse();
                return way;
            }
            at = node.parent as usize;
        }
    }

    /// Makes the move of a state that looks best, if it has one.
    fn begin(&mut self, state: &State) {
        let game = self.game;
        self.members.clear();
        self.children.clear();
        let choices = game.choices(state);
        let best = |set: u64| cards_of(set).max_by_key(|&card| game.dealt_left(state, card));
        if let Some(card) = best(choices.up & state.anchors) {
            self.child(*state, state, Commit::Up, card);
            return;
        }
        if let Some(card) = best(choices.accepted & state.anchors) {
            self.child(*state, state, Commit::Reveal, card);
            return;
        }
        // The fewest redeals, then a card that takes one which covers many, or goes up.
        let mut best: Option<(u32, u64, State)> = None;
        game.plays(state, |card, circle, place, redeals| {
            if card & (state.next | choices.accepted) != 0 {
                let taken = cards_of(bits::takes(card) & state.anchors).map(|card| game.dealt_left(state, card)).max();
                let use_of = if card & state.next != 0 { 4 } else { taken.unwrap_or(0) };
                let score = 16 * u32::from(redeals) + use_of;
                if best.is_none_or(|(least, ..)| score >= least) {
                    best = Some((score, card, State { circle, place, redeals, ..*state }));
                }
            }
        });
        if let Some((_, card, next)) = best {
            self.child(next, state, if card & state.next != 0 { Commit::PlayUp } else { Commit::Play }, card);
        }
    }

    /// Fills `members` with the states that can be reached from a state and back, and `children` with what comes after.
    fn expand(&mut self, state: &State) {
        let game = self.game;
        self.members.clear();
        self.seen.clear();
        self.children.clear();
        self.plays.clear();
        let plays = &mut self.plays;
        game.plays(state, |card, circle, place, redeals| plays.push((card, circle, place, redeals)));
        self.members.push(*state);
        self.seen.push(state.founded);
        let mut at = 0;
        while at < self.members.len() {
            let member = self.members[at];
            at += 1;
            let choices = game.choices(&member);
            let safe_up = choices.up & bits::safe(member.founded);
            if safe_up & member.anchors != 0 {
                // All members win or none, and this one wins if and only if it does after the safe move.
                let card = safe_up & member.anchors;
                self.children.clear();
                self.child(member, &member, Commit::Up, card & card.wrapping_neg());
                return;
            }
            let (members, seen) = (&mut self.members, &mut self.seen);
            game.shuffles(&member, |next, _| {
                if !seen.contains(&next.founded) {
                    seen.push(next.founded);
                    members.push(next);
                }
            });
            if safe_up != 0 {
                continue;
            }
            let ups = choices.up & if game.rules.foundation_back { member.anchors } else { !0 };
            for card in cards_of(ups) {
                self.child(member, &member, Commit::Up, card);
            }
            for card in cards_of(member.anchors & choices.accepted) {
                self.child(member, &member, Commit::Reveal, card);
            }
            for at in 0..self.plays.len() {
                let (card, circle, place, redeals) = self.plays[at];
                let next = State { circle, place, redeals, ..member };
                if card & member.next != 0 {
                    self.child(next, &member, Commit::PlayUp, card);
                }
                // With moves back, what is founded can still go to the column.
                let back = if game.rules.foundation_back { member.next } else { 0 };
                if card & choices.accepted & !back != 0 {
                    self.child(next, &member, Commit::Play, card);
                }
            }
        }
    }

    #[inline(always)]
    fn child(&mut self, mut state: State, member: &State, commit: Commit, card: u64) {
        self.game.commit(&mut state, commit, card);
        rise(self.game, &mut state, |_| ());
        let exit = Exit { founded: member.founded, commit, card };
        // What turns up cards comes first, of the longest columns.
        let score = match commit {
            Commit::Up => 4000 + self.game.dealt_left(member, card),
            Commit::Reveal => 3000 + self.game.dealt_left(member, card),
            Commit::PlayUp => 2 * u32::from(state.redeals) + 1,
            Commit::Play => 2 * u32::from(state.redeals),
        };
        self.children.push(Node { state, exit, parent: 0, phase: Phase::New, score });
    }
}

/// Plays safe cards up, with moves back every loose card that can go, until there is none.
#[inline(always)]
pub fn rise(game: &Game, state: &mut State, mut played: impl FnMut(u64)) {
    loop {
        let up = game.choices(state).up;
        let safe = up & bits::safe(state.founded);
        let all = if game.rules.foundation_back { up & !state.anchors } else { 0 };
        let from = if safe != 0 { safe } else { all };
        if from == 0 {
            return;
        }
        let card = from & from.wrapping_neg();
        played(card);
        game.found(state, card);
        if state.anchors & card != 0 {
            game.release(state, card);
        }
    }
}
