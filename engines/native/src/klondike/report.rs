//! What a search is told and what it answers.
use super::board::Move;
use super::decide::Step;
use crate::superpuzz::memory::Budget;
use crate::superpuzz::report::{Clock, Outcome, Stop};

/// What a search may still use.
pub struct Context<'a> {
    pub budget: Budget,
    pub clock: Clock<'a>,
    pub states_limit: u64,
    pub states_count: u64,
}

impl Context<'_> {
    #[inline(always)]
    pub fn count_state(&mut self) -> Result<(), Stop> {
        if self.states_count == self.states_limit && self.states_limit != 0 {
            return Err(Stop::States);
        }
        self.states_count += 1;
        Ok(())
    }
}

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
