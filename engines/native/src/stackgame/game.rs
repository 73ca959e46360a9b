//! A stack game, in the form that its number of boards takes.
use super::boards::Boards;
use super::table::Rules;
use super::two_boards::TwoBoards;
use crate::storage::arrays::value_error;
use pyo3::prelude::*;
use std::sync::Arc;

/// Both forms of the rules; which one a game uses follows from its number of boards.
pub enum Form {
    Two(Box<TwoBoards>),
    Many(Boards),
}

/// Runs the same code for either form.
macro_rules! with_form {
    ($form:expr, $rules:ident => $body:expr) => {
        match &**$form {
            Form::Two(rules) => {
                let $rules: &TwoBoards = rules;
                $body
            }
            Form::Many($rules) => $body,
        }
    };
}
pub(super) use with_form;

/// A stack game: `stacks` (1 to 5; up to 8 for three boards and more), `boards` (1 to 4), `cards` a board.
#[pyclass(module = "engines._native", frozen)]
pub struct Game {
    pub form: Arc<Form>,
    #[pyo3(get)]
    pub stacks: usize,
    #[pyo3(get)]
    pub boards: usize,
    #[pyo3(get)]
    pub cards: usize,
}

impl Game {
    pub fn check_layer(&self, layer: usize) -> PyResult<()> {
        if (1..=self.boards * self.cards).contains(&layer) {
            return Ok(());
        }
        Err(value_error(format!("layer: {layer} is not in 1..{}", self.boards * self.cards)))
    }

    /// Bits of a place in a layer (number of cards left).
    pub fn bits_of(&self, layer: usize) -> PyResult<u32> {
        self.check_layer(layer)?;
        Ok(with_form!(&self.form, rules => rules.key_bits(layer)))
    }
}

/// Places come from files that may be damaged: none may lie outside the layer.
pub fn check_places<R: Rules>(rules: &R, layer: usize, places: &[R::Key]) -> PyResult<()> {
    match places.iter().position(|place| !rules.contains(layer, place)) {
        None => Ok(()),
        Some(index) => Err(value_error(format!("places: number {index} is outside layer {layer}"))),
    }
}
