//! The automaton that reads two-board states: one letter for each antidiagonal of the region, from the top on.
//!
//! A letter is how many stacks have their marks on the upper path and on the lower one, and the step that the paths
//! take from there. (Marks are on the paths; where both meet they count for the upper one.) A stretch between two
//! cuts may be mirrored: it is read so that its first letter that is not its own mirror image has more marks on the
//! upper path, or else is a step of both along A. A node is the set of ways that lead to it (see `histories`), so
//! that a word is read to its end exactly when it is that of a state that can be reached and is not dead.
use super::heads::{LOWER, Side, UPPER};
use super::histories::History;
use super::width2::MAX_STACKS;
use crate::hash::{WordMap, of_two};

/// Steps by the bits of the two paths (0 = A-step, 1 = B-step): upper | lower << 1.
pub const BOTH_A: u8 = 0;
pub const NARROW: u8 = 1;
pub const WIDEN: u8 = 2;
pub const BOTH_B: u8 = 3;

/// Letters are below this.
pub const LETTERS: usize = 4 * (MAX_STACKS + 1) * (MAX_STACKS + 2) / 2;

/// The letter of so many marks on the upper and the lower path, and a step.
#[inline(always)]
pub fn letter_of(upper: u8, lower: u8, step: u8) -> u8 {
    let marks = upper + lower;
    (marks * (marks + 1) / 2 + lower) * 4 + step
}

/// Marks on the upper and the lower path, and the step, by letter.
pub const LETTER: [(u8, u8, u8); LETTERS] = {
    let mut table = [(0, 0, 0); LETTERS];
    let mut marks = 0;
    while marks <= MAX_STACKS as u8 {
        let mut lower = 0;
        while lower <= marks {
            let mut step = 0;
            while step < 4 {
                table[((marks * (marks + 1) / 2 + lower) * 4 + step) as usize] = (marks - lower, lower, step);
                step += 1;
            }
            lower += 1;
        }
        marks += 1;
    }
    table
};

/// What a node knows besides its ways: what these have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Common {
    width: u8,
    /// A letter of the stretch was not its own mirror image.
    is_turned: bool,
    /// By side, as bits: the last card of the chain may go on some stack; some stack may still get its mark where
    /// that card may go on it.
    may_go: u8,
    may_come: u8,
    /// Stacks without a mark.
    open: u8,
    is_top: bool,
}

impl Common {
    fn word(self) -> u64 {
        u64::from(self.width)
            | u64::from(self.is_turned) << 8
            | u64::from(self.may_go) << 16
            | u64::from(self.may_come) << 24
            | u64::from(self.open) << 32
            | u64::from(self.is_top) << 40
    }

    fn of_word(word: u64) -> Common {
        let byte = |at: u32| (word >> at) as u8;
        Common {
            width: byte(0),
            is_turned: byte(8) == 1,
            may_go: byte(16),
            may_come: byte(24),
            open: byte(32),
            is_top: byte(40) == 1,
        }
    }

    fn width_after(self, step: u8) -> u8 {
        self.width + u8::from(step == WIDEN) - u8::from(step == NARROW)
    }

    /// Whether the stretch is read with this letter.
    fn reads(self, upper: u8, lower: u8, step: u8) -> bool {
        if self.width == 0 {
            return lower == 0 && (step == BOTH_A || step == WIDEN);
        }
        self.is_turned || upper > lower || upper == lower && step != BOTH_B
    }

    /// The same after a letter; None where the state would be dead.
    fn after(self, upper: u8, lower: u8, step: u8) -> Option<Common> {
        let (upper_is_b, lower_is_b) = (step & 1 == 1, step >> 1 == 1);
        let mut next = self;
        if self.is_top && upper > 0 {
            next.may_go = 3;
        }
        // The last card of A may go on stacks with marks where only B-steps led to, and the last of B likewise.
        let meets = self.width == 0;
        next.may_go |= self.may_come & (u8::from(lower > 0 || meets && upper > 0) | u8::from(upper > 0) << 1);
        next.may_come &= u8::from(lower_is_b) | u8::from(!upper_is_b) << 1;
        if (next.may_go | next.may_come) != 3 {
            return None;
        }
        if next.may_go == 3 {
            next.may_come = 0;
        }
        next.width = self.width_after(step);
        let turns = upper != lower || step == BOTH_A || step == BOTH_B;
        next.is_turned = next.width > 0 && (self.is_turned || self.width > 0 && turns);
        next.open -= upper + lower;
        next.is_top = false;
        Some(next)
    }
}

