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
        self.missing_count += self.values.iter().filter(|value| value.is_nan()).count() as u64;
        self.beyond.fill(table, &self.layers, &self.places, &mut self.values)?;
        for (node, &value) in self.new.drain(..).zip(&self.values) {
            self.known[node as usize].value = value as f32;
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
