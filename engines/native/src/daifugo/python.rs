//! Daihinmin as Python sees it; see `_native.pyi`.
use super::field::Field;
use super::game::Game;
use super::knowledge::{Gifts, Knowledge, Turn};
use super::learning::{self, Counts};
use super::legal::legal_plays;
use super::play::{Kind, Play};
use super::players::mc::{Budget, Mc, Options};
use super::players::{Player, Spec};
use super::playout::Policy;
use super::table::{PLAYERS, Table};
use super::tournament::Tournament;
use super::worlds::he::{CLASSES_COUNT, HeTable, ITEMS_COUNT};
use super::worlds::{Generator, Worlds};
use super::{cards, dice::Dice};
use crate::search::Clock;
use crate::searching;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

fn error(field: &str, text: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{field}: {text}"))
}

fn play_of(field: &str, number: u64, stands: i64) -> PyResult<Play> {
    let play = i8::try_from(stands).ok().and_then(|stands| Play::new(number, stands));
    play.ok_or_else(|| error(field, format!("({number}, {stands}) is no play")))
}

fn field_of(top: (u64, i64), revolution: bool, lock: u8) -> PyResult<Field> {
    let top = play_of("top", top.0, top.1)?;
    if lock != 0 && lock != top.suits {
        return Err(error("lock", format!("{lock} is not the set of suits of the play on the field")));
    }
    Ok(Field { top, lock, revolution })
}

fn set_of(field: &str, number: u64) -> PyResult<u64> {
    if number & !cards::ALL == 0 { Ok(number) } else { Err(error(field, "bits beyond the 53 cards")) }
}

/// The legal plays of a hand on a field, as arrays of cards and of what the joker stands for; no pass.
#[pyfunction]
#[pyo3(signature = (hand, top, revolution, lock))]
pub fn daifugo_legal_plays<'py>(
    py: Python<'py>,
    hand: u64,
    top: (u64, i64),
    revolution: bool,
    lock: u8,
) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<i8>>)> {
    let plays = legal_plays(set_of("hand", hand)?, &field_of(top, revolution, lock)?);
    Ok((
        PyArray1::from_iter(py, plays.iter().map(|play| play.cards)),
        PyArray1::from_iter(py, plays.iter().map(|play| play.stands)),
    ))
}

/// A way to make worlds.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoGenerator(Generator);

#[pymethods]
impl DaifugoGenerator {
    #[new]
    #[pyo3(signature = (name, *, probabilities=None, seen=None, tries=16))]
    fn new(
        name: &str,
        probabilities: Option<PyReadonlyArray2<'_, f64>>,
        seen: Option<PyReadonlyArray1<'_, u64>>,
        tries: u32,
    ) -> PyResult<DaifugoGenerator> {
        Ok(DaifugoGenerator(match name {
            "rand" => Generator::Rand,
            "rand_d" => Generator::RandD,
            "rand_dr" => Generator::RandDr,
            "exchange" => Generator::Exchange,
            "he" => {
                let (Some(probabilities), Some(seen)) = (probabilities, seen) else {
                    return Err(error("probabilities", "he needs them and seen"));
                };
                if probabilities.shape()[1] != ITEMS_COUNT {
                    let shape = probabilities.shape();
                    return Err(error(
                        "probabilities",
                        format!("shape {shape:?}, not [{CLASSES_COUNT}, {ITEMS_COUNT}]"),
                    ));
                }
                let flat: Vec<f64> = probabilities.as_array().iter().copied().collect();
                let rows: Vec<[f64; ITEMS_COUNT]> = flat.as_chunks().0.to_vec();
                let seen: Vec<u64> = seen.as_array().iter().copied().collect();
                let table = HeTable::new(&rows, &seen).map_err(PyValueError::new_err)?;
                Generator::He(Arc::new(table))
            }
            "reject" | "reject_uniform" => {
                let policy = if name == "reject" { Policy::Rule } else { Policy::Uniform };
                Generator::Reject(policy, if tries > 0 { tries } else { return Err(error("tries", "not 1 or more")) })
            }
            _ => {
                let names = "rand, rand_d, rand_dr, he, exchange, reject, reject_uniform";
                return Err(error("generator", format!("{name:?} is none of {names}")));
            }
        }))
    }
}

/// A kind of player with its options.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoPlayer(Spec);

