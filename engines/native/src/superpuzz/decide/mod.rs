//! Won or not, as fast as possible: the search goes over classes of positions, tries only the moves of a stubborn set
//! of cards, and leaves out what a relaxed game shows to be lost.
//!
//! Wins are mostly found by beams of growing width, losses are proven by the depth-first search, which goes on
//! between the beams. Nothing that is left out can hide a win; each reduction says why in its own file (`classes`,
//! `stubborn`, `relaxed`), and positions are compared exactly (`store`). At the end a solution of real moves is made
//! (`solution`).
mod beam;
pub mod best;
mod classes;
mod deep;
mod expand;
pub mod plan;
mod position;
mod relaxed;
mod rows;
mod solution;
mod store;
mod stubborn;
#[cfg(test)]
mod tests;

use super::board::{Board, Move};
use crate::search::{Context, Limits, Outcome, Report, Stop};
use plan::{Found, Plan, Task};
use position::Position;

/// Decides a deal. `states_count` counts the classes that all passes stored. `Err` only for an interrupt.
pub fn decide(start: &Board, limits: Limits<'_>) -> Result<Report<Move>, Stop> {
    decide_by(Plan::default(), start, limits)
}

/// Like [`decide`], with some reductions off or other beams.
pub fn decide_by(plan: Plan, start: &Board, limits: Limits<'_>) -> Result<Report<Move>, Stop> {
    let task = Task { columns: start.columns(), plan };
    let mut context = Context::new(limits);
    let found = search(start, &task, &mut context).map(|found| moves(start, &found));
    let report = Report::new(found, &context)?;
    let states_before_win_count = (report.outcome == Outcome::Won).then_some(report.states_count);
    Ok(Report { states_before_win_count, ..report })
}

/// A win of a deal, if there is one; the memory that it takes is given back.
pub fn win(start: &Board, context: &mut Context<'_>) -> Result<Option<Vec<Move>>, Stop> {
    let before = context.budget.used();
    let task = Task { columns: start.columns(), plan: Plan::default() };
    let found = search(start, &task, context).map(|found| moves(start, &found));
    context.budget.give(context.budget.used() - before);
    found
}

/// The moves of a win.
fn moves(start: &Board, found: &Found) -> Option<Vec<Move>> {
    match found {
        Found::NoWin => None,
        Found::Win(path) => Some(solution::moves(start, path).expect("a path of classes is a way of moves")),
    }
}

fn search(start: &Board, task: &Task, context: &mut Context<'_>) -> Result<Found, Stop> {
    let columns = task.columns;
    let mut class = Position::new(start.cells(), columns);
    classes::canonical(&mut class, columns);
    let mut deep = deep::Deep::new(&class, task, context)?;
    let mut beams_taken_count = 0;
    for &width in task.plan.widths {
        let budget_before = context.budget.used();
        let found = beam::beam(&class, width, task, context, &mut beams_taken_count);
        // All that the beam allocated is gone by now.
        context.budget.give(context.budget.used() - budget_before);
        match found {
            Ok(Some(found)) => return Ok(found),
            // Where a beam runs out of memory, the depth-first search may still have enough.
            Ok(None) | Err(Stop::Memory) => {}
            Err(stop) => return Err(stop),
        }
        if let Some(found) = deep.go_on(beams_taken_count, task, context)? {
            return Ok(found);
        }
    }
    Ok(deep.go_on(u64::MAX, task, context)?.expect("the search goes on to its end"))
}
