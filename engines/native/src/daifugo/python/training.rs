//! What plays of choices are worth, and policies that are improved by it.
use super::super::choice::Choice;
use super::super::features::WEIGHTS_COUNT;
use super::super::field::Field;
use super::super::inputs::Company;
use super::super::net::{NUMBERS_COUNT, Net, SUMS};
use super::super::net_training::{self, Plan, Pupil};
use super::super::play::Play;
use super::super::table::PLAYERS;
use super::super::trials::Trials;
use super::arguments::{error, within};
use super::options::learnt_of;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

const OTHERS: usize = PLAYERS - 1;

/// Choices whose plays were tried; see `_native.pyi`.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoTrials {
    choices: Vec<Choice>,
    points: Vec<f32>,
    ends: Vec<u64>,
}

#[pymethods]
impl DaifugoTrials {
    /// Of columns, as `columns` has them.
    #[new]
    #[pyo3(signature = (*, hand, unseen, top_cards, top_stands, lock, revolution, counts, active, last, points, ends))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn new(
        hand: PyReadonlyArray1<'_, u64>,
        unseen: PyReadonlyArray1<'_, u64>,
        top_cards: PyReadonlyArray1<'_, u64>,
        top_stands: PyReadonlyArray1<'_, i8>,
        lock: PyReadonlyArray1<'_, u8>,
        revolution: PyReadonlyArray1<'_, bool>,
        counts: PyReadonlyArray2<'_, u8>,
        active: PyReadonlyArray1<'_, u8>,
        last: PyReadonlyArray1<'_, u8>,
        points: PyReadonlyArray1<'_, f32>,
        ends: PyReadonlyArray1<'_, u64>,
    ) -> PyResult<DaifugoTrials> {
        let count = hand.len();
        let lengths = [unseen.len(), top_cards.len(), top_stands.len(), lock.len(), revolution.len(), active.len()];
        if lengths.iter().any(|&length| length != count)
            || counts.shape() != [count, OTHERS]
            || [last.len(), ends.len()] != [count; 2]
        {
            return Err(error("hand", "not as many as of the other columns"));
        }
        let (hand, unseen, active, last) = (hand.as_array(), unseen.as_array(), active.as_array(), last.as_array());
        let (top_cards, top_stands) = (top_cards.as_array(), top_stands.as_array());
        let (lock, revolution, counts) = (lock.as_array(), revolution.as_array(), counts.as_array());
        let mut choices = Vec::with_capacity(count);
        for at in 0..count {
            let top = Play::new(top_cards[at], top_stands[at]).ok_or_else(|| error("top_cards", "not a play"))?;
            if lock[at] != 0 && lock[at] != top.suits {
                return Err(error("lock", "not the suits of the play on top"));
            }
            let field = Field { top, lock: lock[at], revolution: revolution[at] };
            let counts = std::array::from_fn(|other| counts[[at, other]]);
            let company = Company { counts, active: active[at], last: last[at] };
            let choice = Choice { hand: hand[at], unseen: unseen[at], field, company };
            choice.check().map_err(|(name, text)| error(name, text))?;
            choices.push(choice);
        }
        let (points, ends): (Vec<f32>, Vec<u64>) = (points.as_array().to_vec(), ends.as_array().to_vec());
        if !ends.is_sorted() || ends.last().copied().unwrap_or(0) != points.len() as u64 {
            return Err(error("ends", "not those of the points"));
        }
        Ok(DaifugoTrials { choices, points, ends })
    }

    fn __len__(&self) -> usize {
        self.choices.len()
    }

    /// Every column by its name.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, Bound<'py, PyAny>)>> {
        fn column<'py, T: numpy::Element>(
            py: Python<'py>,
            choices: &[Choice],
            of: impl Fn(&Choice) -> T,
        ) -> Bound<'py, PyAny> {
            PyArray1::from_iter(py, choices.iter().map(of)).into_any()
        }
        let choices = &self.choices[..];
        let counts: Vec<u8> = choices.iter().flat_map(|choice| choice.company.counts).collect();
        let counts: Bound<'py, PyArray2<u8>> = PyArray1::from_vec(py, counts).reshape([choices.len(), OTHERS])?;
        Ok(vec![
            ("hand", column(py, choices, |choice| choice.hand)),
            ("unseen", column(py, choices, |choice| choice.unseen)),
            ("top_cards", column(py, choices, |choice| choice.field.top.cards)),
            ("top_stands", column(py, choices, |choice| choice.field.top.stands)),
            ("lock", column(py, choices, |choice| choice.field.lock)),
            ("revolution", column(py, choices, |choice| choice.field.revolution)),
            ("counts", counts.into_any()),
            ("active", column(py, choices, |choice| choice.company.active)),
            ("last", column(py, choices, |choice| choice.company.last)),
            ("points", PyArray1::from_slice(py, &self.points).into_any()),
            ("ends", PyArray1::from_slice(py, &self.ends).into_any()),
        ])
    }

    /// Mean points of a choice by a policy that goes on as the one that was tried.
    fn worth(&self, py: Python<'_>, weights: PyReadonlyArray1<'_, f32>, passes: bool) -> PyResult<f64> {
        let pupil = self.pupil(&weights, passes)?;
        within(py, |clock| net_training::worth(&pupil, &self.choices, &self.points, passes, clock))
    }

    /// Weights by which choices are worth more.
    #[pyo3(signature = (weights, passes, *, temperature, epochs, batch, rates, penalty))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn improve<'py>(
        &self,
        py: Python<'py>,
        weights: PyReadonlyArray1<'_, f32>,
        passes: bool,
        temperature: f32,
        epochs: u32,
        batch: usize,
        rates: (f32, f32),
        penalty: f32,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut pupil = self.pupil(&weights, passes)?;
        if batch == 0 {
            return Err(error("batch", "not 1 or more"));
        }
        let plan = Plan { passes, temperature, epochs, batch, rates, penalty };
        within(py, |clock| net_training::improve(&mut pupil, &self.choices, &self.points, &plan, clock))?;
        pupil.weights.extend(&pupil.numbers);
        Ok(PyArray1::from_vec(py, pupil.weights))
    }
}

