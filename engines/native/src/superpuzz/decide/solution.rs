//! From a path of classes to moves of the game.
//!
//! A move between classes is some moves inside the first, which put the left edge in order, and one that leaves it.
//! Which order is needed can depend on which untold aces later turn out to lie where, so all members at which a class
//! can be entered are kept, each with the way to it, until the last class is reached.
use super::classes::canonical;
use super::position::{Position, UNTOLD};
use crate::superpuzz::board::{Board, Move};
use std::collections::HashMap;

struct Step {
    board: Board,
    /// Index into the steps of all classes; the first has none.
    before: Option<usize>,
}

/// The moves from `start` to a win along `path`, whose first class holds `start`; `None` if the path is no way to a win.
pub fn moves(start: &Board, path: &[Position]) -> Option<Vec<Move>> {
    let columns = start.columns();
    let mut steps = vec![Step { board: *start, before: None }];
    let mut entered = vec![0];
    for (index, class) in path.iter().enumerate() {
        let next = path.get(index + 1);
        let mut seen: HashMap<Board, usize> = entered.iter().map(|&at| (steps[at].board, at)).collect();
        let mut leaving: HashMap<Board, usize> = HashMap::new();
        let mut todo = std::mem::take(&mut entered);
        let mut done = 0;
        while let Some(&at) = todo.get(done) {
            done += 1;
            let board = steps[at].board;
            if next.is_none() && board.is_won() {
                return Some(way(&steps, at));
            }
            let mut children = Vec::new();
            board.moves(|step| children.push(board.after(step)));
            for child in children {
                if is_member(&child, class, columns) && !seen.contains_key(&child) {
                    seen.insert(child, steps.len());
                    todo.push(steps.len());
                    steps.push(Step { board: child, before: Some(at) });
                } else if next.is_some_and(|next| is_member(&child, next, columns)) && !leaving.contains_key(&child) {
                    leaving.insert(child, steps.len());
                    entered.push(steps.len());
                    steps.push(Step { board: child, before: Some(at) });
                }
            }
        }
    }
    None
}

/// Whether a board is one of those that a class stands for.
fn is_member(board: &Board, class: &Position, columns: usize) -> bool {
    let mut position = Position::new(board.cells(), columns);
    position.cells[UNTOLD] = class.cells[UNTOLD];
    let told = (0..4).all(|row| !class.is_untold(row) || position.cells[row * 16] & 15 == 1);
    if !told {
        return false;
    }
    canonical(&mut position, columns);
    position == *class
}

fn way(steps: &[Step], last: usize) -> Vec<Move> {
    let mut boards = vec![steps[last].board];
    let mut at = last;
    while let Some(before) = steps[at].before {
        boards.push(steps[before].board);
        at = before;
    }
    boards.reverse();
    boards.windows(2).map(|pair| crate::superpuzz::space::step_between(&pair[0], &pair[1])).collect()
}
