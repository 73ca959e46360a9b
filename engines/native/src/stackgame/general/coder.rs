//! Keys of states: made from the canonical list and its chains, and read back.
use super::cells::Cells;
use super::chains::Chains;
use super::state::*;
use crate::storage::keys::Wide;

/// Turns states of one layer into keys and back.
#[derive(Clone, Debug)]
pub struct Coder {
    pub(super) stacks: usize,
    pub(super) boards: usize,
    pub(super) cards: usize,
    pub(super) length_bits: u32,
    pub(super) stack_bits: u32,
    pub(super) key_bits: u32,
}

impl Coder {
    /// A coder for the states with `cards` cards of a game on `boards` boards.
    ///
    /// # Errors
    /// If there are more boards, stacks or cards than this form of the game holds.
    pub fn new(stacks: usize, boards: usize, cards: usize) -> Result<Coder, String> {
        for (name, value, most) in [("stacks", stacks, MAX_STACKS), ("boards", boards, MAX_BOARDS)] {
            if value < 1 || value > most {
                return Err(format!("{name}: {value} is not in 1..{most}"));
            }
        }
        if cards > MAX_CARDS {
            return Err(format!("cards: {cards} cards in the pile, at most {MAX_CARDS} are supported"));
        }
        let width = |values: usize| values.next_power_of_two().trailing_zeros();
        let (each, more) = (cards / boards, cards % boards);
        let starts = (each + 2).pow(more as u32) * (each + 1).pow((boards - more) as u32);
        let (length_bits, stack_bits) = (width(cards + 1), width(starts));
        let path_bits = 2 * (boards - 1) * cards;
        let key_bits = length_bits * (boards as u32 - 1) + path_bits as u32 + stack_bits * stacks as u32;
        // The empty state needs no bit, but a key has at least one.
        Ok(Coder { stacks, boards, cards, length_bits, stack_bits, key_bits: key_bits.max(1) })
    }

    #[must_use]
    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Checks that a state from outside is one that this layer can hold.
    ///
    /// # Errors
    /// Says what is wrong: the number of cards, a card or stack out of range, a cycle, an order or forbidden stacks that
    /// are not closed, more than `boards` cards that are pairwise free.
    pub fn check(&self, state: &State) -> Result<(), String> {
        if state.cards != self.cards {
            return Err(format!("cards: {} cards in the state, {} in this layer", state.cards, self.cards));
        }
        let (cards, stacks) = (ones(self.cards), ones(self.stacks));
        for (x, (&before, &forbidden)) in state.before.iter().zip(&state.forbidden).take(self.cards).enumerate() {
            if before & !cards != 0 {
                return Err(format!("before: card {x} comes after a card that is not in the state"));
            }
            if u32::from(forbidden) & !stacks != 0 {
                return Err(format!("forbidden: card {x} has a stack that is not in 0..{}", self.stacks));
            }
            if before >> x & 1 != 0 {
                return Err(format!("before: card {x} is on a cycle"));
            }
            for y in bits(before) {
                if state.before[y] & !before != 0 {
                    return Err(format!("before: cards {y} and {x}: the order is not transitively closed"));
                }
                if state.forbidden[y] & !forbidden != 0 {
                    return Err(format!("forbidden: card {x} may go where card {y} before it may not"));
                }
            }
        }
        let play = Play::of(state, self.stacks);
        let width = Chains::of(&play, &Cells::by_counts(&play).0).count;
        if width > self.boards {
            return Err(format!("before: an order of width {width} does not fit on {} boards", self.boards));
        }
        Ok(())
    }

    /// The key of a state that passes `check`.
    ///
    /// # Panics
    /// If the order is wider than the number of boards.
    #[must_use]
    pub fn key(&self, state: &State) -> Wide {
        self.key_of_play(&Play::of(state, self.stacks))
    }

    pub(super) fn key_of_play(&self, play: &Play) -> Wide {
        let chains = Chains::of(play, &Cells::canonical(play));
        assert!(chains.count <= self.boards, "an order of width {} on {} boards", chains.count, self.boards);
        let mut path = [[0u32; MAX_BOARDS]; MAX_BOARDS];
        let mut passed = [[0u32; MAX_CARDS]; MAX_BOARDS];
        for (passed, chain) in passed.iter_mut().zip(&chains.cards[..self.boards]) {
            for (passed, before) in passed.iter_mut().zip(&play.before[..play.lanes()]) {
                *passed = (before & chain).count_ones();
            }
        }
        for x in bits(play.left) {
            let i = chains.chain[x] as usize;
            for j in (0..self.boards).filter(|&j| j != i) {
                path[i][j] |= 1 << (u32::from(chains.index[x]) + passed[j][x]);
            }
        }
        let mut starts = [0u64; MAX_STACKS];
        for (code, set) in starts.iter_mut().zip(&play.upset[..self.stacks]) {
            for j in 0..self.boards {
                let start = chains.len[j] - (set & chains.cards[j]).count_ones() as usize;
                *code = *code * (chains.len[j] as u64 + 1) + start as u64;
            }
        }
        starts[..self.stacks].sort_unstable();

        let mut key = Packed { words: [0; 4], at: self.key_bits };
        for j in 1..self.boards {
            key.put(chains.len[j] as u64, self.length_bits);
        }
        for (i, path) in path.iter().enumerate().take(self.boards) {
            for j in (0..self.boards).filter(|&j| j != i) {
                key.put(u64::from(path[j]), (chains.len[i] + chains.len[j]) as u32);
            }
        }
        for &start in &starts[..self.stacks] {
            key.put(start, self.stack_bits);
        }
        key.words
    }

