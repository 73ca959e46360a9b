//! An assignment: for every card on a stack the foundation that it will go to.
//!
//! With it all cards of the pile belong to a foundation too. The order of all cards follows from the rows and from what lies on
//! what; a card of the pile may not go on a card that must leave before it. The foundation's next card, while it is in the
//! pile, is left out: it counts as drawn last.
use super::estimate::{Asked, Frame, Parts, Tops};
use super::nodes::Nodes;
use super::options::Edges;
use super::order::{NONE, Order};
use super::own::OwnFrame;
use super::rules::{FOUNDATIONS, MAX_STACKS, Position, Rules};

/// Cards of stacks by their depth, one bit each, for each foundation that they are to go to.
pub type Targets = [[u64; FOUNDATIONS]; MAX_STACKS];

#[derive(Clone)]
pub struct Assignment {
    pub targets: Targets,
    /// Places of each row whose cards are on stacks.
    stacked: [u16; FOUNDATIONS],
    /// Places of each row whose cards are in the pile, but for the foundation's next card.
    pub chains: [u16; FOUNDATIONS],
    /// The order of all cards.
    order: Order,
    /// Of each two rows the order of their own cards, where edges are own.
    own: Order,
    pub parts: Parts,
    /// The estimate, once the nodes are settled.
    pub value: f64,
}

/// A card on a stack with the foundation that is considered for it.
#[derive(Clone, Copy)]
pub struct Put {
    pub stack: usize,
    pub rank: u8,
    pub target: usize,
}

/// A card that goes to a foundation: the drawn one, or the top card of `from`.
#[derive(Clone, Copy)]
pub struct Move<'a> {
    pub before: &'a Position,
    pub after: &'a Position,
    pub from: Option<usize>,
    pub foundation: usize,
}

fn later_than(height: u8) -> u16 {
    u16::MAX << 1 << height
}

impl Assignment {
    /// The assignment with these targets. None: they contradict each other.
    pub fn new(
        rules: &Rules,
        position: &Position,
        targets: &Targets,
        asked: Asked,
        nodes: &mut Nodes,
    ) -> Option<Assignment> {
        let mut built = Assignment {
            targets: [[0; FOUNDATIONS]; MAX_STACKS],
            stacked: [0; FOUNDATIONS],
            chains: std::array::from_fn(|b| later_than(position.heights[b]) & !(u16::MAX << rules.ranks)),
            order: Order::new(),
            own: Order::new(),
            parts: Parts { nodes: Default::default(), stuck: 0 },
            value: 0.0,
        };
        for stack in 0..rules.stacks {
            for (depth, &rank) in position.stacks[stack].cards().iter().enumerate() {
                let target = (0..FOUNDATIONS).find(|&b| targets[stack][b] >> depth & 1 == 1)?;
                let put = Put { stack, rank, target };
                let on = built.top(rules, position, stack, depth);
                if !built.is_possible(rules, position, put) || on[target] <= rules.place_of(target, rank) {
                    return None;
                }
                built.put(rules, position, put, depth, on, nodes.edges);
            }
        }
        let stuck = built.frame(built.tops(rules, position)).stuck(rules.stacks);
        built.parts = Parts::unknown(stuck);
        built.fill(rules, position, asked, nodes);
        Some(built)
    }

    /// Whether the card's foundation still waits for a card of this rank and no other on a stack is to go there.
    fn is_possible(&self, rules: &Rules, position: &Position, put: Put) -> bool {
        let place = rules.place_of(put.target, put.rank);
        // With its very first card on a stack a foundation has one card more in the pile than boards of the table have.
        place >= position.heights[put.target].max(1) && self.stacked[put.target] >> place & 1 == 0
    }

    /// What must leave with or after the card of a stack below a depth.
    #[inline(always)]
    fn top(&self, rules: &Rules, position: &Position, stack: usize, depth: usize) -> [u8; FOUNDATIONS] {
        if depth == 0 {
            return [NONE; FOUNDATIONS];
        }
        let at = depth - 1;
        let of = &self.targets[stack];
        let board = (of[1] >> at & 1) as usize + 2 * (of[2] >> at & 1) as usize + 3 * (of[3] >> at & 1) as usize;
        self.order.up(board, rules.place_of(board, position.stacks[stack].cards()[at]))
    }

