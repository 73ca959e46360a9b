//! Worlds of all kinds: whole, blind to what is hidden, and as likely as they should be.
use super::super::cards::{ALL, Cards, D3, JOKER, at_column, columns, strongest_cards};
use super::super::dice::Dice;
use super::super::features::WEIGHTS_COUNT;
use super::super::game::{Game, Setting};
use super::super::knowledge::{Before, Gifts, Knowledge, Turn};
use super::super::players::Player;
use super::super::policy::Learnt;
use super::super::position::{Hands, Position};
use super::super::table::PLAYERS;
use super::he::{CLASSES_COUNT, HeTable, ITEMS_COUNT};
use super::*;
use crate::search::Clock;
use crate::sets::cards_of;
use proptest::prelude::*;
use std::collections::HashMap;

fn he(probability: impl Fn(usize) -> f64) -> Generator {
    let row: [f64; ITEMS_COUNT] = std::array::from_fn(probability);
    Generator::He(Arc::new(HeTable::new(&[row; CLASSES_COUNT], &[100; CLASSES_COUNT]).unwrap()))
}

fn reject(policy: Policy) -> Generator {
    Generator::Reject(policy, 8)
}

/// A policy with weights of nothing in particular.
fn learnt(passes: bool) -> Policy {
    let mut dice = Dice::new(4);
    let weights: Vec<f32> = (0..WEIGHTS_COUNT).map(|_| dice.unit() as f32 - 0.5).collect();
    Policy::Learnt(Arc::new(Learnt::new(&weights, passes).unwrap()))
}

fn chain(swaps_count: u32) -> Generator {
    Generator::Chain(Policy::Rule, swaps_count)
}

fn all() -> Vec<Generator> {
    let table = he(|item| (item % 5) as f64 / 5.0);
    vec![
        Generator::Rand,
        Generator::RandD,
        Generator::RandDr,
        Generator::KnownD,
        table,
        Generator::Exchange,
        reject(Policy::Rule),
        reject(Policy::Uniform),
        reject(learnt(true)),
        Generator::Chain(learnt(false), 4),
        chain(4),
    ]
}

/// A game of rule-based players up to a turn: the position, and the turns before it.
pub fn situation(index: u64, before: Option<Before>, turns_count: usize) -> (Game, Position, Vec<Turn>) {
    let mut players: [Player; PLAYERS] = std::array::from_fn(|_| Player::Rule(Box::default()));
    let mut never = || false;
    let mut game = Game::default();
    let setting = Setting { seed: 9, index, seats: [0, 1, 2, 3, 4], before };
    game.play(&setting, &mut players, None, &mut Clock::new(0.0, &mut never)).unwrap();
    let turns_count = turns_count % game.turns.len();
    let mut position = Position::start(game.hands);
    for turn in &game.turns[..turns_count] {
        position.play(&turn.play);
    }
    let turns = game.turns[..turns_count].to_vec();
    (game, position, turns)
}

/// What a seat knows in a position.
pub fn knowledge<'a>(
    game: &Game,
    before: Option<Before>,
    position: &Position,
    turns: &'a [Turn],
    seat: u8,
) -> Knowledge<'a> {
    Knowledge {
        seat,
        hand: position.hands[usize::from(seat)],
        counts: position.hands.map(|hand| hand.count_ones() as u8),
        gone: turns.iter().fold(0, |cards, turn| cards | turn.play.cards),
        table: position.table,
        turns,
        leader: Some(game.leader()),
        before,
        gifts: game.gifts[usize::from(seat)],
    }
}

