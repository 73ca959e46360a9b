//! Superpuzz: 4 rows of 2 to 13 columns, the cards of the last rank taken out as holes.
//!
//! Source: T. Shintani, "A Program to Solve Superpuzz" (sections 2 and 3).
pub mod board;
mod census;
pub mod python;
pub mod report;