    /// The canonical representative of a key: its cards are numbered chain by chain.
    #[must_use]
    pub fn state(&self, key: Wide) -> State {
        let mut key = Packed { words: key, at: self.key_bits };
        let mut len = [0usize; MAX_BOARDS];
        let mut rest = self.cards;
        // A word that is no key gives some state, too: damage is found by checksums, and must not cause a panic here.
        for len in &mut len[1..self.boards] {
            *len = (key.take(self.length_bits) as usize).min(rest);
            rest -= *len;
        }
        len[0] = rest;
        let mut first = [0usize; MAX_BOARDS];
        for j in 1..self.boards {
            first[j] = first[j - 1] + len[j - 1];
        }
        let part = |j: usize, from: usize, to: usize| ones(first[j] + to) & !ones(first[j] + from);

        let mut state = State { cards: self.cards, before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS] };
        for i in 0..self.boards {
            for k in 0..len[i] {
                state.before[first[i] + k] |= part(i, 0, k);
            }
            for j in (0..self.boards).filter(|&j| j != i) {
                let path = key.take((len[i] + len[j]) as u32) as u32;
                for (k, step) in bits(path).enumerate().take(len[i]) {
                    state.before[first[i] + k] |= part(j, 0, (step - k).min(len[j]));
                }
            }
        }
        for s in 0..self.stacks {
            let mut code = key.take(self.stack_bits) as usize;
            for j in (0..self.boards).rev() {
                for x in bits(part(j, code % (len[j] + 1), len[j])) {
                    state.forbidden[x] |= 1 << s;
                }
                code /= len[j] + 1;
            }
        }
        state
    }

    /// Spreads keys evenly over the `key_bits` bits, one to one: shards are ranges of places.
    #[must_use]
    pub fn place_of(&self, key: Wide) -> Wide {
        let (mut high, mut low) = self.halves(key);
        low ^= low_ones(self.key_bits / 2) & spread(high);
        high ^= low_ones(self.key_bits.div_ceil(2)) & spread(!low);
        self.whole(high, low)
    }

    /// The inverse of `place_of`.
    #[must_use]
    pub fn key_of_place(&self, place: Wide) -> Wide {
        let (mut high, mut low) = self.halves(place);
        high ^= low_ones(self.key_bits.div_ceil(2)) & spread(!low);
        low ^= low_ones(self.key_bits / 2) & spread(high);
        self.whole(high, low)
    }

    pub(super) fn halves(&self, wide: Wide) -> (u128, u128) {
        let [top, bottom] = [0, 2].map(|i| u128::from(wide[i]) << 64 | u128::from(wide[i + 1]));
        let low = self.key_bits / 2;
        let high = bottom.checked_shr(low).unwrap_or(0) | top.checked_shl(128 - low).unwrap_or(0);
        (high, bottom & low_ones(low))
    }

    pub(super) fn whole(&self, high: u128, low: u128) -> Wide {
        let shift = self.key_bits / 2;
        let top = high.checked_shr(128 - shift).unwrap_or(0);
        let bottom = low | high.checked_shl(shift).unwrap_or(0);
        [(top >> 64) as u64, top as u64, (bottom >> 64) as u64, bottom as u64]
    }
}

pub(super) fn low_ones(count: u32) -> u128 {
    u128::MAX.checked_shr(128 - count).unwrap_or(0)
}

/// 128 bits that depend on all bits of `x`.
pub(super) fn spread(x: u128) -> u128 {
    let a = scramble((x >> 64) as u64 ^ 0x6a09_e667_f3bc_c908);
    let b = scramble(x as u64 ^ a);
    u128::from(scramble(a.wrapping_add(b))) << 64 | u128::from(b)
}

/// Fields of at most 64 bits, the first one in the most significant place.
pub(super) struct Packed {
    pub(super) words: Wide,
    /// The number of bits below the fields that were put or taken so far.
    pub(super) at: u32,
}

impl Packed {
    pub(super) fn put(&mut self, value: u64, width: u32) {
        self.at -= width;
        let (word, shift) = (3 - (self.at / 64) as usize, self.at % 64);
        self.words[word] |= value << shift;
        if shift + width > 64 {
            self.words[word - 1] |= value >> (64 - shift);
        }
    }

    pub(super) fn take(&mut self, width: u32) -> u64 {
        self.at -= width;
        let (word, shift) = (3 - (self.at / 64) as usize, self.at % 64);
        let mut value = self.words[word] >> shift;
        if shift + width > 64 {
            value |= self.words[word - 1] << (64 - shift);
        }
        value & low_ones(width) as u64
    }
}
