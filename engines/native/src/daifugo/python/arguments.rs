//! What Python tells, as the core has it.
use super::super::cards;
use super::super::field::Field;
use super::super::play::Play;
use crate::search::{Clock, Stop, python};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(super) fn error(field: &str, text: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{field}: {text}"))
}

pub(super) fn play_of(field: &str, number: u64, stands: i64) -> PyResult<Play> {
    let play = i8::try_from(stands).ok().and_then(|stands| Play::new(number, stands));
    play.ok_or_else(|| error(field, format!("({number}, {stands}) is no play")))
}

pub(super) fn field_of(top: (u64, i64), revolution: bool, lock: u8) -> PyResult<Field> {
    let top = play_of("top", top.0, top.1)?;
    if lock != 0 && lock != top.suits {
        return Err(error("lock", format!("{lock} is not the set of suits of the play on the field")));
    }
    Ok(Field { top, lock, revolution })
}

pub(super) fn set_of(field: &str, number: u64) -> PyResult<u64> {
    if number & !cards::ALL == 0 { Ok(number) } else { Err(error(field, "bits beyond the 53 cards")) }
}

/// Without the interpreter's lock, until done or Ctrl-C.
pub(super) fn within<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Clock<'_>) -> Result<R, Stop> + Send,
) -> PyResult<R> {
    python::run(py, None, |mut limits| work(&mut limits.clock))
}
