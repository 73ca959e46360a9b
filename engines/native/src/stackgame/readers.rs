//! Look-ups in finished tables as Python sees them.
use super::game::{Form, Game};
use super::two_boards::TwoBoards;
use super::{general, width2};
use crate::storage::arrays::keys_from;
use crate::storage::arrays::value_error;
use crate::storage::block::BlockKey;
use crate::storage::damaged::Damaged;
use crate::storage::keys::Wide;
use crate::storage::mapped::Mapped;
use crate::storage::reader::{self, Reader};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use std::sync::Arc;

/// Look-ups in a finished layer; holds the blocks of all its shards in ascending order, read in place.
#[pyclass(module = "engines._native", frozen)]
pub struct LayerReader {
    pub blocks: Blocks,
    #[pyo3(get)]
    pub layer: usize,
}

pub enum Blocks {
    One(Reader<u64, Mapped>),
    Four(Reader<Wide, Mapped>),
}

/// A reader for one kind of keys.
pub trait ReaderOf: Sized {
    fn reader(blocks: &Blocks) -> Option<&Reader<Self, Mapped>>;
}

impl ReaderOf for u64 {
    fn reader(blocks: &Blocks) -> Option<&Reader<u64, Mapped>> {
        match blocks {
            Blocks::One(reader) => Some(reader),
            Blocks::Four(_) => None,
        }
    }
}

impl ReaderOf for Wide {
    fn reader(blocks: &Blocks) -> Option<&Reader<Wide, Mapped>> {
        match blocks {
            Blocks::Four(reader) => Some(reader),
            Blocks::One(_) => None,
        }
    }
}

impl Blocks {
    pub fn of<K: ReaderOf>(layer: &LayerReader) -> PyResult<&Reader<K, Mapped>> {
        K::reader(&layer.blocks).ok_or_else(|| value_error("reader: it belongs to a game of another form"))
    }
}

#[pymethods]
impl LayerReader {
    /// ValueError `block N: ...` when a header is damaged or blocks are out of order.
    #[new]
    fn new(game: &Game, layer: usize, blocks: Vec<Bound<'_, PyArray1<u8>>>) -> PyResult<LayerReader> {
        game.check_layer(layer)?;
        let owners = blocks.iter().map(Mapped::new).collect::<PyResult<Vec<_>>>()?;
        let bits = game.bits_of(layer)?;
        let blocks = match &*game.form {
            Form::Two(_) => Blocks::One(Reader::new(bits, owners).map_err(|found| found.error())?),
            Form::Many(_) => Blocks::Four(Reader::new(bits, owners).map_err(|found| found.error())?),
        };
        Ok(LayerReader { blocks, layer })
    }

    /// States in the layer.
    #[getter]
    fn count(&self) -> usize {
        match &self.blocks {
            Blocks::One(reader) => reader.count(),
            Blocks::Four(reader) => reader.count(),
        }
    }

    /// (values float64, codes uint8): code 0 found, 3 not in the layer (value NaN).
    fn lookup<'py>(
        &self,
        py: Python<'py>,
        keys: PyReadonlyArrayDyn<'_, u64>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u8>>)> {
        fn look<K: BlockKey>(py: Python<'_>, reader: &Reader<K, Mapped>, keys: &[K]) -> PyResult<(Vec<f64>, Vec<u8>)> {
            py.detach(|| {
                let mut values = vec![0.0; keys.len()];
                reader.lookup(keys, &mut values)?;
                let codes = values.iter().map(|v| if v.is_nan() { NOT_REACHABLE } else { FOUND }).collect();
                Ok((values, codes))
            })
            .map_err(|found: Damaged| found.error())
        }
        let (values, codes) = match &self.blocks {
            Blocks::One(reader) => look(py, reader, &keys_from("keys", &keys)?)?,
            Blocks::Four(reader) => look(py, reader, &keys_from("keys", &keys)?)?,
        };
        Ok((values.into_pyarray(py), codes.into_pyarray(py)))
    }
}

/// Look-ups in a whole table: states of any layers in one batch.
#[pyclass(module = "engines._native", frozen)]
pub struct TableReader {
    form: Arc<Form>,
    stacks: usize,
    pub boards: usize,
    /// By layer; the empty state's layer has none.
    layers: Vec<Option<Py<LayerReader>>>,
}

/// What a look-up found.
const FOUND: u8 = 0;
const IS_DEAD: u8 = 1;
const TOO_LARGE: u8 = 2;
const NOT_REACHABLE: u8 = 3;

impl TableReader {
    /// The rules of a game of at most two boards; None for any other.
    pub fn two_boards(&self) -> Option<&TwoBoards> {
        match &*self.form {
            Form::Two(rules) => Some(rules),
            Form::Many(_) => None,
        }
    }

    /// Layers of the game.
    pub fn layers_count(&self) -> usize {
        self.layers.len() - 1
    }

    /// The readers of a game of at most two boards by layer, none for the empty state; None when a layer is missing.
    pub fn two_board_readers(&self) -> PyResult<Option<Vec<Option<&Reader<u64, Mapped>>>>> {
        if self.layers[1..].iter().any(Option::is_none) {
            return Ok(None);
        }
        let layers = self.layers.iter();
        layers
            .map(|layer| layer.as_ref().map(|reader| Blocks::of(reader.get())).transpose())
            .collect::<PyResult<Vec<_>>>()
            .map(Some)
    }

