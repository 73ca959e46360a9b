//! The player against the rules, against itself by other ways of computing, and against the paper's worked example.
use super::assignment::{Assignment, Targets};
use super::estimate::{LAST_HOPE, PARTS};
use super::nodes::Nodes;
use super::options::{Alike, Edges, Misfits, Options, Ties, Worth};
use super::player::{Game, NO_TARGET, Player, targets_of};
use super::rules::{DRAWN, Position, Rules, TO_STACK};
use super::table::Table;
use super::turn::Play;
use crate::deck::shuffled;
use crate::search::Clock;
use crate::stackgame::table::{Expander, Rules as _, evaluate};
use crate::stackgame::two_boards::TwoBoards;
use crate::stackgame::width2::State;
use crate::storage::block::BlockKey;
use crate::storage::reader::Reader;
use crate::storage::values::ValueType;
use std::collections::HashSet;

pub(super) type Layers = Vec<Reader<u64, Vec<u8>>>;

/// The table for a game of a few ranks.
pub(super) fn build(ranks: usize, stacks: usize) -> (TwoBoards, Layers) {
    let cards = ranks - 1;
    let game = TwoBoards::new(stacks, 2, cards).unwrap();
    let mut places = vec![vec![game.place(&game.start())]];
    for layer in (2..=2 * cards).rev() {
        let mut expander = Expander::new(game.key_bits(layer - 1), 1 << 14);
        for part in places.last().unwrap().chunks(64) {
            assert!(!expander.push(&game, layer, part));
        }
        places.push(expander.take());
    }
    let mut layers = Layers::new();
    for (layer, places) in places.iter().rev().enumerate().map(|(below, places)| (below + 1, places)) {
        let values = evaluate(&game, layer, places, layers.last()).unwrap();
        let bits = game.key_bits(layer);
        let blocks = places.chunks(1000).zip(values.chunks(1000));
        let blocks = blocks.map(|(p, v)| u64::encode(p, Some(v), ValueType::F64, bits)).collect();
        layers.push(Reader::new(bits, blocks).unwrap());
    }
    (game, layers)
}

pub(super) fn table<'a>(game: &'a TwoBoards, layers: &'a Layers) -> Table<'a, Vec<u8>> {
    Table { rules: game, layers: std::iter::once(None).chain(layers.iter().map(Some)).collect() }
}

/// An empty table, so that all is computed.
fn nothing(game: &TwoBoards, ranks: usize) -> Table<'_, Vec<u8>> {
    Table { rules: game, layers: vec![None; 2 * ranks - 1] }
}

fn player(ranks: usize, stacks: usize, options: Options) -> Player {
    Player::new(Rules::new(ranks, stacks).unwrap(), options)
}

pub(super) fn deck(seed: u64, index: u64, ranks: usize) -> Vec<u8> {
    shuffled(seed, index, 4 * ranks).into_iter().map(|card| card / 4 + 1).collect()
}

fn play(player: &mut Player, table: &Table<'_, Vec<u8>>, deck: &[u8]) -> Game {
    let mut never = || false;
    player.play(table, &mut Clock::new(0.0, &mut never), deck).unwrap()
}

fn advise(player: &mut Player, table: &Table<'_, Vec<u8>>, position: &Position, drawn: u8) -> Vec<Play> {
    let mut never = || false;
    let plays = player.advise(table, &mut Clock::new(0.0, &mut never), position, Some(drawn)).unwrap();
    plays.into_iter().map(|(play, _)| play).collect()
}

