//! The paper's estimate of an assignment from the two-board states that it stands for.
use super::nodes::{DEAD, Node, Nodes, UNKNOWN};
use super::order::{NONE, Order};
use super::rules::{FOUNDATIONS, MAX_STACKS};
use super::state::{of_row, of_two_rows};
use crate::stackgame::width2::State;

pub const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
/// Boards and pairs of boards.
pub const PARTS: usize = FOUNDATIONS + PAIRS.len();

/// By stack what must leave with or after its top card: a place in each row.
pub type Tops = [[u8; FOUNDATIONS]; MAX_STACKS];

/// The states of each board alone and of the pairs, and how many cards of the pile may go nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    pub nodes: [Node; PARTS],
    pub stuck: u8,
}

/// What has to be found, besides what is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The states of single boards.
    Singles,
    /// Those of pairs too.
    Pairs,
}

impl Parts {
    /// Nothing is known but how many cards may go nowhere; if there is one, all is dead.
    pub fn unknown(stuck: u8) -> Parts {
        Parts { nodes: [if stuck > 0 { DEAD } else { UNKNOWN }; PARTS], stuck }
    }

    /// Finds what is unknown by the states of a row and of two; pairs if they are asked for.
    pub fn fill(
        &mut self,
        asked: Asked,
        nodes: &mut Nodes,
        of_row: impl Fn(usize) -> Option<State>,
        of_two_rows: impl Fn((usize, usize)) -> Option<State>,
    ) {
        let (singles, pairs) = self.nodes.split_at_mut(FOUNDATIONS);
        for (b, node) in singles.iter_mut().enumerate().filter(|(_, node)| **node == UNKNOWN) {
            *node = nodes.node(of_row(b));
        }
        let pairs = pairs.iter_mut().zip(PAIRS).filter(|(node, _)| asked == Asked::Pairs && **node == UNKNOWN);
        for (node, pair) in pairs {
            *node = nodes.node(of_two_rows(pair));
        }
    }

    /// Those that have no card of a row; the others are unknown.
    pub fn without(&self, row: usize, stuck: u8) -> Parts {
        let mut parts = Parts::unknown(stuck);
        if stuck == 0 && self.stuck == 0 {
            let has = |part: usize| match part.checked_sub(FOUNDATIONS) {
                None => part == row,
                Some(pair) => PAIRS[pair].0 == row || PAIRS[pair].1 == row,
            };
            (0..PARTS).filter(|&part| !has(part)).for_each(|part| parts.nodes[part] = self.nodes[part]);
        }
        parts
    }

    /// No less than the estimate, but for rounding, once the nodes are settled: what is unknown counts as 1, pairs as
    /// independent.
    ///
    /// For every pair p_ij <= p_i p_j. Two boards that do not touch are won together with the product of their
    /// probabilities: the product satisfies the equation for both, since a card of one board leaves the other's
    /// factor as it is. Boards that share stacks, and whose cards wait for one another, forbid more.
    pub fn bound(&self, nodes: &Nodes) -> f64 {
        let value = |part: usize| if self.nodes[part] == UNKNOWN { 1.0 } else { nodes.value(self.nodes[part]) };
        let singles: [f64; FOUNDATIONS] = std::array::from_fn(value);
        if self.stuck > 0 || singles.contains(&0.0) {
            return last_hope(self.stuck);
        }
        let mut product: f64 = singles.iter().product();
        for (pair, &(x, y)) in PAIRS.iter().enumerate() {
            if self.nodes[FOUNDATIONS + pair] != UNKNOWN {
                product *= value(FOUNDATIONS + pair) / (singles[x] * singles[y]);
            }
        }
        product
    }

    /// The estimate once the nodes are settled: the product of the pairs over the square of that of the single boards.
    pub fn estimate(&self, nodes: &Nodes) -> f64 {
        let values = self.values(nodes);
        if self.stuck > 0 || values.contains(&0.0) {
            return last_hope(self.stuck);
        }
        let (singles, pairs) = values.split_at(FOUNDATIONS);
        pairs.iter().product::<f64>() / singles.iter().product::<f64>().powi(2)
    }

    pub fn values(&self, nodes: &Nodes) -> [f64; PARTS] {
        self.nodes.map(|node| nodes.value(node))
    }
}

/// Less than any estimate.
pub const LAST_HOPE: f64 = 1e-30;

/// What is left of an assignment under which a card of the pile may go nowhere: its foundation may take it when it is drawn.
fn last_hope(stuck: u8) -> f64 {
    LAST_HOPE * 0.5f64.powi(stuck.into())
}

/// The cards of the pile and the order, which determine the states.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    pub order: &'a Order,
    /// Places of each row whose cards are in the pile, but for the foundation's next card.
    pub chains: [u16; FOUNDATIONS],
    pub tops: Tops,
}

impl Frame<'_> {
    /// Cards of the pile that may go nowhere.
    pub fn stuck(&self, stacks: usize) -> u8 {
        let most = |b: usize| self.tops[..stacks].iter().map(|top| top[b]).max().unwrap_or(0);
        (0..FOUNDATIONS).map(|b| (self.chains[b] >> most(b)).count_ones() as u8).sum()
    }

    /// What is the same as for another frame with these parts; the rest is unknown.
    pub fn same(&self, stacks: usize, before: &Frame<'_>, known: &Parts) -> Parts {
        let mut parts = Parts::unknown(self.stuck(stacks));
        if parts.stuck > 0 || known.stuck > 0 {
            return parts;
        }
        let same: [bool; FOUNDATIONS] = std::array::from_fn(|b| {
            before.chains[b] == self.chains[b] && (0..stacks).all(|s| before.tops[s][b] == self.tops[s][b])
        });
        let first = |frame: &Frame<'_>, x: usize, y: usize| (*frame.order.first(x, y), *frame.order.first(y, x));
        for b in (0..FOUNDATIONS).filter(|&b| same[b]) {
            parts.nodes[b] = known.nodes[b];
        }
        for (pair, &(x, y)) in PAIRS.iter().enumerate() {
            if same[x] && same[y] && first(self, x, y) == first(before, x, y) {
                parts.nodes[FOUNDATIONS + pair] = known.nodes[FOUNDATIONS + pair];
            }
        }
        parts
    }

    /// The state of a row.
    pub fn of_row(&self, stacks: usize, b: usize) -> Option<State> {
        let mut tops = [NONE; MAX_STACKS];
        (0..stacks).for_each(|s| tops[s] = self.tops[s][b]);
        of_row(self.chains[b], &tops[..stacks])
    }

    /// The state of two rows.
    pub fn of_two_rows(&self, stacks: usize, (x, y): (usize, usize)) -> Option<State> {
        let mut tops = [(NONE, NONE); MAX_STACKS];
        (0..stacks).for_each(|s| tops[s] = (self.tops[s][x], self.tops[s][y]));
        let first = (self.order.first(x, y), self.order.first(y, x));
        of_two_rows(first, (self.chains[x], self.chains[y]), &tops[..stacks])
    }
}
