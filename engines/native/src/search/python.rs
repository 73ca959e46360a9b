//! Work that Python starts: without the interpreter's lock, within limits, until Ctrl-C.
use super::clock::Clock;
use super::limits::Limits;
use super::stop::Stop;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

/// What a search may use, 0 for no limit: states, bytes of its own memory, seconds of its thread's processor time.
#[pyclass(module = "engines._native", frozen, get_all)]
#[derive(Default)]
pub struct SearchLimits {
    states_count: u64,
    memory_bytes: u64,
    time_s: f64,
}

#[pymethods]
impl SearchLimits {
    #[new]
    #[pyo3(signature = (states_count=0, memory_bytes=0, time_s=0.0))]
    fn new(states_count: u64, memory_bytes: u64, time_s: f64) -> PyResult<SearchLimits> {
        if time_s.is_nan() || time_s < 0.0 {
            return Err(PyValueError::new_err(format!("time_s: {time_s} is not 0 or more")));
        }
        Ok(SearchLimits { states_count, memory_bytes, time_s })
    }
}

/// Runs `work` within limits (none if not given); returns its answer, or the exception that ended it.
pub fn run<R: Send>(
    py: Python<'_>,
    limits: Option<&SearchLimits>,
    work: impl FnOnce(Limits<'_>) -> Result<R, Stop> + Send,
) -> PyResult<R> {
    let none = SearchLimits::default();
    let &SearchLimits { states_count, memory_bytes, time_s } = limits.unwrap_or(&none);
    let mut raised = None;
    let found = py.detach(|| {
        let mut interrupted = || match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                raised = Some(error);
                true
            }
        };
        work(Limits { states: states_count, memory_bytes, clock: Clock::new(time_s, &mut interrupted) })
    });
    match (found, raised) {
        (_, Some(error)) => Err(error),
        (Ok(answer), None) => Ok(answer),
        (Err(_), None) => Err(PyKeyboardInterrupt::new_err(())),
    }
}
