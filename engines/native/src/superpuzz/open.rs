//! The states that are found and not yet taken: a stack or a queue in chunks, so that nothing is moved when it grows.
use super::key::Key;
use super::sleep::MoveSet;
use crate::search::Budget;
use crate::search::Stop;
use std::collections::VecDeque;

const CHUNK_STATES: usize = 1 << 12;
/// Keys leave the top of `high` free.
const TAKEN: u32 = 1 << 31;

/// Words of a key, with a mark on those that were taken.
pub const KEY_WORDS: usize = 3;
/// Words of a key and of the moves that sleep in its state.
pub const SLEEP_WORDS: usize = 5;

/// States in the order in which they were found, in `WORDS` words each.
#[derive(Default)]
pub struct Open<const WORDS: usize> {
    chunks: VecDeque<Box<[[u32; WORDS]]>>,
    /// A chunk to use again.
    spare: Option<Box<[[u32; WORDS]]>>,
    /// Entries at the front of the first chunk that are gone.
    gone: usize,
    /// Entries past the start of the first chunk.
    end: usize,
}

impl<const WORDS: usize> Open<WORDS> {
    const CHUNK_BYTES: u64 = (CHUNK_STATES * size_of::<[u32; WORDS]>()) as u64;

    /// Adds a state at the end, with the moves that sleep there if there are words for them.
    #[inline(always)]
    pub fn push(&mut self, key: Key, asleep: MoveSet, budget: &mut Budget) -> Result<(), Stop> {
        if self.end == self.chunks.len() * CHUNK_STATES {
            let chunk = match self.spare.take() {
                Some(chunk) => chunk,
                None => {
                    budget.take(Self::CHUNK_BYTES)?;
                    vec![[0; WORDS]; CHUNK_STATES].into_boxed_slice()
                }
            };
            self.chunks.push_back(chunk);
        }
        let words = [key.low, key.high as u32, (key.high >> 32) as u32, asleep as u32, (asleep >> 32) as u32];
        self.chunks[self.end / CHUNK_STATES][self.end % CHUNK_STATES] = std::array::from_fn(|word| words[word]);
        self.end += 1;
        Ok(())
    }

    /// Takes the state that was found first, with the moves that sleep there.
    #[inline(always)]
    pub fn pop_first(&mut self, budget: &mut Budget) -> Option<(Key, MoveSet)> {
        if self.gone == self.end {
            return None;
        }
        let entry = self.chunks[0][self.gone];
        self.gone += 1;
        if self.gone == CHUNK_STATES {
            let chunk = self.chunks.pop_front().expect("the chunk that was read");
            self.keep(chunk, budget);
            self.gone = 0;
            self.end -= CHUNK_STATES;
        }
        let asleep = entry[KEY_WORDS..].iter().rev().fold(0, |high, &word| high << 32 | u64::from(word));
        Some((key_of(&entry), asleep))
    }

    /// Takes the state that was found last and is not taken yet. It stays, marked, until it is the last again: the
    /// marked states are the path from the start to the state that was taken last.
    #[inline(always)]
    pub fn take_last(&mut self, budget: &mut Budget) -> Option<Key> {
        while self.end > 0 {
            let last = self.end - 1;
            let entry = &mut self.chunks[last / CHUNK_STATES][last % CHUNK_STATES];
            if entry[2] & TAKEN == 0 {
                let key = key_of(entry);
                entry[2] |= TAKEN;
                return Some(key);
            }
            self.end = last;
            if last.is_multiple_of(CHUNK_STATES) {
                let chunk = self.chunks.pop_back().expect("the chunk that was read");
                self.keep(chunk, budget);
            }
        }
        None
    }

    /// The states of a stack that are marked as taken, or those that are not, first found first.
    pub fn stacked(&self, taken: bool) -> impl Iterator<Item = Key> + '_ {
        let all = self.chunks.iter().flat_map(|chunk| chunk.iter()).take(self.end);
        all.filter(move |entry| (entry[2] & TAKEN != 0) == taken).map(|entry| key_of(entry))
    }

    /// Frees everything.
    pub fn clear(&mut self, budget: &mut Budget) {
        let chunks = self.chunks.len() + usize::from(self.spare.is_some());
        budget.give(chunks as u64 * Self::CHUNK_BYTES);
        *self = Open::default();
    }

    fn keep(&mut self, chunk: Box<[[u32; WORDS]]>, budget: &mut Budget) {
        if self.spare.replace(chunk).is_some() {
            budget.give(Self::CHUNK_BYTES);
        }
    }
}

#[inline(always)]
fn key_of(entry: &[u32]) -> Key {
    Key { low: entry[0], high: u64::from(entry[1]) | u64::from(entry[2] & !TAKEN) << 32 }
}
