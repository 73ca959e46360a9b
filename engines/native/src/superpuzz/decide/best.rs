//! The most cards that any line of play gets into their places. A card is **in its place** if the cards from the left
//! edge of its row up to it are ace, two, three and so on of one suit: those that a redeal leaves where they are.
//!
//! A beam looks for a good position first; then a depth-first search over all positions, each taken once and told
//! apart exactly, keeps the best one. Only the bound leaves anything out: reductions that are valid for wins alone
//! (stubborn sets, classes of positions) are not used.
//!
//! **Bound.** In the relaxed game (`relaxed`) cards stay everywhere they ever were, so each card is wherever any line
//! of play can bring it, and a row can have at most as many cards of a suit in their places as lie there in the
//! relaxed game. No two rows hold cards of one suit in their places, for there is one ace of each. The best way to
//! share the suits out is the bound.
use super::expand::score;
use super::position::{LEFT, Position, ace, column, rank};
use super::relaxed::Relaxed;
use super::store::{Numbered, Store};
use crate::search::best::Best;
use crate::search::{Context, Limits, Stop};
use crate::superpuzz::board::{Board, Move};
use crate::superpuzz::space::step_between;
use std::cmp::Reverse;

/// Positions between two looks at the clock.
const CLOCK_POSITIONS: u64 = 1 << 8;
/// How many positions of a layer the beam keeps, and the most layers.
const BEAM_WIDTH: usize = 500;
const BEAM_LAYERS: usize = 400;

/// A position that waits, and how many moves lead to it.
#[derive(Clone, Copy)]
struct Waiting {
    at: Numbered,
    depth: u32,
}

struct Search {
    columns: usize,
    is_bounded: bool,
    turns: u64,
    count: u32,
    /// From the start to the best position that was met.
    best: Vec<Position>,
    waiting: Vec<Waiting>,
}

/// Searches a deal. `Err` only for an interrupt.
pub fn search(start: &Board, limits: Limits<'_>) -> Result<Best<Move>, Stop> {
    search_by(start, true, limits)
}

/// Like [`search`], with the bound or without.
pub fn search_by(start: &Board, is_bounded: bool, limits: Limits<'_>) -> Result<Best<Move>, Stop> {
    let mut context = Context::new(limits);
    let columns = start.columns();
    let first = Position::new(start.cells(), columns);
    let mut search = Search {
        columns,
        is_bounded,
        turns: 0,
        count: in_place(&first, columns),
        best: vec![first],
        waiting: Vec::new(),
    };
    let mut most = most_in_place(&first, columns);
    let mut ended = Ok(());
    if search.count < most || !is_bounded {
        ended = search.beam(&first, &mut context);
        if ended.is_ok() {
            ended = search.deep(&first, &mut context);
            let waiting = search.waiting.iter();
            most = waiting.map(|each| most_in_place(&each.at.position, columns)).max().unwrap_or(0);
        }
    }
    let boards: Vec<Board> = search.best.iter().map(|position| board(position, columns)).collect();
    let moves = boards.windows(2).map(|pair| step_between(&pair[0], &pair[1])).collect();
    Best::new(ended, search.count, most, moves, &context)
}

impl Search {
    fn bound(&self, position: &Position) -> u32 {
        if self.is_bounded { most_in_place(position, self.columns) } else { u32::MAX }
    }

    fn turn(&mut self, context: &mut Context<'_>) -> Result<(), Stop> {
        self.turns += 1;
        if self.turns.is_multiple_of(CLOCK_POSITIONS) { context.clock.check() } else { Ok(()) }
    }

    /// Layer by layer, the positions of each that look best. Its memory is given back at the end.
    fn beam(&mut self, start: &Position, context: &mut Context<'_>) -> Result<(), Stop> {
        let budget_before = context.budget.used();
        let ended = self.layers(start, context);
        context.budget.give(context.budget.used() - budget_before);
        match ended {
            // Where a beam runs out of memory, the depth-first search may still have enough.
            Err(Stop::Memory) => Ok(()),
            ended => ended,
        }
    }

