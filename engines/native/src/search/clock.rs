//! When a search checks its time limit and interrupts.
use super::stop::Stop;
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// Asking for interrupts needs the interpreter's lock: not more often than this.
const ASK_AFTER: Duration = Duration::from_millis(50);
/// Asking for processor time is a system call.
const LOOK_AFTER: Duration = Duration::from_millis(2);

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
