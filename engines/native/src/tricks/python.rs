//! Trick taking for Python.
use super::CARDS_MAX;
use super::avoid;
use super::census::Deals;
use super::evaluate::Evaluator;
use super::layer::{Layer, Points};
use super::pattern::{next_pattern, pattern_at, patterns_count};
use super::solver::{Solver, State, Stop};
use super::statements::{STATEMENTS, Tally};
use super::whist;
use crate::storage::mapped::Mapped;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("TRICKS_CARDS_MAX", CARDS_MAX)?;
    m.add_class::<TricksLayer>()?;
    m.add_class::<TricksSolver>()?;
    m.add_function(wrap_pyfunction!(tricks_stride, m)?)?;
    m.add_function(wrap_pyfunction!(tricks_evaluate, m)?)?;
    m.add_function(wrap_pyfunction!(tricks_patterns, m)?)?;
    m.add_function(wrap_pyfunction!(tricks_census, m)?)?;
    m.add_function(wrap_pyfunction!(tricks_whist, m)?)?;
    m.add_function(wrap_pyfunction!(tricks_whist_first_trick, m)?)?;
    m.add_function(wrap_pyfunction!(tricks_avoid, m)?)?;
    m.add_function(wrap_pyfunction!(tricks_avoid_first_trick, m)?)
}

fn points_of(name: &str) -> PyResult<Points> {
    Points::parse(name)
        .ok_or_else(|| PyValueError::new_err(format!("points: {name:?} is not highest, lowest or anywhere")))
}

fn fewest_of(aim: &str) -> PyResult<bool> {
    match aim {
        "most" => Ok(false),
        "fewest" => Ok(true),
        _ => Err(PyValueError::new_err(format!("aim: {aim:?} is neither most nor fewest"))),
    }
}

fn check_cards(cards: usize) -> PyResult<()> {
    if (1..=CARDS_MAX).contains(&cards) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("cards: {cards} is not 1 to {CARDS_MAX}")))
}

fn check_range(cards: usize, first: u64, count: usize) -> PyResult<()> {
    check_cards(cards)?;
    match first.checked_add(count as u64) {
        Some(end) if count > 0 && end <= patterns_count(cards) => Ok(()),
        _ => Err(PyValueError::new_err(format!("first: there are no {count} patterns from {first} on"))),
    }
}

/// Whether to go on, asked without the interpreter's lock; keeps the exception of a signal.
fn go_on(raised: &mut Option<PyErr>) -> bool {
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => true,
        Err(error) => {
            *raised = Some(error);
            false
        }
    }
}

fn interrupted(raised: Option<PyErr>) -> PyErr {
    raised.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
}

/// Values of a pattern in a layer.
#[pyfunction]
pub fn tricks_stride(points: &str, cards: usize) -> PyResult<usize> {
    check_cards(cards)?;
    Ok(points_of(points)?.stride(cards))
}

/// A finished layer, read in place.
#[pyclass(frozen)]
pub struct TricksLayer {
    layer: Layer<Mapped>,
}

#[pymethods]
impl TricksLayer {
    #[new]
    fn new(
        py: Python<'_>,
        points: &str,
        cards: usize,
        block_patterns_log2: u32,
        blocks: Vec<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<TricksLayer> {
        check_cards(cards)?;
        if block_patterns_log2 > 31 {
            return Err(PyValueError::new_err("block_patterns_log2: is above 31"));
        }
        let points = points_of(points)?;
        let blocks = blocks.iter().map(Mapped::new).collect::<PyResult<Vec<_>>>()?;
        let layer =
            py.detach(|| Layer::new(points, cards, block_patterns_log2, blocks)).map_err(|found| found.error())?;
        Ok(TricksLayer { layer })
    }

    #[getter]
    fn cards(&self) -> usize {
        self.layer.cards
    }

    /// Left's points in all deals with the same point cards, Left in the lead.
    fn column<'py>(&self, py: Python<'py>, above: usize, count: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let place = self.layer.points.place(self.layer.cards, above, count).ok_or_else(|| {
            PyValueError::new_err(format!("count: this table has no {count} point cards below {above} others"))
        })?;
        let values = py.detach(|| self.layer.column(place));
        Ok(PyArray1::from_vec(py, values))
    }
}

