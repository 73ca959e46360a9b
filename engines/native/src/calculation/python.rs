//! Calculation's player as Python sees it.
use super::options::{Alike, Edges, Misfits, Options, Ties, Worth};
use super::player::{Game, Player, targets_of};
use super::rules::{FOUNDATIONS, Position, Rules};
use super::table::{Failure, Table};
use super::turn::Abort;
use crate::search::python;
use crate::stackgame::readers::TableReader;
use crate::storage::arrays::value_error;
use crate::storage::mapped::Mapped;
use crate::storage::reader::Reader;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A play: moves, value, targets by stack and the ten values of its best assignment, chances by playouts.
type Advised<'py> = (Bound<'py, PyArray2<u8>>, f64, Option<Vec<Vec<usize>>>, Option<Vec<f64>>, Vec<f64>);

/// How some games went, game by game.
#[pyclass(module = "engines._native", frozen)]
pub struct CalculationGames {
    games: Vec<Game>,
}

#[pymethods]
impl CalculationGames {
    #[getter]
    fn won<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.each(py, |game| game.won)
    }

    #[getter]
    fn cards_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.each(py, |game| game.cards_left)
    }

    #[getter]
    fn draws_count<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.each(py, |game| game.draws_count)
    }

    #[getter]
    fn evaluations_count<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.each(py, |game| game.evaluations_count)
    }

    #[getter]
    fn lookups_count<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.each(py, |game| game.lookups_count)
    }

    #[getter]
    fn missing_count<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.each(py, |game| game.missing_count)
    }

    #[getter]
    fn elapsed_s<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, |game| game.elapsed_s)
    }

    /// Moves of game number `game`.
    fn moves<'py>(&self, py: Python<'py>, game: usize) -> PyResult<Bound<'py, PyArray2<u8>>> {
        moves_into(py, &self.game(game)?.moves)
    }

    /// Targets after each draw of game number `game`, one draw after the other.
    fn targets<'py>(&self, py: Python<'py>, game: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(self.game(game)?.targets.clone().into_pyarray(py))
    }

    /// Values after each draw of game number `game`.
    fn values<'py>(&self, py: Python<'py>, game: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.game(game)?.values.clone().into_pyarray(py))
    }
}

impl CalculationGames {
    fn each<'py, T: numpy::Element>(&self, py: Python<'py>, field: impl Fn(&Game) -> T) -> Bound<'py, PyArray1<T>> {
        self.games.iter().map(field).collect::<Vec<T>>().into_pyarray(py)
    }

    fn game(&self, number: usize) -> PyResult<&Game> {
        let count = self.games.len();
        self.games.get(number).ok_or_else(|| value_error(format!("game: {number} is not below {count}")))
    }
}

/// Plays Calculation by a two-board table; see `_native.pyi`.
#[pyclass(module = "engines._native", frozen)]
pub struct CalculationPlayer {
    table: Py<TableReader>,
    #[pyo3(get)]
    ranks: usize,
    #[pyo3(get)]
    stacks: usize,
    player: Mutex<Player>,
}

fn choice<T: Copy>(field: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let found = choices.iter().find(|each| each.0 == name).map(|each| each.1);
    found.ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|each| each.0).collect();
        value_error(format!("{field}: {name:?} is none of {}", names.join(", ")))
    })
}

#[pymethods]
impl CalculationPlayer {
    #[new]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    #[pyo3(signature = (table, *, keep, look_ahead, playouts, value, exponent, alike, recast, edges, ties, misfits, eager, exact_cards))]
    fn new(
        table: Py<TableReader>,
        keep: usize,
        look_ahead: usize,
        playouts: usize,
        value: &str,
        exponent: f64,
        alike: &str,
        recast: &str,
        edges: &str,
        ties: &str,
        misfits: &str,
        eager: bool,
        exact_cards: usize,
    ) -> PyResult<CalculationPlayer> {
        let (game, boards, layers) = (table.get().two_boards(), table.get().boards, table.get().layers_count());
        let stacks = match game {
            Some(game) if boards == 2 => game.stacks,
            _ => return Err(value_error("table: one of two boards is needed")),
        };
        let ranks = layers / 2 + 1;
        let rules = Rules::new(ranks, stacks).map_err(|error| value_error(format!("table: of other {error}")))?;
        if !(1..=1 << 20).contains(&keep) {
            return Err(value_error(format!("keep: {keep} is not in 1..{}", 1 << 20)));
        }
        if look_ahead > 2 {
            return Err(value_error(format!("look_ahead: {look_ahead} is not in 0..2")));
        }
        if u32::try_from(playouts).is_err() {
            return Err(value_error(format!("playouts: {playouts} is not in 0..{}", u32::MAX)));
        }
        if !(1.0..=100.0).contains(&exponent) {
            return Err(value_error(format!("exponent: {exponent} is not in 1..100")));
        }
        let options = Options {
            keep,
            look_ahead,
            playouts,
            worth: choice(
                "value",
                value,
                &[("max", Worth::Max), ("independent", Worth::Independent), ("norm", Worth::Norm(exponent))],
            )?,
            alike: choice("alike", alike, &[("all", Alike::All), ("once", Alike::Once)])?,
            recast: choice("recast", recast, &[("none", false), ("drawn", true)])?,
            edges: choice("edges", edges, &[("own", Edges::Own), ("all", Edges::All)])?,
            ties: choice(
                "ties",
                ties,
                &[("foundation", Ties::Foundation), ("stack", Ties::Stack), ("last_stack", Ties::LastStack)],
            )?,
            misfits: choice("misfits", misfits, &[("exchange", Misfits::Exchange), ("drop", Misfits::Drop)])?,
            eager,
            exact_cards,
        };
        let this = CalculationPlayer { table, ranks, stacks, player: Mutex::new(Player::new(rules, options)) };
        this.readers()?;
        Ok(this)
    }

