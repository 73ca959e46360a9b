//! A relaxed game in which stock and waste are open: a reserve.
//!
//! Each card of stock and waste can be played at any time. It can go back there from its foundation (`up` founds it for
//! as long as it is needed), but not from a column. **A deal that this game can't win is lost**, by any rule of the
//! stock and without moves back as well: every move of those games is one of this game, or leaves its position as it
//! is.
//!
//! It is enough to **place** a card of the reserve in a column when its type has no uncovered card and one is asked
//! for: right before a card is laid on it, or before its twin is founded, the run on which moves over. *Argument.*
//! Take a win, and delay a placing for as long as the moves can be made without it. In between, the column that it
//! lay on is free for longer. If the card is founded before, it goes up from the reserve. By the counts of `state`, a
//! card less of a type matters to two moves only: to lay a card on that type, and to found the other card of it. So
//! the moves are those that release an anchor, found a card or take one from its foundation, each with the placings
//! that it needs.
//!
//! Safe cards go up at once here too, those of the reserve included, and never come down: the argument of `state`, in
//! which a card of the reserve is one that can be played at any time, so that its founding changes nothing that can be
//! dealt. The relaxation and the placing of cards are ours.
use super::bits;
use super::members::Members;
use super::relaxed::Relaxed;
use super::state::{Commit, Game, State};
use super::verdicts::{LOST, OPEN, UNKNOWN, Verdicts};
use crate::search::Context;
use crate::search::Stop;
use crate::sets::cards_of;

/// Classes between two looks at the clock.
const CLOCK_CLASSES: u64 = 1 << 6;
/// Most classes on a way; questions of full deals went 74 deep at most.
const MAX_DEPTH: u32 = 1 << 11;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Lost,
    /// The relaxed game can be won, which says nothing about the real one.
    Open,
    /// The question took too many classes, and has no answer.
    Unknown,
}

pub struct Reserve {
    relaxed: Relaxed,
    /// Verdicts, and the numbers of classes that are pending.
    known: Verdicts,
    members: Members,
    hosted: Vec<State>,
    children: Vec<State>,
    /// Keys of pending classes: those on the way, and those from which it can be reached again. (R.
    /// Tarjan, "Depth-first search and linear graph algorithms", 1972: strongly connected components.)
    pending: Vec<u64>,
    /// Classes of this question so far: the number of the next one.
    numbers: u32,
    /// Classes on the way.
    depth: u32,
    /// Classes that this question may still take.
    left: u64,
    pub classes_count: u64,
}

/// What is known of a class.
enum Inner {
    Open,
    GaveUp,
    /// No win from here, except perhaps through pending classes; this is the lowest number of those that were
    /// reached. `u32::MAX`: lost.
    None(u32),
}

impl Reserve {
    #[must_use]
    pub fn new(game: &Game) -> Reserve {
        Reserve {
            relaxed: Relaxed::new(game),
            known: Verdicts::default(),
            members: Members::default(),
            hosted: Vec::new(),
            children: Vec::new(),
            pending: Vec::new(),
            numbers: 0,
            depth: 0,
            left: 0,
            classes_count: 0,
        }
    }

    /// Whether the relaxed game can be won from a state of the game, by a search of at most so many classes.
    pub fn ask(
        &mut self,
        game: &Game,
        state: &State,
        classes_limit: u64,
        context: &mut Context<'_>,
    ) -> Result<Verdict, Stop> {
        let placed = cards_of(state.visible & game.reserve)
            .fold(0, |set, card| set | 1u32 << game.circle_index[card.trailing_zeros() as usize]);
        let mut state = State { circle: game.whole_circle() & !placed, ..*state };
        self.left = classes_limit;
        self.numbers = 0;
        self.depth = 0;
        self.children.clear();
        self.pending.clear();
        let verdict = match self.solve(game, &mut state, context)? {
            Inner::Open => Verdict::Open,
            Inner::GaveUp => Verdict::Unknown,
            Inner::None(_) => Verdict::Lost,
        };
        // A win was found, or the time is up, before these were searched to the end.
        for key in std::mem::take(&mut self.pending) {
            self.known.set(key, UNKNOWN, &mut context.budget)?;
        }
        Ok(verdict)
    }

    /// Cards that can be founded.
    #[inline(always)]
    fn reach(game: &Game, state: &State) -> u64 {
        game.choices(state).up | state.next & game.reserve & !state.visible
    }

    /// Cards that can't come back as they were, once they are founded: anchors and placed ones.
    #[inline(always)]
    fn bound(game: &Game, state: &State) -> u64 {
        state.anchors | game.reserve & state.visible
    }

    /// Founds a card; a placed card of the reserve is then no longer placed.
    #[inline(always)]
    fn up(game: &Game, state: &mut State, card: u64) {
        if card & game.reserve != 0 {
            state.circle |= 1 << game.circle_index[card.trailing_zeros() as usize];
        }
        game.commit(state, Commit::Up, card);
    }

    /// Cards that go up at once: safe ones, or, if there are none, those that can come back.
    #[inline(always)]
    fn rising(game: &Game, state: &State) -> u64 {
        let reach = Self::reach(game, state);
        let safe = reach & bits::safe(state.founded);
        if safe != 0 { safe } else { reach & !Self::bound(game, state) }
    }

    fn rise(game: &Game, state: &mut State) {
        loop {
            let from = Self::rising(game, state);
            if from == 0 {
                return;
            }
            Self::up(game, state, from & from.wrapping_neg());
        }
    }

