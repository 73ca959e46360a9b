//! The reductions against plain moves: whole games of small deals, classes and boards side by side.
mod fuzz;

use super::beam;
use super::classes::{Free, Moves, canonical, play};
use super::expand::{expand, is_alive};
use super::plan::{Found, Plan, Task};
use super::position::{Position, UNTOLD, ace};
use super::relaxed::{Disturbance, Relaxed};
use super::store::Store;
use super::stubborn::Dependencies;
use crate::search::{Budget, Clock, Context, Limits};
use crate::superpuzz::board::Board;
use crate::superpuzz::tests::random_deal;
use std::collections::{HashMap, HashSet};

/// From rows joined by `/`; a `?` marks an ace that is not told apart yet.
fn parse(text: &str) -> (Position, usize) {
    let rows: Vec<Vec<&str>> = text.split('/').map(|row| row.split_whitespace().collect()).collect();
    let mut position = Position { cells: [0; 64] };
    for (row, words) in rows.iter().enumerate() {
        for (column, word) in words.iter().enumerate().filter(|(_, word)| **word != "--") {
            let suit = "CDHS".find(&word[..1]).expect("a suit");
            position.cells[row * 16 + column] = (suit * 16 + "A23456789".find(&word[1..2]).expect("a rank") + 1) as u8;
            if word.ends_with('?') {
                position.cells[UNTOLD] |= 1 << row;
            }
        }
    }
    (position, rows[0].len())
}

/// Where all moves of a class lead.
fn all_moves(position: &Position, columns: usize) -> Vec<Position> {
    let (places, free) = (position.places(columns), Free::of(position, columns));
    let mut found = Vec::new();
    for &step in Moves::of(position, &places, &free, columns).as_slice() {
        play(position, &places, &free, columns, step, &mut |next| found.push(*next));
    }
    found
}

fn reduced_moves(position: &Position, columns: usize) -> Vec<Position> {
    let mut found = Vec::new();
    expand(position, &Task { columns, plan: Plan::default() }, &mut |next| found.push(*next));
    found
}

/// The classes that can be reached, and where each leads.
fn graph(start: &Position, columns: usize) -> (Vec<Position>, Vec<Vec<usize>>) {
    graph_within(start, columns, usize::MAX).expect("room for all")
}

/// The same; `None` for more than `classes_max` classes.
fn graph_within(start: &Position, columns: usize, classes_max: usize) -> Option<(Vec<Position>, Vec<Vec<usize>>)> {
    let mut ids: HashMap<[u8; 64], usize> = HashMap::from([(start.cells, 0)]);
    let (mut nodes, mut edges) = (vec![*start], Vec::new());
    while let Some(position) = nodes.get(edges.len()).copied() {
        if nodes.len() > classes_max {
            return None;
        }
        let mut leads = Vec::new();
        for next in all_moves(&position, columns) {
            let id = *ids.entry(next.cells).or_insert(nodes.len());
            if id == nodes.len() {
                nodes.push(next);
            }
            leads.push(id);
        }
        edges.push(leads);
    }
    Some((nodes, edges))
}

/// Which nodes a win can be reached from.
fn winnable(nodes: &[Position], edges: &[Vec<usize>], columns: usize) -> Vec<bool> {
    let mut before = vec![Vec::new(); nodes.len()];
    for (from, leads) in edges.iter().enumerate() {
        leads.iter().for_each(|&to| before[to].push(from));
    }
    let mut todo: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].is_won(columns)).collect();
    let mut found = vec![false; nodes.len()];
    todo.iter().for_each(|&node| found[node] = true);
    while let Some(node) = todo.pop() {
        for &from in &before[node] {
            if !std::mem::replace(&mut found[from], true) {
                todo.push(from);
            }
        }
    }
    found
}

/// For every class that can be reached: reduced moves win where all moves do, and nothing winnable counts as dead.
fn check_reductions(start: &Position, columns: usize) -> usize {
    let (nodes, edges) = graph(start, columns);
    check_graph(&nodes, &edges, columns);
    nodes.len()
}

