//! Calculation.
pub mod open;
