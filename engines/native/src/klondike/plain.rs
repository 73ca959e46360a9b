//! A plain depth-first search without any pruning, to compare with. Its states are whole boards, with the redeals left.
use super::board::{Board, Move};
use super::rules::{Position, Rules};
use crate::search::Context;
use crate::search::Stop;
use std::collections::HashSet;

/// States between two looks at the clock.
const CLOCK_STATES: u64 = 1 << 8;
/// Bytes of a state, about: the allocations of its columns, stock and waste, and its place in the set.
const STATE_BYTES: u64 = 640;

/// The moves of a win; `None` if there is none.
pub fn search(position: &Position, rules: Rules, context: &mut Context<'_>) -> Result<Option<Vec<Move>>, Stop> {
    let start = Board::new(position, rules);
    let mut seen = HashSet::new();
    // The boards on the way with the moves that are left to try from each, and the moves that led to all but the first.
    let mut way = vec![(start.clone(), start.moves(rules, position.ranks))];
    let mut made: Vec<Move> = Vec::new();
    if start.is_won() {
        return Ok(Some(made));
    }
    seen.insert(start);
    context.count_state()?;
    while let Some((board, left)) = way.last_mut() {
        let Some(next) = left.pop() else {
            way.pop();
            made.pop();
            continue;
        };
        let mut board = board.clone();
        board.play(next);
        if seen.contains(&board) {
            continue;
        }
        context.budget.take(STATE_BYTES)?;
        context.count_state()?;
        if context.states_count.is_multiple_of(CLOCK_STATES) {
            context.clock.check()?;
        }
        seen.insert(board.clone());
        made.push(next);
        if board.is_won() {
            return Ok(Some(made));
        }
        let moves = board.moves(rules, position.ranks);
        way.push((board, moves));
    }
    Ok(None)
}
