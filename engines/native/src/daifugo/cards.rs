//! Sets of cards as bits: `4 * (column - 1) + suit` for the 52, suits C, D, H, S; the joker is bit 52.
//!
//! Columns 1 to 13 are the ranks 3, 4, ..., K, A, 2. Columns 0 and 14 are the edges, where only a joker can stand.

use super::dice::Dice;

/// A set of cards, 53 bits.
pub type Cards = u64;

pub const CARDS_COUNT: usize = 53;
pub const JOKER: Cards = 1 << 52;
pub const NATURALS: Cards = JOKER - 1;
pub const ALL: Cards = JOKER | NATURALS;
pub const D3: Cards = 1 << 1;
pub const S3: Cards = 1 << 3;

/// Suit 0 of every column.
pub const COLUMNS: Cards = 0x1_1111_1111_1111;
pub const FIRST_COLUMN: u8 = 1;
pub const LAST_COLUMN: u8 = 13;
/// Column of the eights.
pub const EIGHT: u8 = 6;

/// The cards of one column, as a number of four bits, moved to their place.
#[inline(always)]
pub fn at_column(suits: u8, column: u8) -> Cards {
    Cards::from(suits) << (4 * (column - 1))
}

/// The suits that a set has in a column, four bits.
#[inline(always)]
pub fn suits_at(cards: Cards, column: u8) -> u8 {
    (cards >> (4 * (column - 1))) as u8 & 15
}

/// All cards of columns `first` to `last`; none if there are no such columns.
#[inline(always)]
pub fn columns(first: u8, last: u8) -> Cards {
    if first > last { 0 } else { ((1 << (4 * last)) - 1) & !((1 << (4 * (first - 1))) - 1) }
}

/// All cards of a set of suits (four bits).
#[inline(always)]
pub fn of_suits(suits: u8) -> Cards {
    Cards::from(suits) * COLUMNS
}

/// Place of the `n`-th lowest card, counted from 0.
#[inline(always)]
pub fn nth(mut cards: Cards, n: u32) -> u32 {
    for _ in 0..n {
        cards &= cards - 1;
    }
    cards.trailing_zeros()
}

/// The number of cards of a set that has one, 4 at most.
#[inline(always)]
pub fn up_to_four(cards: Cards) -> u32 {
    let but_one = cards & cards.wrapping_sub(1);
    let but_two = but_one & but_one.wrapping_sub(1);
    let but_three = but_two & but_two.wrapping_sub(1);
    1 + u32::from(but_one != 0) + u32::from(but_two != 0) + u32::from(but_three != 0)
}

/// The strongest card of a set that has one: the joker, then 2 downward (in a revolution 3 upward), ties by suit.
#[inline]
pub fn strongest(cards: Cards, revolution: bool) -> Cards {
    if cards & JOKER != 0 {
        return JOKER;
    }
    if !revolution {
        return 1 << (63 - cards.leading_zeros());
    }
    let column = (cards.trailing_zeros() / 4 + 1) as u8;
    let suits = suits_at(cards, column);
    at_column(1 << (7 - suits.leading_zeros()), column)
}

/// The `count` strongest cards of a set, by the order of a game's beginning.
pub fn strongest_cards(mut cards: Cards, count: u32) -> Cards {
    let mut found = 0;
    for _ in 0..count.min(cards.count_ones()) {
        let card = strongest(cards, false);
        cards ^= card;
        found |= card;
    }
    found
}

/// `count` cards of a set, all choices as likely.
pub fn any(mut cards: Cards, count: u32, dice: &mut Dice) -> Cards {
    let all = cards;
    for _ in 0..count {
        cards ^= 1 << nth(cards, dice.below(cards.count_ones()));
    }
    all ^ cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength() {
        let hand = JOKER | at_column(0b0101, 13) | D3;
        assert_eq!(strongest_cards(hand, 2), JOKER | at_column(0b0100, 13));
        assert_eq!(strongest(hand, true), JOKER);
        assert_eq!(strongest(hand & NATURALS, false), at_column(4, 13));
        assert_eq!(strongest(at_column(0b0101, 1) | at_column(15, 2), true), at_column(4, 1));
    }

    #[test]
    fn masks() {
        assert_eq!(columns(1, 13), NATURALS);
        assert_eq!(columns(2, 3), 0xff0);
        assert_eq!(columns(5, 4), 0);
        assert_eq!(of_suits(15), NATURALS);
        assert_eq!(nth(0b101100, 2), 5);
    }
}
