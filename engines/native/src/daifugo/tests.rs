//! Legal plays against their definition, tried one by one.
use super::cards::{Cards, JOKER, NATURALS, S3};
use super::dice::Dice;
use super::field::Field;
use super::legal::{Families, legal_plays};
use super::play::{Kind, LONE_JOKER, PASS, Play};
use proptest::prelude::*;

/// Whether a play of the hand beats the field, by the words of the rules.
fn beats(play: &Play, field: &Field) -> bool {
    let top = &field.top;
    match top.kind {
        Kind::Pass => true,
        Kind::Joker => play.cards == S3,
        Kind::Single if *play == LONE_JOKER => true,
        _ => {
            let (low, high) = if field.revolution { (play, top) } else { (top, play) };
            play.kind == top.kind
                && play.size == top.size
                && (field.lock == 0 || play.suits == field.lock)
                && low.last_column() < high.column
        }
    }
}

/// All sets of natural cards that could be part of a play, with every place of a joker.
fn by_definition(hand: Cards, field: &Field) -> Vec<Play> {
    let mut sets = vec![0];
    for column in 1..=13 {
        sets.extend((1..16).map(|suits| super::cards::at_column(suits, column)));
    }
    for suit in 0..4 {
        for first in 0..13 {
            for size in 2..=13 - first {
                let run: Cards = (first..first + size).map(|column| 1 << (4 * column + suit)).sum();
                sets.push(run);
                // A gap for the joker.
                sets.extend((first + 1..first + size - 1).map(|column| run & !(1 << (4 * column + suit))));
            }
        }
    }
    sets.sort_unstable();
    sets.dedup();
    let mut found = Vec::new();
    for natural in sets.into_iter().filter(|natural| hand & natural == *natural) {
        found.extend(Play::new(natural, -1));
        if hand & JOKER != 0 {
            found.extend((-1..60).filter_map(|stands| Play::new(natural | JOKER, stands)));
        }
    }
    found.retain(|play| !play.is_pass() && beats(play, field));
    found
}

fn sorted(mut plays: Vec<Play>) -> Vec<(Cards, i8)> {
    plays.sort_unstable_by_key(|play| (play.cards, play.stands));
    plays.iter().map(|play| (play.cards, play.stands)).collect()
}

/// A hand of about `share` of the cards, and a field that another such hand's play made.
fn any_case() -> impl Strategy<Value = (Cards, Field)> {
    (any::<u64>(), 3u32..=14).prop_map(|(seed, size)| {
        let mut dice = Dice::new(seed);
        let mut hand_of = |size: u32| -> Cards {
            let mut cards = if dice.below(2) == 0 { JOKER } else { 0 };
            // Half of the hands have few columns or one suit only, so that groups and sequences are common.
            let from = match dice.below(4) {
                0 => super::cards::columns(1 + dice.below(9) as u8, 5 + dice.below(9) as u8),
                1 => super::cards::of_suits(1 << dice.below(4)),
                _ => NATURALS,
            };
            let size = size.min(from.count_ones());
            while cards.count_ones() < size {
                cards |= from & 1 << dice.below(52);
            }
            cards
        };
        let (hand, other) = (hand_of(size), hand_of(10));
        let mut field = Field { revolution: dice.below(2) == 0, ..Field::START };
        let plays = legal_plays(other, &field);
        if dice.below(5) > 0 && !plays.is_empty() {
            // Not each play as likely, but each kind and size.
            let kind = plays[dice.below(plays.len() as u32) as usize].kind;
            let sizes: Vec<u8> = plays.iter().filter(|play| play.kind == kind).map(|play| play.size).collect();
            let size = sizes[dice.below(sizes.len() as u32) as usize].min(3 + dice.below(9) as u8);
            let mut plays = plays;
            plays.retain(|play| play.kind == kind && play.size == size);
            if !plays.is_empty() {
                field.top = plays[dice.below(plays.len() as u32) as usize];
                field.lock = if dice.below(3) == 0 { field.top.suits } else { 0 };
            }
        }
        (hand, field)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn legal_plays_are_those_of_the_definition((hand, field) in any_case()) {
        let found = legal_plays(hand, &field);
        for play in &found {
            // What a play is made with is what follows from its two numbers.
            let again = Play::new(play.cards, play.stands).unwrap();
            prop_assert_eq!(
                (play.kind, play.size, play.column, play.suits),
                (again.kind, again.size, again.column, again.suits)
            );
        }
        prop_assert_eq!(sorted(found), sorted(by_definition(hand, &field)));
    }

    #[test]
    fn each_number_draws_one_play((hand, field) in any_case()) {
        let mut families = Families::default();
        families.list(hand, &field);
        let drawn: Vec<Play> = (0..families.plays_count()).map(|number| families.play(number)).collect();
        prop_assert_eq!(&drawn, &legal_plays(hand, &field));
        // Singles are drawn without a list: from the same plays, and all of them.
        let mut dice = Dice::new(hand);
        let mut seen = Vec::new();
        for _ in 0..if drawn.len() < 12 { 400 } else { 1 } {
            let play = families.draw(hand, &field, &mut dice);
            let fits = if drawn.is_empty() { play == PASS } else { drawn.contains(&play) };
            prop_assert!(fits);
            seen.push(play);
        }
        prop_assert!(drawn.len() >= 12 || drawn.iter().all(|play| seen.contains(play)));
    }
}

#[test]
fn whole_pack() {
    // 13 columns of 4 + 6 + 4 + 1 natural groups and 12 + 12 + 4 + 1 with the joker; the joker; sequences of a suit: 66
    // natural ones, and with the joker one for each card of them, of 3 cards or more, and those with it at an end.
    let sequences = 66 + (3..=13).map(|size| size * (14 - size)).sum::<usize>() + 2 * 12;
    assert_eq!(legal_plays(super::cards::ALL, &Field::START).len(), 13 * (15 + 29) + 1 + 4 * sequences);
}
