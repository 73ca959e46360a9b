//! The rank of a two-board state: a number below the count of all valid states with as many cards and stacks.
//!
//! # The state as a walk
//! Two chains A (a cards) and B (b cards) with relations between them: the up-sets of such an order are the lattice
//! points (i, j) ("A from i on and B from j on") of a region between two monotone paths from (a, b) down to (0, 0). The
//! *upper* path takes an A-step (i falls) wherever it can, the *lower* path a B-step (j falls). The cross-section of
//! the region on the antidiagonal i + j = d is an interval of w + 1 points. A stack is an up-set, so it is one
//! of the points, here called a mark. Going down the antidiagonals from the top, w changes by +1 (the upper path takes an A-step,
//! the lower one a B-step), -1 (the other way round) or 0 (both A or both B). Where w = 0 the order is cut: all cards above
//! come after all cards below, and two sections never share a card. So a state is a word over (marks on the antidiagonal, step).
//!
//! # Same states
//! Renaming stacks makes the marks of an antidiagonal a multiset. Relabelling cards can only mirror the stretches between two
//! cuts, each by itself (a two-chain order that is not cut has one decomposition into chains up to swapping them). So within a stretch
//! the walk is read as it comes while it equals its mirror image, and at the first place where the two differ the smaller
//! one is taken. That choice is made while walking: the automaton's state holds `turn`, which says whether the stretch is still
//! symmetric, is read as it stands, or is read mirrored. Single cards (both paths take the same step at w = 0) have no
//! orientation at all.
//!
//! # Dead states
//! The last card of A has an allowed stack iff some mark has i = a, and likewise for B. Marks with i = a lie on the lower path
//! before it leaves the line i = a. The automaton keeps two flags (`right`: a mark with i = a was seen, or there is no card of
//! A; `left` the same for j = b), and a path may leave its line only when its flag is set. Once set, a flag never matters again.
//!
//! # Rank
//! Words are ordered by their letters from the top; the rank of a word is the number of smaller words. The automaton is
//! small, so the number of completions is tabulated for every number of antidiagonals left.

/// Most cards of a state (two boards of twelve).
pub const MAX_CARDS: usize = 24;
/// Most stacks.
pub const MAX_STACKS: usize = 5;
/// Widths run from 0 to 12.
const WIDTHS: usize = MAX_CARDS / 2 + 1;
/// Automaton states: flags, turn, stacks left, width; neighbours in memory differ in width, as nodes of one walk do.
const NODES: usize = WIDTHS * 3 * (MAX_STACKS + 1) * 4;
/// What a step leads to that would leave a card without a stack.
pub const DEAD: usize = NODES;
/// Letters for marks: how many (1..=5), whether at the left and right end, and symmetric, kept, or turned/any.
const MARK_CLASSES: usize = MAX_STACKS * 4 * 2;

const SYMMETRIC: usize = 0;
const KEPT: usize = 1;
const MIRRORED: usize = 2;

#[inline(always)]
fn node(width: usize, turn: usize, stacks: usize, left: usize, right: usize) -> usize {
    (((left * 2 + right) * 3 + turn) * (MAX_STACKS + 1) + stacks) * WIDTHS + width
}

/// (width, turn, stacks left, left flag, right flag) of a node.
#[inline(always)]
fn parts(q: usize) -> (usize, usize, usize, usize, usize) {
    let (width, rest) = (q % WIDTHS, q / WIDTHS);
    let (stacks, rest) = (rest % (MAX_STACKS + 1), rest / (MAX_STACKS + 1));
    let (turn, flags) = (rest % 3, rest / 3);
    (width, turn, stacks, flags >> 1, flags & 1)
}

/// Steps by the bits of the two paths (0 = A-step, 1 = B-step): upper | lower << 1.
const BOTH_A: usize = 0;
const NARROW: usize = 1;
const WIDEN: usize = 2;
const BOTH_B: usize = 3;

/// How a multiset of marks on a cross-section is read.
#[derive(Clone, Copy, Default)]
struct Reading {
    /// Letter class, see MARK_CLASSES.
    class: u16,
    /// Index of the multiset within its class.
    index: u32,
    /// Node change: turn after reading, and the flags it sets.
    turn: u8,
    left: u8,
    right: u8,
}

