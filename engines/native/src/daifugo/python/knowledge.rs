//! What a player knows, told by Python.
use super::super::knowledge::{Gifts, Knowledge, Turn};
use super::super::play::Kind;
use super::super::table::{PLAYERS, Table};
use super::arguments::{error, field_of, play_of, set_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What one player knows.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoKnowledge {
    known: Knowledge<'static>,
    turns: Vec<Turn>,
}

impl DaifugoKnowledge {
    pub fn knowledge(&self) -> Knowledge<'_> {
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
