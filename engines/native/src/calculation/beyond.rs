//! Values of two-board states that no game of two boards reaches, computed from what follows and kept.
//!
//! The order of four boards can forbid a stack to a card of two of them through a card of a third. What follows from such a
//! state is in the table again, or it is another such state.
use super::nodes::{Failure, Table};
use crate::reader::{self, Bytes};
use crate::stackgame::table::Rules;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Places are even already.
#[derive(Default)]
pub struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("places are words")
    }

    fn write_u64(&mut self, place: u64) {
        self.0 = (place ^ place >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type Values = HashMap<u64, f32, BuildHasherDefault<PlaceHasher>>;

/// The states of a layer that have to be computed, and what follows from them.
#[derive(Default)]
struct Layer {
    places: Vec<u64>,
    /// For each state, where its cards begin in `cards`; for each card, where its successors begin in `nexts`.
    states: Vec<u32>,
    cards: Vec<u32>,
    /// Indices in `found`.
    nexts: Vec<u32>,
    /// Different successors in ascending order, and their values; NaN where they are computed too.
    found: Vec<u64>,
    values: Vec<f64>,
}

/// What was computed so far, by layer.
pub struct Beyond {
    values: Vec<Values>,
    /// Look-ups that this took.
    pub lookups_count: u64,
    pub states_count: u64,
}

impl Beyond {
    pub fn new(layers: usize) -> Beyond {
        let values = (0..=layers).map(|_| Values::default()).collect();
        Beyond { values, lookups_count: 0, states_count: 0 }
    }

    /// Puts values where there are none (NaN).
    pub fn fill<B: Bytes>(
        &mut self,
        table: &Table<'_, B>,
        layers: &[u8],
        places: &[u64],
        values: &mut [f64],
    ) -> Result<(), Failure> {
        let mut open: Vec<Vec<u64>> = vec![Vec::new(); self.values.len()];
        for ((&layer, &place), value) in layers.iter().zip(places).zip(values.iter_mut()) {
            if value.is_nan() {
                match self.values[layer as usize].get(&place) {
                    Some(&known) => *value = f64::from(known),
                    None => open[layer as usize].push(place),
                }
            }
        }
        if open.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let mut work: Vec<Layer> = Vec::new();
        for number in (1..open.len()).rev() {
            let mut places = std::mem::take(&mut open[number]);
            places.sort_unstable();
            places.dedup();
            let layer = self.expand(table, number, places)?;
            let below = layer.found.iter().zip(&layer.values).filter(|(_, value)| value.is_nan());
            open[number - 1].extend(below.map(|(place, _)| place));
            work.push(layer);
        }
        for (number, layer) in work.iter_mut().rev().enumerate().map(|(index, layer)| (index + 1, layer)) {
            self.evaluate(number, layer);
        }
        for ((&layer, &place), value) in layers.iter().zip(places).zip(values.iter_mut()) {
            if value.is_nan() {
                *value = f64::from(self.values[layer as usize][&place]);
            }
        }
        Ok(())
    }

    fn expand<B: Bytes>(&mut self, table: &Table<'_, B>, number: usize, places: Vec<u64>) -> Result<Layer, Failure> {
        let mut layer = Layer { places, ..Layer::default() };
        if layer.places.is_empty() {
            return Ok(layer);
        }
        let mut walker = table.rules.walker(number);
        let mut found: Vec<(u64, u32)> = Vec::new();
        for place in &layer.places {
            layer.states.push(layer.cards.len() as u32);
            let mut last = usize::MAX;
            table.rules.expand(&mut walker, number, place, |card, next| {
                if card != last {
                    layer.cards.push(found.len() as u32);
                    last = card;
                }
                found.push((next, found.len() as u32));
            });
        }
        layer.states.push(layer.cards.len() as u32);
        layer.cards.push(found.len() as u32);
        if number == 1 {
            layer.nexts = vec![0; found.len()];
            layer.found = vec![0];
            layer.values = vec![1.0];
            return Ok(layer);
        }
        found.sort_unstable();
        layer.nexts = vec![0; found.len()];
        for (next, index) in found {
            if layer.found.last() != Some(&next) {
                layer.found.push(next);
            }
            layer.nexts[index as usize] = layer.found.len() as u32 - 1;
        }
        layer.values = vec![f64::NAN; layer.found.len()];
        reader::lookup(&table.layers, &layer.found, |_| number - 1, &mut layer.values)
            .map_err(|(layer, damaged)| Failure { layer, damaged })?;
        self.lookups_count += layer.found.len() as u64;
        let known = &self.values[number - 1];
        for (next, value) in layer.found.iter().zip(&mut layer.values) {
            if value.is_nan() {
                *value = known.get(next).map_or(f64::NAN, |&value| f64::from(value));
            }
        }
        Ok(layer)
    }

    fn evaluate(&mut self, number: usize, layer: &mut Layer) {
        let (below, here) = self.values.split_at_mut(number);
        for (next, value) in layer.found.iter().zip(&mut layer.values) {
            if value.is_nan() {
                *value = f64::from(below[number - 1][next]);
            }
        }
        for (state, place) in layer.places.iter().enumerate() {
            let mut sum = 0.0;
            for card in layer.states[state]..layer.states[state + 1] {
                let (from, to) = (layer.cards[card as usize], layer.cards[card as usize + 1]);
                let nexts = &layer.nexts[from as usize..to as usize];
                sum += nexts.iter().fold(0.0f64, |best, &next| best.max(layer.values[next as usize]));
            }
            here[0].insert(*place, (sum / number as f64) as f32);
        }
        self.states_count += layer.places.len() as u64;
    }
}
