//! Calculation with the whole pile known, as Python sees it.
use super::deck::{Deck, MAX_STACKS};
use super::dimacs::write_dimacs;
use super::proof::Proof;
use super::search::search;
use crate::search::python::SearchLimits;
use crate::search::result::{self, SearchResult};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

/// Decides a deck; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (deck, *, stacks, laid=0, limits=None, cnf=None, proof=None))]
pub fn calculation_open(
    py: Python<'_>,
    deck: PyReadonlyArray1<'_, u8>,
    stacks: usize,
    laid: usize,
    limits: Option<&SearchLimits>,
    cnf: Option<PathBuf>,
    proof: Option<PathBuf>,
) -> PyResult<SearchResult> {
    let ranks = deck.as_slice().map_err(|_| PyValueError::new_err("deck: not contiguous"))?;
    let deck = Deck::new(ranks).map_err(|text| PyValueError::new_err(format!("deck: {text}")))?;
    let deck = deck.with_laid(laid).map_err(|text| PyValueError::new_err(format!("laid: {text}")))?;
    if !(1..=MAX_STACKS).contains(&stacks) {
        return Err(PyValueError::new_err(format!("stacks: {stacks} is not in 1..{MAX_STACKS}")));
    }
    if let Some(path) = cnf {
        py.detach(|| write_dimacs(&deck, stacks, &mut BufWriter::new(File::create(path)?)))?;
    }
    let mut file = proof.map(File::create).transpose()?.map(BufWriter::new);
    let mut proof = file.as_mut().map_or_else(Proof::default, |file| Proof::to(file));
    let found = result::search(py, limits, |&made| made, |limits| search(&deck, stacks, limits, &mut proof));
    proof.end()?; // before the interrupt by which a search ends that cannot write
    found
}

/// Adds what Python calls.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(calculation_open, m)?)
}
