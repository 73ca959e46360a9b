//! Who plays a game: asked for decisions, and told what no player has to know to decide.
use super::cards::Cards;
use super::dice::Dice;
use super::game::{Setting, Timer};
use super::knowledge::Knowledge;
use super::play::Play;
use super::players::Player;
use super::position::{Hands, Position};
use super::table::PLAYERS;
use crate::search::{Clock, Stop};

/// Five players by number. The five of the core are one; so are those who are asked over a network.
pub trait Party {
    /// The cards are dealt.
    fn begin(&mut self, _setting: &Setting, _dealt: &Hands) {}

    /// The cards that the player who knows this gives away.
    ///
    /// # Errors
    /// Interrupts.
    fn give(
        &mut self,
        setting: &Setting,
        knowledge: &Knowledge<'_>,
        count: u32,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<Cards, Stop>;

    /// The legal play, or pass, of the player who knows this; `position` is all that there is.
    ///
    /// # Errors
    /// Interrupts.
    fn choose(
        &mut self,
        setting: &Setting,
        position: &Position,
        knowledge: &Knowledge<'_>,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<Play, Stop>;

    /// Seconds that the last decision took: processor time of this thread, by its timer, if nothing else is said.
    fn spent_s(&mut self, timer: &mut Timer) -> f64 {
        timer.take()
    }

    /// All seats by rank.
    fn end(&mut self, _setting: &Setting, _finished: &[u8; PLAYERS]) {}

    /// Playouts of a player up to now.
    fn playouts_count(&self, player: usize) -> u64;
}

/// The number of the player who sits where a knowledge is of.
#[must_use]
pub fn number_of(setting: &Setting, knowledge: &Knowledge<'_>) -> usize {
    usize::from(setting.seats[usize::from(knowledge.seat)])
}

impl Party for [Player; PLAYERS] {
    fn give(
        &mut self,
        setting: &Setting,
        knowledge: &Knowledge<'_>,
        count: u32,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<Cards, Stop> {
        self[number_of(setting, knowledge)].give(knowledge, count, dice, clock)
    }

    fn choose(
        &mut self,
        setting: &Setting,
        _position: &Position,
        knowledge: &Knowledge<'_>,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<Play, Stop> {
        self[number_of(setting, knowledge)].choose(knowledge, dice, clock)
    }

    fn playouts_count(&self, player: usize) -> u64 {
        self[player].playouts_count()
    }
}
