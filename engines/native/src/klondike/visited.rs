//! The states that a search has seen: whole keys, so that two states are never taken for one.
use super::state::{Game, State};
use crate::memory::{advise_huge_pages, prefetch};
use crate::search::Budget;
use crate::search::Stop;

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 9;
/// Slots from which huge pages are asked for.
const LARGE_SLOTS: usize = 1 << 19;

/// How states that share a slot differ: some cover others. One state covers another if all that can be done from the
/// other can be done from it; a state that is covered by one seen before need not be searched. (These are ours.)
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
    /// Values of the redeals left that keys have; none if redeals don't matter.
    levels: Vec<u16>,
    count: usize,
    shift: u32,
}

/// The places of one remainder by three that were seen: the number of deals of the least one in four bits, 15 for none.
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
    #[must_use]
    pub fn key(&self, game: &Game, state: &State) -> u64 {
        match self.cover {
            Cover::Places => game.key_of_cards(state) + 1,
            _ => game.key(state) + 1,
        }
    }

    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.slots[(mix(key) >> self.shift) as usize]);
    }

    /// Whether a state has to be searched: no state that covers it was seen before. There must be room.
    #[inline(always)]
    pub fn enter(&mut self, key: u64, state: &State) -> bool {
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

#[cfg(test)]
mod tests {
    use super::super::pile::{Place, representative, step};
    use super::super::rules::{Column, Position, Rules};
    use super::*;
    use crate::rng::Stream;
    use proptest::prelude::*;
    use std::collections::HashMap;

    const UNLIMITED: Rules = Rules { draw: 3, redeals: None, carry: false, deal_last: true, foundation_back: true };

    fn full_game(rules: Rules) -> Game {
        let mut cards = (0..4).flat_map(|suit| (1..=13).map(move |rank| suit * 16 + rank));
        let columns = (0..7).map(|face_down| Column { cards: cards.by_ref().take(face_down + 1).collect(), face_down });
        let columns = columns.collect();
        let stock = cards.collect();
        Game::new(&Position { columns, stock, waste: Vec::new(), foundations: [0; 4], ranks: 13 }, rules)
    }

    /// Random states with at most so many sets of cards, so that many come again: as they were, or with another place
    /// or other redeals.
    fn states(game: &Game, seed: u64, sets_count: u32, count: u64) -> impl Iterator<Item = State> {
        let start = game.start();
        (0..count).map(move |number| {
            let mut stream = Stream::new(seed, number);
            let mut cards = Stream::new(seed, (1 << 32) + u64::from(stream.below(sets_count)));
            let circle = cards.below(1 << 24);
            // One card less in the third column, or none.
            let counts = start.counts - (cards.below(2) << 8);
            let left = circle.count_ones();
            let origin = if game.rules.has_one_origin() || left == 0 { 0 } else { stream.below(left) as u8 };
            let place = Place { origin, dealt: stream.below(left + 1) as u8 };
            let redeals = game.rules.redeals.map_or(0, |redeals| stream.below(u32::from(redeals) + 1) as u16);
            game.normal(State { counts, circle, place, redeals, ..start })
        })
    }

    /// Whether dealing alone leads from a place to another one, or to one that it stands for.
    fn leads_to(rules: &Rules, count: usize, from: Place, to: Place) -> bool {
        let mut way = vec![from];
        loop {
            let now = way[way.len() - 1];
            if representative(rules, count, now) == to {
                return true;
            }
            match step(rules, count, now) {
                Some((next, _)) if !way.contains(&next) => way.push(next),
                _ => return false,
            }
        }
    }

    /// Whether a state need not be searched after one of the same cards.
    fn covers(cover: Cover, rules: &Rules, seen: &State, state: &State) -> bool {
        match cover {
            Cover::Same => seen.place == state.place,
            Cover::Redeals => seen.place == state.place && seen.redeals >= state.redeals,
            Cover::Places => leads_to(rules, state.circle.count_ones() as usize, seen.place, state.place),
        }
    }

    /// Every answer against a list of all that was seen, while the table grows.
    fn check(cover: Cover, rules: Rules, seed: u64, sets_count: u32, count: u64) {
        let game = full_game(rules);
        let mut budget = Budget::new(0);
        let mut visited = Visited::new(&game, &mut budget).expect("memory");
        assert_eq!(visited.cover, cover);
        let mut seen: HashMap<_, Vec<State>> = HashMap::new();
        let mut outcomes = [0, 0];
        for state in states(&game, seed, sets_count, count) {
            visited.reserve(1, &mut budget).expect("memory");
            let of_cards = seen.entry((state.counts, state.circle)).or_default();
            let is_open = !of_cards.iter().any(|seen| covers(cover, &rules, seen, &state));
            of_cards.push(state);
            assert_eq!(
                visited.enter(visited.key(&game, &state), &state),
                is_open,
                "{rules:?} {state:?} after {of_cards:?}"
            );
            outcomes[usize::from(is_open)] += 1;
            assert!(visited.count * 8 <= visited.slots.len() * 5);
        }
        assert!(outcomes[0] > 100 && outcomes[1] > 100 && visited.slots.len() > FIRST_SLOTS, "{outcomes:?}");
        assert_eq!(budget.used(), visited.bytes(visited.slots.len()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_state_is_entered_once(seed: u64, draw in prop_oneof![Just(1), Just(3)], deal_last: bool) {
            check(Cover::Same, Rules { draw, carry: true, deal_last, ..UNLIMITED }, seed, 3_000, 10_000);
        }

        #[test]
        fn more_redeals_cover_fewer(seed: u64, redeals in 0..4u16, carry: bool, draw in prop_oneof![Just(1), Just(3)]) {
            let rules = Rules { draw, redeals: Some(redeals), carry, ..UNLIMITED };
            check(Cover::Redeals, rules, seed, 800, 20_000);
        }

        #[test]
        fn places_cover_those_that_dealing_leads_to(seed: u64, deal_last: bool) {
            check(Cover::Places, Rules { deal_last, ..UNLIMITED }, seed, 3_000, 12_000);
        }
    }

    #[test]
    fn a_limit_of_memory_stops_the_table_from_growing() {
        let game = full_game(UNLIMITED);
        let mut budget = Budget::new(8 * 5 * FIRST_SLOTS as u64);
        let mut visited = Visited::new(&game, &mut budget).expect("the first slots");
        // Room for the old slots and the new ones, four times as many, and no more.
        visited.reserve(FIRST_SLOTS, &mut budget).expect("memory for both");
        assert_eq!(visited.reserve(4 * FIRST_SLOTS, &mut budget), Err(Stop::Memory));
        assert_eq!((visited.slots.len(), budget.used()), (4 * FIRST_SLOTS, 8 * 4 * FIRST_SLOTS as u64));
    }
}
