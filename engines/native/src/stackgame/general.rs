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

/// Most cards of a state.
pub const MAX_CARDS: usize = 24;
/// Most boards, hence the largest width of an order.
pub const MAX_BOARDS: usize = 4;
/// Most stacks.
pub const MAX_STACKS: usize = 8;

/// A key or a place: 256 bits, most significant word first.
pub type Wide = [u64; 4];

/// A state of `cards` cards, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub cards: usize,
    /// `before[x]`: the cards that must leave before `x`, one bit each, transitively closed.
    pub before: [u32; MAX_CARDS],
    /// `forbidden[x]`: the stacks where `x` may no longer go, one bit each. Grows along the order.
    pub forbidden: [u8; MAX_CARDS],
}

/// The start of a game: `boards` chains of `cards` cards and empty stacks.
///
/// # Panics
/// If there are more than `MAX_CARDS` cards in all.
#[must_use]
pub fn start(boards: usize, cards: usize) -> State {
    assert!(boards * cards <= MAX_CARDS, "at most {MAX_CARDS} cards");
    let mut before = [0; MAX_CARDS];
    for (x, mask) in before.iter_mut().enumerate().take(boards * cards) {
        let first = x / cards * cards;
        *mask = ones(x) & !ones(first);
    }
    State { cards: boards * cards, before, forbidden: [0; MAX_CARDS] }
}

/// Whether some card has no stack left, so that the game cannot be won.
#[must_use]
pub fn is_dead(state: &State, stacks: usize) -> bool {
    let all = (1u16 << stacks) - 1;
    state.forbidden[..state.cards].iter().any(|&f| u16::from(f) & all == all)
}

/// The state after `card` was put on `stack`; `None` if that is not allowed or the result is dead.
#[must_use]
pub fn place(state: &State, card: usize, stack: usize, stacks: usize) -> Option<State> {
    Play::of(state, stacks).place(card, stack).map(|play| play.state())
}

/// Calls `emit(card, stack, key)` for every live successor; `below` is the coder of the layer with one card less.
/// Stacks with equal up-sets lead to the same states: only the first of each class is used.
pub fn successors(state: &State, stacks: usize, below: &Coder, mut emit: impl FnMut(usize, usize, Wide)) {
    let play = Play::of(state, stacks);
    for card in 0..state.cards {
        for stack in 0..stacks {
            if play.upset[..stack].contains(&play.upset[stack]) {
                continue;
            }
            if let Some(next) = play.place(card, stack) {
                emit(card, stack, below.key_of_play(&next));
            }
        }
    }
}

const fn ones(count: usize) -> u32 {
    ((1u64 << count) - 1) as u32
}

fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

const BIT: [u32; MAX_CARDS] = {
    let mut table = [0; MAX_CARDS];
    let mut x = 0;
    while x < MAX_CARDS {
        table[x] = 1 << x;
        x += 1;
    }
    table
};

