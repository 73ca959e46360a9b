//! Places of all successors of two-board states, a shape at a time.
//!
//! States of one shape lie together in a table. Putting the card A_i on a stack with up-set (ti, tj) takes a step out
//! of both paths and caps the columns up to i at height tj: the successor's shape depends on i and on the cap alone.
//! It is computed once for each such pair (`Next`), for all states of the shape and all their stacks: for each
//! successor it only remains to move the marks, sort them and add up their number. Whether a card may go nowhere is
//! seen by the marks: some mark must have i = a, and some j = b.
//!
//! The successor's number is found without walking the whole shape: above the step taken out its steps are those of
//! the state with one antidiagonal less below, and from max(lower step, end of the cap) on they are those of the
//! state one antidiagonal further down, with as many left: where both are at the same node, the rest is known.
//!
//! The moves of B are those of A in the mirrored region. `State::successors` with `places::place` is the plain way; tests
//! compare the two.
use super::places::{Coder, marks_of_number, number_of_marks};
use super::region::{DIAGONALS, Diagonals, Points, Region};
use super::shape::{MIRRORED, SYMMETRIC, Shapes, turn_of, width_of};
use super::width2::{MAX_CARDS, MAX_STACKS, low_mask, without};

/// What follows from one card under one cap.
struct Next {
    /// First place of the shape.
    base: u64,
    /// Point number of (i, j) on antidiagonal t: `origin[t]` + i, or - i where mirrored.
    origin: [i16; DIAGONALS],
    diagonals: Diagonals,
}

/// One half of a shape's moves: those of A in this region.
struct Side {
    region: Region,
    /// Steps at which the paths take A_i's column, and the upper one B_j's row.
    upper_a: [u8; DIAGONALS],
    lower_a: [u8; DIAGONALS],
    upper_b: [u8; DIAGONALS],
    /// Highest point of column i.
    height: [u8; DIAGONALS],
    /// Index in `nexts` by [card][cap], or NONE.
    index: [[u16; DIAGONALS]; MAX_CARDS],
    nexts: Vec<Next>,
}

const NONE: u16 = u16::MAX;

/// The current shape, and what is known of its moves.
pub struct Moves<'a> {
    shapes: &'a Shapes,
    here: Coder,
    below: Coder,
    cards: usize,
    shape: u64,
    points: Points,
    sides: [Side; 2],
}

impl<'a> Moves<'a> {
    /// For states of `cards` (at least one) cards.
    pub fn new(shapes: &'a Shapes, here: Coder, below: Coder, cards: usize) -> Moves<'a> {
        let (upper, lower) = shapes.paths(cards, 0);
        let region = Region::new(shapes, cards, upper, lower);
        Moves {
            shapes,
            here,
            below,
            cards,
            shape: 0,
            points: Points::new(&region),
            sides: [Side::new(region.mirrored()), Side::new(region)],
        }
        .turned()
    }

    /// `new` fills the second side first, while it still owns the region.
    fn turned(mut self) -> Moves<'a> {
        self.sides.swap(0, 1);
        self
    }

    /// Calls `emit(card, place)` for the successors of the state at `place`: cards are A_0.., then B_0.., in no
    /// particular order, equal stacks once. The place must be one of a state; any other gives places that belong to
    /// no state.
    #[inline(always)]
    pub fn successors<const S: usize>(&mut self, place: u64, mut emit: impl FnMut(usize, u64)) {
        let (shape, number) = self.here.parts(place);
        if shape != self.shape {
            self.turn_to(shape);
        }
        let marks = marks_of_number(number, S, self.points.count);
        let mut a: [(u8, u8); S] = [(0, 0); S];
        for s in 0..S {
            a[s] = (self.points.i[marks[s] as usize], self.points.j[marks[s] as usize]);
        }
        let cards_a = self.sides[0].region.a as usize;
        self.sides[0].moves(self.shapes, &self.below, &a, &mut emit);
        let b = a.map(|(i, j)| (j, i));
        self.sides[1].moves(self.shapes, &self.below, &b, |card, place| emit(cards_a + card, place));
    }

    #[cold]
    #[inline(never)]
    fn turn_to(&mut self, shape: u64) {
        let shape_known = shape.min(self.shapes.count(self.cards) - 1);
        let (upper, lower) = self.shapes.paths(self.cards, shape_known);
        let region = Region::new(self.shapes, self.cards, upper, lower);
        self.points = Points::new(&region);
        self.sides[1].turn_to(region.mirrored());
        self.sides[0].turn_to(region);
        self.shape = shape;
    }
}

impl Side {
    fn new(region: Region) -> Side {
        let mut side = Side {
            region: region.clone(),
            upper_a: [0; DIAGONALS],
            lower_a: [0; DIAGONALS],
            upper_b: [0; DIAGONALS],
            height: [0; DIAGONALS],
            index: [[NONE; DIAGONALS]; MAX_CARDS],
            nexts: Vec::new(),
        };
        side.turn_to(region);
        side
    }

