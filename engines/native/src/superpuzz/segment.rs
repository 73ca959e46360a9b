//! The memory of a table, in pieces that can be made and freed one by one.
use super::place::Slot;
use crate::memory::advise_huge_pages;

/// A cache line.
const BUCKET_BYTES: usize = 64;
pub const SEGMENT_BITS: u32 = 16;
/// Buckets of every segment but the last one of a table.
pub const SEGMENT_BUCKETS: usize = 1 << SEGMENT_BITS;
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// Buckets in sequence, each on a cache line of its own.
pub struct Segment<S> {
    words: Vec<S>,
    first: usize,
    pub buckets: usize,
}

/// The memory of a segment.
pub fn segment_bytes(buckets: usize) -> u64 {
    (buckets * BUCKET_BYTES + BUCKET_BYTES) as u64
}

impl<S: Slot> Segment<S> {
    /// Whole segments are aligned to huge pages; the space before and after is never touched, so no memory is used for it.
    pub fn new(buckets: usize) -> Segment<S> {
        let alignment = if buckets == SEGMENT_BUCKETS { HUGE_PAGE_BYTES } else { BUCKET_BYTES };
        let mut words = vec![S::from(0); (buckets * BUCKET_BYTES + alignment) / size_of::<S>()];
        let first = words.as_ptr().align_offset(alignment);
        if buckets == SEGMENT_BUCKETS {
            advise_huge_pages(&mut words[first..][..buckets * S::IN_BUCKET]);
        }
        Segment { words, first, buckets }
    }

    #[inline(always)]
    pub fn bucket(&self, at: usize) -> &[S] {
        &self.words[self.first + at * S::IN_BUCKET..][..S::IN_BUCKET]
    }

    #[inline(always)]
    pub fn bucket_mut(&mut self, at: usize) -> &mut [S] {
        &mut self.words[self.first + at * S::IN_BUCKET..][..S::IN_BUCKET]
    }

    pub fn clear(&mut self) {
        self.words[self.first..][..self.buckets * S::IN_BUCKET].fill(S::from(0));
    }
}
