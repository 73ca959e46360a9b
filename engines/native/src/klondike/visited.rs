//! The states that a search has seen: whole keys, so that two states are never taken for one.
use super::state::{Game, State};
use crate::memory::{Budget, advise_huge_pages, prefetch};
use crate::search::Stop;

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 11;
/// Slots from which huge pages are asked for.
const LARGE_SLOTS: usize = 1 << 19;

/// What tells states of one slot apart: those that cover others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cover {
    /// Nothing: every state has a slot of its own.
    Same,
    /// The redeals left: more of them cover fewer, for what can be done with fewer can be done with more.
    Redeals,
    /// The place, with unlimited redeals, where passes start at the same card and three cards are dealt at once: a
    /// place covers those that dealing leads to, the places of its rest by three further on, and then the beginning.
    Places,
}

/// Open addressing. A slot holds a key and one, and eight bits of places if those cover each other; 0 is free.
pub struct Visited {
    cover: Cover,
    slots: Vec<u64>,
    /// Redeals left, of the keys; none if they don't matter.
    levels: Vec<u16>,
    count: usize,
    shift: u32,
}

/// Places that were seen of one rest by three: the least one's number of deals in four bits, 15 for none.
const NO_PLACES: u64 = 0xFF;

#[inline(always)]
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (key ^ key >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

impl Visited {
    pub fn new(game: &Game, budget: &mut Budget) -> Result<Visited, Stop> {
        let rules = &game.rules;
        let cover = if rules.redeals.is_some() {
            Cover::Redeals
        } else if rules.draw == 3 && !rules.carry && game.has_spare_bits() {
            Cover::Places
        } else {
            Cover::Same
        };
        let mut visited = Visited { cover, slots: Vec::new(), levels: Vec::new(), count: 0, shift: 0 };
        visited.resize(FIRST_SLOTS, budget)?;
        Ok(visited)
    }

    fn bytes(&self, slots: usize) -> u64 {
        (slots * if self.cover == Cover::Redeals { 10 } else { 8 }) as u64
    }

    #[inline(always)]
    fn key(&self, game: &Game, state: &State) -> u64 {
        match self.cover {
            Cover::Places => game.key_of_cards(state) + 1,
            _ => game.key(state) + 1,
        }
    }

    #[inline(always)]
    pub fn prefetch(&self, game: &Game, state: &State) {
        prefetch(&self.slots[(mix(self.key(game, state)) >> self.shift) as usize]);
    }

    /// Whether a state has to be searched: no state that covers it was seen before. There must be room.
    #[inline(always)]
    pub fn enter(&mut self, game: &Game, state: &State) -> bool {
        let key = self.key(game, state);
        match self.cover {
            Cover::Same => {
                let slot = self.find(key, 0);
                let is_new = self.slots[slot] == 0;
                self.slots[slot] = key;
                self.count += usize::from(is_new);
                is_new
            }
            Cover::Redeals => {
                let slot = self.find(key, 0);
                let is_new = self.slots[slot] == 0;
                if !is_new && self.levels[slot] >= state.redeals {
                    return false;
                }
                self.slots[slot] = key;
                self.levels[slot] = state.redeals;
                self.count += usize::from(is_new);
                true
            }
            Cover::Places => {
                let slot = self.find(key, 8);
                let is_new = self.slots[slot] == 0;
                let seen = if is_new { NO_PLACES } else { self.slots[slot] & 0xFF };
                self.count += usize::from(is_new);
                let dealt = u64::from(state.place.dealt);
                let (deals, rest) = (dealt / 3, dealt % 3);
                if rest == 0 {
                    // The beginning: every other place covers it.
                    self.slots[slot] = key << 8 | seen;
                    return is_new;
                }
                let shift = 4 * (rest - 1);
                if seen >> shift & 15 <= deals {
                    return false;
                }
                self.slots[slot] = key << 8 | seen & !(15 << shift) | deals << shift;
                true
            }
        }
    }

    /// The slot of a key, or a free one.
    #[inline(always)]
    fn find(&self, key: u64, bits: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (mix(key) >> self.shift) as usize;
        loop {
            let held = self.slots[slot & mask];
            if held == 0 || held >> bits == key {
                return slot & mask;
            }
            slot += 1;
        }
    }

    /// Makes room for more states.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize, budget: &mut Budget) -> Result<(), Stop> {
        if (self.count + more) * 8 <= self.slots.len() * 5 {
            return Ok(());
        }
        self.resize(self.slots.len() * if self.slots.len() < LARGE_SLOTS { 4 } else { 2 }, budget)
    }

    #[cold]
    fn resize(&mut self, slots_count: usize, budget: &mut Budget) -> Result<(), Stop> {
        budget.take(self.bytes(slots_count))?;
        let mut slots = vec![0; slots_count];
        if slots_count >= LARGE_SLOTS {
            advise_huge_pages(&mut slots);
        }
        let old_slots = std::mem::replace(&mut self.slots, slots);
        let levels = vec![0; if self.cover == Cover::Redeals { slots_count } else { 0 }];
        let old_levels = std::mem::replace(&mut self.levels, levels);
        self.shift = 64 - slots_count.trailing_zeros();
        let bits = if self.cover == Cover::Places { 8 } else { 0 };
        for (index, &held) in old_slots.iter().enumerate().filter(|&(_, &held)| held != 0) {
            let slot = self.find(held >> bits, bits);
            self.slots[slot] = held;
            if self.cover == Cover::Redeals {
                self.levels[slot] = old_levels[index];
            }
        }
        budget.give(self.bytes(old_slots.len()));
        Ok(())
    }
}
