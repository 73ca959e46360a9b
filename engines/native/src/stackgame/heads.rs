//! How the cards that have left the pile can have led to a two-board state, which is read from its last cards on.
//!
//! A placed card x lies in a *gap* of its chain: A's gap i is between A_{i-1} and A_i, B's gap j between B_{j-1} and
//! B_j. What must leave after x is then a point of column i (or of row j) of the state's region (see `shape`), and it
//! lies on the region's border: for a card of A on the upper path, for one of B on the lower one. Nothing but the
//! orders of the two chains and of the stacks, from top to bottom, makes cards wait. So a corner of the upper path at
//! (i, j), where it comes down column i and turns to column i - 1, can only come from some card in A's gap i that
//! lies directly on one in B's gap j: an *edge*. Corners of the lower path need edges from B to A likewise, and so
//! does a stack whose mark lies within a stretch that comes down, unless another stack has that edge: then the
//! stack's own top card can be an earlier one of the same gap.
//!
//! Read from the top of the region down, a stack is met from its bottom card on. The card met last is its *head*: the
//! next one that is met must leave before it. Each edge, and each card at which a mark is, costs a card of its chain,
//! unless the head is in the right gap already. A state can be reached when all its corners have edges, all stacks
//! end at their marks, and no board needs more than its cards; cards that are left over go where others of their gap
//! are. A head in whose gap no later card can be, and on which every later card may lie, counts as no head.
//!
//! Tests compare all states of small games, and the recorded counts of larger ones.

/// The side of the region that a path is on: 0 the upper path and chain A, 1 the lower path and chain B.
pub type Side = u8;
pub const UPPER: Side = 0;
pub const LOWER: Side = 1;

/// A stack's head: its side, whether its own path is still in its gap, and how far the other path is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Head(u8);

// Bits of a head: distance, kind, own path, side.
const DISTANCE: u8 = 15;
const KIND: u8 = 3 << 4;
/// The other path comes to the gap after `distance` more of its steps.
const AHEAD: u8 = 1 << 4;
/// It is in the gap; or past it. A card of the other chain may lie on the head's chain again where the head's own path is
/// `distance` steps further down.
const INSIDE: u8 = 2 << 4;
const PAST: u8 = 3 << 4;
const OWN: u8 = 1 << 6;
const SIDE: u8 = 1 << 7;

impl Head {
    pub const NONE: Head = Head(0);

    pub fn from_bits(bits: u8) -> Head {
        Head(bits)
    }

    pub fn bits(self) -> u8 {
        self.0
    }

    /// A card that is met where the paths are `width` apart.
    fn met(side: Side, width: u8) -> Head {
        Head(side << 7 | OWN | if width == 0 { INSIDE } else { AHEAD | width })
    }

    fn side(self) -> Side {
        self.0 >> 7
    }

    /// The same with the chains exchanged.
    pub fn mirrored(self) -> Head {
        if self == Head::NONE { self } else { Head(self.0 ^ SIDE) }
    }

    /// After a step of both paths (true: down column or row of the other chain, as a B-step of the upper path is), at whose
    /// end they are `width` apart.
    pub fn after(self, upper_is_b: bool, lower_is_b: bool, width: u8) -> Head {
        if self == Head::NONE {
            return self;
        }
        let (leaves, own_comes_down, other_nears) = match self.side() {
            UPPER => (!upper_is_b, upper_is_b, !lower_is_b),
            _ => (lower_is_b, !lower_is_b, upper_is_b),
        };
        let (mut kind, mut distance, mut own) = (self.0 & KIND, self.0 & DISTANCE, self.0 & OWN);
        if leaves {
            own = 0;
        }
        if kind == AHEAD {
            if other_nears {
                distance -= 1;
                if distance == 0 {
                    (kind, distance) = (INSIDE, width);
                }
            }
        } else {
            distance -= u8::from(own_comes_down && distance > 0);
            if other_nears {
                kind = PAST;
            }
        }
        if kind == PAST && distance == 0 && own == 0 {
            return Head::NONE;
        }
        Head((self.0 & SIDE) | own | kind | distance)
    }

    /// Whether an edge from this side's chain may come next, at its path: the head after it, and how many cards of
    /// both chains it costs.
    pub fn edge(self, side: Side, width: u8) -> Option<(Head, [u8; 2])> {
        let (kind, distance) = (self.0 & KIND, self.0 & DISTANCE);
        let mut cost = [1, 1];
        if self != Head::NONE {
            if kind == AHEAD {
                return None;
            }
            if self.side() != side {
                // The head is of the chain that the edge leads to.
                cost[usize::from(1 - side)] = u8::from(kind != INSIDE);
            } else if distance > 0 {
                return None;
            }
        }
        Some((Head::met(side, width), cost))
    }

    /// Whether the stack's top card may be one of this side's chain, at its path; and how many cards of both chains
    /// that costs.
    pub fn top(self, side: Side) -> Option<[u8; 2]> {
        let mut cost = [0, 0];
        if self == Head::NONE {
            cost[usize::from(side)] = 1;
        } else if self.side() == side {
            cost[usize::from(side)] = u8::from(self.0 & OWN == 0);
        } else {
            if self.0 & KIND == AHEAD {
                return None;
            }
            cost[usize::from(side)] = 1;
        }
        Some(cost)
    }
}
