//! The set of states found, exact, in about ten bytes a state.
//!
//! **Exactness.** A key is mixed by an invertible function into `(place, high)`: `place` is 32 bits, `high` stays as it
//! is. The home bucket is `place * buckets >> 32`, so a bucket is home to at most `2^low_bits` places in sequence, and
//! the last `low_bits` bits of `place` tell them apart. A slot holds those bits, all of `high`, and how many buckets it
//! lies past its home. Slot and bucket together give back the key: two states are never taken for one.
//!
//! Buckets are cache lines of eight slots, filled from the first; a full one passes on to the next. No slot ever moves
//! but when the table grows. Buckets are in the order of places, so growing streams through both tables: segments of
//! the new one are made as they are reached, those of the old one freed as they are done with.
use super::key::Key;
use super::memory::{Budget, advise_huge_pages, prefetch};
use super::report::{Clock, Stop};

const BUCKET_SLOTS: usize = 8;
const BUCKET_BYTES: usize = BUCKET_SLOTS * size_of::<u64>();
/// A slot, from the lowest bit: tag, distance from home, low bits of the place, `high + 1`. 0 is an empty slot.
const TAG_BITS: u32 = 2;
const DISTANCE_BITS: u32 = 5;
const META_BITS: u32 = TAG_BITS + DISTANCE_BITS;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;
/// Buckets that a state may lie past its home; the table has as many more than it has homes.
const MAX_DISTANCE: usize = (1 << DISTANCE_BITS) - 1;
const SEGMENT_BITS: u32 = 16;
const SEGMENT_BUCKETS: usize = 1 << SEGMENT_BITS;
const HUGE_PAGE_BYTES: usize = 2 << 20;
/// Homes of a new table.
const FIRST_HOMES: u64 = 256;
/// Most homes: places are 32 bits wide.
const MAX_HOMES: u64 = 1 << 32;
/// Most states for ten slots of a table that can grow.
const FILL_TENTHS: u64 = 9;

/// Where a state belongs.
#[derive(Clone, Copy, Default)]
pub struct Place {
    place: u32,
    high: u64,
}

impl Place {
    /// Mixes a key; invertible, since `low` passes through invertible steps and an exclusive or with a function of `high`.
    #[inline(always)]
    #[must_use]
    pub fn of(key: Key) -> Place {
        let mut low = key.low;
        low = (low ^ low >> 16).wrapping_mul(0x85EB_CA6B);
        low = (low ^ low >> 13).wrapping_mul(0xC2B2_AE35);
        let mut fold = key.high.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        fold = (fold ^ fold >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Place { place: low ^ low >> 16 ^ (fold >> 32) as u32, high: key.high }
    }
}

/// Buckets in sequence, each on a cache line of its own.
struct Segment {
    words: Vec<u64>,
    first: usize,
    buckets: usize,
}

impl Segment {
    fn bytes(buckets: usize) -> u64 {
        (buckets * BUCKET_BYTES + BUCKET_BYTES) as u64
    }

    /// Whole segments are aligned to huge pages; what lies before and after is never touched, and no memory stands behind it.
    fn new(buckets: usize) -> Segment {
        let alignment = if buckets == SEGMENT_BUCKETS { HUGE_PAGE_BYTES } else { BUCKET_BYTES };
        let mut words = vec![0; (buckets * BUCKET_BYTES + alignment) / size_of::<u64>()];
        let first = words.as_ptr().align_offset(alignment);
        if buckets == SEGMENT_BUCKETS {
            advise_huge_pages(&mut words[first..][..buckets * BUCKET_SLOTS]);
        }
        Segment { words, first, buckets }
    }

    #[inline(always)]
    fn bucket(&self, at: usize) -> &[u64; BUCKET_SLOTS] {
        self.words[self.first + at * BUCKET_SLOTS..].first_chunk().expect("a bucket of this segment")
    }

    #[inline(always)]
    fn bucket_mut(&mut self, at: usize) -> &mut [u64; BUCKET_SLOTS] {
        self.words[self.first + at * BUCKET_SLOTS..].first_chunk_mut().expect("a bucket of this segment")
    }

    fn clear(&mut self) {
        self.words[self.first..][..self.buckets * BUCKET_SLOTS].fill(0);
    }
}

/// What an insertion came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    New,
    Known,
}

/// Homes and how they follow from places.
#[derive(Clone, Copy)]
struct Shape {
    homes: u64,
    low_bits: u32,
}

impl Shape {
    fn new(homes: u64) -> Shape {
        let places = MAX_HOMES.div_ceil(homes);
        Shape { homes, low_bits: places.next_power_of_two().trailing_zeros() }
    }

    /// Bits of `high` that fit; one value is lost to `high + 1`.
    fn high_bits(&self) -> u32 {
        u64::BITS - META_BITS - self.low_bits - 1
    }

    #[inline(always)]
    fn home(&self, place: u32) -> usize {
        ((u64::from(place) * self.homes) >> 32) as usize
    }

