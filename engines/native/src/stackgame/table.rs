//! Building a table: the successors of a layer, and the values of a layer from the one below.
use crate::storage::block::BlockKey;
use crate::storage::bytes::Bytes;
use crate::storage::damaged::Damaged;
use crate::storage::keys::Key;
use crate::storage::reader::Reader;
use crate::storage::values::ValueType;

/// A game whose states are numbered ("places") layer by layer, a layer being the number of cards left.
pub trait Rules: Sync {
    type Key: BlockKey;
    /// Bits of a place in this layer.
    fn key_bits(&self, layer: usize) -> u32;
    /// Whether a state of the layer can have this place: places come from files that may be damaged.
    fn contains(&self, layer: usize, place: &Self::Key) -> bool;
    /// Calls `emit(card, stack, place)` for each live successor (one stack of each class of equal stacks), cards ascending.
    fn successors(&self, layer: usize, place: &Self::Key, emit: impl FnMut(usize, usize, Self::Key));
    /// What `expand` keeps from one state to the next.
    type Walker<'a>
    where
        Self: 'a;
    fn walker(&self, layer: usize) -> Self::Walker<'_>;
    /// The same places with their cards, in no particular order and without saying which stack: what the inner loops use.
    fn expand(
        &self,
        walker: &mut Self::Walker<'_>,
        layer: usize,
        place: &Self::Key,
        emit: impl FnMut(usize, Self::Key),
    );
}

/// Collects places, each of them once, within a bound on memory.
pub struct Expander<K> {
    key_bits: u32,
    /// Direct-mapped memory of places pushed lately: most successors of neighbouring states are the same.
    recent: Vec<K>,
    pushed: Vec<K>,
    scratch: Vec<K>,
    /// Places at which `pushed` is made unique.
    limit: usize,
    capacity: usize,
}

const RECENT_BITS: u32 = 15;

impl<K: BlockKey> Expander<K> {
    /// Holds up to about `capacity` places, and as much again while it sorts.
    pub fn new(key_bits: u32, capacity: usize) -> Expander<K> {
        let capacity = capacity.max(1024);
        Expander { key_bits, recent: Vec::new(), pushed: Vec::new(), scratch: Vec::new(), limit: capacity, capacity }
    }

    /// Adds the successors of these states. True: it is more than half full of different places, which should be taken out.
    pub fn push<R: Rules<Key = K>>(&mut self, rules: &R, layer: usize, places: &[K]) -> bool {
        let mut walker = rules.walker(layer);
        if self.recent.is_empty() && !places.is_empty() {
            // No slot holds a place that was not pushed: every slot starts with one that is pushed now.
            let mut first = None;
            for place in places {
                rules.expand(&mut walker, layer, place, |_, next| first = first.or(Some(next)));
                if first.is_some() {
                    break;
                }
            }
            let Some(first) = first else { return false };
            self.pushed.push(first);
            self.recent = vec![first; 1 << RECENT_BITS];
        }
        for place in places {
            let (recent, pushed) = (&mut self.recent, &mut self.pushed);
            rules.expand(&mut walker, layer, place, |_, next| {
                let slot = &mut recent[(next.spread() >> (64 - RECENT_BITS)) as usize];
                if *slot != next {
                    *slot = next;
                    pushed.push(next);
                }
            });
            if self.pushed.len() >= self.limit {
                K::sort_unique(&mut self.pushed, &mut self.scratch, self.key_bits);
                self.limit = self.capacity.max(self.pushed.len() * 2);
            }
        }
        self.limit > self.capacity
    }

    /// Takes out the places collected so far, sorted, each once.
    pub fn take(&mut self) -> Vec<K> {
        K::sort_unique(&mut self.pushed, &mut self.scratch, self.key_bits);
        self.limit = self.capacity;
        self.recent = Vec::new();
        std::mem::take(&mut self.pushed)
    }
}

/// What can stop an evaluation.
#[derive(Debug)]
pub enum Failure {
    Damaged(Damaged),
    /// A live successor of state number `0` is not in the layer below.
    Missing(usize),
}

