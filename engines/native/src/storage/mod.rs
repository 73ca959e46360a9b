//! Shard files' blocks (storage/FORMAT.md): packed (`bucketed`, `wide`), read in place (`mapped`, `reader`), digested.
pub mod arrays;
pub mod bits;
pub mod block;
pub mod bucketed;
pub mod bytes;
pub mod damaged;
pub mod digest;
pub mod keys;
pub mod layout;
pub mod mapped;
pub mod python;
pub mod reader;
pub mod sort;
pub mod values;
pub mod wide;
