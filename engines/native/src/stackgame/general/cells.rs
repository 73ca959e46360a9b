//! Ordered partitions of the cards, refined until the canonical list is found.
use super::state::*;

/// An ordered partition of the cards. Cells are runs of `order`; cards of a cell have equally many cards before them, so
/// they are incomparable, and any order of the cells' cards makes `order` a linear extension.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    pub(super) order: [u8; MAX_CARDS],
    /// Per card, the index in `order` where its cell starts.
    pub(super) cell: [u8; MAX_CARDS],
    /// The indices in `order` where cells start, and the index behind the last card.
    pub(super) starts: u32,
}

/// Relabelled rows of a series component and its stacks' up-sets in ascending order.
pub(super) type Code = [u32; MAX_CARDS + MAX_STACKS];

impl Cells {
    /// The canonical list of the cards: all cells have one card.
    pub(super) fn canonical(play: &Play) -> Cells {
        let (mut cells, cuts) = Cells::by_counts(play);
        cells.refine(play, u32::MAX);
        if cells.tied(u32::MAX) != 0 {
            // Series components: an up-set that starts inside of one holds all later and no earlier cards, so each
            // stack matters to one component only and components are independent of each other.
            let mut low = 0;
            for high in bits(cuts & !1) {
                let within = ones(high) & !ones(low);
                low = high;
                if cells.tied(within) != 0 {
                    let mut best = None;
                    cells.search(play, within, &mut best);
                    let (_, found) = best.expect("a search ends in at least one leaf");
                    cells = found;
                }
            }
        }
        cells
    }

    /// Cells by the numbers of cards before and after and by the sizes of the up-sets that hold the card; and the
    /// indices where series components start and end.
    pub(super) fn by_counts(play: &Play) -> (Cells, u32) {
        let lanes = play.lanes();
        let mut colour = [0i32; MAX_CARDS];
        let mut count = [0u32; MAX_CARDS];
        let mut sum = [0u32; MAX_CARDS];
        for &set in &play.upset[..play.stacks] {
            let weight = WEIGHT[3][set.count_ones() as usize];
            for x in 0..lanes {
                sum[x] = sum[x].wrapping_add(if set & BIT[x] == 0 { 0 } else { weight });
            }
        }
        for x in 0..lanes {
            count[x] = play.before[x].count_ones();
            sum[x] = sum[x].wrapping_add(play.after[x].count_ones()).wrapping_mul(0x9e37_79b1);
            colour[x] = ((count[x] << 26) | (sum[x] >> 6)) as i32;
            if play.left & BIT[x] == 0 {
                colour[x] = i32::MAX;
            }
        }
        let mut rank = [0i32; MAX_CARDS];
        for y in bits(play.left) {
            for x in 0..lanes {
                rank[x] += i32::from(colour[y] < colour[x]);
            }
        }
        let mut cells = Cells { order: [0; MAX_CARDS], cell: [0; MAX_CARDS], starts: 0 };
        let (mut filled, mut cuts) = (0u32, 0u32);
        for x in bits(play.left) {
            let first = rank[x] as usize;
            let index = first + (!filled >> first).trailing_zeros() as usize;
            filled |= 1 << index;
            cells.starts |= 1 << first;
            cells.order[index] = x as u8;
            cells.cell[x] = first as u8;
            // The `first` cards, those of earlier cells, all come before `x`, hence before all other cards.
            cuts |= u32::from(count[x] == first as u32) << first;
        }
        let end = 1 << play.left.count_ones();
        cells.starts |= end;
        (cells, cuts | end)
    }

    /// The starts of the cells with several cards.
    pub(super) fn tied(&self, within: u32) -> u32 {
        // The index behind the last card is a start and the last bit set; it is not a cell.
        let last = 31 - self.starts.leading_zeros();
        self.starts & !(self.starts >> 1) & within & !(1 << last)
    }

    pub(super) fn cell_len(&self, first: usize) -> usize {
        (self.starts >> (first + 1)).trailing_zeros() as usize + 1
    }