impl DaifugoTrials {
    /// What weights are; ValueError too if the choices have other plays than were tried.
    fn pupil(&self, weights: &PyReadonlyArray1<'_, f32>, passes: bool) -> PyResult<Pupil> {
        learnt_of(weights, passes)?;
        if !net_training::have_plays(&self.choices, &self.ends, passes) {
            return Err(error("ends", "not those of the choices' plays"));
        }
        let mut weights: Vec<f32> = weights.as_array().to_vec();
        let numbers = weights.split_off(WEIGHTS_COUNT);
        Ok(Pupil { weights, numbers })
    }
}

/// What each play of choices in a learnt policy's own games is worth; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (weights, passes, *, seed, first, count, every, playouts))]
#[allow(clippy::too_many_arguments)] // Python calls it by names.
pub fn daifugo_policy_trials(
    py: Python<'_>,
    weights: PyReadonlyArray1<'_, f32>,
    passes: bool,
    seed: u64,
    first: u64,
    count: u64,
    every: u32,
    playouts: u32,
) -> PyResult<DaifugoTrials> {
    let learnt = Arc::new(learnt_of(&weights, passes)?);
    if every == 0 || playouts == 0 {
        return Err(error(if every == 0 { "every" } else { "playouts" }, "not 1 or more"));
    }
    let mut trials = Trials::default();
    within(py, |clock| trials.add(&learnt, (seed, first, count), (every, playouts), clock))?;
    Ok(DaifugoTrials { choices: trials.choices, points: trials.points, ends: trials.ends })
}

/// The numbers of a network that has learnt nothing.
#[pyfunction]
pub fn daifugo_policy_fresh_network(py: Python<'_>, seed: u64) -> Bound<'_, PyArray1<f32>> {
    PyArray1::from_vec(py, Net::fresh(seed))
}

/// How many numbers a policy's network has, and how many of them make a row; they follow the weights of the groups.
#[pyfunction]
pub fn daifugo_policy_network() -> (usize, usize) {
    (NUMBERS_COUNT, SUMS)
}
