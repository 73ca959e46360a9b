//! The set of states found, exact, in about ten bytes a state; with wide slots about twenty.
//!
//! **Exactness.** A key is mixed by an invertible function into `(place, high)`: `place` is 32 bits, `high` stays as it
//! is. The home bucket is `place * buckets >> 32`, so a bucket is home to at most `2^low_bits` places in sequence, and
//! the last `low_bits` bits of `place` tell them apart. A slot holds those bits, all of `high`, and how often a
//! full bucket passed it on. Slot and bucket together give back the key: two states are never taken for one.
//!
//! Buckets are cache lines of eight slots, or of four wide ones, filled from the first. A full one passes states on to
//! others within the 31 that follow, in a sequence that depends on the state's own bits; the slot holds how far along the
//! sequence the state lies. Slots move only when the table grows. Buckets are in the order of places, so growing streams
//! through both tables: segments of the new one are made as they are reached, those of the old one freed as they are done
//! with.
pub use super::place::Place;
use super::place::{MAX_HOMES, MAX_PASSES, META_BITS, Shape, Slot, TAG_BITS, TAG_MASK, offset};
use super::segment::{SEGMENT_BITS, SEGMENT_BUCKETS, Segment, segment_bytes};
use crate::memory::prefetch;
use crate::search::{Budget, Clock, Stop};

/// Homes of a new table.
const FIRST_HOMES: u64 = 256;
/// Most states for twenty slots of a table that can grow.
const FILL_TWENTIETHS: u64 = 17;

/// The result of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    New,
    Known,
}

/// Buckets of segment `index` of a table.
fn segment_buckets(shape: Shape, index: usize) -> usize {
    SEGMENT_BUCKETS.min(shape.buckets() - index * SEGMENT_BUCKETS)
}

fn bytes(shape: Shape) -> u64 {
    let segments = shape.buckets().div_ceil(SEGMENT_BUCKETS);
    (0..segments).map(|index| segment_bytes(segment_buckets(shape, index))).sum()
}

/// With slots of 64 bits a table has room for keys of 56 bits and as many more as number its homes; with wide slots it has
/// room for all keys.
pub struct Table<S = u64> {
    shape: Shape,
    segments: Vec<Segment<S>>,
    /// States that found no room near their home: hardly ever one.
    spilt: Vec<(u32, u64, u8)>,
    count: u64,
    /// States at which the table has to grow.
    full_at: u64,
}

impl<S: Slot> Table<S> {
    pub fn new(budget: &mut Budget) -> Result<Table<S>, Stop> {
        let shape = Shape::new(FIRST_HOMES);
        budget.take(bytes(shape))?;
        let mut table =
            Table { shape, segments: Vec::new(), spilt: Vec::new(), count: 0, full_at: full_at::<S>(shape) };
        table.segments.push(Segment::new(shape.buckets()));
        Ok(table)
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether there is room for one state more.
    #[inline(always)]
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.count < self.full_at
    }

    /// Bits of `high` that a key may have.
    #[must_use]
    pub fn high_bits(&self) -> u32 {
        self.shape.high_bits::<S>()
    }

    #[inline(always)]
    pub fn prefetch(&self, at: Place) {
        prefetch(&self.bucket(self.shape.home(at.place))[0]);
    }

    /// Whether a state is in its home bucket; prefetches the next two buckets if that is full.
    #[inline(always)]
    pub fn is_home(&self, at: Place) -> bool {
        let home = self.shape.home(at.place);
        let bucket = self.bucket(home);
        let slot = self.shape.slot(at);
        if is_full(bucket) {
            prefetch(&self.bucket(home + offset(slot, 1))[0]);
            prefetch(&self.bucket(home + offset(slot, 2))[0]);
        }
        holds(bucket, slot)
    }

    #[inline(always)]
    fn bucket(&self, at: usize) -> &[S] {
        self.segments[at >> SEGMENT_BITS].bucket(at % SEGMENT_BUCKETS)
    }

    /// Finds a state or puts it in with a tag (0..3). There must be room.
    #[inline(always)]
    pub fn insert(&mut self, at: Place, tag: u8) -> Inserted {
        let home = self.shape.home(at.place);
        let slot: S = self.shape.slot(at);
        for passes in 0..=MAX_PASSES {
            let wanted = slot | S::from((passes as u64) << TAG_BITS);
            let bucket = home + offset(slot, passes);
            let bucket = self.segments[bucket >> SEGMENT_BITS].bucket_mut(bucket % SEGMENT_BUCKETS);
            if holds(bucket, wanted) {
                return Inserted::Known;
            }
            if !is_full(bucket) {
                bucket[used(bucket)] = wanted | S::from(u64::from(tag));
                self.count += 1;
                return Inserted::New;
            }
        }
        if self.spilt.iter().any(|&(place, high, _)| (place, high) == (at.place, at.high)) {
            return Inserted::Known;
        }
        self.spilt.push((at.place, at.high, tag));
        self.count += 1;
        Inserted::New
    }

