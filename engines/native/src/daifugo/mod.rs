//! Daihinmin (Daifugo): five players, 53 cards, the rules of the UECda contest of 2010.
//!
//! Source: Yanagisawa and Matsuzaki. Cards are bits (`cards`), what may be played is in `legal`, a game before a turn
//! in `position`.
pub mod cards;
pub mod dice;
pub mod field;
pub mod legal;
pub mod play;
pub mod playout;
pub mod position;
pub mod table;
#[cfg(test)]
mod tests;
