//! Daihinmin as Python sees it; see `_native.pyi`.
use super::cards;
use super::field::Field;
use super::legal::legal_plays;
use super::play::Play;
use crate::search::python;
use crate::search::{Clock, Stop};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

mod asking;
mod games;
mod knowledge;
mod options;

fn error(field: &str, text: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{field}: {text}"))
}

fn play_of(field: &str, number: u64, stands: i64) -> PyResult<Play> {
    let play = i8::try_from(stands).ok().and_then(|stands| Play::new(number, stands));
    play.ok_or_else(|| error(field, format!("({number}, {stands}) is no play")))
}

fn field_of(top: (u64, i64), revolution: bool, lock: u8) -> PyResult<Field> {
    let top = play_of("top", top.0, top.1)?;
    if lock != 0 && lock != top.suits {
        return Err(error("lock", format!("{lock} is not the set of suits of the play on the field")));
    }
    Ok(Field { top, lock, revolution })
}

fn set_of(field: &str, number: u64) -> PyResult<u64> {
    if number & !cards::ALL == 0 { Ok(number) } else { Err(error(field, "bits beyond the 53 cards")) }
}

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

/// Without the interpreter's lock, until done or Ctrl-C.
fn within<R: Send>(py: Python<'_>, work: impl FnOnce(&mut Clock<'_>) -> Result<R, Stop> + Send) -> PyResult<R> {
    python::run(py, None, |mut limits| work(&mut limits.clock))
}

/// Adds the names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<options::DaifugoGenerator>()?;
    module.add_class::<options::DaifugoPlayer>()?;
    module.add_class::<knowledge::DaifugoKnowledge>()?;
    module.add_class::<games::DaifugoGames>()?;
    module.add_function(wrap_pyfunction!(daifugo_legal_plays, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_games, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_he_counts, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_policy_examples, module)?)?;
    module.add_function(wrap_pyfunction!(games::daifugo_policy_groups, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_choose, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_give, module)?)?;
    module.add_function(wrap_pyfunction!(asking::daifugo_worlds, module)?)?;
    Ok(())
}
