//! The orders of the pile that the best play wins, of a position.
use super::game::Game;
use super::live::is_live;
use super::plays::Found;
use super::position::{Position, ranks_of};
use super::values::{Values, Worth};
use crate::search::{Context, Stop};
use std::cmp::Reverse;

/// A position that a draw may lead to, with what it is worth at most.
struct Play {
    worth: Worth,
    untidiness: i64,
    key: u128,
    position: Position,
}

/// The plays of a drawn card that may win, and what the best of them is worth at most.
struct Draw {
    plays: Vec<Play>,
    most: u64,
    orders: u64,
}

pub struct Search<'a, 'limits> {
    pub game: &'a Game,
    /// Kept from one search to the next.
    pub values: &'a mut Values,
    pub context: &'a mut Context<'limits>,
}

impl Search<'_, '_> {
    /// Orders of the pile that the best play wins from this position on.
    pub fn wins(&mut self, position: &Position) -> Result<u64, Stop> {
        if position.is_pile_empty() {
            return Ok(u64::from(position.are_stacks_empty()));
        }
        // What is not exact is at most the floor: here 0, and so exact.
        if is_live(self.game, position, self.values, self.context)? {
            Ok(self.value(position.key(self.game), position, 0)?.most())
        } else {
            Ok(0)
        }
    }

    /// Exact, or no more than `floor`, which is all that is asked then.
    fn value(&mut self, key: u128, position: &Position, floor: u64) -> Result<Worth, Stop> {
        if position.is_pile_empty() {
            // It is live: all stacks become empty in this turn.
            return Ok(Worth::Exactly(1));
        }
        let known = self.values.get(key);
        if let Some(worth) = known.filter(|worth| worth.is_exact() || worth.most() <= floor) {
            return Ok(worth);
        }
        self.context.clock.check()?;
        let mut draws = self.draws(position)?;
        let mut total = draws.iter().map(|draw| draw.most).sum();
        // Where few plays may win, more is lost: the floor is reached sooner.
        draws.sort_by_key(|draw| draw.plays.len());
        let mut draws = draws.iter();
        while let Some(draw) = draws.next().filter(|_| total > floor) {
            let others = total - draw.most;
            total = others + self.best(draw, floor.saturating_sub(others))?;
        }
        let worth = if total > floor || total == 0 { Worth::Exactly(total) } else { Worth::AtMost(total) };
        self.values.put(key, worth, self.context)?;
        Ok(worth)
    }

    /// What the best play of a draw is worth, if that is more than `floor`; else a bound that is no more than it.
    fn best(&mut self, draw: &Draw, floor: u64) -> Result<u64, Stop> {
        let (mut best, mut most) = (floor, 0);
        for play in &draw.plays {
            let worth =
                if play.worth.most() <= best { play.worth } else { self.value(play.key, &play.position, best)? };
            most = most.max(worth.most());
            best = best.max(worth.most());
            if best == draw.orders {
                break;
            }
        }
        Ok(most)
    }

    /// Of each rank in the pile.
    fn draws(&mut self, position: &Position) -> Result<Vec<Draw>, Stop> {
        let (mut draws, mut found) = (Vec::with_capacity(self.game.rules.ranks), Found::new());
        for rank in (1..=self.game.rules.ranks as u8).filter(|&rank| position.left[usize::from(rank)] > 0) {
            self.game.plays(position, rank, &mut found);
            let mut left = position.left;
            left[usize::from(rank)] -= 1;
            let orders = self.game.orders(&left);
            let mut plays = Vec::with_capacity(found.len());
            for &(key, position) in &found {
                let worth = match self.values.get(key) {
                    Some(worth) => worth,
                    None if is_live(self.game, &position, self.values, self.context)? => Worth::AtMost(orders),
                    None => continue,
                };
                if worth.most() > 0 {
                    plays.push(Play { worth, untidiness: self.untidiness(&position), key, position });
                }
            }
            plays.sort_by_key(|play| (Reverse(play.worth.most()), !play.worth.is_exact(), play.untidiness));
            let most = plays.first().map_or(0, |play| play.worth.most());
            draws.push(Draw { plays, most, orders });
        }
        Ok(draws)
    }

    /// A guess at which plays are good: little that has to wait for a card below it, and much on the foundations.
    fn untidiness(&self, position: &Position) -> i64 {
        let heights: u8 = position.heights.iter().sum();
        let mut found = -2 * i64::from(heights);
        for &stack in &position.stacks[..self.game.rules.stacks] {
            for (depth, upper) in ranks_of(stack).enumerate() {
                for lower in ranks_of(stack).skip(depth + 1) {
                    found += 3 * i64::from(self.game.inversions[usize::from(upper)][usize::from(lower)]);
                }
            }
        }
        found
    }
}
