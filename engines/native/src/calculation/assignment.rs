//! An assignment: for every card on a stack the foundation that it will go to, and what that is worth.
use super::nodes::{Node, Nodes};
use super::order::{NONE, Order};
use super::pair::{Side, before, of_row, of_rows};
use super::rules::{FOUNDATIONS, MAX_STACKS, Position, Rules};

pub const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
const PAIR_OF: [[usize; FOUNDATIONS]; FOUNDATIONS] = [[0, 0, 1, 2], [0, 0, 3, 4], [1, 3, 0, 5], [2, 4, 5, 0]];
const OTHERS: [[usize; 3]; FOUNDATIONS] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
/// Boards and pairs of boards.
pub const PARTS: usize = FOUNDATIONS + PAIRS.len();

/// Cards of stacks by their depth, one bit each, for each foundation that they are to go to.
pub type Targets = [[u64; FOUNDATIONS]; MAX_STACKS];

#[derive(Clone)]
pub struct Assignment {
    pub targets: Targets,
    /// Places of each row whose cards are on stacks.
    stacked: [u16; FOUNDATIONS],
    /// Places of each row whose cards are in the pile, but for the foundation's next card.
    chains: [u16; FOUNDATIONS],
    /// The states of each board alone, then of the pairs.
    nodes: [Node; PARTS],
    /// By board: where what follows is listed when a card of it is put on a stack, alone and with each other board.
    lists: [[u32; FOUNDATIONS]; FOUNDATIONS],
    /// The product without the factors of a board.
    rest: [f64; FOUNDATIONS],
    /// The estimate: the product of all pairs over the square of the product of the single boards.
    pub value: f64,
    /// The order of each two boards' cards alone.
    own: Order,
    /// The order of all cards.
    whole: Order,
}

/// A card on a stack with its target as it is considered.
#[derive(Clone, Copy)]
pub struct Put {
    pub stack: usize,
    pub rank: u8,
    pub target: usize,
}

fn later_than(height: u8) -> u16 {
    u16::MAX << 1 << height
}

impl Assignment {
    /// The assignment with these targets; its values are there once the nodes are settled. None: there is a cycle, or a card
    /// that may go nowhere.
    pub fn new(rules: &Rules, position: &Position, targets: &Targets, nodes: &mut Nodes) -> Option<Assignment> {
        let mut built = Assignment {
            targets: [[0; FOUNDATIONS]; MAX_STACKS],
            stacked: [0; FOUNDATIONS],
            chains: std::array::from_fn(|b| later_than(position.heights[b]) & !(u16::MAX << rules.ranks)),
            nodes: [0; PARTS],
            lists: [[0; FOUNDATIONS]; FOUNDATIONS],
            rest: [0.0; FOUNDATIONS],
            value: 0.0,
            own: Order::of_rows(),
            whole: Order::of_rows(),
        };
        for stack in 0..rules.stacks {
            for (depth, &rank) in position.stacks[stack].cards().iter().enumerate() {
                let target = (0..FOUNDATIONS).find(|&b| targets[stack][b] >> depth & 1 == 1)?;
                let put = Put { stack, rank, target };
                if !built.is_possible(rules, position, put) {
                    return None;
                }
                if built.whole_up(rules, position, stack, depth)[target] <= rules.place_of(target, rank) {
                    return None;
                }
                built.put(rules, position, put, depth);
            }
        }
        let tops = built.tops(rules, position);
        let live = have_stacks(&built.chains, &tops[..rules.stacks])
            && (0..FOUNDATIONS).all(|b| built.refresh(rules, position, b, nodes));
        live.then_some(built)
    }

    fn up_to(&self, depth: usize, stack: usize, boards: impl Iterator<Item = usize>) -> Option<usize> {
        let below = !(u64::MAX << depth);
        let mask = boards.fold(0, |mask, b| mask | self.targets[stack][b]) & below;
        (mask != 0).then(|| 63 - mask.leading_zeros() as usize)
    }

