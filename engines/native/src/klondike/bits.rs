//! Sets of cards as 64-bit masks.
//!
//! A card's bit is `4 * (rank - 1) + 2 * lane + k`: `k` tells the two suits of a colour apart, and the lane is the
//! colour, exchanged on every other rank. A card may thus lie on both cards of the pair four bits higher, and on no
//! others. A **type** is such a pair: both cards of one rank and colour.
use super::rules::{is_red, rank, suit};

/// The lower bit of every pair.
pub const LOWER: u64 = 0x5555_5555_5555_5555;
/// Both pairs of the first lane.
const FIRST_LANE: u64 = 0x3333_3333_3333_3333;

/// The bit number of a card.
#[must_use]
pub fn bit(card: u8) -> u8 {
    let lane = u8::from(is_red(card)) ^ (rank(card) & 1);
    4 * (rank(card) - 1) + 2 * lane + u8::from(suit(card) >= 2)
}

/// The card of a bit number.
#[must_use]
pub fn card(bit: u8) -> u8 {
    let rank = bit / 4 + 1;
    let is_red = (bit >> 1) & 1 ^ rank & 1 == 1;
    let suit = match (is_red, bit & 1) {
        (false, 0) => 0,
        (true, 0) => 1,
        (true, _) => 2,
        (false, _) => 3,
    };
    suit * 16 + rank
}

#[inline(always)]
fn swap_lanes(set: u64) -> u64 {
    (set & FIRST_LANE) << 2 | set >> 2 & FIRST_LANE
}

#[inline(always)]
fn swap_pairs(set: u64) -> u64 {
    (set & LOWER) << 1 | set >> 1 & LOWER
}

/// Pairs of which both are in the set.
#[inline(always)]
fn whole_pairs(set: u64) -> u64 {
    let both = set & set >> 1 & LOWER;
    both | both << 1
}

/// The cards of the next rank in the same suits.
#[inline(always)]
#[must_use]
pub fn one_higher(set: u64) -> u64 {
    swap_lanes(set << 4)
}

/// The cards of the rank before in the same suits.
#[inline(always)]
#[must_use]
pub fn one_lower(set: u64) -> u64 {
    swap_lanes(set >> 4)
}

/// The place of the n-th member of a set, from 0.
#[must_use]
pub fn nth(mut set: u32, n: u8) -> usize {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}

/// Both cards that a card may lie on.
#[inline(always)]
#[must_use]
pub fn hosts(card: u64) -> u64 {
    (((card | card >> 1) & LOWER) * 3) << 4
}

/// The cards that may lie on those of a set.
#[inline(always)]
#[must_use]
pub fn takes(set: u64) -> u64 {
    (((set | set >> 1) & LOWER) * 3) >> 4
}

/// The cards that others lie on: the first one of each pair below `on_first`, the second one below `on_second`.
#[inline(always)]
#[must_use]
pub fn below(on_first: u64, on_second: u64) -> u64 {
    (at_least(on_first).0 | at_least(on_second).0 << 1) << 4
}

/// The other card of each one's rank and colour.
#[inline(always)]
#[must_use]
pub fn twin(set: u64) -> u64 {
    swap_pairs(set)
}

/// The lower bit of every pair with at least one card in the set, and with both.
#[inline(always)]
#[must_use]
pub fn at_least(set: u64) -> (u64, u64) {
    ((set | set >> 1) & LOWER, set & set >> 1 & LOWER)
}

/// Both cards of every type that has more cards in `visible` than cards of the type below in `loose`.
#[inline(always)]
#[must_use]
pub fn open(visible: u64, loose: u64) -> u64 {
    let (one, two) = at_least(visible);
    let (one_covered, two_covered) = at_least(loose << 4);
    let open = one & !one_covered | two & !two_covered;
    open | open << 1
}

/// Cards that are safe on their foundation when the cards in `founded` are: at most two ranks above both foundations of
/// the other colour, at most three above the other one of their own. See `state`.
#[inline(always)]
#[must_use]
pub fn safe(founded: u64) -> u64 {
    whole_pairs(swap_lanes(founded << 8 | 0xFF)) & swap_pairs(swap_lanes(founded << 12 | 0xFFF))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::klondike::rules::lies_on;

    fn cards() -> impl Iterator<Item = u8> {
        (0..4).flat_map(|suit| (1..=13).map(move |rank| suit * 16 + rank))
    }

    #[test]
    fn cards_and_bits() {
        for a in cards() {
            assert_eq!(card(bit(a)), a);
            for b in cards() {
                assert_eq!(
                    lies_on(a, b),
                    (1u64 << bit(a)) << 4 & (3 << (bit(b) & !1)) != 0 && rank(a) < rank(b),
                    "{a} {b}"
                );
                let next = suit(a) == suit(b) && rank(a) + 1 == rank(b);
                assert_eq!(one_higher(1 << bit(a)) == 1 << bit(b), next);
                assert_eq!(one_lower(1 << bit(b)) == 1 << bit(a), next);
            }
        }
    }

    #[test]
    fn safe_cards_by_their_definition() {
        for number in 0..14u32.pow(4) {
            let tops: Vec<u8> = (0..4).map(|suit| (number / 14u32.pow(suit) % 14) as u8).collect();
            let founded = cards().filter(|&a| rank(a) <= tops[suit(a)]).fold(0, |set, a| set | 1u64 << bit(a));
            for a in cards().filter(|&a| rank(a) == tops[suit(a)] + 1) {
                let expected = (0..4u8).filter(|&other| usize::from(other) != suit(a)).all(|other| {
                    let above = if is_red(other * 16) == is_red(a) { 3 } else { 2 };
                    rank(a) <= tops[usize::from(other)] + above
                });
                assert_eq!(safe(founded) >> bit(a) & 1 == 1, expected, "{a} {tops:?}");
            }
        }
    }
}
