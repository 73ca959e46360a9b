//! States of at most two boards, and their moves, on bit paths.
//!
//! A state is a region of lattice points between an upper and a lower path with one mark per stack (see `shape`). Putting the card
//! A_i on the stack whose up-set is (ti, tj), i < ti, makes everything up to A_i come before everything in that up-set: columns
//! 0..=i of the region are capped at height tj. Then column i is contracted, and the stack's mark becomes the highest point
//! of what was column i. The moves of B are those of A on the mirrored state.

/// Most cards of a state (two boards of twelve).
pub const MAX_CARDS: usize = 24;
/// Most stacks.
pub const MAX_STACKS: usize = 5;

/// A state of two chains: `a` + `b` cards, paths as bits from the top (0 = A-step), marks as lattice points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub a: u8,
    pub b: u8,
    pub upper: u32,
    pub lower: u32,
    /// (i, j) of each stack: its up-set is A from i on and B from j on.
    pub marks: [(u8, u8); MAX_STACKS],
}

#[inline(always)]
pub fn low_mask(bits: u32) -> u32 {
    // bits <= 24
    (1u32 << bits) - 1
}

/// Takes bit `at` out of a path; the bits above it move down.
#[inline(always)]
pub fn without(path: u32, at: u32) -> u32 {
    let below = low_mask(at);
    (path & below) | (path >> 1 & !below)
}

impl State {
    /// The first state: chains of `a` and `b` unrelated cards, all stacks empty.
    pub fn start(a: usize, b: usize) -> State {
        State {
            a: a as u8,
            b: b as u8,
            upper: ((1u32 << b) - 1) << a,
            lower: (1u32 << b) - 1,
            marks: [(a as u8, b as u8); MAX_STACKS],
        }
    }

    pub fn cards(&self) -> usize {
        self.a as usize + self.b as usize
    }

    /// The same state with its chains exchanged.
    #[inline(always)]
    pub fn mirrored(&self) -> State {
        let all = low_mask(self.cards() as u32);
        let mut marks = self.marks;
        for m in &mut marks {
            *m = (m.1, m.0);
        }
        State { a: self.b, b: self.a, upper: !self.lower & all, lower: !self.upper & all, marks }
    }

    /// Some card may go nowhere.
    #[inline(always)]
    pub fn is_dead(&self, stacks: usize) -> bool {
        let (mut free_a, mut free_b) = (self.a == 0, self.b == 0);
        for m in &self.marks[..stacks] {
            free_a |= m.0 == self.a;
            free_b |= m.1 == self.b;
        }
        !(free_a && free_b)
    }

    /// Calls `emit(card, stack, successor)` for every live successor, one stack of each class of equal stacks. Cards are
    /// numbered A_0.., then B_0..; a card's successors come one after another, cards in ascending order.
    #[inline(always)]
    pub fn successors(&self, stacks: usize, mut emit: impl FnMut(usize, usize, &State)) {
        self.moves_of_a(stacks, |card, stack, state| emit(card, stack, state));
        let a = self.a as usize;
        self.mirrored().moves_of_a(stacks, |card, stack, state| emit(a + card, stack, state));
    }

    #[inline(always)]
    fn moves_of_a(&self, stacks: usize, mut emit: impl FnMut(usize, usize, &State)) {
        let a = self.a as usize;
        let cards = self.cards() as u32;
        if a == 0 {
            return;
        }
        // Where each path takes its A-steps, and where the upper one takes its B-steps.
        let mut upper_a = [0u8; MAX_CARDS];
        let mut lower_a = [0u8; MAX_CARDS];
        let mut upper_b = [0u8; MAX_CARDS];
        let (mut i, mut i_low, mut j) = (a, a, self.b as usize);
        for t in 0..cards {
            if self.upper >> t & 1 == 0 {
                i -= 1;
                upper_a[i] = t as u8;
            } else {
                j -= 1;
                upper_b[j] = t as u8;
            }
            if self.lower >> t & 1 == 0 {
                i_low -= 1;
                lower_a[i_low] = t as u8;
            }
        }
        let marks = &self.marks[..stacks];
        for i in 0..a {
            let at = u32::from(upper_a[i]);
            // The point left of the step is (i, height).
            let height = (cards - 1 - at - i as u32) as u8;
            let shortened = without(self.upper, at);
            let lower = without(self.lower, u32::from(lower_a[i]));
            for s in 0..stacks {
                let (ti, tj) = marks[s];
                if i as u8 >= ti || marks[..s].contains(&marks[s]) {
                    continue;
                }
                let mut next = State { a: self.a - 1, b: self.b, upper: shortened, lower, marks: self.marks };
                let cap = height.min(tj);
                if height > tj {
                    // Go down to the cap at once, then along it to where the old path comes down to it.
                    let down = u32::from(height - tj);
                    let end = u32::from(upper_b[tj as usize]);
                    let stretch = low_mask(end) & !low_mask(at);
                    next.upper = (shortened & !stretch) | (low_mask(down) << at);
                }
                for mark in &mut next.marks[..stacks] {
                    let below = mark.0 as usize <= i;
                    mark.1 = if below { mark.1.min(tj) } else { mark.1 };
                    mark.0 -= u8::from(!below);
                }
                next.marks[s] = (i as u8, cap);
                if !next.is_dead(stacks) {
                    emit(i, s, &next);
                }
            }
        }
    }