    /// What must leave with or after the topmost card of a stack, below a depth.
    #[inline(always)]
    fn whole_up(&self, rules: &Rules, position: &Position, stack: usize, depth: usize) -> [u8; FOUNDATIONS] {
        if depth == 0 {
            return [NONE; FOUNDATIONS];
        }
        let at = depth - 1;
        let of = &self.targets[stack];
        let board = (of[1] >> at & 1) as usize + 2 * (of[2] >> at & 1) as usize + 3 * (of[3] >> at & 1) as usize;
        self.whole.up(board, rules.place_of(board, position.stacks[stack].cards()[at]))
    }

    /// The same with the cards of two boards alone.
    fn own_up(
        &self,
        rules: &Rules,
        position: &Position,
        stack: usize,
        depth: usize,
        (x, y): (usize, usize),
    ) -> (u8, u8) {
        let Some(at) = self.up_to(depth, stack, [x, y].into_iter()) else { return (NONE, NONE) };
        let rank = position.stacks[stack].cards()[at];
        if self.targets[stack][x] >> at & 1 == 1 {
            let place = rules.place_of(x, rank);
            (place, self.own.first(x, y)[place as usize & 15])
        } else {
            let place = rules.place_of(y, rank);
            (self.own.first(y, x)[place as usize & 15], place)
        }
    }

    fn is_possible(&self, rules: &Rules, position: &Position, put: Put) -> bool {
        let place = rules.place_of(put.target, put.rank);
        // With its very first card on a stack a foundation has one card more in the pile than boards of the table have.
        place >= position.heights[put.target].max(1) && self.stacked[put.target] >> place & 1 == 0
    }

    /// Puts a card at a depth of its stack; the stacks of `position` may hold it and others above already.
    fn put(&mut self, rules: &Rules, position: &Position, put: Put, depth: usize) {
        let Put { stack, rank, target } = put;
        let place = rules.place_of(target, rank);
        let on = self.whole_up(rules, position, stack, depth);
        self.whole.put(target, place, on);
        for y in OTHERS[target] {
            let on = self.own_up(rules, position, stack, depth, (target, y));
            self.own.put_in_two(target, y, place, on);
        }
        self.targets[stack][target] |= 1 << depth;
        self.stacked[target] |= 1 << place;
        self.chains[target] &= !(1 << place);
    }

    /// What must leave with or after the top card of each stack.
    fn tops(&self, rules: &Rules, position: &Position) -> [[u8; FOUNDATIONS]; MAX_STACKS] {
        let mut tops = [[NONE; FOUNDATIONS]; MAX_STACKS];
        for s in 0..rules.stacks {
            tops[s] = self.whole_up(rules, position, s, position.stacks[s].len.into());
        }
        tops
    }

    /// The nodes after a card was put on top of a stack, by the order of all cards. None: that cannot be won.
    pub fn follow_whole(
        &self,
        rules: &Rules,
        position: &Position,
        put: Put,
        nodes: &mut Nodes,
    ) -> Option<[Node; PARTS]> {
        let Put { stack, rank, target } = put;
        let place = rules.place_of(target, rank);
        let mut tops = self.tops(rules, position);
        let on = tops[stack];
        if on[target] <= place {
            return None;
        }
        let mut order = self.whole;
        order.put(target, place, on);
        for top in &mut tops[..rules.stacks] {
            if top[target] <= place {
                *top = least(*top, on);
            }
        }
        tops[stack] = order.up(target, place);
        let mut chains = self.chains;
        chains[target] &= !(1 << place);
        nodes_of(&order, &chains, &tops[..rules.stacks], nodes)
    }

