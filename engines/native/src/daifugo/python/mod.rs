//! Daihinmin as Python sees it; see `_native.pyi`.
use super::legal::legal_plays;
use arguments::{field_of, set_of};
use numpy::PyArray1;
use pyo3::prelude::*;

mod arguments;
mod asking;
mod games;
mod knowledge;
mod options;
mod training;
mod uecda;

/// The legal plays of a hand on a field, as arrays of cards and of what the joker stands for; no pass.
#[pyfunction]
#[pyo3(signature = (hand, top, revolution, lock))]
pub fn daifugo_legal_plays<'py>(
    py: Python<'py>,
    hand: u64,
    top: (u64, i64),
    revolution: bool,
    lock: u8,
) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<i8>>)> {
    let plays = legal_plays(set_of("hand", hand)?, &field_of(top, revolution, lock)?);
    Ok((
        PyArray1::from_iter(py, plays.iter().map(|play| play.cards)),
        PyArray1::from_iter(py, plays.iter().map(|play| play.stands)),
    ))
}

/// Adds the names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<options::DaifugoGenerator>()?;
    module.add_class::<options::DaifugoPlayer>()?;
    module.add_class::<knowledge::DaifugoKnowledge>()?;
    module.add_class::<games::DaifugoGames>()?;
    module.add_class::<training::DaifugoTrials>()?;
    module.add_function(wrap_pyfunction!(training::daifugo_policy_network, module)?)?;
    module.add_function(wrap_pyfunction!(training::daifugo_policy_fresh_network, module)?)?;
    module.add_class::<uecda::DaifugoUecdaListener>()?;
    module.add_class::<uecda::DaifugoUecdaLink>()?;
    module.add_class::<uecda::DaifugoUecdaMatch>()?;
    module.add_class::<uecda::DaifugoUecdaGuest>()?;
    module.add_class::<uecda::DaifugoUecdaGame>()?;
    module.add_function(wrap_pyfunction!(daifugo_legal_plays, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_games, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_he_counts, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_policy_examples, module)?)?;
    module.add_function(wrap_pyfunction!(training::daifugo_policy_trials, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_policy_groups, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_choose, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_give, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_worlds, module)?)?;
    Ok(())
}
