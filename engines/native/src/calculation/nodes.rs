//! The two-board states that a player has met, with their values and what follows from them.
//!
//! Assignments of a position, and positions of a game, share most of their two-board states. So each state is kept once, as
//! a node; a card put on a stack leads from node to node by one look into a list, and only what is new is computed and
//! looked up in the table, all of a turn at once.
use super::beyond::Beyond;
use super::pair::{self, Side};
use crate::reader::{self, Bytes, Damaged, Reader};
use crate::stackgame::two_boards::TwoBoards;
use crate::stackgame::width2::State;

/// Number of a node.
pub type Node = u32;

/// The state from which nothing can be won.
pub const DEAD: Node = 1;
/// Stands for what is not known yet.
const UNKNOWN: Node = 0;

/// Nodes are forgotten between turns when there are more.
const MOST_NODES: usize = 3 << 20;
const MOST_ENTRIES: usize = 24 << 20;

/// The look-ups of a finished table.
pub struct Table<'a, B> {
    pub rules: &'a TwoBoards,
    /// By layer; there is none for the empty state.
    pub layers: Vec<Option<&'a Reader<u64, B>>>,
}

/// A damaged block of a layer of the table.
#[derive(Debug)]
pub struct Failure {
    pub layer: usize,
    pub damaged: Damaged,
}

struct Known {
    state: State,
    value: f32,
    /// Where its list of what follows begins; 0 if there is none yet.
    follows: u32,
}

/// What follows from a state: a node and its value.
#[derive(Clone, Copy)]
pub struct Entry {
    pub node: Node,
    pub value: f32,
}

impl Entry {
    #[inline(always)]
    pub fn is_unknown(self) -> bool {
        self.node == UNKNOWN
    }
}

/// A question that waits to be settled: what follows from a node, and the entry that will hold it.
struct Question {
    entry: u32,
    from: Node,
    side: Side,
    card: u8,
    stack: u8,
}

/// All that is known; see the module.
pub struct Nodes {
    stacks: usize,
    known: Vec<Known>,
    entries: Vec<Entry>,
    /// Open addressing by the state's hash; a power of two long.
    slots: Vec<Node>,
    questions: Vec<Question>,
    /// Nodes whose value is not looked up yet.
    new: Vec<Node>,
    layers: Vec<u8>,
    places: Vec<u64>,
    values: Vec<f64>,
    /// Look-ups in the table, and those that found nothing there.
    pub lookups_count: u64,
    pub missing_count: u64,
    pub beyond: Beyond,
    pub by_layer: [u64; 25],
}

impl Nodes {
    pub fn new(stacks: usize) -> Nodes {
        let mut nodes = Nodes {
            stacks,
            known: Vec::new(),
            entries: Vec::new(),
            slots: Vec::new(),
            questions: Vec::new(),
            new: Vec::new(),
            layers: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
            lookups_count: 0,
            missing_count: 0,
            beyond: Beyond::new(24),
            by_layer: [0; 25],
        };
        nodes.clear();
        nodes
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.known.clear();
        self.entries.clear();
        self.slots.clear();
        self.slots.resize(1 << 16, UNKNOWN);
        // The first two are no states, and no list begins at 0.
        for _ in 0..2 {
            let state = State::start(0, 0);
            self.known.push(Known { state, value: 0.0, follows: 0 });
        }
        self.entries.push(Entry { node: UNKNOWN, value: 0.0 });
    }

    /// Whether it is time to forget.
    pub fn is_full(&self) -> bool {
        self.known.len() > MOST_NODES || self.entries.len() > MOST_ENTRIES
    }

    #[inline(always)]
    pub fn value(&self, node: Node) -> f32 {
        self.known[node as usize].value
    }

    #[inline(always)]
    pub fn entry(&self, at: u32) -> Entry {
        self.entries[at as usize]
    }

