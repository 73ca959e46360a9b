//! Two-person single-suit trick taking with point cards (Kanehiro's thesis, sections 2 to 5): exact values of all deals.
//!
//! A **pattern** is a hand: bit b is set when Left has the card of rank b + 1 of the 2m cards left, so that its
//! binary digits are the thesis's standard representation with A for 1. Patterns of a layer (m cards each) are
//! numbered in their order as integers. Only values for Left in the lead are stored: with Right in the lead Left gets
//! what the leader does not get after an exchange of the hands, and the pattern of the exchanged hands has the same
//! number, counted from the end.
pub mod avoid;
pub mod census;
pub mod evaluate;
pub mod first_trick;
pub mod layer;
pub mod pattern;
pub mod python;
pub mod solver;
pub mod statements;
#[cfg(test)]
mod tests;
pub mod whist;

/// Cards that each player may have: a pattern fits 32 bits.
pub const CARDS_MAX: usize = 16;
