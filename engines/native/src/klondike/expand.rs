//! What follows a class of states: its members, and the children of all of them. What is left out is left out for the
//! reasons that `decide` gives.
use super::bits;
use super::pile::Place;
use super::state::{Commit, Game, State};
use super::visited::Visited;
use crate::search::Budget;
use crate::search::Stop;
use crate::sets::cards_of;

/// How a state came from its parent: the parent's foundations when the move was made, and the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    pub founded: u64,
    pub commit: Commit,
    pub card: u64,
}

/// A state on a way, and how it was reached from the one before.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub state: State,
    pub exit: Exit,
}

/// A state after a move that can't be taken back; those with a higher score look better.
#[derive(Clone, Copy)]
pub struct Child {
    pub step: Step,
    pub score: u32,
}

/// Scratch memory of expansions, with the answer of the last one.
#[derive(Default)]
pub struct Expansion {
    pub members: Vec<State>,
    pub children: Vec<Child>,
    /// Those of the children, after `meet`.
    pub keys: Vec<u64>,
    seen: Vec<u64>,
    plays: Vec<(u64, u32, Place, u16)>,
}

impl Expansion {
    /// Makes the move of a state that looks best, if it has one.
    pub fn begin(&mut self, game: &Game, state: &State) {
        self.members.clear();
        self.children.clear();
        let choices = game.choices(state);
        let best = |set: u64| cards_of(set).max_by_key(|&card| game.dealt_left(state, card));
        if let Some(card) = best(choices.up & state.anchors) {
            self.child(game, *state, state, Commit::Up, card);
            return;
        }
        if let Some(card) = best(choices.accepted & state.anchors) {
            self.child(game, *state, state, Commit::Reveal, card);
            return;
        }
        // The fewest redeals; then a card that takes a card which covers many, or that goes up.
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
            self.child(game, next, state, if card & state.next != 0 { Commit::PlayUp } else { Commit::Play }, card);
        }
    }

    /// Fills `members` with the states that can be reached from a state and back, and `children` with what comes after.
    pub fn expand(&mut self, game: &Game, state: &State) {
        self.members.clear();
        self.seen.clear();
        self.children.clear();
        self.plays.clear();
        let plays = &mut self.plays;
        let mut playable = 0;
        game.plays(state, |card, circle, place, redeals| {
            playable |= card;
            plays.push((card, circle, place, redeals));
        });
        let free = game.free_plays(state) & playable;
        self.members.push(*state);
        self.seen.push(state.founded);
        let mut at = 0;
        while at < self.members.len() {
            let member = self.members[at];
            at += 1;
            let choices = game.choices(&member);
            let safe = bits::safe(member.founded);
            let safe_up = choices.up & safe;
            if safe_up & member.anchors != 0 {
                // All members win or none, and this one wins if and only if it does after the safe move.
                let card = safe_up & member.anchors;
                self.children.clear();
                self.child(game, member, &member, Commit::Up, card & card.wrapping_neg());
                return;
            }
            let free = free & member.next & safe;
            if let Some(card) = cards_of(free).next() {
                let mut plays = self.plays.iter();
                let &(_, circle, place, redeals) = plays.find(|play| play.0 == card).expect("one that can be played");
                self.children.clear();
                self.child(game, State { circle, place, redeals, ..member }, &member, Commit::PlayUp, card);
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
                self.child(game, member, &member, Commit::Up, card);
            }
            for card in cards_of(member.anchors & choices.accepted) {
                self.child(game, member, &member, Commit::Reveal, card);
            }
            // With moves back, what is founded can still go to the column.
            let back = if game.rules.foundation_back { member.next } else { 0 };
            let to_columns = choices.accepted & !back;
            if playable & (member.next | to_columns) == 0 {
                continue;
            }
            for at in 0..self.plays.len() {
                let (card, circle, place, redeals) = self.plays[at];
                let next = State { circle, place, redeals, ..member };
                if card & member.next != 0 {
                    self.child(game, next, &member, Commit::PlayUp, card);
                }
                if card & to_columns != 0 {
                    self.child(game, next, &member, Commit::Play, card);
                }
            }
        }
    }

    /// Marks the members as seen, and prepares to look the children up.
    #[inline(always)]
    pub fn meet(&mut self, game: &Game, visited: &mut Visited, budget: &mut Budget) -> Result<(), Stop> {
        visited.reserve(self.members.len() + self.children.len(), budget)?;
        for &member in self.members.iter().skip(1) {
            if game.choices(&member).up == 0 {
                visited.enter(visited.key(game, &member), &member);
            }
        }
        self.keys.clear();
        for child in &self.children {
            let key = visited.key(game, &child.step.state);
            visited.prefetch(key);
            self.keys.push(key);
        }
        Ok(())
    }

    #[inline(always)]
    fn child(&mut self, game: &Game, mut state: State, member: &State, commit: Commit, card: u64) {
        game.commit(&mut state, commit, card);
        rise(game, &mut state, |_| ());
        let exit = Exit { founded: member.founded, commit, card };
        // Moves that turn up cards come first, those of the longest columns before others.
        let score = match commit {
            Commit::Up => 4000 + game.dealt_left(member, card),
            Commit::Reveal => 3000 + game.dealt_left(member, card),
            Commit::PlayUp => 2 * u32::from(state.redeals) + 1,
            Commit::Play => 2 * u32::from(state.redeals),
        };
        self.children.push(Child { step: Step { state, exit }, score });
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
