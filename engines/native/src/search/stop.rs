//! What ends a search before it is done.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    States,
    Memory,
    Time,
    /// The user interrupts; the search has no answer.
    Interrupt,
}

impl Stop {
    /// The limit that was hit, as Python sees it; an interrupt is none.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stop::States => "states",
            Stop::Memory => "memory",
            Stop::Time => "time",
            Stop::Interrupt => "",
        }
    }
}
