//! Games that are won for sure: plays that nobody can answer, one after another, until the hand is empty.
use super::super::cards::Cards;
use super::super::field::Field;
use super::super::knowledge::Knowledge;
use super::super::legal::Families;
use super::super::play::{PASS, Play};
use std::collections::HashMap;

/// Plays that are tried before the search is given up.
const TRIES_MAX: u32 = 2_000;

/// Looks for a first play after which the own hand empties whatever the others do.
///
/// All cards that are not seen are taken for the hand of one other player. What that one cannot answer none of the others
/// can, so that a chain that is found wins for sure; some that would win are not found.
#[derive(Default)]
pub struct Sure {
    families: Families,
    /// Whether a hand with the lead wins, by hand and order of strength.
    known: HashMap<(Cards, bool), bool>,
    tries_count: u32,
}

impl Sure {
    /// The first play of a chain, or a pass that brings the lead; None if none was found.
    pub fn play(&mut self, knowledge: &Knowledge<'_>) -> Option<Play> {
        let (hand, unseen, table) = (knowledge.hand, knowledge.unseen(), &knowledge.table);
        let found = self.chain(hand, unseen, &table.field);
        if found.is_none() && !table.field.is_empty() && table.active == 1 << knowledge.seat {
            // All others have passed: a pass clears the trick. Who played last leads, if that is still in the game.
            let leads = table.last == knowledge.seat;
            let mut field = table.field;
            field.clear();
            return (leads && self.chain(hand, unseen, &field).is_some()).then_some(PASS);
        }
        found
    }

    /// The first play of a chain that begins on this field; `unseen`: the cards of the others together.
    pub fn chain(&mut self, hand: Cards, unseen: Cards, field: &Field) -> Option<Play> {
        self.known.clear();
        self.tries_count = 0;
        self.first(hand, unseen, field)
    }

    fn first(&mut self, hand: Cards, unseen: Cards, field: &Field) -> Option<Play> {
        let mut plays = Vec::new();
        self.families.list(hand, field);
        self.families.each(|play| plays.push(play));
        if let Some(&last) = plays.iter().find(|play| play.cards == hand) {
            return Some(last);
        }
        // Many cards at once first: such chains are short.
        plays.sort_by_key(|play| std::cmp::Reverse(play.size));
        plays.into_iter().find(|play| self.wins_by(hand, unseen, field, play))
    }

    /// Whether a play leaves the lead to who made it, and the rest wins.
    fn wins_by(&mut self, hand: Cards, unseen: Cards, field: &Field, play: &Play) -> bool {
        self.tries_count += 1;
        if self.tries_count > TRIES_MAX {
            return false;
        }
        let mut after = *field;
        if !after.lay(play) {
            self.families.list(unseen, &after);
            if self.families.plays_count() > 0 {
                return false;
            }
        }
        after.clear();
        let rest = hand & !play.cards;
        let key = (rest, after.revolution);
        if let Some(&wins) = self.known.get(&key) {
            return wins;
        }
        let wins = self.first(rest, unseen, &after).is_some();
        self.known.insert(key, wins);
        wins
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cards::{ALL, at_column};
    use super::super::super::dice::Dice;
    use super::super::super::knowledge::Gifts;
    use super::super::super::legal::legal_plays;
    use super::super::super::position::{Hands, Position};
    use super::super::super::table::Table;
    use super::*;

    /// What seat 0 knows of a position in which its turn is.
    fn found(position: &Position, sure: &mut Sure) -> Option<Play> {
        sure.play(&Knowledge {
            seat: 0,
            hand: position.hands[0],
            counts: position.hands.map(|hand| hand.count_ones() as u8),
            gone: position.hands.iter().fold(ALL, |gone, hand| gone & !hand),
            table: position.table,
            turns: &[],
            leader: None,
            before: None,
            gifts: Gifts::default(),
        })
    }

    /// Whether seat 0 is the next to be out, whatever the others do, as long as it makes the plays that are found.
    fn holds(position: &Position, sure: &mut Sure) -> bool {
        let after = |play: &Play| {
            let mut after = *position;
            after.play(play);
            after
        };
        if position.table.turn == 0 {
            return found(position, sure).is_some_and(|play| {
                let after = after(&play);
                after.hands[0] == 0 || holds(&after, sure)
            });
        }
        let mut plays = legal_plays(position.hand(), &position.table.field);
        plays.push(PASS);
        plays.iter().all(|play| {
            let after = after(play);
            after.table.alive == position.table.alive && holds(&after, sure)
        })
    }

    fn start(hands: Hands, revolution: bool) -> Position {
        let mut table = Table::start(0);
        table.field.revolution = revolution;
        for seat in 0..5 {
            if hands[seat] == 0 {
                table.alive &= !(1 << seat);
            }
        }
        table.active = table.alive;
        Position { hands, table }
    }

    #[test]
    fn nobody_can_prevent_what_is_found() {
        let (mut dice, mut sure) = (Dice::new(3), Sure::default());
        let mut found_count = 0;
        for _ in 0..4_000 {
            let mut hands = [0; 5];
            let mut left = ALL;
            for (seat, hand) in hands.iter_mut().enumerate() {
                let count = if seat == 0 { 2 + dice.below(4) } else { dice.below(4) };
                // Strong cards for seat 0, so that there is something to be found.
                let from = if seat == 0 { left & !((1 << 24) - 1) } else { left };
                *hand = super::super::super::cards::any(from, count, &mut dice);
                left &= !*hand;
            }
            if hands[1..].iter().all(|&hand| hand == 0) {
                continue;
            }
            let position = start(hands, dice.below(8) == 0);
            if found(&position, &mut sure).is_some() {
                found_count += 1;
                assert!(holds(&position, &mut sure), "{position:?}");
            }
        }
        assert!(found_count > 400, "{found_count}");
    }

    #[test]
    fn chains() {
        let mut sure = Sure::default();
        let weak = at_column(1, 1);
        let two = at_column(1, 13);
        let eight = at_column(2, 6);
        let kings = at_column(0b0011, 11);
        let first =
            |hand, other, sure: &mut Sure| found(&start([hand, other, 0, 0, 0], false), sure).map(|play| play.cards);
        // A 2 stands, then the weak card; not if the other one has the joker.
        assert_eq!(first(weak | two, kings, &mut sure), Some(two));
        assert_eq!(first(weak | two, crate::daifugo::cards::JOKER, &mut sure), None);
        // An 8 and any last card; an 8 behind an 8.
        assert_eq!(first(weak | eight, kings, &mut sure), Some(eight));
        assert_eq!(first(weak | kings, kings << 4, &mut sure), None);
        assert_eq!(first(weak | kings, two | two << 1 | kings << 2, &mut sure), None);
        assert_eq!(first(weak | kings, two | weak << 1, &mut sure), Some(kings));
    }
}
