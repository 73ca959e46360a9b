//! What all players see of a game: the field, whose turn it is, who passed, who is out of cards.
use super::field::Field;
use super::play::Play;

pub const PLAYERS: usize = 5;
/// Passes in a row after which the open ranks are drawn by lot.
pub const PASSES_MAX: u8 = 20;
/// A set of seats, five bits.
pub type Seats = u8;
pub const ALL_SEATS: Seats = 31;

/// `NEXT[seats][seat]`: the first of `seats` after `seat`, round the table; `seat` itself comes last.
const NEXT: [[u8; 8]; 32] = {
    let mut next = [[0; 8]; 32];
    let mut seats = 1;
    while seats < 32 {
        let mut seat = 0;
        while seat < PLAYERS {
            let mut step = PLAYERS;
            while step > 0 {
                let at = (seat + step) % PLAYERS;
                if seats >> at & 1 != 0 {
                    next[seats][seat] = at as u8;
                }
                step -= 1;
            }
            seat += 1;
        }
        seats += 1;
    }
    next
};

/// Seats of a set: processors of the least kind have no instruction for it.
const SEATS_COUNTS: [u8; 32] = {
    let (mut counts, mut seats) = ([0; 32], 0);
    while seats < 32 {
        counts[seats] = seats.count_ones() as u8;
        seats += 1;
    }
    counts
};

/// The public part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    pub field: Field,
    /// Whose turn it is; without meaning when the game is over.
    pub turn: u8,
    /// Who played last; before the first play, who began.
    pub last: u8,
    /// Seats that have cards.
    pub alive: Seats,
    /// Those of them that did not pass since the field was empty.
    pub active: Seats,
    /// Passes in a row.
    pub passes: u8,
    /// Seats in the order in which they ran out of cards; `finished_count` of them.
    pub finished: [u8; PLAYERS],
    pub finished_count: u8,
}

/// The first of `seats` (one at least) after `seat`.
#[inline(always)]
#[must_use]
pub fn next(seats: Seats, seat: u8) -> u8 {
    NEXT[usize::from(seats & ALL_SEATS)][usize::from(seat & 7)]
}

impl Table {
    /// Before the first turn, which is `leader`'s.
    #[must_use]
    pub fn start(leader: u8) -> Table {
        Table {
            field: Field::START,
            turn: leader,
            last: leader,
            alive: ALL_SEATS,
            active: ALL_SEATS,
            passes: 0,
            finished: [0; PLAYERS],
            finished_count: 0,
        }
    }

    /// Others than the seat whose turn it is who may still play before the trick is cleared.
    #[inline(always)]
    #[must_use]
    pub fn rivals_count(&self) -> u32 {
        let others = usize::from(self.active & !(1 << self.turn) & ALL_SEATS);
        u32::from(SEATS_COUNTS[others])
    }

    /// Whether the play on top, if there is one, is that of the seat whose turn it is.
    #[inline(always)]
    #[must_use]
    pub fn is_own(&self) -> bool {
        !self.field.is_empty() && self.last == self.turn
    }

    /// Whether all ranks are known.
    #[inline(always)]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.alive & self.alive.wrapping_sub(1) == 0
    }

    /// Whether the open ranks must be drawn by lot.
    #[inline(always)]
    #[must_use]
    pub fn is_stalled(&self) -> bool {
        self.passes >= PASSES_MAX && !self.is_over()
    }

    /// A legal play of the seat whose turn it is; `empties`: it takes the last of its cards.
    #[inline(always)]
    pub fn play(&mut self, play: &Play, empties: bool) {
        let seat = self.turn;
        if play.is_pass() {
            self.passes += 1;
            self.active &= !(1 << seat);
        } else {
            self.passes = 0;
            self.last = seat;
            let clears = self.field.lay(play);
            if empties {
                self.alive &= !(1 << seat);
                self.active &= !(1 << seat);
                self.finish(seat);
                if self.is_over() {
                    self.finish(self.alive.trailing_zeros() as u8);
                    return;
                }
            }
            if clears {
                self.active = 0;
            }
        }
        if self.active == 0 {
            self.field.clear();
            self.active = self.alive;
            self.turn = if self.alive >> self.last & 1 != 0 { self.last } else { next(self.alive, self.last) };
        } else {
            self.turn = next(self.active, seat);
        }
    }

    #[inline(always)]
    fn finish(&mut self, seat: u8) {
        self.finished[usize::from(self.finished_count)] = seat;
        self.finished_count += 1;
    }

    /// Ends a stalled game: `order` has all seats with cards.
    pub fn draw_lots(&mut self, order: &[u8]) {
        for &seat in order {
            self.finish(seat);
        }
        self.alive = 0;
    }

    /// The rank of a seat, 0 for the first, once it is known.
    #[must_use]
    pub fn rank(&self, seat: u8) -> Option<usize> {
        self.finished[..usize::from(self.finished_count)].iter().position(|&finished| finished == seat)
    }
}

/// 5, 4, 3, 2, 1 for ranks 0 to 4.
#[inline(always)]
#[must_use]
pub fn points(rank: usize) -> u32 {
    PLAYERS as u32 - rank as u32
}
