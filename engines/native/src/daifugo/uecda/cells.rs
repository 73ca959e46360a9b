//! A table of the protocol: 8 rows of 15 cells, and the cards in its rows 0 to 4.
//!
//! Rows 0 to 3 are the suits S, H, D, C; columns 1 to 13 the ranks 3 to 2, 0 and 14 the edges, where only a joker can
//! stand. 1 is the card, 2 the joker in its place. Row 4 has the joker of a hand, and that which is the fifth of a group.
use super::super::cards::{Cards, FIRST_COLUMN, JOKER, LAST_COLUMN, NATURALS, at_column, suits_at};
use super::super::play::{Kind, LONE_JOKER, PASS, Play};

pub const ROWS: usize = 8;
pub const COLUMNS: usize = 15;
/// Bytes of a table.
pub const SIZE: usize = 4 * ROWS * COLUMNS;
/// Rows that have cards.
pub const CARD_ROWS: usize = 5;
/// Where the joker of a hand stands, and where that of a play that is nothing else.
const JOKER_ROW: usize = 4;
const JOKER_COLUMN: usize = 1;
const LONE_COLUMN: usize = 14;
const CARD: i32 = 1;
const STANDS: i32 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cells(pub [[i32; COLUMNS]; ROWS]);

/// What the cards of a table say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// Also a pass.
    Play(Play),
    /// Cards that make no play.
    NoPlay,
    /// Cells that are nothing.
    Garbage,
}

impl Default for Cells {
    fn default() -> Cells {
        Cells([[0; COLUMNS]; ROWS])
    }
}

impl Cells {
    /// A table as it came.
    #[must_use]
    pub fn read(bytes: &[u8; SIZE]) -> Cells {
        let mut cells = Cells::default();
        let (numbers, _) = bytes.as_chunks();
        for (cell, number) in cells.0.as_flattened_mut().iter_mut().zip(numbers) {
            *cell = i32::from_be_bytes(*number);
        }
        cells
    }

    /// Its bytes. Numbers below 0 are sent as 0, as the contest's server does.
    #[must_use]
    pub fn bytes(&self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        let (numbers, _) = bytes.as_chunks_mut();
        for (number, cell) in numbers.iter_mut().zip(self.0.as_flattened()) {
            *number = cell.max(&0).to_be_bytes();
        }
        bytes
    }

    /// A hand.
    #[must_use]
    pub fn of_hand(hand: Cards) -> Cells {
        let mut cells = Cells::default();
        cells.put(hand & NATURALS);
        if hand & JOKER != 0 {
            cells.0[JOKER_ROW][JOKER_COLUMN] = STANDS;
        }
        cells
    }

    /// A play, or a pass.
    #[must_use]
    pub fn of_play(play: &Play) -> Cells {
        let mut cells = Cells::default();
        cells.put(play.cards & NATURALS);
        if play.kind == Kind::Joker {
            cells.0[0][LONE_COLUMN] = STANDS;
        } else if play.kind == Kind::Group && play.size == 5 {
            cells.0[JOKER_ROW][usize::from(play.column)] = STANDS;
        } else if let Ok(stands) = usize::try_from(play.stands) {
            cells.0[3 - stands % 4][stands / 4] = STANDS;
        }
        cells
    }

    /// Cards that are given away.
    #[must_use]
    pub fn of_gift(gift: Cards) -> Cells {
        Cells::of_hand(gift)
    }

    fn put(&mut self, natural: Cards) {
        for column in FIRST_COLUMN..=LAST_COLUMN {
            let suits = suits_at(natural, column);
            for (suit, row) in (0..4).rev().enumerate() {
                self.0[row][usize::from(column)] = i32::from(suits >> suit & 1);
            }
        }
    }