#[pymethods]
impl DaifugoPlayer {
    #[new]
    #[pyo3(signature = (kind, *, generator=None, playouts=0, time_s=0.0, exchange_playouts=0, c=4.0, policy="uniform",
        endgame_positions=0))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn new(
        kind: &str,
        generator: Option<PyRef<'_, DaifugoGenerator>>,
        playouts: u32,
        time_s: f64,
        exchange_playouts: u32,
        c: f64,
        policy: &str,
        endgame_positions: usize,
    ) -> PyResult<DaifugoPlayer> {
        match kind {
            "random" => return Ok(DaifugoPlayer(Spec::Random)),
            "rule" => return Ok(DaifugoPlayer(Spec::Rule)),
            "mc" => {}
            _ => return Err(error("kind", format!("{kind:?} is none of random, rule, mc"))),
        }
        let time = Duration::try_from_secs_f64(time_s).map_err(|_| error("time_s", format!("{time_s} is no time")))?;
        let budget = match (playouts, time.is_zero()) {
            (1.., true) => Budget::Playouts(playouts),
            (0, false) => Budget::Time(time),
            _ => return Err(error("playouts", "either they or time_s must be above 0")),
        };
        if exchange_playouts == 0 && time.is_zero() {
            return Err(error("exchange_playouts", "not 1 or more"));
        }
        if !(c >= 0.0 && c.is_finite()) {
            return Err(error("c", format!("{c} is not 0 or more")));
        }
        let policy = match policy {
            "uniform" => Policy::Uniform,
            "rule" => Policy::Rule,
            _ => return Err(error("policy", format!("{policy:?} is neither uniform nor rule"))),
        };
        let generator = generator.map_or(Generator::Rand, |generator| generator.0.clone());
        Ok(DaifugoPlayer(Spec::Mc(Options { budget, exchange_playouts, c, policy, generator, endgame_positions })))
    }
}

fn players_of(players: &[PyRef<'_, DaifugoPlayer>]) -> PyResult<[Player; PLAYERS]> {
    let made: Vec<Player> = players.iter().map(|player| player.0.player()).collect();
    made.try_into().map_err(|made: Vec<Player>| error("players", format!("{} of them, not {PLAYERS}", made.len())))
}

fn tournament_of(seed: u64, first: u64, seat_period: u64, rank_period: u64) -> PyResult<Tournament> {
    if seat_period == 0 || rank_period == 0 {
        let name = if seat_period == 0 { "seat_period" } else { "rank_period" };
        return Err(error(name, "not 1 or more"));
    }
    if !first.is_multiple_of(rank_period) {
        return Err(error("first", format!("{first} is not a multiple of {rank_period}: ranks would be unknown")));
    }
    Ok(Tournament { seed, seat_period, rank_period })
}

/// What one player knows.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoKnowledge {
    known: Knowledge<'static>,
    turns: Vec<Turn>,
}

impl DaifugoKnowledge {
    fn knowledge(&self) -> Knowledge<'_> {
        Knowledge { turns: &self.turns, ..self.known }
    }
}

#[pymethods]
impl DaifugoKnowledge {
    #[new]
    #[pyo3(signature = (*, seat, hand, counts, gone, top=(0, -1), revolution=false, lock=0, turn, last, passed=Vec::new(),
        passes=0, finished=Vec::new(), turns=Vec::new(), leader=None, before=None, gave=0, got=0))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn new(
        seat: u8,
        hand: u64,
        counts: [u8; PLAYERS],
        gone: u64,
        top: (u64, i64),
        revolution: bool,
        lock: u8,
        turn: u8,
        last: u8,
        passed: Vec<u8>,
        passes: u8,
        finished: Vec<u8>,
        turns: Vec<(u8, u64, i64)>,
        leader: Option<u8>,
        before: Option<[u8; PLAYERS]>,
        gave: u64,
        got: u64,
    ) -> PyResult<DaifugoKnowledge> {
        let out = |seats: &[u8]| -> Vec<u8> {
            let mut seats = seats.to_vec();
            seats.sort_unstable();
            seats
        };
        let without: Vec<u8> = (0..PLAYERS as u8).filter(|&seat| counts[usize::from(seat)] == 0).collect();
        if out(&finished) != without {
            return Err(error("finished", format!("{finished:?}, but seats {without:?} have no cards")));
        }
        if before.is_some_and(|before| out(&before) != [0, 1, 2, 3, 4]) {
            return Err(error("before", "not each seat once"));
        }
        if passed.iter().any(|&seat| usize::from(seat) >= PLAYERS) {
            return Err(error("passed", "not a seat"));
        }
        let mut table = Table::start(turn);
        (table.field, table.last, table.passes) = (field_of(top, revolution, lock)?, last, passes);
        table.alive &= !finished.iter().fold(0, |seats, &seat| seats | 1 << seat);
        table.active = table.alive & !passed.iter().fold(0, |seats, &seat| seats | 1 << seat);
        table.finished[..finished.len()].copy_from_slice(&finished);
        table.finished_count = finished.len() as u8;
        if table.is_over() || table.is_stalled() {
            return Err(error("counts", "the game is over"));
        }
        let turns = turns.into_iter().map(|(seat, number, stands)| {
            let play = play_of("turns", number, stands)?;
            if usize::from(seat) >= PLAYERS || play.cards & !gone != 0 {
                return Err(error("turns", format!("seat {seat} cannot have played ({number}, {stands})")));
            }
            Ok(Turn { seat, play })
        });
        let turns = turns.collect::<PyResult<Vec<Turn>>>()?;
        let gifts = Gifts { gave: set_of("gave", gave)?, got: set_of("got", got)? };
        let known = Knowledge { seat, hand, counts, gone, table, turns: &[], leader, before, gifts };
        known.check().map_err(PyValueError::new_err)?;
        let made = DaifugoKnowledge { known, turns };
        made.check_record()?;
        Ok(made)
    }
}