    /// Where the list of a node begins: for each card of chain A, then of B, an entry for each stack.
    pub fn list(&mut self, node: Node) -> u32 {
        let known = &mut self.known[node as usize];
        if known.follows == 0 {
            known.follows = self.entries.len() as u32;
            let count = known.state.cards() * self.stacks;
            self.entries.resize(self.entries.len() + count, Entry { node: UNKNOWN, value: 0.0 });
        }
        known.follows
    }

    /// The node of a live state; its value is there once it is settled.
    pub fn node(&mut self, state: &State) -> Node {
        if (self.known.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(state) as usize & mask;
        loop {
            let node = self.slots[slot];
            if node == UNKNOWN {
                break;
            }
            if self.known[node as usize].state == *state {
                return node;
            }
            slot = (slot + 1) & mask;
        }
        let node = self.known.len() as Node;
        self.slots[slot] = node;
        self.known.push(Known { state: *state, value: 1.0, follows: 0 });
        if state.cards() > 0 {
            self.new.push(node);
        }
        node
    }

    fn grow(&mut self) {
        let count = self.slots.len() * 4;
        self.slots.clear();
        self.slots.resize(count, UNKNOWN);
        for (node, known) in self.known.iter().enumerate().skip(2) {
            let mut slot = hash(&known.state) as usize & (count - 1);
            while self.slots[slot] != UNKNOWN {
                slot = (slot + 1) & (count - 1);
            }
            self.slots[slot] = node as Node;
        }
    }

    /// Asks for an entry that is not known: card number `card` of a side of `from` on `stack`.
    pub fn ask(&mut self, entry: u32, from: Node, side: Side, card: u8, stack: u8) {
        self.questions.push(Question { entry, from, side, card, stack });
    }

    /// Answers all questions, and looks up all new nodes.
    pub fn settle<B: Bytes>(&mut self, table: &Table<'_, B>) -> Result<(), Failure> {
        let mut questions = std::mem::take(&mut self.questions);
        // Several may have asked the same.
        questions.retain(|asked| {
            if !self.entries[asked.entry as usize].is_unknown() {
                return false;
            }
            let state = self.known[asked.from as usize].state;
            let node = match pair::put(&state, asked.side, asked.card.into(), asked.stack.into(), self.stacks) {
                Some(next) => self.node(&next),
                None => DEAD,
            };
            self.entries[asked.entry as usize].node = node;
            true
        });
        self.look_up(table)?;
        for asked in questions.drain(..) {
            let entry = &mut self.entries[asked.entry as usize];
            entry.value = self.known[entry.node as usize].value;
        }
        self.questions = questions;
        Ok(())
    }

    fn look_up<B: Bytes>(&mut self, table: &Table<'_, B>) -> Result<(), Failure> {
        if self.new.is_empty() {
            return Ok(());
        }
        self.layers.clear();
        self.places.clear();
        for &node in &self.new {
            let state = &self.known[node as usize].state;
            self.layers.push(state.cards() as u8);
            self.places.push(table.rules.place(state));
        }
        self.values.resize(self.places.len(), 0.0);
        let layers = &self.layers;
        reader::lookup(&table.layers, &self.places, |index| usize::from(layers[index]), &mut self.values)
            .map_err(|(layer, damaged)| Failure { layer, damaged })?;
        self.lookups_count += self.new.len() as u64;
        for (value, &layer) in self.values.iter().zip(&self.layers) {
            if value.is_nan() {
                self.by_layer[layer as usize] += 1;
            }
        }
        self.missing_count += self.values.iter().filter(|value| value.is_nan()).count() as u64;
        if std::env::var("RELAX").is_ok_and(|r| r == "2") {
            for index in 0..self.new.len() {
                if !self.values[index].is_nan() {
                    continue;
                }
                let state = self.known[self.new[index] as usize].state;
                let mut single = [1.0; 2];
                if state.a > 0 && state.b > 0 {
                    for (side, chain) in [(0, state.a), (1, state.b)] {
                        let mut one = State { a: chain, b: 0, upper: 0, lower: 0, marks: [(0, 0); 5] };
                        for s in 0..self.stacks {
                            one.marks[s].0 = if side == 0 { state.marks[s].0 } else { state.marks[s].1 };
                        }
                        let (layers, places) = ([chain], [table.rules.place(&one)]);
                        let mut values = [0.0];
                        reader::lookup(&table.layers, &places, |_| usize::from(chain), &mut values)
                            .map_err(|(layer, damaged)| Failure { layer, damaged })?;
                        self.beyond.fill(table, &layers, &places, &mut values)?;
                        single[side] = values[0];
                    }
                    self.values[index] = single[0] * single[1];
                }
            }
            self.beyond.fill(table, &self.layers, &self.places, &mut self.values)?;
        } else if std::env::var("RELAX").is_ok() {
            self.relax(table)?;
        } else {
            self.beyond.fill(table, &self.layers, &self.places, &mut self.values)?;
        }
        for (node, &value) in self.new.drain(..).zip(&self.values) {
            self.known[node as usize].value = value as f32;
        }
        Ok(())
    }
}

/// The two ways to give a mark that no card of two boards makes fewer cards that are forbidden.
fn relaxed(state: &State, (ti, tj): (u8, u8)) -> Option<[(u8, u8); 2]> {
    if ti == 0 || tj == 0 {
        return None;
    }
    let (a, b) = (u32::from(state.a), u32::from(state.b));
    let cards = a + b;
    // Height of column ti - 1, reach of row tj - 1.
    let mut i = a;
    let mut height = b;
    for t in 0..cards {
        if state.upper >> t & 1 == 0 {
            i -= 1;
            if i == u32::from(ti) - 1 {
                break;
            }
        } else {
            height -= 1;
        }
    }
    let (mut j, mut reach) = (b, a);
    for t in 0..cards {
        if state.lower >> t & 1 == 1 {
            j -= 1;
            if j == u32::from(tj) - 1 {
                break;
            }
        } else {
            reach -= 1;
        }
    }
    if height <= u32::from(tj) || reach <= u32::from(ti) {
        return None;
    }
    Some([(ti, height as u8), (reach as u8, tj)])
}

impl Nodes {
    fn relax<B: Bytes>(&mut self, table: &Table<'_, B>) -> Result<(), Failure> {
        let (mut layers, mut places, mut whose) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &node) in self.new.iter().enumerate() {
            if !self.values[index].is_nan() {
                continue;
            }
            let state = self.known[node as usize].state;
            for way in 0..1usize << self.stacks {
                let mut other = state;
                let mut valid = true;
                for s in 0..self.stacks {
                    match relaxed(&state, state.marks[s]) {
                        Some(marks) => other.marks[s] = marks[way >> s & 1],
                        None => valid &= way >> s & 1 == 0,
                    }
                }
                if valid && !other.is_dead(self.stacks) {
                    layers.push(state.cards() as u8);
                    places.push(table.rules.place(&other));
                    whose.push(index);
                }
            }
        }
        let mut values = vec![0.0; places.len()];
        reader::lookup(&table.layers, &places, |index| usize::from(layers[index]), &mut values)
            .map_err(|(layer, damaged)| Failure { layer, damaged })?;
        for (index, value) in whose.into_iter().zip(values) {
            if !value.is_nan() {
                self.values[index] = if self.values[index].is_nan() { value } else { self.values[index].min(value) };
            }
        }
        for value in &mut self.values {
            if value.is_nan() {
                self.beyond.states_count += 1;
                *value = 0.0;
            }
        }
        Ok(())
    }
}

fn hash(state: &State) -> u64 {
    let pairs = |from: usize, count: usize| {
        state.marks[from..from + count].iter().fold(0u64, |word, mark| word << 8 | u64::from(mark.0 << 4 | mark.1))
    };
    // Marks are at most 12, chains too.
    let marks = pairs(0, 5) << 8 | u64::from(state.a << 4 | state.b);
    let paths = u64::from(state.upper) | u64::from(state.lower) << 32;
    let mut mixed = (paths ^ marks.rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 32 ^ marks).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}
