//! The stack game: Calculation with its cards assigned to boards and no foundations.
pub mod rank;
pub mod table;
pub mod two_boards;
pub mod width2;
