//! The search against searches of the rules alone, and its solutions against the rules.
use super::deck::{Deck, FOUNDATIONS};
use super::encoding::Encoding;
use super::formula::Formula;
use super::proof::Proof;
use super::search::search;
use super::solution::{Move, PILE, moves};
use super::solver::Solver;
use crate::rng::Stream;
use crate::search::{Clock, Context, Limits, Outcome, Report, Stop};
use std::collections::HashSet;

/// Decks of each kind, so that games of few ranks are lost too.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Random.
    Random,
    /// Random, but that so many cards of the lowest ranks come last, in random order.
    Late(usize),
    /// The aces last and the others in order, which is as hard as can be, but for so many swaps.
    Sorted(usize),
}

fn some_deck(seed: u64, ranks_count: usize, kind: Kind) -> Deck {
    let mut ranks: Vec<u8> = (0..FOUNDATIONS * ranks_count).map(|card| (card / FOUNDATIONS + 1) as u8).collect();
    let mut stream = Stream::new(seed, ranks_count as u64);
    let cards = ranks.len();
    match kind {
        Kind::Random => stream.shuffle(&mut ranks),
        Kind::Late(late) => {
            ranks.rotate_left(late);
            stream.shuffle(&mut ranks[..cards - late]);
            stream.shuffle(&mut ranks[cards - late..]);
        }
        Kind::Sorted(swaps) => {
            ranks.rotate_left(FOUNDATIONS);
            for _ in 0..swaps {
                ranks.swap(stream.below(cards as u32) as usize, stream.below(cards as u32) as usize);
            }
        }
    }
    Deck::new(&ranks).expect("a deck")
}

/// Whether the moves are a won game.
fn is_won(deck: &Deck, stacks_count: usize, moves: &[Move]) -> bool {
    let mut stacks: Vec<Vec<usize>> = vec![Vec::new(); stacks_count];
    let (mut heights, mut drawn) = ([0; FOUNDATIONS], 0);
    for &[from, to] in moves {
        let card = if from == PILE {
            drawn += 1;
            drawn - 1
        } else {
            stacks[usize::from(from)].pop().expect("a card on the stack")
        };
        let to = usize::from(to);
        if to < FOUNDATIONS {
            assert_eq!(deck.place(to, card), heights[to]);
            heights[to] += 1;
        } else {
            assert_eq!(from, PILE);
            stacks[to - FOUNDATIONS].push(card);
        }
    }
    drawn == deck.cards_count() && heights == [deck.ranks_count(); FOUNDATIONS]
}

fn limited(deck: &Deck, stacks: usize, states: u64, memory_bytes: u64, time_s: f64) -> Result<Report<Move>, Stop> {
    let mut never = || false;
    search(deck, stacks, Limits { states, memory_bytes, clock: Clock::new(time_s, &mut never) }, &mut Proof::default())
}

fn found(deck: &Deck, stacks: usize) -> Report<Move> {
    limited(deck, stacks, 0, 0, 0.0).expect("no interrupt")
}

/// Whether a deck can be won, by the rules and what else is added to them.
fn can_be_won(deck: &Deck, stacks: usize, add: impl Fn(&Encoding<'_>, &mut Formula)) -> bool {
    let encoding = Encoding::new(deck, stacks);
    let mut formula = Formula::default();
    encoding.rules(&mut formula);
    add(&encoding, &mut formula);
    let mut never = || false;
    let mut context = Context::new(Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) });
    let mut solver = Solver::new(&formula, encoding.variables_count(), &mut context).expect("no limits");
    match solver.solve(&mut context, &mut Proof::default()).expect("no limits") {
        Some(values) => {
            assert!(is_won(deck, stacks, &moves(deck, &encoding, stacks, &values)));
            true
        }
        None => false,
    }
}

