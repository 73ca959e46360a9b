//! A quick way to a short solution: a beam, which keeps the best arrangements of each number of moves.
//!
//! It proves nothing. What it finds cuts the search for a shortest one, and is the answer when a limit stops that.
use super::arrangement::Arrangement;
use super::bound::Bound;
use super::moves::{Child, expand, settle};
use super::node::Node;
use super::packing::Packing;
use crate::klondike::rules::Position;
use crate::klondike::state::Game;
use crate::search::Context;
use crate::search::Stop;
use crate::search::best_first::Entry;
use std::collections::HashSet;

/// Arrangements that are kept of each number of moves; more take longer and find little.
const WIDTH: usize = 256;
/// How much more a move that is left counts than one that was made, since the bound is low.
const LEFT_WEIGHT: usize = 2;

/// Nodes to a position that is surely won, from which fewer than `below` moves lead to the last card; each node's parent
/// is the one before. `None` if none was found.
pub fn short(
    game: &Game,
    position: &Position,
    packing: &Packing,
    bound: &Bound,
    below: usize,
    context: &mut Context<'_>,
) -> Result<Option<Vec<Node>>, Stop> {
    let node = |at: &Arrangement, cost: u16, parent: usize| {
        let left = bound.fewest(game, at) as u8;
        Node::new(packing.pack(game, at), at.state.redeals, cost, left, parent as u32)
    };
    let mut start = Arrangement::of(game, position);
    let cost = settle(game, &mut start, |_| ());
    let mut layers = vec![vec![node(&start, cost, 0)]];
    let mut seen = HashSet::new();
    let (mut best, mut fewest) = (None, below);
    while let Some(layer) = layers.last().filter(|layer| !layer.is_empty()) {
        let mut children = Vec::new();
        for (at, from) in layer.iter().enumerate() {
            context.clock.check()?;
            let before = packing.unpack(game, from.packed(), from.redeals);
            if game.is_won(&before.state) {
                if from.fewest() < fewest {
                    (best, fewest) = (Some((layers.len() - 1, at)), from.fewest());
                }
                continue;
            }
            expand(game, &before, true, |Child { at: mut after, cost, .. }| {
                let cost = from.cost + cost + settle(game, &mut after, |_| ());
                children.push(node(&after, cost, at));
            });
        }
        children.sort_by_key(|child: &Node| child.fewest() + (LEFT_WEIGHT - 1) * child.left());
        let mut kept = Vec::new();
        for child in children {
            let packed = child.packed();
            if kept.len() < WIDTH && child.fewest() < fewest && seen.insert((packed.key, packed.layout, child.redeals))
            {
                kept.push(child);
            }
        }
        layers.push(kept);
    }
    Ok(best.map(|(depth, mut at)| {
        let mut way = Vec::new();
        for layer in layers[..=depth].iter().rev() {
            way.push(layer[at]);
            at = layer[at].parent() as usize;
        }
        way.reverse();
        way
    }))
}
