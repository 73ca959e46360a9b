//! Both searches against a plain one: on small deals in full, and on the published deals.
use super::board::{Board, HOLE, Move, ROWS};
use super::census::{Order, census};
use super::decide::best;
use super::path;
use super::shortest::shortest;
use crate::deck;
use crate::search::{Clock, Limits, Outcome, Report, Stop};
use std::collections::{HashMap, VecDeque};

/// T. Shintani, figure 6 (a).
const FIGURE_6A: &str = "S6 D6 D0 CQ SK CK H2 D4 CA C2 SA SQ HK
                         S2 H3 DJ S0 H5 D8 H8 S7 D9 CJ C7 C4 D3
                         H4 S9 C5 D5 H0 C0 H9 H6 S3 HJ SJ HA D2
                         DK S5 C8 HQ S8 C6 DA C9 DQ D7 H7 C3 S4";
/// Figure 7; D6, H6, S6 and C6 are holes.
const FIGURE_7: &str = "S3 H2 D2 D4 H6 D5
                        D6 C4 H3 C5 CA S6
                        D3 SA DA S4 S5 C6
                        C2 C3 H4 HA S2 H5";

fn parse(text: &str) -> Board {
    let words: Vec<&str> = text.split_whitespace().collect();
    let columns = words.len() / ROWS;
    let cells: Vec<u8> = words
        .iter()
        .map(|word| {
            let suit = "CDHS".find(&word[..1]).expect("a suit");
            let rank = "A234567890JQK".find(&word[1..]).expect("a rank") + 1;
            if rank == columns { HOLE } else { (suit * 16 + rank) as u8 }
        })
        .collect();
    Board::new(&cells, columns).expect("a deal")
}

pub fn random_deal(columns: usize, seed: u64, index: u64) -> Board {
    let cells: Vec<u8> = deck::shuffled(seed, index, ROWS * columns)
        .into_iter()
        .map(|number| {
            let (suit, rank) = (usize::from(number) / columns, usize::from(number) % columns + 1);
            if rank == columns { HOLE } else { (suit * 16 + rank) as u8 }
        })
        .collect();
    Board::new(&cells, columns).expect("a deal")
}

struct Limit {
    states: u64,
    memory_bytes: u64,
    time_s: f64,
}

const NONE: Limit = Limit { states: 0, memory_bytes: 0, time_s: 0.0 };

fn search(board: &Board, order: Order, limit: &Limit) -> Report<Move> {
    let mut interrupted = || false;
    let clock = Clock::new(limit.time_s, &mut interrupted);
    let limits = Limits { states: limit.states, memory_bytes: limit.memory_bytes, clock };
    census(board, order, limits).expect("nobody interrupts")
}

fn fewest_moves(board: &Board, limit: &Limit) -> Report<Move> {
    let mut interrupted = || false;
    let clock = Clock::new(limit.time_s, &mut interrupted);
    let limits = Limits { states: limit.states, memory_bytes: limit.memory_bytes, clock };
    shortest(board, limits).expect("nobody interrupts")
}

/// States, wins, states found when the first win was, and its moves from the start; whole boards in a map.
#[derive(PartialEq, Eq, Debug)]
struct Plain {
    states: u64,
    wins: u64,
    before_win: u64,
    win_depth: usize,
}

fn plain(start: &Board, order: Order) -> Plain {
    let mut depths: HashMap<Board, usize> = HashMap::from([(*start, 0)]);
    let mut open = VecDeque::from([*start]);
    let mut found = Plain { states: 1, wins: 0, before_win: 0, win_depth: 0 };
    if start.is_won() {
        (found.wins, found.before_win) = (1, 1);
    }
    while let Some(board) = if order == Order::Depth { open.pop_back() } else { open.pop_front() } {
        let depth = depths[&board] + 1;
        board.moves(|step| {
            let next = board.after(step);
            if depths.contains_key(&next) {
                return;
            }
            depths.insert(next, depth);
            open.push_back(next);
            found.states += 1;
            if next.is_won() {
                found.wins += 1;
                if found.wins == 1 {
                    (found.before_win, found.win_depth) = (found.states, depth);
                }
            }
        });
    }
    found
}

/// Replays a solution move by move.
fn check_solution(start: &Board, report: &Report<Move>) {
    let mut board = *start;
    for &step in &report.moves {
        let mut allowed = false;
        board.moves(|other| allowed |= other == step);
        assert!(allowed, "{step:?} on {board:?}");
        board = board.after(step);
    }
    assert_eq!(board.is_won(), report.outcome == Outcome::Won);
}

