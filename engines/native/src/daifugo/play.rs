//! A play: the cards that leave the hand, and what the joker among them stands for.
use super::cards::{Cards, EIGHT, FIRST_COLUMN, JOKER, LAST_COLUMN, NATURALS};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No cards: also what lies on an empty field.
    Pass,
    Single,
    /// The joker alone.
    Joker,
    /// 2 to 5 cards of one rank.
    Group,
    /// 3 cards or more of one suit, ranks in a row.
    Sequence,
}

/// `cards` and `stands` say it all; the rest follows from them.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    pub cards: Cards,
    /// `4 * column + suit` of the card that the joker stands for, suit 4 for the fifth of a group; -1 for none.
    pub stands: i8,
    pub kind: Kind,
    /// Number of cards.
    pub size: u8,
    /// The only column, the lowest of a sequence; 0 for a pass or a lone joker.
    pub column: u8,
    /// The set of suits, four bits; 0 for a pass or a lone joker.
    pub suits: u8,
}

impl PartialEq for Play {
    fn eq(&self, other: &Play) -> bool {
        (self.cards, self.stands) == (other.cards, other.stands)
    }
}

impl Eq for Play {}

pub const PASS: Play = Play { cards: 0, stands: -1, kind: Kind::Pass, size: 0, column: 0, suits: 0 };
pub const LONE_JOKER: Play = Play { cards: JOKER, stands: -1, kind: Kind::Joker, size: 1, column: 0, suits: 0 };
/// Least number of cards of a sequence.
pub const SEQUENCE_SIZE_MIN: u8 = 3;

impl Play {
    /// The natural card that is this bit of a set, alone.
    #[inline(always)]
    #[must_use]
    pub fn single(place: u32) -> Play {
        let (column, suits) = ((place / 4 + 1) as u8, 1 << (place % 4));
        Play { cards: 1 << place, stands: -1, kind: Kind::Single, size: 1, column, suits }
    }

    /// The play of these two numbers; None if they make no play (a pass is one).
    #[must_use]
    pub fn new(cards: Cards, stands: i8) -> Option<Play> {
        if cards >> 53 != 0 {
            return None;
        }
        if stands < 0 {
            if stands != -1 {
                return None;
            }
            return match cards {
                0 => Some(PASS),
                JOKER => Some(LONE_JOKER),
                _ if cards & JOKER != 0 => None,
                _ => Play::of_places(cards, stands, cards << 4, cards.count_ones() as u8),
            };
        }
        let (natural, size) = (cards & NATURALS, cards.count_ones() as u8);
        let (column, suit) = ((stands / 4) as u8, (stands % 4) as u8);
        if natural == 0 || natural == cards {
            return None;
        }
        // `4 * column + 4` is suit 4 of the column as well as suit 0 of the next; four of the column tell them apart.
        if (FIRST_COLUMN + 1..=LAST_COLUMN + 1).contains(&column) && suit == 0 && natural == 15 << (4 * (column - 2)) {
            let column = column - 1;
            return Some(Play { cards, stands, kind: Kind::Group, size, column, suits: 15 });
        }
        let places = natural << 4 | 1 << stands;
        if column > LAST_COLUMN + 1 || natural << 4 & 1 << stands != 0 {
            return None;
        }
        Play::of_places(cards, stands, places, size)
    }

    /// `places`: bit `4 * column + suit` for each card.
    fn of_places(cards: Cards, stands: i8, places: u64, size: u8) -> Option<Play> {
        let first = places.trailing_zeros() as u8;
        let (column, suit) = (first / 4, first % 4);
        if (SEQUENCE_SIZE_MIN..=15).contains(&size)
            && places == (0x111_1111_1111_1111 & ((1 << (4 * size)) - 1)) << first
        {
            return Some(Play { cards, stands, kind: Kind::Sequence, size, column, suits: 1 << suit });
        }
        let suits = (places >> (4 * column)) as u8 & 15;
        if places != u64::from(suits) << (4 * column) || !(FIRST_COLUMN..=LAST_COLUMN).contains(&column) {
            return None;
        }
        let kind = if size == 1 { Kind::Single } else { Kind::Group };
        Some(Play { cards, stands, kind, size, column, suits })
    }