/// Whether a deck can be won, by trying everything that the rules allow, each position once.
fn plainly_won(deck: &Deck, stacks_count: usize) -> bool {
    let mut seen: HashSet<(usize, [usize; FOUNDATIONS], Vec<Vec<u8>>)> = HashSet::new();
    let mut open = vec![(0, [0; FOUNDATIONS], vec![Vec::new(); stacks_count])];
    while let Some(position) = open.pop() {
        if seen.contains(&position) {
            continue;
        }
        seen.insert(position.clone());
        let (drawn, heights, stacks) = position;
        if heights == [deck.ranks_count(); FOUNDATIONS] {
            return true;
        }
        let drawn_rank = deck.ranks.get(drawn).copied();
        if let Some(rank) = drawn_rank {
            for stack in 0..stacks_count {
                let mut stacks = stacks.clone();
                stacks[stack].push(rank);
                stacks.sort_unstable();
                open.push((drawn + 1, heights, stacks));
            }
        }
        for foundation in 0..FOUNDATIONS {
            let fits = |rank: u8| deck.places[foundation][usize::from(rank)] == heights[foundation];
            let mut raised = heights;
            raised[foundation] += 1;
            if drawn_rank.is_some_and(fits) {
                open.push((drawn + 1, raised, stacks.clone()));
            }
            for stack in 0..stacks_count {
                if stacks[stack].last().is_some_and(|&rank| fits(rank)) {
                    let mut stacks = stacks.clone();
                    stacks[stack].pop();
                    stacks.sort_unstable();
                    open.push((drawn, raised, stacks));
                }
            }
        }
    }
    false
}

/// The search against trying everything: how many decks are lost and won.
fn compare(ranks_count: usize, stacks: usize, kind: Kind, seeds: std::ops::Range<u64>) -> [usize; 2] {
    let mut counts = [0, 0];
    for seed in seeds {
        let deck = some_deck(seed, ranks_count, kind);
        let report = found(&deck, stacks);
        let won = report.outcome == Outcome::Won;
        assert_eq!(won, is_won(&deck, stacks, &report.moves), "{:?}, {stacks} stacks", deck.ranks);
        assert_eq!(won, plainly_won(&deck, stacks), "{:?}, {stacks} stacks", deck.ranks);
        counts[usize::from(won)] += 1;
    }
    counts
}

#[test]
fn small_decks_as_trying_everything_finds() {
    let mut lost = [0; 4];
    for (ranks_count, stacks, kind, decks_count) in [
        (4, 1, Kind::Random, 300),
        (4, 1, Kind::Late(4), 300),
        (4, 1, Kind::Late(12), 200),
        (4, 2, Kind::Random, 200),
        (4, 3, Kind::Late(8), 50),
        (4, 4, Kind::Random, 20),
        (4, 5, Kind::Random, 20),
        (5, 1, Kind::Random, 60),
        (5, 1, Kind::Late(4), 60),
        (5, 2, Kind::Random, 20),
        (5, 2, Kind::Sorted(8), 20),
        (5, 2, Kind::Sorted(2), 2),
        (6, 1, Kind::Late(12), 60),
        (7, 1, Kind::Late(8), 20),
    ] {
        lost[stacks.min(3)] += compare(ranks_count, stacks, kind, 0..decks_count)[0];
    }
    assert!(lost[1] > 100 && lost[2] > 0, "{lost:?}");
}

#[test]
#[ignore = "slow: some minutes"]
fn thousands_of_small_decks_as_trying_everything_finds() {
    for (ranks_count, stacks, kind, decks_count) in [
        (4, 1, Kind::Random, 5000),
        (4, 1, Kind::Late(12), 5000),
        (4, 2, Kind::Late(8), 5000),
        (4, 3, Kind::Late(8), 1000),
        (4, 4, Kind::Late(8), 100),
        (4, 5, Kind::Late(8), 100),
        (5, 1, Kind::Random, 2000),
        (5, 1, Kind::Late(4), 2000),
        (5, 1, Kind::Late(8), 2000),
        (5, 2, Kind::Random, 1000),
        (5, 2, Kind::Sorted(12), 1000),
        (5, 2, Kind::Sorted(2), 20),
        (6, 1, Kind::Random, 100),
        (6, 1, Kind::Late(12), 2000),
        (7, 1, Kind::Late(8), 1000),
        (8, 1, Kind::Late(12), 1000),
    ] {
        let counts = compare(ranks_count, stacks, kind, 1_000_000..1_000_000 + decks_count);
        println!("{ranks_count} ranks, {stacks} stacks, {kind:?}: {counts:?} lost and won");
    }
}

