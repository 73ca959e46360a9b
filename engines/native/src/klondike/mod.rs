//! Klondike with all cards known.
//!
//! Source: T. Shintani on Klondike, sections 2 and 3.
pub mod bits;
pub mod board;
pub mod decide;
pub mod pile;
pub mod report;
pub mod rules;
pub mod state;
pub mod visited;
