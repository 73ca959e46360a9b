//! One deal, without a stored table: values of the states that can follow it, remembered.
//!
//! Where many states follow, small hands come up again and again; then all of them are computed once.
use super::CARDS_MAX;
use super::evaluate::Evaluator;
use super::layer::{Layer, Points};
use super::pattern::{Ranks, exchanged, patterns_count, without};
use crate::hash::WordMap;

/// A state with Left in the lead. Of the `2 * cards` cards left, `above` are above the `count` point cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub pattern: u32,
    pub cards: u8,
    pub above: u8,
    pub count: u8,
}

impl State {
    fn word(self) -> u64 {
        u64::from(self.pattern)
            | u64::from(self.cards) << 32
            | u64::from(self.above) << 40
            | u64::from(self.count) << 48
    }

    fn is_point(&self, bit: u32) -> bool {
        let from_top = 2 * u32::from(self.cards) - 1 - bit;
        (u32::from(self.above)..u32::from(self.above) + u32::from(self.count)).contains(&from_top)
    }

    fn is_above(&self, bit: u32) -> bool {
        2 * u32::from(self.cards) - 1 - bit < u32::from(self.above)
    }

    /// The state with Right in the lead is that of the exchanged hands.
    pub fn exchanged(self) -> State {
        State { pattern: exchanged(self.pattern, usize::from(self.cards)), ..self }
    }

    /// Left's points in the trick of two cards, given as bits, and whether Left wins it; then the state that follows,
    /// with the hands not exchanged.
    pub fn after(self, a: u32, b: u32) -> (u8, bool, State) {
        let points = u8::from(self.is_point(a)) + u8::from(self.is_point(b));
        let above = u8::from(self.is_above(a)) + u8::from(self.is_above(b));
        let next = State {
            pattern: without(self.pattern, a, b),
            cards: self.cards - 1,
            above: self.above - above,
            count: self.count - points,
        };
        (if a > b { points } else { 0 }, a > b, next)
    }
}

/// Values found so far, for one aim.
pub struct Solver {
    fewest: bool,
    states_max: usize,
    found: WordMap<u8>,
    /// All hands of 1, 2, ... cards.
    small: Vec<(Ranks, Layer<Vec<u8>>)>,
}

/// Cards of the largest hands that are all computed (9 MB, a second), and how many states have to be found first.
const SMALL_CARDS: usize = 9;
const SMALL_FROM: usize = 1 << 18;

/// Why there is no value.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    States,
    Interrupted,
}

impl Solver {
    pub fn new(fewest: bool, states_max: usize) -> Solver {
        Solver { fewest, states_max, found: WordMap::default(), small: Vec::new() }
    }

    pub fn states_count(&self) -> usize {
        self.found.len()
    }

    /// Left's points when Left leads, or Right does.
    pub fn value(&mut self, state: State, left_leads: bool, go_on: &mut dyn FnMut() -> bool) -> Result<u8, Stop> {
        if left_leads { self.leading(state, go_on) } else { Ok(state.count - self.leading(state.exchanged(), go_on)?) }
    }

    fn leading(&mut self, state: State, go_on: &mut dyn FnMut() -> bool) -> Result<u8, Stop> {
        if state.count == 0 {
            return Ok(0);
        }
        if let Some((ranks, layer)) = self.small.get(usize::from(state.cards) - 1) {
            let place = Points::Anywhere.row_begin(layer.cards, state.above.into()) + usize::from(state.count);
            return Ok(layer.value(ranks.rank(state.pattern), place));
        }
        if let Some(&value) = self.found.get(&state.word()) {
            return Ok(value);
        }
        let fewest = self.fewest;
        let better = |x: u8, y: u8| if fewest { x < y } else { x > y };
        let (mine, theirs) = (Cards::standing_for(state, 1), Cards::standing_for(state, 0));
        let mut best = None;
        for &a in mine.list() {
            let mut worst = None;
            for &b in theirs.list() {
                let (points, left_leads, next) = state.after(a, b);
                let value = points + self.value(next, left_leads, go_on)?;
                if worst.is_none_or(|known| better(known, value)) {
                    worst = Some(value);
                }
                // This lead is no better than one that is known.
                if best.is_some_and(|known| !better(value, known)) {
                    break;
                }
            }
            if let Some(value) = worst
                && best.is_none_or(|known| better(value, known))
            {
                best = Some(value);
            }
        }
        if self.found.len() >= self.states_max {
            return Err(Stop::States);
        }
        if self.found.len().is_multiple_of(1 << 14) && !go_on() {
            return Err(Stop::Interrupted);
        }
        if self.found.len() == SMALL_FROM && self.small.is_empty() {
            self.work_out_small(go_on)?;
        }
        let value = best.unwrap_or(0);
        self.found.insert(state.word(), value);
        Ok(value)
    }
}

impl Solver {
    #[cold]
    pub fn work_out_small(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<(), Stop> {
        let mut small: Vec<(Ranks, Layer<Vec<u8>>)> = Vec::new();
        for cards in 1..=SMALL_CARDS {
            let below = small.last().map(|(_, layer)| layer);
            let evaluator = Evaluator::new(Points::Anywhere, self.fewest, cards, below);
            let values = evaluator.values(0, patterns_count(cards) as usize, go_on).ok_or(Stop::Interrupted)?;
            let layer = Layer::of_values(Points::Anywhere, cards, &values);
            small.push((Ranks::new(cards), layer));
        }
        self.small = small;
        Ok(())
    }
}

/// One card of each run of a player's cards that are all point cards, or all not.
///
/// Those above the point cards are another class than those below, but no run has both: there are point cards, and they
/// lie between.
struct Cards {
    bits: [u32; CARDS_MAX],
    count: usize,
}

impl Cards {
    fn standing_for(state: State, owner: u32) -> Cards {
        let mut cards = Cards { bits: [0; CARDS_MAX], count: 0 };
        let mut before = None;
        for bit in 0..2 * u32::from(state.cards) {
            let class = (state.pattern >> bit & 1, state.is_point(bit));
            if before != Some(class) && class.0 == owner {
                cards.bits[cards.count] = bit;
                cards.count += 1;
            }
            before = Some(class);
        }
        cards
    }

    fn list(&self) -> &[u32] {
        &self.bits[..self.count]
    }
}