    /// Builds the state of an order on at most 24 cards: `before[x]` = mask of the cards before x, `forbidden[x]` = mask of
    /// stacks. Also returns the cards of chain A and of chain B. None: the order needs more than two chains.
    pub fn from_order(before: &[u32], forbidden: &[u8], stacks: usize) -> Option<(State, Vec<usize>, Vec<usize>)> {
        let cards = before.len();
        let comparable = |x: usize, y: usize| before[x] >> y & 1 == 1 || before[y] >> x & 1 == 1;
        // Two chains cover the order iff its incomparable pairs form a bipartite graph.
        let mut side = vec![None; cards];
        for root in 0..cards {
            if side[root].is_some() {
                continue;
            }
            side[root] = Some(false);
            let mut queue = vec![root];
            while let Some(x) = queue.pop() {
                for y in (0..cards).filter(|&y| y != x && !comparable(x, y)) {
                    match side[y] {
                        None => {
                            side[y] = side[x].map(|s: bool| !s);
                            queue.push(y);
                        }
                        Some(s) if Some(s) == side[x] => return None,
                        Some(_) => {}
                    }
                }
            }
        }
        let mut chains = [Vec::new(), Vec::new()];
        let mut order: Vec<usize> = (0..cards).collect();
        order.sort_by_key(|&x| before[x].count_ones());
        for x in order {
            chains[usize::from(side[x] == Some(true))].push(x);
        }
        let [chain_a, chain_b] = chains;
        let (a, b) = (chain_a.len(), chain_b.len());
        // f[i]: first card of B after A_i, and g[j] likewise.
        let first_after =
            |x: usize, chain: &[usize]| chain.iter().position(|&y| before[y] >> x & 1 == 1).unwrap_or(chain.len());
        let (mut upper, mut lower) = (0u32, 0u32);
        let (mut i, mut j) = (a, b);
        for t in 0..cards {
            if i > 0 && first_after(chain_a[i - 1], &chain_b) >= j {
                i -= 1;
            } else {
                j -= 1;
                upper |= 1 << t;
            }
        }
        let (mut i, mut j) = (a, b);
        for t in 0..cards {
            if j > 0 && first_after(chain_b[j - 1], &chain_a) >= i {
                j -= 1;
                lower |= 1 << t;
            } else {
                i -= 1;
            }
        }
        let mut marks = [(0u8, 0u8); MAX_STACKS];
        for (s, mark) in marks.iter_mut().enumerate().take(stacks) {
            let first = |chain: &[usize]| chain.iter().position(|&x| forbidden[x] >> s & 1 == 1).unwrap_or(chain.len());
            *mark = (first(&chain_a) as u8, first(&chain_b) as u8);
        }
        Some((State { a: a as u8, b: b as u8, upper, lower, marks }, chain_a, chain_b))
    }

    /// The order back: `before` and `forbidden` with A_0.., then B_0.. as cards 0, 1, ...
    pub fn to_order(self, stacks: usize) -> (Vec<u32>, Vec<u8>) {
        let (a, b) = (self.a as usize, self.b as usize);
        // Up-set of A_i: the highest point of column i; of B_j: the rightmost point of row j.
        let mut height = vec![0; a];
        let mut reach = vec![0; b];
        let (mut i, mut j) = (a, b);
        for t in 0..self.cards() {
            if self.upper >> t & 1 == 0 {
                i -= 1;
                height[i] = j;
            } else {
                j -= 1;
            }
        }
        let (mut i, mut j) = (a, b);
        for t in 0..self.cards() {
            if self.lower >> t & 1 == 1 {
                j -= 1;
                reach[j] = i;
            } else {
                i -= 1;
            }
        }
        let mut before = vec![0u32; a + b];
        let mut forbidden = vec![0u8; a + b];
        for x in 0..a {
            before[x] = low_mask(x as u32);
            for y in 0..b {
                if reach[y] <= x {
                    before[x] |= 1 << (a + y);
                }
                if height[x] <= y {
                    before[a + y] |= 1 << x;
                }
            }
        }
        for y in 0..b {
            before[a + y] |= low_mask(y as u32) << a;
        }
        for (s, mark) in self.marks[..stacks].iter().enumerate() {
            let (chain_a, chain_b) = forbidden.split_at_mut(a);
            for mask in chain_a.iter_mut().skip(mark.0 as usize).chain(chain_b.iter_mut().skip(mark.1 as usize)) {
                *mask |= 1 << s;
            }
        }
        (before, forbidden)
    }
}
