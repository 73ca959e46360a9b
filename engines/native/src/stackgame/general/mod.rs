//! The stack game on up to four boards: states as orders of any width, their exact canonical form, and their keys.
//!
//! A state holds only the cards that are still in the pile: a strict order ("must leave before") of width at most the
//! number of boards, and for each stack the up-set of the cards that may no longer go there. Two states are the same
//! if a relabelling of the cards that keeps the order, together with a renaming of the stacks, turns one into the other.
//!
//! The key of a state is made in three steps:
//! 1. **A canonical list of the cards** (a linear extension). Cards are put into cells by the numbers of cards before
//!    and after them and by the stacks that they may not use; cells are refined by the cells of comparable cards; where
//!    cells stay tied, every choice is tried and the smallest code of the series component wins.
//! 2. **A chain decomposition** that is a function of that list and of the order alone.
//! 3. **The code**: the lengths of the chains; for every ordered pair of chains the staircase that says how many cards
//!    of the second come before each card of the first, as a lattice path of one bit a step; for each stack the place
//!    in every chain where its up-set starts.
//!
//! Hashes only put cards of one cell in an order, and they are sums over cells, hence the same for isomorphic states.
//! Two different sums that collide leave a cell tied, which costs a search; equality rests on the full code alone.
mod cells;
mod chains;
mod coder;
mod state;
mod successors;
#[cfg(test)]
mod tests;

pub use coder::Coder;
pub(super) use state::bits;
pub use state::{MAX_BOARDS, MAX_CARDS, MAX_STACKS, State, is_dead, start};
pub use successors::{place, successors};