    /// Finds the nodes of a board alone and with the others. False: one is dead.
    fn refresh(&mut self, rules: &Rules, position: &Position, b: usize, nodes: &mut Nodes) -> bool {
        if rules.whole {
            let tops = self.tops(rules, position);
            let found = nodes_of(&self.whole, &self.chains, &tops[..rules.stacks], nodes);
            self.nodes = found.unwrap_or_default();
            return found.is_some();
        }
        let depth = |s: usize| usize::from(position.stacks[s].len);
        let mut tops = [NONE; MAX_STACKS];
        for s in 0..rules.stacks {
            if let Some(at) = self.up_to(depth(s), s, [b].into_iter()) {
                tops[s] = rules.place_of(b, position.stacks[s].cards()[at]);
            }
        }
        let Some(state) = of_row(self.chains[b], &tops[..rules.stacks]) else { return false };
        self.nodes[b] = nodes.node(&state);
        for y in OTHERS[b] {
            let pair = PAIR_OF[b][y];
            let (x, y) = PAIRS[pair];
            let mut tops = [(NONE, NONE); MAX_STACKS];
            for s in 0..rules.stacks {
                tops[s] = self.own_up(rules, position, s, depth(s), (x, y));
            }
            let chains = (self.chains[x], self.chains[y]);
            let Some(state) = of_rows(&self.own, (x, y), chains, &tops[..rules.stacks]) else { return false };
            self.nodes[FOUNDATIONS + pair] = nodes.node(&state);
        }
        true
    }

    /// Values of the boards alone and of the pairs.
    pub fn parts(&self, nodes: &Nodes) -> [f64; PARTS] {
        self.nodes.map(|node| f64::from(nodes.value(node)))
    }

    /// Takes the values of settled nodes. False: there is no way to win.
    pub fn rate(&mut self, nodes: &Nodes) -> bool {
        let values = self.parts(nodes);
        if values.contains(&0.0) {
            self.value = 0.0;
            return false;
        }
        let (singles, pairs) = values.split_at(FOUNDATIONS);
        let square = singles.iter().product::<f64>().powi(2);
        self.value = pairs.iter().product::<f64>() / square;
        for b in 0..FOUNDATIONS {
            let [x, y, z] = OTHERS[b];
            let single = singles[x] * singles[y] * singles[z];
            self.rest[b] = pairs[PAIR_OF[x][y]] * pairs[PAIR_OF[x][z]] * pairs[PAIR_OF[y][z]] / (single * single);
        }
        true
    }

    /// Has the lists ready in which `follow` looks.
    pub fn open(&mut self, stacks: usize, nodes: &mut Nodes) {
        let lists = self.nodes.map(|node| nodes.list(node));
        for b in 0..FOUNDATIONS {
            let with = |y: usize| {
                let before = if b < y { 0 } else { self.chains[y].count_ones() * stacks as u32 };
                lists[FOUNDATIONS + PAIR_OF[b][y]] + before
            };
            let [x, y, z] = OTHERS[b];
            self.lists[b] = [lists[b], with(x), with(y), with(z)];
        }
    }

    /// The number of a card in the chain of its target, if it can go there and need not at once: a card that fits is played
    /// and not stacked for the same foundation.
    #[inline(always)]
    pub fn card(&self, target: usize, place: u8) -> Option<u8> {
        (self.chains[target] >> place & 1 == 1).then(|| before(self.chains[target], place))
    }

    /// The value with one more card on a stack. None: not all of it is known yet.
    #[inline(always)]
    pub fn follow(&self, target: usize, card: u8, stack: usize, stacks: usize, nodes: &Nodes) -> Option<f64> {
        let at = (usize::from(card) * stacks + stack) as u32;
        let [single, x, y, z] = self.lists[target].map(|list| nodes.entry(list + at));
        if single.is_unknown() || x.is_unknown() || y.is_unknown() || z.is_unknown() {
            return None;
        }
        let pairs = f64::from(x.value) * f64::from(y.value) * f64::from(z.value);
        let single = f64::from(single.value);
        if pairs == 0.0 || single == 0.0 {
            return Some(0.0);
        }
        Some(self.rest[target] * pairs / (single * single))
    }

