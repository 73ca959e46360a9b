//! The states that are found and not yet taken: a stack or a queue in pieces, so that growing moves nothing.
use super::key::Key;
use super::memory::Budget;
use super::report::Stop;
use std::collections::VecDeque;

const CHUNK_STATES: usize = 1 << 12;
const CHUNK_BYTES: u64 = (CHUNK_STATES * size_of::<Entry>()) as u64;
/// Keys leave the top of `high` free.
const TAKEN: u32 = 1 << 31;

/// A key in twelve bytes, and whether it was taken.
type Entry = [u32; 3];

/// States in the order in which they were found.
#[derive(Default)]
pub struct Open {
    chunks: VecDeque<Box<[Entry]>>,
    /// A chunk to use again.
    spare: Option<Box<[Entry]>>,
    /// Entries at the front of the first chunk that are gone.
    gone: usize,
    /// Entries past the start of the first chunk.
    end: usize,
}

impl Open {
    /// Adds a state at the end.
    #[inline]
    pub fn push(&mut self, key: Key, budget: &mut Budget) -> Result<(), Stop> {
        if self.end == self.chunks.len() * CHUNK_STATES {
            let chunk = match self.spare.take() {
                Some(chunk) => chunk,
                None => {
                    budget.take(CHUNK_BYTES)?;
                    vec![[0; 3]; CHUNK_STATES].into_boxed_slice()
                }
            };
            self.chunks.push_back(chunk);
        }
        self.chunks[self.end / CHUNK_STATES][self.end % CHUNK_STATES] =
            [key.low, key.high as u32, (key.high >> 32) as u32];
        self.end += 1;
        Ok(())
    }

    /// Takes the state that was found first.
    #[inline]
    pub fn pop_first(&mut self, budget: &mut Budget) -> Option<Key> {
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
        Some(key_of(entry))
    }

    /// Takes the state that was found last and is not taken yet. It stays, marked, until it is the last again: the
    /// marked states are the path from the start to the state that was taken last.
    #[inline]
    pub fn take_last(&mut self, budget: &mut Budget) -> Option<Key> {
        while self.end > 0 {
            let last = self.end - 1;
            let entry = &mut self.chunks[last / CHUNK_STATES][last % CHUNK_STATES];
            if entry[2] & TAKEN == 0 {
                let key = key_of(*entry);
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

    /// The marked states, first taken first.
    pub fn taken(&self) -> impl Iterator<Item = Key> + '_ {
        let all = self.chunks.iter().flat_map(|chunk| chunk.iter()).take(self.end);
        all.filter(|entry| entry[2] & TAKEN != 0).map(|&[low, middle, top]| key_of([low, middle, top & !TAKEN]))
    }

    fn keep(&mut self, chunk: Box<[Entry]>, budget: &mut Budget) {
        if self.spare.replace(chunk).is_some() {
            budget.give(CHUNK_BYTES);
        }
    }
}

#[inline]
fn key_of(entry: Entry) -> Key {
    Key { low: entry[0], high: u64::from(entry[1]) | u64::from(entry[2]) << 32 }
}