/// Values of the patterns from number `first` on, one after another.
#[pyfunction]
pub fn tricks_evaluate<'py>(
    py: Python<'py>,
    points: &str,
    aim: &str,
    cards: usize,
    first: u64,
    count: usize,
    below: Option<&TricksLayer>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    check_range(cards, first, count)?;
    let (points, fewest) = (points_of(points)?, fewest_of(aim)?);
    let below = below.map(|layer| &layer.layer);
    let fits = match below {
        None => cards == 1,
        Some(layer) => layer.points == points && layer.cards + 1 == cards,
    };
    if !fits {
        return Err(PyValueError::new_err(format!("below: is not the layer of {} cards by the same rules", cards - 1)));
    }
    let mut raised = None;
    let values =
        py.detach(|| Evaluator::new(points, fewest, cards, below).values(first, count, &mut || go_on(&mut raised)));
    values.map(|values| PyArray1::from_vec(py, values)).ok_or_else(|| interrupted(raised))
}

/// The patterns from number `first` on.
#[pyfunction]
pub fn tricks_patterns<'py>(
    py: Python<'py>,
    cards: usize,
    first: u64,
    count: usize,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    check_range(cards, first, count)?;
    let patterns = std::iter::successors(Some(pattern_at(cards, first)), |&pattern| Some(next_pattern(pattern)));
    Ok(PyArray1::from_iter(py, patterns.take(count)))
}

fn check_owners(owners: &[bool]) -> PyResult<()> {
    let left = owners.iter().filter(|&&owner| owner).count();
    if !owners.is_empty() && owners.len() <= usize::from(u16::MAX) && 2 * left == owners.len() {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("owners: {left} cards of {} are Left's, not half of them", owners.len())))
}

/// The result of `value` for each row of `owners`.
fn each_deal<'py>(
    py: Python<'py>,
    owners: PyReadonlyArray2<'_, bool>,
    value: impl Fn(&[bool]) -> usize + Send + Sync,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let width = owners.as_array().ncols().max(1);
    let owners = owners.as_slice().map_err(|_| PyValueError::new_err("owners: not contiguous"))?;
    owners.chunks(width).try_for_each(check_owners)?;
    let found: Vec<u16> = py.detach(|| owners.chunks(width).map(|deal| value(deal) as u16).collect());
    Ok(PyArray1::from_vec(py, found))
}

/// The result of `values` for each pair of cards of a deal.
fn each_pair<'py>(
    py: Python<'py>,
    owners: PyReadonlyArray1<'_, bool>,
    values: impl Fn(&[bool]) -> Vec<usize> + Send + Sync,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    let owners = owners.as_slice().map_err(|_| PyValueError::new_err("owners: not contiguous"))?;
    check_owners(owners)?;
    let cards = owners.len() / 2;
    let found: Vec<u16> = py.detach(|| values(owners).into_iter().map(|value| value as u16).collect());
    PyArray1::from_vec(py, found).reshape([cards, cards])
}

/// Left's tricks in deals of Whist; a row of `owners` marks Left's cards, the highest first.
#[pyfunction]
pub fn tricks_whist<'py>(
    py: Python<'py>,
    owners: PyReadonlyArray2<'_, bool>,
    left_leads: bool,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    each_deal(py, owners, |deal| whist::tricks(deal, left_leads))
}

/// Left's tricks for each pair of cards in the first trick: rows are Left's cards, columns Right's, descending.
#[pyfunction]
pub fn tricks_whist_first_trick<'py>(
    py: Python<'py>,
    owners: PyReadonlyArray1<'_, bool>,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    each_pair(py, owners, whist::first_trick)
}

/// Left's points in deals whose `count` highest cards are to be avoided, by the rule of play for that.
#[pyfunction]
pub fn tricks_avoid<'py>(
    py: Python<'py>,
    owners: PyReadonlyArray2<'_, bool>,
    count: usize,
    left_leads: bool,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    each_deal(py, owners, |deal| avoid::points(deal, count, left_leads))
}

/// The same for each pair of cards in the first trick.
#[pyfunction]
pub fn tricks_avoid_first_trick<'py>(
    py: Python<'py>,
    owners: PyReadonlyArray1<'_, bool>,
    count: usize,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    each_pair(py, owners, |deal| avoid::first_trick(deal, count))
}