    /// The tag of a state, if it is here.
    #[must_use]
    pub fn find(&self, at: Place) -> Option<u8> {
        let home = self.shape.home(at.place);
        let slot: S = self.shape.slot(at);
        for passes in 0..=MAX_PASSES {
            let wanted = slot | S::from((passes as u64) << TAG_BITS);
            let bucket = self.bucket(home + offset(slot, passes));
            if let Some(&found) = bucket.iter().find(|&&slot| untagged(slot) == wanted) {
                return Some((found.low() & TAG_MASK) as u8);
            }
            if !is_full(bucket) {
                return None;
            }
        }
        self.spilt.iter().find(|&&(place, high, _)| (place, high) == (at.place, at.high)).map(|&(_, _, tag)| tag)
    }

    /// Makes room for more states, and for keys with `high_bits` bits of `high`; as much as memory allows.
    #[cold]
    pub fn grow(&mut self, high_bits: u32, budget: &mut Budget, clock: &mut Clock<'_>) -> Result<(), Stop> {
        let old = self.shape;
        // Steps of a third keep the table 64% full or more; where memory is short, smaller ones still fit.
        let first_step = if old.homes < SEGMENT_BUCKETS as u64 / 4 { 1 } else { 3 };
        for parts in [first_step, 8, 16] {
            let mut homes = old.homes + old.homes / parts;
            while homes < MAX_HOMES && Shape::new(homes).high_bits::<S>() < high_bits {
                homes += homes / 4;
            }
            let shape = Shape::new(homes);
            // The counts of the new buckets, and the new table beside the old one or three segments of it.
            let beside = bytes(old).min(3 * segment_bytes(SEGMENT_BUCKETS));
            let fits = (bytes(shape) + shape.buckets() as u64 + beside).saturating_sub(bytes(old));
            if homes <= MAX_HOMES && budget.fits(fits) {
                return self.rebuild(shape, budget, clock);
            }
        }
        Err(Stop::Memory)
    }

    fn rebuild(&mut self, shape: Shape, budget: &mut Budget, clock: &mut Clock<'_>) -> Result<(), Stop> {
        let old = std::mem::replace(&mut self.shape, shape);
        let old_segments = std::mem::take(&mut self.segments);
        let spilt = std::mem::take(&mut self.spilt);
        self.full_at = full_at::<S>(shape);
        // Slots in use of each new bucket: to read the buckets themselves right after writing them is slow.
        let mut used = vec![0; shape.buckets()];
        budget.count(shape.buckets() as u64);
        let mut spare = None;
        for (index, segment) in old_segments.into_iter().enumerate() {
            let (mut last_home, mut first_place) = (usize::MAX, 0);
            for at in 0..segment.buckets {
                for &slot in segment.bucket(at).iter().take_while(|&&slot| slot != S::from(0)) {
                    let passes = (slot.low() >> TAG_BITS) as usize & MAX_PASSES;
                    let home = index * SEGMENT_BUCKETS + at - offset(slot, passes);
                    if home != last_home {
                        (last_home, first_place) = (home, old.first_place(home));
                    }
                    let body = slot >> META_BITS;
                    let high = (body >> old.low_bits).low() - 1;
                    let place = Place { place: old.place(first_place, body.low()), high };
                    self.reach(self.shape.home(place.place) + MAX_PASSES, &mut spare, budget);
                    self.move_in(place, slot.low() & TAG_MASK, &mut used);
                }
            }
            clock.check()?;
            let mut freed = Some(segment);
            if let Some(segment) = freed.as_mut().filter(|segment| segment.buckets == SEGMENT_BUCKETS) {
                segment.clear();
                std::mem::swap(&mut freed, &mut spare);
            }
            budget.give(freed.map_or(0, |segment| segment_bytes(segment.buckets)));
        }
        self.reach(shape.buckets() - 1, &mut spare, budget);
        budget.give(spare.map_or(0, |segment| segment_bytes(segment.buckets)));
        for (place, high, tag) in spilt {
            self.move_in(Place { place, high }, u64::from(tag), &mut used);
        }
        budget.give(shape.buckets() as u64);
        Ok(())
    }

    /// Puts in a state that was in the table before it grew.
    #[inline(always)]
    fn move_in(&mut self, at: Place, tag: u64, used: &mut [u8]) {
        let home = self.shape.home(at.place);
        let slot: S = self.shape.slot(at);
        for passes in 0..=MAX_PASSES {
            let bucket = home + offset(slot, passes);
            let index = usize::from(used[bucket]);
            if index < S::IN_BUCKET {
                used[bucket] += 1;
                self.segments[bucket >> SEGMENT_BITS].bucket_mut(bucket % SEGMENT_BUCKETS)[index] =
                    slot | S::from((passes as u64) << TAG_BITS | tag);
                return;
            }
        }
        self.spilt.push((at.place, at.high, tag as u8));
    }