impl DaifugoKnowledge {
    /// ValueError unless turns that are told with the one who led at first are all that happened.
    fn check_record(&self) -> PyResult<()> {
        let played = self.turns.iter().fold(0, |cards, turn| cards | turn.play.cards);
        let sizes: u32 = self.turns.iter().map(|turn| u32::from(turn.play.size)).sum();
        if played.count_ones() != sizes {
            return Err(error("turns", "a card was played twice"));
        }
        let Some(leader) = self.known.leader else { return Ok(()) };
        if played != self.known.gone {
            return Err(error("turns", "with a leader all cards that are gone must be in them"));
        }
        let mut counts = self.known.counts;
        for turn in &self.turns {
            counts[usize::from(turn.seat)] += turn.play.size;
        }
        let mut table = Table::start(leader);
        for (number, turn) in self.turns.iter().enumerate() {
            if table.is_over() || table.is_stalled() || table.turn != turn.seat {
                return Err(error("turns", format!("turn {number} is not that of seat {}", turn.seat)));
            }
            let count = &mut counts[usize::from(turn.seat)];
            *count -= turn.play.size;
            table.play(&turn.play, *count == 0 && turn.play.kind != Kind::Pass);
        }
        let told = &self.known.table;
        let same = (table.turn, table.alive, table.active, table.last, table.finished, table.field)
            == (told.turn, told.alive, told.active, told.last, told.finished, told.field);
        if same { Ok(()) } else { Err(error("turns", "they do not lead to this position")) }
    }
}

/// What a row of games came to. By game and player, except where it says otherwise.
#[pyclass(module = "engines._native", frozen, get_all)]
pub struct DaifugoGames {
    seats: Py<PyArray2<u8>>,
    ranks: Py<PyArray2<u8>>,
    turns_count: Py<PyArray2<u32>>,
    playouts_count: Py<PyArray2<u64>>,
    elapsed_s: Py<PyArray2<f64>>,
    before: Py<PyArray2<i8>>,
    dealt: Py<PyArray2<u64>>,
    gave: Py<PyArray2<u64>>,
    got: Py<PyArray2<u64>>,
    record_ends: Py<PyArray1<u64>>,
    record_seats: Py<PyArray1<u8>>,
    record_cards: Py<PyArray1<u64>>,
    record_stands: Py<PyArray1<i8>>,
}

#[derive(Default)]
struct Rows {
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
}

impl Rows {
    fn push(&mut self, setting: &super::game::Setting, game: &Game, records: bool) {
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
        }
    }

    fn into_python(self, py: Python<'_>) -> PyResult<DaifugoGames> {
        fn table<T: numpy::Element>(py: Python<'_>, cells: Vec<T>) -> PyResult<Py<PyArray2<T>>> {
            let rows = cells.len() / PLAYERS;
            Ok(PyArray1::from_vec(py, cells).reshape([rows, PLAYERS])?.unbind())
        }
        let turns = &self.turns;
        Ok(DaifugoGames {
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

/// Plays games `first` to `first + count - 1` of a seed.
#[pyfunction]
#[pyo3(signature = (players, *, seed, first, count, seat_period, rank_period, records=false))]
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
) -> PyResult<DaifugoGames> {
    let mut players = players_of(&players)?;
    let tournament = tournament_of(seed, first, seat_period, rank_period)?;
    let mut rows = Rows::default();
    within(py, |clock| {
        tournament.play(first, count, &mut players, clock, |setting, game| rows.push(setting, game, records))
    })?;
    rows.into_python(py)
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

/// Without the interpreter's lock, until done or Ctrl-C.
fn within<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Clock<'_>) -> Result<R, crate::search::Stop> + Send,
) -> PyResult<R> {
    searching::run(py, 0, 0, 0.0, |mut limits| work(&mut limits.clock))
}

/// Adds the names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DaifugoGenerator>()?;
    module.add_class::<DaifugoPlayer>()?;
    module.add_class::<DaifugoKnowledge>()?;
    module.add_class::<DaifugoGames>()?;
    module.add_function(wrap_pyfunction!(daifugo_legal_plays, module)?)?;
    module.add_function(wrap_pyfunction!(daifugo_games, module)?)?;
    module.add_function(wrap_pyfunction!(daifugo_he_counts, module)?)?;
    module.add_function(wrap_pyfunction!(daifugo_evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(daifugo_choose, module)?)?;
    module.add_function(wrap_pyfunction!(daifugo_give, module)?)?;
    module.add_function(wrap_pyfunction!(daifugo_worlds, module)?)?;
    Ok(())
}