    /// Asks for what `follow` does not know.
    pub fn ask(&self, target: usize, card: u8, stack: usize, stacks: usize, nodes: &mut Nodes) {
        let at = (usize::from(card) * stacks + stack) as u32;
        let parts = [None, Some(OTHERS[target][0]), Some(OTHERS[target][1]), Some(OTHERS[target][2])];
        for (list, other) in self.lists[target].into_iter().zip(parts) {
            if nodes.entry(list + at).is_unknown() {
                let (part, side) = match other {
                    None => (target, Side::A),
                    Some(y) if target < y => (FOUNDATIONS + PAIR_OF[target][y], Side::A),
                    Some(y) => (FOUNDATIONS + PAIR_OF[target][y], Side::B),
                };
                nodes.ask(list + at, self.nodes[part], side, card, stack as u8);
            }
        }
    }

    /// Whether a card can be put on top of a stack as far as all four boards say: no cycle, and a stack for every card.
    pub fn allows(&self, rules: &Rules, position: &Position, put: Put) -> bool {
        let Put { stack, rank, target } = put;
        let place = rules.place_of(target, rank);
        let mut tops = self.tops(rules, position);
        let on = tops[stack];
        if on[target] <= place {
            return false;
        }
        for top in &mut tops[..rules.stacks] {
            if top[target] <= place {
                *top = least(*top, on);
            }
        }
        tops[stack] = least(self.whole.up(target, place), on);
        let mut chains = self.chains;
        chains[target] &= !(1 << place);
        have_stacks(&chains, &tops[..rules.stacks])
    }

    /// The assignment after a card was put on top of a stack, known from `follow`.
    pub fn with(
        &self,
        rules: &Rules,
        position: &Position,
        put: Put,
        found: Option<[Node; PARTS]>,
        nodes: &Nodes,
    ) -> Assignment {
        let Put { stack, rank, target } = put;
        let mut next = self.clone();
        next.put(rules, position, put, position.stacks[stack].len.into());
        if let Some(found) = found {
            next.nodes = found;
            next.rate(nodes);
            return next;
        }
        let card = self.card(target, rules.place_of(target, rank)).expect("it was rated");
        let at = (usize::from(card) * rules.stacks + stack) as u32;
        next.nodes[target] = nodes.entry(self.lists[target][0] + at).node;
        for (y, list) in OTHERS[target].into_iter().zip(&self.lists[target][1..]) {
            next.nodes[FOUNDATIONS + PAIR_OF[target][y]] = nodes.entry(list + at).node;
        }
        next.rate(nodes);
        next
    }

    /// The assignments after a card of `rank` went to the foundation: the drawn one, or the top card of `from`. `position` is
    /// that before, with the drawn card in no place. What no longer fits is exchanged or, with `drop`, left out.
    #[allow(clippy::too_many_arguments)] // one move with all that it depends on
    pub fn moved(
        &self,
        rules: &Rules,
        before: &Position,
        after: &Position,
        from: Option<usize>,
        foundation: usize,
        drop: bool,
        nodes: &mut Nodes,
        out: &mut Vec<Assignment>,
    ) {
        let height = before.heights[foundation];
        let rank = rules.rank_at(foundation, height);
        let taken = self.stacked[foundation] >> height & 1 == 1;
        let mut targets = self.targets;
        let mut given = None;
        if let Some(s) = from {
            let bit = 1 << (before.stacks[s].len - 1);
            let target = (0..FOUNDATIONS).find(|&b| targets[s][b] & bit != 0).expect("every card has one");
            targets[s][target] ^= bit;
            if target == foundation {
                let mut next = self.clone();
                next.targets = targets;
                next.stacked[foundation] ^= 1 << height;
                next.chains[foundation] &= later_than(height + 1);
                if next.refresh(rules, after, foundation, nodes) {
                    out.push(next);
                }
                return;
            }
            given = Some(target);
        } else if !taken {
            let mut next = self.clone();
            let chain = next.chains[foundation];
            next.chains[foundation] &= later_than(height + 1);
            if next.chains[foundation] == chain || next.refresh(rules, after, foundation, nodes) {
                out.push(next);
            }
            return;
        }
        if !taken {
            // The copy in the pile was to go here; it takes the other's place.
            out.extend(Assignment::new(rules, after, &targets, nodes));
            return;
        }
        if drop {
            return;
        }
        let (s, bit) = self.find(rules, before, rank, foundation);
        targets[s][foundation] ^= bit;
        for b in 0..FOUNDATIONS {
            let place = rules.place_of(b, rank);
            let free = b != foundation && place >= before.heights[b] && self.stacked[b] >> place & 1 == 0;
            if given == Some(b) || (given.is_none() && free) {
                let mut exchanged = targets;
                exchanged[s][b] |= bit;
                out.extend(Assignment::new(rules, after, &exchanged, nodes));
            }
        }
    }