    /// Makes the segments as far as that of a bucket.
    #[inline(always)]
    fn reach(&mut self, bucket: usize, spare: &mut Option<Segment<S>>, budget: &mut Budget) {
        while self.segments.len() <= bucket >> SEGMENT_BITS {
            let buckets = segment_buckets(self.shape, self.segments.len());
            let made = if buckets == SEGMENT_BUCKETS { spare.take() } else { None };
            self.segments.push(made.unwrap_or_else(|| {
                budget.count(segment_bytes(buckets));
                Segment::new(buckets)
            }));
        }
    }
}

fn full_at<S: Slot>(shape: Shape) -> u64 {
    shape.homes * S::IN_BUCKET as u64 / 20 * FILL_TWENTIETHS
}

#[inline(always)]
fn is_full<S: Slot>(bucket: &[S]) -> bool {
    bucket[S::IN_BUCKET - 1] != S::from(0)
}

#[inline(always)]
fn untagged<S: Slot>(slot: S) -> S {
    slot & !S::from(TAG_MASK)
}

/// Whether a bucket holds a slot but for its tag; no branch for each slot.
#[inline(always)]
fn holds<S: Slot>(bucket: &[S], wanted: S) -> bool {
    bucket.iter().fold(0, |found, &slot| found + u8::from(untagged(slot) == wanted)) != 0
}

/// Slots in use of a bucket that is not full.
#[inline(always)]
fn used<S: Slot>(bucket: &[S]) -> usize {
    bucket.iter().fold(0, |used, &slot| used + usize::from(slot != S::from(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superpuzz::key::Key;
    use std::collections::HashMap;

    /// Puts every key in, growing as needed, and compares with a map all along.
    fn fill<S: Slot>(places: impl Iterator<Item = Place>, high_bits: u32) -> Table<S> {
        let mut budget = Budget::new(0);
        let mut never = || false;
        let mut clock = Clock::new(0.0, &mut never);
        let mut table = Table::new(&mut budget).expect("room");
        let mut known: HashMap<(u32, u64), u8> = HashMap::new();
        for (number, at) in places.enumerate() {
            let tag = (number % 4) as u8;
            if !table.has_room() || table.high_bits() < high_bits {
                table.grow(high_bits, &mut budget, &mut clock).expect("room");
            }
            let expected = if known.contains_key(&(at.place, at.high)) { Inserted::Known } else { Inserted::New };
            assert_eq!(table.find(at), known.get(&(at.place, at.high)).copied());
            assert_eq!(table.insert(at, tag), expected);
            known.entry((at.place, at.high)).or_insert(tag);
        }
        assert_eq!(table.count(), known.len() as u64);
        for (&(place, high), &tag) in &known {
            assert_eq!(table.find(Place { place, high }), Some(tag));
        }
        table
    }

    #[test]
    fn a_set_of_keys() {
        let keys = || {
            (0..200_000u64).map(|i| {
                let number = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 150_000;
                Place::of(Key { low: (number % 512) as u32, high: ((number / 512) << 20) | (number % 3) })
            })
        };
        fill::<u64>(keys(), 40);
        fill::<u128>(keys(), 40);
    }

    #[test]
    fn places_of_one_home_and_the_highest_keys() {
        fn check<S: Slot>(high_bits: u32) {
            let table = fill::<S>((0..2000u64).map(|i| Place { place: 7, high: i }), 32);
            assert!(!table.spilt.is_empty());
            let high = |i: u64| (1 << high_bits) - 1 - i / 700;
            fill::<S>((0..3000u64).map(|i| Place { place: u32::MAX - (i % 700) as u32, high: high(i) }), high_bits);
        }
        check::<u64>(40);
        check::<u128>(40);
        check::<u128>(63);
    }

    /// A key that is too wide makes a table of narrow slots larger, one of wide slots not.
    #[test]
    fn wide_slots_take_wide_keys_as_they_are() {
        fn grown<S: Slot>(high_bits: u32) -> u64 {
            let mut budget = Budget::new(0);
            let mut never = || false;
            let mut table = Table::<S>::new(&mut budget).expect("room");
            if table.high_bits() < high_bits {
                table.grow(high_bits, &mut budget, &mut Clock::new(0.0, &mut never)).expect("room");
            }
            table.shape.homes
        }
        assert!(grown::<u64>(38) > 16 * FIRST_HOMES);
        assert_eq!((grown::<u64>(32), grown::<u128>(63)), (FIRST_HOMES, FIRST_HOMES));
    }
}
