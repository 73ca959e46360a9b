//! The paper's estimate of an assignment from the two-board states that it stands for.
use super::nodes::{DEAD, Node, Nodes};
use super::order::{NONE, Order};
use super::rules::{FOUNDATIONS, MAX_STACKS};
use super::state::{of_row, of_two_rows};

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

impl Parts {
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

/// Cards of the pile and the order that decide about states.
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

    /// The states by one order of all cards. What is the same as in `known` is taken from there.
    pub fn parts(&self, stacks: usize, known: Option<(&Frame<'_>, &Parts)>, nodes: &mut Nodes) -> Parts {
        let mut parts = Parts { nodes: [DEAD; PARTS], stuck: self.stuck(stacks) };
        if parts.stuck > 0 {
            return parts;
        }
        let known = known.filter(|(_, parts)| parts.stuck == 0);
        let same_row = |frame: &Frame<'_>, b: usize| {
            frame.chains[b] == self.chains[b] && (0..stacks).all(|s| frame.tops[s][b] == self.tops[s][b])
        };
        let same: [bool; FOUNDATIONS] = std::array::from_fn(|b| known.is_some_and(|(frame, _)| same_row(frame, b)));
        for b in 0..FOUNDATIONS {
            parts.nodes[b] = match known {
                Some((_, known)) if same[b] => known.nodes[b],
                _ => {
                    let mut tops = [NONE; MAX_STACKS];
                    (0..stacks).for_each(|s| tops[s] = self.tops[s][b]);
                    nodes.node(of_row(self.chains[b], &tops[..stacks]))
                }
            };
        }
        for (pair, &(x, y)) in PAIRS.iter().enumerate() {
            let first = (self.order.first(x, y), self.order.first(y, x));
            parts.nodes[FOUNDATIONS + pair] = match known {
                Some((frame, known))
                    if same[x] && same[y] && first == (frame.order.first(x, y), frame.order.first(y, x)) =>
                {
                    known.nodes[FOUNDATIONS + pair]
                }
                _ => {
                    let mut tops = [(NONE, NONE); MAX_STACKS];
                    (0..stacks).for_each(|s| tops[s] = (self.tops[s][x], self.tops[s][y]));
                    let chains = (self.chains[x], self.chains[y]);
                    nodes.node(of_two_rows(first, chains, &tops[..stacks]))
                }
            };
        }
        parts
    }
}
