//! The game with an open reserve against a plain search of its boards.
use super::super::board::{Board, Kind};
use super::super::rules::{Column, Position, Rules};
use super::super::tests::{middle_deal, successors};
use super::*;
use crate::rng::Stream;
use crate::search::{Clock, Limits};
use std::collections::HashSet;

const RULES: Rules = Rules { draw: 1, redeals: None, carry: false, deal_last: true, foundation_back: true };

/// The boards after one move, the cards of the reserve that are left in order as the waste.
fn after_a_move(board: &Board, position: &Position) -> Vec<Board> {
    let mut next = Vec::new();
    let mut play = |stays: Vec<u8>, comes: Vec<u8>| {
        let part = Board { waste: comes, ..board.clone() };
        for made in part.moves(RULES, position.ranks) {
            if part.waste.is_empty() || matches!(made.kind, Kind::WasteToColumn | Kind::WasteToFoundation) {
                let mut after = part.clone();
                after.play(made);
                next.push(Board { waste: stays.clone(), ..after });
            }
        }
    };
    play(board.waste.clone(), Vec::new());
    for &card in &board.waste {
        play(board.waste.iter().copied().filter(|&other| other != card).collect(), vec![card]);
    }
    for suit in (0..4).filter(|&suit| board.foundations[suit] > 0) {
        let card = suit as u8 * 16 + board.foundations[suit];
        if position.stock.contains(&card) || position.waste.contains(&card) {
            let mut back = board.clone();
            back.foundations[suit] -= 1;
            back.waste.push(card);
            back.waste.sort_unstable();
            next.push(back);
        }
    }
    next
}

/// Whether all cards can be turned up; `None` where there are too many boards.
fn can_be_won(position: &Position, boards_limit: usize) -> Option<bool> {
    let mut waste = [&position.waste[..], &position.stock[..]].concat();
    waste.sort_unstable();
    let start = Board { stock: Vec::new(), waste, ..Board::new(position, RULES) };
    let mut seen = HashSet::from([start.clone()]);
    let mut left = vec![start];
    while let Some(board) = left.pop() {
        if board.columns.iter().all(|column| column.face_down == 0) {
            return Some(true);
        }
        if seen.len() > boards_limit {
            return None;
        }
        for next in after_a_move(&board, position) {
            if seen.insert(next.clone()) {
                left.push(next);
            }
        }
    }
    Some(false)
}

fn ask(reserve: &mut Reserve, game: &Game, state: &State, limit: u64) -> Verdict {
    let mut never = || false;
    let limits = Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) };
    reserve.ask(game, state, limit, &mut Context::new(limits)).expect("there are no limits")
}

/// Four ranks in a few deep columns: as many are lost as won.
fn deep_deal(index: u64) -> Position {
    let mut stream = Stream::new(21, index);
    let mut cards: Vec<u8> = (0..4).flat_map(|suit| (1..=4).map(move |rank| suit * 16 + rank)).collect();
    stream.shuffle(&mut cards);
    let (columns_count, depth) = (2 + stream.below(3) as usize, 2 + stream.below(5) as usize);
    let mut columns = Vec::new();
    while columns.len() < columns_count {
        let cards: Vec<u8> = cards.drain(..depth.min(cards.len())).collect();
        columns.push(Column { face_down: cards.len().saturating_sub(1), cards });
    }
    Position { columns, stock: cards, waste: Vec::new(), foundations: [0; 4], ranks: 4 }
}

#[test]
fn deals_are_lost_where_a_plain_search_finds_no_win() {
    let (mut won, mut lost) = (0, 0);
    for index in 0..600 {
        let position = deep_deal(index);
        let game = Game::new(&position, RULES);
        if let Some(can_win) = can_be_won(&position, 2_000) {
            let expected = if can_win { Verdict::Open } else { Verdict::Lost };
            assert_eq!(ask(&mut Reserve::new(&game), &game, &game.start(), u64::MAX), expected, "{position:?}");
            *(if can_win { &mut won } else { &mut lost }) += 1;
        }
    }
    assert!(won > 150 && lost > 150, "{won} won, {lost} lost: too few to tell");
}

/// H4 has to be founded before H5, and S3 lies on it until D4 comes to C5 from the reserve.
#[test]
fn a_run_moves_over_to_a_twin_of_the_reserve() {
    let column = |cards: &[u8], face_down| Column { cards: cards.to_vec(), face_down };
    let columns = vec![column(&[0x35, 0x24, 0x33], 0), column(&[0x05], 0), column(&[0x04, 0x13, 0x32, 0x25], 3)];
    let stock = vec![0x14, 0x15, 0x34];
    let position = Position { columns, stock, waste: Vec::new(), foundations: [3, 2, 3, 1], ranks: 5 };
    position.check().expect("a position");
    assert_eq!(can_be_won(&position, 10_000), Some(true));
    let game = Game::new(&position, RULES);
    assert_eq!(ask(&mut Reserve::new(&game), &game, &game.start(), u64::MAX), Verdict::Open);
}

/// H2 has to go onto S3, and that onto D4, which lies on S5 at first and can come back to it from its foundation.
#[test]
fn what_leads_back_to_a_class_that_is_won_later_is_not_lost() {
    let column = |cards: &[u8], face_down| Column { cards: cards.to_vec(), face_down };
    let columns = vec![column(&[0x35], 0), column(&[0x34, 0x24, 0x21, 0x22], 3)];
    let stock = vec![0x14, 0x15, 0x23, 0x25];
    let position = Position { columns, stock, waste: Vec::new(), foundations: [5, 3, 0, 3], ranks: 5 };
    position.check().expect("a position");
    let game = Game::new(&position, RULES);
    let founded = game.start();
    let placed = State { visible: founded.visible | 1 << bits::bit(0x14), ..founded };
    let mut reserve = Reserve::new(&game);
    assert_eq!(ask(&mut reserve, &game, &placed, u64::MAX), Verdict::Open);
    assert_eq!(ask(&mut reserve, &game, &founded, u64::MAX), Verdict::Open);
}

/// What earlier questions have found does not change the answer.
#[test]
fn verdicts_that_are_remembered_are_those_of_a_first_question() {
    let (mut open, mut lost) = (0, 0);
    for index in 0..300 {
        let game = Game::new(&middle_deal(index), RULES);
        let mut remembers = Reserve::new(&game);
        let mut stream = Stream::new(17, index);
        let mut state = game.start();
        for _ in 0..30 {
            let first = ask(&mut Reserve::new(&game), &game, &state, 1_000);
            if first != Verdict::Unknown {
                assert_eq!(ask(&mut remembers, &game, &state, u64::MAX), first, "{index}: {state:?}");
            }
            match first {
                Verdict::Open => open += 1,
                Verdict::Lost => lost += 1,
                Verdict::Unknown => {}
            }
            let next = successors(&game, &state, false);
            if next.is_empty() {
                break;
            }
            state = next[stream.below(next.len() as u32) as usize];
        }
    }
    assert!(open > 300 && lost > 300, "{open} open, {lost} lost: too few to tell");
}
