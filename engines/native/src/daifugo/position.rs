//! A game before somebody's turn, all cards known.
use super::cards::{CARDS_COUNT, Cards, D3, up_to_four};
use super::play::Play;
use super::players::rule::View;
use super::table::{PLAYERS, Table};

/// Hands by seat.
pub type Hands = [Cards; PLAYERS];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub hands: Hands,
    pub table: Table,
}

impl Position {
    /// Before the first turn: who has D3 leads, and need not play it.
    #[must_use]
    pub fn start(hands: Hands) -> Position {
        let leader = hands.iter().position(|hand| hand & D3 != 0).unwrap_or(0);
        Position { hands, table: Table::start(leader as u8) }
    }

    /// The hand whose turn it is.
    #[inline(always)]
    #[must_use]
    pub fn hand(&self) -> Cards {
        self.hands[usize::from(self.table.turn)]
    }

    /// What the player whose turn it is looks at.
    #[inline(always)]
    #[must_use]
    pub fn view(&self) -> View<'_> {
        let turn = usize::from(self.table.turn);
        let (mut least, mut unseen) = (4, 0);
        for (other, &hand) in self.hands.iter().enumerate() {
            unseen |= hand;
            least = least.min(if other == turn || hand == 0 { 4 } else { up_to_four(hand) });
        }
        let hand = self.hands[turn];
        View {
            hand,
            field: &self.table.field,
            unseen: unseen & !hand,
            least,
            rivals: self.table.rivals_count(),
            is_own: self.table.is_own(),
        }
    }

    /// Makes a legal play for the seat whose turn it is.
    #[inline(always)]
    pub fn play(&mut self, play: &Play) {
        let hand = &mut self.hands[usize::from(self.table.turn)];
        *hand &= !play.cards;
        let empties = *hand == 0;
        self.table.play(play, empties);
    }
}

/// Hands when a deck (bits of cards) is dealt one card at a time, round by seat, beginning at `first`.
#[must_use]
pub fn deal(deck: &[u8; CARDS_COUNT], first: usize) -> Hands {
    let mut hands = [0; PLAYERS];
    for (number, &card) in deck.iter().enumerate() {
        hands[(first + number) % PLAYERS] |= 1 << card;
    }
    hands
}

#[cfg(test)]
mod tests {
    use super::super::cards::{JOKER, S3, at_column};
    use super::super::play::{LONE_JOKER, PASS};
    use super::super::table::{ALL_SEATS, points};
    use super::*;

    const C4: Cards = at_column_of(1, 2);
    const C5: Cards = at_column_of(1, 3);
    const C8: Cards = at_column_of(1, 6);
    const H9: Cards = at_column_of(4, 7);
    const S2: Cards = at_column_of(8, 13);

    const fn at_column_of(suits: u64, column: u64) -> Cards {
        suits << (4 * (column - 1))
    }

    fn play(position: &mut Position, cards: Cards) {
        position.play(&Play::new(cards, -1).unwrap());
    }

    fn start(hands: Hands, leader: u8) -> Position {
        Position { hands, table: Table::start(leader) }
    }

    #[test]
    fn who_has_d3_leads() {
        let hands = [C4, C5, D3 | C8, H9, S2];
        assert_eq!(Position::start(hands).table.turn, 2);
    }

    #[test]
    fn alone_one_may_beat_oneself() {
        let mut position = start([D3 | C5 | C4, C8, H9, S2, S3], 0);
        play(&mut position, C4);
        for seat in 1..5 {
            assert_eq!(position.table.turn, seat);
            position.play(&PASS);
        }
        assert_eq!(position.table.turn, 0);
        assert!(!position.table.field.is_empty());
        play(&mut position, C5);
        assert_eq!(position.table.turn, 0);
        position.play(&PASS);
        assert!(position.table.field.is_empty());
        assert_eq!((position.table.turn, position.table.active), (0, ALL_SEATS));
    }

    #[test]
    fn the_next_with_cards_leads_when_the_last_is_out() {
        let mut position = start([D3, C8 | C4, H9, S2, S3], 0);
        play(&mut position, D3);
        assert_eq!((position.table.turn, position.table.rank(0)), (1, Some(0)));
        for seat in 1..5 {
            assert_eq!(position.table.turn, seat);
            position.play(&PASS);
        }
        assert_eq!(position.table.turn, 1);
        assert!(position.table.field.is_empty());
        // An 8 as the last card: the next leads at once.
        position.hands[1] = C8;
        play(&mut position, C8);
        assert_eq!(position.table.turn, 2);
        assert!(position.table.field.is_empty());
    }

    #[test]
    fn eight_and_s3_clear_the_trick() {
        let mut position = start([D3 | C4, C8 | C5 | H9, JOKER | at_column(1, 9), S2, S3 | at_column(2, 9)], 0);
        play(&mut position, D3);
        play(&mut position, C8);
        assert_eq!((position.table.turn, position.table.field.is_empty()), (1, true));
        play(&mut position, C5);
        position.play(&LONE_JOKER);
        position.play(&PASS);
        play(&mut position, S3);
        assert_eq!((position.table.turn, position.table.field.is_empty()), (4, true));
        assert_eq!(position.table.active, ALL_SEATS);
    }

    #[test]
    fn ranks_and_points() {
        let mut position = start([D3, C4, C5, C8, H9], 0);
        for cards in [D3, C4, C5, C8] {
            play(&mut position, cards);
        }
        assert!(position.table.is_over());
        assert_eq!(position.table.finished, [0, 1, 2, 3, 4]);
        assert_eq!((0..5).map(points).collect::<Vec<_>>(), [5, 4, 3, 2, 1]);
    }

    #[test]
    fn twenty_passes_end_the_game_by_lot() {
        let mut position = start([D3, C4, C5, C8, H9], 0);
        play(&mut position, D3);
        for _ in 0..19 {
            position.play(&PASS);
            assert!(!position.table.is_stalled());
        }
        position.play(&PASS);
        assert!(position.table.is_stalled());
        position.table.draw_lots(&[3, 1, 4, 2]);
        assert!(position.table.is_over() && !position.table.is_stalled());
        assert_eq!(position.table.finished, [0, 3, 1, 4, 2]);
    }
}
