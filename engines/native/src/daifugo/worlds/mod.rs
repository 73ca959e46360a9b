//! Worlds: the hands of the others as they might be. A way to make them sees no more than a player does.
use super::dice::Dice;
use super::knowledge::Knowledge;
use super::playout::Policy;
use super::position::Hands;
use std::sync::Arc;

mod chain;
mod exchange;
pub mod he;
mod hidden;
mod likelihood;
pub mod pool;
mod rand;
mod reject;
#[cfg(test)]
mod tests;

/// A way to make worlds.
#[derive(Clone)]
pub enum Generator {
    Rand,
    RandD,
    RandDr,
    /// Rand/D, but for cards whose owner is known.
    KnownD,
    He(Arc<he::HeTable>),
    Exchange,
    /// By the likelihood of a policy; tries for a world at most.
    Reject(Policy, u32),
    /// By the same; swaps from one world to the next.
    Chain(Policy, u32),
}

/// A way to make worlds, prepared for what one player knows.
pub enum Worlds {
    Rand(rand::Rand),
    RandD(rand::RandD),
    He(Box<he::He>),
    Exchange(exchange::Exchange),
    Reject(Box<reject::Reject>),
    Chain(Box<chain::Chain>),
}

impl Worlds {
    #[must_use]
    pub fn new(generator: &Generator, knowledge: &Knowledge<'_>) -> Worlds {
        match generator {
            Generator::Rand => Worlds::Rand(rand::Rand::new(knowledge)),
            Generator::RandD => Worlds::RandD(rand::RandD::new(knowledge, false)),
            Generator::RandDr => Worlds::RandD(rand::RandD::new(knowledge, true)),
            Generator::KnownD => Worlds::RandD(rand::RandD::known(knowledge)),
            Generator::He(table) => Worlds::He(Box::new(he::He::new(knowledge, table))),
            Generator::Chain(policy, swaps_count) => {
                Worlds::Chain(Box::new(chain::Chain::new(knowledge, policy, *swaps_count)))
            }
            Generator::Exchange => Worlds::Exchange(exchange::Exchange::new(knowledge)),
            Generator::Reject(policy, tries_max) => {
                Worlds::Reject(Box::new(reject::Reject::new(knowledge, policy, *tries_max)))
            }
        }
    }

    /// The hands of the others in one world; the own place is empty.
    #[inline]
    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        match self {
            Worlds::Rand(worlds) => worlds.deal(dice),
            Worlds::RandD(worlds) => worlds.deal(dice),
            Worlds::He(worlds) => worlds.deal(dice),
            Worlds::Exchange(worlds) => worlds.deal(dice),
            Worlds::Reject(worlds) => worlds.deal(dice),
            Worlds::Chain(worlds) => worlds.deal(dice),
        }
    }
}
