//! Values of two-board states that no game of two boards reaches, computed from what follows and kept.
//!
//! The order of four boards can forbid a stack to a card of two of them through a card of a third. What follows from such a
//! state is in the table again, or it is another such state.
use super::table::{Failure, Table};
use crate::hash::WordMap;
use crate::stackgame::table::Rules;
use crate::stackgame::width2::MAX_CARDS;
use crate::storage::bytes::Bytes;
use crate::storage::reader;

/// States that are kept, of some 20 bytes each.
const MOST_STATES: usize = 300_000_000;

/// The states of a layer that have to be computed, and what follows from them.
#[derive(Default)]
struct Layer {
    places: Vec<u64>,
    /// For each state, where its successors begin.
    states: Vec<u32>,
    /// For each successor its card, and its index in `found`.
    cards: Vec<u8>,
    nexts: Vec<u32>,
    /// Different successors in ascending order, and their values; NaN where they are computed too.
    found: Vec<u64>,
    values: Vec<f64>,
}

/// What was computed so far, by layer.
pub struct Beyond {
    values: Vec<WordMap<f32>>,
    states_count: usize,
}

impl Default for Beyond {
    fn default() -> Beyond {
        Beyond { values: (0..=MAX_CARDS).map(|_| WordMap::default()).collect(), states_count: 0 }
    }
}

impl Beyond {
    /// Values of states, by layer and place, that are not in the table.
    pub fn values<B: Bytes>(&mut self, table: &Table<'_, B>, asked: &[(usize, u64)]) -> Result<Vec<f64>, Failure> {
        let mut open: Vec<Vec<u64>> = vec![Vec::new(); self.values.len()];
        for (layer, place) in asked {
            if !self.values[*layer].contains_key(place) {
                open[*layer].push(*place);
            }
        }
        let mut work: Vec<Layer> = Vec::new();
        for number in (1..open.len()).rev() {
            let mut places = std::mem::take(&mut open[number]);
            places.sort_unstable();
            places.dedup();
            let layer = self.expand(table, number, places)?;
            let below = layer.found.iter().zip(&layer.values).filter(|(_, value)| value.is_nan());
            open[number - 1].extend(below.map(|(place, _)| place));
            self.states_count += layer.places.len();
            if self.states_count > MOST_STATES {
                return Err(Failure::Full);
            }
            work.push(layer);
        }
        for (number, layer) in work.iter_mut().rev().enumerate().map(|(index, layer)| (index + 1, layer)) {
            self.evaluate(number, layer);
        }
        Ok(asked.iter().map(|(layer, place)| f64::from(self.values[*layer][place])).collect())
    }

    fn expand<B: Bytes>(&self, table: &Table<'_, B>, number: usize, places: Vec<u64>) -> Result<Layer, Failure> {
        let mut layer = Layer { places, ..Layer::default() };
        if layer.places.is_empty() {
            return Ok(layer);
        }
        let mut walker = table.rules.walker(number);
        let mut found: Vec<(u64, u32)> = Vec::new();
        for place in &layer.places {
            layer.states.push(found.len() as u32);
            table.rules.expand(&mut walker, number, place, |card, next| {
                layer.cards.push(card as u8);
                found.push((next, found.len() as u32));
            });
        }
        layer.states.push(found.len() as u32);
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
            .map_err(|(layer, damaged)| Failure::Damaged(layer, damaged))?;
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
            let mut best = [0.0f64; MAX_CARDS];
            for next in layer.states[state] as usize..layer.states[state + 1] as usize {
                let best = &mut best[usize::from(layer.cards[next])];
                *best = best.max(layer.values[layer.nexts[next] as usize]);
            }
            let sum: f64 = best.iter().sum();
            here[0].insert(*place, (sum / number as f64) as f32);
        }
    }
}
