//! A shortest solution: fewest moves, a deal and a redeal counting as one each.
//!
//! Best-first search (A*) over positions as they lie. Between two plays from the waste, deals and redeals change
//! nothing else, so they are taken together with the play that they lead to. Columns without a card as dealt are
//! interchangeable: which of them a king lies in is no part of a position.
use super::bits;
use super::board::Move;
use super::pile::Place;
use super::rules::Position;
use super::solution::Player;
use super::state::{Commit, Game, State};
use crate::search::Context;
use crate::search::Stop;
use crate::sets::cards_of;

const CLOCK_NODES: u64 = 1 << 10;
const FIRST_SLOTS: usize = 1 << 10;

/// Where a card goes in a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    Foundation,
    /// On a card, as a bit number.
    Card(u8),
    EmptyColumn,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    state: State,
    /// Loose cards that lie on the second card of the pair that they may lie on.
    second: u64,
}

#[derive(Clone, Copy)]
struct Node {
    key: Key,
    /// The card that moved, as a bit number, and where it went.
    card: u8,
    to: To,
    is_done: bool,
    moves: u16,
    parent: u32,
}

pub struct Shortest<'g> {
    game: &'g Game,
    nodes: Vec<Node>,
    /// Places of nodes by the hash of their keys, and one; 0: free.
    slots: Vec<u32>,
    /// Nodes by the fewest moves that a win through them takes.
    open: Vec<Vec<u32>>,
    /// Moves of a solution that is known.
    below: usize,
}

impl<'g> Shortest<'g> {
    /// A search for a solution of fewer than `below` moves.
    #[must_use]
    pub fn new(game: &'g Game, below: usize) -> Shortest<'g> {
        Shortest { game, nodes: Vec::new(), slots: Vec::new(), open: vec![Vec::new(); below + 1], below }
    }

    /// A shortest solution; `None` if there is none below the bound.
    pub fn search(&mut self, position: &Position, context: &mut Context<'_>) -> Result<Option<Vec<Move>>, Stop> {
        let place = Place { origin: 0, dealt: position.waste.len() as u8 };
        let state = State { place, ..self.game.start() };
        let mut second = 0;
        for pair in position
            .columns
            .iter()
            .flat_map(|column| column.cards[column.face_down.min(column.cards.len())..].windows(2))
        {
            second |= u64::from(bits::bit(pair[0]) & 1) << bits::bit(pair[1]);
        }
        self.enter(
            Node { key: Key { state, second }, card: 0, to: To::EmptyColumn, is_done: false, moves: 0, parent: 0 },
            context,
        )?;
        let mut turns = 0u64;
        let mut bound = 0;
        while bound < self.open.len() {
            let Some(at) = self.open[bound].pop() else {
                bound += 1;
                continue;
            };
            let node = self.nodes[at as usize];
            if node.is_done {
                continue;
            }
            self.nodes[at as usize].is_done = true;
            if self.game.is_won(&node.key.state) {
                return Ok(Some(self.moves_to(at, position)));
            }
            turns += 1;
            if turns.is_multiple_of(CLOCK_NODES) {
                context.clock.check()?;
            }
            self.expand(at, context)?;
        }
        Ok(None)
    }

    /// Fewest moves to a win: each face-down card takes one that uncovers it, each card but one of stock and waste one
    /// that plays it, and what lies in the stock, but for one, has to be dealt.
    fn fewest(&self, state: &State) -> usize {
        let count = state.circle.count_ones() as usize;
        let in_stock = count - usize::from(state.place.dealt);
        usize::from(state.face_down)
            + count.saturating_sub(1)
            + in_stock.saturating_sub(1).div_ceil(self.game.rules.draw)
    }

    fn hash(&self, key: &Key) -> usize {
        let mixed =
            (self.game.key(&key.state) ^ u64::from(key.state.redeals) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 31 ^ key.second).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ mixed >> 32) as usize
    }

