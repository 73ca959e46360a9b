//! What a search may use, and what is left of it.
use super::budget::Budget;
use super::clock::Clock;
use super::stop::Stop;

/// Limits of a search; 0 means none.
pub struct Limits<'a> {
    pub states: u64,
    pub memory_bytes: u64,
    /// Asked now and then: whether the search shall stop, and why.
    pub clock: Clock<'a>,
}

/// What a search may still use.
pub struct Context<'a> {
    pub budget: Budget,
    pub clock: Clock<'a>,
    states_limit: u64,
    pub states_count: u64,
}

impl<'a> Context<'a> {
    #[must_use]
    pub fn new(limits: Limits<'a>) -> Context<'a> {
        let budget = Budget::new(limits.memory_bytes);
        Context { budget, clock: limits.clock, states_limit: limits.states, states_count: 0 }
    }

    #[inline(always)]
    pub fn count_state(&mut self) -> Result<(), Stop> {
        if self.states_count == self.states_limit && self.states_limit != 0 {
            return Err(Stop::States);
        }
        self.states_count += 1;
        Ok(())
    }
}
