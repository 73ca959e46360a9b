//! Worlds that are kept, so that all choices of a decision are looked at in the same ones.
//!
//! The n-th playout of every choice begins in the n-th world. Differences between choices then hold less of the luck of
//! deals, and a world that was dear to make serves many playouts.
use super::super::dice::Dice;
use super::super::knowledge::Knowledge;
use super::super::position::Hands;
use super::{Generator, Worlds};

pub struct Pool {
    worlds: Worlds,
    kept: Vec<Hands>,
    /// Most worlds that are kept; 0: none, each playout has a new one.
    kept_max: usize,
}

impl Pool {
    #[must_use]
    pub fn new(generator: &Generator, knowledge: &Knowledge<'_>, kept_max: usize) -> Pool {
        Pool { worlds: Worlds::new(generator, knowledge), kept: Vec::new(), kept_max }
    }

    /// The hands of the others for playout `number` (0 for the first) of a choice.
    #[inline]
    pub fn deal(&mut self, number: u32, dice: &mut Dice) -> Hands {
        if self.kept_max == 0 {
            return self.worlds.deal(dice);
        }
        let at = number as usize % self.kept_max;
        while self.kept.len() <= at {
            self.kept.push(self.worlds.deal(dice));
        }
        self.kept[at]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{knowledge, situation};
    use super::*;

    #[test]
    fn all_choices_have_the_same_worlds() {
        let (game, position, turns) = situation(3, None, 10);
        let seat = position.table.turn;
        let knowledge = knowledge(&game, None, &position, &turns, seat);
        let mut dice = Dice::new(1);
        let mut pool = Pool::new(&Generator::RandD, &knowledge, 8);
        let first: Vec<Hands> = (0..8).map(|number| pool.deal(number, &mut dice)).collect();
        let again: Vec<Hands> = (0..16).map(|number| pool.deal(number, &mut dice)).collect();
        assert_eq!((&first[..], &first[..]), (&again[..8], &again[8..]));
        assert!(first.iter().any(|hands| *hands != first[0]));
        // Without a pool they are those of the generator.
        let mut pool = Pool::new(&Generator::RandD, &knowledge, 0);
        let mut worlds = Worlds::new(&Generator::RandD, &knowledge);
        let (mut one, mut other) = (Dice::new(5), Dice::new(5));
        assert!((0..8).all(|_| pool.deal(0, &mut one) == worlds.deal(&mut other)));
    }
}
