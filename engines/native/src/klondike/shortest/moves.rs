//! Moves between arrangements, with what they cost: each card or run that moves one, each deal one, a redeal nothing.
//!
//! Between two plays from the waste, deals and redeals change nothing else, so they belong to the play that they lead
//! to.
//!
//! **Safe cards go up at once** (`settle`), and a card that would be safe to go up again is not taken back.
//! *Argument.* The win that `state` makes from another one founds a card early or leaves out moves of it; all its
//! other moves are those of the old win. Such a card never comes down again, and in the old win it goes up later: for
//! each new founding an old one is left out. Stock and waste are dealt as before. So the new win takes no more moves.
//!
//! **A run moves from a card to its twin only so that the card goes up next.** *Argument.* Take a win and put such a
//! move off, from p to its twin q, until something asks for p to lie open. Until then the two positions differ by
//! which of p and q is covered, and q could not be used. If the run itself goes up, or moves back, the move is left
//! out. If p goes up, it is made now. What else may be laid on p is the twin of the run's lowest card: lay it on q.
//! The two positions then differ by which of two runs of the same kind lies on p and which on q; whatever carries p
//! or q takes what lies there along, so the same moves can be made in both. When one of the runs has gone up, the
//! other one may lie on the wrong card, and a move to the twin is again put off. So the win gets no longer, and in
//! the end each move to a twin is followed by the move that needs it.
//!
//! A king that lies alone in its column as dealt never needs to move.
use super::arrangement::Arrangement;
use crate::klondike::bits;
use crate::klondike::state::{Commit, Game, State};
use crate::sets::cards_of;

/// Where a card goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    Foundation,
    /// On a card, as a set of one.
    Card(u64),
    EmptyColumn,
}

/// A card that moves, with what lies on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// As a set of one.
    pub card: u64,
    pub to: To,
    pub is_from_waste: bool,
    /// What lies on the card, as a set of one, if that is moved to the twin of the card before.
    pub freed_of: u64,
}

/// A move: what it leads to, and its cost.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    pub at: Arrangement,
    pub cost: u16,
    pub action: Action,
}

/// By how much the moves back from foundations raise the bound: the card has to move once more.
pub const BACK_RAISES: u16 = 2;

/// Calls `emit` with every move; with those back from foundations only on demand.
#[inline(always)]
pub fn expand(game: &Game, at: &Arrangement, with_back: bool, mut found: impl FnMut(Child)) {
    let state = at.state;
    let covered = at.covered(game);
    let tops = state.visible & !covered;
    let has_room = at.has_room(game);
    let up = |card| Action { card, to: To::Foundation, is_from_waste: false, freed_of: 0 };
    for card in cards_of(tops & state.next) {
        let mut after = *at;
        game.commit(&mut after.state, Commit::Up, card);
        found(Child { at: after, cost: 1, action: up(card) });
    }
    for card in cards_of(state.visible & covered & state.next & bits::twin(tops)) {
        let mut after = *at;
        let freed_of = at.on(game, card);
        after.lay(freed_of, bits::twin(card));
        game.commit(&mut after.state, Commit::Up, card);
        found(Child { at: after, cost: 2, action: Action { freed_of, ..up(card) } });
    }
    let lay = |state: State, card: u64, cost: u16, is_from_waste: bool, found: &mut dyn FnMut(Child)| {
        let after = Arrangement { state, second: at.second };
        let action = |to| Action { card, to, is_from_waste, freed_of: 0 };
        if card & game.kings != 0 {
            if has_room {
                found(Child { at: after, cost, action: action(To::EmptyColumn) });
            }
            return;
        }
        for host in cards_of(bits::hosts(card) & tops) {
            let mut after = after;
            after.lay(card, host);
            found(Child { at: after, cost, action: action(To::Card(host)) });
        }
    };
    let accepted = bits::takes(tops) | if has_room { game.kings } else { 0 };
    for card in cards_of(state.anchors & accepted) {
        let mut after = state;
        game.release(&mut after, card);
        lay(after, card, 1, false, &mut found);
    }
    if with_back && game.rules.foundation_back {
        for card in cards_of(bits::one_lower(state.next) & accepted & !bits::safe(state.founded)) {
            let mut after = state;
            game.unfound(&mut after, card);
            lay(after, card, 1, false, &mut found);
        }
    }
    game.exact_plays(&state, |card, after, deals| {
        let cost = deals + 1;
        if card & state.next != 0 {
            let mut after = after;
            game.found(&mut after, card);
            let action = Action { is_from_waste: true, ..up(card) };
            found(Child { at: Arrangement { state: after, second: at.second }, cost, action });
        }
        if card & accepted != 0 {
            lay(State { visible: after.visible | card, ..after }, card, cost, true, &mut found);
        }
    });
}

/// Founds every safe card of the columns, lowest bit first, and reports each; returns how many.
#[inline(always)]
pub fn settle(game: &Game, at: &mut Arrangement, mut founded: impl FnMut(u64)) -> u16 {
    let mut count = 0;
    loop {
        let ready = at.state.next & bits::safe(at.state.founded) & at.state.visible;
        let ready = if ready == 0 { 0 } else { ready & at.tops(game) };
        if ready == 0 {
            return count;
        }
        let card = ready & ready.wrapping_neg();
        game.commit(&mut at.state, Commit::Up, card);
        founded(card);
        count += 1;
    }
}