fn any_before() -> impl Strategy<Value = Option<Before>> {
    proptest::option::of(Just([0, 1, 2, 3, 4]).prop_shuffle())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn worlds_are_whole_and_honour_what_is_known(index in 0u64..1000, before in any_before(), turns in 0usize..90) {
        let (game, position, turns) = situation(index, before, turns);
        let knowledge = knowledge(&game, before, &position, &turns, position.table.turn);
        prop_assert_eq!(knowledge.check(), Ok(()));
        let mut dice = Dice::new(index);
        for (number, generator) in all().iter().enumerate() {
            let mut worlds = Worlds::new(generator, &knowledge);
            for _ in 0..5 {
                let hands = worlds.deal(&mut dice);
                for seat in 0..PLAYERS {
                    let count = if seat == usize::from(knowledge.seat) { 0 } else { knowledge.counts[seat].into() };
                    prop_assert_eq!(hands[seat].count_ones(), count, "generator {}", number);
                }
                prop_assert_eq!(hands.iter().fold(0, |cards, hand| cards | hand), knowledge.unseen());
            }
        }
        // What is known for sure is true, and kept.
        for (generator, asks_rest) in [(Generator::KnownD, false), (Generator::Exchange, true), (chain(4), true)] {
            let hands = Worlds::new(&generator, &knowledge).deal(&mut dice);
            if let Some((partner, sure, rest)) = knowledge.exchanged() {
                for hand in [hands[usize::from(partner)], position.hands[usize::from(partner)]] {
                    prop_assert_eq!(hand & sure, sure);
                    prop_assert!(!asks_rest || hand & !(sure | rest) == 0);
                }
            }
            if let Some(leader) = knowledge.has_d3() {
                prop_assert!(hands[usize::from(leader)] & D3 != 0 && position.hands[usize::from(leader)] & D3 != 0);
            }
        }
    }

    /// Whoever of the others has a card: a generator makes the same worlds of the same dice.
    #[test]
    fn no_leak(index in 0u64..1000, before in any_before(), turns in 0usize..90, swaps in any::<[(u8, u8); 20]>()) {
        let (game, mut position, turns) = situation(index, before, turns);
        let seat = position.table.turn;
        let worlds_of = |position: &Position| -> Vec<Hands> {
            let knowledge = knowledge(&game, before, position, &turns, seat);
            let mut found = Vec::new();
            for generator in all() {
                let mut worlds = Worlds::new(&generator, &knowledge);
                let mut dice = Dice::of(index, 1);
                found.extend((0..3).map(|_| worlds.deal(&mut dice)));
            }
            found
        };
        let then = worlds_of(&position);
        let others: Vec<usize> = (0..PLAYERS).filter(|&other| other != usize::from(seat)).collect();
        for (one, two) in swaps {
            let (from, to) = (others[usize::from(one) % 4], others[usize::from(two) % 4]);
            let (given, taken) = (position.hands[from], position.hands[to]);
            if from != to && given != 0 && taken != 0 {
                let (given, taken) = (given & given.wrapping_neg(), taken & taken.wrapping_neg());
                position.hands[from] ^= given | taken;
                position.hands[to] ^= given | taken;
            }
        }
        prop_assert_eq!(then, worlds_of(&position));
    }
}

/// A small end: seat 0 asks, the others have `hands`.
fn small(own: Cards, hands: [Cards; 4], before: Option<Before>, gifts: Gifts) -> Knowledge<'static> {
    let hands = [own, hands[0], hands[1], hands[2], hands[3]];
    let mut position = Position::start(hands);
    position.table.turn = 0;
    position.table.alive = hands.iter().enumerate().fold(0, |seats, (seat, &hand)| seats | u8::from(hand != 0) << seat);
    position.table.active = position.table.alive;
    let found = Knowledge {
        seat: 0,
        hand: own,
        counts: hands.map(|hand| hand.count_ones() as u8),
        gone: ALL & !hands.iter().fold(0, |cards, hand| cards | hand),
        table: position.table,
        turns: &[],
        leader: None,
        before,
        gifts,
    };
    assert_eq!(found.check(), Ok(()));
    found
}

fn frequencies(generator: &Generator, knowledge: &Knowledge<'_>, count: u32) -> HashMap<Hands, f64> {
    let mut worlds = Worlds::new(generator, knowledge);
    let mut dice = Dice::new(11);
    let mut found = HashMap::new();
    for _ in 0..count {
        *found.entry(worlds.deal(&mut dice)).or_insert(0.0) += 1.0 / f64::from(count);
    }
    found
}

const SMALL: [Cards; 4] = [0b11 << 8, 0b111 << 20, 0, 1 << 51];

#[test]
fn rand_is_uniform() {
    let found = frequencies(&Generator::Rand, &small(0xf, SMALL, None, Gifts::default()), 60_000);
    // 6! / (2! 3! 1!)
    assert_eq!(found.len(), 60);
    assert!(found.values().all(|share| (share * 60.0 - 1.0).abs() < 0.15));
}

