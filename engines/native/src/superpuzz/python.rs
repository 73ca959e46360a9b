//! Superpuzz as Python sees it.
use super::board::{Board, Move};
use super::census::{self, Order};
use super::decide::{best, decide};
use super::shortest::shortest;
use crate::search::best::{self as best_result, BestResult};
use crate::search::python::SearchLimits;
use crate::search::result::{self, SearchResult};
use crate::search::{Limits, Report, Stop};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A board, checked.
fn board_of(cells: &PyReadonlyArray1<'_, u8>, columns: usize) -> PyResult<Board> {
    let cells = cells.as_slice().map_err(|_| PyValueError::new_err("cells: not contiguous"))?;
    Board::new(cells, columns).map_err(PyValueError::new_err)
}

/// Checks the arguments and runs `search` without the interpreter's lock.
fn run(
    py: Python<'_>,
    cells: &PyReadonlyArray1<'_, u8>,
    columns: usize,
    limits: Option<&SearchLimits>,
    search: impl FnOnce(&Board, Limits<'_>) -> Result<Report<Move>, Stop> + Send,
) -> PyResult<SearchResult> {
    let board = board_of(cells, columns)?;
    result::search(py, limits, |&Move { from, to }| [from, to], |limits| search(&board, limits))
}

/// All states that can be reached from a deal, counted as the paper counts them, in the given order of search.
#[pyfunction]
#[pyo3(signature = (cells, columns, order, *, limits=None))]
pub fn superpuzz_census(
    py: Python<'_>,
    cells: PyReadonlyArray1<'_, u8>,
    columns: usize,
    order: &str,
    limits: Option<&SearchLimits>,
) -> PyResult<SearchResult> {
    let order = match order {
        "depth" => Order::Depth,
        "breadth" => Order::Breadth,
        _ => return Err(PyValueError::new_err(format!("order: {order:?} is neither depth nor breadth"))),
    };
    run(py, &cells, columns, limits, |board, limits| census::census(board, order, limits))
}

/// A shortest solution of a deal.
#[pyfunction]
#[pyo3(signature = (cells, columns, *, limits=None))]
pub fn superpuzz_shortest(
    py: Python<'_>,
    cells: PyReadonlyArray1<'_, u8>,
    columns: usize,
    limits: Option<&SearchLimits>,
) -> PyResult<SearchResult> {
    run(py, &cells, columns, limits, shortest)
}

/// Whether a deal can be won, with a solution or by exhaustion; `states_count` counts classes of positions.
#[pyfunction]
#[pyo3(signature = (cells, columns, *, limits=None))]
pub fn superpuzz_decide(
    py: Python<'_>,
    cells: PyReadonlyArray1<'_, u8>,
    columns: usize,
    limits: Option<&SearchLimits>,
) -> PyResult<SearchResult> {
    run(py, &cells, columns, limits, decide)
}

/// The most cards that can be in their places at a time.
#[pyfunction]
#[pyo3(signature = (cells, columns, *, limits=None))]
pub fn superpuzz_best(
    py: Python<'_>,
    cells: PyReadonlyArray1<'_, u8>,
    columns: usize,
    limits: Option<&SearchLimits>,
) -> PyResult<BestResult> {
    let board = board_of(&cells, columns)?;
    best_result::search(py, limits, |&Move { from, to }| [from, to], |limits| best::search(&board, limits))
}
