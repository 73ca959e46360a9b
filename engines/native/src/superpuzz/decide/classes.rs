//! Positions that free moves at the left edge turn into one another, taken as one.
//!
//! **Free levels.** With a hole in the leftmost column, the aces there can be put in any order over the cells of that
//! column that hold an ace or a hole, and back: an ace goes to the hole, another to its place, and so on. Such a cell's row
//! is a row of level 0. If besides a cell of column 1 in these rows is a hole, then the twos in column 1 of these rows
//! whose aces are in level 0 can be put in any order over these cells too (bring the ace before the hole, then
//! the two follows), and so on for threes in column 2: level j is free when all levels up to j have a hole. A **class** is a
//! position with all arrangements of its free levels; its canonical member has them in ascending order, holes last. All
//! members can be reached from one another, so a class is won or lost as a whole.
//!
//! **Untold aces.** A move that takes the last hole of level 0 ends its freedom: any arrangement may have been chosen
//! before it. Instead of one position for each, the rows' aces stay *untold*: the position stands for all of them.
//! Only a two that goes to column 1 of such a row settles it: then that two's ace lies there. Until then no other
//! move depends on it. If a level j > 0 loses its last hole, each of its arrangements (and of those of the free
//! levels beyond it) becomes a position of its own.
use super::position::*;

/// Columns at the left edge that can be free at a time: one hole each.
pub const MAX_LEVELS: usize = 4;

#[derive(Clone, Copy, Default)]
pub struct Level {
    rows: [u8; 4],
    rows_count: usize,
    cards: [u8; 4],
    cards_count: usize,
}

impl Level {
    pub fn rows(&self) -> &[u8] {
        &self.rows[..self.rows_count]
    }

    /// In ascending order.
    pub fn cards(&self) -> &[u8] {
        &self.cards[..self.cards_count]
    }

    fn holes_count(&self) -> usize {
        self.rows_count - self.cards_count
    }

    fn add_row(&mut self, row: u8) {
        self.rows[self.rows_count] = row;
        self.rows_count += 1;
    }

    fn add_card(&mut self, card: u8) {
        let mut at = self.cards_count;
        while at > 0 && self.cards[at - 1] > card {
            self.cards[at] = self.cards[at - 1];
            at -= 1;
        }
        self.cards[at] = card;
        self.cards_count += 1;
    }

    fn has_suit_of(&self, card: u8) -> bool {
        self.cards().iter().any(|&c| c >> 4 == card >> 4)
    }

    fn put(&self, position: &mut Position, column: usize) {
        for (i, &row) in self.rows().iter().enumerate() {
            position.cells[usize::from(row) * 16 + column] = if i < self.cards_count { self.cards[i] } else { 0 };
        }
    }
}

/// The free levels of a position, from the left.
#[derive(Clone, Copy)]
pub struct Free {
    levels: [Level; MAX_LEVELS],
    depth: usize,
}

impl Free {
    pub fn of(position: &Position, columns: usize) -> Free {
        let mut free = Free { levels: [Level::default(); MAX_LEVELS], depth: 0 };
        for j in 0..MAX_LEVELS.min(columns - 1) {
            let mut level = Level::default();
            for row in 0..4u8 {
                if j > 0 && !free.levels[j - 1].rows().contains(&row) {
                    continue;
                }
                let card = position.cells[usize::from(row) * 16 + j];
                if card == 0 {
                    level.add_row(row);
                } else if rank(card) == j + 1 && (j == 0 || free.levels[j - 1].has_suit_of(card)) {
                    level.add_row(row);
                    level.add_card(card);
                }
            }
            if level.holes_count() == 0 {
                break;
            }
            free.levels[j] = level;
            free.depth = j + 1;
        }
        free
    }

    pub fn levels(&self) -> &[Level] {
        &self.levels[..self.depth]
    }
}