    /// The cards, and where the joker stands, row and column; None where a cell is nothing.
    fn cards(&self) -> Option<(Cards, Option<(usize, usize)>)> {
        let (mut natural, mut joker) = (0, None);
        for (row, cells) in self.0[..CARD_ROWS].iter().enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                match cell {
                    0 => {}
                    CARD if row < JOKER_ROW && (1..=usize::from(LAST_COLUMN)).contains(&column) => {
                        natural |= at_column(1 << (3 - row), column as u8);
                    }
                    STANDS if joker.is_none() => joker = Some((row, column)),
                    _ => return None,
                }
            }
        }
        Some((natural, joker))
    }

    /// A set of cards, the joker anywhere: a hand, or a gift. None where a cell is nothing.
    #[must_use]
    pub fn set(&self) -> Option<Cards> {
        let (natural, joker) = self.cards()?;
        Some(natural | if joker.is_some() { JOKER } else { 0 })
    }

    /// The play that the cards make.
    #[must_use]
    pub fn play(&self) -> Told {
        let Some((natural, joker)) = self.cards() else { return Told::Garbage };
        let found = match joker {
            None if natural == 0 => Some(PASS),
            None => Play::new(natural, -1),
            // Nothing that is alone stands in the row of the fifth card.
            Some((row, _)) if natural == 0 => (row < JOKER_ROW).then_some(LONE_JOKER),
            Some((row, column)) => {
                let suit = if row == JOKER_ROW { 4 } else { 3 - row };
                let found = Play::new(natural | JOKER, (4 * column + suit) as i8);
                // Suit 4 of a column is suit 0 of the next: the row tells which is meant.
                found.filter(|play| {
                    let fifth = play.kind == Kind::Group && play.size == 5;
                    fifth == (row == JOKER_ROW) && (!fifth || usize::from(play.column) == column)
                })
            }
        };
        found.map_or(Told::NoPlay, Told::Play)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cards::{D3, S3, any};
    use super::super::super::dice::Dice;
    use super::super::super::field::Field;
    use super::super::super::legal::legal_plays;
    use super::*;

    fn made(cells: &[(usize, usize, i32)]) -> Cells {
        let mut found = Cells::default();
        for &(row, column, cell) in cells {
            found.0[row][column] = cell;
        }
        found
    }

    #[test]
    fn bytes_are_big_endian_row_by_row() {
        let cells = made(&[(0, 1, 1), (2, 3, 0x0102_0304), (7, 14, 20070), (5, 1, -2)]);
        let bytes = cells.bytes();
        assert_eq!(bytes[4..8], [0, 0, 0, 1]);
        assert_eq!(bytes[4 * (2 * 15 + 3)..][..4], [1, 2, 3, 4]);
        assert_eq!(bytes[476..], [0, 0, 0x4e, 0x66]);
        assert_eq!(bytes[4 * (5 * 15 + 1)..][..4], [0, 0, 0, 0]);
        let again = Cells::read(&bytes);
        assert_eq!(again, made(&[(0, 1, 1), (2, 3, 0x0102_0304), (7, 14, 20070)]));
        assert_eq!(Cells::read(&[0xff; SIZE]).0[7][14], -1);
    }

    #[test]
    fn rows_are_spades_to_clubs() {
        let cells = Cells::of_hand(S3 | D3 | JOKER | at_column(0b0101, 13));
        assert_eq!(cells, made(&[(0, 1, 1), (2, 1, 1), (4, 1, 2), (3, 13, 1), (1, 13, 1)]));
        assert_eq!(cells.set(), Some(S3 | D3 | JOKER | at_column(0b0101, 13)));
    }

    #[test]
    fn jokers() {
        for row in 0..4 {
            for column in 0..15 {
                assert_eq!(made(&[(row, column, 2)]).play(), Told::Play(LONE_JOKER));
            }
        }
        for column in 0..15 {
            assert_eq!(made(&[(4, column, 2)]).play(), Told::NoPlay);
        }
        assert_eq!(made(&[(0, 1, 2), (1, 1, 2)]).play(), Told::Garbage);
        // The columns at the edges.
        let low = made(&[(0, 0, 2), (0, 1, 1), (0, 2, 1)]).play();
        assert_eq!(low, Told::Play(Play::new(JOKER | 0x88, 3).unwrap()));
        let high = made(&[(3, 12, 1), (3, 13, 1), (3, 14, 2)]).play();
        assert_eq!(high, Told::Play(Play::new(JOKER | at_column(1, 12) | at_column(1, 13), 56).unwrap()));
        for edge in [(0, 0, 1), (3, 14, 1), (4, 1, 1), (0, 5, 3), (0, 5, -1)] {
            assert_eq!(made(&[edge]).play(), Told::Garbage);
        }
        // Where the joker stands on a card, the cell has room for one.
        assert_eq!(made(&[(0, 1, 1), (1, 0, 2)]).play(), Told::NoPlay);
    }

    #[test]
    fn fifth_card() {
        let four: Vec<(usize, usize, i32)> = (0..4).map(|row| (row, 6, 1)).collect();
        let with = |joker| made(&[&four[..], &[joker]].concat()).play();
        assert!(matches!(with((4, 6, 2)), Told::Play(Play { kind: Kind::Group, size: 5, column: 6, .. })));
        for joker in [(3, 7, 2), (4, 7, 2), (4, 1, 2), (0, 5, 2)] {
            assert_eq!(with(joker), Told::NoPlay);
        }
        assert_eq!(made(&[(0, 6, 1), (1, 6, 1), (2, 6, 1), (4, 6, 2)]).play(), Told::NoPlay);
    }

    #[test]
    fn every_play_comes_back() {
        let mut dice = Dice::new(5);
        for _ in 0..300 {
            let hand = any((1 << 53) - 1, 14, &mut dice);
            assert_eq!(Cells::of_hand(hand).set(), Some(hand));
            for play in legal_plays(hand, &Field::START).into_iter().chain([PASS]) {
                let cells = Cells::read(&Cells::of_play(&play).bytes());
                assert_eq!(cells.play(), Told::Play(play));
            }
        }
    }
}
