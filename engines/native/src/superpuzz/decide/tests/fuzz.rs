//! Slow: the reductions on whole games of positions that are made to be hard on them (`make check-superpuzz`).
//!
//! Random deals seldom have several holes at the left edge, untold aces with cards in the way, or levels about to close.
//! These positions do. Each is played out in full, and in every class that can be reached what `expand` leaves out is
//! compared with what all moves can do. `FUZZ_SEED` and `FUZZ_DEALS` (of each kind) choose others; the same numbers
//! give the same positions.
use super::*;
use crate::rng::Stream;
use std::time::Instant;

/// Larger games are left out.
const CLASSES_MAX: usize = 20_000;
/// A cell that nothing was put in yet.
const FREE: u8 = 255;

/// A position in the making.
struct Draft {
    columns: usize,
    cells: [u8; 64],
    /// Cards that lie somewhere, as bits.
    used: u64,
    holes_count: usize,
    chance: Stream,
}

impl Draft {
    fn new(columns: usize, chance: Stream) -> Draft {
        Draft { columns, cells: [FREE; 64], used: 0, holes_count: 0, chance }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.chance.below(bound as u32) as usize
    }

    /// Whether the card, or a hole for 0, could be put there.
    fn put(&mut self, cell: usize, card: usize) -> bool {
        let room = if card == 0 { self.holes_count < 4 } else { self.used >> card & 1 == 0 };
        if self.cells[cell] != FREE || !room {
            return false;
        }
        self.cells[cell] = card as u8;
        if card == 0 {
            self.holes_count += 1;
        } else {
            self.used |= 1 << card;
        }
        true
    }

    fn suits(&mut self) -> [usize; 4] {
        let mut suits = [0, 1, 2, 3];
        self.chance.shuffle(&mut suits);
        suits
    }

    fn any_cell(&mut self, first_column: usize) -> usize {
        self.below(4) * 16 + first_column + self.below(self.columns - first_column)
    }

    /// Some of the cards of a suit, at their final places in a row.
    fn put_sequence(&mut self, row: usize, suit: usize, ranks: std::ops::Range<usize>) {
        for rank in ranks {
            if self.below(4) > 0 {
                self.put(row * 16 + rank - 1, suit * 16 + rank);
            }
        }
    }

    /// The canonical position, after putting holes and cards that are left at random; holes not before `first_column`.
    fn finish(mut self, first_column: usize, untold: u8) -> Position {
        while self.holes_count < 4 {
            let cell = self.any_cell(first_column);
            self.put(cell, 0);
        }
        let mut rest: Vec<u8> = (0..4)
            .flat_map(|suit| (1..self.columns).map(move |rank| suit * 16 + rank))
            .filter(|card| self.used >> card & 1 == 0)
            .map(|card| card as u8)
            .collect();
        self.chance.shuffle(&mut rest);
        let mut position = Position { cells: [0; 64] };
        for cell in (0..4).flat_map(|row| row * 16..row * 16 + self.columns) {
            let card = self.cells[cell];
            position.cells[cell] = if card == FREE { rest.pop().expect("as many cards as cells") } else { card };
        }
        position.cells[UNTOLD] = untold;
        canonical(&mut position, self.columns);
        position
    }
}

/// Rows that are in sequence for some length, and holes near the left edge.
fn in_sequence(mut draft: Draft) -> Option<Position> {
    let columns = draft.columns;
    if draft.below(8) >= 3 {
        let width = 1 + draft.below(3.min(columns));
        for _ in 0..2 + draft.below(3) {
            let cell = draft.below(4) * 16 + draft.below(width);
            draft.put(cell, 0);
        }
    }
    for (row, suit) in draft.suits().into_iter().enumerate() {
        let from = 1 + draft.below(3.min(columns - 1));
        let to = from + draft.below(columns);
        if draft.below(4) > 0 {
            draft.put_sequence(row, suit, from..to.min(columns));
        }
    }
    Some(draft.finish(0, 0))
}

