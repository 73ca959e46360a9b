//! The options of a player.

/// What a position is worth, by its assignments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Worth {
    /// As much as the best of them.
    Max,
    /// The chance that at least one succeeds if they were independent.
    Independent,
    /// The norm of their values with this exponent: between their sum (1) and the best (infinite).
    Norm(f64),
}

/// Which of equally good plays is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// Most cards on the foundations, then the first stack.
    Foundation,
    /// Fewest cards on the foundations, then the first stack.
    Stack,
    /// Most cards on the foundations, then the last stack.
    LastStack,
}

/// What happens to an assignment that meant another card for the place to which one was just moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfits {
    /// The two exchange their targets.
    Exchange,
    Drop,
}

/// Which of several alike assignments are kept; alike are those with the same cards of the pile for each foundation
/// and the same states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alike {
    /// The first.
    Once,
    All,
}

/// Which cards on stacks make the state of one or two boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edges {
    /// Those of these boards alone: the table has every such state.
    Own,
    /// Those of all boards: a card of a third board may forbid a stack, which no state of the table has.
    All,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Assignments of a position that are kept, the best ones.
    pub keep: usize,
    /// Draws that are looked ahead.
    pub look_ahead: usize,
    /// Piles on which the next draws are played out after each of the best plays of a turn.
    pub playouts: usize,
    pub worth: Worth,
    pub edges: Edges,
    pub ties: Ties,
    pub misfits: Misfits,
    pub alike: Alike,
    /// Whether assignments with other targets of stacked cards of the drawn rank are tried too.
    pub recast: bool,
    /// Whether whatever can be moved to a foundation is moved.
    pub eager: bool,
    /// States of two boards that are not in the table are computed if they have at most so many cards; of others each board
    /// counts as if it were alone.
    pub exact_cards: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            keep: 200,
            look_ahead: 0,
            playouts: 0,
            worth: Worth::Max,
            edges: Edges::All,
            ties: Ties::Foundation,
            misfits: Misfits::Exchange,
            alike: Alike::All,
            recast: false,
            eager: false,
            exact_cards: 24,
        }
    }
}
