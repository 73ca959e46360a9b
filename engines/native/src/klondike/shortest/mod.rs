//! A shortest solution: fewest moves of cards and deals, up to the last card.
//!
//! Best-first search over positions as they lie (`arrangement`, `moves`), with a lower bound for the moves that are
//! left (`bound`).
//!
//! The search ends at a deal that is surely won: then each card that is left takes one move, and a card in the stock
//! a deal as well, just as the bound counts. (A last card that the rules never deal counts as if they did.)
pub mod arrangement;
mod beam;
pub mod bound;
pub mod moves;
pub mod node;
pub mod packing;
#[cfg(test)]
mod tests;
pub mod way;

use super::board::Move;
use super::rules::Position;
use super::state::Game;
use crate::search::Context;
use crate::search::Stop;
use crate::search::best_first::BestFirst;
use arrangement::Arrangement;
use bound::Bound;
use moves::{BACK_RAISES, Child, expand, settle};
use node::Node;
use packing::Packing;

pub struct Shortest<'g> {
    game: &'g Game,
    position: &'g Position,
    packing: Packing,
    bound: Bound,
    open: BestFirst<Node>,
}

impl<'g> Shortest<'g> {
    #[must_use]
    pub fn new(game: &'g Game, position: &'g Position) -> Shortest<'g> {
        let packing = Packing::new(game);
        let bound = Bound::new(game, packing.cards_count());
        let fewest = usize::from(bound.fewest(game, &Arrangement::of(game, position)));
        Shortest { game, position, packing, bound, open: BestFirst::new(fewest, fewest) }
    }

    /// No solution has fewer moves, if there is one.
    #[must_use]
    pub fn fewest(&self) -> usize {
        self.open.fewest
    }

    /// The moves of some solution of fewer than `below` moves, up to where it is surely won; `None` if none was found.
    pub fn short(&self, below: usize, context: &mut Context<'_>) -> Result<Option<Vec<Move>>, Stop> {
        let way = beam::short(self.game, self.position, &self.packing, &self.bound, below, context)?;
        Ok(way.map(|way| way::moves(self.game, self.position, &self.packing, &way)))
    }

    /// The moves of a shortest solution, if it has fewer than `below`; `None` if there is none.
    pub fn search(&mut self, below: usize, context: &mut Context<'_>) -> Result<Option<Vec<Move>>, Stop> {
        self.open = BestFirst::new(self.open.fewest, below);
        context.budget.take(self.bound.bytes())?;
        let mut start = Arrangement::of(self.game, self.position);
        let cost = settle(self.game, &mut start, |_| ());
        self.enter(&start, cost, 0, context)?;
        while let Some((at, node)) = self.open.next(context)? {
            let from = self.packing.unpack(self.game, node.packed(), node.redeals);
            if self.game.is_won(&from.state) {
                return Ok(Some(way::moves(self.game, self.position, &self.packing, &self.open.way(at))));
            }
            self.yield_children(at, &node, &from, context)?;
        }
        Ok(None)
    }

    /// Enters the children whose turn it is; the node waits if there are later ones.
    fn yield_children(
        &mut self,
        at: u32,
        node: &Node,
        from: &Arrangement,
        context: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let game = self.game;
        let now = self.open.fewest;
        let back = node.fewest() + usize::from(BACK_RAISES);
        let mut next = if game.rules.foundation_back && back > now { back } else { usize::MAX };
        let mut stop = None;
        expand(game, from, back <= now, |Child { at: mut after, cost, .. }| {
            let cost = node.cost + cost;
            let fewest = usize::from(cost + self.bound.fewest(game, &after));
            if fewest > now {
                next = next.min(fewest);
            } else if fewest == now && stop.is_none() {
                // Cards that go up leave the bound where it is.
                let cost = cost + settle(game, &mut after, |_| ());
                debug_assert_eq!(usize::from(cost + self.bound.fewest(game, &after)), fewest);
                stop = self.enter(&after, cost, at, context).err();
            }
        });
        if let Some(stop) = stop {
            return Err(stop);
        }
        self.open.wait(at, next, context)
    }

    /// Enters an arrangement with the bound whose turn it is.
    #[inline(always)]
    fn enter(&mut self, at: &Arrangement, cost: u16, parent: u32, context: &mut Context<'_>) -> Result<(), Stop> {
        // Fewer than 256 moves are left by the bound: 52 cards, 52 once more, and 24 deals.
        let left = (self.open.fewest - usize::from(cost)) as u8;
        let packed = self.packing.pack(self.game, at);
        self.open.enter(Node::new(packed, at.state.redeals, cost, left, parent), context)
    }
}