/// Untold aces, one of them with a hole on its right, another with a card that could leave.
fn with_untold_aces(mut draft: Draft) -> Option<Position> {
    let columns = draft.columns;
    let suits = draft.suits();
    let untold_count = if draft.below(5) == 0 { 3 } else { 2 };
    for row in 0..untold_count {
        draft.put(row * 16, suits[row] * 16 + 1);
    }
    draft.put(1, 0);
    // A three whose two and ace have holes on their right: it can leave the cell right of an untold ace, and come back.
    let other = suits[3] * 16;
    draft.put(17, other + 3);
    for card in [other + 2, other + 1] {
        if card == other + 2 || draft.below(3) > 0 {
            let cell = draft.any_cell(1);
            if cell & 15 == columns - 1 || !draft.put(cell, card) || !draft.put(cell + 1, 0) {
                return None;
            }
        }
    }
    for suit in 0..4 {
        let row = draft.below(4);
        draft.put_sequence(row, suit, 2..columns);
    }
    let position = draft.finish(1, (1 << untold_count) - 1);
    // Another ace at the left edge would be untold too.
    (untold_count..4).all(|row| position.cells[row * 16] & 15 != 1).then_some(position)
}

/// Two or three free levels with few holes, which the next moves close.
fn with_closing_levels(mut draft: Draft) -> Option<Position> {
    let suits = draft.suits();
    let rows_count = 2 + draft.below(3);
    let mut rows: Vec<usize> = (0..rows_count).collect();
    for row in 0..rows_count - 1 {
        draft.put(row * 16, suits[row] * 16 + 1);
    }
    draft.put((rows_count - 1) * 16, 0);
    for column in 1..3.min(draft.columns - 1) {
        if column == 2 && draft.below(2) == 0 {
            break;
        }
        let hole_row = rows[draft.below(rows.len())];
        draft.put(hole_row * 16 + column, 0);
        let mut next = vec![hole_row];
        for row in rows {
            let card = suits[draft.below(rows_count - 1)] * 16 + column + 1;
            if row != hole_row && draft.below(3) == 0 && draft.put(row * 16 + column, card) {
                next.push(row);
            }
        }
        rows = next;
    }
    for suit in 0..4 {
        let row = draft.below(4);
        let to = draft.columns;
        draft.put_sequence(row, suit, 2..to);
    }
    Some(draft.finish(1, 0))
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name}: {value} is no number")))
}

/// Plays whole games from positions of one kind.
fn fuzz(kind: u64, columns: &[usize], make: impl Fn(Draft) -> Option<Position>) {
    play_out(kind, columns, number("FUZZ_SEED", 1), number("FUZZ_DEALS", 3_000), make);
}

fn play_out(kind: u64, columns: &[usize], seed: u64, deals: u64, make: impl Fn(Draft) -> Option<Position>) {
    let begin = Instant::now();
    let (mut games, mut classes, mut too_large) = (0u64, 0usize, 0u64);
    for index in 0.. {
        if games == deals {
            break;
        }
        let columns = columns[index as usize % columns.len()];
        let Some(start) = make(Draft::new(columns, Stream::new(seed, kind << 32 | index))) else { continue };
        let Some((nodes, edges)) = graph_within(&start, columns, CLASSES_MAX) else {
            too_large += 1;
            continue;
        };
        check_graph(&nodes, &edges, columns);
        classes += nodes.len();
        games += 1;
        if games % deals.div_ceil(10) == 0 {
            let elapsed_s = begin.elapsed().as_secs_f64();
            let left_s = elapsed_s / games as f64 * (deals - games) as f64;
            println!(
                "{games} of {deals} games, {classes} classes, {too_large} games were too large; \
                 {:.0} classes/s, {left_s:.0} s left",
                classes as f64 / elapsed_s
            );
        }
    }
}

/// A few of each kind, always.
#[test]
fn some_of_all_kinds() {
    play_out(0, &[3, 4], 2, 30, in_sequence);
    play_out(1, &[4], 2, 30, with_untold_aces);
    play_out(2, &[4, 5], 2, 30, with_closing_levels);
}

#[test]
#[ignore = "takes minutes: make check-superpuzz"]
fn rows_in_sequence() {
    fuzz(0, &[3, 4], in_sequence);
}

#[test]
#[ignore = "takes minutes: make check-superpuzz"]
fn untold_aces() {
    fuzz(1, &[4], with_untold_aces);
}

#[test]
#[ignore = "takes minutes: make check-superpuzz"]
fn closing_levels() {
    fuzz(2, &[4, 5], with_closing_levels);
}