/// Replays a game; the positions after each draw's moves.
fn replay(rules: &Rules, deck: &[u8], game: &Game) -> Vec<Position> {
    let mut position = rules.start();
    let mut ends = Vec::new();
    let mut moves = game.moves.iter().peekable();
    for &drawn in deck {
        position.draw(drawn);
        let mut from_pile = true;
        while let Some(&&made) = moves.peek() {
            if (made[0] == DRAWN) != from_pile {
                break;
            }
            from_pile = false;
            let rank = if made[0] == DRAWN { drawn } else { position.stacks[usize::from(made[0])].top().unwrap() };
            if made[1] < TO_STACK {
                assert!(rules.fits(&position, made[1].into(), rank));
            } else {
                assert!(made[0] == DRAWN && usize::from(made[1] - TO_STACK) < rules.stacks);
            }
            position.make(made, drawn);
            moves.next();
        }
        assert!(!from_pile, "every card is put somewhere");
        ends.push(position.clone());
    }
    assert!(moves.next().is_none());
    assert!(rules.movable(&position).next().is_none());
    assert_eq!(game.won, position.is_won(rules));
    assert_eq!(usize::from(game.cards_left), position.stacked());
    ends
}

fn targets_after_draws(rules: &Rules, ends: &[Position], game: &Game) -> Vec<Option<Targets>> {
    let mut rest = game.targets.as_slice();
    let of_draw = |position: &Position| {
        let by_stack: Vec<Vec<u8>> = (0..rules.stacks)
            .map(|s| {
                let (first, left) = rest.split_at(position.stacks[s].len.into());
                rest = left;
                first.to_vec()
            })
            .collect();
        let is_known = !by_stack.iter().flatten().any(|&target| target == NO_TARGET);
        is_known.then(|| targets_of(rules, position, &by_stack).unwrap())
    };
    let found = ends.iter().map(of_draw).collect();
    assert!(rest.is_empty());
    found
}

fn variants() -> Vec<Options> {
    let usual = || Options { keep: 30, ..Options::default() };
    vec![
        usual(),
        Options { keep: 1, ..usual() },
        Options { look_ahead: 1, keep: 5, ..usual() },
        Options { worth: Worth::Independent, ..usual() },
        Options { ties: Ties::Stack, ..usual() },
        Options { ties: Ties::LastStack, misfits: Misfits::Drop, ..usual() },
        Options { eager: true, ..usual() },
        Options { edges: Edges::Own, ..usual() },
        Options { exact_cards: 3, ..usual() },
    ]
}

#[test]
fn rows_are_those_of_the_game() {
    let rules = Rules::new(13, 3).unwrap();
    for b in 0..4 {
        for place in 0..13u8 {
            let multiple = (usize::from(place) + 1) * (b + 1) % 13;
            let rank = if multiple == 0 { 13 } else { multiple as u8 };
            assert_eq!((rules.rank_at(b, place), rules.place_of(b, rank)), (rank, place));
        }
    }
    let six = Rules::new(6, 3).unwrap();
    // The multiples of 3 modulo 7 without 7.
    assert_eq!((0..6).map(|place| six.rank_at(2, place)).collect::<Vec<_>>(), [3, 6, 2, 5, 1, 4]);
    assert!(Rules::new(3, 3).is_err() && Rules::new(14, 3).is_err() && Rules::new(13, 6).is_err());
}

#[test]
fn positions_are_checked() {
    let rules = Rules::new(5, 2).unwrap();
    let wrong = |heights: &[u8], stacks: &[Vec<u8>]| rules.position(heights, stacks).unwrap_err();
    assert!(wrong(&[0; 3], &[vec![], vec![]]).starts_with("heights: "));
    assert!(wrong(&[6, 0, 0, 0], &[vec![], vec![]]).starts_with("heights: "));
    assert!(wrong(&[0; 4], &[vec![]]).starts_with("stacks: "));
    assert!(wrong(&[0; 4], &[vec![6], vec![]]).starts_with("stacks: "));
    assert!(wrong(&[1, 0, 0, 0], &[vec![1, 1], vec![1, 1]]).starts_with("stacks: "));
    assert_eq!(rules.position(&[1, 0, 0, 0], &[vec![1, 1], vec![1]]).unwrap().pile, 16);
}