/// Nodes are below this power of two; tables of layers follow each other at this distance.
const ROW: usize = 1024;

/// Tables shared by all layers of a game with `stacks` stacks. Those by [antidiagonals left][node] are flat, ROW nodes a layer.
pub struct Automaton {
    pub stacks: usize,
    /// Next node after a step, by node and step; `DEAD` where the step is not possible.
    next: Vec<[u16; 4]>,
    /// Rank offset of a step by [antidiagonals left][node][step].
    step_offset: Vec<[u64; 4]>,
    /// Completions after the marks of an antidiagonal are read, by [antidiagonals left][node].
    after_marks: Vec<u64>,
    /// Completions before they are read.
    before_marks: Vec<u64>,
    /// Rank offset of a marks letter by [antidiagonals left][node][class].
    mark_offset: Vec<[u64; MARK_CLASSES]>,
    /// Readings by [width][turn][marks] (`readings_at`) and multiset index.
    readings: Vec<Reading>,
    readings_at: [u32; READING_SLOTS],
    /// Multisets by [width][marks].
    multisets: Vec<Vec<[u8; MAX_STACKS]>>,
    /// By [width][symmetric or kept][marks]: multisets ordered by (class, index).
    by_class: Vec<Vec<u32>>,
    /// Where each class begins in `by_class`, by [width][symmetric or kept][marks][class within the number of marks].
    class_at: Vec<[u32; 8]>,
}

const READING_SLOTS: usize = WIDTHS * 3 * (MAX_STACKS + 1);

#[inline(always)]
fn reading_slot(width: usize, turn: usize, marks: usize) -> usize {
    (width * 3 + turn) * (MAX_STACKS + 1) + marks
}

/// Index of a multiset p[0] <= p[1] <= ... among all multisets of that size: the combinadic of p[i] + i.
#[inline(always)]
fn multiset_index(positions: &[u8]) -> usize {
    // C(x, k) for x up to 17, k up to 5
    const fn choose_table() -> [[u16; MAX_STACKS + 1]; WIDTHS + MAX_STACKS] {
        let mut table = [[0u16; MAX_STACKS + 1]; WIDTHS + MAX_STACKS];
        let mut x = 0;
        while x < WIDTHS + MAX_STACKS {
            table[x][0] = 1;
            let mut k = 1;
            while k <= MAX_STACKS {
                table[x][k] = if x == 0 { 0 } else { table[x - 1][k - 1] + table[x - 1][k] };
                k += 1;
            }
            x += 1;
        }
        table
    }
    const CHOOSE: [[u16; MAX_STACKS + 1]; WIDTHS + MAX_STACKS] = choose_table();
    let mut index = 0;
    for (i, &p) in positions.iter().enumerate() {
        index += CHOOSE[p as usize + i][i + 1] as usize;
    }
    index
}

/// All multisets of `marks` positions out of `width + 1`, in the order of `multiset_index`.
fn all_multisets(width: usize, marks: usize) -> Vec<[u8; MAX_STACKS]> {
    fn extend(width: usize, marks: usize, from: usize, current: &mut Vec<u8>, out: &mut Vec<Vec<u8>>) {
        if current.len() == marks {
            out.push(current.clone());
            return;
        }
        for p in from..=width {
            current.push(p as u8);
            extend(width, marks, p, current, out);
            current.pop();
        }
    }
    let mut found = Vec::new();
    extend(width, marks, 0, &mut Vec::new(), &mut found);
    found.sort_by_key(|m| multiset_index(m));
    found
        .into_iter()
        .map(|m| {
            let mut fixed = [0u8; MAX_STACKS];
            fixed[..marks].copy_from_slice(&m);
            fixed
        })
        .collect()
}

fn class_of(marks: usize, left: usize, right: usize, second: usize) -> usize {
    (((marks - 1) * 2 + left) * 2 + right) * 2 + second
}

