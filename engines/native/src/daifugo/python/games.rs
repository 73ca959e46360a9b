//! Tournaments, and what HE learns from them.
use super::super::examples::Examples;
use super::super::features::{GROUPS, GROUPS_COUNT};
use super::super::game::{Game, Setting};
use super::super::knowledge::Turn;
use super::super::learning::{self, Counts};
use super::super::players::Player;
use super::super::table::PLAYERS;
use super::super::tournament::Tournament;
use super::super::worlds::he::{CLASSES_COUNT, ITEMS_COUNT};
use super::arguments::{error, within};
use super::options::DaifugoPlayer;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

fn players_of(players: &[PyRef<'_, DaifugoPlayer>]) -> PyResult<[Player; PLAYERS]> {
    let made: Vec<Player> = players.iter().map(|player| player.0.player()).collect();
    made.try_into().map_err(|made: Vec<Player>| error("players", format!("{} of them, not {PLAYERS}", made.len())))
}

pub(super) fn tournament_of(seed: u64, first: u64, seat_period: u64, rank_period: u64) -> PyResult<Tournament> {
    if seat_period == 0 || rank_period == 0 {
        let name = if seat_period == 0 { "seat_period" } else { "rank_period" };
        return Err(error(name, "not 1 or more"));
    }
    if !first.is_multiple_of(rank_period) {
        return Err(error("first", format!("{first} is not a multiple of {rank_period}: ranks would be unknown")));
    }
    Ok(Tournament { seed, seat_period, rank_period })
}

/// Which games they are, and all that was played where that is written down.
struct Played {
    tournament: Tournament,
    first: u64,
    games: Vec<Game>,
}

/// What a row of games came to. By game and player, except where it says otherwise.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoGames {
    played: Played,
    #[pyo3(get)]
    seats: Py<PyArray2<u8>>,
    #[pyo3(get)]
    ranks: Py<PyArray2<u8>>,
    #[pyo3(get)]
    turns_count: Py<PyArray2<u32>>,
    #[pyo3(get)]
    playouts_count: Py<PyArray2<u64>>,
    #[pyo3(get)]
    elapsed_s: Py<PyArray2<f64>>,
    #[pyo3(get)]
    before: Py<PyArray2<i8>>,
    #[pyo3(get)]
    dealt: Py<PyArray2<u64>>,
    #[pyo3(get)]
    gave: Py<PyArray2<u64>>,
    #[pyo3(get)]
    got: Py<PyArray2<u64>>,
    #[pyo3(get)]
    record_ends: Py<PyArray1<u64>>,
    #[pyo3(get)]
    record_seats: Py<PyArray1<u8>>,
    #[pyo3(get)]
    record_cards: Py<PyArray1<u64>>,
    #[pyo3(get)]
    record_stands: Py<PyArray1<i8>>,
}

/// Columns of what was played.
#[derive(Default)]
pub(super) struct Rows {
    seats: Vec<u8>,
    ranks: Vec<u8>,
    turns_count: Vec<u32>,
    playouts_count: Vec<u64>,
    elapsed_s: Vec<f64>,
    before: Vec<i8>,
    dealt: Vec<u64>,
    gave: Vec<u64>,
    got: Vec<u64>,
    ends: Vec<u64>,
    turns: Vec<Turn>,
    games: Vec<Game>,
}

impl Rows {
    pub(super) fn push(&mut self, setting: &Setting, game: &Game, records: bool) {
        for player in 0..PLAYERS as u8 {
            let seat = setting.seats.iter().position(|&other| other == player).expect("all players sit");
            let rank =
                game.finished.iter().position(|&other| usize::from(other) == seat).expect("all seats have ranks");
            self.seats.push(seat as u8);
            self.ranks.push(rank as u8);
            self.turns_count.push(game.turns_count[seat]);
            self.playouts_count.push(game.playouts_count[seat]);
            self.elapsed_s.push(game.elapsed_s[seat]);
        }
        if records {
            self.before.extend(setting.before.map_or([-1; PLAYERS], |before| before.map(|seat| seat as i8)));
            self.dealt.extend(game.dealt);
            self.gave.extend(game.gifts.iter().map(|gifts| gifts.gave));
            self.got.extend(game.gifts.iter().map(|gifts| gifts.got));
            self.turns.extend(&game.turns);
            self.ends.push(self.turns.len() as u64);
            self.games.push(game.clone());
        }
    }

    pub(super) fn into_python(self, py: Python<'_>, tournament: Tournament, first: u64) -> PyResult<DaifugoGames> {
        fn table<T: numpy::Element>(py: Python<'_>, cells: Vec<T>) -> PyResult<Py<PyArray2<T>>> {
            let rows = cells.len() / PLAYERS;
            Ok(PyArray1::from_vec(py, cells).reshape([rows, PLAYERS])?.unbind())
        }
        let turns = &self.turns;
        Ok(DaifugoGames {
            played: Played { tournament, first, games: self.games },
            seats: table(py, self.seats)?,
            ranks: table(py, self.ranks)?,
            turns_count: table(py, self.turns_count)?,
            playouts_count: table(py, self.playouts_count)?,
            elapsed_s: table(py, self.elapsed_s)?,
            before: table(py, self.before)?,
            dealt: table(py, self.dealt)?,
            gave: table(py, self.gave)?,
            got: table(py, self.got)?,
            record_ends: PyArray1::from_vec(py, self.ends).unbind(),
            record_seats: PyArray1::from_iter(py, turns.iter().map(|turn| turn.seat)).unbind(),
            record_cards: PyArray1::from_iter(py, turns.iter().map(|turn| turn.play.cards)).unbind(),
            record_stands: PyArray1::from_iter(py, turns.iter().map(|turn| turn.play.stands)).unbind(),
        })
    }
}

