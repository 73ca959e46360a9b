//! Searches of a position, in each mode.
use super::board::{Board, Kind, Move};
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
        Mode::Shortest => return shortest(position, rules, &mut context),
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

/// First it is decided whether there is a solution, and how long one is; then shorter ones are looked for.
fn shortest(position: &Position, rules: Rules, context: &mut Context<'_>) -> Result<Report<Move>, Stop> {
    let before = context.budget.used();
    let decided = decide(position, rules, Schedule::default(), context);
    // All that it allocated is gone by now.
    context.budget.give(context.budget.used() - before);
    let known = match decided {
        Ok(Some(known)) => known,
        other => return Report::new(other, context),
    };
    let game = Game::new(position, rules);
    let mut search = Shortest::new(&game, position);
    let mut best = known;
    let mut shorten = || -> Result<(), Stop> {
        if let Some(short) = search.short(counted_moves(position, rules, &best), context)? {
            best = short;
        }
        if let Some(shortest) = search.search(counted_moves(position, rules, &best), context)? {
            best = shortest;
        }
        Ok(())
    };
    let stopped = shorten().err();
    Report::shortest(best, search.fewest() as u64, stopped, context)
}

/// Moves of cards and deals to the last card, for moves that lead to a position that is surely won: from there each
/// card that is left takes one move, and a card in the stock a deal as well.
#[must_use]
pub fn counted_moves(position: &Position, rules: Rules, moves: &[Move]) -> usize {
    let mut board = Board::new(position, rules);
    let mut count = 0;
    for &made in moves.iter() {
        board.play(made);
        count += usize::from(made.kind != Kind::Redeal);
    }
    let left: usize = board.columns.iter().map(|column| column.cards.len()).sum();
    count + left + board.waste.len() + 2 * board.stock.len()
}
