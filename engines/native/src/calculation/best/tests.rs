//! The search against a count that leaves nothing out.
use super::game::Game;
use super::position::Position;
use super::search::Search;
use super::values::Values;
use crate::calculation::rules::{self, DRAWN, FOUNDATIONS, TO_STACK};
use crate::rng::Stream;
use crate::search::{Clock, Context, Limits};
use std::collections::HashMap;

/// By the rules alone: all that may follow a draw, the best of it, for each rank.
fn counted(game: &Game, position: &rules::Position, known: &mut HashMap<u128, u64>) -> u64 {
    if position.pile == 0 {
        return u64::from(position.is_won(&game.rules));
    }
    let key = Position::new(position).key(game);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let mut wins = 0;
    for rank in (1..=game.rules.ranks as u8).filter(|&rank| position.left[usize::from(rank)] > 0) {
        let mut drawn = position.clone();
        drawn.draw(rank);
        let mut open: Vec<rules::Position> = (0..FOUNDATIONS as u8)
            .filter(|&f| game.rules.fits(position, f.into(), rank))
            .chain((0..game.rules.stacks as u8).map(|s| TO_STACK + s))
            .map(|to| after(&drawn, [DRAWN, to], rank))
            .collect();
        let mut best = 0;
        while let Some(next) = open.pop() {
            best = best.max(counted(game, &next, known));
            open.extend(game.rules.movable(&next).map(|(s, f)| after(&next, [s as u8, f as u8], 0)));
        }
        wins += best;
    }
    known.insert(key, wins);
    wins
}

fn after(position: &rules::Position, play: [u8; 2], drawn: u8) -> rules::Position {
    let mut next = position.clone();
    next.make(play, drawn);
    next
}

fn searched(game: &Game, position: &rules::Position) -> u64 {
    let mut never = || false;
    let mut context = Context::new(Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) });
    let mut values = Values::new(&mut context.budget).expect("no limit");
    Search { game, values: &mut values, context: &mut context }.wins(&Position::new(position)).expect("no limit")
}

/// A position after so many draws, played by chance, to a foundation rather than to a stack.
fn played(game: &Game, draws: usize, stream: &mut Stream) -> rules::Position {
    let mut position = game.rules.start();
    for _ in 0..draws {
        let in_pile: Vec<u8> = (1..=game.rules.ranks as u8)
            .flat_map(|rank| std::iter::repeat_n(rank, position.left[usize::from(rank)].into()))
            .collect();
        let rank = in_pile[stream.below(in_pile.len() as u32) as usize];
        let to = (0..FOUNDATIONS as u8).find(|&f| game.rules.fits(&position, f.into(), rank));
        let to = to.unwrap_or_else(|| TO_STACK + stream.below(game.rules.stacks as u32) as u8);
        position.draw(rank);
        position.make([DRAWN, to], rank);
        loop {
            let movable = game.rules.movable(&position).next();
            let Some((s, f)) = movable.filter(|_| stream.below(4) > 0) else { break };
            position.make([s as u8, f as u8], 0);
        }
    }
    position
}

#[test]
fn nothing_is_left_out_that_counts() {
    let mut stream = Stream::new(5, 0);
    let mut some = [0; 3];
    for (ranks, stacks) in (4..=5).flat_map(|ranks| (1..=2).map(move |stacks| (ranks, stacks))) {
        let game = Game::new(ranks, stacks).expect("a game");
        for _ in 0..12 {
            let position = played(&game, FOUNDATIONS * ranks - 5, &mut stream);
            let wins = searched(&game, &position);
            assert_eq!(wins, counted(&game, &position, &mut HashMap::new()), "{position:?}");
            let orders = game.orders(&Position::new(&position).left);
            some[usize::from(wins > 0) + usize::from(wins == orders)] += 1;
        }
    }
    assert!(some.iter().all(|&count| count > 0), "lost, neither, won: {some:?}");
}

#[test]
fn fewer_stacks_never_win_as_many_as_ranks_less_one() {
    for (ranks, wins) in [(4, 63_063_000), (5, 305_540_235_000)] {
        let game = Game::new(ranks, ranks - 1).expect("a game");
        assert_eq!(searched(&game, &game.rules.start()), wins);
    }
}

#[test]
fn games_of_four_and_five_ranks_have_three_other_names() {
    let count = |ranks| Game::new(ranks, 1).map(|game| game.renamings.len()).ok();
    assert_eq!([4, 5, 6, 7].map(count), [Some(3), Some(3), Some(0), None]);
}