    /// The slot of a key, or a free one.
    fn slot(&self, key: &Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hash(key) & mask;
        while self.slots[slot] != 0 && self.nodes[self.slots[slot] as usize - 1].key != *key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn enter(&mut self, node: Node, context: &mut Context<'_>) -> Result<(), Stop> {
        let bound = usize::from(node.moves) + self.fewest(&node.key.state);
        if bound >= self.below {
            return Ok(());
        }
        if self.nodes.len() * 2 >= self.slots.len() {
            self.grow(context)?;
        }
        let slot = self.slot(&node.key);
        let at = match self.slots[slot] {
            0 => {
                context.count_state()?;
                self.slots[slot] = self.nodes.len() as u32 + 1;
                self.nodes.push(node);
                self.nodes.len() - 1
            }
            known => {
                let known = known as usize - 1;
                // The bound never falls along a move, so a node that is done was reached in the fewest moves.
                if self.nodes[known].is_done || self.nodes[known].moves <= node.moves {
                    return Ok(());
                }
                self.nodes[known] = node;
                known
            }
        };
        context.budget.take(size_of::<u32>() as u64)?;
        self.open[bound].push(at as u32);
        Ok(())
    }

    #[cold]
    fn grow(&mut self, context: &mut Context<'_>) -> Result<(), Stop> {
        let slots = (self.slots.len() * 2).max(FIRST_SLOTS);
        if slots / 2 > u32::MAX as usize / 2 {
            return Err(Stop::Memory);
        }
        let bytes = |slots: usize| (slots * size_of::<u32>() + slots / 2 * size_of::<Node>()) as u64;
        context.budget.take(bytes(slots))?;
        context.budget.give(bytes(self.slots.len()));
        self.nodes.reserve_exact(slots / 2 - self.nodes.len());
        self.slots = vec![0; slots];
        for at in 0..self.nodes.len() {
            let slot = self.slot(&self.nodes[at].key);
            self.slots[slot] = at as u32 + 1;
        }
        Ok(())
    }

    fn expand(&mut self, at: u32, context: &mut Context<'_>) -> Result<(), Stop> {
        let game = self.game;
        let Node { key, moves, .. } = self.nodes[at as usize];
        let Key { state, second } = key;
        let loose = state.visible & !state.anchors;
        let covered = bits::below(loose & !second, loose & second) & state.visible;
        let tops = state.visible & !covered;
        let has_room = (loose & game.kings).count_ones() < u32::from(state.empty);
        let child = |state: State, second: u64, card: u64, to: To, steps: u16| {
            // The bits of cards that are not loose, or are kings, say nothing.
            let second = second & state.visible & !state.anchors & !game.kings;
            let card = card.trailing_zeros() as u8;
            Node { key: Key { state, second }, card, to, is_done: false, moves: moves + steps, parent: at }
        };
        let mut children = Vec::new();
        // A card laid in a column, on each top that takes it.
        let lay = |state: State, card: u64, steps: u16, children: &mut Vec<Node>| {
            if card & game.kings != 0 {
                if has_room {
                    children.push(child(state, second, card, To::EmptyColumn, steps));
                }
                return;
            }
            for host in cards_of(bits::hosts(card) & tops) {
                let is_second = host.trailing_zeros() & 1 == 1;
                let second = if is_second { second | card } else { second & !card };
                children.push(child(state, second, card, To::Card(host.trailing_zeros() as u8), steps));
            }
        };
        for card in cards_of(tops & state.next) {
            let mut next = state;
            game.commit(&mut next, Commit::Up, card);
            children.push(child(next, second, card, To::Foundation, 1));
        }
        if game.rules.foundation_back {
            for card in cards_of(bits::one_lower(state.next)) {
                let mut next = state;
                game.unfound(&mut next, card);
                lay(next, card, 1, &mut children);
            }
        }
        for card in cards_of(state.anchors) {
            let mut next = state;
            game.release(&mut next, card);
            lay(next, card, 1, &mut children);
        }
        // A loose run on one card of a pair moves to the other one.
        for card in cards_of(loose & !game.kings) {
            lay(state, card, 1, &mut children);
        }
        game.exact_plays(&state, |card, next, steps| {
            if card & state.next != 0 {
                let mut next = next;
                game.found(&mut next, card);
                children.push(child(next, second, card, To::Foundation, steps + 1));
            }
            let next = State { visible: next.visible | card, ..next };
            lay(next, card, steps + 1, &mut children);
        });
        for child in children {
            self.enter(child, context)?;
        }
        Ok(())
    }

    fn moves_to(&self, last: u32, position: &Position) -> Vec<Move> {
        let mut way = vec![last];
        while way[way.len() - 1] != 0 {
            way.push(self.nodes[way[way.len() - 1] as usize].parent);
        }
        let mut player = Player::new(self.game, position, true);
        for pair in way.windows(2).rev() {
            let [to, from] = pair else { unreachable!("windows of two") };
            let (before, after) = (&self.nodes[*from as usize].key.state, &self.nodes[*to as usize]);
            let card = bits::card(after.card);
            let wanted = if before.circle == after.key.state.circle { None } else { Some(&after.key.state) };
            let to = match after.to {
                To::Foundation => None,
                To::EmptyColumn => Some(None),
                To::Card(host) => Some(Some(bits::card(host))),
            };
            player.play(card, to, wanted);
        }
        player.moves
    }
}
