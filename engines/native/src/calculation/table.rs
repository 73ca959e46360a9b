//! The finished table that a player looks states up in.
use crate::stackgame::two_boards::TwoBoards;
use crate::storage::damaged::Damaged;
use crate::storage::reader::Reader;

/// The look-ups of a finished table.
pub struct Table<'a, B> {
    pub rules: &'a TwoBoards,
    /// By layer; there is none for the empty state.
    pub layers: Vec<Option<&'a Reader<u64, B>>>,
}

/// Why values cannot be found.
#[derive(Debug)]
pub enum Failure {
    /// A damaged block of a layer of the table.
    Damaged(usize, Damaged),
    /// More states than there may be.
    Full,
}
