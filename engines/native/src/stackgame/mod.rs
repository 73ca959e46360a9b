//! The stack game: Calculation with its cards assigned to boards and no foundations.
pub mod boards;
pub mod collector;
pub mod game;
pub mod general;
pub mod moves;
pub mod places;
pub mod play;
pub mod python;
pub mod readers;
pub mod region;
pub mod shape;
pub mod table;
pub mod text;
pub mod two_boards;
pub mod width2;
