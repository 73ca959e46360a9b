//! What the search for shortest solutions keeps of an arrangement, and of how it was reached: 20 bytes.
use super::packing::Packed;
use crate::hash;
use crate::search::best_first::Entry;

#[derive(Clone, Copy)]
pub struct Node {
    /// In two halves, so that a node has no gap.
    key: [u32; 2],
    /// The layout, and above it the bound for the moves that are left.
    layout_and_left: u32,
    /// Moves that lead here.
    pub cost: u16,
    pub redeals: u16,
    parent: u32,
}

const LAYOUT_BITS: u32 = 24;

impl Node {
    #[inline(always)]
    #[must_use]
    pub fn new(packed: Packed, redeals: u16, cost: u16, left: u8, parent: u32) -> Node {
        Node {
            key: [packed.key as u32, (packed.key >> 32) as u32],
            layout_and_left: packed.layout | u32::from(left) << LAYOUT_BITS,
            cost,
            redeals,
            parent,
        }
    }

    #[inline(always)]
    #[must_use]
    pub fn packed(&self) -> Packed {
        let key = u64::from(self.key[0]) | u64::from(self.key[1]) << 32;
        Packed { key, layout: self.layout_and_left & ((1 << LAYOUT_BITS) - 1) }
    }

    /// The bound for the moves that are left.
    #[inline(always)]
    #[must_use]
    pub fn left(&self) -> usize {
        (self.layout_and_left >> LAYOUT_BITS) as usize
    }

    /// The fewest moves of a game that goes through here, by the bound.
    #[inline(always)]
    #[must_use]
    pub fn fewest(&self) -> usize {
        usize::from(self.cost) + self.left()
    }
}

impl Entry for Node {
    #[inline(always)]
    fn is_same(&self, other: &Node) -> bool {
        self.packed() == other.packed() && self.redeals == other.redeals
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        let Packed { key, layout } = self.packed();
        hash::of_two(key ^ u64::from(self.redeals) << 48, u64::from(layout))
    }

    fn parent(&self) -> u32 {
        self.parent
    }
}
