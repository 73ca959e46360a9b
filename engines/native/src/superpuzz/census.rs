//! All states that can be reached, counted as the paper counts them.
use super::board::{Board, Move};
use super::report::{Limits, Outcome, Report, Stop};
use std::collections::{HashMap, VecDeque};

/// Which state is taken next: the one found last (the paper's stack) or the one found first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Depth,
    Breadth,
}

const STATE_BYTES: u64 = 160;

/// Counts the states reachable from `start`; `to_first_win` ends the search there.
pub fn census(start: &Board, order: Order, to_first_win: bool, mut limits: Limits<'_>) -> Result<Report, Stop> {
    let mut parents: HashMap<Board, Option<(Board, Move)>> = HashMap::from([(*start, None)]);
    let mut open = VecDeque::from([*start]);
    let mut wins_count = u64::from(start.is_won());
    let mut states_before_win_count = wins_count;
    let mut first_win = start.is_won().then_some(*start);
    let mut limit = None;
    let mut taken = 0u64;
    'search: while !(to_first_win && wins_count > 0) {
        let Some(board) = (if order == Order::Depth { open.pop_back() } else { open.pop_front() }) else { break };
        taken += 1;
        if taken.is_multiple_of(1024)
            && let Err(stop) = limits.clock.check()
        {
            limit = Some(stop);
            break;
        }
        let mut steps = Vec::new();
        board.moves(|step| steps.push(step));
        for step in steps {
            let next = board.after(step);
            if parents.contains_key(&next) {
                continue;
            }
            let count = parents.len() as u64;
            if limits.states != 0 && count >= limits.states {
                limit = Some(Stop::States);
                break 'search;
            }
            if limits.memory_bytes != 0 && (count + 1) * STATE_BYTES > limits.memory_bytes {
                limit = Some(Stop::Memory);
                break 'search;
            }
            parents.insert(next, Some((board, step)));
            open.push_back(next);
            if next.is_won() {
                wins_count += 1;
                if first_win.is_none() {
                    first_win = Some(next);
                    states_before_win_count = count + 1;
                    if to_first_win {
                        break 'search;
                    }
                }
            }
        }
    }
    if limit == Some(Stop::Interrupt) {
        return Err(Stop::Interrupt);
    }
    let mut moves = Vec::new();
    let mut at = first_win;
    while let Some((parent, step)) = at.and_then(|board| parents[&board]) {
        moves.push(step);
        at = Some(parent);
    }
    moves.reverse();
    let outcome = match (first_win, limit) {
        (Some(_), _) => Outcome::Won,
        (None, None) => Outcome::Lost,
        (None, Some(_)) => Outcome::Undecided,
    };
    let states_count = parents.len() as u64;
    Ok(Report {
        outcome,
        limit,
        states_count,
        wins_count,
        states_before_win_count,
        peak_bytes: states_count * STATE_BYTES,
        moves,
    })
}
