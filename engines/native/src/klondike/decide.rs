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
//! **Relaxed games.** Most of a long search is below a state that no order of the stock could win from. So now and
//! then a relaxed game (`reserve`) is asked about the states on the way, and everything after the first one that it
//! can't win is dropped. Only what followed that state is thrown away: above it on the stack lie the children of the
//! states on the way from it, all of which come after it. States that were entered stay marked as seen: those that
//! follow a lost state are lost, and the others were searched or still lie on the stack.
//!
//! Between these questions, states are asked about one by one before they are expanded, as long as that pays (`purse`):
//! in a long search most states that are expanded are lost in the relaxed game already, each in a small part of the
//! tree that ends before the next question about the way. The answer hangs on the columns and foundations alone, so for
//! most states it is known from others.
//!
//! Without moves back, or with a limit to the redeals, `blocked` also looks at states when they are expanded.
//!
//! With moves back, a card of the waste that can be founded is founded, not laid in a column: what is founded can go to
//! the column after, and the class has both.
use super::blocked::Blocked;
use super::expand::{Child, Exit, Expansion, Step, rise};
use super::purse::Purse;
use super::reserve::{Reserve, Verdict};
use super::state::{Commit, Game, State};
use super::visited::Visited;
use crate::search::Context;
use crate::search::Stop;

/// Classes between two looks at the clock.
const CLOCK_CLASSES: u64 = 1 << 8;

/// When each part of the search has its turn, counted in classes expanded.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// For so many classes, first only the move that looks best is made, the others later.
    pub easy: u64,
    /// For so many classes, nothing is asked.
    pub first: u64,
    /// Fewest from one question about the way to the next; as many as the last one took, if that is more.
    pub after: u64,
    /// Classes that a question may take; to those of one about the way, the classes expanded before are added.
    pub limit: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { easy: 100, first: 300, after: 400, limit: 20_000 }
    }
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

pub struct Decide<'g> {
    game: &'g Game,
    schedule: Schedule,
    /// With moves back and no limit, hardly any state is blocked.
    blocked: Option<Blocked>,
    visited: Visited,
    stack: Vec<Node>,
    expansion: Expansion,
    /// Made when it is first asked.
    reserve: Option<Reserve>,
    purse: Purse,
}

impl<'g> Decide<'g> {
    pub fn new(game: &'g Game, schedule: Schedule, context: &mut Context<'_>) -> Result<Decide<'g>, Stop> {
        Ok(Decide {
            game,
            schedule,
            blocked: (!game.rules.foundation_back || game.rules.redeals.is_some()).then(|| Blocked::new(game)),
            visited: Visited::new(game, &mut context.budget)?,
            stack: Vec::new(),
            expansion: Expansion::default(),
            reserve: None,
            purse: Purse::default(),
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
                    if turns > self.schedule.first && self.purse.turn() && self.is_lost(&node.state, context)? {
                        self.stack.pop();
                        continue;
                    }
                    if turns <= self.schedule.easy {
                        self.stack[index].phase = Phase::Begun;
                        self.expansion.begin(game, &node.state);
                    } else {
                        self.stack[index].phase = Phase::Expanded;
                        self.expansion.expand(game, &node.state);
                    }
                }
                Phase::Begun => {
                    self.stack[index].phase = Phase::Expanded;
                    self.expansion.expand(game, &node.state);
                }
            }
            self.expansion.meet(game, &mut self.visited, &mut context.budget)?;
            let Expansion { children, keys, .. } = &self.expansion;
            for (&Child { step: Step { state, exit }, score }, &key) in children.iter().zip(keys) {
                if self.visited.enter(key, &state) {
                    context.count_state()?;
                    let node = Node { state, exit, parent: index as u32, phase: Phase::New, score };
                    context.budget.push(&mut self.stack, node)?;
                    if game.is_won(&state) {
                        return Ok(Some(self.way(self.stack.len() - 1)));
                    }
                }
            }
            self.stack[index + 1..].sort_by_key(|node| node.score);
        }
        Ok(None)
    }

    /// Looks for a lost state on the way to the top of the stack; returns the lowest place of one, and how many
    /// classes that took.
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

    /// Whether a question about a single state finds that it is lost.
    fn is_lost(&mut self, state: &State, context: &mut Context<'_>) -> Result<bool, Stop> {
        let reserve = self.reserve.get_or_insert_with(|| Reserve::new(self.game));
        let before = reserve.classes_count;
        let is_lost = reserve.ask(self.game, state, self.schedule.limit, context)? == Verdict::Lost;
        self.purse.pay(reserve.classes_count - before, is_lost);
        Ok(is_lost)
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
}