type Row = (&'static str, &'static str, [u64; 4], i32, Vec<u64>, Option<(u32, bool, u32, u32, i32)>);

fn row(number: usize, hands: &'static str, tally: &Tally) -> Row {
    let counts = [tally.deals_count, tally.deals_obeying_count, tally.cases_count, tally.cases_obeying_count];
    let (least, extent) = tally.extent();
    let first = tally.first.map(|c| (c.pattern, c.left_leads, c.gives, c.gets, c.value));
    (STATEMENTS[number].name, hands, counts, least, extent, first)
}

/// All deals with the same point cards, checked against the statements: a row for each statement and kind of hands,
/// and the extremes of swaps for each pair of cards.
#[pyfunction]
#[pyo3(signature = (cards, above, count, aim, values, more))]
pub fn tricks_census(
    py: Python<'_>,
    cards: usize,
    above: usize,
    count: usize,
    aim: &str,
    values: PyReadonlyArray1<'_, u8>,
    more: Option<PyReadonlyArray1<'_, u8>>,
) -> PyResult<(Vec<Row>, Vec<(i32, i32)>)> {
    check_cards(cards)?;
    let fewest = fewest_of(aim)?;
    if above + count > 2 * cards {
        return Err(PyValueError::new_err(format!("count: {above} and {count} cards are more than {}", 2 * cards)));
    }
    let values = values.as_slice().map_err(|_| PyValueError::new_err("values: not contiguous"))?;
    let more = more.as_ref().map(|array| array.as_slice()).transpose();
    let more = more.map_err(|_| PyValueError::new_err("more: not contiguous"))?;
    for (name, column, most) in [("values", Some(values), count), ("more", more, count + 1)] {
        let Some(column) = column else { continue };
        if column.len() as u64 != patterns_count(cards) || column.iter().any(|&value| usize::from(value) > most) {
            return Err(PyValueError::new_err(format!("{name}: are not the values of all deals of {cards} cards")));
        }
    }
    let mut raised = None;
    let deals = Deals { cards, above, count, fewest, values, more };
    let census = py.detach(|| deals.census(&mut || go_on(&mut raised))).ok_or_else(|| interrupted(raised))?;
    let rows = (0..STATEMENTS.len())
        .flat_map(|number| {
            [row(number, "conditions", &census.conditions[number]), row(number, "all", &census.all[number])]
        })
        .collect();
    Ok((rows, census.pairs))
}

/// Values of single deals by one aim; what was found is kept for the next one.
#[pyclass]
pub struct TricksSolver {
    solver: Solver,
}

#[pymethods]
impl TricksSolver {
    #[new]
    fn new(aim: &str, states_max: usize) -> PyResult<TricksSolver> {
        Ok(TricksSolver { solver: Solver::new(fewest_of(aim)?, states_max) })
    }

    /// States that are kept.
    #[getter]
    fn states_count(&self) -> usize {
        self.solver.states_count()
    }

    /// Left's points. `cards` may be 0. MemoryError when more states follow than are kept.
    fn value(
        &mut self,
        py: Python<'_>,
        cards: usize,
        pattern: u32,
        above: usize,
        count: usize,
        left_leads: bool,
    ) -> PyResult<u8> {
        if cards > CARDS_MAX {
            check_cards(cards)?;
        }
        if u64::from(pattern) >> (2 * cards) != 0 || pattern.count_ones() as usize != cards {
            return Err(PyValueError::new_err(format!("pattern: {pattern:#b} does not give {cards} cards to each")));
        }
        if above + count > 2 * cards {
            return Err(PyValueError::new_err(format!("count: {above} and {count} cards are more than {}", 2 * cards)));
        }
        let state = State { pattern, cards: cards as u8, above: above as u8, count: count as u8 };
        let mut raised = None;
        match py.detach(|| self.solver.value(state, left_leads, &mut || go_on(&mut raised))) {
            Ok(value) => Ok(value),
            Err(Stop::States) => Err(PyMemoryError::new_err("states")),
            Err(Stop::Interrupted) => Err(interrupted(raised)),
        }
    }
}
