//! Won or not, as fast as possible: the search goes over classes of positions, tries only what a stubborn set of cards can
//! do, and leaves out what a relaxed game shows to be lost.
//!
//! Wins are mostly found by beams of growing width, losses are proven by the depth-first search, which goes on between the
//! beams. Nothing that is left out can hide a win; each reduction says why in its own file (`classes`, `stubborn`,
//! `relaxed`), and positions are compared exactly (`store`). A solution is made of real moves in the end (`solution`).
mod beam;
mod classes;
mod deep;
mod expand;
mod position;
mod relaxed;
mod rows;
mod solution;
mod store;
mod stubborn;
#[cfg(test)]
mod tests;

use super::board::Board;
use super::report::Report;
use crate::search::{Context, Limits, Outcome, Stop};
use position::Position;

/// What a search leaves out, and how it looks for wins. Everything is on unless its worth is to be measured.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Only the moves of a stubborn set are tried.
    pub stubborn: bool,
    /// What a stubborn set needs counts only if it can move while the set stays.
    pub frozen: bool,
    /// Positions whose relaxed game has no win are left out.
    pub dead_ends: bool,
    /// Beams keep few relatives.
    pub relatives: bool,
    /// Widths of the beams, in this order.
    pub widths: &'static [usize],
}

impl Default for Plan {
    fn default() -> Plan {
        let widths = &[300, 2_000, 12_000, 72_000];
        Plan { stubborn: true, frozen: true, dead_ends: true, relatives: true, widths }
    }
}

/// What is searched, and how.
#[derive(Clone, Copy)]
struct Task {
    columns: usize,
    plan: Plan,
}

enum Found {
    /// Classes from the start to a win.
    Win(Vec<Position>),
    NoWin,
}

/// Decides a deal. `states_count` counts the classes that all passes stored. `Err` only for an interrupt.
pub fn decide(start: &Board, limits: Limits<'_>) -> Result<Report, Stop> {
    decide_by(Plan::default(), start, limits)
}

/// Like [`decide`], with some reductions off or other beams.
pub fn decide_by(plan: Plan, start: &Board, limits: Limits<'_>) -> Result<Report, Stop> {
    let task = Task { columns: start.columns(), plan };
    let mut context = Context::new(limits);
    let (outcome, limit, moves) = match search(start, &task, &mut context) {
        Ok(Found::NoWin) => (Outcome::Lost, None, Vec::new()),
        Ok(Found::Win(path)) => {
            let moves = solution::moves(start, &path).expect("a path of classes is a way of moves");
            (Outcome::Won, None, moves)
        }
        Err(Stop::Interrupt) => return Err(Stop::Interrupt),
        Err(stop) => (Outcome::Undecided, Some(stop), Vec::new()),
    };
    Ok(Report {
        outcome,
        limit,
        states_count: context.states_count,
        wins_count: 0,
        states_before_win_count: if outcome == Outcome::Won { context.states_count } else { 0 },
        peak_bytes: context.budget.peak(),
        moves,
    })
}

fn search(start: &Board, task: &Task, context: &mut Context<'_>) -> Result<Found, Stop> {
    let columns = task.columns;
    let mut class = Position::new(start.cells(), columns);
    classes::canonical(&mut class, columns);
    let mut deep = deep::Deep::new(&class, task, context)?;
    let mut beams_taken_count = 0;
    for &width in task.plan.widths {
        match beam::beam(&class, width, task, context, &mut beams_taken_count) {
            Ok(Some(found)) => return Ok(found),
            // What a beam has no room for may still fit the depth-first search.
            Ok(None) | Err(Stop::Memory) => {}
            Err(stop) => return Err(stop),
        }
        if let Some(found) = deep.go_on(beams_taken_count, task, context)? {
            return Ok(found);
        }
    }
    Ok(deep.go_on(u64::MAX, task, context)?.expect("the search goes on to its end"))
}
