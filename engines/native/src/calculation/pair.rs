//! One card of a two-board state on one stack, as the player asks for it, and such states from their rows.
use super::order::{NONE, Order};
use crate::stackgame::shape::MAX_STACKS;
use crate::stackgame::width2::{State, low_mask, without};

/// Which of two boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    A,
    B,
}

/// The state after card `i` of a chain went on `stack`. None: that is not allowed, or the result is dead.
pub fn put(state: &State, side: Side, i: usize, stack: usize, stacks: usize) -> Option<State> {
    let next = match side {
        Side::A => put_of_a(state, i as u8, stack, stacks)?,
        Side::B => put_of_a(&state.mirrored(), i as u8, stack, stacks)?.mirrored(),
    };
    (!next.is_dead(stacks)).then_some(next)
}

/// The state of the cards of two rows that are in the pile: `chains` has a bit for each place. `tops`: what must leave with or
/// after the top card of each stack, a place in either row. None: it is dead.
pub fn of_rows(order: &Order, (x, y): (usize, usize), chains: (u16, u16), tops: &[(u8, u8)]) -> Option<State> {
    let (a, b) = (chains.0.count_ones(), chains.1.count_ones());
    let (upper_first, lower_first) = (order.first(x, y), order.first(y, x));
    let (mut upper, mut lower) = (0, 0);
    // From the last card on; `of_x` and `of_y` hold what is left of either chain.
    let (mut of_x, mut of_y) = (chains.0, chains.1);
    for t in 0..a + b {
        // The last card of x leaves a B-step behind where it must leave before some of what is left of y.
        if of_x != 0 && of_y >> upper_first[last(of_x)] == 0 {
            of_x ^= 1 << last(of_x);
        } else {
            of_y ^= 1 << last(of_y);
            upper |= 1 << t;
        }
    }
    (of_x, of_y) = chains;
    for t in 0..a + b {
        if of_y != 0 && of_x >> lower_first[last(of_y)] == 0 {
            of_y ^= 1 << last(of_y);
            lower |= 1 << t;
        } else {
            of_x ^= 1 << last(of_x);
        }
    }
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
pub fn before(chain: u16, place: u8) -> u8 {
    (chain & !(u16::MAX << place)).count_ones() as u8
}

fn last(chain: u16) -> usize {
    NONE as usize - chain.leading_zeros() as usize
}

fn put_of_a(state: &State, i: u8, stack: usize, stacks: usize) -> Option<State> {
    let cards = state.cards() as u32;
    let (ti, tj) = state.marks[stack];
    if i >= ti {
        return None;
    }
    let nth = u32::from(state.a - 1 - i);
    let at = step(!state.upper, nth);
    // Where the upper path takes the step of column `i`, its height there.
    let height = (cards - 1 - at) as u8 - i;
    let shortened = without(state.upper, at);
    let lower = without(state.lower, step(!state.lower, nth));
    let mut next = State { a: state.a - 1, b: state.b, upper: shortened, lower, marks: state.marks };
    if height > tj {
        // As in `width2`: down to the cap at once, then along it.
        let down = u32::from(height - tj);
        let end = step(state.upper, u32::from(state.b - 1 - tj));
        let stretch = low_mask(end) & !low_mask(at);
        next.upper = (shortened & !stretch) | (low_mask(down) << at);
    }
    for mark in &mut next.marks[..stacks] {
        let below = mark.0 <= i;
        mark.1 = if below { mark.1.min(tj) } else { mark.1 };
        mark.0 -= u8::from(!below);
    }
    next.marks[stack] = (i, height.min(tj));
    Some(next)
}

/// The place of the `n`-th set bit, from 0.
fn step(mut path: u32, n: u32) -> u32 {
    for _ in 0..n {
        path &= path - 1;
    }
    path.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// Random games: every placement is that of the stack game's own moves.
    #[test]
    fn placements_are_those_of_the_stack_game() {
        for (stacks, game) in (2..=5).flat_map(|stacks| (0..60).map(move |game| (stacks, game))) {
            let mut stream = Stream::new(7, game);
            let mut state = State::start(1 + game as usize % 12, game as usize / 5);
            loop {
                let mut expected = Vec::new();
                state.successors(stacks, |card, stack, next| expected.push((card, stack, *next)));
                let mut live = 0;
                for (card, stack) in (0..state.cards()).flat_map(|c| (0..stacks).map(move |s| (c, s))) {
                    let a = usize::from(state.a);
                    let (side, i) = if card < a { (Side::A, card) } else { (Side::B, card - a) };
                    let found = put(&state, side, i, stack, stacks);
                    // The stack game has the board of the card first.
                    let found = found.map(|next| if side == Side::A { next } else { next.mirrored() });
                    // Of equal stacks the stack game has the first only.
                    if !state.marks[..stack].contains(&state.marks[stack]) {
                        assert_eq!(found, expected.iter().find(|e| (e.0, e.1) == (card, stack)).map(|e| e.2));
                        live += usize::from(found.is_some());
                    }
                }
                assert_eq!(live, expected.len());
                if expected.is_empty() {
                    break;
                }
                state = expected[stream.below(expected.len() as u32) as usize].2;
            }
        }
    }
}