    /// The first place of a home.
    fn first_place(&self, home: usize) -> u64 {
        ((home as u64) << 32).div_ceil(self.homes)
    }

    /// The place with these low bits, from the first place of its home on.
    #[inline(always)]
    fn place(&self, first: u64, low: u64) -> u32 {
        (first + (low.wrapping_sub(first) & ((1 << self.low_bits) - 1))) as u32
    }

    #[inline(always)]
    fn slot(&self, at: Place) -> u64 {
        ((at.high + 1) << self.low_bits | u64::from(at.place) & ((1 << self.low_bits) - 1)) << META_BITS
    }

    fn buckets(&self) -> usize {
        self.homes as usize + MAX_DISTANCE
    }

    /// Buckets of segment `index`.
    fn segment_buckets(&self, index: usize) -> usize {
        SEGMENT_BUCKETS.min(self.buckets() - index * SEGMENT_BUCKETS)
    }

    fn segments_count(&self) -> usize {
        self.buckets().div_ceil(SEGMENT_BUCKETS)
    }

    fn bytes(&self) -> u64 {
        (0..self.segments_count()).map(|index| Segment::bytes(self.segment_buckets(index))).sum()
    }
}

pub struct Table {
    shape: Shape,
    segments: Vec<Segment>,
    /// States that found no room near their home: hardly ever one.
    spilt: Vec<(u32, u64, u8)>,
    count: u64,
    /// States at which the table has to grow.
    full_at: u64,
}

impl Table {
    pub fn new(budget: &mut Budget) -> Result<Table, Stop> {
        let shape = Shape::new(FIRST_HOMES);
        budget.take(shape.bytes())?;
        let mut table = Table { shape, segments: Vec::new(), spilt: Vec::new(), count: 0, full_at: full_at(shape) };
        table.segments.push(Segment::new(shape.buckets()));
        Ok(table)
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether keys with so many bits of `high` fit and there is room for one state more.
    #[inline(always)]
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.count < self.full_at
    }

    /// Bits of `high` that a key may have.
    #[must_use]
    pub fn high_bits(&self) -> u32 {
        self.shape.high_bits()
    }

    #[inline(always)]
    pub fn prefetch(&self, at: Place) {
        prefetch(self.bucket(self.shape.home(at.place)));
    }

    /// Whether a state is in its home bucket; sends for the next one if that is full.
    #[inline(always)]
    pub fn is_home(&self, at: Place) -> bool {
        let home = self.shape.home(at.place);
        let bucket = self.bucket(home);
        if bucket[BUCKET_SLOTS - 1] != 0 {
            prefetch(self.bucket(home + 1));
        }
        holds(bucket, self.shape.slot(at))
    }

    #[inline(always)]
    fn bucket(&self, at: usize) -> &[u64; BUCKET_SLOTS] {
        self.segments[at >> SEGMENT_BITS].bucket(at % SEGMENT_BUCKETS)
    }

