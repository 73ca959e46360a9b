//! The cards that the Monte-Carlo player gives in the exchange.
use super::super::cards::{Cards, any};
use super::super::dice::Dice;
use super::super::knowledge::Knowledge;
use super::super::play::PASS;
use super::super::position::Position;
use super::super::worlds::pool::Pool;
use super::arm::Arm;
use super::mc::Mc;
use super::race::{Budget, LOOK_AFTER, best};
use crate::search::{Clock, Stop};
use crate::sets::cards_of;
use cpu_time::ThreadTime;

impl Mc {
    /// `count` cards that do best when they are given away.
    ///
    /// # Errors
    /// Interrupts.
    pub fn give(
        &mut self,
        knowledge: &Knowledge<'_>,
        count: u32,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<Cards, Stop> {
        if self.options.joint {
            self.give_jointly(knowledge, count, dice, clock)
        } else {
            self.give_each(knowledge, count, dice, clock)
        }
    }

    /// The set of cards that does best: a choice each, looked at as plays are.
    fn give_jointly(
        &mut self,
        knowledge: &Knowledge<'_>,
        count: u32,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<Cards, Stop> {
        let gifts = sets(knowledge.hand, count);
        let mut arms = vec![Arm::new(PASS); gifts.len()];
        let mut worlds = Pool::new(&self.options.generator, knowledge, self.options.pool);
        let spending = self.options.spending;
        self.playouts_count += u64::from(spending.look(&mut arms, dice, clock, |at, number, dice| {
            self.after_gift(knowledge, gifts[at], &mut worlds, number, dice)
        })?);
        Ok(gifts[best(&arms)])
    }

    /// The cards that do best, each judged by itself; a second one is drawn along with it.
    fn give_each(
        &mut self,
        knowledge: &Knowledge<'_>,
        count: u32,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<Cards, Stop> {
        let mut worlds = Pool::new(&self.options.generator, knowledge, self.options.pool);
        let begin = ThreadTime::now();
        let cards: Vec<Cards> = cards_of(knowledge.hand).collect();
        let mut arms = vec![Arm::new(PASS); cards.len()];
        let mut made = 0;
        let (budget, exchange_playouts) = (self.options.spending.budget, self.options.exchange_playouts);
        while match budget {
            Budget::Playouts(_) => made < exchange_playouts,
            Budget::Time(time) => made == 0 || begin.elapsed() < time,
        } {
            clock.check()?;
            let round = match budget {
                Budget::Playouts(_) => LOOK_AFTER.min(exchange_playouts - made),
                Budget::Time(_) => LOOK_AFTER / 16,
            };
            made += round;
            for (arm, card) in arms.iter_mut().zip(&cards) {
                for _ in 0..round {
                    let given = gift(*card, knowledge.hand, count, dice);
                    arm.add(self.after_gift(knowledge, given, &mut worlds, arm.visits_count, dice));
                    self.playouts_count += 1;
                }
            }
        }
        let mut order: Vec<usize> = (0..cards.len()).collect();
        // Of equals the weaker one, which comes first.
        order.sort_by(|&one, &other| arms[other].mean().total_cmp(&arms[one].mean()));
        Ok(order[..count as usize].iter().fold(0, |given, &at| given | cards[at]))
    }

    /// What one playout comes to after these cards are given.
    fn after_gift(
        &mut self,
        knowledge: &Knowledge<'_>,
        given: Cards,
        worlds: &mut Pool,
        number: u32,
        dice: &mut Dice,
    ) -> f64 {
        let before = knowledge.before.expect("there is no exchange without ranks");
        let partner = before[4 - knowledge.rank_before(knowledge.seat).expect("all seats have ranks")];
        let mut hands = worlds.deal(number, dice);
        hands[usize::from(knowledge.seat)] = knowledge.hand & !given;
        hands[usize::from(partner)] |= given;
        self.play_out(&mut Position::start(hands), knowledge.seat, dice)
    }
}

/// All sets of `count` cards (1 or 2) of a hand, weak cards first.
fn sets(hand: Cards, count: u32) -> Vec<Cards> {
    if count == 1 {
        return cards_of(hand).collect();
    }
    cards_of(hand).flat_map(|high| cards_of(hand & (high - 1)).map(move |low| low | high)).collect()
}

/// `count` cards of a hand, this one and others at random.
fn gift(card: Cards, hand: Cards, count: u32, dice: &mut Dice) -> Cards {
    card | any(hand & !card, count - 1, dice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gift_has_its_cards() {
        let hand: Cards = 0b1101 << 30 | 1 << 52;
        let mut dice = Dice::new(3);
        for card in cards_of(hand) {
            assert_eq!(gift(card, hand, 1, &mut dice), card);
            let with: std::collections::HashSet<Cards> = (0..100).map(|_| gift(card, hand, 2, &mut dice)).collect();
            assert_eq!(with, cards_of(hand & !card).map(|other| card | other).collect());
        }
        assert_eq!(sets(0b1101, 1), [0b1, 0b100, 0b1000]);
        assert_eq!(sets(0b1101, 2), [0b101, 0b1001, 0b1100]);
    }
}
