//! What a player may be told.

/// What a position is worth, by its assignments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// As much as the best of them.
    Max,
    /// The chance that at least one succeeds if they were independent.
    Independent,
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

/// What happens to an assignment that sends another card where one was just moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// The two exchange their targets.
    Exchange,
    Drop,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Assignments of a position that are kept, the best ones.
    pub kept: usize,
    /// Draws that are looked ahead.
    pub look_ahead: usize,
    pub worth: Worth,
    pub ties: Ties,
    pub unfit: Unfit,
    /// Whether whatever can be moved to a foundation is moved.
    pub eager: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            kept: 200,
            look_ahead: 0,
            worth: Worth::Max,
            ties: Ties::Foundation,
            unfit: Unfit::Exchange,
            eager: false,
        }
    }
}
