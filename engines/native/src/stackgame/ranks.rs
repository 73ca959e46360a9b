//! Ranks of two-board states: those that can be reached with so many cards left are numbered 0, 1, ... without gaps.
//!
//! A state's rank is the number of words (see `reading`) that are smaller than its own. Nodes of the automaton that have the
//! same words of some length are one here, and each knows for every letter how many of its words have a smaller one there: the
//! rank is their sum along the word.
use super::reading::{BOTH_A, BOTH_B, Graph, LETTER, LETTERS, NARROW, letter_of};
use super::width2::{MAX_STACKS, State, low_mask};
use super::words::{Word, column, word};
use crate::hash::{WordMap, of_two};

#[derive(Clone, Copy)]
struct Edge {
    /// Words of the node that have a smaller letter.
    before: u32,
    to: u32,
}

/// The ranks of all layers of a game.
pub struct Ranks {
    stacks: usize,
    /// For each node and each pair of marks on the two paths: the steps that are read with them, as four bits, and above
    /// those the number of the node's edges with letters before.
    pairs: Vec<u16>,
    /// Pairs of a node.
    pairs_count: usize,
    /// Where the edges of each node begin; and the end of all.
    first_edges: Vec<u32>,
    edges: Vec<Edge>,
    /// By edge.
    letters: Vec<u8>,
    /// By layer: the node where words begin, and how many there are.
    layers: Vec<(u32, u64)>,
}

/// Stands for no rank.
pub const NO_RANK: u64 = u64::MAX;
/// How many words go through the automaton side by side.
const SIDE_BY_SIDE: usize = 32;

/// Ones among the three lowest bits.
const ONES: [u32; 8] = [0, 1, 1, 2, 1, 2, 2, 3];
const NONE: u32 = u32::MAX;
/// The node after the last letter, and the one for words that cannot be read.
const END: u32 = 0;
const NOWHERE: u32 = 1;

impl Ranks {
    /// For chains of so many cards; None when a layer has more states than 32 bits count.
    pub fn new(stacks: usize, chains: [usize; 2]) -> Option<Ranks> {
        let graph = Graph::new(stacks, chains);
        let cards = chains[0] + chains[1];
        // The least number of letters before a node: a node with more letters to come than cards are left is on no word.
        let mut depths = vec![usize::MAX; graph.count()];
        depths[0] = 0;
        for node in 0..graph.count() {
            for &(_, to) in graph.edges(node) {
                depths[to as usize] = depths[to as usize].min(depths[node] + 1);
            }
        }
        let pairs_count = usize::from(letter_of(stacks as u8 + 1, 0, 0)) / 4;
        let mut ranks = Ranks {
            stacks,
            pairs: vec![0; 2 * pairs_count],
            pairs_count,
            first_edges: vec![0; 3],
            edges: Vec::new(),
            letters: Vec::new(),
            layers: Vec::new(),
        };
        let mut counts = vec![1u64, 0];
        let mut below: Vec<u32> = (0..graph.count()).map(|node| if graph.ends(node) { END } else { NONE }).collect();
        ranks.layers.push((END, 1));
        for left in 1..=cards {
            let mut known = WordMap::<u32>::default();
            let mut next_alike = Vec::new();
            let first = ranks.nodes_count();
            let mut here = vec![NONE; graph.count()];
            let mut leads = Vec::new();
            for node in (0..graph.count()).filter(|&node| depths[node] + left <= cards) {
                leads.clear();
                leads.extend(
                    graph.edges(node).iter().map(|&(c, to)| (c, below[to as usize])).filter(|&(_, to)| to != NONE),
                );
                if !leads.is_empty() {
                    here[node] = ranks.node(&leads, &mut counts, first, &mut known, &mut next_alike);
                }
            }
            let count = if here[0] == NONE { 0 } else { counts[here[0] as usize] };
            if count > u64::from(u32::MAX) {
                return None;
            }
            ranks.layers.push((if count > 0 { here[0] } else { NOWHERE }, count));
            below = here;
        }
        Some(ranks)
    }

