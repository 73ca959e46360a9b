//! The best play of Calculation as Python sees it.
use super::game::Game;
use super::position::Position;
use super::search::Search;
use super::values::Values;
use crate::search::python::{SearchLimits, run};
use crate::search::{Context, Stop};
use crate::storage::arrays::value_error;
use cpu_time::ThreadTime;
use pyo3::prelude::*;

/// What the best play wins from a position on; see `_native.pyi`.
#[pyclass(module = "engines._native", frozen, get_all)]
pub struct CalculationBest {
    /// None if a limit was hit.
    wins_count: Option<u64>,
    orders_count: u64,
    limit: Option<&'static str>,
    states_count: u64,
    peak_bytes: u64,
    elapsed_s: f64,
}

/// Orders of the pile that the best play wins; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (heights, stacks, *, ranks, limits=None))]
fn calculation_best(
    py: Python<'_>,
    heights: Vec<u8>,
    stacks: Vec<Vec<u8>>,
    ranks: usize,
    limits: Option<&SearchLimits>,
) -> PyResult<CalculationBest> {
    let game = Game::new(ranks, stacks.len()).map_err(value_error)?;
    let position = Position::new(&game.rules.position(&heights, &stacks).map_err(value_error)?);
    run(py, limits, |limits| {
        let begin = ThreadTime::now();
        let mut context = Context::new(limits);
        let found = Values::new(&mut context.budget).and_then(|mut values| {
            let mut search = Search { game: &game, values: &mut values, context: &mut context };
            search.wins(&position)
        });
        let (wins_count, limit) = match found {
            Ok(wins) => (Some(wins), None),
            Err(Stop::Interrupt) => return Err(Stop::Interrupt),
            Err(stop) => (None, Some(stop.name())),
        };
        Ok(CalculationBest {
            wins_count,
            orders_count: game.orders(&position.left),
            limit,
            states_count: context.states_count,
            peak_bytes: context.budget.peak(),
            elapsed_s: begin.elapsed().as_secs_f64(),
        })
    })
}

/// Adds what Python calls.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<CalculationBest>()?;
    m.add_function(wrap_pyfunction!(calculation_best, m)?)
}
