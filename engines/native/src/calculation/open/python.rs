//! Calculation with the whole pile known, as Python sees it.
use super::deck::{Deck, MAX_STACKS};
use super::dimacs::write_dimacs;
use super::proof::Proof;
use super::search::{Report, search};
use crate::search::{Limits, Stop};
use crate::searching;
use cpu_time::ThreadTime;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// What a search of one deck found.
#[pyclass(module = "engines._native", frozen)]
pub struct CalculationOpenResult {
    report: Report,
    cpu_s: f64,
}

#[pymethods]
impl CalculationOpenResult {
    #[getter]
    fn outcome(&self) -> &'static str {
        self.report.outcome.name()
    }

    #[getter]
    fn limit(&self) -> &'static str {
        self.report.limit.map_or("", Stop::name)
    }

    #[getter]
    fn states_count(&self) -> u64 {
        self.report.states_count
    }

    #[getter]
    fn peak_bytes(&self) -> u64 {
        self.report.peak_bytes
    }

    #[getter]
    fn cpu_s(&self) -> f64 {
        self.cpu_s
    }

    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let moves = &self.report.moves;
        PyArray1::from_vec(py, moves.concat()).reshape([moves.len(), 2])
    }
}

/// Decides a deck; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (deck, *, stacks, states_limit=0, memory_bytes=0, time_s=0.0, cnf=None, proof=None))]
pub fn calculation_open(
    py: Python<'_>,
    deck: PyReadonlyArray1<'_, u8>,
    stacks: usize,
    states_limit: u64,
    memory_bytes: u64,
    time_s: f64,
    cnf: Option<PathBuf>,
    proof: Option<PathBuf>,
) -> PyResult<CalculationOpenResult> {
    let ranks = deck.as_slice().map_err(|_| PyValueError::new_err("deck: not contiguous"))?;
    let deck = Deck::new(ranks).map_err(|text| PyValueError::new_err(format!("deck: {text}")))?;
    if !(1..=MAX_STACKS).contains(&stacks) {
        return Err(PyValueError::new_err(format!("stacks: {stacks} is not in 1..{MAX_STACKS}")));
    }
    Ok(searching::run(py, states_limit, memory_bytes, time_s, |limits| {
        decide(&deck, stacks, limits, cnf.as_deref(), proof.as_deref())
    })??)
}

/// Searches, and writes the files that are wanted. The outer error is that of an interrupt, the inner one of a file.
fn decide(
    deck: &Deck,
    stacks: usize,
    limits: Limits<'_>,
    cnf: Option<&Path>,
    proof: Option<&Path>,
) -> Result<io::Result<CalculationOpenResult>, Stop> {
    let write_cnf = |path: &Path| write_dimacs(deck, stacks, &mut BufWriter::new(File::create(path)?));
    let mut file = match (cnf.map_or(Ok(()), write_cnf), proof.map(File::create).transpose()) {
        (Ok(()), Ok(file)) => file.map(BufWriter::new),
        (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
    };
    let mut proof = file.as_mut().map_or_else(Proof::default, |file| Proof::to(file));
    let begin = ThreadTime::now();
    let found = search(deck, stacks, limits, &mut proof);
    let cpu_s = begin.elapsed().as_secs_f64();
    match proof.end() {
        Ok(()) => found.map(|report| Ok(CalculationOpenResult { report, cpu_s })),
        Err(error) => Ok(Err(error)),
    }
}

/// Adds what Python calls.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<CalculationOpenResult>()?;
    m.add_function(wrap_pyfunction!(calculation_open, m)?)
}
