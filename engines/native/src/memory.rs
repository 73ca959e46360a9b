//! Hints to the kernel and the processor about how memory will be read.

/// Asks for huge pages behind large memory that is read at random and starts at a page.
#[cfg(target_os = "linux")]
pub fn advise_huge_pages<T>(words: &mut [T]) {
    // SAFETY: the range is borrowed alone, and this advice never changes what memory holds. A refusal costs speed only, so
    // the result doesn't matter.
    unsafe { libc::madvise(words.as_mut_ptr().cast(), size_of_val(words), libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
pub fn advise_huge_pages<T>(_: &mut [T]) {}

/// Brings the cache line of a value near before it is read.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of a valid reference has no effect but on the caches.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The same for a place in bytes; beyond their end it does nothing.
#[inline(always)]
pub fn prefetch_at(bytes: &[u8], at: usize) {
    if let Some(byte) = bytes.get(at) {
        prefetch(byte);
    }
}
