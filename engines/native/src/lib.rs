//! The hot part of yamafuda: one module per game behind one Python extension, `engines._native`.
pub mod calculation;
pub mod daifugo;
pub mod deck;
pub mod hash;
pub mod klondike;
pub mod memory;
mod panics;
pub mod rng;
pub mod search;
pub mod sets;
pub mod stackgame;
pub mod storage;
pub mod superpuzz;
pub mod tricks;

use pyo3::prelude::*;

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("BUILD_PROFILE", if cfg!(debug_assertions) { "dev" } else { "release" })?;
    panics::register(m)?;
    storage::python::register(m)?;
    search::result::register(m)?;
    m.add_class::<stackgame::game::Game>()?;
    m.add_class::<stackgame::readers::LayerReader>()?;
    m.add_class::<stackgame::readers::TableReader>()?;
    m.add_class::<stackgame::collector::Successors>()?;
    m.add_function(wrap_pyfunction!(stackgame::python::as_stored, m)?)?;
    m.add_function(wrap_pyfunction!(deck::shuffled_deck, m)?)?;
    m.add_function(wrap_pyfunction!(superpuzz::python::superpuzz_census, m)?)?;
    m.add_function(wrap_pyfunction!(superpuzz::python::superpuzz_shortest, m)?)?;
    m.add_function(wrap_pyfunction!(superpuzz::python::superpuzz_decide, m)?)?;
    m.add_function(wrap_pyfunction!(superpuzz::python::superpuzz_best, m)?)?;
    m.add_class::<klondike::python::KlondikeGame>()?;
    m.add_function(wrap_pyfunction!(klondike::python::klondike_solve, m)?)?;
    m.add_function(wrap_pyfunction!(klondike::python::klondike_best, m)?)?;
    calculation::best::python::register(m)?;
    calculation::open::python::register(m)?;
    daifugo::python::register(m)?;
    tricks::python::register(m)?;
    m.add_class::<calculation::python::CalculationPlayer>()?;
    m.add_class::<calculation::python::CalculationGames>()?;
    Ok(())
}
