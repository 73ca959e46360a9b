//! Which moves need to be tried: stubborn sets of cards.
//!
//! A won position has no moves. A set of cards is **stubborn** in a position if
//! (1) no sequence `w` of moves of other cards makes a move `t` of a card of the set impossible, or could not be made
//!     after `t`;
//! (2) no such sequence lets a card of the set go where it cannot go now;
//! (3) some card of the set can move.
//!
//! Take any way to a win. Since a won position has no moves, a card of the set moves on the way (3). The first such
//! move is possible now (2); made first, it leads to the same position, or to a class that holds it (1). So to try
//! only moves of the set's cards loses no win, and ways get no longer. (Valmari's strong stubborn sets, for
//! deadlocks.)
//!
//! What a card y of the set needs in the set, too:
//! - It can go from P to the hole right of its predecessor X: X (whose leaving disables it), and what lets its follower
//!   Z come to lie right of P while y is there: Z if that cell is a hole, else the card in it. Nothing else fills the hole.
//! - It cannot move: X, and the card right of X, one of which has to move first.
//! - It enters a free level: all cards that enter levels, as they may take the hole that ends the freedom, and what opens
//!   the first level that is not free.
//! - It is a two beside untold aces: all twos of these, for each may take the hole, and the cards right of all untold aces,
//!   for their leaving gives it other holes to choose from.
//!
//! What is needed counts only if it can move at all while the set stays where it is: `w` moves cards outside the set
//! only, and whatever it does, the relaxed game with the set frozen does too. Any one of the cards needed may be
//! added first, and the others checked again with it in the set: in the end the set needs nothing more, and only that
//! matters.
//!
//! Three finer points of free levels and untold aces:
//! - A move that takes the last hole of a level leads to positions that differ in how the levels beyond were
//!   arranged. A move before it that opens one more level (`foreign` of the first level that is not free) would give
//!   other positions, so whatever enters a level needs such moves.
//! - A two can become part of a level without moving, when the level right of its ace's comes to have a hole. Then
//!   its own move is no move any more. But the two needs its ace, and the ace, if it can ever become free, needs what
//!   makes it free.
//! - Cards of levels get into a set only with all their rivals. They are frozen where the class's canonical member has
//!   them, though the class holds all arrangements: what else an arrangement would let move are the cards that go right
//!   of a level's card, and these are rivals, in the set themselves.
use super::classes::*;
use super::position::*;
use super::relaxed::{Disturbance, Relaxed};

/// What a stubborn set needs in one position.
pub struct Dependencies<'a> {
    position: &'a Position,
    places: &'a Places,
    relaxed: Relaxed<'a>,
    /// Whether the set is taken to stay where it is when it is checked what others can do.
    frozen: bool,
    columns: usize,
    depth: usize,
    /// The cards of each free level.
    levels: [u64; MAX_LEVELS],
    /// All cards that enter free levels, those in them included.
    rivals: u64,
    /// Cards of which one has to leave before level j has a hole, if it has none.
    foreign: [u64; MAX_LEVELS + 1],
    /// The twos of the aces not told apart, and what lies in column 1 right of these or in the leftmost column as no ace.
    untold_twos: u64,
    untold_second: u64,
    has_untold_hole: bool,
}

