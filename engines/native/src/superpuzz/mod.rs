//! Superpuzz: 4 rows of 2 to 13 columns, the cards of the last rank taken out as holes.
//!
//! Source: T. Shintani, "A Program to Solve Superpuzz" (sections 2 and 3).
pub mod board;
mod bound;
pub mod census;
pub mod decide;
mod index;
pub mod key;
mod open;
mod path;
mod place;
pub mod python;
mod rows;
mod segment;
pub mod shortest;
mod sleep;
pub mod space;
pub mod table;
#[cfg(test)]
mod tests;
