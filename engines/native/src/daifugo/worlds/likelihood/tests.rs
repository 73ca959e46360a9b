//! Factors of single turns, of games whose players are known.
use super::super::super::game::Game;
use super::super::super::knowledge::Turn;
use super::super::super::legal::legal_plays;
use super::super::super::position::Position;
use super::super::tests::{knowledge, situation};
use super::*;

/// What each turn of the others adds to the likelihood of the hand that its player has, for all turns of a game: the
/// factor, the legal plays that there were, the turn.
fn factors(game: &Game, policy: &Policy) -> Vec<(f64, usize, Turn)> {
    let mut position = Position::start(game.hands);
    let mut likely = [1.0; PLAYERS];
    let mut found = Vec::new();
    for (number, turn) in game.turns.iter().enumerate() {
        let seat = usize::from(turn.seat);
        let legal = legal_plays(position.hands[seat], &position.table.field);
        position.play(&turn.play);
        if position.hands[seat] == 0 {
            continue;
        }
        let other = (turn.seat + 1) % PLAYERS as u8;
        let knowledge = knowledge(game, None, &position, &game.turns[..=number], other);
        let now = Likelihood::new(&knowledge, policy).of(seat, position.hands[seat], 0.0);
        found.push((now / likely[seat], legal.len(), *turn));
        likely[seat] = now;
    }
    found
}

#[test]
fn true_hands_explain_the_turns_of_rule_based_players() {
    for index in 0..60 {
        let (game, ..) = situation(index, None, 0);
        for (factor, _, turn) in factors(&game, &Policy::Rule) {
            // Three turns of ten are taken to be odd ones, and these are none.
            assert!(factor > 0.7 - 1e-9, "{factor} for {turn:?} of game {index}");
        }
    }
}

#[test]
fn a_pass_tells_nothing_of_who_could_not_play() {
    let mut seen = [0; 2];
    for index in 0..20 {
        let (game, ..) = situation(index, None, 0);
        for (factor, count, turn) in factors(&game, &Policy::Uniform) {
            if turn.play.is_pass() {
                let expected = if count == 0 { 1.0 } else { 0.3 };
                assert!((factor - expected).abs() < 1e-9, "{factor} for {turn:?} of game {index}");
                seen[usize::from(count > 0)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}
