//! Calculation's rules: the rows of the foundations, positions, and what may be moved.

pub const FOUNDATIONS: usize = 4;
pub const MAX_RANKS: usize = 13;
pub const MIN_RANKS: usize = 4;
pub const MAX_STACKS: usize = 5;
pub const MAX_CARDS: usize = FOUNDATIONS * MAX_RANKS;

/// Stands for the drawn card in a move.
pub const DRAWN: u8 = 255;
/// Stacks come after the foundations where a move goes to.
pub const TO_STACK: u8 = FOUNDATIONS as u8;

/// A game of `ranks` ranks and `stacks` stacks. Places in a row count from 0, ranks from 1.
#[derive(Clone)]
pub struct Rules {
    pub ranks: usize,
    pub stacks: usize,
    rank_at: [[u8; 16]; FOUNDATIONS],
    place_of: [[u8; 16]; FOUNDATIONS],
}

impl Rules {
    /// The row of foundation b goes up in steps of b + 1 modulo the least prime that is not below the number of ranks;
    /// numbers that are no rank are left out.
    pub fn new(ranks: usize, stacks: usize) -> Result<Rules, String> {
        if !(MIN_RANKS..=MAX_RANKS).contains(&ranks) {
            return Err(format!("ranks: {ranks} is not in {MIN_RANKS}..{MAX_RANKS}"));
        }
        if !(1..=MAX_STACKS).contains(&stacks) {
            return Err(format!("stacks: {stacks} is not in 1..{MAX_STACKS}"));
        }
        let prime = (ranks..).find(|&n| (2..n).all(|d| n % d != 0)).expect("there is always a larger prime");
        let mut rules = Rules { ranks, stacks, rank_at: [[0; 16]; FOUNDATIONS], place_of: [[0; 16]; FOUNDATIONS] };
        for b in 0..FOUNDATIONS {
            let row = (1..=prime).map(|k| k * (b + 1) % prime).map(|n| if n == 0 { prime } else { n });
            for (place, rank) in row.filter(|&rank| rank <= ranks).enumerate() {
                rules.rank_at[b][place] = rank as u8;
                rules.place_of[b][rank] = place as u8;
            }
        }
        Ok(rules)
    }

    pub fn cards(&self) -> usize {
        FOUNDATIONS * self.ranks
    }

    #[inline(always)]
    pub fn place_of(&self, foundation: usize, rank: u8) -> u8 {
        self.place_of[foundation & 3][rank as usize & 15]
    }

    #[inline(always)]
    pub fn rank_at(&self, foundation: usize, place: u8) -> u8 {
        self.rank_at[foundation & 3][place as usize & 15]
    }

    /// Whether a card of this rank may go to the foundation now.
    #[inline(always)]
    pub fn fits(&self, position: &Position, foundation: usize, rank: u8) -> bool {
        self.place_of(foundation, rank) == position.heights[foundation]
    }

    /// The moves (stack, foundation) that are open; one stack after another.
    pub fn movable(&self, position: &Position) -> impl Iterator<Item = (usize, usize)> {
        let tops: [Option<u8>; MAX_STACKS] = std::array::from_fn(|s| position.stacks[s].top());
        let heights = position.heights;
        (0..self.stacks * FOUNDATIONS)
            .map(|n| (n / FOUNDATIONS, n % FOUNDATIONS))
            .filter(move |&(s, f)| tops[s].is_some_and(|rank| self.place_of(f, rank) == heights[f]))
    }

    /// Stacks where a drawn card may go, one bit each: of several empty ones the first.
    pub fn different_stacks(&self, position: &Position) -> u8 {
        let mut mask = 0;
        let mut empty = false;
        for s in 0..self.stacks {
            let is_empty = position.stacks[s].len == 0;
            if !(is_empty && empty) {
                mask |= 1 << s;
            }
            empty |= is_empty;
        }
        mask
    }

    pub fn start(&self) -> Position {
        let mut left = [0; 16];
        left[1..=self.ranks].fill(FOUNDATIONS as u8);
        Position {
            heights: [0; FOUNDATIONS],
            stacks: [Stack { len: 0, cards: [0; MAX_CARDS] }; MAX_STACKS],
            left,
            pile: self.cards() as u8,
        }
    }