    /// Plays decks of ranks, uint8 (N, 4 * ranks), the first drawn first.
    fn play(&self, py: Python<'_>, decks: PyReadonlyArray2<'_, u8>) -> PyResult<CalculationGames> {
        let cards = FOUNDATIONS * self.ranks;
        if decks.shape()[1] != cards {
            return Err(value_error(format!("decks: rows of {} cards, {cards} are needed", decks.shape()[1])));
        }
        let decks: Vec<u8> = decks.as_array().iter().copied().collect();
        for (number, deck) in decks.chunks(cards).enumerate() {
            self.check_deck(number, deck)?;
        }
        let games = self.run(py, |player, table, clock| {
            decks.chunks(cards).map(|deck| player.play(table, clock, deck)).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(CalculationGames { games })
    }

    /// All plays of a position, best first: (moves, value, targets by stack or None, the ten values, the chances by
    /// playouts).
    #[pyo3(signature = (heights, stacks, drawn=None))]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        heights: Vec<u8>,
        stacks: Vec<Vec<u8>>,
        drawn: Option<u8>,
    ) -> PyResult<Vec<Advised<'py>>> {
        let mut position = self.position(&heights, &stacks)?;
        if let Some(rank) = drawn {
            if !(1..=self.ranks).contains(&usize::from(rank)) {
                return Err(value_error(format!("drawn: {rank} is no rank in 1..{}", self.ranks)));
            }
            if position.left[usize::from(rank)] == 0 {
                return Err(value_error(format!("drawn: all cards of rank {rank} lie open")));
            }
            position.draw(rank);
        }
        let found = self.run(py, |player, table, clock| {
            let plays = player.advise(table, clock, &position, drawn)?;
            let rules = player.rules.clone();
            let found = plays.into_iter().map(|(play, chances)| {
                let best = play.list.first().map(|best| {
                    let mut targets = Vec::new();
                    best.list_targets(&rules, &play.position, &mut targets);
                    (by_stack(&play.position, self.stacks, &targets), player.parts(best).to_vec())
                });
                (play.moves, play.value, best, chances)
            });
            Ok(found.collect::<Vec<_>>())
        })?;
        let mut advised = Vec::with_capacity(found.len());
        for (moves, value, best, chances) in found {
            let (targets, parts) = best.unzip();
            advised.push((moves_into(py, &moves)?, value, targets, parts, chances));
        }
        Ok(advised)
    }

    /// The ten values and the estimate for a position under one assignment; None: it cannot be won.
    fn estimate(
        &self,
        py: Python<'_>,
        heights: Vec<u8>,
        stacks: Vec<Vec<u8>>,
        targets: Vec<Vec<u8>>,
    ) -> PyResult<Option<(Vec<f64>, f64)>> {
        let position = self.position(&heights, &stacks)?;
        let rules = Rules::new(self.ranks, self.stacks).map_err(value_error)?;
        let targets = targets_of(&rules, &position, &targets).map_err(value_error)?;
        let found = self.run(py, |player, table, _| player.estimate(table, &position, &targets))?;
        Ok(found.map(|(parts, value)| (parts.to_vec(), value)))
    }
}

impl CalculationPlayer {
    fn readers(&self) -> PyResult<Vec<Option<&Reader<u64, Mapped>>>> {
        self.table.get().two_board_readers()?.ok_or_else(|| value_error("table: a layer is missing"))
    }

    fn position(&self, heights: &[u8], stacks: &[Vec<u8>]) -> PyResult<Position> {
        let rules = Rules::new(self.ranks, self.stacks).map_err(value_error)?;
        rules.position(heights, stacks).map_err(value_error)
    }

    fn check_deck(&self, number: usize, deck: &[u8]) -> PyResult<()> {
        for rank in 1..=self.ranks as u8 {
            let count = deck.iter().filter(|&&card| card == rank).count();
            if count != FOUNDATIONS {
                return Err(value_error(format!("decks: number {number} has {count} cards of rank {rank}")));
            }
        }
        Ok(())
    }

    /// Without the interpreter's lock, one call at a time.
    fn run<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Player, &Table<'_, Mapped>, &mut crate::search::Clock<'_>) -> Result<R, Abort> + Send,
    ) -> PyResult<R> {
        let rules = self.table.get().two_boards().expect("it was there before");
        let table = Table { rules, layers: self.readers()? };
        let found = python::run(py, None, |mut limits| {
            // After a call that was stopped halfway the player forgets all states.
            let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            match work(&mut player, &table, &mut limits.clock) {
                Ok(found) => Ok(Ok(found)),
                Err(Abort::Stop(stop)) => Err(stop),
                Err(Abort::Table(failure)) => Ok(Err(failure)),
            }
        })?;
        found.map_err(|failure| match failure {
            Failure::Damaged(layer, damaged) => damaged.error_in(layer),
            Failure::Full => value_error("exact_cards: too many states are not in the table; take fewer"),
        })
    }
}

fn moves_into<'py>(py: Python<'py>, moves: &[[u8; 2]]) -> PyResult<Bound<'py, PyArray2<u8>>> {
    PyArray1::from_vec(py, moves.iter().flatten().copied().collect()).reshape([moves.len(), 2])
}

fn by_stack(position: &Position, stacks: usize, targets: &[u8]) -> Vec<Vec<usize>> {
    let mut left = targets;
    let split = position.stacks[..stacks].iter().map(|stack| {
        let (first, rest) = left.split_at(stack.len.into());
        left = rest;
        first.iter().map(|&target| target.into()).collect()
    });
    split.collect()
}