fn check_graph(nodes: &[Position], edges: &[Vec<usize>], columns: usize) {
    let ids: HashMap<[u8; 64], usize> = nodes.iter().enumerate().map(|(id, node)| (node.cells, id)).collect();
    let reduced: Vec<Vec<usize>> =
        nodes.iter().map(|node| reduced_moves(node, columns).iter().map(|next| ids[&next.cells]).collect()).collect();
    let by_all = winnable(nodes, edges, columns);
    let by_reduced = winnable(nodes, &reduced, columns);
    for (node, position) in nodes.iter().enumerate() {
        assert_eq!(by_all[node], by_reduced[node], "{:?}", position.cells);
        assert!(!by_all[node] || is_alive(position, &Task { columns, plan: Plan::default() }), "{:?}", position.cells);
        if by_all[node] && !position.is_won(columns) {
            check_sets(position, columns, &|next| by_all[ids[&next.cells]]);
        }
    }
}

/// Every stubborn set of a class that can be won has a move that keeps a win, also those too large to be chosen.
fn check_sets(position: &Position, columns: usize, wins: &impl Fn(&Position) -> bool) {
    let (places, free) = (position.places(columns), Free::of(position, columns));
    let moves = Moves::of(position, &places, &free, columns);
    let mut winning = 0u64;
    for &step in moves.as_slice() {
        play(position, &places, &free, columns, step, &mut |next| winning |= u64::from(wins(next)) << step.card);
    }
    for set in Dependencies::new(position, &places, &free, true, columns).sets(moves.cards()) {
        assert!(set & winning != 0, "{:?}: {set:#x}", position.cells);
    }
}

fn class_of(board: &Board) -> Position {
    let mut position = Position::new(board.cells(), board.columns());
    canonical(&mut position, board.columns());
    position
}

#[test]
fn reduced_moves_win_where_all_moves_do() {
    let mut count = 0;
    for (columns, deals) in [(2, 100), (3, 150), (4, 12)] {
        for index in 0..deals {
            count += check_reductions(&class_of(&random_deal(columns, 31, index)), columns);
        }
    }
    assert!(count > 50_000, "{count}");
}

/// CA and DA may lie either way round, in the relaxed game too. With CA frozen, DA may leave the cell that CA lies in here;
/// HA goes there, and then H2 can go right of it, where D2 can go at once.
#[test]
fn what_untold_aces_may_leave_and_be_followed_by() {
    let (position, columns) = parse("CA? -- C2 C3 D2 / DA? S2 S3 C4 -- / -- D3 HA H3 H2 / SA H4 S4 D4 --");
    let places = position.places(columns);
    let relaxed = Relaxed::new(&position, &places, columns);
    let bits = |cards: &[usize]| cards.iter().fold(0u64, |set, card| set | 1 << card);
    let [diamond_ace, heart_ace] = [1, 2].map(ace);
    let (diamond_two, heart_two) = (diamond_ace + 1, heart_ace + 1);
    let found = |free: &[usize], needed: usize| relaxed.disturbance(!bits(free), bits(&[needed]), 0);
    let moved = |card: usize| Some(Disturbance::Moved(bits(&[card])));
    assert_eq!(found(&[diamond_two], diamond_two), moved(diamond_two));
    assert_eq!(found(&[diamond_ace, heart_ace, heart_two], heart_two), moved(heart_two));
    assert_eq!(found(&[heart_ace, heart_two], heart_two), None);
}

/// A narrow beam finds wins, or says that it left something out; it says that there is no win only where there is none.
#[test]
fn a_beam_knows_what_it_left_out() {
    let (mut won, mut lost, mut unknown) = (0, 0, 0);
    for index in 0..200 {
        let start = class_of(&random_deal(4, 33, index));
        let (nodes, edges) = graph(&start, 4);
        let can_win = winnable(&nodes, &edges, 4)[0];
        let mut never = || false;
        let limits = Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) };
        let task = Task { columns: 4, plan: Plan::default() };
        match beam::beam(&start, 1, &task, &mut Context::new(limits), &mut 0).unwrap() {
            Some(Found::Win(path)) => {
                assert!(can_win && path.last().unwrap().is_won(4));
                won += 1;
            }
            Some(Found::NoWin) => {
                assert!(!can_win, "{:?}", start.cells);
                lost += 1;
            }
            None => unknown += u32::from(can_win),
        }
    }
    assert!(won > 0 && lost > 0 && unknown > 0, "{won} {lost} {unknown}");
}

