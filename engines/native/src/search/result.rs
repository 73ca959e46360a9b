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
    moves: Rows,
}

/// Moves as rows of bytes.
pub struct Rows {
    bytes: Vec<u8>,
    width: usize,
}

impl Rows {
    /// `row`: the bytes of a move.
    pub fn new<M, const WIDTH: usize>(moves: &[M], row: impl Fn(&M) -> [u8; WIDTH]) -> Rows {
        Rows { bytes: moves.iter().flat_map(row).collect(), width: WIDTH }
    }

    pub fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        PyArray1::from_slice(py, &self.bytes).reshape([self.bytes.len() / self.width, self.width])
    }
}

#[pymethods]
impl SearchResult {
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        self.moves.array(py)
    }
}

/// Runs a search within limits (none if not given); `row`: the bytes of a move.
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
            moves: Rows::new(&report.moves, row),
        })
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<SearchLimits>()?;
    m.add_class::<super::best::BestResult>()?;
    m.add_class::<SearchResult>()
}
