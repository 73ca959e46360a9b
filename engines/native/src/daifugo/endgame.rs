//! Games of two players, who know each other's hands: who finishes first, by exact search.
use super::cards::Cards;
use super::legal::legal_plays;
use super::play::{PASS, Play};
use super::position::Position;
use crate::search::{Clock, Stop};
use std::collections::HashMap;

/// What decides how a game of two goes on: hands, field and whose turn it is.
type Key = (Cards, Cards, Cards, i8, u8, u8, u8);

/// A search that gives up after so many positions.
pub struct Endgame {
    known: HashMap<Key, bool>,
    positions_max: usize,
}

impl Endgame {
    #[must_use]
    pub fn new(positions_max: usize) -> Endgame {
        Endgame { known: HashMap::new(), positions_max }
    }

    /// A play with which who has the turn finishes before the other one, two being left; Some(None) if there is none,
    /// None if the search gave up. One does not pass on an empty field.
    ///
    /// # Errors
    /// Interrupts.
    pub fn winning(&mut self, position: &Position, clock: &mut Clock<'_>) -> Result<Option<Option<Play>>, Stop> {
        debug_assert_eq!(position.table.alive.count_ones(), 2);
        self.known.clear();
        let mut decided = true;
        for play in plays(position) {
            match self.wins_by(position, &play, clock)? {
                Some(true) => return Ok(Some(Some(play))),
                Some(false) => {}
                None => decided = false,
            }
        }
        Ok(decided.then_some(None))
    }

    /// Whether who has the turn finishes first after this play of its own; None if the search gave up.
    fn wins_by(&mut self, position: &Position, play: &Play, clock: &mut Clock<'_>) -> Result<Option<bool>, Stop> {
        let seat = position.table.turn;
        let mut after = *position;
        after.play(play);
        if after.table.is_over() {
            return Ok(Some(true));
        }
        let wins = self.wins(&after, clock)?;
        Ok(wins.map(|wins| wins == (after.table.turn == seat)))
    }

    /// Whether who has the turn finishes first; None if the search gave up.
    fn wins(&mut self, position: &Position, clock: &mut Clock<'_>) -> Result<Option<bool>, Stop> {
        let table = &position.table;
        let other = table.alive & !(1 << table.turn);
        let hands = (position.hand(), position.hands[other.trailing_zeros() as usize]);
        let flags = u8::from(table.field.revolution) | u8::from(table.active == table.alive) << 1;
        let top = &table.field.top;
        let key = (hands.0, hands.1, top.cards, top.stands, table.field.lock, flags, table.last << 4 | table.turn);
        if let Some(&wins) = self.known.get(&key) {
            return Ok(Some(wins));
        }
        if self.known.len() >= self.positions_max {
            return Ok(None);
        }
        clock.check()?;
        let mut decided = true;
        for play in plays(position) {
            match self.wins_by(position, &play, clock)? {
                Some(true) => {
                    self.known.insert(key, true);
                    return Ok(Some(true));
                }
                Some(false) => {}
                None => decided = false,
            }
        }
        if decided {
            self.known.insert(key, false);
        }
        Ok(decided.then_some(false))
    }
}

/// All plays, those of many cards first, and a pass unless the field is empty.
fn plays(position: &Position) -> Vec<Play> {
    let mut plays = legal_plays(position.hand(), &position.table.field);
    plays.sort_by_key(|play| std::cmp::Reverse(play.size));
    if !position.table.field.is_empty() {
        plays.push(PASS);
    }
    plays
}

#[cfg(test)]
mod tests {
    use super::super::cards::{NATURALS, at_column};
    use super::super::dice::Dice;
    use super::super::table::Table;
    use super::*;

    fn two(hands: [Cards; 2], turn: u8) -> Position {
        let mut table = Table::start(turn);
        (table.alive, table.active) = (0b11, 0b11);
        table.finished_count = 3;
        Position { hands: [hands[0], hands[1], 0, 0, 0], table }
    }

    fn winning(position: &Position, positions_max: usize) -> Option<Option<Play>> {
        let mut never = || false;
        Endgame::new(positions_max).winning(position, &mut Clock::new(0.0, &mut never)).unwrap()
    }

    /// The same without memory or order.
    fn wins(position: &Position) -> bool {
        let mut all = legal_plays(position.hand(), &position.table.field);
        if !position.table.field.is_empty() {
            all.push(PASS);
        }
        all.iter().any(|play| {
            let mut after = *position;
            after.play(play);
            after.table.is_over() || wins(&after) == (after.table.turn == position.table.turn)
        })
    }

    #[test]
    fn an_eight_first() {
        let position = two([at_column(1, 6) | at_column(1, 1), at_column(2, 2)], 0);
        let play = winning(&position, 1000).unwrap().unwrap();
        assert_eq!(play.cards, at_column(1, 6));
        assert_eq!(winning(&two([at_column(3, 1) | 4, at_column(1, 6)], 1), 1000).unwrap().unwrap().size, 1);
        assert_eq!(winning(&two([at_column(1, 1) | at_column(1, 3), at_column(2, 9)], 0), 1000), Some(None));
    }

    #[test]
    fn agrees_with_a_search_without_memory() {
        let mut dice = Dice::new(5);
        let mut won = 0;
        for _ in 0..300 {
            let mut hands: [Cards; 2] = [0; 2];
            for hand in &mut hands {
                let count = 1 + dice.below(4);
                while hand.count_ones() < count {
                    *hand |= 1 << dice.below(53);
                }
            }
            hands[1] &= !hands[0];
            if hands[1] & NATURALS == 0 {
                continue;
            }
            let position = two(hands, dice.below(2) as u8);
            let found = winning(&position, 1 << 20).expect("small");
            assert_eq!(found.is_some(), wins(&position), "{position:?}");
            won += u32::from(found.is_some());
        }
        assert!((50..290).contains(&won));
    }

    #[test]
    fn gives_up() {
        let position = two([0x0f0f_0f0f_0f0f, 0xf0f0_f0f0_f0f0], 0);
        assert_eq!(winning(&position, 10), None);
    }
}
