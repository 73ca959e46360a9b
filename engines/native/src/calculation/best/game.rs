//! What does not change during a game: the rows, how many orders a pile has, and under which changes of names of cards the
//! game stays the same.
use crate::calculation::rules::{FOUNDATIONS, MIN_RANKS, Rules};

/// With more ranks a pile has more orders than 63 bits can count.
pub const MAX_RANKS: usize = 6;
/// Room for each rank from 1.
pub const RANKS: usize = MAX_RANKS + 1;
/// Copies of a rank in the pile: none to four.
const COPIES: usize = FOUNDATIONS + 1;

/// Other names of ranks and foundations by which the rules are the same.
pub struct Renaming {
    pub rank: [u8; RANKS],
    pub foundation: [usize; FOUNDATIONS],
}

pub struct Game {
    pub rules: Rules,
    /// But for the one that changes nothing.
    pub renamings: Vec<Renaming>,
    /// The rank that ends all rows; 0: there is none.
    pub last_of_all: u8,
    /// By rank of the upper and of the lower card of a stack: rows in which the upper one comes later.
    pub inversions: [[u32; RANKS]; RANKS],
    /// By what a pile has of each rank, as digits.
    orders: Vec<u64>,
}

impl Game {
    /// What is wrong with the numbers, if anything.
    pub fn new(ranks: usize, stacks: usize) -> Result<Game, String> {
        if !(MIN_RANKS..=MAX_RANKS).contains(&ranks) {
            return Err(format!("ranks: {ranks} is not in {MIN_RANKS}..{MAX_RANKS}"));
        }
        let rules = Rules::new(ranks, stacks)?;
        let mut inversions = [[0; RANKS]; RANKS];
        for (upper, lower) in (1..=ranks).flat_map(|upper| (1..=ranks).map(move |lower| (upper, lower))) {
            let is_later = |&f: &usize| rules.place_of(f, upper as u8) > rules.place_of(f, lower as u8);
            inversions[upper][lower] = (0..FOUNDATIONS).filter(is_later).count() as u32;
        }
        let mut ends = (0..FOUNDATIONS).map(|f| rules.rank_at(f, ranks as u8 - 1));
        let last_of_all = ends.next().filter(|&rank| ends.all(|other| other == rank)).unwrap_or(0);
        let orders = (0..COPIES.pow(ranks as u32)).map(|pile| orders_of(pile, ranks)).collect();
        Ok(Game { renamings: renamings(&rules), rules, last_of_all, inversions, orders })
    }

    /// Orders in which the cards of a pile can be drawn, equal ranks being alike.
    #[must_use]
    pub fn orders(&self, left: &[u8; RANKS]) -> u64 {
        let digits = left[1..=self.rules.ranks].iter().rev();
        self.orders[digits.fold(0, |pile, &count| pile * COPIES + usize::from(count))]
    }
}

/// The multinomial coefficient of the digits of `pile`.
fn orders_of(mut pile: usize, ranks: usize) -> u64 {
    let (mut orders, mut cards) = (1u128, 0);
    for _ in 0..ranks {
        for count in 1..=(pile % COPIES) as u128 {
            cards += 1;
            orders = orders * cards / count;
        }
        pile /= COPIES;
    }
    orders as u64
}

/// Where each rank becomes a multiple of itself, rows may become each other.
fn renamings(rules: &Rules) -> Vec<Renaming> {
    let ranks = rules.ranks;
    let prime = (ranks..).find(|&n| (2..n).all(|d| n % d != 0)).expect("there is always a larger prime");
    (2..prime).filter_map(|factor| renaming(rules, prime, factor)).collect()
}

fn renaming(rules: &Rules, prime: usize, factor: usize) -> Option<Renaming> {
    let mut rank = [0; RANKS];
    for from in 1..=rules.ranks {
        let to = (from * factor - 1) % prime + 1;
        rank[from] = (to <= rules.ranks).then_some(to as u8)?;
    }
    let mut foundation = [0; FOUNDATIONS];
    for (from, to) in foundation.iter_mut().enumerate() {
        let is_row = |&f: &usize| {
            (0..rules.ranks as u8).all(|place| rank[usize::from(rules.rank_at(from, place))] == rules.rank_at(f, place))
        };
        *to = (0..FOUNDATIONS).find(is_row)?;
    }
    Some(Renaming { rank, foundation })
}
