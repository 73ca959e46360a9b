//! Ways in which a state can have come about, as far as it was read: the heads of the stacks that have no mark yet,
//! the cards that the boards have left, and how the paths came to where they are.
use super::heads::{Head, LOWER, Side, UPPER};
use super::width2::MAX_STACKS;

/// One way, packed into a word: a byte for each head, largest first; then five bits for the cards left of each chain,
/// and two for the paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct History(u64);

const LEFT_AT: [u32; 2] = [40, 45];
const LEFT: u64 = 31;
/// By side: its path came down the gap that it is in, so that a turn is a corner.
const DOWN_AT: u32 = 50;

impl History {
    pub fn start(cards: [u8; 2]) -> History {
        History(u64::from(cards[0]) << LEFT_AT[0] | u64::from(cards[1]) << LEFT_AT[1])
    }

    pub fn from_bits(bits: u64) -> History {
        History(bits)
    }

    pub fn bits(self) -> u64 {
        self.0
    }

    fn heads(self) -> [u8; MAX_STACKS] {
        std::array::from_fn(|s| (self.0 >> (8 * s)) as u8)
    }

    fn with_heads(self, mut heads: [u8; MAX_STACKS]) -> History {
        heads.sort_unstable_by(|x, y| y.cmp(x));
        let bits = heads.iter().rev().fold(0, |bits, &head| bits << 8 | u64::from(head));
        History(self.0 >> 40 << 40 | bits)
    }

    /// Cards that the chain of a side has left.
    pub fn left(self, side: Side) -> u8 {
        (self.0 >> LEFT_AT[usize::from(side)] & LEFT) as u8
    }

    pub fn came_down(self, side: Side) -> bool {
        self.0 >> (DOWN_AT + u32::from(side)) & 1 == 1
    }

    fn paid(self, cost: [u8; 2]) -> Option<History> {
        if self.left(UPPER) < cost[0] || self.left(LOWER) < cost[1] {
            return None;
        }
        Some(History(self.0 - (u64::from(cost[0]) << LEFT_AT[0]) - (u64::from(cost[1]) << LEFT_AT[1])))
    }

    /// The same with the chains exchanged, which is another way only at a cut.
    pub fn mirrored(self) -> History {
        let heads = self.heads().map(|head| Head::from_bits(head).mirrored().bits());
        let down = u64::from(self.came_down(LOWER)) | u64::from(self.came_down(UPPER)) << 1;
        let left = History::start([self.left(LOWER), self.left(UPPER)]).0;
        History(left | down << DOWN_AT).with_heads(heads)
    }

    /// After a step of both paths, at whose end they are `width` apart; None when a board has no card for it.
    pub fn after(self, upper_is_b: bool, lower_is_b: bool, width: u8) -> Option<History> {
        let cost = [u8::from(!upper_is_b), u8::from(upper_is_b)];
        let paid = self.paid(cost)?;
        // What is still to come takes a card of B for each step that the paths are apart.
        if paid.left(LOWER) < width {
            return None;
        }
        let heads = paid.heads().map(|head| Head::from_bits(head).after(upper_is_b, lower_is_b, width).bits());
        let down = u64::from(upper_is_b) | u64::from(!lower_is_b) << 1;
        Some(History(paid.0 & !(3 << DOWN_AT) | down << DOWN_AT).with_heads(heads))
    }

    /// The first `open` stacks take an edge of this side, each in turn.
    pub fn edges(self, open: usize, side: Side, width: u8, mut emit: impl FnMut(History)) {
        let heads = self.heads();
        for s in (0..open).filter(|&s| s == 0 || heads[s] != heads[s - 1]) {
            let taken = Head::from_bits(heads[s]).edge(side, width);
            if let Some((head, history)) = taken.and_then(|(head, cost)| Some((head, self.paid(cost)?))) {
                let mut heads = heads;
                heads[s] = head.bits();
                emit(history.with_heads(heads));
            }
        }
    }

    /// Each of the `open` stacks in turn gets its mark at the path of this side.
    pub fn tops(self, open: usize, side: Side, mut emit: impl FnMut(History)) {
        let heads = self.heads();
        for s in (0..open).filter(|&s| s == 0 || heads[s] != heads[s - 1]) {
            if let Some(history) = Head::from_bits(heads[s]).top(side).and_then(|cost| self.paid(cost)) {
                let mut heads = heads;
                heads[s] = Head::NONE.bits();
                emit(history.with_heads(heads));
            }
        }
    }

    /// The same heads and paths, with no fewer cards left.
    pub fn is_no_worse(self, other: History) -> bool {
        let cards = History::start([LEFT as u8; 2]).0;
        self.0 & !cards == other.0 & !cards
            && self.left(UPPER) >= other.left(UPPER)
            && self.left(LOWER) >= other.left(LOWER)
    }
}
