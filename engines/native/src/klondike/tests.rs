//! The solver against the plain search, over every combination of rules.
use super::board::{Board, Move};
use super::decide::Schedule;
use super::report::Report;
use super::rules::{Column, Position, Rules};
use super::search::{Mode, search};
use crate::rng::Stream;
use crate::superpuzz::report::{Clock, Limits, Outcome};

/// Asks the relaxed games of every class, now and then in vain.
const EAGER: Schedule = Schedule { first: 0, after: 0, limit: 3 };

/// Every combination of rules, with few redeals and unlimited ones.
fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for draw in [1, 3] {
        for redeals in [None, Some(0), Some(1), Some(2)] {
            for carry in [false, true] {
                for deal_last in [false, true] {
                    for foundation_back in [false, true] {
                        all.push(Rules { draw, redeals, carry, deal_last, foundation_back });
                    }
                }
            }
        }
    }
    all
}

fn run(position: &Position, rules: Rules, mode: Mode, states: u64) -> Report {
    let mut never = || false;
    let limits = Limits { states, memory_bytes: 0, clock: Clock::new(0.0, &mut never) };
    search(position, rules, mode, limits).expect("nobody interrupts")
}

/// Replays moves by the rules alone.
fn replay(position: &Position, rules: Rules, moves: &[Move]) -> Board {
    let mut board = Board::new(position, rules);
    for &made in moves {
        let legal = board.moves(rules, position.ranks);
        assert!(legal.contains(&made), "{made:?} is not legal on {board:?}");
        board.play(made);
    }
    board
}

fn shuffled(stream: &mut Stream, suits: &[u8], ranks: u8) -> Vec<u8> {
    let mut cards: Vec<u8> = suits.iter().flat_map(|&suit| (1..=ranks).map(move |rank| suit * 16 + rank)).collect();
    stream.shuffle(&mut cards);
    cards
}

/// A deal of a small game: some ranks, some suits, columns of growing length, the rest as stock.
fn small_deal(index: u64) -> Position {
    let mut stream = Stream::new(11, index);
    let suits: &[u8] = match stream.below(6) {
        0 => &[0, 1],
        1 => &[0, 3],
        2 => &[0, 1, 2],
        _ => &[0, 1, 2, 3],
    };
    let ranks = match suits.len() {
        2 => 3 + stream.below(5),
        3 => 3 + stream.below(3),
        _ => 2 + stream.below(4),
    } as u8;
    let cards = shuffled(&mut stream, suits, ranks);
    let mut columns = Vec::new();
    let mut at = 0;
    let most = 1 + stream.below(4) as usize;
    let longest = 1 + stream.below(4) as usize;
    while columns.len() < most {
        let length = (1 + columns.len()).min(longest).min(cards.len() - at);
        columns.push(Column { cards: cards[at..at + length].to_vec(), face_down: length.saturating_sub(1) });
        at += length;
    }
    let mut foundations = [ranks; 4];
    for &suit in suits {
        foundations[usize::from(suit)] = 0;
    }
    let at = at.max(cards.len().saturating_sub(24));
    let mut position = Position { columns, stock: cards[at..].to_vec(), waste: Vec::new(), foundations, ranks };
    // The middle of a game: some legal moves further.
    let rules = Rules { draw: 3, redeals: None, carry: false, deal_last: true, foundation_back: true };
    let mut board = Board::new(&position, rules);
    if stream.below(2) == 0 {
        for _ in 0..stream.below(8) {
            let moves = board.moves(rules, ranks);
            if !moves.is_empty() {
                board.play(moves[stream.below(moves.len() as u32) as usize]);
            }
        }
    }
    position.columns = board.columns;
    position.stock = board.stock.into_iter().rev().collect();
    position.waste = board.waste;
    position.foundations = board.foundations;
    position.check().expect("a position");
    position
}

/// Compares the modes on one position; whether the plain search could finish it.
fn compare(position: &Position, rules: Rules, plain_states: u64) -> Option<bool> {
    let plain = run(position, rules, Mode::Plain, plain_states);
    if plain.outcome == Outcome::Undecided {
        return None;
    }
    let decided = run(position, rules, Mode::Decide(Schedule::default()), 0);
    let eager = run(position, rules, Mode::Decide(EAGER), 0);
    assert_eq!(decided.outcome, plain.outcome, "{position:?} {rules:?}");
    assert_eq!(eager.outcome, plain.outcome, "asking the relaxed games: {position:?} {rules:?}");
    for report in [&plain, &decided, &eager] {
        if report.outcome == Outcome::Won {
            assert!(replay(position, rules, &report.moves).is_won(), "{position:?} {rules:?}");
        }
    }
    Some(plain.outcome == Outcome::Won)
}

fn compare_small(games: std::ops::Range<u64>) {
    let (mut won, mut lost) = (0, 0);
    for index in games.clone() {
        let position = small_deal(index);
        let all = all_rules();
        // Each game by a few of the rules: all are met equally often.
        for part in 0..3 {
            let rules = all[(index as usize * 3 + part) % all.len()];
            match compare(&position, rules, 3_000) {
                Some(true) => won += 1,
                Some(false) => lost += 1,
                None => {}
            }
        }
    }
    let games = games.end - games.start;
    assert!(won > games / 2 && lost > games / 2, "{won} won, {lost} lost: too few of {games} games to tell");
}

#[test]
fn small_games() {
    compare_small(0..1_000);
}

#[test]
#[ignore = "slow"]
fn many_small_games() {
    compare_small(0..100_000);
}