    /// Splits cells by the cells of comparable cards and of the stacks' up-sets until nothing changes.
    pub(super) fn refine(&mut self, play: &Play, within: u32) {
        loop {
            let tied = self.tied(within);
            if tied == 0 {
                return;
            }
            let before = self.starts;
            let mut stack_sum = [0u32; MAX_STACKS];
            for (sum, &set) in stack_sum.iter_mut().zip(&play.upset[..play.stacks]) {
                let total = bits(set).fold(1u32, |t, y| t.wrapping_add(WEIGHT[2][self.cell[y] as usize]));
                *sum = total.wrapping_mul(0x85eb_ca6b) ^ total >> 15;
            }
            for first in bits(tied) {
                self.split(play, &stack_sum, first);
            }
            if self.starts == before {
                return;
            }
        }
    }

    pub(super) fn split(&mut self, play: &Play, stack_sum: &[u32; MAX_STACKS], first: usize) {
        let cell = first..first + self.cell_len(first);
        // What all cards of the cell have in common cannot tell them apart.
        let (mut all_before, mut all_after) = (u32::MAX, u32::MAX);
        for &x in &self.order[cell.clone()] {
            all_before &= play.before[x as usize];
            all_after &= play.after[x as usize];
        }
        let mut sums = [(0u32, 0u8); MAX_BOARDS];
        let sums = &mut sums[..cell.len()];
        for (entry, &x) in sums.iter_mut().zip(&self.order[cell.clone()]) {
            let mut sum = 0u32;
            for y in bits(play.before[x as usize] & !all_before) {
                sum = sum.wrapping_add(WEIGHT[0][self.cell[y] as usize]);
            }
            for y in bits(play.after[x as usize] & !all_after) {
                sum = sum.wrapping_add(WEIGHT[1][self.cell[y] as usize]);
            }
            for (set, weight) in play.upset[..play.stacks].iter().zip(stack_sum) {
                sum = sum.wrapping_add(if set >> x & 1 == 0 { 0 } else { *weight });
            }
            *entry = (sum, x);
        }
        sums.sort_unstable();
        let (mut start, mut last) = (first, sums[0].0);
        for (index, &(sum, x)) in cell.zip(&*sums) {
            if sum != last {
                (start, last) = (index, sum);
                self.starts |= 1 << start;
            }
            self.order[index] = x;
            self.cell[x as usize] = start as u8;
        }
    }

    /// Makes the card at `index` a cell of its own, the first of what was its cell.
    pub(super) fn single_out(&mut self, first: usize, index: usize) {
        let len = self.cell_len(first);
        self.order.swap(first, index);
        self.starts |= 1 << (first + 1);
        for &y in &self.order[first + 1..first + len] {
            self.cell[y as usize] = first as u8 + 1;
        }
    }

    /// Tries every card of the first tied cell in its first place; keeps the leaf with the smallest code.
    pub(super) fn search(&self, play: &Play, within: u32, best: &mut Option<(Code, Cells)>) {
        let tied = self.tied(within);
        if tied == 0 {
            let code = self.code(play, within);
            if best.as_ref().is_none_or(|(least, _)| code < *least) {
                *best = Some((code, *self));
            }
            return;
        }
        let first = tied.trailing_zeros() as usize;
        for index in first..first + self.cell_len(first) {
            // Exchanging twins is an automorphism that keeps every cell, so both lead to the same codes.
            let x = self.order[index] as usize;
            if self.order[first..index].iter().any(|&y| play.are_twins(x, y as usize)) {
                continue;
            }
            let mut next = *self;
            next.single_out(first, index);
            next.refine(play, within);
            next.search(play, within, best);
        }
    }

    /// The code of a series component whose cells are all single.
    pub(super) fn code(&self, play: &Play, within: u32) -> Code {
        let low = within.trailing_zeros() as usize;
        let (mut code, mut component) = ([0; MAX_CARDS + MAX_STACKS], 0);
        for index in bits(within) {
            component |= BIT[self.order[index] as usize];
        }
        let relabel = |mask: u32| bits(mask & component).fold(0, |m, y| m | 1 << (self.cell[y] as usize - low));
        for index in bits(within) {
            code[index] = relabel(play.before[self.order[index] as usize]);
        }
        let sets = &mut code[MAX_CARDS..MAX_CARDS + play.stacks];
        for (code, &set) in sets.iter_mut().zip(&play.upset) {
            *code = relabel(set);
        }
        sets.sort_unstable();
        code
    }
}
