//! The most cards that any line of play gets onto the foundations: a search over all classes of states that keeps the
//! best member it has met.
//!
//! Classes and what follows them are those of `decide`. **What is left out there hides no better position either.**
//! The argument of `state` for safe cards takes any line of play, not only a win: played with the safe card founded
//! at once, and with floors, it ends with every foundation at least as high as before. A state that is passed over
//! because one seen before covers it leads to nothing that the other does not lead to. What only shows that a state
//! is not won (the relaxed games of `decide`) is not used.
//!
//! **Bound.** A state is left out when the relaxation of `blocked`, in which nothing is ever taken away, founds no
//! more cards than the best position has: whatever can happen in the game happens there.
use super::blocked::Blocked;
use super::board::Move;
use super::expand::{Child, Exit, Expansion, Step, rise};
use super::rules::{Position, Rules};
use super::solution;
use super::state::{Commit, Game, State};
use super::visited::Visited;
use crate::search::best::Best;
use crate::search::{Context, Limits, Stop};

/// Classes between two looks at the clock.
const CLOCK_CLASSES: u64 = 1 << 8;

#[derive(Clone, Copy)]
struct Node {
    step: Step,
    /// Place of the parent on the stack.
    parent: u32,
    is_expanded: bool,
    score: u32,
}

struct Search<'g> {
    game: &'g Game,
    /// Whether states are left by their bound.
    is_bounded: bool,
    blocked: Blocked,
    visited: Visited,
    stack: Vec<Node>,
    expansion: Expansion,
    count: u32,
    /// The way to the best class that was met, and what its best member has founded.
    way: Vec<Step>,
    founded: u64,
}

/// Searches a checked position. `Err` only for an interrupt.
pub fn search(position: &Position, rules: Rules, limits: Limits<'_>) -> Result<Best<Move>, Stop> {
    search_by(position, rules, true, limits)
}

/// Like [`search`], with the bound or without.
pub fn search_by(position: &Position, rules: Rules, is_bounded: bool, limits: Limits<'_>) -> Result<Best<Move>, Stop> {
    let mut context = Context::new(limits);
    let game = Game::new(position, rules);
    let start = game.start();
    let all = 4 * u32::from(position.ranks);
    let visited = match Visited::new(&game, &mut context.budget) {
        Ok(visited) => visited,
        Err(stop) => return Best::new(Err(stop), start.founded.count_ones(), all, Vec::new(), &context),
    };
    let mut search = Search {
        game: &game,
        is_bounded,
        blocked: Blocked::new(&game),
        visited,
        stack: Vec::new(),
        expansion: Expansion::default(),
        count: 0,
        way: Vec::new(),
        founded: start.founded,
    };
    let ended = search.run(start, &mut context);
    let most = search.most();
    let moves = match search.way.is_empty() {
        true => Vec::new(),
        false => solution::moves_to_member(position, &game, &search.way, search.founded),
    };
    Best::new(ended, search.count.max(start.founded.count_ones()), most, moves, &context)
}

impl Search<'_> {
    fn run(&mut self, mut start: State, context: &mut Context<'_>) -> Result<(), Stop> {
        let game = self.game;
        rise(game, &mut start, |_| ());
        let exit = Exit { founded: 0, commit: Commit::Up, card: 0 };
        let node = Node { step: Step { state: start, exit }, parent: 0, is_expanded: false, score: 0 };
        context.budget.push(&mut self.stack, node)?;
        self.visited.enter(self.visited.key(game, &start), &start);
        context.count_state()?;
        let mut turns = 0u64;
        while let Some(&node) = self.stack.last() {
            let index = self.stack.len() - 1;
            if node.is_expanded || self.is_bounded && self.bound(&node.step.state) <= self.count {
                self.stack.pop();
                continue;
            }
            turns += 1;
            if turns.is_multiple_of(CLOCK_CLASSES) {
                context.clock.check()?;
            }
            self.expansion.expand(game, &node.step.state);
            self.look(index);
            self.expansion.meet(game, &mut self.visited, &mut context.budget)?;
            let Expansion { children, keys, .. } = &self.expansion;
            for (&Child { step, score }, &key) in children.iter().zip(keys) {
                if self.visited.enter(key, &step.state) {
                    context.count_state()?;
                    let node = Node { step, parent: index as u32, is_expanded: false, score };
                    context.budget.push(&mut self.stack, node)?;
                }
            }
            self.stack[index].is_expanded = true;
            self.stack[index + 1..].sort_by_key(|node| node.score);
        }
        Ok(())
    }

    /// Keeps the best member of the class that was expanded last, if it is better than those before.
    fn look(&mut self, index: usize) {
        let best =
            self.expansion.members.iter().map(|member| member.founded).max_by_key(|founded| founded.count_ones());
        let founded = best.expect("a class has a member");
        if founded.count_ones() > self.count || self.way.is_empty() {
            self.count = founded.count_ones();
            self.founded = founded;
            self.way = self.way_to(index);
        }
    }

    fn bound(&self, state: &State) -> u32 {
        self.blocked.most_founded(self.game, state)
    }

    /// The highest bound of the states that were not searched to the end.
    fn most(&self) -> u32 {
        let open = self.stack.iter().filter(|node| !node.is_expanded);
        open.map(|node| self.bound(&node.step.state)).max().unwrap_or(0)
    }

    fn way_to(&self, last: usize) -> Vec<Step> {
        let mut way = Vec::new();
        let mut at = last;
        loop {
            way.push(self.stack[at].step);
            if at == 0 {
                way.reverse();
                return way;
            }
            at = self.stack[at].parent as usize;
        }
    }
}