/// Values of the states `places` of `layer` from the finished layer below: the mean over the next card of the best placement,
/// 0 for a card that can go nowhere. Sums run over the cards of the canonical state in their order, so that the
/// result does not depend on how the layer is cut.
pub fn evaluate<R: Rules, B: Bytes>(
    rules: &R,
    layer: usize,
    places: &[R::Key],
    below: Option<&Reader<R::Key, B>>,
) -> Result<Vec<f64>, Failure> {
    const BATCH: usize = 256;
    let mut walker = rules.walker(layer);
    let mut values = Vec::with_capacity(places.len());
    // The value below of each place asked for, and a direct-mapped memory of where those asked for lately are in it: most
    // successors of neighbouring states are the same.
    let mut known: Vec<f64> = Vec::new();
    let recent_bits = (places.len() * 4).next_power_of_two().ilog2().clamp(1, RECENT_BITS);
    let mut recent = vec![(R::Key::default(), u32::MAX); 1 << recent_bits];
    let mut asked: Vec<R::Key> = Vec::new();
    let mut moves: Vec<(u8, u32)> = Vec::new();
    let mut ends = Vec::with_capacity(BATCH);
    let mut best = vec![0.0f64; layer];
    for (batch, states) in places.chunks(BATCH).enumerate() {
        asked.clear();
        moves.clear();
        ends.clear();
        let first = known.len();
        for place in states {
            rules.expand(&mut walker, layer, place, |card, place| {
                let slot = &mut recent[(place.spread() >> (64 - recent_bits)) as usize];
                if slot.1 == u32::MAX || slot.0 != place {
                    *slot = (place, (first + asked.len()) as u32);
                    asked.push(place);
                }
                moves.push((card as u8, slot.1));
            });
            ends.push(moves.len());
        }
        // The empty state is won.
        known.resize(first + asked.len(), 1.0);
        if let Some(reader) = below {
            reader.lookup(&asked, &mut known[first..]).map_err(Failure::Damaged)?;
        }
        let mut from = 0;
        for (state, &to) in ends.iter().enumerate() {
            best.fill(0.0);
            for &(card, value) in &moves[from..to] {
                let value = known[value as usize];
                if value.is_nan() {
                    return Err(Failure::Missing(batch * BATCH + state));
                }
                let best = &mut best[usize::from(card)];
                *best = best.max(value);
            }
            from = to;
            values.push(best.iter().sum::<f64>() / layer as f64);
        }
    }
    Ok(values)
}

/// Value of one state by building everything below it in memory; None when that takes more than `max_states` states.
pub fn solve<R: Rules>(rules: &R, layer: usize, place: R::Key, max_states: usize) -> Option<f64> {
    let mut layers = vec![vec![place]];
    let mut states = 1;
    for above in (2..=layer).rev() {
        let mut expander = Expander::new(rules.key_bits(above - 1), max_states.max(1 << 12));
        for part in layers[layers.len() - 1].chunks(1 << 12) {
            if expander.push(rules, above, part) {
                return None;
            }
        }
        let next = expander.take();
        states += next.len();
        if states > max_states {
            return None;
        }
        layers.push(next);
    }
    let mut below: Option<Reader<R::Key, Vec<u8>>> = None;
    let mut value = f64::NAN;
    for (left, places) in layers.iter().rev().enumerate().map(|(c, p)| (c + 1, p)) {
        if places.is_empty() {
            // Every state above is then lost, whatever card is drawn; an empty layer is read as one without states.
            below = Some(Reader::new(rules.key_bits(left), Vec::new()).ok()?);
            continue;
        }
        let values = evaluate(rules, left, places, below.as_ref()).ok()?;
        value = values[0];
        let bits = rules.key_bits(left);
        let parts = places.chunks(R::Key::STATES).zip(values.chunks(R::Key::STATES));
        let blocks = parts.map(|(p, v)| R::Key::encode(p, Some(v), ValueType::F64, bits)).collect();
        below = Some(Reader::new(bits, blocks).ok()?);
    }
    Some(value)
}
