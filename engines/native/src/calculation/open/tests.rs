//! The search against plain ones, and its formula with what shortens the search against the rules alone.
