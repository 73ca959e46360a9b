//! What a position leads to, after all reductions.
use super::classes::{Free, Moves, play};
use super::plan::Task;
use super::position::{Position, rank};
use super::relaxed::Relaxed;
use super::stubborn::Dependencies;

/// Calls `emit` for each class that has to be looked at after `position`; there may be none, and some twice.
pub fn expand(position: &Position, task: &Task, emit: &mut impl FnMut(&Position)) {
    let columns = task.columns;
    let places = position.places(columns);
    let free = Free::of(position, columns);
    let moves = Moves::of(position, &places, &free, columns);
    let cards = match task.plan.stubborn {
        true => Dependencies::new(position, &places, &free, task.plan.frozen, columns).smallest(moves.cards()),
        false => moves.cards(),
    };
    for &step in moves.as_slice() {
        if cards >> step.card & 1 == 1 {
            play(position, &places, &free, columns, step, emit);
        }
    }
}

/// False when the position is surely lost.
pub fn is_alive(position: &Position, task: &Task) -> bool {
    let columns = task.columns;
    let places = position.places(columns);
    !task.plan.dead_ends || Relaxed::new(position, &places, columns).may_win()
}

/// How near to the end a position looks: the number of neighbours in sequence, where those that go on from the left
/// edge count twice, less the number of columns that cards are away from their final ones. (The weights were chosen
/// by trial on deals of seed 2; similar ones do as well.)
pub fn score(position: &Position, columns: usize) -> i32 {
    let mut score = 0;
    for row in 0..4 {
        let cells = &position.cells[row * 16..][..columns];
        let mut from_left = cells[0] & 15 == 1;
        let untold = position.is_untold(row);
        for column in 1..columns {
            let (left, card) = (cells[column - 1], cells[column]);
            let follows = card != 0 && left != 0 && card == left + 1 || untold && column == 1 && card & 15 == 2;
            from_left &= follows;
            score += 16 * (i32::from(follows) + i32::from(from_left));
        }
        for column in 0..columns {
            let card = cells[column];
            score -= if card == 0 { 0 } else { 3 * (rank(card) as i32 - 1 - column as i32).abs() };
        }
    }
    score
}
