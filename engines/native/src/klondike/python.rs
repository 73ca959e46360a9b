//! Klondike as Python sees it.
use super::board::Move;
use super::decide::Schedule;
use super::rules::{Column, Position, Rules};
use super::search::{Mode, search};
use super::state::Game;
use crate::search::best::{self, BestResult};
use crate::search::python::SearchLimits;
use crate::search::result::{self, SearchResult};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn bytes(array: &PyReadonlyArray1<'_, u8>, field: &str) -> PyResult<Vec<u8>> {
    array.as_slice().map(<[u8]>::to_vec).map_err(|_| PyValueError::new_err(format!("{field}: not contiguous")))
}

fn error(field: &str, text: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{field}: {text}"))
}

/// A position and its rules, checked; see `_native.pyi`.
#[pyclass(module = "engines._native", frozen)]
pub struct KlondikeGame {
    position: Position,
    rules: Rules,
}

#[pymethods]
impl KlondikeGame {
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    #[new]
    #[pyo3(signature = (columns, lengths, face_down, stock, waste, foundations, *, ranks, draw, redeals, redeal_rule,
        deal_last, foundation_back))]
    fn new(
        columns: PyReadonlyArray1<'_, u8>,
        lengths: PyReadonlyArray1<'_, u8>,
        face_down: PyReadonlyArray1<'_, u8>,
        stock: PyReadonlyArray1<'_, u8>,
        waste: PyReadonlyArray1<'_, u8>,
        foundations: PyReadonlyArray1<'_, u8>,
        ranks: u8,
        draw: usize,
        redeals: i64,
        redeal_rule: &str,
        deal_last: bool,
        foundation_back: bool,
    ) -> PyResult<KlondikeGame> {
        let cards = bytes(&columns, "columns")?;
        let lengths = bytes(&lengths, "lengths")?;
        let face_down = bytes(&face_down, "face_down")?;
        if lengths.iter().map(|&length| usize::from(length)).sum::<usize>() != cards.len() {
            return Err(error("lengths", format!("not {} cards together", cards.len())));
        }
        if face_down.len() != lengths.len() {
            return Err(error("face_down", format!("{} columns, not {}", face_down.len(), lengths.len())));
        }
        let mut left = cards.as_slice();
        let columns = lengths.iter().zip(&face_down).map(|(&length, &face_down)| {
            let (column, rest) = left.split_at(usize::from(length));
            left = rest;
            Column { cards: column.to_vec(), face_down: usize::from(face_down) }
        });
        let foundations = bytes(&foundations, "foundations")?;
        let position = Position {
            columns: columns.collect(),
            stock: bytes(&stock, "stock")?,
            waste: bytes(&waste, "waste")?,
            foundations: foundations.try_into().map_err(|_| error("foundations", "not 4 of them"))?,
            ranks,
        };
        position.check().map_err(PyValueError::new_err)?;
        if draw != 1 && draw != 3 {
            return Err(error("draw", format!("{draw} is neither 1 nor 3")));
        }
        let carry = match redeal_rule {
            "carry" => true,
            "standard" => false,
            _ => return Err(error("redeal_rule", format!("{redeal_rule:?} is neither carry nor standard"))),
        };
        let redeals = match redeals {
            -1 => None,
            0.. => Some(u32::try_from(redeals).unwrap_or(u32::MAX)),
            _ => return Err(error("redeals", format!("{redeals} is neither -1 nor a number of redeals"))),
        };
        let rules = Rules { draw, redeals: None, carry, deal_last, foundation_back }.limited(redeals);
        if !Game::fits(&position, rules) {
            return Err(error("face_down", "too many positions to tell apart"));
        }
        Ok(KlondikeGame { position, rules })
    }
}

fn row(made: &Move) -> [u8; 4] {
    [made.kind as u8, made.from, made.to, made.count]
}

/// Solves a position; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (game, *, mode, limits=None))]
pub fn klondike_solve(
    py: Python<'_>,
    game: &Bound<'_, KlondikeGame>,
    mode: &str,
    limits: Option<&SearchLimits>,
) -> PyResult<SearchResult> {
    let mode = match mode {
        "decide" => Mode::Decide(Schedule::default()),
        "shortest" => Mode::Shortest,
        "plain" => Mode::Plain,
        _ => return Err(error("mode", format!("{mode:?} is none of decide, shortest, plain"))),
    };
    let KlondikeGame { position, rules } = game.get();
    result::search(py, limits, row, |limits| search(position, *rules, mode, limits))
}

/// The most cards that can be founded; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (game, *, limits=None))]
pub fn klondike_best(
    py: Python<'_>,
    game: &Bound<'_, KlondikeGame>,
    limits: Option<&SearchLimits>,
) -> PyResult<BestResult> {
    let KlondikeGame { position, rules } = game.get();
    best::search(py, limits, row, |limits| super::best::search(position, *rules, limits))
}
