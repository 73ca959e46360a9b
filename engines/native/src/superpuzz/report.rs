//! What a search of a deal answers.
use super::board::Move;
use crate::search::{Outcome, Stop};

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub outcome: Outcome,
    /// The limit that was hit. A census that has seen a win is `Won` even then.
    pub limit: Option<Stop>,
    pub states_count: u64,
    pub wins_count: u64,
    /// States found when the first win was, the win included; 0 without a win.
    pub states_before_win_count: u64,
    /// Most memory of the search's own tables at a time.
    pub peak_bytes: u64,
    /// A solution, first move first; empty unless won.
    pub moves: Vec<Move>,
}
