//! The two-board states that a player has met, with their values.
//!
//! Assignments of a position, and positions of a game, share most of their two-board states. So each state is kept once, as
//! a node, and only what is new is looked up, all of a turn at once.
use super::beyond::Beyond;
use super::options::Edges;
use super::table::{Failure, Table};
use crate::stackgame::width2::MAX_STACKS;
use crate::stackgame::width2::State;
use crate::storage::bytes::Bytes;
use crate::storage::reader;

/// Number of a node.
pub type Node = u32;

/// The state from which nothing can be won.
pub const DEAD: Node = 0;

/// No state is asked for.
pub const UNKNOWN: Node = Node::MAX;

/// No node: number 0 is in no slot.
const EMPTY: Node = 0;

/// Nodes are forgotten between turns when there are more.
const MOST_NODES: usize = 4 << 20;

struct Known {
    state: State,
    value: f32,
}

/// All states that are known; see the module.
pub struct Nodes {
    stacks: usize,
    /// What makes states.
    pub edges: Edges,
    /// States with more cards that are not in the table are not computed: their boards count as independent.
    exact_cards: usize,
    known: Vec<Known>,
    /// Open addressing by the state's hash; a power of two long.
    slots: Vec<Node>,
    /// Nodes whose value is not known yet.
    new: Vec<Node>,
    beyond: Beyond,
    /// Look-ups of states in the table, and those that found nothing there.
    pub lookups_count: u64,
    pub missing_count: u64,
}

impl Nodes {
    pub fn new(stacks: usize, edges: Edges, exact_cards: usize) -> Nodes {
        let mut nodes = Nodes {
            stacks,
            edges,
            exact_cards,
            known: Vec::new(),
            slots: Vec::new(),
            new: Vec::new(),
            beyond: Beyond::default(),
            lookups_count: 0,
            missing_count: 0,
        };
        nodes.clear();
        nodes
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.new.clear();
        self.known.clear();
        self.known.push(Known { state: State::start(0, 0), value: 0.0 });
        self.slots.clear();
        self.slots.resize(1 << 16, EMPTY);
    }

    /// Whether it is time to forget.
    pub fn is_full(&self) -> bool {
        self.known.len() > MOST_NODES
    }

    #[inline(always)]
    pub fn value(&self, node: Node) -> f64 {
        f64::from(self.known[node as usize].value)
    }

    /// The node of a live state, or of None the dead one; its value is there once it is settled.
    pub fn node(&mut self, state: Option<State>) -> Node {
        let Some(state) = state else { return DEAD };
        if (self.known.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(&state) as usize & mask;
        while self.slots[slot] != EMPTY {
            let node = self.slots[slot];
            if self.known[node as usize].state == state {
                return node;
            }
            slot = (slot + 1) & mask;
        }
        let node = self.known.len() as Node;
        self.slots[slot] = node;
        self.known.push(Known { state, value: 1.0 });
        if state.cards() > 0 {
            self.new.push(node);
        }
        node
    }

    fn grow(&mut self) {
        let count = self.slots.len() * 4;
        self.slots.clear();
        self.slots.resize(count, EMPTY);
        for (node, known) in self.known.iter().enumerate().skip(1) {
            let mut slot = hash(&known.state) as usize & (count - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (count - 1);
            }
            self.slots[slot] = node as Node;
        }
    }

    /// Finds the values of all new nodes.
    pub fn settle<B: Bytes>(&mut self, table: &Table<'_, B>) -> Result<(), Failure> {
        if self.new.is_empty() {
            return Ok(());
        }
        let states: Vec<State> = self.new.iter().map(|&node| self.known[node as usize].state).collect();
        let mut values = self.look_up(table, &states)?;
        self.lookups_count += states.len() as u64;
        self.missing_count += values.iter().filter(|value| value.is_nan()).count() as u64;
        // Where two boards together are too much to compute, each of them alone is not.
        let apart: Vec<usize> =
            (0..states.len()).filter(|&n| values[n].is_nan() && states[n].cards() > self.exact_cards).collect();
        if !apart.is_empty() {
            let halves: Vec<State> = apart.iter().flat_map(|&n| self.boards(&states[n])).collect();
            let mut of_halves = self.look_up(table, &halves)?;
            self.compute(table, &halves, &mut of_halves)?;
            for (&n, pair) in apart.iter().zip(of_halves.chunks(2)) {
                values[n] = pair[0] * pair[1];
            }
        }
        self.compute(table, &states, &mut values)?;
        for (node, value) in self.new.drain(..).zip(values) {
            self.known[node as usize].value = value as f32;
        }
        Ok(())
    }

    /// Each board of a state alone.
    fn boards(&self, state: &State) -> [State; 2] {
        let board = |cards: u8, mark: &dyn Fn((u8, u8)) -> u8| {
            let mut marks = [(0, 0); MAX_STACKS];
            for s in 0..self.stacks {
                marks[s].0 = mark(state.marks[s]);
            }
            State { a: cards, b: 0, upper: 0, lower: 0, marks }
        };
        [board(state.a, &|mark| mark.0), board(state.b, &|mark| mark.1)]
    }

    fn look_up<B: Bytes>(&self, table: &Table<'_, B>, states: &[State]) -> Result<Vec<f64>, Failure> {
        let places: Vec<u64> = states.iter().map(|state| table.rules.place(state)).collect();
        let mut values = vec![f64::NAN; states.len()];
        reader::lookup(&table.layers, &places, |n| states[n].cards(), &mut values)
            .map_err(|(layer, damaged)| Failure::Damaged(layer, damaged))?;
        for (value, state) in values.iter_mut().zip(states) {
            if state.cards() == 0 {
                *value = 1.0;
            }
        }
        Ok(values)
    }

    /// Computes what is not in the table (NaN).
    fn compute<B: Bytes>(&mut self, table: &Table<'_, B>, states: &[State], values: &mut [f64]) -> Result<(), Failure> {
        let missing: Vec<usize> = (0..states.len()).filter(|&n| values[n].is_nan()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let asked: Vec<(usize, u64)> =
            missing.iter().map(|&n| (states[n].cards(), table.rules.place(&states[n]))).collect();
        for (n, value) in missing.into_iter().zip(self.beyond.values(table, &asked)?) {
            values[n] = value;
        }
        Ok(())
    }
}

/// Marks and chains are at most 12.
fn hash(state: &State) -> u64 {
    let chains = u64::from(state.a << 4 | state.b);
    let marks = state.marks.iter().fold(chains, |word, mark| word << 8 | u64::from(mark.0 << 4 | mark.1));
    let paths = u64::from(state.upper) | u64::from(state.lower) << 32;
    let mut mixed = (paths ^ marks.rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 32 ^ marks).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}
