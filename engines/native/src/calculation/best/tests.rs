//! The search against a count that leaves nothing out.
use super::game::Game;
use super::position::Position;
use super::search::Search;
use super::values::Values;
use crate::calculation::rules::{self, DRAWN, FOUNDATIONS, Stack, TO_STACK};
use crate::rng::Stream;
use crate::search::{Clock, Context, Limits};
use std::collections::HashMap;

/// Compared, of each game.
const POSITIONS: u32 = 40;

/// Orders won, by heights and stacks.
type Known = HashMap<([u8; FOUNDATIONS], Vec<Vec<u8>>), u64>;

/// By the rules alone: all that may follow a draw, the best of it, for each rank. It shares nothing with the search but them.
fn counted(game: &Game, position: &rules::Position, known: &mut Known) -> u64 {
    if position.pile == 0 {
        return u64::from(position.is_won(&game.rules));
    }
    let key = (position.heights, position.stacks.iter().map(|stack| stack.cards().to_vec()).collect());
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

/// A position with so many cards in the pile. `eager`: of four cards that may go to a foundation, how many do.
fn played(game: &Game, left: usize, eager: u32, stream: &mut Stream) -> rules::Position {
    let mut position = game.rules.start();
    for _ in left..game.rules.cards() {
        let in_pile: Vec<u8> = (1..=game.rules.ranks as u8)
            .flat_map(|rank| std::iter::repeat_n(rank, position.left[usize::from(rank)].into()))
            .collect();
        let rank = in_pile[stream.below(in_pile.len() as u32) as usize];
        let fits = (0..FOUNDATIONS as u8).find(|&f| game.rules.fits(&position, f.into(), rank));
        let to = fits.filter(|_| stream.below(4) < eager);
        let to = to.unwrap_or_else(|| TO_STACK + stream.below(game.rules.stacks as u32) as u8);
        position.draw(rank);
        position.make([DRAWN, to], rank);
        loop {
            let movable = game.rules.movable(&position).next();
            let Some((s, f)) = movable.filter(|_| stream.below(4) < eager) else { break };
            position.make([s as u8, f as u8], 0);
        }
    }
    position
}

#[test]
fn nothing_is_left_out_that_counts() {
    let mut stream = Stream::new(5, 0);
    let (mut some, mut stacked_most) = ([0; 3], 0);
    for (ranks, stacks, left) in
        [(4, 1, 5), (4, 2, 4), (4, 3, 3), (5, 1, 5), (5, 2, 4), (5, 3, 2), (6, 1, 4), (6, 2, 3), (6, 3, 2)]
    {
        let game = Game::new(ranks, stacks).expect("a game");
        for n in 0..POSITIONS {
            let position = played(&game, left, n % 4 + 1, &mut stream);
            let wins = searched(&game, &position);
            assert_eq!(
                wins,
                counted(&game, &position, &mut Known::new()),
                "{:?} {:?}",
                position.heights,
                ranks_of(&position)
            );
            let orders = game.orders(&Position::new(&position).left);
            some[usize::from(wins > 0) + usize::from(wins == orders)] += 1;
            stacked_most = stacked_most.max(if wins > 0 { position.stacked() } else { 0 });
        }
    }
    assert!(some.iter().all(|&count| count > 20), "lost, neither, won: {some:?}");
    assert!(stacked_most >= 12, "{stacked_most}");
}

fn ranks_of(position: &rules::Position) -> Vec<&[u8]> {
    position.stacks.iter().map(Stack::cards).collect()
}

#[test]
fn a_position_that_may_be_reached_too_late_can_be_won_on_the_way() {
    let game = Game::new(5, 1).expect("a game");
    // With 3 2 1 on foundation 3 it waits for the 5. Before the next draw all is well; after it a 2 or 3 may lie on the 5.
    let position = game.rules.position(&[5, 1, 2, 1], &[vec![5, 1, 5, 4, 4, 5]]).expect("a position");
    assert_eq!(searched(&game, &position), 5);
    assert_eq!(counted(&game, &position, &mut Known::new()), 5);
}

#[test]
fn one_stack_less_than_ranks_is_enough_for_every_order() {
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