/// All nodes that can be reached, and where their letters lead.
pub struct Graph {
    /// For each node what its ways have in common, then the ways in ascending order.
    words: Vec<u64>,
    words_ends: Vec<u32>,
    /// (letter, node), in the order of letters.
    edges: Vec<(u8, u32)>,
    edges_ends: Vec<u32>,
}

impl Graph {
    /// For chains of so many cards.
    pub fn new(stacks: usize, cards: [usize; 2]) -> Graph {
        let common = Common { width: 0, is_turned: false, may_go: 0, may_come: 3, open: stacks as u8, is_top: true };
        let start = History::start(cards.map(|count| count as u8));
        let mut graph = Graph { words: Vec::new(), words_ends: vec![0], edges: Vec::new(), edges_ends: vec![0] };
        let mut known = Known::default();
        known.node(&mut graph, common, &[start]);
        let (mut found, mut scratch) = (Vec::new(), Scratch::default());
        let mut node = 0;
        while node + 1 < graph.words_ends.len() {
            let (common, ways) = graph.node(node);
            let ways: Vec<History> = ways.iter().map(|&word| History::from_bits(word)).collect();
            for letter in 0..letter_of(common.open + 1, 0, 0) {
                let (upper, lower, step) = LETTER[usize::from(letter)];
                if common.reads(upper, lower, step)
                    && let Some(next) = common.after(upper, lower, step)
                {
                    scratch.read(common, &ways, (upper, lower, step), &mut found);
                    if !found.is_empty() {
                        let to = known.node(&mut graph, next, &found);
                        graph.edges.push((letter, to));
                    }
                }
            }
            graph.edges_ends.push(graph.edges.len() as u32);
            node += 1;
        }
        graph
    }

    pub fn count(&self) -> usize {
        self.words_ends.len() - 1
    }

    fn node(&self, node: usize) -> (Common, &[u64]) {
        let words = &self.words[self.words_ends[node] as usize..self.words_ends[node + 1] as usize];
        (Common::of_word(words[0]), &words[1..])
    }

    /// (letter, node) for all letters that are read there.
    pub fn edges(&self, node: usize) -> &[(u8, u32)] {
        &self.edges[self.edges_ends[node] as usize..self.edges_ends[node + 1] as usize]
    }

    /// Whether a word may end there, where all stacks without a mark get theirs at the last point.
    pub fn ends(&self, node: usize) -> bool {
        let (common, ways) = self.node(node);
        let open = common.open;
        if common.width > 0 || common.is_top || common.may_go | if open > 0 { common.may_come } else { 0 } != 3 {
            return false;
        }
        let (mut found, mut scratch) = (Vec::new(), Scratch::default());
        let ways: Vec<History> = ways.iter().map(|&word| History::from_bits(word)).collect();
        scratch.at_meeting(&ways, open.into(), open, [false; 2], &mut found);
        !found.is_empty()
    }
}

/// Nodes by their contents.
#[derive(Default)]
struct Known {
    first: WordMap<u32>,
    /// The next node of the same hash, or its own number.
    next: Vec<u32>,
}

impl Known {
    fn node(&mut self, graph: &mut Graph, common: Common, ways: &[History]) -> u32 {
        let hash = ways.iter().fold(common.word(), |hash, way| of_two(hash, way.bits()));
        let new = graph.count() as u32;
        let mut at = *self.first.entry(hash).or_insert(new);
        while at != new {
            let (other, words) = graph.node(at as usize);
            if other == common && words.iter().copied().eq(ways.iter().map(|way| way.bits())) {
                return at;
            }
            let next = self.next[at as usize];
            if next == at {
                self.next[at as usize] = new;
                break;
            }
            at = next;
        }
        self.next.push(new);
        graph.words.push(common.word());
        graph.words.extend(ways.iter().map(|way| way.bits()));
        graph.words_ends.push(graph.words.len() as u32);
        new
    }
}