    /// The position with these heights and stacks, everything else in the pile; says what is wrong with them.
    pub fn position(&self, heights: &[u8], stacks: &[Vec<u8>]) -> Result<Position, String> {
        let mut position = self.start();
        if heights.len() != FOUNDATIONS {
            return Err(format!("heights: {} numbers, {FOUNDATIONS} are needed", heights.len()));
        }
        if stacks.len() != self.stacks {
            return Err(format!("stacks: {} of them, {} are needed", stacks.len(), self.stacks));
        }
        let mut take = |rank: u8, field: &str| {
            if !(1..=self.ranks).contains(&usize::from(rank)) {
                return Err(format!("{field}: {rank} is no rank in 1..{}", self.ranks));
            }
            if position.left[usize::from(rank)] == 0 {
                return Err(format!("{field}: there are more than four cards of rank {rank}"));
            }
            position.left[usize::from(rank)] -= 1;
            position.pile -= 1;
            Ok(())
        };
        for (f, &height) in heights.iter().enumerate() {
            if usize::from(height) > self.ranks {
                return Err(format!("heights: {height} is not in 0..{}", self.ranks));
            }
            (0..height).try_for_each(|place| take(self.rank_at(f, place), "heights"))?;
        }
        stacks.iter().flatten().try_for_each(|&rank| take(rank, "stacks"))?;
        position.heights.copy_from_slice(heights);
        for (stack, cards) in position.stacks.iter_mut().zip(stacks) {
            cards.iter().for_each(|&rank| stack.push(rank));
        }
        Ok(position)
    }
}

/// Cards that lie on one another, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack {
    pub len: u8,
    cards: [u8; MAX_CARDS],
}

impl Stack {
    #[inline(always)]
    pub fn top(&self) -> Option<u8> {
        (self.len > 0).then(|| self.cards[self.len as usize - 1])
    }

    pub fn cards(&self) -> &[u8] {
        &self.cards[..self.len as usize]
    }

    pub fn push(&mut self, rank: u8) {
        self.cards[self.len as usize] = rank;
        self.len += 1;
    }

    pub fn pop(&mut self) -> u8 {
        self.len -= 1;
        self.cards[self.len as usize]
    }
}

/// What lies open, and how many cards of each rank are in the pile, from which a drawn card is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub heights: [u8; FOUNDATIONS],
    pub stacks: [Stack; MAX_STACKS],
    /// By rank.
    pub left: [u8; 16],
    /// Cards in the pile.
    pub pile: u8,
}

impl Position {
    /// Takes a card of this rank from the pile.
    pub fn draw(&mut self, rank: u8) {
        self.left[rank as usize] -= 1;
        self.pile -= 1;
    }

    /// Makes a move; `drawn` is the card in hand, for moves of it.
    pub fn make(&mut self, [from, to]: [u8; 2], drawn: u8) {
        let rank = if from == DRAWN { drawn } else { self.stacks[from as usize].pop() };
        if to >= TO_STACK {
            self.stacks[(to - TO_STACK) as usize].push(rank);
        } else {
            self.heights[to as usize] += 1;
        }
    }

    pub fn is_won(&self, rules: &Rules) -> bool {
        self.heights.iter().all(|&height| usize::from(height) == rules.ranks)
    }

    /// Cards on all stacks.
    pub fn stacked(&self) -> usize {
        self.stacks.iter().map(|stack| usize::from(stack.len)).sum()
    }

    /// Stack and depth of every card of a rank that is on a stack.
    pub fn places_of(&self, rank: u8) -> impl Iterator<Item = (usize, usize)> + '_ {
        let of = move |s: usize| self.stacks[s].cards().iter().enumerate().filter(move |&(_, &card)| card == rank);
        (0..MAX_STACKS).flat_map(move |s| of(s).map(move |(depth, _)| (s, depth)))
    }

    /// Tells positions apart that can be reached with the same drawn card.
    pub fn mark(&self) -> ([u8; FOUNDATIONS], [u8; MAX_STACKS]) {
        (self.heights, self.stacks.map(|stack| stack.len))
    }
}
