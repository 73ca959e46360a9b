//! What a search of a position answers.
use super::board::Move;
use super::decide::Step;
use crate::search::{Outcome, Stop};

pub enum Found {
    Win(Vec<Step>),
    NoWin,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub outcome: Outcome,
    /// The limit that was hit.
    pub limit: Option<Stop>,
    pub states_count: u64,
    pub redeals_count: u64,
    pub peak_bytes: u64,
    /// A solution, first move first; empty unless won.
    pub moves: Vec<Move>,
}
