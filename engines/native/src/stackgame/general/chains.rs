//! A smallest set of chains that cover an order, a function of the canonical list and the order alone.
use super::cells::Cells;
use super::state::*;

/// A smallest set of chains that cover the order.
pub(super) struct Chains {
    pub(super) count: usize,
    /// Per card, its chain and its index there.
    pub(super) chain: [u8; MAX_CARDS],
    pub(super) index: [u8; MAX_CARDS],
    pub(super) len: [usize; MAX_CARDS],
    pub(super) cards: [u32; MAX_CARDS],
}

pub(super) const NONE: u8 = u8::MAX;

/// A matching of cards to the next card of their chain.
pub(super) struct Links<'a> {
    pub(super) before: &'a [u32; MAX_CARDS],
    pub(super) cells: &'a Cells,
    pub(super) next: [u8; MAX_CARDS],
    pub(super) previous: [u8; MAX_CARDS],
    /// Cards without a next card.
    pub(super) ends: u32,
    pub(super) seen: u32,
}

impl Links<'_> {
    /// The card of the mask that is last in the canonical list.
    pub(super) fn last(&self, mask: u32) -> usize {
        bits(mask).max_by_key(|&y| self.cells.cell[y]).expect("a mask with a card")
    }

    pub(super) fn link(&mut self, y: usize, x: usize) {
        self.next[y] = x as u8;
        self.previous[x] = y as u8;
        self.ends &= !BIT[y];
    }

    /// Finds a card to come before `x` in its chain, moving others if need be (an augmenting path).
    pub(super) fn attach(&mut self, x: usize) -> bool {
        let free = self.before[x] & self.ends;
        if free != 0 {
            self.link(self.last(free), x);
            return true;
        }
        loop {
            let untried = self.before[x] & !self.seen;
            if untried == 0 {
                return false;
            }
            let y = self.last(untried);
            self.seen |= BIT[y];
            if self.attach(self.next[y] as usize) {
                self.link(y, x);
                return true;
            }
        }
    }
}

impl Chains {
    /// The chains depend on the order and on the canonical list only.
    pub(super) fn of(play: &Play, cells: &Cells) -> Chains {
        let list = &cells.order[..play.left.count_ones() as usize];
        let none = [NONE; MAX_CARDS];
        let mut links = Links { before: &play.before, cells, next: none, previous: none, ends: 0, seen: 0 };
        for &x in list {
            links.seen = 0;
            links.attach(x as usize);
            links.ends |= BIT[x as usize];
        }
        let (bytes, zero) = ([0; MAX_CARDS], [0; MAX_CARDS]);
        let mut chains = Chains { count: 0, chain: bytes, index: bytes, len: [0; MAX_CARDS], cards: zero };
        for &x in list {
            let x = x as usize;
            let chain = match links.previous[x] {
                NONE => {
                    chains.count += 1;
                    chains.count - 1
                }
                y => chains.chain[y as usize] as usize,
            };
            chains.chain[x] = chain as u8;
            chains.index[x] = chains.len[chain] as u8;
            chains.len[chain] += 1;
            chains.cards[chain] |= BIT[x];
        }
        chains
    }
}
