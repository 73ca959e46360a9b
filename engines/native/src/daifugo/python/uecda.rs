//! Daihinmin over a network, as Python sees it.
use super::super::cards::Cards;
use super::super::players::Player;
use super::super::table::PLAYERS;
use super::super::uecda::cells::Cells;
use super::super::uecda::chairs::Chair;
use super::super::uecda::door::Door;
use super::super::uecda::guest::{Broken, Guest};
use super::super::uecda::host::{Host, Rules};
use super::super::uecda::link::Link;
use super::super::uecda::seen::Seen;
use super::arguments::{error, within};
use super::games::{DaifugoGames, Rows, tournament_of};
use super::options::DaifugoPlayer;
use crate::search::{Clock, Stop};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyConnectionError, PyKeyboardInterrupt, PyTimeoutError};
use pyo3::prelude::*;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

fn duration(field: &str, seconds: f64) -> PyResult<Duration> {
    let found = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
    found.ok_or_else(|| error(field, format!("{seconds} is no time above 0")))
}

/// A port that is listened on.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoUecdaListener {
    door: Mutex<Door>,
    #[pyo3(get)]
    port: u16,
}

/// A connection that said who it is; it is taken away by the match that it plays.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoUecdaLink {
    link: Mutex<Option<Box<Link>>>,
    profile: Cells,
    #[pyo3(get)]
    name: String,
}

#[pymethods]
impl DaifugoUecdaListener {
    #[new]
    #[pyo3(signature = (address, port))]
    fn new(address: &str, port: u16) -> PyResult<DaifugoUecdaListener> {
        let door = Door::new((address, port))?;
        let port = door.port()?;
        Ok(DaifugoUecdaListener { door: Mutex::new(door), port })
    }

    /// The next player who connects; None if nobody does in time.
    #[pyo3(signature = (number, *, limit_s, write_limit_s))]
    fn accept(
        &self,
        py: Python<'_>,
        number: usize,
        limit_s: f64,
        write_limit_s: f64,
    ) -> PyResult<Option<DaifugoUecdaLink>> {
        let (limit, write) = (duration("limit_s", limit_s)?, duration("write_limit_s", write_limit_s)?);
        let door = &self.door;
        let found = within(py, |clock| {
            door.lock().unwrap_or_else(PoisonError::into_inner).accept(number, limit, write, clock)
        })?;
        Ok(found.map(|entered| DaifugoUecdaLink {
            link: Mutex::new(Some(Box::new(entered.link))),
            profile: entered.profile,
            name: entered.name,
        }))
    }
}

/// Who plays for a number: a player of the core or a connection.
#[derive(FromPyObject)]
enum Seated<'py> {
    Own(PyRef<'py, DaifugoPlayer>),
    Linked(PyRef<'py, DaifugoUecdaLink>),
}

/// Five players at a server.
#[pyclass(module = "engines._native")]
pub struct DaifugoUecdaMatch(Host);

#[pymethods]
impl DaifugoUecdaMatch {
    #[new]
    #[pyo3(signature = (chairs, *, last, limit_s, takes_chair))]
    fn new(chairs: Vec<Seated<'_>>, last: u64, limit_s: f64, takes_chair: bool) -> PyResult<DaifugoUecdaMatch> {
        let limit = duration("limit_s", limit_s)?;
        if chairs.len() != PLAYERS {
            return Err(error("chairs", format!("{} of them, not {PLAYERS}", chairs.len())));
        }
        let mut profile = Cells::default();
        let mut taken = Vec::new();
        for chair in &chairs {
            taken.push(match chair {
                Seated::Own(player) => Chair::Own(player.0.player()),
                Seated::Linked(link) => {
                    profile = link.profile;
                    let link = link.link.lock().unwrap_or_else(PoisonError::into_inner).take();
                    Chair::Linked(link.ok_or_else(|| error("chairs", "a connection has played already"))?)
                }
            });
        }
        let Ok(taken) = <[Chair; PLAYERS]>::try_from(taken) else { unreachable!("there are five") };
        Ok(DaifugoUecdaMatch(Host::new(taken, Rules { limit, takes_chair, last }, profile)))
    }

    /// Plays games like `daifugo_games`, and tells the first fault (0: none) and the refused plays, by game and player.
    ///
    /// `ranks`: the players by rank after the game before the first; None if those are forgotten.
    #[pyo3(signature = (*, seed, first, count, seat_period, rank_period, records, ranks=None))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn play<'py>(
        &mut self,
        py: Python<'py>,
        seed: u64,
        first: u64,
        count: u64,
        seat_period: u64,
        rank_period: u64,
        records: bool,
        ranks: Option<[u8; PLAYERS]>,
    ) -> PyResult<(DaifugoGames, Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u32>>)> {
        let tournament = tournament_of(seed, if ranks.is_some() { 0 } else { first }, seat_period, rank_period)?;
        if ranks.is_some_and(|ranks| (0..PLAYERS as u8).any(|player| !ranks.contains(&player))) {
            return Err(error("ranks", "not all five players"));
        }
        let (host, mut rows) = (&mut self.0, Rows::default());
        host.told.clear();
        within(py, |clock| {
            tournament.go_on(first, count, ranks, host, clock, |setting, game| rows.push(setting, game, records))
        })?;
        let notes = self.0.told.as_flattened();
        let faults: Vec<u8> = notes.iter().map(|note| note.fault.map_or(0, |fault| fault as u8)).collect();
        let refused: Vec<u32> = notes.iter().map(|note| note.refused_count).collect();
        let shape = [self.0.told.len(), PLAYERS];
        Ok((
            rows.into_python(py, tournament, first)?,
            PyArray1::from_vec(py, faults).reshape(shape)?,
            PyArray1::from_vec(py, refused).reshape(shape)?,
        ))
    }

    /// Ends all connections.
    fn close(&mut self) {
        self.0.close();
    }
}

