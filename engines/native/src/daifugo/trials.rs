//! What each play of a choice is worth, found out by playouts of a policy in games of five players with that policy.
//!
//! The hands of all are the true ones: the mean over many games is that over what each player cannot see.
use super::cards::strongest_cards;
use super::choice::Choice;
use super::dice::Dice;
use super::legal::Families;
use super::players::rule;
use super::playout::{Policy, play_out};
use super::policy::Learnt;
use super::position::{Hands, Position, deal};
use super::table::PLAYERS;
use crate::deck;
use crate::search::{Clock, Stop};
use std::sync::Arc;

/// One game in so many begins without ranks, so without an exchange.
const WITHOUT_RANKS: u32 = 4;

#[derive(Default)]
pub struct Trials {
    pub choices: Vec<Choice>,
    /// Mean points of each play of all choices in a row; a pass, if the policy may, comes last.
    pub points: Vec<f32>,
    /// Where each choice's plays end.
    pub ends: Vec<u64>,
    families: Families,
}

impl Trials {
    /// Plays games `first` to `first + count - 1` of a seed, and tries one choice in `every` by so many playouts a play.
    ///
    /// # Errors
    /// Interrupts.
    pub fn add(
        &mut self,
        learnt: &Arc<Learnt>,
        (seed, first, count): (u64, u64, u64),
        (every, playouts): (u32, u32),
        clock: &mut Clock<'_>,
    ) -> Result<(), Stop> {
        let policy = Policy::Learnt(Arc::clone(learnt));
        for index in first..first + count {
            clock.check()?;
            let mut dice = Dice::of(seed, index);
            let mut position = Position::start(hands(seed, index, &mut dice));
            // Nobody stalls a game: at a lead this policy plays.
            while !position.table.is_over() {
                if dice.below(every) == 0 {
                    self.try_turn(&position, learnt, &policy, playouts, &mut dice);
                }
                let play = learnt.draw(&position, &mut self.families, &mut dice);
                position.play(&play);
            }
        }
        Ok(())
    }

    fn try_turn(&mut self, position: &Position, learnt: &Learnt, policy: &Policy, playouts: u32, dice: &mut Dice) {
        let (choice, mut plays) = (Choice::of(position), Vec::new());
        choice.plays(learnt.may_pass(&choice.field), &mut self.families, &mut plays);
        if plays.len() < 2 {
            return;
        }
        self.choices.push(choice);
        for play in &plays {
            let points: u32 = (0..playouts)
                .map(|_| {
                    let mut after = *position;
                    after.play(play);
                    play_out(&mut after, position.table.turn, policy, &mut self.families, dice)
                })
                .sum();
            self.points.push(points as f32 / playouts as f32);
        }
        self.ends.push(self.points.len() as u64);
    }
}

/// Dealt, and after an exchange by ranks that are drawn by lot, where there is one.
fn hands(seed: u64, index: u64, dice: &mut Dice) -> Hands {
    let deck = deck::shuffled(seed, index, 53).try_into().expect("53 cards");
    let mut hands = deal(&deck, (index % PLAYERS as u64) as usize);
    if dice.below(WITHOUT_RANKS) == 0 {
        return hands;
    }
    let mut by_rank = [0, 1, 2, 3, 4];
    for place in (1..PLAYERS).rev() {
        by_rank.swap(place, dice.below(place as u32 + 1) as usize);
    }
    for (giver, taker, count) in [(4, 0, 2), (3, 1, 1)] {
        let (low, high) = (by_rank[giver], by_rank[taker]);
        let tribute = strongest_cards(hands[low], count);
        hands[low] ^= tribute;
        hands[high] |= tribute;
        let given = rule::give(hands[high], count);
        hands[high] ^= given;
        hands[low] |= given;
    }
    hands
}

#[cfg(test)]
mod tests {
    use super::super::cards::ALL;
    use super::super::features::WEIGHTS_COUNT;
    use super::super::net_training::have_plays;
    use super::*;

    #[test]
    fn hands_have_all_cards() {
        for index in 0..100 {
            let hands = hands(3, index, &mut Dice::of(3, index));
            assert_eq!(hands.iter().fold(0, |all, hand| all ^ hand), ALL);
            assert!(hands.iter().all(|hand| (10..=11).contains(&hand.count_ones())));
        }
    }

    #[test]
    fn each_play_has_its_points_and_good_ones_more() {
        let learnt = Arc::new(Learnt::new(&[0.0; WEIGHTS_COUNT], true).unwrap());
        let (mut never, mut parts) = (|| false, Vec::new());
        let mut clock = Clock::new(0.0, &mut never);
        for (first, count) in [(0, 40), (0, 15), (15, 25)] {
            let mut trials = Trials::default();
            trials.add(&learnt, (1, first, count), (3, 2), &mut clock).unwrap();
            assert!(have_plays(&trials.choices, &trials.ends, true));
            assert_eq!(trials.ends.last(), Some(&(trials.points.len() as u64)));
            assert!(trials.points.iter().all(|points| (1.0..=5.0).contains(points)));
            parts.push(trials);
        }
        let [whole, one, other] = &parts[..] else { unreachable!() };
        assert_eq!(whole.points, [&one.points[..], &other.points[..]].concat());
        // What leaves no card behind wins, and what does has fewer points in the mean.
        let (mut families, mut plays, mut at) = (Families::default(), Vec::new(), 0);
        let mut points = [(0.0, 0); 2];
        for choice in &whole.choices {
            choice.plays(true, &mut families, &mut plays);
            for play in &plays {
                let (sum, count) = &mut points[usize::from(play.cards == choice.hand)];
                (*sum, *count) = (*sum + whole.points[at], *count + 1);
                at += 1;
            }
        }
        let [others, wins] = points.map(|(sum, count)| sum / count as f32);
        assert!(wins > others + 0.3, "{wins} {others}");
    }
}
