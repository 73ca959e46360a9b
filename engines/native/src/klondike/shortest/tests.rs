//! Shortest solutions against a search of all boards; and what the search relies on.
use super::arrangement::Arrangement;
use super::bound::Bound;
use super::moves::expand;
use super::packing::Packing;
use crate::klondike::board::{Board, Kind, Move};
use crate::klondike::rules::{Position, Rules};
use crate::klondike::search::{Mode, counted_moves, search};
use crate::klondike::state::Game;
use crate::klondike::tests::{all_rules, full_deal, middle_deal, replay, run, small_deal};
use crate::rng::Stream;
use crate::search::{Clock, Limits, Outcome, Report, Stop};
use std::collections::HashMap;

/// Fewest moves of cards and deals to the last card, by all boards in the order of the moves that lead there, without
/// any pruning; `None` if there is no win among so many boards.
fn fewest_moves(position: &Position, rules: Rules, boards_limit: usize) -> Option<usize> {
    let start = Board::new(position, rules);
    let mut reached = HashMap::from([(start.clone(), 0)]);
    let mut open = vec![vec![start]];
    let mut fewest = usize::MAX;
    let mut count = 0;
    while count < open.len().min(fewest) {
        let Some(board) = open[count].pop() else {
            count += 1;
            continue;
        };
        if reached[&board] < count {
            continue;
        }
        if board.is_won() {
            let left: usize = board.columns.iter().map(|column| column.cards.len()).sum();
            fewest = fewest.min(count + left + board.waste.len() + 2 * board.stock.len());
        }
        for made in board.moves(rules, position.ranks) {
            let mut after = board.clone();
            after.play(made);
            let count = count + usize::from(made.kind != Kind::Redeal);
            if reached.get(&after).is_none_or(|&known| known > count) {
                reached.insert(after.clone(), count);
                open.resize(open.len().max(count + 1), Vec::new());
                open[count].push(after);
            }
        }
        if reached.len() > boards_limit {
            return None;
        }
    }
    (fewest < usize::MAX).then_some(fewest)
}

/// Compares games; returns how many could be compared.
fn compare(deal: fn(u64) -> Position, games: std::ops::Range<u64>, boards_limit: usize) -> u64 {
    let all = all_rules();
    let mut compared = 0;
    for index in games {
        let position = deal(index);
        let rules = all[index as usize % all.len()];
        if let Some(fewest) = fewest_moves(&position, rules, boards_limit) {
            let report = run(&position, rules, Mode::Shortest, 0);
            assert_eq!((report.outcome, report.limit), (Outcome::Won, None), "{position:?} {rules:?}");
            let counted = counted_moves(&position, rules, &report.moves);
            assert_eq!(counted, fewest, "{index}: {position:?} {rules:?}");
            assert_eq!(report.fewest_count, Some(fewest as u64));
            assert!(replay(&position, rules, &report.moves).is_won());
            compared += 1;
        }
    }
    compared
}

#[test]
fn shortest_solutions_of_small_games() {
    assert!(compare(small_deal, 0..1_500, 2_000) > 400, "too few compared");
}

#[test]
#[ignore = "slow"]
fn shortest_solutions_of_many_games() {
    assert!(compare(small_deal, 0..100_000, 20_000) > 40_000, "too few compared");
    assert!(compare(middle_deal, 0..20_000, 200_000) > 200, "too few compared");
}

/// Arrangements of games played at random.
fn arrangements(mut seen: impl FnMut(&Game, &Arrangement)) {
    let all = all_rules();
    let mut stream = Stream::new(14, 0);
    for index in 0..300 {
        let position = if index % 3 == 0 { full_deal(index) } else { small_deal(index) };
        let game = Game::new(&position, all[index as usize % all.len()]);
        let mut at = Arrangement::of(&game, &position);
        for _ in 0..60 {
            seen(&game, &at);
            let mut children = Vec::new();
            expand(&game, &at, true, |child| children.push(child.at));
            if children.is_empty() {
                break;
            }
            at = children[stream.below(children.len() as u32) as usize];
        }
    }
}

#[test]
fn arrangements_are_packed_and_unpacked() {
    arrangements(|game, at| {
        let packing = Packing::new(game);
        let found = packing.unpack(game, packing.pack(game, at), at.state.redeals);
        let second = at.second & at.lying(game);
        assert_eq!((found.state, found.second), (at.state, second));
    });
}

#[test]
fn no_move_lowers_the_bound_by_more_than_it_costs() {
    arrangements(|game, at| {
        let bound = Bound::new(game, Packing::new(game).cards_count());
        let before = bound.fewest(game, at);
        expand(game, at, true, |child| {
            let after = child.cost + bound.fewest(game, &child.at);
            assert!(after >= before, "{at:?} {child:?} {before} {after}");
        });
    });
}

fn limited(position: &Position, states: u64, memory_bytes: u64) -> Report<Move> {
    let rules = Rules { draw: 1, redeals: None, carry: false, deal_last: true, foundation_back: true };
    let mut never = || false;
    let limits = Limits { states, memory_bytes, clock: Clock::new(0.0, &mut never) };
    search(position, rules, Mode::Shortest, limits).expect("nobody interrupts")
}

#[test]
fn a_limit_leaves_the_best_solution_and_a_bound() {
    let mut searched = (0..).map(middle_deal).map(|position| (limited(&position, 50_000, 0), position));
    let (whole, position) = searched
        .find(|(whole, _)| (whole.outcome, whole.limit) == (Outcome::Won, None) && whole.states_count > 5_000)
        .expect("some deal takes so many states");
    let fewest = whole.fewest_count.expect("a solution");
    for (states, bytes, limit) in [(whole.states_count / 2, 0, Stop::States), (0, whole.peak_bytes / 2, Stop::Memory)] {
        let report = limited(&position, states, bytes);
        assert_eq!((report.outcome, report.limit), (Outcome::Won, Some(limit)));
        assert!(report.fewest_count.expect("a bound") <= fewest);
        assert!(report.moves.len() as u64 > fewest / 2 && report.peak_bytes <= whole.peak_bytes);
    }
}
