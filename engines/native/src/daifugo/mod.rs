//! Daihinmin (Daifugo): five players, 53 cards, the rules of the UECda contest of 2010.
//!
//! Source: Yanagisawa and Matsuzaki. Cards are bits (`cards`), what may be played is in `legal`, a game before a turn
//! in `position`, what a player sees of it in `knowledge`; `game` and `tournament` let players play.
pub mod cards;
pub mod certain;
pub mod choice;
pub mod dice;
pub mod drawing;
pub mod endgame;
pub mod examples;
pub mod features;
pub mod field;
pub mod folded;
pub mod four;
pub mod game;
pub mod inputs;
pub mod knowledge;
pub mod learning;
pub mod legal;
pub mod net;
pub mod net_training;
pub mod party;
pub mod play;
pub mod players;
pub mod playout;
pub mod policy;
pub mod position;
pub mod python;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tournament;
pub mod trials;
pub mod uecda;
pub mod worlds;