    /// Pushes to `hosted` the states in which a card has a place to go, with the fewest cards placed below it.
    fn host(&mut self, game: &Game, state: &State, card: u64) {
        if game.choices(state).accepted & card != 0 {
            self.hosted.push(*state);
            return;
        }
        if card & game.kings != 0 {
            return;
        }
        for host in cards_of(bits::hosts(card) & game.reserve & !state.visible & !state.founded) {
            self.place(game, state, host);
        }
    }

    /// The same after a card of the reserve is placed.
    fn place(&mut self, game: &Game, state: &State, card: u64) {
        let first = self.hosted.len();
        self.host(game, state, card);
        for hosted in &mut self.hosted[first..] {
            hosted.visible |= card;
            hosted.circle &= !(1 << game.circle_index[card.trailing_zeros() as usize]);
        }
    }

    fn solve(&mut self, game: &Game, state: &mut State, context: &mut Context<'_>) -> Result<Inner, Stop> {
        Self::rise(game, state);
        if state.face_down == 0 {
            return Ok(Inner::Open);
        }
        match self.known.get(game.key_of_cards(state)) {
            LOST => return Ok(Inner::None(u32::MAX)),
            OPEN => return Ok(Inner::Open),
            UNKNOWN => {}
            above => return Ok(Inner::None(above)),
        }
        if self.relaxed.is_lost(game, state, context)? {
            return Ok(Inner::None(u32::MAX));
        }
        if self.left == 0 || self.depth == MAX_DEPTH {
            return Ok(Inner::GaveUp);
        }
        self.left -= 1;
        self.classes_count += 1;
        context.count_state()?;
        if self.classes_count.is_multiple_of(CLOCK_CLASSES) {
            context.clock.check()?;
        }
        let number = self.numbers;
        self.numbers += 1;
        let (first_child, first_pending) = (self.children.len(), self.pending.len());
        self.expand(game, state);
        for member in self.members.states() {
            // Only what `rise` leaves is looked up.
            if Self::rising(game, member) != 0 {
                continue;
            }
            let key = game.key_of_cards(member);
            self.known.set(key, number, &mut context.budget)?;
            self.pending.push(key);
        }
        let end_of_own = self.pending.len();
        let mut lowest = u32::MAX;
        for at in first_child..self.children.len() {
            let mut child = self.children[at];
            self.depth += 1;
            let inner = self.solve(game, &mut child, context)?;
            self.depth -= 1;
            match inner {
                Inner::None(above) => lowest = lowest.min(above),
                Inner::Open => {
                    for at in first_pending..end_of_own {
                        self.known.set(self.pending[at], OPEN, &mut context.budget)?;
                    }
                    self.pending.drain(first_pending..end_of_own);
                    return Ok(Inner::Open);
                }
                Inner::GaveUp => return Ok(Inner::GaveUp),
            }
        }
        self.children.truncate(first_child);
        if lowest < number {
            return Ok(Inner::None(lowest));
        }
        // Nothing from here on leads back to the way: all of it is lost.
        for key in self.pending.drain(first_pending..) {
            self.known.set(key, LOST, &mut context.budget)?;
        }
        Ok(Inner::None(u32::MAX))
    }

    /// Fills `members` with the states that differ by cards going up and down, and pushes the children.
    fn expand(&mut self, game: &Game, state: &State) {
        let first = self.children.len();
        self.members.clear();
        self.members.push(*state);
        let mut at = 0;
        while let Some(member) = self.members.get(at) {
            at += 1;
            let safe = bits::safe(member.founded);
            let reach = Self::reach(game, &member);
            let bound = Self::bound(game, &member);
            let safe_up = reach & safe;
            if safe_up != 0 {
                let card = safe_up & safe_up.wrapping_neg();
                let mut next = member;
                Self::up(game, &mut next, card);
                if card & bound == 0 {
                    self.members.push(next);
                    continue;
                }
                self.children.truncate(first);
                self.children.push(next);
                return;
            }
            for card in cards_of(reach) {
                let mut next = member;
                Self::up(game, &mut next, card);
                if card & bound != 0 {
                    self.children.push(next);
                } else {
                    self.members.push(next);
                }
            }
            for card in cards_of(member.next & member.visible & !reach) {
                let twin = bits::twin(card) & game.reserve & !member.visible & !member.founded;
                if twin != 0 {
                    self.hosted.clear();
                    self.place(game, &member, twin);
                    for at in 0..self.hosted.len() {
                        let mut next = self.hosted[at];
                        Self::up(game, &mut next, card);
                        self.children.push(next);
                    }
                }
            }
            for card in cards_of(bits::one_lower(member.next) & !safe) {
                if card & game.reserve != 0 {
                    let mut next = member;
                    game.unfound(&mut next, card);
                    next.visible &= !card;
                    self.members.push(next);
                    continue;
                }
                self.hosted.clear();
                self.host(game, &member, card);
                for at in 0..self.hosted.len() {
                    let mut next = self.hosted[at];
                    game.unfound(&mut next, card);
                    if next.circle == member.circle {
                        self.members.push(next);
                    } else {
                        self.children.push(next);
                    }
                }
            }
            for card in cards_of(member.anchors) {
                self.hosted.clear();
                self.host(game, &member, card);
                for at in 0..self.hosted.len() {
                    let mut next = self.hosted[at];
                    game.release(&mut next, card);
                    self.children.push(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
