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

/// What a player decides with.
pub struct Asked<'a, 'c> {
    pub setting: &'a Setting,
    pub knowledge: &'a Knowledge<'a>,
    pub dice: &'a mut Dice,
    pub clock: &'a mut Clock<'c>,
}

impl Asked<'_, '_> {
    /// The number of the player.
    #[must_use]
    pub fn number(&self) -> usize {
        usize::from(self.setting.seats[usize::from(self.knowledge.seat)])
    }
}

/// Five players by number. The five of the core are one; so are those who are asked over a network.
pub trait Party {
    /// The cards are dealt.
    fn begin(&mut self, _setting: &Setting, _dealt: &Hands) {}

    /// The `count` cards that a player gives away.
    ///
    /// # Errors
    /// Interrupts.
    fn give(&mut self, asked: Asked<'_, '_>, count: u32) -> Result<Cards, Stop>;

    /// The legal play, or pass, of a player; `position` is all that there is.
    ///
    /// # Errors
    /// Interrupts.
    fn choose(&mut self, asked: Asked<'_, '_>, position: &Position) -> Result<Play, Stop>;

    /// Seconds that the last decision took: processor time of this thread, by its timer, if nothing else is said.
    fn spent_s(&mut self, timer: &mut Timer) -> f64 {
        timer.take()
    }

    /// All seats by rank.
    ///
    /// # Errors
    /// Interrupts.
    fn end(&mut self, _setting: &Setting, _finished: &[u8; PLAYERS], _clock: &mut Clock<'_>) -> Result<(), Stop> {
        Ok(())
    }

    /// Playouts of a player up to now.
    fn playouts_count(&self, player: usize) -> u64;
}

impl Party for [Player; PLAYERS] {
    fn give(&mut self, asked: Asked<'_, '_>, count: u32) -> Result<Cards, Stop> {
        self[asked.number()].give(asked.knowledge, count, asked.dice, asked.clock)
    }

    fn choose(&mut self, asked: Asked<'_, '_>, _position: &Position) -> Result<Play, Stop> {
        self[asked.number()].choose(asked.knowledge, asked.dice, asked.clock)
    }

    fn playouts_count(&self, player: usize) -> u64 {
        self[player].playouts_count()
    }
}
