//! Where blocks are read.

/// Bytes that stay where they are, unchanged, as long as their owner lives (a mapped file, an array).
pub trait Bytes: Send + Sync {
    fn bytes(&self) -> &[u8];
}

impl Bytes for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}
