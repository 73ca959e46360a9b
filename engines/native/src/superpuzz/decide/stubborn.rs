//! Which moves need to be tried: stubborn sets of cards.
//!
//! A won position has no moves. A set of cards is **stubborn** in a position if
//! (1) no sequence `w` of moves of other cards disables a move `t` of a card of the set, or does what `t` first would not
//!     allow;
//! (2) no such sequence lets a card of the set go where it cannot go now;
//! (3) some card of the set can move.
//!
//! Take any way to a win: since the win has no moves, a card of the set moves on the way (3); its first such move is possible
//! now (2), and put in front it leads as far (1), to the same position or to a class that holds it. So moves of the
//! set's cards alone keep every win, and ways get no longer.
//! (Valmari's strong stubborn sets, for deadlocks.)
//!
//! What a card y of the set needs besides:
//! - It can go from P to the hole right of its predecessor X: X (whose leaving disables it), and what lets its follower
//!   Z come to lie right of P while y is there: Z if that cell is a hole, else the card in it. Nothing else fills the hole.
//! - It cannot move: X, and the card right of X, one of which has to move first.
//! - It enters a free level: all cards that enter levels, as they may take the hole that ends the freedom, and what opens
//!   the first level that is not free.
//! - It is a two beside untold aces: all twos of these, for each may take the hole, and the cards right of all untold aces,
//!   for their leaving gives it other holes to choose from.
//!
//! What is needed counts only if it can move at all while the set stays where it is: `w` moves cards outside the set only,
//! and whatever it does, the relaxed game with the set frozen does too.
use super::classes::*;
use super::position::*;
use super::relaxed::{Reach, Relaxed};

pub struct Dependencies {
    /// By card: the cards whose moves belong into a stubborn set that holds this card's.
    needs: [u64; 64],
    /// By card: what could let its follower come to lie right of it before it moves.
    follow: [u64; 64],
    /// Cards that can move now.
    movable: u64,
}

impl Dependencies {
    pub fn of(position: &Position, places: &Places, free: &Free, columns: usize) -> Dependencies {
        let last = columns - 1;
        let mut found = Dependencies { needs: [0; 64], follow: [0; 64], movable: 0 };
        let mut left = 0u64;
        for row in 0..4 {
            let card = position.cells[row * 16];
            if card != 0 && rank(card) != 1 {
                left |= 1 << card;
            }
        }
        let levels = free.levels();
        let depth = levels.len();
        let mut level_of = [255u8; 64];
        let mut rivals = 0u64;
        // What has to leave before level j has a hole, if it has none: foreign[j].
        let mut foreign = [0u64; MAX_LEVELS + 1];
        let mut leave = left;
        for (j, level) in levels.iter().enumerate() {
            for &card in level.cards() {
                level_of[usize::from(card)] = j as u8;
            }
            for &row in level.rows() {
                let card = position.cells[usize::from(row) * 16 + j + 1];
                if card != 0 && !levels.get(j + 1).is_some_and(|next| next.cards().contains(&card)) {
                    leave |= 1 << card;
                }
            }
            foreign[j + 1] = leave;
        }
        if depth > 0 {
            for j in 0..=depth.min(last - 1) {
                rivals |= ACES << j;
            }
        }
        let (mut untold_suits, mut untold_twos, mut untold_second) = (0u8, 0u64, left);
        let mut untold_hole = false;
        for row in (0..4).filter(|&row| position.is_untold(row)) {
            let ace = position.cells[row * 16];
            untold_suits |= 1 << (ace >> 4);
            untold_twos |= 1 << (ace + 1);
            match position.cells[row * 16 + 1] {
                0 => untold_hole = true,
                card => untold_second |= 1 << card,
            }
        }
        for suit in 0..4 {
            for card in suit * 16 + 1..suit * 16 + columns {
                let place = usize::from(places[card]);
                let rank = card & 15;
                let follower = if rank < last && place & 15 < last {
                    match usize::from(position.cells[place + 1]) {
                        0 => 1u64 << (card + 1),
                        right if right == card + 1 => 0,
                        right => 1u64 << right,
                    }
                } else {
                    0
                };
                let (movable, needs) = if level_of[card] != 255 {
                    (false, 0)
                } else if rank == 1 {
                    if depth > 0 { (true, rivals | foreign[depth]) } else { (false, left) }
                } else if rank == 2 && untold_suits >> suit & 1 == 1 {
                    if untold_hole {
                        (true, untold_twos | untold_second)
                    } else {
                        (false, untold_second & !(1 << card))
                    }
                } else if level_of[card - 1] != 255 {
                    let j = usize::from(level_of[card - 1]) + 1;
                    if j < depth { (true, rivals | foreign[depth]) } else { (false, foreign[j]) }
                } else {
                    let before = usize::from(places[card - 1]);
                    let before_set = 1u64 << (card - 1);
                    if before & 15 == last {
                        (false, before_set)
                    } else {
                        match usize::from(position.cells[before + 1]) {
                            0 => (true, before_set),
                            right if right == card => (false, before_set),
                            right => (false, before_set | 1u64 << right),
                        }
                    }
                };
                found.needs[card] = needs;
                found.follow[card] = if movable { follower } else { 0 };
                found.movable |= u64::from(movable) << card;
            }
        }
        found
    }

