//! The Monte-Carlo player of the paper (section 2.3): a bandit over the legal plays, a random game for each look.
use super::super::cards::{Cards, any};
use super::super::dice::Dice;
use super::super::endgame::Endgame;
use super::super::knowledge::Knowledge;
use super::super::legal::Families;
use super::super::play::{PASS, Play};
use super::super::playout::{Policy, play_out};
use super::super::position::Position;
use super::super::worlds::{Generator, Worlds};
use super::arm::Arm;
use super::bandit::{Bandit, Term};
use crate::search::{Clock, Stop};
use crate::sets::cards_of;
use cpu_time::ThreadTime;
use std::time::Duration;

/// Playouts between two looks at the clock.
const LOOK_AFTER: u32 = 64;

/// When a decision must be made.
#[derive(Clone, Copy)]
pub enum Budget {
    /// After so many playouts.
    Playouts(u32),
    /// After so much processor time.
    Time(Duration),
}

#[derive(Clone)]
pub struct Options {
    pub budget: Budget,
    /// Playouts for each card that might be given in the exchange, 1 or more; with a time the cards share that.
    pub exchange_playouts: u32,
    pub bandit: Bandit,
    /// The weight of what was looked at little; the paper has 4, the difference of best and worst score.
    pub c: f64,
    pub policy: Policy,
    pub generator: Generator,
    /// Positions after which the exact search of a game of two is given up; 0: there is no such search.
    pub endgame_positions: usize,
}

pub struct Mc {
    options: Options,
    families: Families,
    arms: Vec<Arm>,
    /// What the bandit keeps of each arm.
    terms: Vec<Term>,
    endgame: Endgame,
    pub playouts_count: u64,
}

impl Mc {
    #[must_use]
    pub fn new(options: Options) -> Mc {
        let endgame = Endgame::new(options.endgame_positions);
        Mc { options, families: Families::default(), arms: Vec::new(), terms: Vec::new(), endgame, playouts_count: 0 }
    }

    /// The play with the best mean; without a look at others if it is the only one, or wins at once.
    ///
    /// # Errors
    /// Interrupts.
    pub fn choose(&mut self, knowledge: &Knowledge<'_>, dice: &mut Dice, clock: &mut Clock<'_>) -> Result<Play, Stop> {
        self.list(knowledge);
        if let [arm] = self.arms[..] {
            return Ok(arm.play);
        }
        if let Some(arm) = self.arms.iter().find(|arm| arm.play.cards == knowledge.hand) {
            return Ok(arm.play);
        }
        if self.options.endgame_positions > 0 && knowledge.others().count() == 1 {
            let hands = Worlds::new(&Generator::Rand, knowledge).deal(dice);
            match self.endgame.winning(&knowledge.position(hands), clock)? {
                Some(Some(play)) => return Ok(play),
                // All is lost: the first play is as good as any.
                Some(None) => return Ok(self.arms[0].play),
                None => {}
            }
        }
        self.look(knowledge, dice, clock)?;
        let mut best = &self.arms[0];
        for arm in &self.arms[1..] {
            // An arm without a visit has no mean, which is never greater.
            if arm.mean() > best.mean() {
                best = arm;
            }
        }
        Ok(best.play)
    }

    /// All legal plays with what playouts for this budget came to.
    ///
    /// # Errors
    /// Interrupts.
    pub fn evaluate(
        &mut self,
        knowledge: &Knowledge<'_>,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<&[Arm], Stop> {
        self.list(knowledge);
        self.look(knowledge, dice, clock)?;
        Ok(&self.arms)
    }

    /// Legal plays; a pass among them unless the field is empty.
    fn list(&mut self, knowledge: &Knowledge<'_>) {
        let (arms, field) = (&mut self.arms, &knowledge.table.field);
        arms.clear();
        self.families.list(knowledge.hand, field);
        self.families.each(|play| arms.push(Arm::new(play)));
        if !field.is_empty() {
            arms.push(Arm::new(PASS));
        }
    }

    fn look(&mut self, knowledge: &Knowledge<'_>, dice: &mut Dice, clock: &mut Clock<'_>) -> Result<(), Stop> {
        let mut worlds = Worlds::new(&self.options.generator, knowledge);
        let begin = ThreadTime::now();
        self.terms.clear();
        self.terms.resize(self.arms.len(), Term::default());
        for number in 0.. {
            match self.options.budget {
                Budget::Playouts(count) if number == count => break,
                Budget::Time(time) if number.is_multiple_of(LOOK_AFTER) && begin.elapsed() >= time => break,
                _ => {}
            }
            if number.is_multiple_of(LOOK_AFTER) {
                clock.check()?;
            }
            let at = self.options.bandit.next(number, &self.terms, self.options.c, dice);
            let arm = &mut self.arms[at];
            let mut position = knowledge.position(worlds.deal(dice));
            position.play(&arm.play);
            arm.add(play_out(&mut position, knowledge.seat, &self.options.policy, &mut self.families, dice));
            self.terms[at] = self.options.bandit.term(arm);
            self.playouts_count += 1;
        }
        Ok(())
    }

    /// The cards that do best when they are given away, each judged by itself; a second one is drawn along with it.
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
        let own = usize::from(knowledge.seat);
        let before = knowledge.before.expect("there is no exchange without ranks");
        let partner = before[4 - knowledge.rank_before(knowledge.seat).expect("all seats have ranks")];
        let mut worlds = Worlds::new(&self.options.generator, knowledge);
        let begin = ThreadTime::now();
        let cards: Vec<Cards> = cards_of(knowledge.hand).collect();
        self.arms.clear();
        self.arms.resize(cards.len(), Arm::new(PASS));
        let mut made = 0;
        while match self.options.budget {
            Budget::Playouts(_) => made < self.options.exchange_playouts,
            Budget::Time(time) => made == 0 || begin.elapsed() < time,
        } {
            clock.check()?;
            let round = match self.options.budget {
                Budget::Playouts(_) => LOOK_AFTER.min(self.options.exchange_playouts - made),
                Budget::Time(_) => LOOK_AFTER / 16,
            };
            made += round;
            for (arm, card) in self.arms.iter_mut().zip(&cards) {
                for _ in 0..round {
                    let given = gift(*card, knowledge.hand, count, dice);
                    let mut hands = worlds.deal(dice);
                    hands[own] = knowledge.hand & !given;
                    hands[usize::from(partner)] |= given;
                    let mut position = Position::start(hands);
                    arm.add(play_out(&mut position, knowledge.seat, &self.options.policy, &mut self.families, dice));
                    self.playouts_count += 1;
                }
            }
        }
        let mut order: Vec<usize> = (0..cards.len()).collect();
        // Of equals the weaker one, which comes first.
        order.sort_by(|&one, &other| self.arms[other].mean().total_cmp(&self.arms[one].mean()));
        Ok(order[..count as usize].iter().fold(0, |given, &at| given | cards[at]))
    }
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
    }

    #[test]
    fn mean_and_error() {
        let mut arm = Arm::new(PASS);
        assert!(arm.mean().is_nan() && arm.error().is_nan());
        for points in [1, 2, 3, 4, 5] {
            arm.add(points);
        }
        assert_eq!(arm.mean(), 3.0);
        assert!((arm.error() - (2.5f64 / 5.0).sqrt()).abs() < 1e-12);
    }
}