    /// The node with these letters, of those from `first` on; a new one when there is none yet.
    fn node(
        &mut self,
        leads: &[(u8, u32)],
        counts: &mut Vec<u64>,
        first: usize,
        known: &mut WordMap<u32>,
        next_alike: &mut Vec<u32>,
    ) -> u32 {
        let hash = leads.iter().fold(0, |hash, &(letter, to)| of_two(hash, u64::from(letter) << 32 | u64::from(to)));
        let new = self.nodes_count() as u32;
        let mut pairs = [0u16; LETTERS / 4];
        for (number, &(letter, _)) in leads.iter().enumerate() {
            let pair = &mut pairs[usize::from(letter) / 4];
            if *pair == 0 {
                *pair = (number as u16) << 4;
            }
            *pair |= 1 << (letter % 4);
        }
        let pairs = &pairs[..self.pairs_count];
        let mut at = *known.entry(hash).or_insert(new);
        while at != new {
            let node = at as usize;
            let edges = &self.edges[self.first_edges[node] as usize..self.first_edges[node + 1] as usize];
            if self.pairs[node * self.pairs_count..][..self.pairs_count] == *pairs
                && edges.iter().map(|edge| edge.to).eq(leads.iter().map(|lead| lead.1))
            {
                return at;
            }
            let next = &mut next_alike[node - first];
            if *next == at {
                *next = new;
            }
            at = *next;
        }
        next_alike.push(new);
        self.pairs.extend_from_slice(pairs);
        let mut before = 0u64;
        for &(letter, to) in leads {
            // Nodes whose words are too many to count are not read from where those of a layer begin.
            self.edges.push(Edge { before: before.min(u64::from(u32::MAX)) as u32, to });
            self.letters.push(letter);
            before += counts[to as usize];
        }
        self.first_edges.push(self.edges.len() as u32);
        counts.push(before);
        new
    }

    fn nodes_count(&self) -> usize {
        self.first_edges.len() - 1
    }

    /// States of a layer.
    pub fn count(&self, layer: usize) -> u64 {
        self.layers[layer].1
    }

    /// The rank of a state, however its chains and stacks are named; None when it cannot be reached or is dead.
    pub fn rank(&self, state: &State) -> Option<u64> {
        let mut rank = NO_RANK;
        self.ranks(state.cards(), &[word(state, self.stacks)], |_, found| rank = found);
        (rank != NO_RANK).then_some(rank)
    }

    /// The ranks of words of a layer; NO_RANK for those that are not in the layer. The words go through the automaton
    /// side by side, so that their memory accesses overlap.
    #[inline(always)]
    pub fn ranks(&self, layer: usize, words: &[Word], mut emit: impl FnMut(usize, u64)) {
        let root = self.layers[layer].0;
        for (part, words) in words.chunks(SIDE_BY_SIDE).enumerate() {
            let mut at = [(root, 0u32); SIDE_BY_SIDE];
            for t in 0..layer {
                for (word, at) in words.iter().zip(&mut at) {
                    let (node, letter) = (at.0 as usize, usize::from(word[t]));
                    let (pair, step) = (self.pairs[node * self.pairs_count + letter / 4], letter % 4);
                    if pair >> step & 1 == 0 {
                        *at = (NOWHERE, 0);
                        continue;
                    }
                    let earlier = ONES[usize::from(pair & ((1 << step) - 1))];
                    let edge = self.first_edges[node] + u32::from(pair >> 4) + earlier;
                    let Edge { before, to } = self.edges[edge as usize];
                    *at = (to, at.1 + before);
                }
            }
            for (number, &(node, rank)) in at[..words.len()].iter().enumerate() {
                emit(part * SIDE_BY_SIDE + number, if node == END { u64::from(rank) } else { NO_RANK });
            }
        }
    }