    /// Finds a state or puts it in with a tag (0..3). There must be room.
    #[inline(always)]
    pub fn insert(&mut self, at: Place, tag: u8) -> Inserted {
        let home = self.shape.home(at.place);
        let slot = self.shape.slot(at);
        for distance in 0..=MAX_DISTANCE {
            let wanted = slot | (distance as u64) << TAG_BITS;
            let bucket = home + distance;
            let bucket = self.segments[bucket >> SEGMENT_BITS].bucket_mut(bucket % SEGMENT_BUCKETS);
            if holds(bucket, wanted) {
                return Inserted::Known;
            }
            if bucket[BUCKET_SLOTS - 1] == 0 {
                bucket[used(bucket)] = wanted | u64::from(tag);
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
        let slot = self.shape.slot(at);
        for distance in 0..=MAX_DISTANCE {
            let wanted = slot | (distance as u64) << TAG_BITS;
            let bucket = self.bucket(home + distance);
            if let Some(&found) = bucket.iter().find(|&&slot| slot & !TAG_MASK == wanted) {
                return Some((found & TAG_MASK) as u8);
            }
            if bucket[BUCKET_SLOTS - 1] == 0 {
                return None;
            }
        }
        self.spilt.iter().find(|&&(place, high, _)| (place, high) == (at.place, at.high)).map(|&(_, _, tag)| tag)
    }

    /// Makes room for more states, and for keys with `high_bits` bits of `high`; as much as memory allows.
    #[cold]
    pub fn grow(&mut self, high_bits: u32, budget: &mut Budget, clock: &mut Clock<'_>) -> Result<(), Stop> {
        let old = self.shape;
        // Steps of a quarter keep the table 72% full or more; where memory is short, smaller ones still fit.
        let first_step = if old.homes < SEGMENT_BUCKETS as u64 / 4 { 1 } else { 4 };
        for parts in [first_step, 8, 16] {
            let mut homes = old.homes + old.homes / parts;
            while homes < MAX_HOMES && Shape::new(homes).high_bits() < high_bits {
                homes += homes / 4;
            }
            let shape = Shape::new(homes);
            // The counts of the new buckets, and the new table beside the old one or three segments of it.
            let beside = old.bytes().min(3 * Segment::bytes(SEGMENT_BUCKETS));
            let fits = (shape.bytes() + shape.buckets() as u64 + beside).saturating_sub(old.bytes());
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
        self.full_at = full_at(shape);
        // Slots in use of each new bucket: to read the buckets themselves right after writing them is slow.
        let mut used = vec![0; shape.buckets()];
        budget.count(shape.buckets() as u64);
        let mut spare = None;
        for (index, segment) in old_segments.into_iter().enumerate() {
            let (mut last_home, mut first_place) = (usize::MAX, 0);
            for at in 0..segment.buckets {
                for &slot in segment.bucket(at).iter().take_while(|&&slot| slot != 0) {
                    let home = index * SEGMENT_BUCKETS + at - ((slot >> TAG_BITS) as usize & MAX_DISTANCE);
                    if home != last_home {
                        (last_home, first_place) = (home, old.first_place(home));
                    }
                    let body = slot >> META_BITS;
                    let place = Place { place: old.place(first_place, body), high: (body >> old.low_bits) - 1 };
                    self.reach(self.shape.home(place.place) + MAX_DISTANCE, &mut spare, budget);
                    self.move_in(place, slot & TAG_MASK, &mut used);
                }
            }
            clock.check()?;
            let mut freed = Some(segment);
            if let Some(segment) = freed.as_mut().filter(|segment| segment.buckets == SEGMENT_BUCKETS) {
                segment.clear();
                std::mem::swap(&mut freed, &mut spare);
            }
            budget.give(freed.map_or(0, |segment| Segment::bytes(segment.buckets)));
        }
        self.reach(shape.buckets() - 1, &mut spare, budget);
        budget.give(spare.map_or(0, |segment| Segment::bytes(segment.buckets)));
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
        for distance in 0..=MAX_DISTANCE {
            let bucket = home + distance;
            let index = usize::from(used[bucket]);
            if index < BUCKET_SLOTS {
                used[bucket] += 1;
                self.segments[bucket >> SEGMENT_BITS].bucket_mut(bucket % SEGMENT_BUCKETS)[index] =
                    self.shape.slot(at) | (distance as u64) << TAG_BITS | tag;
                return;
            }
        }
        self.spilt.push((at.place, at.high, tag as u8));
    }

    /// Makes the segments as far as that of a bucket.
    #[inline(always)]
    fn reach(&mut self, bucket: usize, spare: &mut Option<Segment>, budget: &mut Budget) {
        while self.segments.len() <= bucket >> SEGMENT_BITS {
            let buckets = self.shape.segment_buckets(self.segments.len());
            let made = if buckets == SEGMENT_BUCKETS { spare.take() } else { None };
            self.segments.push(made.unwrap_or_else(|| {
                budget.count(Segment::bytes(buckets));
                Segment::new(buckets)
            }));
        }
    }
}

fn full_at(shape: Shape) -> u64 {
    shape.homes * BUCKET_SLOTS as u64 / 10 * FILL_TENTHS
}

/// Whether a bucket holds a slot but for its tag; no branch for each slot.
#[inline(always)]
fn holds(bucket: &[u64; BUCKET_SLOTS], wanted: u64) -> bool {
    bucket.iter().fold(0, |found, &slot| found + u8::from(slot & !TAG_MASK == wanted)) != 0
}

/// Slots in use of a bucket that is not full.
#[inline(always)]
fn used(bucket: &[u64; BUCKET_SLOTS]) -> usize {
    bucket.iter().fold(0, |used, &slot| used + usize::from(slot != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Puts every key in, growing as needed, and compares with a map all along.
    fn fill(places: impl Iterator<Item = Place>, high_bits: u32) -> Table {
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
        let keys = (0..200_000u64).map(|i| {
            let number = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 150_000;
            Place::of(Key { low: (number % 512) as u32, high: ((number / 512) << 20) | (number % 3) })
        });
        fill(keys, 40);
    }

    #[test]
    fn places_of_one_home_and_the_highest_keys() {
        let table = fill((0..2000u64).map(|i| Place { place: 7, high: i }), 32);
        assert!(!table.spilt.is_empty());
        fill((0..3000u64).map(|i| Place { place: u32::MAX - (i % 700) as u32, high: (1 << 40) - 1 - i / 700 }), 40);
    }

    #[test]
    fn places_come_back_from_homes() {
        for homes in [256, 257, 1000, 4097, 3 << 20, (1 << 31) + 12345, MAX_HOMES] {
            let shape = Shape::new(homes);
            for i in 0..2000u32 {
                for place in [i, u32::MAX - i, i.wrapping_mul(0x9E37_79B9)] {
                    let low = u64::from(place) & ((1 << shape.low_bits) - 1);
                    assert_eq!(shape.place(shape.first_place(shape.home(place)), low), place);
                }
            }
        }
    }
}