fn compare(start: &Board) {
    for order in [Order::Depth, Order::Breadth] {
        let expected = plain(start, order);
        let report = search(start, order, &NONE);
        let outcome = if expected.wins > 0 { Outcome::Won } else { Outcome::Lost };
        assert_eq!((report.outcome, report.limit), (outcome, None));
        let found = Plain {
            states: report.states_count,
            wins: report.wins_count.unwrap(),
            before_win: report.states_before_win_count.unwrap_or(0),
            win_depth: report.moves.len(),
        };
        assert_eq!(found, expected, "{order:?} of {start:?}");
        check_solution(start, &report);
    }
    let found = fewest_moves(start, &NONE);
    let expected = plain(start, Order::Breadth);
    assert_eq!((found.moves.len(), found.limit), (expected.win_depth, None));
    assert_eq!(found.fewest_count, (expected.wins > 0).then_some(expected.win_depth as u64));
    check_solution(start, &found);
}

#[test]
fn small_deals_as_the_plain_search() {
    for (columns, deals) in [(2, 100), (3, 100), (4, 30), (5, 5)] {
        for index in 0..deals {
            compare(&random_deal(columns, 17, index));
        }
    }
}

#[test]
fn from_the_middle_of_a_game() {
    for index in 0..30 {
        let mut board = random_deal(3, 23, index);
        for turn in 0..20 {
            let mut steps = Vec::new();
            board.moves(|step| steps.push(step));
            if steps.is_empty() {
                break;
            }
            board = board.after(steps[turn % steps.len()]);
        }
        compare(&board);
    }
}

#[test]
fn a_won_start() {
    for columns in 2..=13 {
        let mut cells = vec![HOLE; ROWS * columns];
        for (cell, card) in cells.iter_mut().enumerate().filter(|(cell, _)| cell % columns + 1 < columns) {
            *card = (cell / columns * 16 + cell % columns + 1) as u8;
        }
        let board = Board::new(&cells, columns).expect("a deal");
        let report = fewest_moves(&board, &NONE);
        assert_eq!((report.outcome, report.fewest_count, report.moves.len()), (Outcome::Won, Some(0), 0));
        // Nothing can go right of a queen: no move is left.
        assert_eq!(search(&board, Order::Depth, &NONE).states_count, 1);
    }
}

#[test]
fn figure_7() {
    compare(&parse(FIGURE_7));
    let report = search(&parse(FIGURE_7), Order::Depth, &NONE);
    assert_eq!((report.states_count, report.wins_count), (115_502, Some(16)));
}

#[test]
fn figure_6a() {
    for order in [Order::Depth, Order::Breadth] {
        let report = search(&parse(FIGURE_6A), order, &NONE);
        assert_eq!((report.outcome, report.states_count, report.wins_count), (Outcome::Lost, 17_574_132, Some(0)));
        assert!(report.peak_bytes < 16 * report.states_count, "{} bytes", report.peak_bytes);
    }
}

#[test]
fn limit_on_states() {
    let board = parse(FIGURE_6A);
    for (states, order) in [(1, Order::Depth), (2, Order::Breadth), (99_999, Order::Depth), (100_000, Order::Breadth)] {
        let report = search(&board, order, &Limit { states, ..NONE });
        assert_eq!(
            (report.outcome, report.limit, report.states_count),
            (Outcome::Undecided, Some(Stop::States), states)
        );
    }
    // A limit of just as many states as there are is not hit.
    let report = search(&parse(FIGURE_7), Order::Depth, &Limit { states: 115_502, ..NONE });
    assert_eq!((report.limit, report.states_count), (None, 115_502));
    // A win that was found before the limit counts.
    let first = report.states_before_win_count.unwrap();
    let report = search(&parse(FIGURE_7), Order::Depth, &Limit { states: first, ..NONE });
    assert_eq!((report.outcome, report.limit, report.wins_count), (Outcome::Won, Some(Stop::States), Some(1)));
    let report = search(&parse(FIGURE_7), Order::Depth, &Limit { states: first - 1, ..NONE });
    assert_eq!((report.outcome, report.moves.len()), (Outcome::Undecided, 0));
}

