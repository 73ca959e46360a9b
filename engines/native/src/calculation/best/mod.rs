//! Calculation played as well as it can be, without seeing the pile: of all orders of the pile's ranks, how many the best play
//! wins.
//!
//! A position is worth, for each rank in the pile, as many orders as the best play of that rank is worth after it, added up; so
//! everything is counted in whole numbers. `search` is where to begin: it leaves out plays that are worth no more than one
//! that is known (the bounds of star1 in Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983).
pub mod game;
pub mod key;
pub mod live;
pub mod plays;
pub mod position;
pub mod python;
pub mod search;
#[cfg(test)]
mod tests;
pub mod values;