    /// The state of a rank, in the spelling of `places::state_at`: its cards are in the same order. None when there is none.
    pub fn state(&self, layer: usize, rank: u64) -> Option<State> {
        let &(mut node, count) = self.layers.get(layer)?;
        if rank >= count {
            return None;
        }
        let mut rest = rank;
        let mut state = State { a: 0, b: 0, upper: 0, lower: 0, marks: [(0, 0); MAX_STACKS] };
        let mut marks = [0u8; 32];
        let (mut width, mut cut, mut turn, mut open) = (0u8, 0, BOTH_A, self.stacks as u8);
        for t in 0..layer {
            let first = self.first_edges[node as usize] as usize;
            let edges = &self.edges[first..self.first_edges[node as usize + 1] as usize];
            let taken = edges.iter().rposition(|edge| u64::from(edge.before) <= rest).expect("the first one has none");
            rest -= u64::from(edges[taken].before);
            node = edges[taken].to;
            let (upper, lower, step) = LETTER[usize::from(self.letters[first + taken])];
            if width == 0 {
                (cut, turn) = (t, NARROW);
            } else if turn == NARROW && (step == BOTH_A || step == BOTH_B) {
                turn = step;
            }
            width = width + (step >> 1) - (step & 1);
            marks[t] = upper | lower << 4;
            open -= upper + lower;
            state.upper |= u32::from(step & 1) << t;
            state.lower |= u32::from(step >> 1) << t;
            if width == 0 && turn == BOTH_B {
                // Where some step is not its own mirror image, the first such step is along A.
                let stretch = low_mask(t as u32 + 1) & !low_mask(cut as u32);
                let paths = (state.upper, state.lower);
                state.upper = (paths.0 & !stretch) | (!paths.1 & stretch);
                state.lower = (paths.1 & !stretch) | (!paths.0 & stretch);
                for marks in &mut marks[cut + 1..=t] {
                    *marks = marks.rotate_left(4);
                }
            }
        }
        marks[layer] = open;
        state.b = state.upper.count_ones() as u8;
        state.a = layer as u8 - state.b;
        let mut s = 0;
        for t in 0..=layer {
            for (count, path) in [(marks[t] & 15, state.upper), (marks[t] >> 4, state.lower)] {
                let i = column(state.a, path, t);
                for _ in 0..count {
                    state.marks[s] = (i, (layer - t) as u8 - i);
                    s += 1;
                }
            }
        }
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stackgame::places::{Coder, place, state_at};
    use crate::stackgame::shape::Shapes;
    use std::collections::BTreeSet;

    /// The places of all states of each layer, all cards first, by putting every card everywhere.
    fn reached(shapes: &Shapes, coders: &[Coder], stacks: usize, chains: [usize; 2]) -> Vec<BTreeSet<u64>> {
        let cards = chains[0] + chains[1];
        let start = State::start(chains[0], chains[1]);
        let mut layers = vec![BTreeSet::from([place(shapes, &coders[cards], &start, stacks)])];
        for left in (1..cards).rev() {
            let mut below = BTreeSet::new();
            for &at in &layers[cards - left - 1] {
                let state = state_at(shapes, &coders[left + 1], left + 1, stacks, at).unwrap();
                state.successors(stacks, |_, _, next| {
                    below.insert(place(shapes, &coders[left], next, stacks));
                });
            }
            layers.push(below);
        }
        layers
    }

    /// Every state has a rank below the number of states, every rank has a state, and each gives the other back.
    fn compare(stacks: usize, chains: [usize; 2]) {
        let cards = chains[0] + chains[1];
        let shapes = Shapes::new(cards);
        let coders: Vec<Coder> = (0..=cards).map(|c| Coder::new(&shapes, stacks, c).unwrap()).collect();
        let ranks = Ranks::new(stacks, chains).unwrap();
        for (places, left) in reached(&shapes, &coders, stacks, chains).into_iter().zip((1..=cards).rev()) {
            assert_eq!(ranks.count(left), places.len() as u64, "{stacks} stacks, {chains:?}, {left} left");
            let mut found = BTreeSet::new();
            for rank in 0..ranks.count(left) {
                let state = ranks.state(left, rank).unwrap();
                assert_eq!(ranks.rank(&state), Some(rank));
                assert_eq!(ranks.rank(&state.mirrored()), Some(rank));
                let at = place(&shapes, &coders[left], &state, stacks);
                let mut spelling = state_at(&shapes, &coders[left], left, stacks, at).unwrap();
                assert_eq!(ranks.rank(&spelling), Some(rank));
                let mut marks = state.marks;
                spelling.marks[..stacks].sort_unstable();
                marks[..stacks].sort_unstable();
                assert_eq!(State { marks, ..state }, spelling);
                found.insert(at);
            }
            assert_eq!(found, places);
        }
    }

    #[test]
    fn ranks_are_those_of_the_states_that_are_reached() {
        for (stacks, most) in [(1, 6), (2, 6), (3, 6), (4, 5), (5, 4)] {
            for cards in 1..=most {
                compare(stacks, [cards, cards]);
                compare(stacks, [2 * cards, 0]);
            }
        }
    }

    #[test]
    fn counts_of_the_paper() {
        let count = |stacks, cards| {
            let ranks = Ranks::new(stacks, [cards, cards]).unwrap();
            (1..=2 * cards).map(|left| ranks.count(left)).sum::<u64>()
        };
        assert_eq!(count(3, 9), 681_545);
        assert_eq!(count(4, 7), 102_750);
    }

    #[test]
    fn ranks_of_large_games_come_back() {
        for (stacks, cards) in [(2, 11), (3, 9), (4, 8), (5, 6)] {
            let ranks = Ranks::new(stacks, [cards, cards]).unwrap();
            for left in 1..=2 * cards {
                let count = ranks.count(left);
                for rank in (0..count).step_by((count / 300) as usize + 1) {
                    let state = ranks.state(left, rank).unwrap();
                    assert_eq!(ranks.rank(&state.mirrored()), Some(rank));
                }
                assert_eq!(ranks.state(left, count), None);
            }
        }
    }

    /// A state that no play leads to has no rank: of all live states of a layer, exactly as many have one as are reached.
    #[test]
    fn states_that_are_not_reached_have_no_rank() {
        let shapes = Shapes::new(6);
        for stacks in 1..=4 {
            let coder = Coder::new(&shapes, stacks, 6).unwrap();
            let ranks = Ranks::new(stacks, [5, 5]).unwrap();
            let lives = (0..1u64 << coder.key_bits()).filter_map(|at| state_at(&shapes, &coder, 6, stacks, at));
            let (with, without): (Vec<_>, Vec<_>) = lives.map(|state| ranks.rank(&state)).partition(Option::is_some);
            assert_eq!(with.len() as u64, ranks.count(6));
            assert!(!without.is_empty());
        }
    }
}
