//! Searches that Python starts: without the interpreter's lock, until Ctrl-C.
use crate::search::{Clock, Limits, Stop};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

/// Runs `search` within limits of which 0 means none; its answer, or the exception that ended it.
pub fn run<R: Send>(
    py: Python<'_>,
    states: u64,
    memory_bytes: u64,
    time_s: f64,
    search: impl FnOnce(Limits<'_>) -> Result<R, Stop> + Send,
) -> PyResult<R> {
    if time_s.is_nan() || time_s < 0.0 {
        return Err(PyValueError::new_err(format!("time_s: {time_s} is not 0 or more")));
    }
    let mut raised = None;
    let found = py.detach(|| {
        let mut interrupted = || match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                raised = Some(error);
                true
            }
        };
        search(Limits { states, memory_bytes, clock: Clock::new(time_s, &mut interrupted) })
    });
    match (found, raised) {
        (_, Some(error)) => Err(error),
        (Ok(report), None) => Ok(report),
        (Err(_), None) => Err(PyKeyboardInterrupt::new_err(())),
    }
}
