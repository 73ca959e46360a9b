//! A relaxed game that knows no stock at all.
//!
//! The cards of stock and waste, wherever they are, lie in a **reserve**: they can be founded at any time, and go
//! back from there. A position is given by the anchors and the foundations. It is **feasible** if every loose card
//! can lie on a card that is there: on a face-up one, or on one of the reserve that is not founded, which must then
//! lie on a card itself. Counted type by type, from the aces up: a type needs as many cards of the reserve as loose
//! cards (and cards of the reserve that are needed below) have no face-up card of it to lie on. Moves put a card on a
//! foundation, take one from it, or release an anchor, and lead from a feasible position to a feasible one. The game
//! is won when no card is face down.
//!
//! **A deal that this game can't win is lost**, by any rule of the stock: every position of the real game is
//! feasible, its cards lying as they do, and every real move is one of these moves, or changes nothing here.
//!
//! Safe cards go up at once here, too, if that is feasible: the argument of `state` holds with the reserve as it is
//! with columns. The relaxation is ours.
use super::bits;
use super::members::Members;
use super::state::{Commit, Game, State};
use super::verdicts::{LOST, OPEN, UNKNOWN, Verdicts};
use crate::search::Context;
use crate::search::Stop;
use crate::sets::cards_of;

/// States between two looks at the clock.
const CLOCK_STATES: u64 = 1 << 8;

pub struct Relaxed {
    /// Cards of stock and waste at the start.
    reserve: u64,
    known: Verdicts,
    members: Members,
    children: Vec<State>,
    turns: u64,
}

impl Relaxed {
    #[must_use]
    pub fn new(game: &Game) -> Relaxed {
        Relaxed {
            reserve: game.reserve,
            known: Verdicts::default(),
            members: Members::default(),
            children: Vec::new(),
            turns: 0,
        }
    }

    /// Whether each loose card can lie on a card.
    #[inline(always)]
    fn is_feasible(&self, game: &Game, state: &State) -> bool {
        let (hosts1, hosts2) = bits::at_least(state.visible);
        let loose = state.visible & !state.anchors;
        let (loose1, loose2) = bits::at_least(loose);
        let (left1, left2) = bits::at_least(self.reserve & !state.founded);
        // Kings need no card below them.
        let rows = game.kings | (game.kings - 1);
        let (mut load1, mut load2) = (loose1 << 4, loose2 << 4);
        loop {
            let need1 = (load1 & !hosts1 | load2 & !hosts2) & rows;
            let need2 = load2 & !hosts1 & rows;
            if need1 & !left1 | need2 & !left2 != 0 {
                return false;
            }
            let now1 = (loose1 | need1) << 4;
            let now2 = (loose2 | need2 | loose1 & need1) << 4;
            if (now1, now2) == (load1, load2) {
                let kings = [loose, need1, need2].map(|set| (set & game.kings).count_ones()).iter().sum::<u32>();
                return kings <= u32::from(state.empty);
            }
            (load1, load2) = (now1, now2);
        }
    }

    /// The state after a card is founded, if that is feasible.
    #[inline(always)]
    fn up(&self, game: &Game, state: &State, card: u64) -> Option<State> {
        let mut next = *state;
        game.commit(&mut next, Commit::Up, card);
        self.is_feasible(game, &next).then_some(next)
    }

    /// Founds cards until none can go but unsafe anchors.
    fn rise(&self, game: &Game, state: &mut State) {
        'again: loop {
            let safe = bits::safe(state.founded);
            let reach = state.next & (state.visible | self.reserve);
            for set in [reach & safe, reach & !safe & !state.anchors] {
                let found = cards_of(set).find_map(|card| self.up(game, state, card));
                if let Some(next) = found {
                    *state = next;
                    continue 'again;
                }
            }
            return;
        }
    }

    /// Whether the relaxed game can't be won from a state of the game.
    pub fn is_lost(&mut self, game: &Game, state: &State, context: &mut Context<'_>) -> Result<bool, Stop> {
        let mut state = State { visible: state.visible & !self.reserve, circle: 0, ..*state };
        Ok(!self.is_open(game, &mut state, context)?)
    }

    fn is_open(&mut self, game: &Game, state: &mut State, context: &mut Context<'_>) -> Result<bool, Stop> {
        self.rise(game, state);
        if state.face_down == 0 {
            return Ok(true);
        }
        let known = self.known.get(game.key_of_cards(state));
        if known != UNKNOWN {
            return Ok(known == OPEN);
        }
        context.count_state()?;
        self.turns += 1;
        if self.turns.is_multiple_of(CLOCK_STATES) {
            context.clock.check()?;
        }
        let first = self.children.len();
        self.expand(game, state);
        let keys: Vec<u64> = self.members.states().iter().map(|member| game.key_of_cards(member)).collect();
        let mut is_open = false;
        for at in first..self.children.len() {
            let mut child = self.children[at];
            if self.is_open(game, &mut child, context)? {
                is_open = true;
                break;
            }
        }
        self.children.truncate(first);
        // Founded cards go up and down freely: all of these states lead to each other.
        for key in keys {
            self.known.set(key, if is_open { OPEN } else { LOST }, &mut context.budget)?;
        }
        Ok(is_open)
    }

    /// Fills `members` with the states that can be reached without releasing an anchor; pushes those after a release.
    fn expand(&mut self, game: &Game, state: &State) {
        let first = self.children.len();
        self.members.clear();
        self.members.push(*state);
        let mut at = 0;
        while let Some(member) = self.members.get(at) {
            at += 1;
            let safe = bits::safe(member.founded);
            let reach = member.next & (member.visible | self.reserve);
            let safe_up = cards_of(reach & safe).find_map(|card| Some((card, self.up(game, &member, card)?)));
            if let Some((card, next)) = safe_up {
                if member.anchors & card == 0 {
                    self.members.push(next);
                    continue;
                }
                self.children.truncate(first);
                self.children.push(next);
                return;
            }
            for card in cards_of(reach & !safe & !member.anchors) {
                let mut next = member;
                game.found(&mut next, card);
                if !self.members.holds(&next) && self.is_feasible(game, &next) {
                    self.members.push(next);
                }
            }
            for card in cards_of(bits::one_lower(member.next) & !safe) {
                let mut next = member;
                game.unfound(&mut next, card);
                next.visible &= !self.reserve;
                if !self.members.holds(&next) && self.is_feasible(game, &next) {
                    self.members.push(next);
                }
            }
            for card in cards_of(member.anchors & !member.next) {
                let mut next = member;
                game.release(&mut next, card);
                if self.is_feasible(game, &next) {
                    self.children.push(next);
                }
            }
            for card in cards_of(member.anchors & member.next) {
                self.children.extend(self.up(game, &member, card));
                let mut next = member;
                game.release(&mut next, card);
                if self.is_feasible(game, &next) {
                    self.children.push(next);
                }
            }
        }
    }
}
