//! The successors of a layer as Python collects them.
use super::game::{Form, Game, check_places};
use super::table::Expander;
use super::two_boards::TwoBoards;
use crate::storage::arrays::{keys_from, keys_into};
use crate::storage::keys::Wide;
use numpy::{PyArrayDyn, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use std::sync::Arc;

enum Collected {
    One(Expander<u64>),
    Four(Expander<Wide>),
}

/// Collects the successors of a layer's states, each once, holding up to about `capacity` of them.
#[pyclass(module = "engines._native")]
pub struct Successors {
    form: Arc<Form>,
    layer: usize,
    collected: Collected,
}

#[pymethods]
impl Successors {
    #[new]
    fn new(game: &Game, layer: usize, capacity: usize) -> PyResult<Successors> {
        game.check_layer(layer)?;
        game.check_layer(layer - 1)?;
        let bits = game.bits_of(layer - 1)?;
        let collected = match &*game.form {
            Form::Two(_) => Collected::One(Expander::new(bits, capacity)),
            Form::Many(_) => Collected::Four(Expander::new(bits, capacity)),
        };
        Ok(Successors { form: Arc::clone(&game.form), layer, collected })
    }

    /// Adds the successors of `places`. True: so many are held that they should be taken out.
    fn push(&mut self, py: Python<'_>, places: PyReadonlyArrayDyn<'_, u64>) -> PyResult<bool> {
        let form = Arc::clone(&self.form);
        let layer = self.layer;
        match (&*form, &mut self.collected) {
            (Form::Two(rules), Collected::One(expander)) => {
                let rules: &TwoBoards = rules;
                let places = keys_from("places", &places)?;
                check_places(rules, layer, &places)?;
                Ok(py.detach(|| expander.push(rules, layer, &places)))
            }
            (Form::Many(rules), Collected::Four(expander)) => {
                let places = keys_from("places", &places)?;
                check_places(rules, layer, &places)?;
                Ok(py.detach(|| expander.push(rules, layer, &places)))
            }
            _ => unreachable!("both are made from the same game"),
        }
    }

    /// Takes out the places collected so far, sorted.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        match &mut self.collected {
            Collected::One(expander) => {
                let places = py.detach(|| expander.take());
                keys_into(py, &places)
            }
            Collected::Four(expander) => {
                let places = py.detach(|| expander.take());
                keys_into(py, &places)
            }
        }
    }
}