/// Turns a position into the canonical member of its class.
pub fn canonical(position: &mut Position, columns: usize) {
    let free = Free::of(position, columns);
    for (j, level) in free.levels().iter().enumerate() {
        level.put(position, j);
    }
    if free.depth > 0 {
        position.cells[UNTOLD] = 0;
        return;
    }
    let untold = position.untold();
    if untold.count_ones() <= 1 {
        position.cells[UNTOLD] = 0;
        return;
    }
    let mut level = Level::default();
    for row in (0..4u8).filter(|row| untold >> row & 1 == 1) {
        level.add_row(row);
        level.add_card(position.cells[usize::from(row) * 16]);
    }
    level.put(position, 0);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The hole at this cell, right of the card's predecessor.
    Cell(u8),
    /// The hole at this cell, right of an untold ace, which is then known.
    Untold(u8),
    /// Any hole of this free level.
    Level(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassMove {
    pub card: u8,
    pub target: Target,
}

/// Most moves of a class: what four holes take, and the cards that enter levels.
pub const MAX_MOVES: usize = 32;

/// The moves that lead out of a class.
#[derive(Clone, Copy)]
pub struct Moves {
    moves: [ClassMove; MAX_MOVES],
    count: usize,
}

impl Moves {
    pub fn of(position: &Position, places: &Places, free: &Free, columns: usize) -> Moves {
        let mut found = Moves { moves: [ClassMove { card: 0, target: Target::Cell(0) }; MAX_MOVES], count: 0 };
        let mut in_levels = 0u64;
        for (j, level) in free.levels().iter().enumerate() {
            for &row in level.rows() {
                in_levels |= 1 << (usize::from(row) * 16 + j);
            }
            let target = Target::Level(j as u8);
            if j == 0 {
                for suit in 0..4 {
                    if column(places[ace(suit)]) != 0 {
                        found.add(ClassMove { card: ace(suit) as u8, target });
                    }
                }
            } else {
                for &left in free.levels[j - 1].cards() {
                    if !level.cards().contains(&(left + 1)) {
                        found.add(ClassMove { card: left + 1, target });
                    }
                }
            }
        }
        for row in 0..4 {
            for cell in row * 16 + 1..row * 16 + columns {
                if position.cells[cell] != 0 || in_levels >> cell & 1 == 1 {
                    continue;
                }
                if cell & 15 == 1 && position.is_untold(row) {
                    for other in (0..4).filter(|&other| position.is_untold(other)) {
                        if columns > 2 {
                            found.add(ClassMove {
                                card: position.cells[other * 16] + 1,
                                target: Target::Untold(cell as u8),
                            });
                        }
                    }
                    continue;
                }
                let left = position.cells[cell - 1];
                if left != 0 && rank(left) + 1 < columns {
                    found.add(ClassMove { card: left + 1, target: Target::Cell(cell as u8) });
                }
            }
        }
        found
    }

    fn add(&mut self, step: ClassMove) {
        self.moves[self.count] = step;
        self.count += 1;
    }

    /// Cards that can move, as bits.
    pub fn cards(&self) -> u64 {
        self.as_slice().iter().fold(0, |cards, step| cards | 1 << step.card)
    }

    pub fn as_slice(&self) -> &[ClassMove] {
        &self.moves[..self.count]
    }
}

/// Calls `emit` for the canonical member of each class that a move leads to.
pub fn play(
    position: &Position,
    places: &Places,
    free: &Free,
    columns: usize,
    step: ClassMove,
    emit: &mut impl FnMut(&Position),
) {
    let mut next = *position;
    next.cells[usize::from(places[usize::from(step.card)])] = 0;
    match step.target {
        Target::Cell(cell) => next.cells[usize::from(cell)] = step.card,
        Target::Untold(cell) => {
            next.cells[usize::from(cell)] = step.card;
            let (row, ace) = (usize::from(cell >> 4), step.card - 1);
            let other = usize::from(places[usize::from(ace)]);
            next.cells[other] = next.cells[row * 16];
            next.cells[row * 16] = ace;
            next.cells[UNTOLD] &= !(1 << row);
        }
        Target::Level(j) => {
            let j = usize::from(j);
            let mut levels = free.levels;
            levels[j].add_card(step.card);
            if levels[j].holes_count() > 0 {
                levels[j].put(&mut next, j);
            } else {
                let mut from = j;
                if j == 0 {
                    levels[0].put(&mut next, 0);
                    next.cells[UNTOLD] = levels[0].rows().iter().fold(0, |rows, row| rows | 1 << row);
                    from = 1;
                }
                let beyond = &levels[from.min(free.depth)..free.depth];
                arrange(&mut next, beyond, from, &mut |arranged| {
                    let mut arranged = *arranged;
                    canonical(&mut arranged, columns);
                    emit(&arranged);
                });
                return;
            }
        }
    }
    canonical(&mut next, columns);
    emit(&next);
}

/// Calls `emit` for all arrangements of `levels`, the first of which is column `j`.
fn arrange(position: &mut Position, levels: &[Level], j: usize, emit: &mut dyn FnMut(&Position)) {
    match levels.first() {
        None => emit(position),
        Some(_) => arrange_row(position, levels, j, 0, 0, emit),
    }
}

fn arrange_row(
    position: &mut Position,
    levels: &[Level],
    j: usize,
    i: usize,
    used: u8,
    emit: &mut dyn FnMut(&Position),
) {
    let level = &levels[0];
    if i == level.rows_count {
        arrange(position, &levels[1..], j + 1, emit);
        return;
    }
    let mut hole_done = false;
    for item in (0..level.rows_count).filter(|item| used >> item & 1 == 0) {
        let card = if item < level.cards_count { level.cards[item] } else { 0 };
        if card == 0 && std::mem::replace(&mut hole_done, true) {
            continue;
        }
        position.cells[usize::from(level.rows[i]) * 16 + j] = card;
        arrange_row(position, levels, j, i + 1, used | 1 << item, emit);
    }
}
