//! What a search of any game is told, what it may still use, and how it ends.
use crate::memory::Budget;
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// Asking for interrupts needs the interpreter's lock: not more often than this.
const ASK_AFTER: Duration = Duration::from_millis(50);
/// Asking for processor time is a system call.
const LOOK_AFTER: Duration = Duration::from_millis(2);

/// What stopped a search before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    States,
    Memory,
    Time,
    /// The user interrupts; the search has no answer.
    Interrupt,
}

/// Limits of a search; 0 means none.
pub struct Limits<'a> {
    pub states: u64,
    pub memory_bytes: u64,
    /// Asked now and then: whether the search shall stop, and why.
    pub clock: Clock<'a>,
}

/// Time limit and interrupts.
///
/// The limit is in processor time of the thread: what else the machine has to do does not change what a search finds.
pub struct Clock<'a> {
    begin: ThreadTime,
    limit: Option<Duration>,
    looked: Instant,
    asked: Instant,
    interrupted: &'a mut dyn FnMut() -> bool,
}

impl<'a> Clock<'a> {
    /// `time_s`: seconds of processor time from now, 0 for no limit.
    pub fn new(time_s: f64, interrupted: &'a mut dyn FnMut() -> bool) -> Clock<'a> {
        let limit = Duration::try_from_secs_f64(time_s).ok().filter(|limit| !limit.is_zero());
        let now = Instant::now();
        Clock { begin: ThreadTime::now(), limit, looked: now, asked: now, interrupted }
    }

    /// To be called at least ten times a second.
    pub fn check(&mut self) -> Result<(), Stop> {
        let now = Instant::now();
        if now - self.looked < LOOK_AFTER {
            return Ok(());
        }
        self.looked = now;
        if now - self.asked >= ASK_AFTER {
            self.asked = now;
            if (self.interrupted)() {
                return Err(Stop::Interrupt);
            }
        }
        if self.limit.is_some_and(|limit| self.begin.elapsed() >= limit) { Err(Stop::Time) } else { Ok(()) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Won,
    Lost,
    Undecided,
}

impl Outcome {
    /// As Python sees it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Undecided => "undecided",
        }
    }
}

impl Stop {
    /// The limit that was hit, as Python sees it; an interrupt is none.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stop::States => "states",
            Stop::Memory => "memory",
            Stop::Time => "time",
            Stop::Interrupt => "",
        }
    }
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
