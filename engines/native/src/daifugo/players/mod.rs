//! Players: who is asked for a play, or for cards to give, and knows only what a player knows.
use super::cards::Cards;
use super::dice::Dice;
use super::knowledge::Knowledge;
use super::legal::Families;
use super::play::Play;
use crate::search::{Clock, Stop};

pub mod arm;
pub mod bandit;
mod gift;
pub mod mc;
pub mod race;
pub mod rule;
pub(super) mod sure;

/// A kind of player with its options.
#[derive(Clone)]
pub enum Spec {
    Random,
    Rule,
    Mc(mc::Options),
}

impl Spec {
    /// A player of this kind.
    #[must_use]
    pub fn player(&self) -> Player {
        match self {
            Spec::Random => Player::Random(Box::default()),
            Spec::Rule => Player::Rule(Box::default()),
            Spec::Mc(options) => Player::Mc(Box::new(mc::Mc::new(options.clone()))),
        }
    }
}

/// A player with what it keeps between turns.
pub enum Player {
    /// Each legal play as likely, a pass only where nothing else is legal.
    Random(Box<Families>),
    Rule(Box<Families>),
    Mc(Box<mc::Mc>),
}

impl Player {
    /// The play that it makes; a pass too where it can do nothing else. `dice` are its own, for this turn.
    ///
    /// # Errors
    /// Interrupts.
    pub fn choose(&mut self, knowledge: &Knowledge<'_>, dice: &mut Dice, clock: &mut Clock<'_>) -> Result<Play, Stop> {
        Ok(match self {
            Player::Random(families) => families.draw(knowledge.hand, &knowledge.table.field, dice),
            Player::Rule(families) => rule::choose(&view(knowledge), families),
            Player::Mc(player) => player.choose(knowledge, dice, clock)?,
        })
    }

    /// `count` cards of its hand that it gives away in the exchange.
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
        Ok(match self {
            Player::Random(_) => super::cards::any(knowledge.hand, count, dice),
            Player::Rule(_) => rule::give(knowledge.hand, count),
            Player::Mc(player) => player.give(knowledge, count, dice, clock)?,
        })
    }

    /// Playouts made up to now.
    #[must_use]
    pub fn playouts_count(&self) -> u64 {
        if let Player::Mc(player) = self { player.playouts_count } else { 0 }
    }
}

/// What the rule-based player looks at.
#[inline]
#[must_use]
pub fn view<'a>(knowledge: &'a Knowledge<'_>) -> rule::View<'a> {
    let least = knowledge.others().map(|seat| knowledge.counts[usize::from(seat)]).min().unwrap_or(0);
    rule::View {
        hand: knowledge.hand,
        field: &knowledge.table.field,
        unseen: knowledge.unseen(),
        least: u32::from(least.min(4)),
        rivals: knowledge.table.rivals_count(),
        is_own: knowledge.table.is_own(),
    }
}