    fn turn_to(&mut self, region: Region) {
        self.nexts.clear();
        for row in &mut self.index[..self.region.a.max(region.a) as usize] {
            *row = [NONE; DIAGONALS];
        }
        let (mut i, mut i_low, mut j) = (region.a as usize, region.a as usize, region.b as usize);
        for t in 0..region.cards {
            if region.upper >> t & 1 == 0 {
                i -= 1;
                self.upper_a[i] = t as u8;
                self.height[i] = j as u8;
            } else {
                j -= 1;
                self.upper_b[j] = t as u8;
            }
            if region.lower >> t & 1 == 0 {
                i_low -= 1;
                self.lower_a[i_low] = t as u8;
            }
        }
        self.region = region;
    }

    #[inline(always)]
    fn moves<const S: usize>(
        &mut self,
        shapes: &Shapes,
        below: &Coder,
        marks: &[(u8, u8); S],
        mut emit: impl FnMut(usize, u64),
    ) {
        let cards_after = self.region.cards as u8 - 1;
        // A card of A goes: a falls by one. Where a chain is empty, marks are at its end, which is 0.
        let (a, b) = (self.region.a.wrapping_sub(1), self.region.b);
        for s in 0..S {
            let (ti, tj) = marks[s];
            if s > 0 && marks[..s].contains(&marks[s]) {
                continue;
            }
            for i in 0..ti {
                let cap = self.height[i as usize % DIAGONALS].min(tj);
                let slot = self.index[i as usize % MAX_CARDS][cap as usize % DIAGONALS];
                let slot = if slot == NONE { self.work_out(shapes, below, i, cap) } else { slot };
                let next = &self.nexts[slot as usize];
                let mut points = [0u8; S];
                let mut diagonals = [0u8; S];
                let (mut free_a, mut free_b, mut symmetric) = (false, false, 0);
                for r in 0..S {
                    let (ri, rj) = marks[r];
                    let right = ri > i;
                    let (ni, nj) =
                        if r == s { (i, cap) } else { (ri - u8::from(right), if right { rj } else { rj.min(tj) }) };
                    let t = (cards_after - ni - nj) as usize % DIAGONALS;
                    let mirrored = next.diagonals.mirrored >> t & 1 == 1;
                    let signed = if mirrored { -i16::from(ni) } else { i16::from(ni) };
                    points[r] = (next.origin[t] + signed) as u8;
                    diagonals[r] = t as u8;
                    symmetric |= next.diagonals.symmetric >> t & 1;
                    free_a |= ni == a;
                    free_b |= nj == b;
                }
                if !(free_a && free_b) {
                    continue;
                }
                if symmetric == 1 {
                    settle(next, &mut points, &diagonals);
                }
                sort(&mut points);
                emit(i as usize, next.base + number_of_marks(&points));
            }
        }
    }