/// Fixed weights for the sums that order the cards of a cell: one row for cards before, one for cards after, one for
/// the cards of an up-set, one for the sizes of up-sets.
const WEIGHT: [[u32; MAX_CARDS + 1]; 4] = {
    let mut table = [[0; MAX_CARDS + 1]; 4];
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut i = 0;
    while i < 4 * (MAX_CARDS + 1) {
        seed = scramble(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        table[i / (MAX_CARDS + 1)][i % (MAX_CARDS + 1)] = (seed >> 32) as u32;
        i += 1;
    }
    table
};

/// The finaliser of splitmix64: an invertible mix of 64 bits.
const fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A state at work. Cards keep their numbers when others have gone; stacks are up-sets.
#[derive(Clone, Copy)]
struct Play {
    left: u32,
    before: [u32; MAX_CARDS],
    after: [u32; MAX_CARDS],
    stacks: usize,
    upset: [u32; MAX_STACKS],
}

impl Play {
    fn of(state: &State, stacks: usize) -> Play {
        let left = ones(state.cards);
        let (mut after, mut upset) = ([0; MAX_CARDS], [0; MAX_STACKS]);
        for x in bits(left) {
            bits(state.before[x]).for_each(|y| after[y] |= BIT[x]);
            bits(u32::from(state.forbidden[x])).for_each(|s| upset[s] |= BIT[x]);
        }
        Play { left, before: state.before, after, stacks, upset }
    }

    /// The same state with its cards numbered from 0, in the order of their numbers here.
    fn state(&self) -> State {
        let squeeze = |mask: u32| bits(self.left).enumerate().fold(0, |m, (i, x)| m | (mask >> x & 1) << i);
        let mut state = State { cards: 0, before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS] };
        for x in bits(self.left) {
            state.before[state.cards] = squeeze(self.before[x]);
            for s in 0..self.stacks {
                state.forbidden[state.cards] |= ((self.upset[s] >> x & 1) as u8) << s;
            }
            state.cards += 1;
        }
        state
    }

    /// The cards' numbers end here; a multiple of 8, for the loops over all cards at once.
    fn lanes(&self) -> usize {
        if self.left < 1 << 8 {
            8
        } else if self.left < 1 << 16 {
            16
        } else {
            MAX_CARDS
        }
    }

    fn place(&self, card: usize, stack: usize) -> Option<Play> {
        let (on, up_to) = (self.upset[stack], self.before[card] | BIT[card]);
        if on & BIT[card] != 0 {
            return None;
        }
        let left = self.left & !BIT[card];
        let mut upset = self.upset;
        let mut nowhere = left;
        for (s, set) in upset.iter_mut().enumerate().take(self.stacks) {
            if s == stack {
                *set |= self.after[card];
            } else if *set & up_to != 0 {
                *set |= on;
            }
            *set &= left;
            nowhere &= *set;
        }
        if nowhere != 0 {
            return None;
        }
        // Every card up to `card` comes before every card of the stack's up-set; as one is a down-set and the other an
        // up-set, the order stays closed.
        let (mut before, mut after) = (self.before, self.after);
        for x in 0..self.lanes() {
            before[x] = (before[x] | if on & BIT[x] == 0 { 0 } else { up_to }) & left;
            after[x] = (after[x] | if up_to & BIT[x] == 0 { 0 } else { on }) & left;
        }
        Some(Play { left, before, after, stacks: self.stacks, upset })
    }

    /// Whether exchanging two cards of a cell leaves everything as it is.
    fn are_twins(&self, x: usize, y: usize) -> bool {
        self.before[x] == self.before[y]
            && self.after[x] == self.after[y]
            && self.upset[..self.stacks].iter().all(|u| u >> x & 1 == u >> y & 1)
    }
}

/// An ordered partition of the cards. Cells are runs of `order`; cards of a cell have equally many cards before them, so
/// they are incomparable, and any order of the cells' cards makes `order` a linear extension.
#[derive(Clone, Copy)]
struct Cells {
    order: [u8; MAX_CARDS],
    /// Per card, the index in `order` where its cell starts.
    cell: [u8; MAX_CARDS],
    /// The indices in `order` where cells start, and the index behind the last card.
    starts: u32,
}

/// Relabelled rows of a series component and its stacks' up-sets in ascending order.
type Code = [u32; MAX_CARDS + MAX_STACKS];

impl Cells {
    /// The canonical list of the cards: all cells have one card.
    fn canonical(play: &Play) -> Cells {
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
    fn by_counts(play: &Play) -> (Cells, u32) {
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
            // The `first` cards of earlier cells are all before `x`, hence before all that is not among them.
            cuts |= u32::from(count[x] == first as u32) << first;
        }
        let end = 1 << play.left.count_ones();
        cells.starts |= end;
        (cells, cuts | end)
    }

    /// The starts of the cells with several cards.
    fn tied(&self, within: u32) -> u32 {
        // The index behind the last card is a start and the last bit set; it is not a cell.
        let last = 31 - self.starts.leading_zeros();
        self.starts & !(self.starts >> 1) & within & !(1 << last)
    }

    fn cell_len(&self, first: usize) -> usize {
        (self.starts >> (first + 1)).trailing_zeros() as usize + 1
    }