impl<'a> Dependencies<'a> {
    pub fn new(
        position: &'a Position,
        places: &'a Places,
        free: &Free,
        frozen: bool,
        columns: usize,
    ) -> Dependencies<'a> {
        let mut left = 0u64;
        for row in 0..4 {
            let card = position.cells[row * 16];
            if card != 0 && rank(card) != 1 {
                left |= 1 << card;
            }
        }
        let mut found = Dependencies {
            position,
            places,
            relaxed: Relaxed::new(position, places, columns),
            frozen,
            columns,
            depth: free.levels().len(),
            levels: [0; MAX_LEVELS],
            rivals: 0,
            foreign: [left; MAX_LEVELS + 1],
            untold_twos: 0,
            untold_second: left,
            has_untold_hole: false,
        };
        let levels = free.levels();
        for (j, level) in levels.iter().enumerate() {
            found.levels[j] = level.cards().iter().fold(0, |cards, card| cards | 1 << card);
            for &row in level.rows() {
                let card = position.cells[usize::from(row) * 16 + j + 1];
                if card != 0 && !levels.get(j + 1).is_some_and(|next| next.cards().contains(&card)) {
                    left |= 1 << card;
                }
            }
            found.foreign[j + 1] = left;
        }
        if found.depth > 0 {
            found.rivals = (0..=found.depth.min(columns - 2)).fold(0, |rivals, j| rivals | ACES << j);
        }
        for row in (0..4).filter(|&row| position.is_untold(row)) {
            found.untold_twos |= 2 << position.cells[row * 16];
            match position.cells[row * 16 + 1] {
                0 => found.has_untold_hole = true,
                card => found.untold_second |= 1 << card,
            }
        }
        found
    }

    /// The cards whose moves belong into a stubborn set that holds this card's, if they can move.
    fn needs(&self, card: usize) -> u64 {
        let bit = 1u64 << card;
        let free = &self.levels[..self.depth];
        if free.iter().any(|cards| cards & bit != 0) {
            return 0;
        }
        if card & 15 == 1 {
            return self.rivals | self.foreign[self.depth];
        }
        if self.untold_twos & bit != 0 {
            let twos = if self.has_untold_hole { self.untold_twos } else { 0 };
            return (twos | self.untold_second) & !bit;
        }
        if let Some(j) = free.iter().position(|cards| cards << 1 & bit != 0) {
            // The argument for levels that are not the last asks for the rivals and for all that opens a level
            // further on. They are not known to be needed: with `foreign[j + 1]` alone, 6,000 whole games of
            // `tests::fuzz` come out the same. (Its cards, or this one, move before a rival's hole can matter: who
            // comes second needs one of them to leave.)
            return if j + 1 < self.depth { self.rivals | self.foreign[self.depth] } else { self.foreign[j + 1] };
        }
        let before = usize::from(self.places[card - 1]);
        let mut needs = bit >> 1;
        if column(before as u8) + 1 < self.columns {
            // Nothing if it is a hole or the card itself.
            needs |= 1 << self.position.cells[before + 1];
        }
        needs & !bit & !1
    }

    /// What lets the follower of a card that can move come to lie right of it before it moves; nothing if it lies there.
    fn follow(&self, card: usize) -> u64 {
        let place = usize::from(self.places[card]);
        if rank(card as u8) + 1 == self.columns || column(place as u8) + 1 == self.columns {
            return 0;
        }
        match usize::from(self.position.cells[place + 1]) {
            0 => 2 << card,
            right if right == card + 1 => 0,
            right => 1 << right,
        }
    }

    /// A stubborn set that holds `start`, as its cards that can move; given up once these are `enough`.
    fn closure(&self, start: u64, movable: u64, enough: u32) -> Option<u64> {
        let (mut set, mut new) = (0u64, start);
        let (mut needed, mut watched) = (0u64, 0u64);
        loop {
            while new != 0 {
                set |= new;
                for card in ones(std::mem::take(&mut new)) {
                    needed |= self.needs(card);
                    if movable >> card & 1 == 1 && self.follow(card) != 0 {
                        watched |= 1 << (self.places[card] + 1);
                    }
                }
                // These need no search: they can move now.
                new = needed & movable & !set;
            }
            if (set & movable).count_ones() >= enough {
                return None;
            }
            let stays = if self.frozen { set } else { 0 };
            match self.relaxed.disturbance(stays, needed & !set, watched) {
                None => return Some(set & movable),
                Some(Disturbance::Moved(cards)) => new = cards,
                Some(Disturbance::Followed(cell)) => {
                    watched &= !(1 << cell);
                    new = self.follow(usize::from(self.position.cells[usize::from(cell) - 1])) & !set;
                }
            }
        }
    }

    /// Of the cards that can move, those whose moves need to be tried: the smallest set that was found.
    pub fn smallest(&self, movable: u64) -> u64 {
        let mut best = movable;
        let mut enough = movable.count_ones();
        if enough <= 1 {
            return best;
        }
        // The more of the other movable cards a card needs, the later it is tried.
        let mut starts = [(0, 0); MAX_MOVES];
        let mut count = 0;
        for card in ones(movable) {
            let others = self.needs(card) & movable & !(1 << card);
            starts[count] = (others.count_ones(), card);
            count += 1;
        }
        let starts = &mut starts[..count];
        starts.sort_unstable();
        for &(others, card) in starts.iter() {
            if others + 1 >= enough {
                break;
            }
            if let Some(set) = self.closure(1 << card, movable, enough) {
                (best, enough) = (set, set.count_ones());
            }
        }
        best
    }
}

#[cfg(test)]
impl Dependencies<'_> {
    /// The sets that the smallest one is chosen of, whatever their size: one for each card that can move.
    pub fn sets(&self, movable: u64) -> Vec<u64> {
        ones(movable).filter_map(|card| self.closure(1 << card, movable, u32::MAX)).collect()
    }
}

/// The numbers of the bits that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (next < 64).then_some(next)
    })
}
