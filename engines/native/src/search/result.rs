//! What a search of a deal found, as Python sees it.
use super::limits::Limits;
use super::python::{SearchLimits, run};
use super::report::Report;
use super::stop::Stop;
use cpu_time::ThreadTime;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// A report whose moves are rows of bytes; see `_native.pyi`.
#[pyclass(module = "engines._native", frozen)]
pub struct SearchResult {
    #[pyo3(get)]
    outcome: &'static str,
    #[pyo3(get)]
    limit: Option<&'static str>,
    #[pyo3(get)]
    states_count: u64,
    #[pyo3(get)]
    wins_count: Option<u64>,
    #[pyo3(get)]
    states_before_win_count: Option<u64>,
    #[pyo3(get)]
    fewest_count: Option<u64>,
    #[pyo3(get)]
    peak_bytes: u64,
    #[pyo3(get)]
    elapsed_s: f64,
    /// One after another, each of `move_bytes`.
    moves: Vec<u8>,
    move_bytes: usize,
}

#[pymethods]
impl SearchResult {
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        PyArray1::from_slice(py, &self.moves).reshape([self.moves.len() / self.move_bytes, self.move_bytes])
    }
}

/// Runs a search within limits, none if not told; `row`: the bytes of a move.
pub fn search<M, const BYTES: usize>(
    py: Python<'_>,
    limits: Option<&SearchLimits>,
    row: impl Fn(&M) -> [u8; BYTES] + Send,
    search: impl FnOnce(Limits<'_>) -> Result<Report<M>, Stop> + Send,
) -> PyResult<SearchResult> {
    run(py, limits, |limits| {
        let begin = ThreadTime::now();
        let report = search(limits)?;
        Ok(SearchResult {
            elapsed_s: begin.elapsed().as_secs_f64(),
            outcome: report.outcome.name(),
            limit: report.limit.map(Stop::name),
            states_count: report.states_count,
            wins_count: report.wins_count,
            states_before_win_count: report.states_before_win_count,
            fewest_count: report.fewest_count,
            peak_bytes: report.peak_bytes,
            moves: report.moves.iter().flat_map(row).collect(),
            move_bytes: BYTES,
        })
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<SearchLimits>()?;
    m.add_class::<super::best::BestResult>()?;
    m.add_class::<SearchResult>()
}
