//! A way over nodes as moves of the game.
use super::arrangement::Arrangement;
use super::moves::{Child, To, expand, settle};
use super::node::Node;
use super::packing::Packing;
use crate::klondike::bits;
use crate::klondike::board::Move;
use crate::klondike::rules::Position;
use crate::klondike::solution::Player;
use crate::klondike::state::Game;

/// The moves along nodes of which the first one is the start.
#[must_use]
pub fn moves(game: &Game, position: &Position, packing: &Packing, way: &[Node]) -> Vec<Move> {
    let mut player = Player::new(game, position, true);
    let card = |set: u64| bits::card(set.trailing_zeros() as u8);
    let mut at = Arrangement::of(game, position);
    settle(game, &mut at, |founded| player.play(card(founded), None, None));
    for pair in way.windows(2) {
        let [from, to] = pair else { unreachable!("windows of two") };
        let before = packing.unpack(game, from.packed(), from.redeals);
        let mut made = None;
        expand(game, &before, true, |child| {
            let mut after = child.at;
            let cost = from.cost + child.cost + settle(game, &mut after, |_| ());
            if cost == to.cost && after.state.redeals == to.redeals && packing.pack(game, &after) == to.packed() {
                made = Some(child);
            }
        });
        let Child { at: mut after, action, .. } = made.expect("a move leads from a node to the next one");
        if action.freed_of != 0 {
            player.play(card(action.freed_of), Some(Some(card(bits::twin(action.card)))), None);
        }
        let target = match action.to {
            To::Foundation => None,
            To::EmptyColumn => Some(None),
            To::Card(host) => Some(Some(card(host))),
        };
        player.play(card(action.card), target, action.is_from_waste.then_some(&after.state));
        settle(game, &mut after, |founded| player.play(card(founded), None, None));
    }
    player.moves
}
