//! Panics: mistakes in this crate, which Python gets as `pyo3_runtime.PanicException`.
//!
//! That exception has the message but not the place, which the standard hook would print, in several lines, past everything
//! that keeps a run's output in order. So the place is kept for whoever reports the exception, and nothing is printed.
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic;

thread_local! {
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Where the last panic of this thread came from, as `file:line`; None before the first one.
#[pyfunction]
fn panic_place() -> Option<String> {
    PLACE.with_borrow(Clone::clone)
}

/// Panics; what Python makes of it is to be tested.
#[pyfunction]
fn _panic_for_tests(py: Python<'_>) {
    py.detach(|| panic!("for tests"));
}

/// Adds what Python calls, and keeps the places of panics from now on.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        // A thread that is ending has nowhere to keep it.
        let _ = PLACE.try_with(|kept| kept.replace(place));
    }));
    m.add_function(wrap_pyfunction!(panic_place, m)?)?;
    m.add_function(wrap_pyfunction!(_panic_for_tests, m)?)
}
