//! States, and the form of a state in which moves are made.

/// Most cards of a state.
pub const MAX_CARDS: usize = 24;
/// Most boards, hence the largest width of an order.
pub const MAX_BOARDS: usize = 4;
/// Most stacks.
pub const MAX_STACKS: usize = 8;

/// A state of `cards` cards, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub cards: usize,
    /// `before[x]`: the cards that must leave before `x`, one bit each, transitively closed.
    pub before: [u32; MAX_CARDS],
    /// `forbidden[x]`: the stacks where `x` may no longer go, one bit each. Grows along the order.
    pub forbidden: [u8; MAX_CARDS],
}

/// The start of a game: `boards` chains of `cards` cards and empty stacks.
///
/// # Panics
/// If there are more than `MAX_CARDS` cards in all.
#[must_use]
pub fn start(boards: usize, cards: usize) -> State {
    assert!(boards * cards <= MAX_CARDS, "at most {MAX_CARDS} cards");
    let mut before = [0; MAX_CARDS];
    for (x, mask) in before.iter_mut().enumerate().take(boards * cards) {
        let first = x / cards * cards;
        *mask = ones(x) & !ones(first);
    }
    State { cards: boards * cards, before, forbidden: [0; MAX_CARDS] }
}

/// Whether some card has no stack left, so that the game cannot be won.
#[must_use]
pub fn is_dead(state: &State, stacks: usize) -> bool {
    let all = (1u16 << stacks) - 1;
    state.forbidden[..state.cards].iter().any(|&f| u16::from(f) & all == all)
}

pub(super) const fn ones(count: usize) -> u32 {
    ((1u64 << count) - 1) as u32
}

pub(in crate::stackgame) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

pub(super) const BIT: [u32; MAX_CARDS] = {
    let mut table = [0; MAX_CARDS];
    let mut x = 0;
    while x < MAX_CARDS {
        table[x] = 1 << x;
        x += 1;
    }
    table
};

/// Fixed weights for the sums that order the cards of a cell: one row for cards before, one for cards after, one for
/// the cards of an up-set, one for the sizes of up-sets.
pub(super) const WEIGHT: [[u32; MAX_CARDS + 1]; 4] = {
    let mut table = [[0; MAX_CARDS + 1]; 4];
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut i = 0;
    while i < 4 * (MAX_CARDS + 1) {
        seed = scramble(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        table[i / (MAX_CARDS + 1)][i % (MAX_CARDS + 1)] = (seed >> 32) as u32;
        i += 1;
    }
    table
};

/// The finaliser of splitmix64: an invertible mix of 64 bits.
pub(super) const fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A state in the form in which moves are made. Cards keep their numbers when others have gone; stacks are up-sets.
#[derive(Clone, Copy)]
pub(super) struct Play {
    pub(super) left: u32,
    pub(super) before: [u32; MAX_CARDS],
    pub(super) after: [u32; MAX_CARDS],
    pub(super) stacks: usize,
    pub(super) upset: [u32; MAX_STACKS],
}

impl Play {
    pub(super) fn of(state: &State, stacks: usize) -> Play {
        let left = ones(state.cards);
        let (mut after, mut upset) = ([0; MAX_CARDS], [0; MAX_STACKS]);
        for x in bits(left) {
            bits(state.before[x]).for_each(|y| after[y] |= BIT[x]);
            bits(u32::from(state.forbidden[x])).for_each(|s| upset[s] |= BIT[x]);
        }
        Play { left, before: state.before, after, stacks, upset }
    }

    /// The same state with its cards numbered from 0, in the order of their numbers here.
    pub(super) fn state(&self) -> State {
        let squeeze = |mask: u32| bits(self.left).enumerate().fold(0, |m, (i, x)| m | (mask >> x & 1) << i);
        let mut state = State { cards: 0, before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS] };
        for x in bits(self.left) {
            state.before[state.cards] = squeeze(self.before[x]);
            for s in 0..self.stacks {
                state.forbidden[state.cards] |= ((self.upset[s] >> x & 1) as u8) << s;
            }
            state.cards += 1;
        }
        state
    }

    /// No card has this number or a larger one; a multiple of 8, for the loops over all cards at once.
    pub(super) fn lanes(&self) -> usize {
        if self.left < 1 << 8 {
            8
        } else if self.left < 1 << 16 {
            16
        } else {
            MAX_CARDS
        }
    }

    pub(super) fn place(&self, card: usize, stack: usize) -> Option<Play> {
        let (on, up_to) = (self.upset[stack], self.before[card] | BIT[card]);
        if on & BIT[card] != 0 {
            return None;
        }
        let left = self.left & !BIT[card];
        let mut upset = self.upset;
        let mut nowhere = left;
        for (s, set) in upset.iter_mut().enumerate().take(self.stacks) {
            if s == stack {
                *set |= self.after[card];
            } else if *set & up_to != 0 {
                *set |= on;
            }
            *set &= left;
            nowhere &= *set;
        }
        if nowhere != 0 {
            return None;
        }
        // Every card up to `card` comes before every card of the stack's up-set; as one is a down-set and the other an
        // up-set, the order stays closed.
        let (mut before, mut after) = (self.before, self.after);
        for x in 0..self.lanes() {
            before[x] = (before[x] | if on & BIT[x] == 0 { 0 } else { up_to }) & left;
            after[x] = (after[x] | if up_to & BIT[x] == 0 { 0 } else { on }) & left;
        }
        Some(Play { left, before, after, stacks: self.stacks, upset })
    }

    /// Whether exchanging two cards of a cell leaves everything as it is.
    pub(super) fn are_twins(&self, x: usize, y: usize) -> bool {
        self.before[x] == self.before[y]
            && self.after[x] == self.after[y]
            && self.upset[..self.stacks].iter().all(|u| u >> x & 1 == u >> y & 1)
    }
}