    fn layers(&mut self, start: &Position, context: &mut Context<'_>) -> Result<(), Stop> {
        let mut store = Store::new(&mut context.budget)?;
        let (first, _) = store.begin(start, &mut context.budget, &mut context.clock)?;
        // Positions, and for each the place of the one before it.
        let mut nodes: Vec<(Numbered, u32)> = Vec::new();
        context.budget.push(&mut nodes, (first, 0))?;
        let mut layer = 0..1;
        let mut next: Vec<(i32, Numbered, u32)> = Vec::new();
        for _ in 0..BEAM_LAYERS {
            for index in layer.clone() {
                self.turn(context)?;
                let at = nodes[index].0;
                for child in children(&at.position, self.columns) {
                    let mut child = store.numbered(&child, &at);
                    if store.holds(&child) || self.bound(&child.position) <= self.count {
                        continue;
                    }
                    store.insert(&mut child, &mut context.budget, &mut context.clock)?;
                    context.count_state()?;
                    let count = in_place(&child.position, self.columns);
                    if count > self.count {
                        self.count = count;
                        self.best = vec![child.position];
                        let mut at = index;
                        while at != 0 {
                            self.best.push(nodes[at].0.position);
                            at = nodes[at].1 as usize;
                        }
                        self.best.push(*start);
                        self.best.reverse();
                    }
                    context.budget.push(&mut next, (score(&child.position, self.columns), child, index as u32))?;
                }
            }
            next.sort_by_key(|&(score, ..)| Reverse(score));
            next.truncate(BEAM_WIDTH);
            layer = nodes.len()..nodes.len() + next.len();
            for (_, child, parent) in next.drain(..) {
                context.budget.push(&mut nodes, (child, parent))?;
            }
        }
        Ok(())
    }

    fn deep(&mut self, start: &Position, context: &mut Context<'_>) -> Result<(), Stop> {
        let mut store = Store::new(&mut context.budget)?;
        let (at, _) = store.begin(start, &mut context.budget, &mut context.clock)?;
        context.count_state()?;
        context.budget.push(&mut self.waiting, Waiting { at, depth: 0 })?;
        let mut path: Vec<Position> = Vec::new();
        while let Some(&Waiting { at, depth }) = self.waiting.last() {
            // It waits until all that follows it does, so that a limit leaves none out.
            let index = self.waiting.len() - 1;
            self.turn(context)?;
            path.truncate(depth as usize);
            context.budget.push(&mut path, at.position)?;
            let count = in_place(&at.position, self.columns);
            if count > self.count {
                self.count = count;
                self.best = path.clone();
            }
            if self.bound(&at.position) > self.count {
                let mut next: Vec<(i32, Numbered)> = Vec::new();
                for child in children(&at.position, self.columns) {
                    let child = store.numbered(&child, &at);
                    if !store.holds(&child) && self.bound(&child.position) > self.count {
                        next.push((score(&child.position, self.columns), child));
                    }
                }
                next.sort_by_key(|&(score, _)| score);
                for (_, mut child) in next {
                    if store.insert(&mut child, &mut context.budget, &mut context.clock)?.is_some() {
                        context.count_state()?;
                        context.budget.push(&mut self.waiting, Waiting { at: child, depth: depth + 1 })?;
                    }
                }
            }
            self.waiting.remove(index);
        }
        Ok(())
    }
}

/// Cards in their places.
fn in_place(position: &Position, columns: usize) -> u32 {
    let mut count = 0;
    for row in 0..4 {
        let cells = &position.cells[row * 16..][..columns];
        if rank(cells[0]) == 1 {
            count += 1 + cells.windows(2).take_while(|pair| pair[1] != 0 && pair[1] == pair[0] + 1).count() as u32;
        }
    }
    count
}

/// The bound.
fn most_in_place(position: &Position, columns: usize) -> u32 {
    let places = position.places(columns);
    let reached = Relaxed::new(position, &places, columns).reached();
    let lengths: [[u32; 4]; 4] = std::array::from_fn(|row| {
        std::array::from_fn(|suit| {
            let lies = |column: &usize| reached[row * 16 + column] >> (ace(suit) + column) & 1 == 1;
            (0..columns - 1).take_while(lies).count() as u32
        })
    });
    share(&lengths, 0)
}

fn share(lengths: &[[u32; 4]], used: u8) -> u32 {
    let Some((row, rest)) = lengths.split_first() else { return 0 };
    let suits = (0..4).filter(|suit| used >> suit & 1 == 0);
    suits.map(|suit| row[suit] + share(rest, used | 1 << suit)).max().expect("as many suits as rows")
}

/// The positions a move away.
fn children(position: &Position, columns: usize) -> Vec<Position> {
    let places = position.places(columns);
    let mut found = Vec::new();
    let mut go = |card: usize, hole: usize| {
        let mut next = *position;
        next.cells.swap(usize::from(places[card]), hole);
        found.push(next);
    };
    for hole in (0..4).flat_map(|row| row * 16..row * 16 + columns) {
        if position.cells[hole] != 0 {
            continue;
        }
        if LEFT >> hole & 1 == 1 {
            (0..4).for_each(|suit| go(ace(suit), hole));
            continue;
        }
        let left = position.cells[hole - 1];
        if left != 0 && rank(left) + 1 < columns {
            go(usize::from(left) + 1, hole);
        }
    }
    found
}

fn board(position: &Position, columns: usize) -> Board {
    let cells: Vec<u8> =
        (0..64u8).filter(|&cell| column(cell) < columns).map(|cell| position.cells[usize::from(cell)]).collect();
    Board::new(&cells, columns).expect("a position holds every card")
}