/// A card that leaves the cell right of an untold ace gives a two another place to go to.
#[test]
fn the_right_of_an_untold_ace_is_left_first() {
    let (mut position, columns) = parse("CA? -- D3 -- D2 / DA? S3 S4 H4 HA / H2 C3 S2 -- C2 / H3 SA -- D4 C4");
    canonical(&mut position, columns);
    check_reductions(&position, columns);
}

/// All boards that can be reached, their classes, and for each whether a win can be reached from it.
#[test]
fn classes_are_what_free_moves_turn_into_one_another() {
    for (columns, deals) in [(2, 60), (3, 60)] {
        for index in 0..deals {
            check_classes(&random_deal(columns, 32, index));
        }
    }
}

fn check_classes(start: &Board) {
    let columns = start.columns();
    let mut members: HashMap<[u8; 64], Vec<Board>> = HashMap::new();
    let mut seen = HashSet::from([*start]);
    let mut todo = vec![*start];
    while let Some(board) = todo.pop() {
        members.entry(class_of(&board).cells).or_default().push(board);
        board.moves(|step| {
            let next = board.after(step);
            if seen.insert(next) {
                todo.push(next);
            }
        });
    }
    for (class, boards) in &members {
        let class = Position { cells: *class };
        // From any member real moves lead to all others without leaving the class.
        let mut inside = HashSet::from([boards[0]]);
        let mut todo = vec![boards[0]];
        let mut left: HashSet<[u8; 64]> = HashSet::new();
        while let Some(board) = todo.pop() {
            board.moves(|step| {
                let next = board.after(step);
                if class_of(&next) == class {
                    if inside.insert(next) {
                        todo.push(next);
                    }
                } else {
                    left.insert(class_of(&next).cells);
                }
            });
        }
        assert_eq!(inside.len(), boards.len(), "{:?}", class.cells);
        // The moves out of a class lead to the same classes as those of its boards, if untold aces are settled in all ways.
        let told: HashSet<[u8; 64]> =
            all_moves(&class, columns).iter().flat_map(|next| tellings(next, columns)).collect();
        assert_eq!(told, left, "{:?}", class.cells);
    }
}

/// The classes of boards that a position with untold aces stands for.
fn tellings(position: &Position, columns: usize) -> Vec<[u8; 64]> {
    let rows: Vec<usize> = (0..4).filter(|&row| position.is_untold(row)).collect();
    let mut orders = vec![rows.iter().map(|&row| position.cells[row * 16]).collect::<Vec<u8>>()];
    for i in 0..rows.len() {
        orders = orders
            .into_iter()
            .flat_map(|order| {
                (i..order.len()).map(move |j| {
                    let mut other = order.clone();
                    other.swap(i, j);
                    other
                })
            })
            .collect();
    }
    orders
        .into_iter()
        .map(|order| {
            let mut told = *position;
            told.cells[UNTOLD] = 0;
            rows.iter().zip(order).for_each(|(&row, ace)| told.cells[row * 16] = ace);
            canonical(&mut told, columns);
            told.cells
        })
        .collect()
}

#[test]
fn a_key_gives_its_position_back() {
    let mut interrupted = || false;
    let mut clock = Clock::new(0.0, &mut interrupted);
    let mut budget = Budget::new(0);
    let mut untold = HashSet::new();
    for index in 0..40 {
        let positions = graph(&class_of(&random_deal(3, 33, index)), 3).0;
        let mut store = Store::new(&mut budget).expect("room");
        let (first, _) = store.begin(&positions[0], &mut budget, &mut clock).expect("room");
        for position in &positions[1..] {
            let mut numbered = store.numbered(position, &first);
            assert!(!store.holds(&numbered));
            let key = store.insert(&mut numbered, &mut budget, &mut clock).expect("room").expect("a new position");
            assert!(store.holds(&store.numbered(position, &first)));
            assert!(store.insert(&mut numbered, &mut budget, &mut clock).expect("room").is_none());
            let found = store.position(key).position;
            assert!(found.cells == position.cells, "{:?}", position.cells);
            untold.insert(position.untold());
        }
    }
    assert_eq!(untold.len(), 12, "none, any two, any three or all four rows untold");
}