/// The ways that are being led through a letter.
#[derive(Default)]
struct Scratch {
    from: Vec<History>,
    to: Vec<History>,
}

impl Scratch {
    /// The ways after a letter, each once. A way that has fewer cards left than another, and is the same otherwise,
    /// is left out.
    fn read(&mut self, common: Common, ways: &[History], letter: (u8, u8, u8), found: &mut Vec<History>) {
        let (upper, lower, step) = letter;
        let (upper_is_b, lower_is_b) = (step & 1 == 1, step >> 1 == 1);
        let width = common.width;
        let open = usize::from(common.open);
        let turns = [!upper_is_b, lower_is_b];
        found.clear();
        if common.is_top {
            // Empty stacks have their marks there, for which no card is needed.
            found.extend_from_slice(ways);
        } else if width == 0 {
            self.at_meeting(ways, open, upper, turns, found);
        } else {
            for &way in ways {
                self.from.clear();
                self.from.push(way);
                let mut open = open;
                for (side, marks) in [(UPPER, upper), (LOWER, lower)] {
                    if way.came_down(side) && (turns[usize::from(side)] || marks > 0) {
                        self.edges(open, side, width);
                    }
                    for _ in 0..marks {
                        self.tops(open, side);
                        open -= 1;
                    }
                }
                found.append(&mut self.from);
            }
        }
        let width_after = common.width_after(step);
        self.from.clear();
        for way in found.drain(..) {
            if let Some(way) = way.after(upper_is_b, lower_is_b, width_after) {
                self.from.push(way);
                if width_after == 0 {
                    self.from.push(way.mirrored());
                }
            }
        }
        self.from.sort_unstable();
        self.from.dedup();
        let kept = |way: &&History| !self.from.iter().any(|other| other != *way && other.is_no_worse(**way));
        found.extend(self.from.iter().filter(kept));
    }

    /// Where the paths meet: `marks` stacks end there, each with a card of A or of B on top; `turns`: by side, whether its path
    /// turns.
    fn at_meeting(&mut self, ways: &[History], open: usize, marks: u8, turns: [bool; 2], found: &mut Vec<History>) {
        for &way in ways {
            for of_a in 0..=marks {
                let tops = [of_a, marks - of_a];
                let needs = [UPPER, LOWER]
                    .map(|side| way.came_down(side) && (turns[usize::from(side)] || tops[usize::from(side)] > 0));
                let orders: &[[Side; 2]] =
                    if needs == [true; 2] { &[[UPPER, LOWER], [LOWER, UPPER]] } else { &[[UPPER, LOWER]] };
                for order in orders {
                    self.from.clear();
                    self.from.push(way);
                    for &side in order.iter().filter(|&&side| needs[usize::from(side)]) {
                        self.edges(open, side, 0);
                    }
                    let mut open = open;
                    for side in [UPPER, LOWER] {
                        for _ in 0..tops[usize::from(side)] {
                            self.tops(open, side);
                            open -= 1;
                        }
                    }
                    found.append(&mut self.from);
                }
            }
        }
    }

    fn edges(&mut self, open: usize, side: Side, width: u8) {
        self.to.clear();
        for way in self.from.drain(..) {
            way.edges(open, side, width, |next| self.to.push(next));
        }
        self.settle();
    }

    fn tops(&mut self, open: usize, side: Side) {
        self.to.clear();
        for way in self.from.drain(..) {
            way.tops(open, side, |next| self.to.push(next));
        }
        self.settle();
    }

    fn settle(&mut self) {
        std::mem::swap(&mut self.from, &mut self.to);
        self.from.sort_unstable();
        self.from.dedup();
    }
}
