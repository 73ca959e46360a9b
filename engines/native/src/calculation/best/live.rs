//! Whether a position can be won at all: if each card of the pile came when it is wanted.
use super::game::Game;
use super::position::Position;
use super::values::{Values, Worth};
use crate::search::{Context, Stop};

/// Whether some order of the pile wins. Positions that are lost in all of them are added to `values`.
///
/// All stacks have to become empty; what is in the pile then goes to its place. Before a top goes to a foundation, that one
/// alone has to take cards from the pile.
pub fn is_live(game: &Game, position: &Position, values: &mut Values, context: &mut Context<'_>) -> Result<bool, Stop> {
    let position = game.with_sure_moves(*position);
    if position.are_stacks_empty() {
        return Ok(true);
    }
    let key = position.key(game);
    // What has been searched is live.
    if let Some(worth) = values.get(key) {
        return Ok(worth != Worth::Dead);
    }
    // Foundations that wait for a top first: they take nothing from the pile.
    for waits in [true, false] {
        for (s, rank) in game.tops(&position) {
            for f in game.needing(&position, rank) {
                if (game.rules.place_of(f, rank) == position.heights[f]) != waits {
                    continue;
                }
                if let Some(next) = taken(game, &position, s, rank, f)
                    && is_live(game, &next, values, context)?
                {
                    return Ok(true);
                }
            }
        }
    }
    values.put(key, Worth::Dead, context)?;
    Ok(false)
}

/// The position after a foundation took cards from the pile until it waits for the top of a stack, and then that; none if the
/// pile does not have them.
fn taken(game: &Game, position: &Position, stack: usize, rank: u8, foundation: usize) -> Option<Position> {
    let mut next = *position;
    while game.rules.rank_at(foundation, next.heights[foundation]) != rank {
        let left = &mut next.left[usize::from(game.rules.rank_at(foundation, next.heights[foundation]))];
        *left = left.checked_sub(1)?;
        next.heights[foundation] += 1;
    }
    next.heights[foundation] += 1;
    next.pop(stack);
    Some(next)
}