impl Automaton {
    /// Tables for `stacks` stacks and up to `cards` cards. About 10 ms and a few MB for 24 cards.
    pub fn new(stacks: usize, cards: usize) -> Automaton {
        assert!((1..=MAX_STACKS).contains(&stacks) && cards <= MAX_CARDS);
        let mut automaton = Automaton {
            stacks,
            next: vec![[NODES as u16; 4]; NODES],
            step_offset: vec![[0; 4]; ROW * (cards + 1)],
            after_marks: vec![0; ROW * (cards + 1)],
            before_marks: vec![0; ROW * (cards + 1)],
            mark_offset: vec![[u64::MAX; MARK_CLASSES]; ROW * (cards + 1)],
            readings: Vec::new(),
            readings_at: [0; READING_SLOTS],
            class_at: vec![[0; 8]; WIDTHS * 2 * (MAX_STACKS + 1)],
            multisets: vec![Vec::new(); WIDTHS * (MAX_STACKS + 1)],
            by_class: vec![Vec::new(); WIDTHS * 2 * (MAX_STACKS + 1)],
        };
        automaton.fill_next();
        automaton.fill_readings();
        for left_count in 0..=cards {
            automaton.fill_layer(left_count);
        }
        automaton
    }

    fn fill_next(&mut self) {
        for width in 0..WIDTHS {
            for turn in 0..3 {
                for stacks in 0..=self.stacks {
                    for flags in 0..4 {
                        let (left, right) = (flags >> 1, flags & 1);
                        let turn_here = if width == 0 { SYMMETRIC } else { turn };
                        let both = left & right == 1;
                        let row = &mut self.next[node(width, turn, stacks, left, right)];
                        if width + 1 < WIDTHS {
                            row[WIDEN] = node(width + 1, turn_here, stacks, left, right) as u16;
                        }
                        if width == 0 {
                            // A single card: below it every card is before it, so both lines are left.
                            if both {
                                row[BOTH_A] = node(0, SYMMETRIC, stacks, 1, 1) as u16;
                                row[BOTH_B] = row[BOTH_A];
                            }
                            continue;
                        }
                        if both {
                            let turn_after = if width == 1 { SYMMETRIC } else { turn_here };
                            row[NARROW] = node(width - 1, turn_after, stacks, 1, 1) as u16;
                        }
                        // Both A: the lower path leaves i = a, the upper one stays on j = b. Flags are kept as they are
                        // read, that is after mirroring.
                        match turn_here {
                            SYMMETRIC => {
                                // left == right while symmetric; the kept reading is the one with both A.
                                if right == 1 {
                                    row[BOTH_A] = node(width, KEPT, stacks, left, 1) as u16;
                                    row[BOTH_B] = node(width, MIRRORED, stacks, left, 1) as u16;
                                }
                            }
                            _ => {
                                let (a, b) = if turn_here == KEPT { (BOTH_A, BOTH_B) } else { (BOTH_B, BOTH_A) };
                                if right == 1 {
                                    row[a] = node(width, turn_here, stacks, left, 1) as u16;
                                }
                                if left == 1 {
                                    row[b] = node(width, turn_here, stacks, 1, right) as u16;
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn fill_readings(&mut self) {
        for width in 0..WIDTHS {
            for marks in 1..=self.stacks {
                let sets = all_multisets(width, marks);
                let mirror = |m: &[u8; MAX_STACKS]| {
                    let mut mirrored = [0u8; MAX_STACKS];
                    for i in 0..marks {
                        mirrored[i] = width as u8 - m[marks - 1 - i];
                    }
                    mirrored
                };
                let mut next_index = [[0u32; MARK_CLASSES]; 2];
                let mut rows = [
                    vec![Reading::default(); sets.len()],
                    vec![Reading::default(); sets.len()],
                    vec![Reading::default(); sets.len()],
                ];
                for (s, set) in sets.iter().enumerate() {
                    let mirrored = mirror(set);
                    let left = usize::from(set[0] == 0);
                    let right = usize::from(set[marks - 1] as usize == width);
                    let class_kept = class_of(marks, left, right, 0);
                    rows[KEPT][s] = Reading {
                        class: class_kept as u16,
                        index: next_index[1][class_kept],
                        turn: KEPT as u8,
                        left: left as u8,
                        right: right as u8,
                    };
                    next_index[1][class_kept] += 1;
                    // While the stretch is symmetric, an unequal pair of ends or the smaller word decides.
                    let symmetric = *set == mirrored;
                    let keeps = if left != right { left == 1 } else { *set < mirrored };
                    if symmetric || keeps {
                        let class = class_of(marks, left, right, usize::from(!symmetric));
                        rows[SYMMETRIC][s] = Reading {
                            class: class as u16,
                            index: next_index[0][class],
                            turn: if symmetric { SYMMETRIC } else { KEPT } as u8,
                            left: left as u8,
                            right: right as u8,
                        };
                        next_index[0][class] += 1;
                    }
                }
                for (s, set) in sets.iter().enumerate() {
                    let m = multiset_index(&mirror(set)[..marks]);
                    rows[MIRRORED][s] = Reading { turn: MIRRORED as u8, ..rows[KEPT][m] };
                    let symmetric = m == s;
                    let left = usize::from(set[0] == 0);
                    let right = usize::from(set[marks - 1] as usize == width);
                    let keeps = if left != right { left == 1 } else { *set < mirror(set) };
                    if !symmetric && !keeps {
                        rows[SYMMETRIC][s] = Reading { turn: MIRRORED as u8, ..rows[SYMMETRIC][m] };
                    }
                }
                for (seen, turn) in [SYMMETRIC, KEPT].into_iter().enumerate() {
                    let mut order: Vec<u32> =
                        (0..sets.len() as u32).filter(|&s| rows[turn][s as usize].turn as usize != MIRRORED).collect();
                    order.sort_by_key(|&s| (rows[turn][s as usize].class, rows[turn][s as usize].index));
                    let slot = (width * 2 + seen) * (MAX_STACKS + 1) + marks;
                    for (class, at) in self.class_at[slot].iter_mut().enumerate() {
                        let class = (marks - 1) * 8 + class;
                        *at = order.partition_point(|&s| (rows[turn][s as usize].class as usize) < class) as u32;
                    }
                    self.by_class[slot] = order;
                }
                for (turn, row) in rows.into_iter().enumerate() {
                    self.readings_at[reading_slot(width, turn, marks)] = self.readings.len() as u32;
                    self.readings.extend(row);
                }
                self.multisets[width * (MAX_STACKS + 1) + marks] = sets;
            }
        }
    }

    /// Completions and offsets with `cards` antidiagonals left, from those with one less.
    fn fill_layer(&mut self, cards: usize) {
        let row = cards * ROW;
        for q in 0..NODES {
            let (width, turn, stacks, _, _) = parts(q);
            if cards == 0 {
                self.after_marks[q] = u64::from(width == 0 && stacks == 0);
                continue;
            }
            let below = &self.before_marks[row - ROW..];
            // A letter that is another letter's mirror image shares its offset and is not counted.
            let letters: &[usize] = match (width, turn) {
                (0, _) | (_, SYMMETRIC) => &[NARROW, BOTH_A, WIDEN],
                (_, KEPT) => &[NARROW, BOTH_A, BOTH_B, WIDEN],
                _ => &[NARROW, BOTH_B, BOTH_A, WIDEN],
            };
            let mut total = 0;
            let mut offsets = [0u64; 4];
            for &letter in letters {
                offsets[letter] = total;
                let q_next = self.next[q][letter] as usize;
                if q_next != DEAD {
                    total += below[q_next];
                }
            }
            if letters.len() == 3 {
                offsets[BOTH_B] = offsets[BOTH_A];
            }
            self.step_offset[row + q] = offsets;
            self.after_marks[row + q] = total;
        }
        for q in 0..NODES {
            let (width, turn, stacks, left, right) = parts(q);
            let after = &self.after_marks[row..];
            let mut total = after[q];
            for marks in 1..=stacks.min(self.stacks) {
                let seen = usize::from(turn != SYMMETRIC);
                let order = &self.by_class[(width * 2 + seen) * (MAX_STACKS + 1) + marks];
                let kept = self.readings_at[reading_slot(width, seen, marks)] as usize;
                let mut class_before = usize::MAX;
                for &s in order {
                    let reading = self.readings[kept + s as usize];
                    let class = reading.class as usize;
                    if class != class_before {
                        self.mark_offset[row + q][class] = total;
                        class_before = class;
                    }
                    let turn_after = if turn == MIRRORED { MIRRORED } else { reading.turn as usize };
                    let (left, right) = (left | reading.left as usize, right | reading.right as usize);
                    total += after[node(width, turn_after, stacks - marks, left, right)];
                }
            }
            self.before_marks[row + q] = total;
        }
    }

    /// Number of valid states with `cards` cards: ranks run below it.
    pub fn count(&self, cards: usize) -> u64 {
        self.before_marks[cards * ROW + self.first()]
    }

    /// The walk's first node.
    #[inline(always)]
    pub fn first(&self) -> usize {
        node(0, SYMMETRIC, self.stacks, 0, 0)
    }

    /// Takes a step with `left` antidiagonals below: the next node and what the step adds to the rank. `DEAD`: the step
    /// would leave a card without a stack.
    #[inline(always)]
    pub fn step(&self, left: usize, q: usize, step: usize) -> (usize, u64) {
        (self.next[q][step] as usize, self.step_offset[left * ROW + q][step])
    }

    /// Reads the marks of an antidiagonal with `left` antidiagonals below, at `positions` (ascending, at least one)
    /// of its cross-section: the next node and what they add to the rank.
    #[inline(always)]
    pub fn read(&self, left: usize, q: usize, positions: &[u8]) -> (usize, u64) {
        let (width, turn, stacks, left_flag, right_flag) = parts(q);
        let count = positions.len();
        let index = if count == 1 { positions[0] as usize } else { multiset_index(positions) };
        let reading = self.readings[self.readings_at[reading_slot(width, turn, count)] as usize + index];
        let q_after = node(
            width,
            reading.turn as usize,
            stacks - count,
            left_flag | reading.left as usize,
            right_flag | reading.right as usize,
        );
        (q_after, self.marks_offset(left, q, q_after, reading.class as usize, u64::from(reading.index)))
    }

    /// Rank of a walk.
    ///
    /// `upper` and `lower` hold a bit for each of `cards` steps from the top (0 = A-step). `marks` holds each stack
    /// as `t << 8 | x`: steps from the top, and place in the cross-section counted from the upper path; ascending.
    pub fn rank(&self, cards: usize, upper: u32, lower: u32, marks: &[u16]) -> u64 {
        let mut q = self.first();
        let mut rank = 0u64;
        let mut m = 0usize;
        for t in 0..=cards {
            let mut positions = [0u8; MAX_STACKS];
            let from = m;
            while m < marks.len() && (marks[m] >> 8) as usize == t {
                positions[m - from] = marks[m] as u8;
                m += 1;
            }
            if m > from {
                let (q_after, offset) = self.read(cards - t, q, &positions[..m - from]);
                q = q_after;
                rank += offset;
            }
            if t < cards {
                let (q_after, offset) = self.step(cards - t, q, step_of(upper, lower, t));
                q = q_after;
                rank += offset;
            }
        }
        rank
    }

    #[inline(always)]
    fn marks_offset(&self, left: usize, q: usize, q_after: usize, class: usize, index: u64) -> u64 {
        self.mark_offset[left * ROW + q][class] + self.after_marks[left * ROW + q_after] * index
    }

    /// The walk with this rank. The rank must be below `count(cards)`.
    #[inline(always)]
    pub fn walk(&self, cards: usize, rank: u64) -> Walk {
        let mut walk = Walk {
            cards,
            upper: 0,
            lower: 0,
            marks: [0; MAX_STACKS],
            before: [0; STEPS],
            after: [0; STEPS],
            sum: [0; STEPS],
            shorter_sum: [0; STEPS],
        };
        let (mut q, mut rest, mut shorter, mut m) = (self.first(), rank, 0u64, 0);
        for t in 0..=cards {
            let left = cards - t;
            let row = left * ROW;
            walk.before[t] = q as u16;
            walk.shorter_sum[t] = shorter;
            if rest >= self.after_marks[row + q] {
                let (width, turn, stacks, left_flag, right_flag) = parts(q);
                // The letter is the last class whose offset is not above the rest; classes not in use have the largest.
                let offsets = &self.mark_offset[row + q];
                let mut class = 0;
                for (c, &offset) in offsets[..stacks * 8].iter().enumerate() {
                    class = if offset <= rest { c } else { class };
                }
                let count = class / 8 + 1;
                let seen = usize::from(turn != SYMMETRIC);
                let slot = (width * 2 + seen) * (MAX_STACKS + 1) + count;
                let order = &self.by_class[slot];
                let from = self.class_at[slot][class % 8] as usize;
                let readings_at = self.readings_at[reading_slot(width, turn, count)] as usize;
                let reading = self.readings[readings_at + order[from] as usize];
                let (left_flag, right_flag) = (left_flag | reading.left as usize, right_flag | reading.right as usize);
                let q_after = node(width, reading.turn as usize, stacks - count, left_flag, right_flag);
                rest -= offsets[class];
                let size = self.after_marks[row + q_after];
                let index = rest / size;
                rest -= index * size;
                let set = &self.multisets[width * (MAX_STACKS + 1) + count][order[from + index as usize] as usize];
                for &x in &set[..count] {
                    walk.marks[m] = (t as u16) << 8 | u16::from(x);
                    m += 1;
                }
                if left > 0 {
                    shorter = shorter.wrapping_add(self.marks_offset(left - 1, q, q_after, class, index));
                }
                q = q_after;
            }
            walk.after[t] = q as u16;
            walk.sum[t] = rank - rest;
            if t == cards {
                break;
            }
            // Letters in the order of their offsets: narrow, both A, both B where it is told apart, widen. A canonical
            // walk is read as it stands, so the turn is never MIRRORED here.
            let offsets = self.step_offset[row + q];
            let both_b = if is_kept(q) { offsets[BOTH_B] } else { offsets[WIDEN] };
            let place = usize::from(rest >= offsets[BOTH_A])
                + usize::from(rest >= both_b)
                + usize::from(rest >= offsets[WIDEN]);
            let step = [NARROW, BOTH_A, BOTH_B, WIDEN][place];
            rest -= offsets[step];
            shorter = shorter.wrapping_add(self.step_offset[row - ROW + q][step]);
            walk.upper |= (step as u32 & 1) << t;
            walk.lower |= (step as u32 >> 1) << t;
            q = self.next[q][step] as usize;
        }
        walk
    }
}

/// Antidiagonals of a walk, rounded up.
pub const STEPS: usize = 32;

/// A canonical walk and what its letters add to its rank.
pub struct Walk {
    pub cards: usize,
    /// A bit for each step from the top: 0 = A-step.
    pub upper: u32,
    pub lower: u32,
    /// Each stack as `t << 8 | x`, ascending: steps from the top, place in the cross-section from the upper path.
    pub marks: [u16; MAX_STACKS],
    /// Node before and after the marks of each antidiagonal are read.
    pub before: [u16; STEPS],
    pub after: [u16; STEPS],
    /// Rank of the letters up to the marks of each antidiagonal.
    pub sum: [u64; STEPS],
    /// What the letters before the marks of each antidiagonal would add with one antidiagonal less below.
    pub shorter_sum: [u64; STEPS],
}

#[inline(always)]
fn turn_of(q: usize) -> usize {
    q / (WIDTHS * (MAX_STACKS + 1)) % 3
}

#[inline(always)]
fn is_kept(q: usize) -> bool {
    turn_of(q) == KEPT
}

/// The node of a canonical walk's mirror image.
#[inline(always)]
pub fn mirrored_node(q: u16) -> u16 {
    if is_kept(q as usize) { q + (WIDTHS * (MAX_STACKS + 1)) as u16 } else { q }
}

/// The step that two paths take at `t`.
#[inline(always)]
pub fn step_of(upper: u32, lower: u32, t: usize) -> usize {
    (upper >> t & 1 | (lower >> t & 1) << 1) as usize
}