    fn put(&mut self, rules: &Rules, position: &Position, put: Put, depth: usize, on: [u8; FOUNDATIONS], edges: Edges) {
        let place = rules.place_of(put.target, put.rank);
        self.order.put(put.target, place, on);
        if edges == Edges::Own {
            self.own = self.own_frame(position).order_with(rules, put, depth);
        }
        self.targets[put.stack][put.target] |= 1 << depth;
        self.stacked[put.target] |= 1 << place;
        self.chains[put.target] &= !(1 << place);
    }

    /// What determines the states of one or two rows by their own cards; `position` is that of the assignment.
    fn own_frame<'a>(&'a self, position: &'a Position) -> OwnFrame<'a> {
        OwnFrame { order: &self.own, chains: self.chains, targets: &self.targets, position, put: None }
    }

    pub fn tops(&self, rules: &Rules, position: &Position) -> Tops {
        let mut tops = [[NONE; FOUNDATIONS]; MAX_STACKS];
        for s in 0..rules.stacks {
            tops[s] = self.top(rules, position, s, position.stacks[s].len.into());
        }
        tops
    }

    fn frame(&self, tops: Tops) -> Frame<'_> {
        Frame { order: &self.order, chains: self.chains, tops }
    }

    /// Finds the states that are unknown, those of pairs if they are asked for.
    pub fn fill(&mut self, rules: &Rules, position: &Position, asked: Asked, nodes: &mut Nodes) {
        let mut parts = self.parts;
        match nodes.edges {
            Edges::All => {
                let frame = self.frame(self.tops(rules, position));
                let two_rows = |pair| frame.of_two_rows(rules.stacks, pair);
                parts.fill(asked, nodes, |b| frame.of_row(rules.stacks, b), two_rows);
            }
            Edges::Own => {
                let frame = self.own_frame(position);
                parts.fill(asked, nodes, |b| frame.of_row(rules, b), |pair| frame.of_two_rows(rules, pair));
            }
        }
        self.parts = parts;
    }

    /// Takes the values of settled nodes.
    pub fn rate(&mut self, nodes: &Nodes) {
        self.value = self.parts.estimate(nodes);
    }

    /// Whether the card can be put on a stack for this foundation: it is in the pile, and it need not be played at once.
    #[inline(always)]
    pub fn is_free(&self, target: usize, place: u8) -> bool {
        self.chains[target] >> place & 1 == 1
    }

    /// The states after a card was put on top of a stack; `position` and `tops` are those before. None: there is a cycle.
    pub fn follow(
        &self,
        rules: &Rules,
        (position, tops): (&Position, &Tops),
        put: Put,
        asked: Asked,
        nodes: &mut Nodes,
    ) -> Option<Parts> {
        let Put { stack, rank, target } = put;
        let place = rules.place_of(target, rank);
        let on = tops[stack];
        if on[target] <= place {
            return None;
        }
        let mut order = self.order;
        order.put(target, place, on);
        let mut frame = Frame { order: &order, chains: self.chains, tops: *tops };
        frame.chains[target] &= !(1 << place);
        for top in &mut frame.tops[..rules.stacks] {
            if top[target] <= place {
                *top = std::array::from_fn(|b| top[b].min(on[b]));
            }
        }
        frame.tops[stack] = order.up(target, place);
        if nodes.edges == Edges::Own {
            let before = self.own_frame(position);
            let own = before.order_with(rules, put, position.stacks[stack].len.into());
            let after = OwnFrame { order: &own, chains: frame.chains, put: Some(put), ..before };
            let mut parts = self.parts.without(target, frame.stuck(rules.stacks));
            parts.fill(asked, nodes, |b| after.of_row(rules, b), |pair| after.of_two_rows(rules, pair));
            return Some(parts);
        }
        let mut parts = frame.same(rules.stacks, &self.frame(*tops), &self.parts);
        let two_rows = |pair| frame.of_two_rows(rules.stacks, pair);
        parts.fill(asked, nodes, |b| frame.of_row(rules.stacks, b), two_rows);
        Some(parts)
    }

    /// The assignment after a card was put on top of a stack, with what `follow` found. `position` is that before.
    pub fn with(
        &self,
        rules: &Rules,
        position: &Position,
        put: Put,
        parts: Parts,
        value: f64,
        edges: Edges,
    ) -> Assignment {
        let mut next = self.clone();
        let depth = usize::from(position.stacks[put.stack].len);
        next.put(rules, position, put, depth, self.top(rules, position, put.stack, depth), edges);
        (next.parts, next.value) = (parts, value);
        next
    }

    /// Whether the card that goes to a foundation is the one that the assignment sends there.
    pub fn is_meant(&self, made: Move<'_>) -> bool {
        let Move { before, from, foundation, .. } = made;
        match from {
            None => self.stacked[foundation] >> before.heights[foundation] & 1 == 0,
            Some(s) => self.sends_top(before, s, foundation),
        }
    }

    fn top_target(&self, position: &Position, stack: usize) -> usize {
        (0..FOUNDATIONS).find(|&b| self.sends_top(position, stack, b)).expect("every card has one")
    }

    /// Adds the assignments after a card went to a foundation. One that sent another stacked copy there no longer fits: the two
    /// exchange their targets or, with `drop`, there is none.
    pub fn moved(
        &self,
        rules: &Rules,
        made: Move<'_>,
        drop: bool,
        asked: Asked,
        nodes: &mut Nodes,
        out: &mut Vec<Assignment>,
    ) {
        let Move { before, after, from, foundation } = made;
        let height = before.heights[foundation];
        let rank = rules.rank_at(foundation, height);
        let is_taken = self.stacked[foundation] >> height & 1 == 1;
        let mut targets = self.targets;
        let given = from.map(|s| self.top_target(before, s));
        if let (Some(s), Some(target)) = (from, given) {
            targets[s][target] ^= 1 << (before.stacks[s].len - 1);
        }
        if self.is_meant(made) {
            let mut next = self.clone();
            next.targets = targets;
            next.stacked[foundation] &= !(1 << height);
            next.chains[foundation] &= later_than(height + 1);
            let frame = next.frame(next.tops(rules, after));
            next.parts = match nodes.edges {
                Edges::All => frame.same(rules.stacks, &self.frame(self.tops(rules, before)), &self.parts),
                Edges::Own => self.parts.without(foundation, frame.stuck(rules.stacks)),
            };
            next.fill(rules, after, asked, nodes);
            out.push(next);
        } else if !is_taken {
            // A copy in the pile was meant for this place; it takes over the target of the card that was played.
            out.extend(Assignment::new(rules, after, &targets, asked, nodes));
        } else if !drop {
            let (s, bit) = self.find(rules, before, rank, foundation);
            targets[s][foundation] ^= bit;
            for b in (0..FOUNDATIONS).filter(|&b| b != foundation) {
                let place = rules.place_of(b, rank);
                let is_free = place >= before.heights[b] && self.stacked[b] >> place & 1 == 0;
                if given.map_or(is_free, |target| target == b) {
                    let mut exchanged = targets;
                    exchanged[s][b] |= bit;
                    out.extend(Assignment::new(rules, after, &exchanged, asked, nodes));
                }
            }
        }
    }

    /// The stack and the bit of the depth of the card of a rank that is to go to a foundation.
    fn find(&self, rules: &Rules, position: &Position, rank: u8, foundation: usize) -> (usize, u64) {
        let stacks = (0..rules.stacks).flat_map(|s| (0..position.stacks[s].cards().len()).map(move |depth| (s, depth)));
        let is_meant = |&(s, depth): &(usize, usize)| {
            position.stacks[s].cards()[depth] == rank && self.targets[s][foundation] >> depth & 1 == 1
        };
        let (s, depth) = stacks.into_iter().find(is_meant).expect("the card is on a stack");
        (s, 1 << depth)
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
