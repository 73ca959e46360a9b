//! What a search is told and what it answers.
use super::board::Move;
use crate::processor::thread_time;
use std::time::{Duration, Instant};

/// Asking for interrupts needs the interpreter's lock: not more often than this.
const ASK_AFTER: Duration = Duration::from_millis(50);

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
pub struct Clock<'a> {
    end: Option<Instant>,
    /// Limit on the processor time of the thread.
    busy_until: Option<Duration>,
    asked: Instant,
    interrupted: &'a mut dyn FnMut() -> bool,
}

impl<'a> Clock<'a> {
    /// `time_s`: seconds from now, 0 for no limit.
    pub fn new(time_s: f64, interrupted: &'a mut dyn FnMut() -> bool) -> Clock<'a> {
        let end = Duration::try_from_secs_f64(time_s).ok().filter(|limit| !limit.is_zero());
        let now = Instant::now();
        Clock { end: end.and_then(|limit| now.checked_add(limit)), busy_until: None, asked: now, interrupted }
    }

    /// `time_s`: seconds of processor time of this thread from now, 0 for no limit.
    pub fn busy(time_s: f64, interrupted: &'a mut dyn FnMut() -> bool) -> Clock<'a> {
        let limit = Duration::try_from_secs_f64(time_s).ok().filter(|limit| !limit.is_zero());
        let busy_until = limit.and_then(|limit| thread_time().checked_add(limit));
        Clock { end: None, busy_until, asked: Instant::now(), interrupted }
    }

    /// To be called at least ten times a second.
    pub fn check(&mut self) -> Result<(), Stop> {
        let now = Instant::now();
        if now - self.asked >= ASK_AFTER {
            self.asked = now;
            if (self.interrupted)() {
                return Err(Stop::Interrupt);
            }
        }
        let is_late = self.end.is_some_and(|end| now >= end) || self.busy_until.is_some_and(|end| thread_time() >= end);
        if is_late { Err(Stop::Time) } else { Ok(()) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Won,
    Lost,
    Undecided,
}

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
