//! Klondike with all cards known.
//!
//! Source: T. Shintani on Klondike, sections 2 and 3. The rules are in `rules` and `board`, the solver's view of a
//! position in `state` and `pile`; `search` is where to begin.
pub mod best;
pub mod bits;
pub mod blocked;
pub mod board;
pub mod circle;
pub mod decide;
pub mod expand;
pub mod key;
pub mod members;
pub mod pile;
pub mod plain;
pub mod purse;
pub mod python;
pub mod radices;
pub mod relaxed;
pub mod reserve;
pub mod rules;
pub mod search;
pub mod shortest;
pub mod solution;
pub mod state;
#[cfg(test)]
mod tests;
pub mod verdicts;
pub mod visited;