    /// Splits cells by the cells of comparable cards and of the stacks' up-sets until nothing changes.
    fn refine(&mut self, play: &Play, within: u32) {
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

    fn split(&mut self, play: &Play, stack_sum: &[u32; MAX_STACKS], first: usize) {
        let cell = first..first + self.cell_len(first);
        // What all cards of the cell share cannot tell them apart.
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
    fn single_out(&mut self, first: usize, index: usize) {
        let len = self.cell_len(first);
        self.order.swap(first, index);
        self.starts |= 1 << (first + 1);
        for &y in &self.order[first + 1..first + len] {
            self.cell[y as usize] = first as u8 + 1;
        }
    }

    /// Tries every card of the first tied cell in its first place; keeps the leaf with the smallest code.
    fn search(&self, play: &Play, within: u32, best: &mut Option<(Code, Cells)>) {
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
    fn code(&self, play: &Play, within: u32) -> Code {
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

/// A smallest set of chains that cover the order.
struct Chains {
    count: usize,
    /// Per card, its chain and its index there.
    chain: [u8; MAX_CARDS],
    index: [u8; MAX_CARDS],
    len: [usize; MAX_CARDS],
    cards: [u32; MAX_CARDS],
}

const NONE: u8 = u8::MAX;

/// A matching of cards to the next card of their chain.
struct Links<'a> {
    before: &'a [u32; MAX_CARDS],
    cells: &'a Cells,
    next: [u8; MAX_CARDS],
    previous: [u8; MAX_CARDS],
    /// Cards without a next card.
    ends: u32,
    seen: u32,
}

impl Links<'_> {
    /// The card of the mask that is last in the canonical list.
    fn last(&self, mask: u32) -> usize {
        bits(mask).max_by_key(|&y| self.cells.cell[y]).expect("a mask with a card")
    }

    fn link(&mut self, y: usize, x: usize) {
        self.next[y] = x as u8;
        self.previous[x] = y as u8;
        self.ends &= !BIT[y];
    }

    /// Finds a card to come before `x` in its chain, moving others if need be (an augmenting path).
    fn attach(&mut self, x: usize) -> bool {
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
    fn of(play: &Play, cells: &Cells) -> Chains {
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

/// Turns states of one layer into keys and back.
#[derive(Clone, Debug)]
pub struct Coder {
    stacks: usize,
    boards: usize,
    cards: usize,
    length_bits: u32,
    stack_bits: u32,
    key_bits: u32,
}

impl Coder {
    /// A coder for the states with `cards` cards of a game on `boards` boards.
    ///
    /// # Errors
    /// If there are more boards, stacks or cards than this form of the game holds.
    pub fn new(stacks: usize, boards: usize, cards: usize) -> Result<Coder, String> {
        for (name, value, most) in [("stacks", stacks, MAX_STACKS), ("boards", boards, MAX_BOARDS)] {
            if value < 1 || value > most {
                return Err(format!("{name}: {value} is not in 1..{most}"));
            }
        }
        if cards > MAX_CARDS {
            return Err(format!("cards: {cards} cards in the pile, at most {MAX_CARDS} are supported"));
        }
        let width = |values: usize| values.next_power_of_two().trailing_zeros();
        let (each, more) = (cards / boards, cards % boards);
        let starts = (each + 2).pow(more as u32) * (each + 1).pow((boards - more) as u32);
        let (length_bits, stack_bits) = (width(cards + 1), width(starts));
        let path_bits = 2 * (boards - 1) * cards;
        let key_bits = length_bits * (boards as u32 - 1) + path_bits as u32 + stack_bits * stacks as u32;
        // The empty state has nothing to say, but a key has at least one bit.
        Ok(Coder { stacks, boards, cards, length_bits, stack_bits, key_bits: key_bits.max(1) })
    }

    #[must_use]
    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Checks that a state from outside is one that this layer can hold.
    ///
    /// # Errors
    /// Says what is wrong: the number of cards, a card or stack out of range, a cycle, an order or forbidden stacks that
    /// are not closed, more than `boards` cards that are pairwise free.
    pub fn check(&self, state: &State) -> Result<(), String> {
        if state.cards != self.cards {
            return Err(format!("cards: {} cards in the state, {} in this layer", state.cards, self.cards));
        }
        let (cards, stacks) = (ones(self.cards), ones(self.stacks));
        for (x, (&before, &forbidden)) in state.before.iter().zip(&state.forbidden).take(self.cards).enumerate() {
            if before & !cards != 0 {
                return Err(format!("before: card {x} comes after a card that is not in the state"));
            }
            if u32::from(forbidden) & !stacks != 0 {
                return Err(format!("forbidden: card {x} has a stack that is not in 0..{}", self.stacks));
            }
            if before >> x & 1 != 0 {
                return Err(format!("before: card {x} is on a cycle"));
            }
            for y in bits(before) {
                if state.before[y] & !before != 0 {
                    return Err(format!("before: cards {y} and {x}: the order is not transitively closed"));
                }
                if state.forbidden[y] & !forbidden != 0 {
                    return Err(format!("forbidden: card {x} may go where card {y} before it may not"));
                }
            }
        }
        let play = Play::of(state, self.stacks);
        let width = Chains::of(&play, &Cells::by_counts(&play).0).count;
        if width > self.boards {
            return Err(format!("before: an order of width {width} does not fit on {} boards", self.boards));
        }
        Ok(())
    }

    /// The key of a state that passes `check`.
    ///
    /// # Panics
    /// If the order is wider than the number of boards.
    #[must_use]
    pub fn key(&self, state: &State) -> Wide {
        self.key_of_play(&Play::of(state, self.stacks))
    }

    fn key_of_play(&self, play: &Play) -> Wide {
        let chains = Chains::of(play, &Cells::canonical(play));
        assert!(chains.count <= self.boards, "an order of width {} on {} boards", chains.count, self.boards);
        let mut path = [[0u32; MAX_BOARDS]; MAX_BOARDS];
        let mut passed = [[0u32; MAX_CARDS]; MAX_BOARDS];
        for (passed, chain) in passed.iter_mut().zip(&chains.cards[..self.boards]) {
            for (passed, before) in passed.iter_mut().zip(&play.before[..play.lanes()]) {
                *passed = (before & chain).count_ones();
            }
        }
        for x in bits(play.left) {
            let i = chains.chain[x] as usize;
            for j in (0..self.boards).filter(|&j| j != i) {
                path[i][j] |= 1 << (u32::from(chains.index[x]) + passed[j][x]);
            }
        }
        let mut starts = [0u64; MAX_STACKS];
        for (code, set) in starts.iter_mut().zip(&play.upset[..self.stacks]) {
            for j in 0..self.boards {
                let start = chains.len[j] - (set & chains.cards[j]).count_ones() as usize;
                *code = *code * (chains.len[j] as u64 + 1) + start as u64;
            }
        }
        starts[..self.stacks].sort_unstable();

        let mut key = Packed { words: [0; 4], at: self.key_bits };
        for j in 1..self.boards {
            key.put(chains.len[j] as u64, self.length_bits);
        }
        for (i, path) in path.iter().enumerate().take(self.boards) {
            for j in (0..self.boards).filter(|&j| j != i) {
                key.put(u64::from(path[j]), (chains.len[i] + chains.len[j]) as u32);
            }
        }
        for &start in &starts[..self.stacks] {
            key.put(start, self.stack_bits);
        }
        key.words
    }

    /// The canonical representative of a key: its cards are numbered chain by chain.
    #[must_use]
    pub fn state(&self, key: Wide) -> State {
        let mut key = Packed { words: key, at: self.key_bits };
        let mut len = [0usize; MAX_BOARDS];
        let mut rest = self.cards;
        // A word that is no key gives some state too: damage is found by checksums, and must not end in a panic here.
        for len in &mut len[1..self.boards] {
            *len = (key.take(self.length_bits) as usize).min(rest);
            rest -= *len;
        }
        len[0] = rest;
        let mut first = [0usize; MAX_BOARDS];
        for j in 1..self.boards {
            first[j] = first[j - 1] + len[j - 1];
        }
        let part = |j: usize, from: usize, to: usize| ones(first[j] + to) & !ones(first[j] + from);

        let mut state = State { cards: self.cards, before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS] };
        for i in 0..self.boards {
            for k in 0..len[i] {
                state.before[first[i] + k] |= part(i, 0, k);
            }
            for j in (0..self.boards).filter(|&j| j != i) {
                let path = key.take((len[i] + len[j]) as u32) as u32;
                for (k, step) in bits(path).enumerate().take(len[i]) {
                    state.before[first[i] + k] |= part(j, 0, (step - k).min(len[j]));
                }
            }
        }
        for s in 0..self.stacks {
            let mut code = key.take(self.stack_bits) as usize;
            for j in (0..self.boards).rev() {
                for x in bits(part(j, code % (len[j] + 1), len[j])) {
                    state.forbidden[x] |= 1 << s;
                }
                code /= len[j] + 1;
            }
        }
        state
    }

    /// Spreads keys evenly over the `key_bits` bits, one to one: shards are ranges of places.
    #[must_use]
    pub fn place_of(&self, key: Wide) -> Wide {
        let (mut high, mut low) = self.halves(key);
        low ^= low_ones(self.key_bits / 2) & spread(high);
        high ^= low_ones(self.key_bits.div_ceil(2)) & spread(!low);
        self.whole(high, low)
    }

    /// The inverse of `place_of`.
    #[must_use]
    pub fn key_of_place(&self, place: Wide) -> Wide {
        let (mut high, mut low) = self.halves(place);
        high ^= low_ones(self.key_bits.div_ceil(2)) & spread(!low);
        low ^= low_ones(self.key_bits / 2) & spread(high);
        self.whole(high, low)
    }

    fn halves(&self, wide: Wide) -> (u128, u128) {
        let [top, bottom] = [0, 2].map(|i| u128::from(wide[i]) << 64 | u128::from(wide[i + 1]));
        let low = self.key_bits / 2;
        let high = bottom.checked_shr(low).unwrap_or(0) | top.checked_shl(128 - low).unwrap_or(0);
        (high, bottom & low_ones(low))
    }

    fn whole(&self, high: u128, low: u128) -> Wide {
        let shift = self.key_bits / 2;
        let top = high.checked_shr(128 - shift).unwrap_or(0);
        let bottom = low | high.checked_shl(shift).unwrap_or(0);
        [(top >> 64) as u64, top as u64, (bottom >> 64) as u64, bottom as u64]
    }
}

fn low_ones(count: u32) -> u128 {
    u128::MAX.checked_shr(128 - count).unwrap_or(0)
}

/// 128 bits that depend on all bits of `x`.
fn spread(x: u128) -> u128 {
    let a = scramble((x >> 64) as u64 ^ 0x6a09_e667_f3bc_c908);
    let b = scramble(x as u64 ^ a);
    u128::from(scramble(a.wrapping_add(b))) << 64 | u128::from(b)
}

/// Fields of at most 64 bits, the first one in the most significant place.
struct Packed {
    words: Wide,
    /// The number of bits below the fields that were put or taken so far.
    at: u32,
}

impl Packed {
    fn put(&mut self, value: u64, width: u32) {
        self.at -= width;
        let (word, shift) = (3 - (self.at / 64) as usize, self.at % 64);
        self.words[word] |= value << shift;
        if shift + width > 64 {
            self.words[word - 1] |= value >> (64 - shift);
        }
    }

    fn take(&mut self, width: u32) -> u64 {
        self.at -= width;
        let (word, shift) = (3 - (self.at / 64) as usize, self.at % 64);
        let mut value = self.words[word] >> shift;
        if shift + width > 64 {
            value |= self.words[word - 1] << (64 - shift);
        }
        value & low_ones(width) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashMap};

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (scramble(self.0) % bound as u64) as usize
        }

        fn permutation(&mut self, count: usize) -> Vec<usize> {
            let mut list: Vec<usize> = (0..count).collect();
            (1..count).rev().for_each(|i| list.swap(i, self.below(i + 1)));
            list
        }
    }

    fn moves(state: &State, stacks: usize) -> Vec<(usize, usize, State)> {
        let all = (0..state.cards).flat_map(|x| (0..stacks).map(move |s| (x, s)));
        all.filter_map(|(x, s)| place(state, x, s, stacks).map(|next| (x, s, next))).collect()
    }

    /// A state that random placements lead to; fewer cards than asked for are taken when all go dead.
    fn play(boards: usize, cards: usize, stacks: usize, turns: usize, random: &mut Random) -> State {
        let mut state = start(boards, cards);
        for _ in 0..turns {
            let next = moves(&state, stacks);
            if next.is_empty() {
                break;
            }
            state = next[random.below(next.len())].2;
        }
        state
    }

    fn renamed(state: &State, stacks: usize, random: &mut Random) -> State {
        let (card, stack) = (random.permutation(state.cards), random.permutation(stacks));
        let mut other = State { before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS], ..*state };
        for x in 0..state.cards {
            for y in bits(state.before[x]) {
                other.before[card[x]] |= BIT[card[y]];
            }
            for s in bits(u32::from(state.forbidden[x])) {
                other.forbidden[card[x]] |= 1 << stack[s];
            }
        }
        other
    }

    /// Placement word for word from the definition, with a matrix that is closed again after every change.
    fn place_by_definition(state: &State, card: usize, stack: usize, stacks: usize) -> Option<State> {
        let n = state.cards;
        let mut less = vec![vec![false; n]; n];
        let mut not = vec![vec![false; stacks]; n];
        for x in 0..n {
            (0..n).for_each(|y| less[y][x] = state.before[x] >> y & 1 == 1);
            (0..stacks).for_each(|s| not[x][s] = state.forbidden[x] >> s & 1 == 1);
        }
        if not[card][stack] {
            return None;
        }
        for (a, row) in less.iter_mut().enumerate() {
            let leaves_first = a == card || row[card];
            (0..n).for_each(|y| row[y] |= leaves_first && not[y][stack]);
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    less[i][j] |= less[i][k] && less[k][j];
                }
            }
        }
        (0..n).for_each(|y| not[y][stack] |= less[card][y]);
        for x in 0..n {
            for y in 0..n {
                (0..stacks).for_each(|s| not[y][s] |= less[x][y] && not[x][s]);
            }
        }
        let rest: Vec<usize> = (0..n).filter(|&x| x != card).collect();
        if rest.iter().any(|&x| not[x].iter().all(|&f| f)) {
            return None;
        }
        let mut next = State { cards: n - 1, before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS] };
        for (i, &x) in rest.iter().enumerate() {
            for (j, &y) in rest.iter().enumerate() {
                next.before[i] |= u32::from(less[y][x]) << j;
            }
            (0..stacks).for_each(|s| next.forbidden[i] |= u8::from(not[x][s]) << s);
        }
        Some(next)
    }

    /// The least code over all linear extensions, and over all names of stacks since these are sorted.
    fn brute_form(state: &State, stacks: usize) -> Vec<u32> {
        fn go(state: &State, stacks: usize, list: &mut Vec<usize>, best: &mut Option<Vec<u32>>) {
            let relabel = |holds: &dyn Fn(usize) -> bool| {
                list.iter().enumerate().fold(0, |m, (i, &y)| m | u32::from(holds(y)) << i)
            };
            if list.len() == state.cards {
                let mut code: Vec<u32> = list.iter().map(|&x| relabel(&|y| state.before[x] >> y & 1 == 1)).collect();
                let mut sets: Vec<u32> = (0..stacks).map(|s| relabel(&|y| state.forbidden[y] >> s & 1 == 1)).collect();
                sets.sort_unstable();
                code.append(&mut sets);
                if best.as_ref().is_none_or(|least| code < *least) {
                    *best = Some(code);
                }
                return;
            }
            let done = list.iter().fold(0, |m, &y| m | BIT[y]);
            for x in (0..state.cards).filter(|&x| done & BIT[x] == 0 && state.before[x] & !done == 0) {
                list.push(x);
                go(state, stacks, list, best);
                list.pop();
            }
        }
        let mut best = None;
        go(state, stacks, &mut Vec::new(), &mut best);
        best.expect("every order has a linear extension")
    }

    /// The keys of every layer, from the start down to one card.
    fn layers(stacks: usize, boards: usize, cards: usize) -> Vec<(Coder, BTreeSet<Wide>)> {
        let coder = |left| Coder::new(stacks, boards, left).unwrap();
        let top = coder(boards * cards);
        let first = BTreeSet::from([top.key(&start(boards, cards))]);
        let mut layers = vec![(top, first)];
        for left in (1..boards * cards).rev() {
            let (here, keys) = layers.last().unwrap();
            let (below, mut next) = (coder(left), BTreeSet::new());
            for &key in keys {
                successors(&here.state(key), stacks, &below, |_, _, key| {
                    next.insert(key);
                });
            }
            layers.push((below, next));
        }
        layers
    }

    fn probability(state: &State, stacks: usize, boards: usize, memo: &mut HashMap<(usize, Wide), f64>) -> f64 {
        if state.cards == 0 {
            return 1.0;
        }
        let coder = Coder::new(stacks, boards, state.cards).unwrap();
        let below = Coder::new(stacks, boards, state.cards - 1).unwrap();
        let key = (state.cards, coder.key(state));
        if let Some(&known) = memo.get(&key) {
            return known;
        }
        let mut found = Vec::new();
        successors(state, stacks, &below, |card, _, key| found.push((card, key)));
        let mut best = [0f64; MAX_CARDS];
        for (card, key) in found {
            best[card] = best[card].max(probability(&below.state(key), stacks, boards, memo));
        }
        let value = best.iter().sum::<f64>() / state.cards as f64;
        memo.insert(key, value);
        value
    }

    #[test]
    fn counts_are_those_of_the_paper() {
        let known: [(usize, usize, &[usize]); 8] = [
            (3, 1, &[1, 3, 7, 14, 25, 41, 63, 92, 129, 175, 231, 298]),
            (4, 1, &[1, 3, 7, 15, 30, 56, 98, 162, 255, 385, 561, 793]),
            (3, 2, &[2, 12, 65, 339, 1665, 7757]),
            (4, 2, &[2, 12, 71, 459, 2937, 17851]),
            (3, 3, &[3, 38, 622, 11664]),
            (4, 3, &[3, 39, 807, 22628]),
            (3, 4, &[4, 114, 6730]),
            (4, 4, &[4, 125, 11146]),
        ];
        for (stacks, boards, counts) in known {
            for (i, &count) in counts.iter().enumerate() {
                let found: usize = layers(stacks, boards, i + 1).iter().map(|(_, keys)| keys.len()).sum();
                assert_eq!(found, count, "S={stacks} m={boards} n={}", i + 1);
            }
        }
    }

    #[test]
    fn keys_separate_exactly_what_brute_force_separates() {
        for stacks in 2..=5 {
            for (boards, cards) in [(1, 5), (2, 2), (2, 4), (3, 2), (3, 3), (4, 1), (4, 2)] {
                let mut layer = HashMap::from([(brute_form(&start(boards, cards), stacks), start(boards, cards))]);
                for (coder, keys) in layers(stacks, boards, cards) {
                    let by_form: BTreeSet<Wide> = layer.values().map(|state| coder.key(state)).collect();
                    assert_eq!(by_form, keys);
                    assert_eq!(by_form.len(), layer.len());
                    let mut next = HashMap::new();
                    for (_, _, state) in layer.values().flat_map(|state| moves(state, stacks)) {
                        next.entry(brute_form(&state, stacks)).or_insert(state);
                    }
                    layer = next;
                }
            }
        }
    }

    #[test]
    fn random_states_agree_with_brute_force() {
        let mut random = Random(7);
        let mut forms = HashMap::new();
        for _ in 0..3000 {
            let turns = 2 + random.below(2);
            let state = play(4, 2, 3, turns, &mut random);
            let state = renamed(&state, 3, &mut random);
            let key = Coder::new(3, 4, state.cards).unwrap().key(&state);
            let form = brute_form(&state, 3);
            assert_eq!(*forms.entry((state.cards, key)).or_insert_with(|| form.clone()), form);
        }
        let distinct: BTreeSet<_> = forms.values().collect();
        assert_eq!(distinct.len(), forms.len());
    }

    #[test]
    fn keys_do_not_depend_on_names() {
        let mut random = Random(1);
        for (boards, cards) in [(1, 24), (2, 12), (3, 5), (3, 8), (4, 4), (4, 5), (4, 6)] {
            for stacks in 2..=MAX_STACKS {
                for _ in 0..60 {
                    let turns = random.below(boards * cards);
                    let state = play(boards, cards, stacks, turns, &mut random);
                    let coder = Coder::new(stacks, boards, state.cards).unwrap();
                    let key = coder.key(&state);
                    let other = renamed(&state, stacks, &mut random);
                    assert_eq!(coder.check(&other), Ok(()));
                    assert_eq!(coder.key(&other), key);
                    assert_eq!(coder.key(&coder.state(key)), key);
                    assert_eq!(coder.check(&coder.state(key)), Ok(()));
                    assert_eq!(coder.key_of_place(coder.place_of(key)), key);
                    assert_eq!(coder.place_of(coder.key_of_place(key)), key);
                    for wide in [key, coder.place_of(key)] {
                        let (high, low) = coder.halves(wide);
                        assert_eq!(coder.whole(high, low), wide, "bits above key_bits");
                        assert_eq!(high & !low_ones(coder.key_bits.div_ceil(2)), 0);
                    }
                }
            }
        }
    }

    /// Cells by the number of cards before alone, as if all hashes had collided.
    fn coarse_cells(play: &Play) -> Cells {
        let count = |x: usize| play.before[x].count_ones();
        let mut list: Vec<usize> = bits(play.left).collect();
        list.sort_by_key(|&x| count(x));
        let mut cells = Cells { order: [0; MAX_CARDS], cell: [0; MAX_CARDS], starts: 1 << list.len() };
        for (i, &x) in list.iter().enumerate() {
            let first = list.iter().position(|&y| count(y) == count(x)).unwrap();
            (cells.order[i], cells.cell[x]) = (x as u8, first as u8);
            cells.starts |= 1 << first;
        }
        cells
    }

    #[test]
    fn search_needs_no_colours() {
        let mut random = Random(6);
        let (mut forms, mut split_ties) = (HashMap::new(), 0);
        for round in 0..6000 {
            let (boards, cards) = [(2, 4), (3, 2), (4, 2)][round % 3];
            let turns = 1 + random.below(boards * cards - 2);
            let state = renamed(&play(boards, cards, 3, turns, &mut random), 3, &mut random);
            let play = Play::of(&state, 3);
            let (cells, mut best) = (coarse_cells(&play), None);
            let (mut fine, _) = Cells::by_counts(&play);
            fine.refine(&play, u32::MAX);
            split_ties += usize::from(fine.starts != cells.starts);
            cells.search(&play, ones(state.cards), &mut best);
            let form = brute_form(&state, 3);
            let key = (state.cards, best.unwrap().0);
            assert_eq!(*forms.entry(key).or_insert_with(|| form.clone()), form);
        }
        let distinct: BTreeSet<_> = forms.values().collect();
        assert_eq!(distinct.len(), forms.len());
        // Most of the cells were ties that mattered.
        assert!(split_ties > 3000, "{split_ties}");
    }

    #[test]
    fn placement_is_that_of_the_definition() {
        let mut random = Random(2);
        for (boards, cards) in [(1, 12), (2, 6), (3, 4), (3, 6), (4, 3), (4, 5)] {
            for stacks in 1..=5 {
                for _ in 0..20 {
                    let turns = random.below(boards * cards);
                    let state = play(boards, cards, stacks, turns, &mut random);
                    assert!(!is_dead(&state, stacks));
                    for card in 0..state.cards {
                        for stack in 0..stacks {
                            let next = place(&state, card, stack, stacks);
                            assert_eq!(next, place_by_definition(&state, card, stack, stacks));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn successors_are_the_placements_up_to_equal_stacks() {
        let mut random = Random(3);
        for _ in 0..300 {
            let turns = random.below(12);
            let state = play(3, 4, 4, turns, &mut random);
            let below = Coder::new(4, 3, state.cards - 1).unwrap();
            let mut found = BTreeSet::new();
            successors(&state, 4, &below, |card, stack, key| {
                assert_eq!(below.key(&place(&state, card, stack, 4).unwrap()), key);
                found.insert((card, key));
            });
            let all = moves(&state, 4).into_iter().map(|(card, _, next)| (card, below.key(&next)));
            assert_eq!(found, all.collect());
        }
    }

    #[test]
    fn probabilities_are_those_of_the_paper() {
        let one_chain = |forbidden: &[u8]| {
            let mut state = start(1, forbidden.len());
            state.forbidden[..forbidden.len()].copy_from_slice(forbidden);
            state
        };
        // [7{}] -> [1{1}] and [3{}] -> [1{1}], the third card of the second chain before the last of the first.
        let mut pair = one_chain(&[0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2]);
        (8..12).for_each(|x| pair.before[x] &= !ones(8));
        pair.before[7] |= 0b111 << 8;
        for (boards, state, value) in [
            (1, one_chain(&[0, 0, 0, 0, 0, 0, 0, 2]), 0.391_046_626_984),
            (1, one_chain(&[0, 1, 1, 1]), 0.833_333_333_333),
            (1, one_chain(&[0, 0, 1, 1, 1, 1, 1, 1, 1]), 0.068_568_121_693),
            (1, one_chain(&[0, 0, 0, 2]), 0.958_333_333_333),
            (2, pair, 0.351_341_231_428),
            (2, start(2, 4), 0.918_402_777_778),
        ] {
            let found = probability(&state, 3, boards, &mut HashMap::new());
            assert!((found - value).abs() < 1e-12, "{found} is not {value}");
        }
    }

    #[test]
    fn equal_orders_of_different_boards_are_one_state() {
        // Two boards whose cards are totally ordered are one long chain.
        let mut state = start(2, 3);
        (3..6).for_each(|x| state.before[x] |= ones(3));
        let coder = Coder::new(3, 3, 6).unwrap();
        assert_eq!(coder.key(&state), coder.key(&start(1, 6)));
        assert_ne!(coder.key(&state), coder.key(&start(2, 3)));
    }

    #[test]
    fn places_are_spread_evenly() {
        let (coder, keys) = &layers(3, 3, 4)[5];
        let mut shards = [0usize; 8];
        for &key in keys {
            let (high, _) = coder.halves(coder.place_of(key));
            shards[(high >> (coder.key_bits.div_ceil(2) - 3)) as usize] += 1;
        }
        let mean = keys.len() / 8;
        // Five standard deviations of a random spread.
        let slack = 5 * mean.isqrt();
        assert!(mean > 200 && shards.iter().all(|&n| n.abs_diff(mean) < slack), "{shards:?}");
    }

    #[test]
    fn key_widths_are_fixed() {
        let bits = |stacks, boards, cards| Coder::new(stacks, boards, cards).unwrap().key_bits();
        assert_eq!([bits(3, 1, 12), bits(3, 2, 16), bits(3, 3, 15), bits(3, 3, 18)], [12, 58, 92, 109]);
        assert_eq!([bits(4, 3, 18), bits(5, 3, 18), bits(3, 4, 20), bits(4, 4, 20)], [118, 127, 168, 179]);
        assert_eq!([bits(8, 4, 24), bits(3, 3, 0)], [255, 1]);
        assert!(Coder::new(0, 2, 4).is_err() && Coder::new(9, 2, 4).is_err());
        assert!(Coder::new(3, 0, 4).is_err() && Coder::new(3, 5, 4).is_err());
        assert!(Coder::new(3, 4, 25).is_err());
    }

    #[test]
    fn words_that_are_no_keys_do_no_harm() {
        let mut random = Random(5);
        for _ in 0..20_000 {
            let coder = Coder::new(1 + random.below(8), 1 + random.below(4), random.below(25)).unwrap();
            let mut word = || random.below(usize::MAX) as u64;
            let state = coder.state([word(), word(), word(), word()]);
            // Most are refused; what passes is a state with a key.
            if coder.check(&state).is_ok() {
                let key = coder.key(&state);
                assert_eq!(coder.key(&coder.state(key)), key);
            }
        }
    }

    #[test]
    fn states_from_outside_are_checked() {
        let coder = Coder::new(3, 2, 4).unwrap();
        let good = start(2, 2);
        assert_eq!(coder.check(&good), Ok(()));
        let refused = |change: &dyn Fn(&mut State), word: &str| {
            let mut state = good;
            change(&mut state);
            let text = coder.check(&state).unwrap_err();
            assert!(text.contains(word), "{text}");
        };
        refused(&|s| s.cards = 3, "3 cards");
        refused(&|s| s.before[0] = 1 << 4, "not in the state");
        refused(&|s| s.forbidden[0] = 8, "not in 0..3");
        refused(&|s| (s.before[0], s.before[1]) = (3, 3), "cycle");
        refused(&|s| s.before[2] = 2, "not transitively closed");
        refused(&|s| s.forbidden[0] = 1, "may go where");
        refused(&|s| s.before[1] = 0, "width 3");
    }
}
