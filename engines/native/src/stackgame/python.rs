//! The stack game as Python sees it.
use super::boards::Boards;
use super::game::{Form, Game, check_places, with_form};
use super::play::{self, Playable};
use super::readers::{Blocks, LayerReader};
use super::table::{self, Rules};
use super::two_boards::TwoBoards;
use super::{general, text, width2};
use crate::storage::arrays::value_error;
use crate::storage::arrays::{keys_from, keys_into};
use crate::storage::block::BlockKey;
use crate::storage::keys::{Key, Wide};
use crate::storage::mapped::Mapped;
use crate::storage::reader::Reader;
use crate::storage::values::{ValueType, stored_value};
use numpy::{IntoPyArray, PyArray1, PyArrayDyn, PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use std::sync::Arc;

#[pymethods]
impl Game {
    /// `form`: `general` for the general canonical form even for one or two boards, `indexed` for their ranks as places.
    #[new]
    #[pyo3(signature = (stacks, boards, cards, form="auto"))]
    fn new(stacks: usize, boards: usize, cards: usize, form: &str) -> PyResult<Game> {
        let (general, indexed) = (form == "general", form == "indexed");
        let most_stacks = if boards <= 2 && !general { width2::MAX_STACKS } else { general::MAX_STACKS };
        for (name, value, most) in [
            ("stacks", stacks, most_stacks),
            ("boards", boards, general::MAX_BOARDS),
            ("cards", cards, general::MAX_CARDS / boards.clamp(1, general::MAX_BOARDS)),
        ] {
            if value < 1 || value > most {
                return Err(value_error(format!("{name}: {value} is not in 1..{most}")));
            }
        }
        let made = if indexed { TwoBoards::ranked } else { TwoBoards::new };
        let two = (boards <= 2 && !general).then(|| made(stacks, boards, cards)).flatten();
        let form = match two {
            Some(two) => Form::Two(Box::new(two)),
            None if indexed && boards > 2 => return Err(value_error("form: indexed is for one or two boards")),
            None if indexed => return Err(value_error("form: a layer has more states than 32 bits count")),
            None => Form::Many(Boards::new(stacks, boards, cards).map_err(value_error)?),
        };
        Ok(Game { form: Arc::new(form), stacks, boards, cards })
    }

    /// 64-bit words of a place: 1 or 4.
    #[getter]
    fn words(&self) -> usize {
        match &*self.form {
            Form::Two(_) => <u64 as Key>::WORDS,
            Form::Many(_) => <Wide as Key>::WORDS,
        }
    }

    /// Bits of a place in a layer (number of cards left).
    fn key_bits(&self, layer: usize) -> PyResult<u32> {
        self.bits_of(layer)
    }

    /// States of a layer, where their places are the numbers below it; None where places have gaps.
    fn count(&self, layer: usize) -> PyResult<Option<u64>> {
        self.check_layer(layer)?;
        Ok(match &*self.form {
            Form::Two(rules) => rules.count(layer),
            Form::Many(_) => None,
        })
    }

    /// States a block of this game's shard files.
    #[getter]
    fn block_states(&self) -> usize {
        match &*self.form {
            Form::Two(_) => u64::STATES,
            Form::Many(_) => Wide::STATES,
        }
    }

    /// Place of the first state, as an array of one key.
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        match &*self.form {
            Form::Two(rules) => keys_into(py, &[rules.place(&rules.start())]),
            Form::Many(rules) => keys_into(py, &[rules.place(&rules.start())]),
        }
    }

    /// Place of a state given by its order: `before[x]`, a mask of cards (closed), and `forbidden[x]`, a mask of stacks.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        before: Vec<u32>,
        forbidden: Vec<u8>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        self.check_layer(before.len())?;
        if forbidden.len() != before.len() {
            return Err(value_error("forbidden: one mask a card is needed"));
        }
        let mut state =
            general::State { cards: before.len(), before: [0; general::MAX_CARDS], forbidden: [0; general::MAX_CARDS] };
        state.before[..before.len()].copy_from_slice(&before);
        state.forbidden[..forbidden.len()].copy_from_slice(&forbidden);
        general::Coder::new(self.stacks, self.boards, before.len())
            .and_then(|coder| coder.check(&state))
            .map_err(value_error)?;
        if general::is_dead(&state, self.stacks) {
            return Err(value_error("forbidden: some card may go nowhere"));
        }
        match &*self.form {
            Form::Two(rules) => {
                let (state, _, _) = width2::State::from_order(&before, &forbidden, self.stacks)
                    .ok_or_else(|| value_error("before: the order needs more than two chains"))?;
                keys_into(py, &[rules.place(&state)])
            }
            Form::Many(rules) => keys_into(py, &[rules.place(&state)]),
        }
    }

    /// The canonical state at a place: (before, forbidden).
    fn decode(&self, layer: usize, place: PyReadonlyArrayDyn<'_, u64>) -> PyResult<(Vec<u32>, Vec<u32>)> {
        self.check_layer(layer)?;
        match &*self.form {
            Form::Two(rules) => {
                let place = one(&keys_from::<u64>("place", &place)?)?;
                let state = rules.state(layer, place).ok_or_else(|| value_error("place: no state has this number"))?;
                let (before, forbidden) = state.to_order(self.stacks);
                Ok((before, forbidden.into_iter().map(u32::from).collect()))
            }
            Form::Many(rules) => {
                let state = rules.state(layer, &one(&keys_from::<Wide>("place", &place)?)?);
                Ok((state.before[..layer].to_vec(), state.forbidden[..layer].iter().map(|&f| u32::from(f)).collect()))
            }
        }
    }

    /// The canonical states at places of a layer as text.
    fn texts(&self, py: Python<'_>, layer: usize, places: PyReadonlyArrayDyn<'_, u64>) -> PyResult<Vec<String>> {
        self.check_layer(layer)?;
        let texts: Result<_, String> = match &*self.form {
            Form::Two(rules) => {
                let places = keys_from::<u64>("places", &places)?;
                let write = |&place: &u64| -> Result<String, String> {
                    let state = rules.state(layer, place).ok_or("no state has this number")?;
                    let (before, forbidden) = state.to_order(self.stacks);
                    Ok(text::format(self.stacks, &before, &forbidden))
                };
                py.detach(|| places.iter().map(write).collect())
            }
            Form::Many(rules) => {
                let places = keys_from::<Wide>("places", &places)?;
                let coder = general::Coder::new(self.stacks, self.boards, layer).map_err(value_error)?;
                let write = |place: &Wide| -> Result<String, String> {
                    let state = rules.state(layer, place);
                    coder.check(&state)?;
                    Ok(text::format(self.stacks, &state.before[..layer], &state.forbidden[..layer]))
                };
                py.detach(|| places.iter().map(write).collect())
            }
        };
        texts.map_err(|reason| value_error(format!("places: {reason}")))
    }

    /// Live successors of the canonical state at a place: (card, stack, place), one stack of each class of equal stacks.
    fn successors<'py>(
        &self,
        py: Python<'py>,
        layer: usize,
        place: PyReadonlyArrayDyn<'_, u64>,
    ) -> PyResult<Vec<(usize, usize, Bound<'py, PyArrayDyn<u64>>)>> {
        self.check_layer(layer)?;
        fn list<'py, R: Rules>(
            py: Python<'py>,
            rules: &R,
            layer: usize,
            place: &R::Key,
        ) -> PyResult<Vec<(usize, usize, Bound<'py, PyArrayDyn<u64>>)>> {
            let mut found = Vec::new();
            rules.successors(layer, place, |card, stack, next| found.push((card, stack, next)));
            found.into_iter().map(|(card, stack, next)| Ok((card, stack, keys_into(py, &[next])?))).collect()
        }
        with_form!(&self.form, rules => {
            let place = one(&keys_from("place", &place)?)?;
            check_places(rules, layer, &[place])?;
            list(py, rules, layer, &place)
        })
    }

    /// Probability of a state by building everything below it in memory; None when that takes more than `max_states` states.
    fn solve(
        &self,
        py: Python<'_>,
        layer: usize,
        place: PyReadonlyArrayDyn<'_, u64>,
        max_states: usize,
    ) -> PyResult<Option<f64>> {
        self.check_layer(layer)?;
        let form = Arc::clone(&self.form);
        with_form!(&form, rules => {
            let place = one(&keys_from("place", &place)?)?;
            check_places(rules, layer, &[place])?;
            Ok(py.detach(|| table::solve(rules, layer, place, max_states)))
        })
    }

    /// Values (float64) of the states of a layer from the finished layer below; `below` is None for the last layer.
    ///
    /// ValueError when a block is damaged or a successor is missing.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        layer: usize,
        places: PyReadonlyArrayDyn<'_, u64>,
        below: Option<&LayerReader>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check_layer(layer)?;
        if layer > 1 && below.is_none_or(|reader| reader.layer != layer - 1) {
            return Err(value_error(format!("below: the reader of layer {} is needed", layer - 1)));
        }
        let form = Arc::clone(&self.form);
        let values = with_form!(&form, rules => {
            let places = keys_from("places", &places)?;
            check_places(rules, layer, &places)?;
            let reader = below.filter(|_| layer > 1).map(Blocks::of).transpose()?;
            py.detach(|| table::evaluate(rules, layer, &places, reader))
        });
        match values {
            Ok(values) => Ok(values.into_pyarray(py)),
            Err(table::Failure::Damaged(found)) => Err(found.error()),
            Err(table::Failure::Missing(state)) => {
                Err(value_error(format!("a successor of state {state} is not in layer {}", layer - 1)))
            }
        }
    }

    /// Plays games `first`.. of `seed` by the table: (won, cards placed) for each. `layers` are the readers of all layers.
    fn play<'py>(
        &self,
        py: Python<'py>,
        layers: Vec<PyRef<'py, LayerReader>>,
        seed: u64,
        games: PyReadonlyArray1<'_, u64>,
    ) -> PyResult<(Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<u8>>)> {
        fn all<R: Playable>(
            rules: &R,
            cards: usize,
            layers: &[(usize, &Reader<R::Key, Mapped>)],
            seed: u64,
            games: &[u64],
        ) -> Result<(Vec<bool>, Vec<u8>), play::Failure> {
            let mut by_layer = vec![None; cards + 1];
            for &(layer, reader) in layers {
                by_layer[layer] = Some(reader);
            }
            let mut won = Vec::with_capacity(games.len());
            let mut placed = Vec::with_capacity(games.len());
            for &game in games {
                let outcome = play::play(rules, cards, &by_layer, seed, game)?;
                won.push(outcome.won);
                placed.push(outcome.placed);
            }
            Ok((won, placed))
        }
        let cards = self.boards * self.cards;
        let games = games.as_slice().map_err(|_| value_error("games: not contiguous"))?.to_vec();
        let form = Arc::clone(&self.form);
        let played = with_form!(&form, rules => {
            let mut readers = Vec::new();
            for layer in &layers {
                self.check_layer(layer.layer)?;
                readers.push((layer.layer, Blocks::of(layer)?));
            }
            py.detach(|| all(rules, cards, &readers, seed, &games))
        });
        match played {
            Ok((won, placed)) => Ok((won.into_pyarray(py), placed.into_pyarray(py))),
            Err(play::Failure::Damaged(layer, found)) => Err(found.error_in(layer)),
            Err(play::Failure::Missing(layer)) => {
                Err(value_error(format!("layer {layer}: a position is not in the table")))
            }
        }
    }
}

fn one<K: Copy>(keys: &[K]) -> PyResult<K> {
    match keys {
        [key] => Ok(*key),
        _ => Err(value_error(format!("place: one is needed, not {}", keys.len()))),
    }
}

/// Values as a float32 or float64 file will hold them, in float64.
#[pyfunction]
pub fn as_stored<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'_, f64>,
    value_type: &str,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let kind = ValueType::parse(value_type).ok_or_else(|| value_error(format!("value_type: {value_type}")))?;
    Ok(values.as_array().iter().map(|&v| stored_value(v, kind)).collect::<Vec<_>>().into_pyarray(py))
}