    /// The smallest set that holds `start` and, for each of its cards, what `reach` leaves of what it needs.
    fn closure(&self, start: u64, reach: &Reach, places: &Places) -> u64 {
        let (mut set, mut todo) = (start, start);
        while todo != 0 {
            let card = todo.trailing_zeros() as usize;
            todo &= todo - 1;
            let new = self.needs_within(card, reach, places) & !set;
            set |= new;
            todo |= new;
        }
        set
    }

    fn needs_within(&self, card: usize, reach: &Reach, places: &Places) -> u64 {
        let mut needs = self.needs[card];
        if self.follow[card] != 0 && reach.can_lie(card + 1, usize::from(places[card]) + 1) {
            needs |= self.follow[card];
        }
        needs & reach.moved
    }

    /// Like `closure`, but with what others can do while the set itself stays where it is; given up once `enough` of its
    /// cards can move.
    fn frozen_closure(&self, start: u64, enough: u32, relaxed: &Relaxed, places: &Places) -> Option<u64> {
        let mut set = start;
        loop {
            let reach = relaxed.reach(set);
            let mut new = 0;
            let mut todo = set;
            while todo != 0 {
                new |= self.needs_within(todo.trailing_zeros() as usize, &reach, places);
                todo &= todo - 1;
            }
            if new & !set == 0 {
                return Some(set);
            }
            set |= new;
            if (set & self.movable).count_ones() >= enough {
                return None;
            }
        }
    }

    /// The cards to be moved: a stubborn set with as few cards that can move as were found; `None` when the position is
    /// lost.
    pub fn smallest(&self, places: &Places, relaxed: &Relaxed) -> Option<u64> {
        let mut best = (self.movable.count_ones(), u64::MAX);
        if best.0 == 0 {
            return None;
        }
        if best.0 == 1 {
            return Some(best.1);
        }
        let reach = relaxed.reach(0);
        let mut movable = self.movable;
        while movable != 0 {
            let set = self.closure(movable & movable.wrapping_neg(), &reach, places);
            best = best.min(((set & self.movable).count_ones(), set));
            movable &= movable - 1;
        }
        let mut movable = self.movable;
        while movable != 0 && best.0 > 1 {
            if let Some(set) = self.frozen_closure(movable & movable.wrapping_neg(), best.0, relaxed, places) {
                best = ((set & self.movable).count_ones(), set);
            }
            movable &= movable - 1;
        }
        Some(best.1)
    }
}