    /// Computes what follows when A_i goes and its columns are capped at `cap`.
    #[cold]
    #[inline(never)]
    fn work_out(&mut self, shapes: &Shapes, below: &Coder, i: u8, cap: u8) -> u16 {
        let region = &self.region;
        let from = &region.diagonals;
        let cards_after = region.cards - 1;
        let at = self.upper_a[i as usize % DIAGONALS] as usize;
        let at_lower = self.lower_a[i as usize % DIAGONALS] as usize;
        let height = self.height[i as usize % DIAGONALS];
        let mut upper = without(region.upper, at as u32);
        let lower = without(region.lower, at_lower as u32);
        let mut common_from = at_lower.max(at);
        if height > cap {
            // Down to the cap at once, then along it to where the old path comes down to it.
            let end = self.upper_b[cap as usize % DIAGONALS] as usize;
            let stretch = low_mask(end as u32) & !low_mask(at as u32);
            upper = (upper & !stretch) | (low_mask(u32::from(height - cap)) << at);
            common_from = common_from.max(end);
        }
        let mut to = *from;
        // Right of the column everything moves one to the left, and above `at` there is nothing else.
        for low in &mut to.low[..at] {
            *low -= 1;
        }
        let mut stretch = from.stretch[at % DIAGONALS] as usize;
        to.mirrored &= low_mask(stretch as u32);
        to.symmetric &= low_mask(stretch as u32);
        let (mut node, mut sum) = (region.node[at % DIAGONALS] as usize, region.shorter_sum[at % DIAGONALS]);
        let (mut t, mut low, mut first) = (at, i, from.first[at % DIAGONALS]);
        loop {
            to.first[t % DIAGONALS] = first;
            to.width[t % DIAGONALS] = width_of(node) as u8;
            to.low[t % DIAGONALS] = low;
            if t >= common_from && node == region.node[(t + 1) % DIAGONALS] as usize {
                break;
            }
            let (next, offset) = shapes.step(cards_after - t, node, upper, lower, t);
            sum += offset;
            first += width_of(node) as u8 + 1;
            low -= (upper >> t & 1 == 0) as u8;
            if width_of(next) == 0 {
                to.close(turn_of(node), stretch, t);
                stretch = t + 1;
            }
            node = next;
            t += 1;
        }
        sum += region.number - region.sum[(t + 1) % DIAGONALS];
        // From here on everything is the state's own, one antidiagonal further down; so is the reading of the stretch.
        let shift = first.wrapping_sub(from.first[(t + 1) % DIAGONALS]);
        for t in t + 1..=cards_after {
            to.first[t % DIAGONALS] = from.first[(t + 1) % DIAGONALS].wrapping_add(shift);
            to.width[t % DIAGONALS] = from.width[(t + 1) % DIAGONALS];
            to.low[t % DIAGONALS] = from.low[(t + 1) % DIAGONALS];
        }
        let rest = !low_mask(t as u32 + 1);
        to.mirrored |= from.mirrored >> 1 & rest;
        to.symmetric |= from.symmetric >> 1 & rest;
        if width_of(node) > 0 {
            let turn = if from.mirrored >> (t + 1) & 1 == 1 {
                MIRRORED
            } else if from.symmetric >> (t + 1) & 1 == 1 {
                SYMMETRIC
            } else {
                usize::MAX
            };
            to.close(turn, stretch, t);
        }
        let mut origin = [0i16; DIAGONALS];
        for t in 0..DIAGONALS {
            let (first, width, low) = (i16::from(to.first[t]), i16::from(to.width[t]), i16::from(to.low[t]));
            origin[t] = if to.mirrored >> t & 1 == 1 { first + width + low } else { first - low };
        }
        let slot = self.nexts.len() as u16;
        self.nexts.push(Next { base: below.place_of_shape(sum), origin, diagonals: to });
        self.index[i as usize % MAX_CARDS][cap as usize % DIAGONALS] = slot;
        slot
    }
}

/// Makes marks in symmetric stretches canonical; their order does not matter before or after.
#[cold]
#[inline(never)]
fn settle(next: &Next, points: &mut [u8], diagonals: &[u8]) {
    let count = points.len();
    let mut marks = [(u8::MAX, 0u8); MAX_STACKS];
    for (mark, pair) in marks.iter_mut().zip(points.iter().zip(diagonals)) {
        *mark = (*pair.0, *pair.1);
    }
    marks[..count].sort_unstable();
    points.copy_from_slice(&marks.map(|mark| mark.0)[..count]);
    next.diagonals.settle(points, &marks.map(|mark| mark.1)[..count]);
}

/// Sorts up to five numbers by a network without branches.
#[inline(always)]
fn sort<const S: usize>(points: &mut [u8; S]) {
    const NETWORKS: [&[(usize, usize)]; MAX_STACKS] = [
        &[],
        &[(0, 1)],
        &[(0, 1), (1, 2), (0, 1)],
        &[(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)],
        &[(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)],
    ];
    for &(x, y) in NETWORKS[S - 1] {
        let (low, high) = (points[x].min(points[y]), points[x].max(points[y]));
        points[x] = low;
        points[y] = high;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stackgame::places::{place, state_at};

    fn compare<const S: usize>(most_cards: usize) {
        let shapes = Shapes::new(most_cards);
        let coders: Vec<Coder> = (0..=most_cards).map(|c| Coder::new(&shapes, S, c).unwrap()).collect();
        for cards in 1..=most_cards {
            let mut moves = Moves::new(&shapes, coders[cards], coders[cards - 1], cards);
            let mut states = 0;
            for shape in (0..shapes.count(cards)).step_by((shapes.count(cards) as usize / 3000) | 1) {
                let first = coders[cards].place_of_shape(shape);
                let span = coders[cards].span();
                for number in (0..span).step_by((span as usize / 300) | 1) {
                    let Some(state) = state_at(&shapes, &coders[cards], cards, S, first + number) else { continue };
                    assert_eq!(place(&shapes, &coders[cards], &state, S), first + number);
                    states += 1;
                    let mut plain = Vec::new();
                    state
                        .successors(S, |card, _, next| plain.push((card, place(&shapes, &coders[cards - 1], next, S))));
                    let mut fast = Vec::new();
                    moves.successors::<S>(first + number, |card, place| fast.push((card, place)));
                    plain.sort_unstable();
                    fast.sort_unstable();
                    assert_eq!(fast, plain, "{S} stacks: {state:?}");
                }
            }
            assert!(states > 0, "{cards} cards");
        }
    }

    #[test]
    fn fast_and_plain_successors_agree() {
        compare::<1>(14);
        compare::<2>(14);
        compare::<3>(16);
        compare::<4>(16);
        compare::<5>(14);
    }
}