/// Plays games `first` to `first + count - 1` of a seed; `base`: the same with another one in the place `changed`.
#[pyfunction]
#[pyo3(signature = (players, *, seed, first, count, seat_period, rank_period, records=false, base=None, changed=0))]
#[allow(clippy::too_many_arguments)] // Python calls it by names.
pub fn daifugo_games(
    py: Python<'_>,
    players: Vec<PyRef<'_, DaifugoPlayer>>,
    seed: u64,
    first: u64,
    count: u64,
    seat_period: u64,
    rank_period: u64,
    records: bool,
    base: Option<PyRef<'_, DaifugoGames>>,
    changed: u8,
) -> PyResult<DaifugoGames> {
    let mut players = players_of(&players)?;
    let tournament = tournament_of(seed, first, seat_period, rank_period)?;
    let base = base.as_ref().map(|base| &base.played);
    if base.is_some_and(|base| (base.tournament, base.first, base.games.len() as u64) != (tournament, first, count)) {
        return Err(error("base", "not the same games, or without their records"));
    }
    if usize::from(changed) >= PLAYERS {
        return Err(error("changed", format!("{changed} is no player")));
    }
    let mut rows = Rows::default();
    within(py, |clock| {
        let base = base.map(|base| (&base.games[..], changed));
        tournament
            .play_beside(first, count, base, &mut players, clock, |setting, game| rows.push(setting, game, records))
    })?;
    rows.into_python(py, tournament, first)
}

/// What HE learns from such games: by player and class, how many hands were seen, and how many held each item.
#[pyfunction]
#[pyo3(signature = (players, *, seed, first, count, seat_period, rank_period))]
#[allow(clippy::too_many_arguments)] // Python calls it by names.
pub fn daifugo_he_counts<'py>(
    py: Python<'py>,
    players: Vec<PyRef<'_, DaifugoPlayer>>,
    seed: u64,
    first: u64,
    count: u64,
    seat_period: u64,
    rank_period: u64,
) -> PyResult<(Bound<'py, PyArray2<u64>>, Bound<'py, PyArray3<u64>>)> {
    let mut players = players_of(&players)?;
    let tournament = tournament_of(seed, first, seat_period, rank_period)?;
    let mut counts: [Counts; PLAYERS] = std::array::from_fn(|_| Counts::default());
    within(py, |clock| {
        tournament.play(first, count, &mut players, clock, |setting, game| {
            learning::count(game, &setting.seats, &mut counts);
        })
    })?;
    let seen: Vec<u64> = counts.iter().flat_map(|counts| counts.seen.iter().copied()).collect();
    let held: Vec<u64> = counts.iter().flat_map(|counts| counts.held.iter().flatten().copied()).collect();
    Ok((
        PyArray1::from_vec(py, seen).reshape([PLAYERS, CLASSES_COUNT])?,
        PyArray1::from_vec(py, held).reshape([PLAYERS, CLASSES_COUNT, ITEMS_COUNT])?,
    ))
}

/// Choices of some of the players in such games, for a policy to learn from; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (players, of, *, seed, first, count, seat_period, rank_period))]
#[allow(clippy::too_many_arguments)] // Python calls it by names.
pub fn daifugo_policy_examples<'py>(
    py: Python<'py>,
    players: Vec<PyRef<'_, DaifugoPlayer>>,
    of: Vec<u8>,
    seed: u64,
    first: u64,
    count: u64,
    seat_period: u64,
    rank_period: u64,
) -> PyResult<(Bound<'py, PyArray2<u16>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>)> {
    let mut players = players_of(&players)?;
    let tournament = tournament_of(seed, first, seat_period, rank_period)?;
    if of.iter().any(|&player| usize::from(player) >= PLAYERS) {
        return Err(error("of", "not numbers of players"));
    }
    let mut examples = Examples::default();
    within(py, |clock| {
        tournament.play(first, count, &mut players, clock, |setting, game| examples.add(game, &setting.seats, &of))
    })?;
    let rows = examples.plays.len();
    Ok((
        PyArray1::from_vec(py, examples.plays.into_flattened()).reshape([rows, GROUPS_COUNT])?,
        PyArray1::from_vec(py, examples.ends),
        PyArray1::from_vec(py, examples.chosen),
    ))
}

/// Groups of a learnt policy's features: their names and how many weights each has, in order.
#[pyfunction]
pub fn daifugo_policy_groups() -> Vec<(&'static str, usize)> {
    GROUPS.to_vec()
}
