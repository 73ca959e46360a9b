//! Ranks of all successors of a two-board state, without walking each of them from end to end.
//!
//! Putting A_i on a stack takes the upper path's step at `at` and the lower path's step at `at_lower` out of the walk, caps the
//! upper path up to `end`, and moves marks. Above `at` the successor's walk has the letters of the state's own walk, but for the
//! stack's old mark, and one antidiagonal less below each of them: those sums are run along once for each stack. From
//! max(at_lower, end) on, its letters are the state's own one antidiagonal further down, with as many antidiagonals left: as
//! soon as both walks are at the same node there, the rest of the rank is the rest of the state's rank. Only what lies
//! between is walked. A card without a stack shows as a step that the automaton does not have.
//! `State::successors` with `State::rank` is the plain way, and the tests compare the two.
use super::rank::{Automaton, DEAD, MAX_STACKS, STEPS, Walk, mirrored_node, step_of};
use super::width2::{State, low_mask, without};

/// A mark on its antidiagonal: steps from the top, and the lattice point.
#[derive(Clone, Copy, Default)]
struct Mark {
    t: u8,
    i: u8,
    j: u8,
}

/// A walk as the moves of A see it; for those of B it is mirrored.
struct View<'a> {
    walk: &'a Walk,
    upper: u32,
    lower: u32,
    /// First coordinate of the upper path on each antidiagonal.
    upper_i: [u8; STEPS],
    /// Steps at which the lower path takes A_i's column, and the upper one B_j's row.
    lower_a: [u8; STEPS],
    upper_b: [u8; STEPS],
    /// Sorted by antidiagonal and place on it.
    marks: [Mark; MAX_STACKS],
    /// The walk's nodes before and after the marks of each antidiagonal.
    before: [u16; STEPS],
    after: [u16; STEPS],
}

/// Calls `emit(card, rank)` for the successors of the state with this walk: cards are A_0.., then B_0.., in no
/// particular order; equal stacks once.
#[inline(always)]
pub fn successor_ranks(automaton: &Automaton, walk: &Walk, mut emit: impl FnMut(usize, u64)) {
    let state = State::from_walk(walk, automaton.stacks);
    let a = state.a as usize;
    if a > 0 {
        View::new(automaton, walk, &state, walk.before, walk.after).moves_of_a(automaton, &mut emit);
    }
    if state.b > 0 {
        let (before, after) = (walk.before.map(mirrored_node), walk.after.map(mirrored_node));
        View::new(automaton, walk, &state.mirrored(), before, after)
            .moves_of_a(automaton, &mut |card, rank| emit(a + card, rank));
    }
}

