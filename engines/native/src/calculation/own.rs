//! The states of one or two rows by the cards of these rows alone.
use super::assignment::{Put, Targets};
use super::order::{NONE, Order};
use super::rules::{FOUNDATIONS, MAX_STACKS, Position, Rules};
use super::state::{of_row, of_two_rows};
use crate::stackgame::width2::State;

/// What determines these states.
#[derive(Clone, Copy)]
pub struct OwnFrame<'a> {
    /// Of each two rows the order of their own cards.
    pub order: &'a Order,
    /// Places of each row whose cards are in the pile, but for the foundation's next card.
    pub chains: [u16; FOUNDATIONS],
    pub targets: &'a Targets,
    pub position: &'a Position,
    /// The top card of a stack, if `order` has one that `targets` and `position` do not have.
    pub put: Option<Put>,
}

impl OwnFrame<'_> {
    /// What must leave with or after the highest card of two rows that a stack has below a depth: a place in either row.
    fn below(&self, rules: &Rules, stack: usize, depth: usize, (x, y): (usize, usize)) -> (u8, u8) {
        let of = &self.targets[stack];
        let below = (of[x] | of[y]) & !(u64::MAX << depth);
        if below == 0 {
            return (NONE, NONE);
        }
        let at = 63 - below.leading_zeros() as usize;
        let board = if of[x] >> at & 1 == 1 { x } else { y };
        self.up(rules, board, self.position.stacks[stack].cards()[at], (x, y))
    }

    fn up(&self, rules: &Rules, board: usize, rank: u8, (x, y): (usize, usize)) -> (u8, u8) {
        let up = self.order.up(board, rules.place_of(board, rank));
        (up[x], up[y])
    }

    /// The same of a whole stack.
    fn top(&self, rules: &Rules, stack: usize, (x, y): (usize, usize)) -> (u8, u8) {
        match self.put {
            Some(put) if put.stack == stack && (put.target == x || put.target == y) => {
                self.up(rules, put.target, put.rank, (x, y))
            }
            _ => self.below(rules, stack, self.position.stacks[stack].len.into(), (x, y)),
        }
    }

    /// The order with a card on what a stack has below a depth.
    pub fn order_with(&self, rules: &Rules, put: Put, depth: usize) -> Order {
        let mut order = *self.order;
        let place = rules.place_of(put.target, put.rank);
        for other in (0..FOUNDATIONS).filter(|&b| b != put.target) {
            order.put_in_two(put.target, other, place, self.below(rules, put.stack, depth, (put.target, other)));
        }
        order
    }

    /// The state of a row.
    pub fn of_row(&self, rules: &Rules, b: usize) -> Option<State> {
        let mut tops = [NONE; MAX_STACKS];
        (0..rules.stacks).for_each(|s| tops[s] = self.top(rules, s, (b, b)).0);
        of_row(self.chains[b], &tops[..rules.stacks])
    }

    /// The state of two rows.
    pub fn of_two_rows(&self, rules: &Rules, (x, y): (usize, usize)) -> Option<State> {
        let mut tops = [(NONE, NONE); MAX_STACKS];
        (0..rules.stacks).for_each(|s| tops[s] = self.top(rules, s, (x, y)));
        let first = (self.order.first(x, y), self.order.first(y, x));
        of_two_rows(first, (self.chains[x], self.chains[y]), &tops[..rules.stacks])
    }
}
