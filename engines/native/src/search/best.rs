//! The answer of a search for the best position of a deal: one in which the most cards have arrived.
use super::limits::{Context, Limits};
use super::python::{SearchLimits, run};
use super::result::Rows;
use super::stop::Stop;
use cpu_time::ThreadTime;
use numpy::PyArray2;
use pyo3::prelude::*;

/// `M`: a move of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best<M> {
    /// Cards that have arrived after `moves`.
    pub count: u32,
    /// No line of play gets more; `count` unless a limit was hit.
    pub most_count: u32,
    pub limit: Option<Stop>,
    pub states_count: u64,
    /// Most memory of the search's own tables at a time.
    pub peak_bytes: u64,
    pub moves: Vec<M>,
}

impl<M> Best<M> {
    /// The answer of a search; `most_count` matters only where a limit was hit. `Err` only for an interrupt.
    pub fn new(
        ended: Result<(), Stop>,
        count: u32,
        most_count: u32,
        moves: Vec<M>,
        context: &Context<'_>,
    ) -> Result<Best<M>, Stop> {
        let limit = match ended {
            Ok(()) => None,
            Err(Stop::Interrupt) => return Err(Stop::Interrupt),
            Err(stop) => Some(stop),
        };
        Ok(Best {
            count,
            most_count: if limit.is_none() { count } else { most_count.max(count) },
            limit,
            states_count: context.states_count,
            peak_bytes: context.budget.peak(),
            moves,
        })
    }
}

/// The same as Python sees it; see `_native.pyi`.
#[pyclass(module = "engines._native", frozen)]
pub struct BestResult {
    #[pyo3(get)]
    count: u32,
    #[pyo3(get)]
    most_count: u32,
    #[pyo3(get)]
    limit: Option<&'static str>,
    #[pyo3(get)]
    states_count: u64,
    #[pyo3(get)]
    peak_bytes: u64,
    #[pyo3(get)]
    elapsed_s: f64,
    moves: Rows,
}

#[pymethods]
impl BestResult {
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
    search: impl FnOnce(Limits<'_>) -> Result<Best<M>, Stop> + Send,
) -> PyResult<BestResult> {
    run(py, limits, |limits| {
        let begin = ThreadTime::now();
        let best = search(limits)?;
        Ok(BestResult {
            elapsed_s: begin.elapsed().as_secs_f64(),
            count: best.count,
            most_count: best.most_count,
            limit: best.limit.map(Stop::name),
            states_count: best.states_count,
            peak_bytes: best.peak_bytes,
            moves: Rows::new(&best.moves, row),
        })
    })
}
