//! Calculation: the player of Tanaka's paper (sections 3.1 to 3.4) on two-board tables of the stack game.
pub mod assign;
pub mod assignment;
pub mod best;
pub mod beyond;
pub mod chance;
pub mod estimate;
pub mod nodes;
pub mod open;
pub mod options;
pub mod order;
pub mod own;
pub mod player;
pub mod playouts;
pub mod python;
pub mod reply;
pub mod rules;
pub mod state;
pub mod table;
#[cfg(test)]
mod tests;
pub mod turn;