#[test]
fn what_shortens_the_search_changes_no_answer() {
    let mut counts = [0, 0];
    for seed in 0..300 {
        let ranks_count = 4 + seed as usize % 4;
        let kinds = [Kind::Random, Kind::Late(4), Kind::Late(8), Kind::Sorted(4)];
        let deck = some_deck(seed, ranks_count, kinds[seed as usize / 4 % 4]);
        for stacks in 1..=3 {
            let report = found(&deck, stacks);
            let won = report.outcome == Outcome::Won;
            assert_eq!(won, is_won(&deck, stacks, &report.moves), "seed {seed}, {stacks} stacks");
            assert_eq!(won, can_be_won(&deck, stacks, |_, _| ()), "seed {seed}, {stacks} stacks");
            assert_eq!(
                won,
                can_be_won(&deck, stacks, |encoding, formula| encoding.earliest_steps(formula)),
                "seed {seed}, {stacks} stacks"
            );
            assert_eq!(
                won,
                can_be_won(&deck, stacks, |encoding, formula| encoding.at_once(formula)),
                "seed {seed}, {stacks} stacks"
            );
            assert_eq!(
                won,
                can_be_won(&deck, stacks, |encoding, formula| encoding.stacks_in_order(formula)),
                "seed {seed}, {stacks} stacks"
            );
            counts[usize::from(won)] += 1;
        }
    }
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}

#[test]
fn more_stacks_win_what_fewer_do() {
    for seed in 0..4 {
        let deck = some_deck(seed, 13, Kind::Random);
        let reports: Vec<Report<Move>> = (1..=5).map(|stacks| found(&deck, stacks)).collect();
        assert!(reports.is_sorted_by_key(|report| report.outcome == Outcome::Won), "seed {seed}");
        for (index, report) in reports.iter().enumerate().filter(|(_, report)| report.outcome == Outcome::Won) {
            assert!(is_won(&deck, index + 1, &report.moves), "seed {seed}");
        }
        assert_eq!(reports[4].outcome, Outcome::Won, "seed {seed}");
    }
}

#[test]
fn the_same_deck_takes_the_same_way() {
    let deck = some_deck(1, 13, Kind::Random);
    assert_eq!(found(&deck, 2), found(&deck, 2));
}

#[test]
fn limits_leave_a_deck_undecided() {
    let deck = some_deck(0, 13, Kind::Random);
    assert!(found(&deck, 2).states_count > 1000);
    let fewer = limited(&deck, 2, 1000, 0, 0.0).expect("no interrupt");
    assert_eq!((fewer.outcome, fewer.limit, fewer.states_count), (Outcome::Undecided, Some(Stop::States), 1000));
    assert!(fewer.moves.is_empty());
    let smaller = limited(&deck, 2, 0, 1 << 20, 0.0).expect("no interrupt");
    assert_eq!((smaller.outcome, smaller.limit), (Outcome::Undecided, Some(Stop::Memory)));
    assert!(smaller.peak_bytes <= 1 << 20);
    let shorter = limited(&deck, 2, 0, 0, 1e-9).expect("no interrupt");
    assert_eq!((shorter.outcome, shorter.limit), (Outcome::Undecided, Some(Stop::Time)));
}

#[test]
fn an_interrupt_has_no_answer() {
    let sorted = some_deck(0, 13, Kind::Sorted(0));
    let mut always = || true;
    let limits = Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut always) };
    assert_eq!(search(&sorted, 5, limits, &mut Proof::default()), Err(Stop::Interrupt));
}
