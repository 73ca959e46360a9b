//! States of the stack game for the cards of one or two rows.
use super::order::Row;
use crate::stackgame::width2::MAX_STACKS;
use crate::stackgame::width2::State;

/// The state of the cards of two rows that are in the pile: `chains` has a bit for each place. `first`: for each place of either
/// row the first place of the other that must leave later. `tops`: what must leave with or after the top card of each stack,
/// a place in either row. None: it is dead.
pub fn of_two_rows(first: (&Row, &Row), chains: (u16, u16), tops: &[(u8, u8)]) -> Option<State> {
    let (a, b) = (chains.0.count_ones(), chains.1.count_ones());
    // Read from the last card on, a card of x comes after all cards of x that follow it, and after all cards of y
    // that must wait for it: those are the first steps of y. A step of y is a bit.
    let upper = !at(chains.0, chains.1, first.0) & !(u32::MAX << (a + b));
    let lower = at(chains.1, chains.0, first.1);
    let mut marks = [(0, 0); MAX_STACKS];
    for (mark, &(i, j)) in marks.iter_mut().zip(tops) {
        *mark = (before(chains.0, i), before(chains.1, j));
    }
    let state = State { a: a as u8, b: b as u8, upper, lower, marks };
    (!state.is_dead(tops.len())).then_some(state)
}

/// The state of a single row.
pub fn of_row(chain: u16, tops: &[u8]) -> Option<State> {
    let a = chain.count_ones() as u8;
    let mut marks = [(0, 0); MAX_STACKS];
    for (mark, &i) in marks.iter_mut().zip(tops) {
        *mark = (before(chain, i), 0);
    }
    let state = State { a, b: 0, upper: 0, lower: 0, marks };
    (!state.is_dead(tops.len())).then_some(state)
}

/// Cards of a chain before a place.
#[inline(always)]
fn before(chain: u16, place: u8) -> u8 {
    (chain & !(u16::MAX << place)).count_ones() as u8
}

/// A bit for each card of a chain: how many cards of it come later, and how many of the other chain must wait for it.
#[inline(always)]
fn at(chain: u16, other: u16, first: &Row) -> u32 {
    let (mut left, mut later, mut bits) = (chain, 0, 0);
    while left != 0 {
        let last = 15 - left.leading_zeros();
        bits |= 1 << (later + (other >> first[last as usize & 15]).count_ones());
        left ^= 1 << last;
        later += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calculation::order::{NONE, Order};
    use crate::calculation::rules::FOUNDATIONS;
    use crate::rng::Stream;

    /// Cards of two rows go on stacks by chance: what is left is the state of the order that all of them make.
    #[test]
    fn states_are_those_of_the_order_of_all_cards() {
        let mut compared = 0;
        for (stacks, game) in (2..=5).flat_map(|stacks| (0..300).map(move |game| (stacks, game))) {
            let mut stream = Stream::new(3, game);
            let mut order = Order::new();
            let mut chains = [0x1fff, 0x1fff];
            let mut piles: Vec<Vec<(usize, u8)>> = vec![Vec::new(); stacks];
            for _ in 0..stream.below(20) {
                let row = stream.below(2) as usize;
                let place = stream.below(13) as u8;
                let pile = &mut piles[stream.below(stacks as u32) as usize];
                let on = pile.last().map_or([NONE; FOUNDATIONS], |&(b, r)| order.up(b, r));
                if chains[row] >> place & 1 == 1 && on[row] > place {
                    order.put(row, place, on);
                    chains[row] ^= 1 << place;
                    pile.push((row, place));
                }
            }
            let left: Vec<(usize, u8)> = (0..26)
                .map(|n| (n / 13, (n % 13) as u8))
                .filter(|&(row, place)| chains[row] >> place & 1 == 1)
                .collect();
            if left.len() > 24 {
                continue;
            }
            let before: Vec<u32> = left
                .iter()
                .map(|&(row, place)| {
                    let is_before = |&(b, r): &(usize, u8)| (b, r) != (row, place) && order.up(b, r)[row] <= place;
                    (0..left.len()).filter(|&n| is_before(&left[n])).map(|n| 1 << n).sum()
                })
                .collect();
            let tops: Vec<[u8; FOUNDATIONS]> =
                piles.iter().map(|pile| pile.last().map_or([NONE; FOUNDATIONS], |&(b, r)| order.up(b, r))).collect();
            let forbidden: Vec<u8> = left
                .iter()
                .map(|&(row, place)| (0..stacks).filter(|&s| tops[s][row] <= place).map(|s| 1 << s).sum())
                .collect();
            let two: Vec<(u8, u8)> = tops.iter().map(|top| (top[0], top[1])).collect();
            let found = of_two_rows((order.first(0, 1), order.first(1, 0)), (chains[0], chains[1]), &two);
            let (expected, chain_a, _) = State::from_order(&before, &forbidden, stacks).unwrap();
            // Within each stretch the order does not say which chain is which.
            if chain_a.iter().all(|&card| left[card].0 == 0) && chain_a.len() == chains[0].count_ones() as usize {
                assert_eq!(found, (!expected.is_dead(stacks)).then_some(expected));
                compared += 1;
            }
        }
        assert!(compared > 500);
    }
}