/// A game as a client saw it. By seat, except `seats`.
#[pyclass(module = "engines._native", frozen, get_all)]
pub struct DaifugoUecdaGame {
    index: u64,
    seat: u8,
    seats: [u8; PLAYERS],
    before: Option<[u8; PLAYERS]>,
    dealt: Cards,
    gave: Cards,
    got: Cards,
    hands: Option<[Cards; PLAYERS]>,
    turns: Vec<(u8, Cards, i8)>,
    finished: Option<[u8; PLAYERS]>,
    breaks_count: u32,
}

impl DaifugoUecdaGame {
    fn of(index: u64, seen: &Seen) -> DaifugoUecdaGame {
        DaifugoUecdaGame {
            index,
            seat: seen.seat(),
            seats: seen.seats,
            before: seen.before,
            dealt: seen.dealt,
            gave: seen.gifts.gave,
            got: seen.gifts.got,
            hands: seen.hands(),
            turns: seen.turns.iter().map(|turn| (turn.seat, turn.play.cards, turn.play.stands)).collect(),
            finished: seen.finished(),
            breaks_count: seen.breaks_count,
        }
    }
}

/// A client that lets a player of the core play.
#[pyclass(module = "engines._native")]
pub struct DaifugoUecdaGuest {
    guest: Guest,
    player: Player,
    seed: u64,
    index: u64,
}

/// `work` without the interpreter's lock; its error as an exception.
fn talking<R: Send>(py: Python<'_>, work: impl FnOnce(&mut Clock<'_>) -> Result<R, Broken> + Send) -> PyResult<R> {
    let told = within(py, |clock| match work(clock) {
        Err(Broken::Interrupt) => Err(Stop::Interrupt),
        other => Ok(other),
    })?;
    told.map_err(|broken| match broken {
        Broken::Interrupt => PyKeyboardInterrupt::new_err(()),
        Broken::Closed(text) => PyConnectionError::new_err(text),
        Broken::Silent => PyTimeoutError::new_err("the server is silent"),
        Broken::Number(number) => PyConnectionError::new_err(format!("the server sent {number}, which means nothing")),
    })
}

#[pymethods]
impl DaifugoUecdaGuest {
    #[new]
    #[pyo3(signature = (host, port, name, player, *, seed, first, patience_s))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn new(
        py: Python<'_>,
        host: &str,
        port: u16,
        name: &str,
        player: PyRef<'_, DaifugoPlayer>,
        seed: u64,
        first: u64,
        patience_s: f64,
    ) -> PyResult<DaifugoUecdaGuest> {
        let (player, patience) = (player.0.player(), duration("patience_s", patience_s)?);
        let guest = talking(py, |clock| {
            let mut failed = Broken::Closed("there is no such host".into());
            for address in (host, port).to_socket_addrs()? {
                match TcpStream::connect_timeout(&address, patience) {
                    Ok(stream) => return Guest::join(stream, name, patience, clock),
                    Err(error) => failed = error.into(),
                }
            }
            Err(failed)
        })?;
        Ok(DaifugoUecdaGuest { guest, player, seed, index: first })
    }

    #[getter]
    fn number(&self) -> u8 {
        self.guest.number
    }

    /// Whether the server said that all games are over.
    #[getter]
    fn is_over(&self) -> bool {
        self.guest.is_over
    }

    #[getter]
    fn refused_count(&self) -> u64 {
        self.guest.refused_count
    }

    #[getter]
    fn breaks_count(&self) -> u64 {
        self.guest.breaks_count
    }

    /// Plays one game; None where its first table was none.
    fn play(&mut self, py: Python<'_>) -> PyResult<Option<DaifugoUecdaGame>> {
        let (guest, player, seed, index) = (&mut self.guest, &mut self.player, self.seed, self.index);
        self.index = self.index.wrapping_add(1);
        let seen = talking(py, |clock| guest.play(player, seed, index, clock))?;
        Ok(seen.map(|seen| DaifugoUecdaGame::of(index, &seen)))
    }
}
