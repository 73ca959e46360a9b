//! The solver against the plain search, over every combination of rules.
use super::best;
use super::board::{Board, Move};
use super::decide::Schedule;
use super::pile::Place;
use super::rules::{Column, Position, Rules};
use super::search::{Mode, search};
use super::state::{Commit, Game, State};
use crate::rng::Stream;
use crate::search::{Clock, Limits, Outcome, Report};
use crate::sets::cards_of;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

/// Asks the relaxed games about every class; now and then there is no answer.
const EAGER: Schedule = Schedule { easy: 0, first: 0, after: 0, limit: 3 };

/// Every combination of rules, with few redeals and unlimited ones.
pub fn all_rules() -> Vec<Rules> {
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

pub fn run(position: &Position, rules: Rules, mode: Mode, states: u64) -> Report<Move> {
    let mut never = || false;
    let limits = Limits { states, memory_bytes: 0, clock: Clock::new(0.0, &mut never) };
    search(position, rules, mode, limits).expect("nobody interrupts")
}

/// Replays moves by the rules alone.
pub fn replay(position: &Position, rules: Rules, moves: &[Move]) -> Board {
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
pub fn small_deal(index: u64) -> Position {
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

/// Compares the modes on one position; returns whether the plain search could finish it.
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
        // Each game by a few of the rules, so that all rules have their turn equally often.
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

/// A deal of a game of middle size, too large for the plain search.
pub fn middle_deal(index: u64) -> Position {
    let mut stream = Stream::new(12, index);
    let ranks = 4 + stream.below(6) as u8;
    let cards = shuffled(&mut stream, &[0, 1, 2, 3], ranks);
    let most = 3 + stream.below(4) as usize;
    let deepest = 2 + stream.below(4) as usize;
    let mut columns = Vec::new();
    let mut at = 0;
    while columns.len() < most || cards.len() - at > 24 {
        let length = deepest.min(cards.len() - at);
        columns.push(Column { cards: cards[at..at + length].to_vec(), face_down: length.saturating_sub(1) });
        at += length;
    }
    if columns.len() > 7 {
        return middle_deal(index + (1 << 40));
    }
    Position { columns, stock: cards[at..].to_vec(), waste: Vec::new(), foundations: [0; 4], ranks }
}

/// The search that asks the relaxed games everywhere against the one that never does, where the relaxed games are
/// closest to the real one: with the rules that they relax least, and with others in turn.
fn compare_middle(games: std::ops::Range<u64>) {
    let never = Schedule { first: u64::MAX, ..Schedule::default() };
    let mut lost = 0;
    for index in games.clone() {
        let position = middle_deal(index);
        let foundation_back = index % 4 != 3;
        let rules = Rules { draw: 1, redeals: None, carry: false, deal_last: true, foundation_back };
        let all = all_rules();
        for rules in [rules, all[index as usize % all.len()]] {
            let without = run(&position, rules, Mode::Decide(never), 20_000);
            if without.outcome == Outcome::Undecided {
                continue;
            }
            let with = run(&position, rules, Mode::Decide(EAGER), 0);
            assert_eq!(with.outcome, without.outcome, "{index}: {position:?} {rules:?}");
            if with.outcome == Outcome::Won {
                assert!(replay(&position, rules, &with.moves).is_won(), "{position:?} {rules:?}");
            } else {
                lost += 1;
            }
        }
    }
    assert!(lost > (games.end - games.start) / 8, "{lost} lost: too few to tell");
}

#[test]
fn middle_games() {
    compare_middle(0..1_000);
}

#[test]
#[ignore = "slow"]
fn many_middle_games() {
    compare_middle(0..100_000);
}

pub fn full_deal(index: u64) -> Position {
    let cards = shuffled(&mut Stream::new(13, index), &[0, 1, 2, 3], 13);
    Position::dealt(&cards)
}

/// Full deals that the plain search can finish, and those that the search without the relaxed games can.
fn compare_full(deals: std::ops::Range<u64>, plain_states: u64, states: u64) {
    let never = Schedule { first: u64::MAX, ..Schedule::default() };
    let all = all_rules();
    let (mut finished, mut lost) = (0, 0);
    for index in deals.clone() {
        let position = full_deal(index);
        // 29 has no factor in common with the number of rules: in 64 deals each has its turn.
        let rules = all[index as usize * 29 % all.len()];
        finished += u32::from(compare(&position, rules, plain_states).is_some());
        let without = run(&position, rules, Mode::Decide(never), states);
        if without.outcome != Outcome::Undecided {
            let with = run(&position, rules, Mode::Decide(Schedule::default()), 0);
            assert_eq!(with.outcome, without.outcome, "{index} {rules:?}");
            lost += u32::from(with.outcome == Outcome::Lost);
        }
    }
    let deals = (deals.end - deals.start) as u32;
    assert!(finished > deals / 8 && lost > deals / 16, "{finished} finished, {lost} lost: too few of {deals} deals");
}

#[test]
fn full_deals() {
    compare_full(0..64, 4_000, 20_000);
}

#[test]
#[ignore = "slow"]
fn many_full_deals() {
    compare_full(0..1_000, 50_000, 2_000_000);
}

/// How often draw 3 with unlimited redeals can be won, against Blake and Gent, JAIR 85, 2026: 81.945 +/- 0.084%.
#[test]
#[ignore = "slow"]
fn share_of_deals_won() {
    let rules = Rules { draw: 3, redeals: None, carry: false, deal_last: true, foundation_back: true };
    let deals = 2_000;
    let won = (0..deals)
        .filter(|&index| run(&full_deal(index), rules, Mode::Decide(Schedule::default()), 0).outcome == Outcome::Won);
    let share = won.count() as f64 / f64::from(deals as u32);
    assert!((share - 0.81945).abs() < 3.0 * 0.0086, "{share}");
}

/// All states that follow from one: by moves up and down, by moves that can't be taken back, and after deals, to places
/// of their own (`is_exact`, as `shortest` has them) or to those that stand for them.
pub fn successors(game: &Game, state: &State, is_exact: bool) -> Vec<State> {
    let mut next = Vec::new();
    game.shuffles(state, |child, _| next.push(child));
    let choices = game.choices(state);
    for (commit, cards) in [(Commit::Up, choices.up), (Commit::Reveal, state.anchors & choices.accepted)] {
        for card in cards_of(cards) {
            let mut child = *state;
            game.commit(&mut child, commit, card);
            next.push(child);
        }
    }
    let mut play = |card: u64, mut child: State| {
        let commit = if card & state.next != 0 { Commit::PlayUp } else { Commit::Play };
        if commit == Commit::PlayUp || card & choices.accepted != 0 {
            game.commit(&mut child, commit, card);
            next.push(child);
        }
    };
    if is_exact {
        game.exact_plays(state, |card, child, _| play(card, child));
    } else {
        game.plays(state, |card, circle, place, redeals| play(card, State { circle, place, redeals, ..*state }));
    }
    next
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Two states of one game have different keys, unless they differ by what a key leaves out alone.
    #[test]
    fn states_that_differ_have_different_keys(
        index in 0..1u64 << 40, is_full: bool, is_exact: bool, rules in prop::sample::select(all_rules()), seed: u64
    ) {
        let position = if is_full { full_deal(index) } else { small_deal(index) };
        let game = Game::new(&position, rules);
        let (mut by_key, mut by_cards) = (HashMap::new(), HashMap::new());
        let mut stream = Stream::new(seed, 0);
        for _ in 0..20 {
            let mut state = game.start();
            for _ in 0..60 {
                let next = successors(&game, &state, is_exact);
                for child in &next {
                    let child = State { redeals: 0, ..*child };
                    prop_assert_eq!(*by_key.entry(game.key(&child)).or_insert(child), child);
                    let child = State { place: Place::default(), ..child };
                    prop_assert_eq!(*by_cards.entry(game.key_of_cards(&child)).or_insert(child), child);
                }
                if next.is_empty() {
                    break;
                }
                state = next[stream.below(next.len() as u32) as usize];
            }
        }
    }
}

/// Most cards founded in any board that can be reached; `None` when there are more boards than the limit.
fn most_founded(position: &Position, rules: Rules, boards_limit: usize) -> Option<u32> {
    let start = Board::new(position, rules);
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    let mut most = 0;
    while let Some(board) = open.pop() {
        most = most.max(board.foundations.iter().map(|&top| u32::from(top)).sum());
        for made in board.moves(rules, position.ranks) {
            let mut next = board.clone();
            next.play(made);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > boards_limit {
            return None;
        }
    }
    Some(most)
}

/// Only deals whose best position is not a win test anything.
#[test]
fn best_positions_of_small_games() {
    let all = all_rules();
    let (mut lost, mut compared) = (0, 0);
    for index in 0..800 {
        let position = small_deal(index);
        let rules = all[index as usize % all.len()];
        let Some(most) = most_founded(&position, rules, 1_500) else { continue };
        for is_bounded in [true, false] {
            let mut never = || false;
            let limits = Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) };
            let best = best::search_by(&position, rules, is_bounded, limits).expect("nobody interrupts");
            assert_eq!((best.count, best.most_count, best.limit), (most, most, None), "{index} {position:?} {rules:?}");
            let end = replay(&position, rules, &best.moves);
            assert_eq!(end.foundations.iter().map(|&top| u32::from(top)).sum::<u32>(), most);
        }
        // When the search is cut short, its answer is still true.
        let mut never = || false;
        let limits = Limits { states: 2, memory_bytes: 0, clock: Clock::new(0.0, &mut never) };
        let best = best::search(&position, rules, limits).expect("nobody interrupts");
        assert!(best.count <= most && most <= best.most_count, "{index} {position:?} {rules:?}");
        compared += 1;
        lost += u32::from(most < 4 * u32::from(position.ranks));
    }
    assert!(compared > 300 && lost > 80, "{compared} compared, {lost} lost");
}