#[test]
fn limit_on_memory() {
    let board = parse(FIGURE_6A);
    let mut states = 0;
    for memory_bytes in [1, 10_000, 100_000, 1_000_000, 10_000_000, 60_000_000] {
        for order in [Order::Depth, Order::Breadth] {
            let report = search(&board, order, &Limit { memory_bytes, ..NONE });
            assert_eq!((report.outcome, report.limit), (Outcome::Undecided, Some(Stop::Memory)));
            assert!(report.peak_bytes <= memory_bytes, "{} of {memory_bytes} bytes", report.peak_bytes);
            assert!(report.states_count >= states);
        }
        states = search(&board, Order::Depth, &Limit { memory_bytes, ..NONE }).states_count / 2;
    }
    assert!(states > 1_000_000, "{states} states in half of 60 MB");
}

#[test]
fn limit_on_time_and_interrupts() {
    let board = parse(FIGURE_6A);
    let report = search(&board, Order::Depth, &Limit { time_s: 0.05, ..NONE });
    assert_eq!((report.outcome, report.limit), (Outcome::Undecided, Some(Stop::Time)));
    let mut interrupted = || true;
    let limits = Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut interrupted) };
    assert_eq!(census(&board, Order::Breadth, limits), Err(Stop::Interrupt));
}

#[test]
fn tags_tell_neighbouring_layers_apart() {
    for layer in 3..20 {
        let near = [layer - 3, layer - 2, layer - 1].map(path::tag);
        assert!(near.iter().all(|&tag| tag != path::tag(layer)));
    }
}

#[test]
fn bad_deals_are_named() {
    let good: Vec<u8> = random_deal(4, 1, 0).cells().to_vec();
    let error = |cells: &[u8], columns| Board::new(cells, columns).expect_err("a bad deal");
    assert_eq!(error(&good, 1), "columns: 1 is not in 2..13");
    assert_eq!(error(&good, 14), "columns: 14 is not in 2..13");
    assert_eq!(error(&good, 5), "cells: 20 cells are needed, not 16");
    let cell = good.iter().position(|&card| card != HOLE).expect("a card");
    let mut bad = good.clone();
    bad[cell] = 4;
    assert_eq!(
        error(&bad, 4),
        format!("cells: row {}, column {}: 4 is no card of 4 columns", cell / 4 + 1, cell % 4 + 1)
    );
    bad[cell] = HOLE;
    assert_eq!(error(&bad, 4), format!("cells: card {} is missing", good[cell]));
    let other = good.iter().rposition(|&card| card != HOLE).expect("a card");
    bad[cell] = good[other];
    let place = |cell: usize| format!("row {}, column {}", cell / 4 + 1, cell % 4 + 1);
    assert_eq!(error(&bad, 4), format!("cells: card {} lies at {} and at {}", good[other], place(cell), place(other)));
}

/// Cards that go on from the left edge of their rows in sequence.
fn in_place(board: &Board) -> u32 {
    let mut count = 0;
    for row in board.cells().chunks_exact(board.columns()) {
        let aces = (0..4u8).map(|suit| suit * 16 + 1);
        let longest = aces.map(|ace| (ace..).zip(row).take_while(|&(wanted, &card)| card == wanted).count());
        count += longest.max().unwrap() as u32;
    }
    count
}

#[test]
fn best_positions_of_small_deals() {
    let mut lost = 0;
    for (columns, deals) in [(2, 60), (3, 150), (4, 25)] {
        for index in 0..deals {
            let start = random_deal(columns, 29, index);
            let mut seen = HashMap::from([(start, ())]);
            let mut open = vec![start];
            let mut most = 0;
            while let Some(board) = open.pop() {
                most = most.max(in_place(&board));
                board.moves(|step| {
                    let next = board.after(step);
                    if seen.insert(next, ()).is_none() {
                        open.push(next);
                    }
                });
            }
            lost += u32::from(most < (4 * (columns - 1)) as u32);
            for (is_bounded, states) in [(true, 0), (false, 0), (true, 3)] {
                let mut interrupted = || false;
                let limits = Limits { states, memory_bytes: 0, clock: Clock::new(0.0, &mut interrupted) };
                let found = best::search_by(&start, is_bounded, limits).expect("nobody interrupts");
                let end = found.moves.iter().fold(start, |board, &step| {
                    let mut allowed = false;
                    board.moves(|other| allowed |= other == step);
                    assert!(allowed, "{step:?} on {board:?}");
                    board.after(step)
                });
                assert_eq!(in_place(&end), found.count);
                assert!(found.count <= most && most <= found.most_count, "{start:?}");
                assert!(states != 0 || found.count == most && found.most_count == most, "{start:?}");
            }
        }
    }
    assert!(lost > 8, "{lost} lost");
}
