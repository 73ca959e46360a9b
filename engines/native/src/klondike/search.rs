//! Searches of a position, in each mode.
use super::board::Move;
use super::decide::{Decide, Schedule};
use super::plain;
use super::rules::{Position, Rules};
use super::shortest::Shortest;
use super::solution;
use super::state::Game;
use crate::search::{Context, Limits, Report, Stop};

#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// Won or not, as fast as possible.
    Decide(Schedule),
    /// A shortest solution.
    Shortest,
    /// Won or not by a search without any pruning.
    Plain,
}

/// Searches a checked position. `Err` only for an interrupt.
pub fn search(position: &Position, rules: Rules, mode: Mode, limits: Limits<'_>) -> Result<Report<Move>, Stop> {
    let mut context = Context::new(limits);
    let found = match mode {
        Mode::Decide(schedule) => decide(position, rules, schedule, &mut context),
        Mode::Shortest => shortest(position, rules, &mut context),
        Mode::Plain => plain::search(position, rules, &mut context),
    };
    Report::new(found, &context)
}

fn decide(
    position: &Position,
    rules: Rules,
    schedule: Schedule,
    context: &mut Context<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let game = Game::new(position, rules);
    let way = Decide::new(&game, schedule, context)?.search(context)?;
    Ok(way.map(|way| solution::moves(position, &game, &way)))
}

/// Whether there is a solution and how long one may be is soon known; then it remains to look for shorter ones.
fn shortest(position: &Position, rules: Rules, context: &mut Context<'_>) -> Result<Option<Vec<Move>>, Stop> {
    let Some(known) = decide(position, rules, Schedule::default(), context)? else { return Ok(None) };
    let game = Game::new(position, rules);
    let shorter = Shortest::new(&game, known.len()).search(position, context)?;
    Ok(Some(shorter.unwrap_or(known)))
}