    #[inline(always)]
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.kind == Kind::Pass
    }

    /// Whether an 8 is in it, or the joker stands for one.
    #[inline(always)]
    #[must_use]
    pub fn has_eight(&self) -> bool {
        let span = if self.kind == Kind::Sequence { self.size } else { 1 };
        EIGHT.wrapping_sub(self.column) < span
    }

    /// Whether it turns the order of strength round.
    #[inline(always)]
    #[must_use]
    pub fn is_revolution(&self) -> bool {
        match self.kind {
            Kind::Group => self.size >= 4,
            Kind::Sequence => self.size >= 5,
            _ => false,
        }
    }

    /// The last column of its cards.
    #[inline(always)]
    #[must_use]
    pub fn last_column(&self) -> u8 {
        if self.kind == Kind::Sequence { self.column + self.size - 1 } else { self.column }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::{S3, at_column};
    use super::*;

    fn made(cards: Cards, stands: i8) -> Option<(Kind, u8, u8, u8)> {
        Play::new(cards, stands).map(|play| (play.kind, play.size, play.column, play.suits))
    }

    #[test]
    fn kinds() {
        assert_eq!(made(0, -1), Some((Kind::Pass, 0, 0, 0)));
        assert_eq!(made(JOKER, -1), Some((Kind::Joker, 1, 0, 0)));
        assert_eq!(made(S3, -1), Some((Kind::Single, 1, 1, 8)));
        assert_eq!(made(at_column(0b0110, 13), -1), Some((Kind::Group, 2, 13, 6)));
        assert_eq!(made(0x222, -1), Some((Kind::Sequence, 3, 1, 2)));
        assert_eq!(made(0x22, -1), None);
        assert_eq!(made(0x2222 | 1, -1), None);
        // The joker beside a card, before the 3s, after the 2s, within.
        assert_eq!(made(JOKER | S3, 4), Some((Kind::Group, 2, 1, 9)));
        assert_eq!(made(JOKER | S3, 7), None);
        assert_eq!(made(JOKER | 0x88, 3), Some((Kind::Sequence, 3, 0, 8)));
        assert_eq!(made(JOKER | 0x808, 4 * 2 + 3), Some((Kind::Sequence, 3, 1, 8)));
        let high = at_column(1, 12) | at_column(1, 13);
        assert_eq!(made(JOKER | high, 4 * 14), Some((Kind::Sequence, 3, 12, 1)));
        assert_eq!(made(JOKER | high, 4 * 15), None);
        assert_eq!(made(JOKER | S3, 3), None);
        assert_eq!(made(JOKER | S3, -1), None);
        assert_eq!(made(S3, 5), None);
    }

    #[test]
    fn fifth_card() {
        for column in FIRST_COLUMN..=LAST_COLUMN {
            let four = at_column(15, column);
            let fifth = (4 * column + 4) as i8;
            assert_eq!(made(JOKER | four, fifth), Some((Kind::Group, 5, column, 15)));
            assert_eq!(made(JOKER | four, fifth + 1), None);
            assert_eq!(made(JOKER | (four & (four - 1)), fifth), None);
        }
    }

    #[test]
    fn eights_and_revolutions() {
        let play = |cards, stands| Play::new(cards, stands).unwrap();
        assert!(play(at_column(1, EIGHT), -1).has_eight());
        assert!(play(JOKER | at_column(1, 5) | at_column(1, 7), 4 * 6).has_eight());
        assert!(play(JOKER | at_column(1, 4) | at_column(1, 5), 4 * 6).has_eight());
        assert!(!play(JOKER | at_column(1, 4) | at_column(1, 5), 4 * 3).has_eight());
        assert!(!play(at_column(15, 7), -1).has_eight());
        assert!(!LONE_JOKER.has_eight() && !PASS.has_eight());
        assert!(play(at_column(15, 7), -1).is_revolution());
        assert!(!play(0x1111, -1).is_revolution());
        assert!(play(0x11111, -1).is_revolution());
        assert!(play(JOKER | 0x1111, 0).is_revolution());
    }
}