#[test]
fn rand_d_gives_each_with_room_the_strongest_card() {
    let knowledge = small(0xf, SMALL, None, Gifts::default());
    let share = |revolution: bool, card: Cards, seat: usize| -> f64 {
        let mut knowledge = knowledge;
        knowledge.table.field.revolution = revolution;
        let found = frequencies(&Generator::RandD, &knowledge, 30_000);
        found.iter().filter(|(hands, _)| hands[seat] & card != 0).map(|(_, share)| share).sum()
    };
    for seat in [1, 2, 4] {
        assert!((share(false, 1 << 51, seat) - 1.0 / 3.0).abs() < 0.02);
        // In a revolution the 5s are the strongest here, of these the higher suit.
        assert!((share(true, 1 << 9, seat) - 1.0 / 3.0).abs() < 0.02);
    }
    // Where there is one place only, the weakest card is rare: all of the five before went elsewhere.
    assert!(share(false, 1 << 8, 4) < 0.01 + (2.0f64 / 3.0).powi(2) * 0.5f64.powi(2));
    assert!(share(false, 1 << 8, 2) > 0.5);
}

#[test]
fn rand_dr_favours_the_first_three() {
    let hands = [0b1111 << 8, 0b111 << 20, 1 << 40, at_column(15, 13)];
    // Seat 4 was the first, seat 2 the second, the asking one the third; seats 1 and 3 the last ones.
    let knowledge = small(0xf, hands, Some([4, 2, 0, 1, 3]), Gifts::default());
    let top = strongest_cards(knowledge.unseen(), 5);
    let found = frequencies(&Generator::RandDr, &knowledge, 20_000);
    assert!(found.keys().all(|hands| (hands[4] & top).count_ones() == 3 && (hands[2] & top).count_ones() == 2));
    let share =
        |card: Cards| -> f64 { found.iter().filter(|(hands, _)| hands[4] & card != 0).map(|(_, share)| share).sum() };
    assert!((share(1 << 51) - 0.6).abs() < 0.02 && (share(1 << 40) - 0.6).abs() < 0.02);
    // Without ranks it is Rand/D.
    let knowledge = Knowledge { before: None, ..knowledge };
    let pair = [&Generator::RandDr, &Generator::RandD].map(|generator| frequencies(generator, &knowledge, 500));
    assert_eq!(pair[0], pair[1]);
}

#[test]
fn exchange_is_uniform_among_what_is_possible() {
    // Seat 0 was the first: it got a K from seat 4, the last, and gave it the first of the two cards.
    let (got, given) = (at_column(3, 11), at_column(1, 2) | at_column(1, 13));
    let hands = [at_column(3, 12), at_column(3, 3), 0, given | at_column(3, 9)];
    let knowledge = small(0xf, hands, Some([0, 1, 2, 3, 4]), Gifts { gave: given, got });
    let found = frequencies(&Generator::Exchange, &knowledge, 60_000);
    // Two of the four cards below the K, the others wherever.
    assert_eq!(found.len(), 6 * 6);
    assert!(found.keys().all(|hands| hands[4] & given == given && hands[4] & columns(12, 13) & !given == 0));
    assert!(found.values().all(|share| (share * 36.0 - 1.0).abs() < 0.12));
}

#[test]
fn he_follows_its_table() {
    // Seat 1 has three cards, seat 4 one: ranks 5 (two cards), 9 (one) and 2 (one), and the joker.
    let hands = [0b11 << 8 | 1 << 24, 0, 0, 1 << 48 | JOKER];
    let knowledge = small(0xf, [hands[0], 0, 0, hands[3]], None, Gifts::default());
    // Always a pair; else only 9s.
    let found = frequencies(&he(|item| if item == 13 || item == 6 { 1.0 } else { 0.0 }), &knowledge, 2_000);
    // Seat 4 has two cards and comes first: the pair of 5s. Nothing is left but single cards for seat 1.
    assert!(found.keys().all(|hands| hands[4] == 0b11 << 8 && hands[1] & (1 << 24) != 0));
    // Never a pair, 2s three times as often as 5s; the joker goes to who is left with it.
    let table = he(|item| [0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.6, 0.0, 0.0][item]);
    let found = frequencies(&table, &knowledge, 40_000);
    assert!(found.keys().all(|hands| hands[1] & JOKER != 0 && hands[4].count_ones() == 2));
    let share: f64 = found.iter().filter(|(hands, _)| hands[4] & 1 << 48 != 0).map(|(_, share)| share).sum();
    // First 2 (3/4), or a 5 first (1/4) and then the 2 rather than the other 5 (3/4).
    assert!((share - (0.75 + 0.25 * 0.75)).abs() < 0.01, "{share}");
}

