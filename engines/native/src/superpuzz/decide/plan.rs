//! The options of a search, and the answers of its parts.
use super::position::Position;

/// What a search leaves out, and how it looks for wins. All reductions are on, unless their worth is being measured.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Only the moves of a stubborn set are tried.
    pub stubborn: bool,
    /// A card that a stubborn set needs counts only if it can move while the set stays.
    pub frozen: bool,
    /// Positions whose relaxed game has no win are left out.
    pub dead_ends: bool,
    /// Beams keep few relatives.
    pub relatives: bool,
    /// Widths of the beams, in this order.
    pub widths: &'static [usize],
}

impl Default for Plan {
    fn default() -> Plan {
        let widths = &[300, 2_000, 12_000, 72_000];
        Plan { stubborn: true, frozen: true, dead_ends: true, relatives: true, widths }
    }
}

/// What is searched, and how.
#[derive(Clone, Copy)]
pub struct Task {
    pub columns: usize,
    pub plan: Plan,
}

pub enum Found {
    /// Classes from the start to a win.
    Win(Vec<Position>),
    NoWin,
}
