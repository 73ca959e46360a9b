//! The memory of a table, in pieces that can be made and freed one by one.
use crate::memory::advise_huge_pages;

pub const BUCKET_SLOTS: usize = 8;
const BUCKET_BYTES: usize = BUCKET_SLOTS * size_of::<u64>();
pub const SEGMENT_BITS: u32 = 16;
/// Buckets of every segment but the last one of a table.
pub const SEGMENT_BUCKETS: usize = 1 << SEGMENT_BITS;
const HUGE_PAGE_BYTES: usize = 2 << 20;

pub type Bucket = [u64; BUCKET_SLOTS];

/// Buckets in sequence, each on a cache line of its own.
pub struct Segment {
    words: Vec<u64>,
    first: usize,
    pub buckets: usize,
}

impl Segment {
    pub fn bytes(buckets: usize) -> u64 {
        (buckets * BUCKET_BYTES + BUCKET_BYTES) as u64
    }

    /// Whole segments are aligned to huge pages; the space before and after is never touched, so no memory is used for it.
    pub fn new(buckets: usize) -> Segment {
        let alignment = if buckets == SEGMENT_BUCKETS { HUGE_PAGE_BYTES } else { BUCKET_BYTES };
        let mut words = vec![0; (buckets * BUCKET_BYTES + alignment) / size_of::<u64>()];
        let first = words.as_ptr().align_offset(alignment);
        if buckets == SEGMENT_BUCKETS {
            advise_huge_pages(&mut words[first..][..buckets * BUCKET_SLOTS]);
        }
        Segment { words, first, buckets }
    }

    #[inline(always)]
    pub fn bucket(&self, at: usize) -> &Bucket {
        self.words[self.first + at * BUCKET_SLOTS..].first_chunk().expect("a bucket of this segment")
    }

    #[inline(always)]
    pub fn bucket_mut(&mut self, at: usize) -> &mut Bucket {
        self.words[self.first + at * BUCKET_SLOTS..].first_chunk_mut().expect("a bucket of this segment")
    }

    pub fn clear(&mut self) {
        self.words[self.first..][..self.buckets * BUCKET_SLOTS].fill(0);
    }
}
