//! The word of a two-board state, as the automaton reads it (see `reading`).
use super::reading::{NARROW, letter_of};
use super::width2::{MAX_CARDS, State, low_mask};

/// A word's letters: one for each card.
pub type Word = [u8; MAX_CARDS];

/// A word that cannot be read: at the top the paths are together.
const NO_WORD: Word = [NARROW; MAX_CARDS];

/// The word of a state; one that cannot be read when a mark is inside the region.
#[inline(always)]
pub fn word(state: &State, stacks: usize) -> Word {
    let cards = state.cards();
    // Marks on the upper path, and 16 times those on the lower one, by antidiagonal; and where there are any.
    let (mut marks, mut marked) = ([0u8; 32], 0u32);
    for &(i, j) in &state.marks[..stacks] {
        let t = cards - usize::from(i + j);
        let on_upper = i == column(state.a, state.upper, t);
        if !on_upper && i != column(state.a, state.lower, t) {
            return NO_WORD;
        }
        marks[t % 32] += if on_upper { 1 } else { 16 };
        marked |= 1 << t;
    }
    // Antidiagonals where the paths meet, the last one among them.
    let (mut cuts, mut width) = (1u32, 0u32);
    for t in 0..cards {
        width = width.wrapping_add(state.lower >> t & 1).wrapping_sub(state.upper >> t & 1);
        cuts |= u32::from(width == 0) << (t + 1);
    }
    let both = !(state.upper ^ state.lower) & low_mask(cards as u32);
    let mut turning = both & !cuts;
    let mut rest = marked & !cuts;
    while rest != 0 {
        let t = rest.trailing_zeros();
        turning |= u32::from(marks[t as usize] >> 4 != marks[t as usize] & 15) << t;
        rest &= rest - 1;
    }
    // A single card is one of A; a stretch is mirrored by its first letter that is not its own mirror image.
    let mut mirrored = both & cuts & state.upper;
    let mut begins = cuts & !both & low_mask(cards as u32);
    while begins != 0 {
        let begin = begins.trailing_zeros();
        let end = begin + 1 + (cuts >> (begin + 1)).trailing_zeros();
        let inside = low_mask(end) & !low_mask(begin + 1);
        let first = (turning & inside).trailing_zeros();
        if first < end {
            let (upper, lower) = (marks[first as usize] & 15, marks[first as usize] >> 4);
            let is_mirrored = lower > upper || lower == upper && state.upper >> first & 1 == 1;
            mirrored |= if is_mirrored { inside } else { 0 };
        }
        begins &= begins - 1;
    }
    let upper_steps = state.upper ^ (mirrored & both);
    let lower_steps = state.lower ^ (mirrored & both);
    let mut word = [0; MAX_CARDS];
    for t in 0..cards.min(MAX_CARDS) {
        word[t] = (upper_steps >> t & 1 | (lower_steps >> t & 1) << 1) as u8;
    }
    let mut rest = marked & low_mask(cards as u32);
    while rest != 0 {
        let t = rest.trailing_zeros() as usize;
        let (mut upper, mut lower) = (marks[t] & 15, marks[t] >> 4);
        if mirrored >> t & 1 == 1 {
            (upper, lower) = (lower, upper);
        }
        if cuts >> t & 1 == 1 {
            (upper, lower) = (upper + lower, 0);
        }
        word[t] += letter_of(upper, lower, 0);
        rest &= rest - 1;
    }
    word
}

/// Column of a path's point on antidiagonal `t`.
#[inline(always)]
pub fn column(a: u8, path: u32, t: usize) -> u8 {
    a - (t as u8 - (path & low_mask(t as u32)).count_ones() as u8)
}
