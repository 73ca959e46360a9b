//! Superpuzz as Python sees it.
use super::board::{Board, Move};
use super::census::{self, Order};
use super::decide::decide;
use super::report::Report;
use crate::search::{Limits, Stop};
use crate::searching;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a search of one deal found.
#[pyclass(module = "engines._native", frozen)]
pub struct SuperpuzzResult {
    report: Report,
}

#[pymethods]
impl SuperpuzzResult {
    #[getter]
    fn outcome(&self) -> &'static str {
        self.report.outcome.name()
    }

    #[getter]
    fn limit(&self) -> &'static str {
        self.report.limit.map_or("", Stop::name)
    }

    #[getter]
    fn states_count(&self) -> u64 {
        self.report.states_count
    }

    #[getter]
    fn wins_count(&self) -> u64 {
        self.report.wins_count
    }

    #[getter]
    fn states_before_win_count(&self) -> u64 {
        self.report.states_before_win_count
    }

    #[getter]
    fn peak_bytes(&self) -> u64 {
        self.report.peak_bytes
    }

    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let cells = self.report.moves.iter().flat_map(|&Move { from, to }| [from, to]).collect();
        PyArray1::from_vec(py, cells).reshape([self.report.moves.len(), 2])
    }
}

/// Checks the arguments and runs `search` without the interpreter's lock.
fn run(
    py: Python<'_>,
    cells: &PyReadonlyArray1<'_, u8>,
    columns: usize,
    states_limit: u64,
    memory_bytes: u64,
    time_s: f64,
    search: impl FnOnce(&Board, Limits<'_>) -> Result<Report, Stop> + Send,
) -> PyResult<SuperpuzzResult> {
    let cells = cells.as_slice().map_err(|_| PyValueError::new_err("cells: not contiguous"))?;
    let board = Board::new(cells, columns).map_err(PyValueError::new_err)?;
    let report = searching::run(py, states_limit, memory_bytes, time_s, |limits| search(&board, limits))?;
    Ok(SuperpuzzResult { report })
}

/// All states that can be reached from a deal, counted as the paper counts them, in the given order of search.
#[pyfunction]
#[pyo3(signature = (cells, columns, order, states_limit=0, memory_bytes=0, time_s=0.0))]
pub fn superpuzz_census(
    py: Python<'_>,
    cells: PyReadonlyArray1<'_, u8>,
    columns: usize,
    order: &str,
    states_limit: u64,
    memory_bytes: u64,
    time_s: f64,
) -> PyResult<SuperpuzzResult> {
    let order = match order {
        "depth" => Order::Depth,
        "breadth" => Order::Breadth,
        _ => return Err(PyValueError::new_err(format!("order: {order:?} is neither depth nor breadth"))),
    };
    run(py, &cells, columns, states_limit, memory_bytes, time_s, |board, limits| {
        census::census(board, order, false, limits)
    })
}

/// A shortest solution of a deal.
#[pyfunction]
#[pyo3(signature = (cells, columns, states_limit=0, memory_bytes=0, time_s=0.0))]
pub fn superpuzz_shortest(
    py: Python<'_>,
    cells: PyReadonlyArray1<'_, u8>,
    columns: usize,
    states_limit: u64,
    memory_bytes: u64,
    time_s: f64,
) -> PyResult<SuperpuzzResult> {
    run(py, &cells, columns, states_limit, memory_bytes, time_s, |board, limits| {
        census::census(board, Order::Breadth, true, limits)
    })
}

/// Whether a deal can be won, with a solution or by exhaustion; `states_count` counts classes of positions.
#[pyfunction]
#[pyo3(signature = (cells, columns, states_limit=0, memory_bytes=0, time_s=0.0))]
pub fn superpuzz_decide(
    py: Python<'_>,
    cells: PyReadonlyArray1<'_, u8>,
    columns: usize,
    states_limit: u64,
    memory_bytes: u64,
    time_s: f64,
) -> PyResult<SuperpuzzResult> {
    run(py, &cells, columns, states_limit, memory_bytes, time_s, decide)
}