#[test]
fn he_tables_of_a_wrong_shape_are_refused() {
    let rows = [[0.5; ITEMS_COUNT]; CLASSES_COUNT];
    assert!(HeTable::new(&rows[1..], &[1; CLASSES_COUNT]).is_err());
    assert!(HeTable::new(&rows, &[0; CLASSES_COUNT]).is_err());
    assert!(HeTable::new(&[[1.5; ITEMS_COUNT]; CLASSES_COUNT], &[1; CLASSES_COUNT]).is_err());
    assert!(HeTable::new(&rows, &[1; CLASSES_COUNT]).is_ok());
}

#[test]
fn turns_tell_of_the_true_hands() {
    let mut dice = Dice::new(2);
    let mut right = [0; 4];
    for index in 0..150 {
        let (game, position, turns) = situation(index, None, 40);
        let knowledge = knowledge(&game, None, &position, &turns, position.table.turn);
        let generators = [Generator::Exchange, reject(Policy::Uniform), reject(Policy::Rule), chain(8)];
        for (right, generator) in right.iter_mut().zip(&generators) {
            let mut worlds = Worlds::new(generator, &knowledge);
            for _ in 0..20 {
                let hands = worlds.deal(&mut dice);
                *right += (0..PLAYERS).map(|seat| (hands[seat] & position.hands[seat]).count_ones()).sum::<u32>();
            }
        }
    }
    let least = [100, 101, 105, 110];
    assert!(right.iter().zip(least).all(|(&count, least)| count >= right[0] * least / 100), "{right:?}");
}

/// All hands of the others that the numbers of cards allow.
fn all_worlds(knowledge: &Knowledge<'_>) -> Vec<Hands> {
    let mut found: Vec<Hands> = vec![[0; PLAYERS]];
    for card in cards_of(knowledge.unseen()) {
        let mut more = Vec::new();
        for hands in found {
            for seat in knowledge.others().map(usize::from) {
                if hands[seat].count_ones() < u32::from(knowledge.counts[seat]) {
                    let mut hands = hands;
                    hands[seat] |= card;
                    more.push(hands);
                }
            }
        }
        found = more;
    }
    found
}

#[test]
fn the_chain_comes_to_worlds_as_often_as_they_are_likely() {
    let mut compared = 0;
    for index in 0..100 {
        let before = (index % 2 == 0).then_some([4, 2, 0, 1, 3]);
        let (game, position, turns) = situation(index, before, 40 + index as usize % 20);
        let knowledge = knowledge(&game, before, &position, &turns, position.table.turn);
        if knowledge.unseen().count_ones() > 9 {
            continue;
        }
        let mut likelihood = likelihood::Likelihood::new(&knowledge, &Policy::Rule);
        let mut worlds = all_worlds(&knowledge);
        if let Some((partner, sure, rest)) = knowledge.exchanged() {
            worlds.retain(|hands| {
                let hand = hands[usize::from(partner)];
                hand & sure == sure && hand & !(sure | rest) == 0
            });
        }
        if let Some(leader) = knowledge.has_d3() {
            worlds.retain(|hands| hands[usize::from(leader)] & D3 != 0);
        }
        if likelihood.is_blind() || !(4..=200).contains(&worlds.len()) {
            continue;
        }
        let shares: Vec<f64> = worlds.iter().map(|hands| likelihood.of_all(hands)).collect();
        let total: f64 = shares.iter().sum();
        let found = frequencies(&chain(2), &knowledge, 40_000);
        let off: f64 = worlds
            .iter()
            .zip(&shares)
            .map(|(hands, share)| (found.get(hands).copied().unwrap_or(0.0) - share / total).abs())
            .sum();
        assert!(off < 0.08, "game {index}: off by {off} in {} worlds", worlds.len());
        compared += 1;
    }
    assert!(compared >= 5, "{compared}");
}