impl<'a> View<'a> {
    #[inline(always)]
    fn new(
        automaton: &Automaton,
        walk: &'a Walk,
        state: &State,
        before: [u16; STEPS],
        after: [u16; STEPS],
    ) -> View<'a> {
        let mut marks = [Mark::default(); MAX_STACKS];
        for (mark, &(i, j)) in marks.iter_mut().zip(&state.marks[..automaton.stacks]) {
            *mark = Mark { t: walk.cards as u8 - i - j, i, j };
        }
        sort(&mut marks[..automaton.stacks]);
        let (mut upper_i, mut lower_a, mut upper_b) = ([0u8; STEPS], [0u8; STEPS], [0u8; STEPS]);
        let (mut i, mut i_low, mut j) = (state.a, state.a, state.b);
        for t in 0..walk.cards {
            upper_i[t % STEPS] = i;
            // Written at each step, right or not; the last write at an index is at the step that takes it.
            let upper_is_b = (state.upper >> t & 1) as u8;
            i -= 1 - upper_is_b;
            upper_b[(j as usize).wrapping_sub(1) % STEPS] = t as u8;
            j -= upper_is_b;
            lower_a[(i_low as usize).wrapping_sub(1) % STEPS] = t as u8;
            i_low -= 1 - (state.lower >> t & 1) as u8;
        }
        View { walk, upper: state.upper, lower: state.lower, upper_i, lower_a, upper_b, marks, before, after }
    }

    /// For each class of equal stacks: runs down the walk without the stack's mark, and puts on the stack each card
    /// whose step it passes.
    #[inline(always)]
    fn moves_of_a(&self, automaton: &Automaton, emit: &mut impl FnMut(usize, u64)) {
        let marks = &self.marks[..automaton.stacks];
        let cards_after = self.walk.cards - 1;
        for (s, mark) in marks.iter().enumerate() {
            if mark.i == 0 || (s > 0 && (marks[s - 1].i, marks[s - 1].j) == (mark.i, mark.j)) {
                continue;
            }
            let own = mark.t as usize;
            // Down to the mark the walk is the state's own.
            for t in 0..own {
                if self.upper >> t & 1 == 0 && self.upper_i[t % STEPS] <= mark.i {
                    self.put(automaton, t, s, self.before[t % STEPS] as usize, self.walk.shorter_sum[t % STEPS], emit);
                }
            }
            let (mut q, mut sum) = (self.before[own % STEPS] as usize, self.walk.shorter_sum[own % STEPS]);
            let mut m = s - marks[..s].iter().rev().take_while(|other| other.t == mark.t).count();
            for t in own..=cards_after {
                if self.upper >> t & 1 == 0 {
                    self.put(automaton, t, s, q, sum, emit);
                    if self.upper_i[t % STEPS] == 1 {
                        break;
                    }
                }
                let left = cards_after - t;
                let end = group_end(marks, m, t);
                if end > m {
                    let (next, offset) = if t == own {
                        let mut others = [Mark::default(); MAX_STACKS];
                        let mut count = 0;
                        for other in (m..end).filter(|&other| other != s) {
                            others[count] = marks[other];
                            count += 1;
                        }
                        if count == 0 {
                            (q, 0)
                        } else {
                            read_group(automaton, left, q, self.upper_i[t % STEPS], &others[..count])
                        }
                    } else {
                        read_group(automaton, left, q, self.upper_i[t % STEPS], &marks[m..end])
                    };
                    (q, sum, m) = (next, sum + offset, end);
                }
                let (next, offset) = automaton.step(left, q, step_of(self.upper, self.lower, t));
                if next == DEAD {
                    break;
                }
                (q, sum) = (next, sum + offset);
            }
        }
    }

    /// Puts the card whose step the upper path takes at `at` on stack number `s`; node and sum are those before the
    /// marks of that antidiagonal.
    #[inline(always)]
    fn put(
        &self,
        automaton: &Automaton,
        at: usize,
        s: usize,
        mut q: usize,
        mut sum: u64,
        emit: &mut impl FnMut(usize, u64),
    ) {
        let cards_after = self.walk.cards - 1;
        let i = self.upper_i[at % STEPS] - 1;
        let tj = self.marks[s].j;
        let at_lower = self.lower_a[i as usize % STEPS] as usize;
        let height = (cards_after - at) as u8 - i;
        let mut upper = without(self.upper, at as u32);
        let lower = without(self.lower, at_lower as u32);
        let mut common_from = at_lower.max(at);
        if height > tj {
            // Down to the cap at once, then along it to where the old path comes down to it.
            let end = self.upper_b[tj as usize % STEPS] as usize;
            let stretch = low_mask(end as u32) & !low_mask(at as u32);
            upper = (upper & !stretch) | (low_mask(u32::from(height - tj)) << at);
            common_from = common_from.max(end);
        }
        // The marks from `at` on, where they are now.
        let mut marks = [Mark::default(); MAX_STACKS];
        let mut count = 0;
        for (m, mark) in self.marks[..automaton.stacks].iter().enumerate() {
            let right = u8::from(mark.i > i);
            let low = if right == 1 { mark.j } else { mark.j.min(tj) };
            let (new_i, new_j) = if m == s { (i, height.min(tj)) } else { (mark.i - right, low) };
            let t = cards_after as u8 - new_i - new_j;
            marks[count % MAX_STACKS] = Mark { t, i: new_i, j: new_j };
            count += usize::from(t as usize >= at);
        }
        let marks = &mut marks[..count.min(MAX_STACKS)];
        sort(marks);
        let (mut t, mut m, mut i_upper) = (at, 0, i);
        loop {
            let left = cards_after - t;
            let end = group_end(marks, m, t);
            if end > m {
                let (next, offset) = read_group(automaton, left, q, i_upper, &marks[m..end]);
                (q, sum, m) = (next, sum + offset, end);
            }
            if t >= common_from && q == self.after[(t + 1) % STEPS] as usize {
                let walk = self.walk;
                emit(i as usize, sum + (walk.sum[walk.cards % STEPS] - walk.sum[(t + 1) % STEPS]));
                return;
            }
            let (next, offset) = automaton.step(left, q, step_of(upper, lower, t));
            if next == DEAD {
                return;
            }
            (q, sum) = (next, sum + offset);
            i_upper -= (upper >> t & 1 == 0) as u8;
            t += 1;
        }
    }
}

#[inline(always)]
fn read_group(automaton: &Automaton, left: usize, q: usize, upper_i: u8, marks: &[Mark]) -> (usize, u64) {
    let mut positions = [0u8; MAX_STACKS];
    for (position, mark) in positions.iter_mut().zip(marks) {
        *position = mark.i - upper_i;
    }
    automaton.read(left, q, &positions[..marks.len().min(MAX_STACKS)])
}

/// End of the group of marks on antidiagonal `t` that begins at `from`, if there is one.
#[inline(always)]
fn group_end(marks: &[Mark], from: usize, t: usize) -> usize {
    let mut to = from;
    while to < marks.len() && marks[to].t as usize == t {
        to += 1;
    }
    to
}

/// Insertion sort by (t, i): marks come nearly sorted.
#[inline(always)]
fn sort(marks: &mut [Mark]) {
    for n in 1..marks.len() {
        let mark = marks[n];
        let key = u16::from(mark.t) << 8 | u16::from(mark.i);
        let mut m = n;
        while m > 0 && u16::from(marks[m - 1].t) << 8 | u16::from(marks[m - 1].i) > key {
            marks[m] = marks[m - 1];
            m -= 1;
        }
        marks[m] = mark;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All valid states with few cards, and a spread of those with more: both ways give the same ranks card by card.
    #[test]
    fn fast_and_plain_successors_agree() {
        for stacks in 1..=MAX_STACKS {
            let automaton = Automaton::new(stacks, 16);
            for cards in 1..=16 {
                let count = automaton.count(cards);
                let stride = (count / 20_000).max(1) | 1;
                let mut rank = 0;
                while rank < count {
                    let walk = automaton.walk(cards, rank);
                    let state = State::from_walk(&walk, stacks);
                    let mut plain = Vec::new();
                    state.successors(stacks, |card, _, next| plain.push((card, next.rank(&automaton))));
                    let mut fast = Vec::new();
                    successor_ranks(&automaton, &walk, |card, rank| fast.push((card, rank)));
                    plain.sort_unstable();
                    fast.sort_unstable();
                    assert_eq!(fast, plain, "{stacks} stacks: {state:?}");
                    rank += stride;
                }
            }
        }
    }
}
