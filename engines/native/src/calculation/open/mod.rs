//! Calculation with the whole pile known: whether it can be won.
//!
//! A deck and a number of stacks become a formula of clauses that can be satisfied if and only if there is a solution
//! (`encoding`), and a search that learns from its conflicts decides it (`solver`). This is much faster than a search
//! over positions: most games fail because of what a few cards do to each other, and a clause says so once for all
//! positions. `search` is where to begin.
pub mod deck;
pub mod dimacs;
pub mod encoding;
pub mod formula;
pub mod heap;
pub mod learning;
pub mod proof;
#[cfg(test)]
mod proof_tests;
pub mod python;
pub mod search;
pub mod solution;
pub mod solver;
#[cfg(test)]
mod solver_tests;
#[cfg(test)]
mod tests;
pub mod watches;