    /// Looks up keys of mixed layers, layer by layer. Layers out of range are too large.
    fn mixed<K: BlockKey + ReaderOf>(
        &self,
        py: Python<'_>,
        layers: &[u8],
        keys: &[K],
    ) -> PyResult<(Vec<f64>, Vec<u8>)> {
        let readers = self
            .layers
            .iter()
            .map(|layer| layer.as_ref().map(|reader| Blocks::of(reader.get())).transpose())
            .collect::<PyResult<Vec<Option<&Reader<K, Mapped>>>>>()?;
        py.detach(|| {
            let mut values = vec![f64::NAN; keys.len()];
            reader::lookup(&readers, keys, |index| usize::from(layers[index]), &mut values)?;
            let code = |(layer, value): (&u8, &f64)| match readers.get(usize::from(*layer)) {
                Some(Some(_)) if value.is_nan() => NOT_REACHABLE,
                Some(Some(_)) => FOUND,
                _ => TOO_LARGE,
            };
            let codes = layers.iter().zip(&values).map(code).collect();
            Ok((values, codes))
        })
        .map_err(|(layer, found): (usize, Damaged)| found.error_in(layer))
    }

    /// The layer and key of a state, or the code that says why it has none.
    fn key_of<K>(&self, before: &[u32], forbidden: &[u8], place: impl Fn(&general::State) -> K) -> Result<K, u8> {
        let cards = before.len();
        if cards == 0 || cards >= self.layers.len() {
            return Err(TOO_LARGE);
        }
        let mut state = general::State { cards, before: [0; general::MAX_CARDS], forbidden: [0; general::MAX_CARDS] };
        state.before[..cards].copy_from_slice(before);
        state.forbidden[..cards].copy_from_slice(forbidden);
        match general::Coder::new(self.stacks, self.boards, cards) {
            Ok(coder) if coder.check(&state).is_ok() => {}
            _ => return Err(TOO_LARGE),
        }
        if general::is_dead(&state, self.stacks) {
            return Err(IS_DEAD);
        }
        Ok(place(&state))
    }
}

#[pymethods]
impl TableReader {
    /// `layers`: the readers of all layers of the game, in any order.
    #[new]
    fn new(game: &Game, layers: Vec<Py<LayerReader>>) -> PyResult<TableReader> {
        let mut by_layer: Vec<Option<Py<LayerReader>>> = (0..=game.boards * game.cards).map(|_| None).collect();
        for reader in layers {
            let layer = reader.get().layer;
            game.check_layer(layer)?;
            by_layer[layer] = Some(reader);
        }
        Ok(TableReader { form: Arc::clone(&game.form), stacks: game.stacks, boards: game.boards, layers: by_layer })
    }

    /// (values float64, codes uint8) of states by layer (uint8) and key: 0 found, 2 too large, 3 not reachable; NaN unless found.
    fn lookup<'py>(
        &self,
        py: Python<'py>,
        layers: PyReadonlyArray1<'_, u8>,
        keys: PyReadonlyArrayDyn<'_, u64>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u8>>)> {
        let layers = layers.as_slice().map_err(|_| value_error("layers: not contiguous"))?;
        let check = |count: usize| {
            if count == layers.len() {
                return Ok(());
            }
            Err(value_error(format!("keys: {count} do not go with {} layers", layers.len())))
        };
        let (values, codes) = match &*self.form {
            Form::Two(_) => {
                let keys = keys_from::<u64>("keys", &keys)?;
                check(keys.len())?;
                self.mixed(py, layers, &keys)?
            }
            Form::Many(_) => {
                let keys = keys_from::<Wide>("keys", &keys)?;
                check(keys.len())?;
                self.mixed(py, layers, &keys)?
            }
        };
        Ok((values.into_pyarray(py), codes.into_pyarray(py)))
    }

    /// The same for states given by their orders, a pair (before, forbidden) each; code 1: dead (value 0).
    fn lookup_states<'py>(
        &self,
        py: Python<'py>,
        states: Vec<(Vec<u32>, Vec<u8>)>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u8>>)> {
        if states.iter().any(|(before, forbidden)| before.len() != forbidden.len()) {
            return Err(value_error("states: one mask a card is needed in both lists"));
        }
        let layers: Vec<u8> = states.iter().map(|(before, _)| before.len().min(255) as u8).collect();
        fn ask<K: BlockKey + ReaderOf>(
            table: &TableReader,
            py: Python<'_>,
            layers: &[u8],
            keys: Vec<Result<K, u8>>,
        ) -> PyResult<(Vec<f64>, Vec<u8>)> {
            let plain: Vec<K> = keys.iter().map(|key| key.unwrap_or_default()).collect();
            let (mut values, mut codes) = table.mixed(py, layers, &plain)?;
            for ((value, code), key) in values.iter_mut().zip(&mut codes).zip(&keys) {
                if let Err(reason) = key {
                    *code = *reason;
                    *value = if *reason == IS_DEAD { 0.0 } else { f64::NAN };
                }
            }
            Ok((values, codes))
        }
        let (values, codes) = match &*self.form {
            Form::Two(rules) => {
                let key = |(before, forbidden): &(Vec<u32>, Vec<u8>)| {
                    self.key_of(before, forbidden, |_| {
                        width2::State::from_order(before, forbidden, self.stacks)
                            .map(|(state, _, _)| rules.place(&state))
                    })
                    .and_then(|key| key.ok_or(TOO_LARGE))
                };
                ask(self, py, &layers, states.iter().map(key).collect())?
            }
            Form::Many(rules) => {
                let key = |(before, forbidden): &(Vec<u32>, Vec<u8>)| {
                    self.key_of(before, forbidden, |state| rules.place(state))
                };
                ask(self, py, &layers, states.iter().map(key).collect())?
            }
        };
        Ok((values.into_pyarray(py), codes.into_pyarray(py)))
    }
}