    /// The stack and the bit of the depth of the card of a rank that is to go to a foundation.
    fn find(&self, rules: &Rules, position: &Position, rank: u8, foundation: usize) -> (usize, u64) {
        for s in 0..rules.stacks {
            for (depth, &card) in position.stacks[s].cards().iter().enumerate() {
                if card == rank && self.targets[s][foundation] >> depth & 1 == 1 {
                    return (s, 1 << depth);
                }
            }
        }
        unreachable!("the card is on a stack")
    }

    /// Targets of all cards on stacks, stack by stack, the lowest first.
    pub fn list_targets(&self, rules: &Rules, position: &Position, out: &mut Vec<u8>) {
        for s in 0..rules.stacks {
            for depth in 0..position.stacks[s].len {
                let target = (0..FOUNDATIONS).find(|&b| self.targets[s][b] >> depth & 1 == 1);
                out.push(target.expect("every card has one") as u8);
            }
        }
    }

    /// Whether the top card of a stack is to go to a foundation.
    pub fn sends_top(&self, position: &Position, stack: usize, foundation: usize) -> bool {
        let len = position.stacks[stack].len;
        len > 0 && self.targets[stack][foundation] >> (len - 1) & 1 == 1
    }
}

/// The nodes of all boards and pairs by one order.
fn nodes_of(
    order: &Order,
    chains: &[u16; FOUNDATIONS],
    tops: &[[u8; FOUNDATIONS]],
    nodes: &mut Nodes,
) -> Option<[Node; PARTS]> {
    if !have_stacks(chains, tops) {
        return None;
    }
    let mut found = [0; PARTS];
    for b in 0..FOUNDATIONS {
        let mut of = [NONE; MAX_STACKS];
        for (of, top) in of.iter_mut().zip(tops) {
            *of = top[b];
        }
        found[b] = nodes.node(&of_row(chains[b], &of[..tops.len()])?);
    }
    for (pair, &(x, y)) in PAIRS.iter().enumerate() {
        let mut of = [(NONE, NONE); MAX_STACKS];
        for (of, top) in of.iter_mut().zip(tops) {
            *of = (top[x], top[y]);
        }
        let state = of_rows(order, (x, y), (chains[x], chains[y]), &of[..tops.len()])?;
        found[FOUNDATIONS + pair] = nodes.node(&state);
    }
    Some(found)
}

/// The estimate from the values of the boards alone and of the pairs.
pub fn estimate(nodes: &Nodes, of: &[Node; PARTS]) -> f64 {
    let values = of.map(|node| f64::from(nodes.value(node)));
    if values.contains(&0.0) {
        return 0.0;
    }
    let (singles, pairs) = values.split_at(FOUNDATIONS);
    pairs.iter().product::<f64>() / singles.iter().product::<f64>().powi(2)
}

/// Whether every card of the pile may still go somewhere: of a row the last card has the fewest stacks.
fn have_stacks(chains: &[u16; FOUNDATIONS], tops: &[[u8; FOUNDATIONS]]) -> bool {
    (0..FOUNDATIONS).all(|b| chains[b] == 0 || tops.iter().any(|top| chains[b] >> top[b] == 0))
}

fn least(a: [u8; FOUNDATIONS], b: [u8; FOUNDATIONS]) -> [u8; FOUNDATIONS] {
    std::array::from_fn(|i| a[i].min(b[i]))
}
