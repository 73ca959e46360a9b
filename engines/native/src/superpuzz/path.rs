//! A shortest way to a win, walked back over the states of a breadth-first search.
//!
//! The table keeps the layer of each state modulo 4. A state from which a move leads to one of layer `d` lies in
//! layer `d - 1` or later; so one with the tag of `d - 1` can also belong to layer `d + 3` or beyond. Then it is not
//! `d - 1` moves from the start, and the walk back from it does not end there: it is given up, and remembered. A walk
//! that ends at the start has as many moves as the win has layers, hence is a shortest way.
use super::board::{Board, Move};
use super::space::{Space, step_between};
use super::table::{Place, Table};
use crate::search::{Clock, Stop};
use std::collections::HashSet;

/// States that are looked at between two looks at the clock.
const CLOCK_STATES: usize = 1 << 10;

/// The tag of a layer.
#[inline]
#[must_use]
pub fn tag(layer: u64) -> u8 {
    (layer % 4) as u8
}

/// The moves from `start` to `won`, a state of layer `layer`.
pub fn shortest(
    start: &Board,
    won: Board,
    layer: u64,
    space: &Space,
    table: &Table,
    clock: &mut Clock<'_>,
) -> Result<Vec<Move>, Stop> {
    // The way so far, last state first, and for each of its states those before it that are left to try.
    let mut way = vec![won];
    let mut choices = vec![before(&won, layer, space, table)];
    let mut dead: HashSet<(u64, Board)> = HashSet::new();
    let mut looked = 0usize;
    while way.len() as u64 <= layer {
        looked += 1;
        if looked.is_multiple_of(CLOCK_STATES) {
            clock.check()?;
        }
        let left = layer + 1 - way.len() as u64;
        match choices.last_mut().expect("the win has a way back").pop() {
            Some(board) if left == 1 => {
                if board == *start {
                    way.push(board);
                }
            }
            Some(board) if dead.contains(&(left - 1, board)) => {}
            Some(board) => {
                choices.push(before(&board, left - 1, space, table));
                way.push(board);
            }
            None => {
                choices.pop();
                dead.insert((left, way.pop().expect("as long as the choices")));
            }
        }
    }
    way.reverse();
    Ok(way.windows(2).map(|pair| step_between(&pair[0], &pair[1])).collect())
}

/// Stored states a move before `board` with the tag of the layer before `layer`.
fn before(board: &Board, layer: u64, space: &Space, table: &Table) -> Vec<Board> {
    let mut found = Vec::new();
    board.before(|before| {
        let stored = space.find(&before).and_then(|key| table.find(Place::of(key)));
        if stored == Some(tag(layer - 1)) {
            found.push(before);
        }
    });
    found
}
