//! The decision against the census.
