//! One position: what a player makes of it, and worlds of it.
use super::super::dice::Dice;
use super::super::knowledge::Knowledge;
use super::super::players::Spec;
use super::super::players::mc::Mc;
use super::super::table::PLAYERS;
use super::super::worlds::Worlds;
use super::arguments::{error, within};
use super::knowledge::DaifugoKnowledge;
use super::options::{DaifugoGenerator, DaifugoPlayer};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Legal plays as the Monte-Carlo player sees them: cards, stands, visits, mean scores and their standard errors.
#[pyfunction]
#[pyo3(signature = (knowledge, player, *, seed))]
#[allow(clippy::type_complexity)] // Columns of a table.
pub fn daifugo_evaluate<'py>(
    py: Python<'py>,
    knowledge: &DaifugoKnowledge,
    player: &DaifugoPlayer,
    seed: u64,
) -> PyResult<(
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
)> {
    let Spec::Mc(options) = &player.0 else { return Err(error("player", "only mc has scores")) };
    let mut player = Mc::new(options.clone());
    let known = own_turn(knowledge)?;
    let arms = within(py, |clock| player.evaluate(&known, &mut Dice::of(seed, 0), clock).map(<[_]>::to_vec))?;
    Ok((
        PyArray1::from_iter(py, arms.iter().map(|arm| arm.play.cards)),
        PyArray1::from_iter(py, arms.iter().map(|arm| arm.play.stands)),
        PyArray1::from_iter(py, arms.iter().map(|arm| arm.visits_count)),
        PyArray1::from_iter(py, arms.iter().map(|arm| arm.mean())),
        PyArray1::from_iter(py, arms.iter().map(|arm| arm.error())),
    ))
}

/// The play that a player makes.
#[pyfunction]
#[pyo3(signature = (knowledge, player, *, seed))]
pub fn daifugo_choose(
    py: Python<'_>,
    knowledge: &DaifugoKnowledge,
    player: &DaifugoPlayer,
    seed: u64,
) -> PyResult<(u64, i8)> {
    let mut player = player.0.player();
    let known = own_turn(knowledge)?;
    let play = within(py, |clock| player.choose(&known, &mut Dice::of(seed, 0), clock))?;
    Ok((play.cards, play.stands))
}

/// The cards that a player gives away in the exchange, as first two, as second one.
#[pyfunction]
#[pyo3(signature = (knowledge, player, *, seed))]
pub fn daifugo_give(py: Python<'_>, knowledge: &DaifugoKnowledge, player: &DaifugoPlayer, seed: u64) -> PyResult<u64> {
    let mut player = player.0.player();
    let known = knowledge.knowledge();
    let count = match known.rank_before(known.seat) {
        Some(rank @ 0..=1) => 2 - rank as u32,
        _ => return Err(error("before", "only the first and the second choose cards")),
    };
    if known.hand.count_ones() <= count || known.gone != 0 {
        return Err(error("hand", "this is no hand before the first turn"));
    }
    within(py, |clock| player.give(&known, count, &mut Dice::of(seed, 0), clock))
}

/// Hands by seat (the own place is 0) in `count` worlds.
#[pyfunction]
#[pyo3(signature = (knowledge, generator, *, seed, count))]
pub fn daifugo_worlds<'py>(
    py: Python<'py>,
    knowledge: &DaifugoKnowledge,
    generator: &DaifugoGenerator,
    seed: u64,
    count: usize,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let known = knowledge.knowledge();
    let found = within(py, |clock| {
        let mut worlds = Worlds::new(&generator.0, &known);
        let mut dice = Dice::of(seed, 0);
        let mut found = Vec::new();
        for _ in 0..count {
            clock.check()?;
            found.extend(worlds.deal(&mut dice));
        }
        Ok(found)
    })?;
    PyArray1::from_vec(py, found).reshape([count, PLAYERS])
}

fn own_turn(knowledge: &DaifugoKnowledge) -> PyResult<Knowledge<'_>> {
    let known = knowledge.knowledge();
    if known.table.turn == known.seat { Ok(known) } else { Err(error("turn", "not that of the player")) }
}
