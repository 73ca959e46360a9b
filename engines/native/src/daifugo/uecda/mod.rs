//! Daihinmin over a network: protocol 20070 of the UECda contest.
//!
//! A message is a table of 8 x 15 numbers or one number, all 32 bits, big-endian. `cells` says what stands in a table,
//! `status` what stands in its rows 5 and 6; `host` is the server, whose five `chairs` are players of the core and
//! `link`s that came in by a `door`; `guest` is a client, and `seen` what it makes of the tables. docs/uecda.md has
//! every byte.
pub mod cells;
pub mod chairs;
pub mod door;
pub mod guest;
pub mod host;
pub mod link;
pub mod seen;
pub mod status;
mod wire;

/// Of the protocol, in the first cell of the first table.
pub const VERSION: i32 = 20070;
/// What a player who made an accepted play, or a refused one, is told.
pub const ACCEPTED: i32 = 9;
pub const REFUSED: i32 = 8;
/// What all are told after a turn.
pub const GOES_ON: i32 = 0;
pub const GAME_OVER: i32 = 1;
pub const ALL_OVER: i32 = 2;