/// Games are legal, and go the same way again, also with a player that has played others before; the last values are right.
#[test]
fn games_are_legal_and_repeat() {
    for (ranks, stacks) in [(4, 1), (5, 2), (6, 3), (5, 4)] {
        let (game, layers) = build(ranks, stacks);
        let table = table(&game, &layers);
        let rules = Rules::new(ranks, stacks).unwrap();
        for options in variants() {
            let mut old = player(ranks, stacks, options.clone());
            for index in 0..4 {
                let deck = deck(5, index, ranks);
                let played = play(&mut old, &table, &deck);
                replay(&rules, &deck, &played);
                let again = play(&mut player(ranks, stacks, options.clone()), &table, &deck);
                assert_eq!((&played.moves, &played.targets), (&again.moves, &again.targets));
                let last = *played.values.last().unwrap();
                assert_eq!(played.won, last == 1.0, "{ranks} {stacks} {options:?} {index}");
            }
        }
    }
}

/// Assignments that follow from a game's moves have the same values as when they are made from scratch.
#[test]
fn values_do_not_depend_on_the_way() {
    for (ranks, stacks) in [(6, 3), (7, 2)] {
        let (game, layers) = build(ranks, stacks);
        let table = table(&game, &layers);
        let rules = Rules::new(ranks, stacks).unwrap();
        for (misfits, edges) in
            [(Misfits::Exchange, Edges::All), (Misfits::Drop, Edges::All), (Misfits::Exchange, Edges::Own)]
        {
            let mut player = player(ranks, stacks, Options { keep: 20, misfits, edges, ..Options::default() });
            for index in 0..20 {
                let deck = deck(6, index, ranks);
                let played = play(&mut player, &table, &deck);
                let ends = replay(&rules, &deck, &played);
                let targets = targets_after_draws(&rules, &ends, &played);
                for draw in 0..deck.len() - 1 {
                    let Some(targets) = targets[draw] else { continue };
                    let found = player.estimate(&table, &ends[draw], &targets).unwrap();
                    let (_, value) = found.expect("it was kept");
                    assert!((value / played.values[draw] - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}

/// Values of the table and values computed without it are the same.
#[test]
fn what_is_not_in_the_table_is_computed() {
    let (ranks, stacks) = (6, 3);
    let (game, layers) = build(ranks, stacks);
    let rules = Rules::new(ranks, stacks).unwrap();
    let options = Options { keep: 20, ..Options::default() };
    let (mut with, mut without) = (player(ranks, stacks, options.clone()), player(ranks, stacks, options));
    let mut missing_count = 0;
    for index in 0..20 {
        let deck = deck(9, index, ranks);
        let played = play(&mut with, &table(&game, &layers), &deck);
        let ends = replay(&rules, &deck, &played);
        missing_count += played.missing_count;
        for (position, targets) in ends.iter().zip(targets_after_draws(&rules, &ends, &played)) {
            let Some(targets) = targets else { continue };
            let found = with.estimate(&table(&game, &layers), position, &targets).unwrap().unwrap();
            let computed = without.estimate(&nothing(&game, ranks), position, &targets).unwrap().unwrap();
            for (a, b) in found.0.iter().zip(computed.0) {
                assert!((a - b).abs() < 1e-6);
            }
        }
    }
    assert!(missing_count > 0, "third boards forbid stacks");
}

/// By own edges, all states are in the table.
#[test]
fn no_state_of_own_edges_is_missing() {
    let (game, layers) = build(6, 3);
    let mut player = player(6, 3, Options { keep: 20, edges: Edges::Own, ..Options::default() });
    for index in 0..20 {
        assert_eq!(play(&mut player, &table(&game, &layers), &deck(9, index, 6)).missing_count, 0);
    }
}

/// A foundation's rank of a card and its target as the paper prints it: 8-2.
fn printed(text: &str) -> (Vec<u8>, Vec<u8>) {
    let rank = |c: char| "A23456789TJQK".find(c).unwrap() as u8 + 1;
    let target = |c: char| c.to_digit(10).unwrap() as u8;
    let cards = text.split(' ').map(|word| (rank(word.chars().next().unwrap()), target(word.chars().nth(2).unwrap())));
    cards.unzip()
}

/// Section 3.2: four single values, six pairs and the estimate, computed without a table.
#[test]
fn worked_example_of_the_paper() {
    let rules = Rules::new(13, 3).unwrap();
    let stacks = ["8-2 5-2 Q-2 A-1", "9-1 A-3 Q-0 J-0 6-3", "K-3 K-1 9-3 5-3 J-1"].map(printed);
    let (cards, targets): (Vec<_>, Vec<_>) = stacks.into_iter().unzip();
    let position = rules.position(&[2, 4, 0, 3], &cards).unwrap();
    let targets = targets_of(&rules, &position, &targets).unwrap();
    let game = TwoBoards::new(3, 2, 12).unwrap();
    let mut player = player(13, 3, Options::default());
    let (parts, value) = player.estimate(&nothing(&game, 13), &position, &targets).unwrap().unwrap();
    let expected: [f64; PARTS] = [
        0.3910466, 0.8333333, 0.06856813, 0.9583333, 0.2739771, 0.01547976, 0.3513412, 0.05273561, 0.7986111,
        0.05320396,
    ];
    for (found, printed) in parts.into_iter().zip(expected) {
        assert!((found / printed - 1.0).abs() < 1e-6, "{found} {printed}");
    }
    assert!((value - 0.007281463).abs() < 1e-8);
}

/// A position with a card that may go nowhere is not given up.
#[test]
fn a_stuck_assignment_is_worth_less_than_any_other() {
    let rules = Rules::new(5, 1).unwrap();
    // The kings of all rows are in the pile and must not lie on the two.
    let position = rules.position(&[1, 0, 0, 0], &[vec![3]]).unwrap();
    let targets = targets_of(&rules, &position, &[vec![0]]).unwrap();
    let game = TwoBoards::new(1, 2, 4).unwrap();
    let found = player(5, 1, Options::default()).estimate(&nothing(&game, 5), &position, &targets).unwrap();
    let (_, value) = found.unwrap();
    assert!(value > 0.0 && value < LAST_HOPE);
}

/// Of alike assignments one is kept.
#[test]
fn alike_assignments_are_kept_once() {
    let (ranks, stacks) = (5, 3);
    let (game, layers) = build(ranks, stacks);
    let table = table(&game, &layers);
    let options = Options { keep: 1 << 20, edges: Edges::Own, ..Options::default() };
    let mut all = player(ranks, stacks, options.clone());
    let mut once = player(ranks, stacks, Options { alike: Alike::Once, ..options });
    let rules = Rules::new(ranks, stacks).unwrap();
    let mut fewer = 0;
    for index in 0..20 {
        let deck = deck(8, index, ranks);
        let played = play(&mut all, &table, &deck);
        for (position, &rank) in replay(&rules, &deck, &played).iter().zip(&deck[1..]).take(10) {
            let mut drawn = position.clone();
            drawn.draw(rank);
            let every = advise(&mut all, &table, &drawn, rank);
            let single = advise(&mut once, &table, &drawn, rank);
            for play in &every {
                let same = single.iter().find(|other| other.moves == play.moves).unwrap();
                let seen: HashSet<_> = same.list.iter().map(|each| (each.chains, each.parts.nodes)).collect();
                assert_eq!(seen.len(), same.list.len());
                assert_eq!(same.list.is_empty(), play.list.is_empty());
                fewer += play.list.len() - same.list.len();
            }
        }
    }
    assert!(fewer > 100);
}

/// Only cards of one rank get other targets: one of them, or two that exchange theirs; no assignment is lost by it.
#[test]
fn recast_assignments_differ_in_one_rank() {
    let (ranks, stacks) = (6, 3);
    let (game, layers) = build(ranks, stacks);
    let table = table(&game, &layers);
    let rules = Rules::new(ranks, stacks).unwrap();
    let options = Options { keep: 4, edges: Edges::Own, recast: true, ..Options::default() };
    let mut player = player(ranks, stacks, options);
    let (mut better, mut added) = (0, 0);
    for index in 0..20 {
        let deck = deck(12, index, ranks);
        let played = play(&mut player, &table, &deck);
        for (position, &rank) in replay(&rules, &deck, &played).iter().zip(&deck[1..]) {
            let mut never = || false;
            let mut clock = Clock::new(0.0, &mut never);
            let (mut thinker, _) = player.thinker(&table, &mut clock);
            let list = thinker.assign(position, 1).unwrap();
            assert_eq!(thinker.recast(position, &list, None).unwrap().len(), list.len());
            let recast = thinker.recast(position, &list, Some(rank)).unwrap();
            let top = |list: &[Assignment]| list.first().map_or(0.0, |each| each.value);
            assert!(top(&recast) >= top(&list) && recast.len() >= list.len() && recast.len() <= 4);
            better += usize::from(top(&recast) > top(&list));
            assert!(recast.is_sorted_by(|a, b| a.value >= b.value));
            for each in recast.iter().filter(|each| list.iter().all(|old| old.targets != each.targets)) {
                added += 1;
                let changed = |old: &Assignment| -> Vec<u8> {
                    let cards =
                        (0..stacks).flat_map(|s| position.stacks[s].cards().iter().enumerate().map(move |c| (s, c)));
                    let differs = |&(s, (depth, _)): &(usize, (usize, &u8))| {
                        (0..4).any(|b| (old.targets[s][b] ^ each.targets[s][b]) >> depth & 1 == 1)
                    };
                    cards.filter(differs).map(|(_, (_, &card))| card).collect()
                };
                assert!(
                    list.iter().map(changed).any(|cards| cards.len() <= 2 && cards.iter().all(|&card| card == rank))
                );
            }
        }
    }
    assert!(better > 0 && added > 100, "{better} {added}");
}

/// The positions with a drawn card of decks of a seed that are played by the first advice, up to some draws.
fn advised(
    player: &mut Player,
    table: &Table<'_, Vec<u8>>,
    seed: u64,
    decks_count: u64,
    draws_count: usize,
) -> Vec<(Position, u8)> {
    let mut found = Vec::new();
    for index in 0..decks_count {
        let mut position = player.rules.start();
        for &rank in deck(seed, index, player.rules.ranks).iter().take(draws_count) {
            position.draw(rank);
            found.push((position.clone(), rank));
            let plays = advise(player, table, &position, rank);
            position = plays.into_iter().next().unwrap().position;
        }
    }
    found
}

/// A drawn card counts as often as there are cards of its rank in the pile: the mean over all cards, one by one.
#[test]
fn looking_ahead_every_card_of_the_pile_counts() {
    let (ranks, stacks) = (5, 2);
    let (game, layers) = build(ranks, stacks);
    let table = table(&game, &layers);
    let options = |look_ahead| Options { keep: 1 << 20, look_ahead, ..Options::default() };
    let (mut far, mut near) = (player(ranks, stacks, options(1)), player(ranks, stacks, options(0)));
    let mut compared = 0;
    for (position, rank) in advised(&mut near, &table, 12, 10, 6) {
        for play in advise(&mut far, &table, &position, rank) {
            let left = play.position.left;
            if play.value <= LAST_HOPE || left.iter().filter(|&&count| count > 0).count() < 2 {
                continue;
            }
            let mut sum = 0.0;
            for card in (1..=ranks as u8).flat_map(|rank| std::iter::repeat_n(rank, left[usize::from(rank)].into())) {
                let mut drawn = play.position.clone();
                drawn.draw(card);
                let replies = advise(&mut near, &table, &drawn, card);
                sum += replies.iter().map(|reply| reply.value).fold(0.0, f64::max);
            }
            assert!((play.value - sum / f64::from(play.position.pile)).abs() < 1e-9, "{:?}", play.position);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Where nothing but last hopes is left, a position is worth the best of them: they do not add up.
#[test]
fn last_hopes_are_no_chances() {
    let (game, layers) = build(5, 1);
    let table = table(&game, &layers);
    let mut player = player(5, 1, Options { worth: Worth::Norm(2.0), ..Options::default() });
    let mut several = 0;
    for (position, rank) in advised(&mut player, &table, 13, 20, 8) {
        for play in advise(&mut player, &table, &position, rank) {
            if let Some(best) = play.list.first().filter(|best| best.value <= LAST_HOPE) {
                assert_eq!(play.value, best.value, "{position:?}");
                several += usize::from(play.list.len() > 1);
            }
        }
    }
    assert!(several > 100, "{several}");
}

/// No position is reached twice, though moves can be made in any order, and of empty stacks one stands for all.
#[test]
fn plays_that_come_to_the_same_are_one() {
    let (ranks, stacks) = (5, 3);
    let (game, layers) = build(ranks, stacks);
    let table = table(&game, &layers);
    let mut player = player(ranks, stacks, Options { keep: 5, ..Options::default() });
    // The first cards of three foundations lie on three stacks; that of the fourth is drawn.
    let rules = Rules::new(ranks, stacks).unwrap();
    let tops: Vec<Vec<u8>> = (0..stacks).map(|f| vec![rules.rank_at(f, 0)]).collect();
    let mut position = rules.position(&[0; 4], &tops).unwrap();
    let drawn = rules.rank_at(3, 0);
    position.draw(drawn);
    let plays = advise(&mut player, &table, &position, drawn);
    let marks: HashSet<_> = plays.iter().map(|play| play.position.mark()).collect();
    assert_eq!(marks.len(), plays.len());
    // Each of the cards can go up at once, alone or after others.
    assert!(plays.len() > 1 << stacks, "{}", plays.len());
    let mut empty = rules.start();
    empty.draw(drawn);
    let plays = advise(&mut player, &table, &empty, drawn);
    assert_eq!(plays.len(), 2);
}

/// A foundation's very first card can't wait on a stack for it: no board of a table has that many cards in the pile.
#[test]
fn a_foundation_s_first_card_is_not_stacked_for_it() {
    let (ranks, stacks) = (5, 2);
    let (game, layers) = build(ranks, stacks);
    let table = table(&game, &layers);
    let mut player = player(ranks, stacks, Options::default());
    for first in 0..4 {
        let card = player.rules.rank_at(first, 0);
        let position = player.rules.position(&[0; 4], &[vec![card], vec![]]).unwrap();
        for target in 0..4 {
            let mut targets = Targets::default();
            targets[0][target] = 1;
            let found = player.estimate(&table, &position, &targets).unwrap();
            assert_eq!(found.is_some(), target != first, "card {card} for foundation {target}");
        }
    }
}

/// Where a pair is in no table and too large to be worked out, it is worth the product of its boards.
#[test]
fn a_pair_that_is_unknown_is_its_boards_product() {
    let ranks = 5;
    let game = TwoBoards::new(2, 2, ranks - 1).unwrap();
    let table = nothing(&game, ranks);
    let value = |state: State, exact_cards: usize| {
        let mut nodes = Nodes::new(2, Edges::All, exact_cards);
        let node = nodes.node(Some(state));
        nodes.settle(&table).unwrap();
        nodes.value(node)
    };
    for (a, b) in [(3, 4), (4, 3), (4, 4)] {
        let [one, other] = [a, b].map(|cards| value(State::start(cards, 0), 24));
        assert!(one < 1.0 && other < 1.0);
        assert!((value(State::start(a, b), 0) - one * other).abs() < 1e-6);
        assert!((value(State::start(a, b), 24) - one * other).abs() > 1e-6, "together they are not independent");
    }
}
