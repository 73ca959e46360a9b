//! HE (the paper, section 3.2): worlds by how often hands held what, among players who had played the like before.
use super::super::cards::{COLUMNS, Cards, JOKER, LAST_COLUMN, NATURALS, any, columns, nth, suits_at};
use super::super::dice::Dice;
use super::super::knowledge::{Knowledge, Turn};
use super::super::play::Kind;
use super::super::position::Hands;
use super::super::table::PLAYERS;
use super::hidden::{Pile, Room};

pub const CLASSES_COUNT: usize = 256;
/// The 13 ranks from 3 to 2, a group, a sequence.
pub const ITEMS_COUNT: usize = 15;
const GROUP: usize = 13;
const SEQUENCE: usize = 14;
/// Hands of so many cards have classes.
const COUNT_MIN: u8 = 2;
const COUNT_MAX: u8 = 5;
/// Cards of 3-7, 9-Q and K-2 that are many: the paper's threshold is 2 for all these hands.
const MANY: u32 = 2;
/// Classes that were seen less often count together with all others of as many cards.
const SEEN_MIN: u64 = 10;

/// The class of a player who has `count` cards (2 to 5) left and made these turns before.
///
/// `64 * (count - 2)`, and 1 for many cards of 3-7, 2 for an 8, 4 for many of 9-Q, 8 for many of K-2, 16 for a group, 32
/// for a sequence that it played.
#[must_use]
pub fn class<'a>(count: u8, turns: impl Iterator<Item = &'a Turn>) -> usize {
    let (mut cards, mut groups, mut sequences) = (0, false, false);
    for turn in turns {
        cards |= turn.play.cards;
        groups |= turn.play.kind == Kind::Group;
        sequences |= turn.play.kind == Kind::Sequence;
    }
    let played = |first, last| (cards & columns(first, last)).count_ones();
    let marks =
        [played(1, 5) >= MANY, played(6, 6) > 0, played(7, 10) >= MANY, played(11, 13) >= MANY, groups, sequences];
    let marks = marks.iter().enumerate().map(|(bit, &mark)| usize::from(mark) << bit).sum::<usize>();
    64 * usize::from(count - COUNT_MIN) + marks
}

/// Whether a hand of so many cards has a class.
#[must_use]
pub fn has_class(count: u32) -> bool {
    (u32::from(COUNT_MIN)..=u32::from(COUNT_MAX)).contains(&count)
}

/// Which of the items a hand holds. The joker is in none of them.
#[must_use]
pub fn items(hand: Cards) -> [bool; ITEMS_COUNT] {
    let mut found = [false; ITEMS_COUNT];
    for column in 1..=LAST_COLUMN {
        let suits = suits_at(hand, column);
        found[usize::from(column) - 1] = suits != 0;
        found[GROUP] |= suits.count_ones() >= 2;
    }
    found[SEQUENCE] = sequences(hand & NATURALS) != 0;
    found
}

/// Lowest cards of three in a row.
#[inline]
fn sequences(cards: Cards) -> Cards {
    cards & cards >> 4 & cards >> 8
}

/// How often hands of a class were seen, and with what.
pub struct HeTable {
    probabilities: Vec<[f64; ITEMS_COUNT]>,
}

impl HeTable {
    /// `probabilities` of the classes' items and how often each class was seen.
    ///
    /// # Errors
    /// Text that names what is wrong.
    pub fn new(probabilities: &[[f64; ITEMS_COUNT]], seen: &[u64]) -> Result<HeTable, String> {
        if probabilities.len() != CLASSES_COUNT || seen.len() != CLASSES_COUNT {
            return Err(format!("he: {} classes and {} counts, not {CLASSES_COUNT}", probabilities.len(), seen.len()));
        }
        let wrong = |&&value: &&f64| !(0.0..=1.0).contains(&value);
        let fits = |(row, &count): (&[f64; ITEMS_COUNT], &u64)| count == 0 || !row.iter().any(|value| wrong(&value));
        if !probabilities.iter().zip(seen).all(fits) {
            return Err("he: a probability is not in 0..1".into());
        }
        let pooled = |classes: std::ops::Range<usize>| {
            let mut sums = [0.0; ITEMS_COUNT];
            let mut total = 0.0;
            for class in classes.filter(|&class| seen[class] > 0) {
                total += seen[class] as f64;
                for item in 0..ITEMS_COUNT {
                    sums[item] += probabilities[class][item] * seen[class] as f64;
                }
            }
            (total > 0.0).then(|| sums.map(|sum| sum / total))
        };
        let of_all = pooled(0..CLASSES_COUNT).ok_or("he: no class was ever seen")?;
        let probabilities = (0..CLASSES_COUNT).map(|class| {
            let first = class / 64 * 64;
            if seen[class] >= SEEN_MIN { probabilities[class] } else { pooled(first..first + 64).unwrap_or(of_all) }
        });
        Ok(HeTable { probabilities: probabilities.collect() })
    }
}

/// A player whose hand is made by its class.
#[derive(Clone, Copy)]
struct Guessed {
    seat: u8,
    count: u8,
    probabilities: [f64; ITEMS_COUNT],
}

pub struct He {
    guessed: [Option<Guessed>; PLAYERS],
    unseen: Cards,
    room: Room,
    revolution: bool,
}

impl He {
    pub fn new(knowledge: &Knowledge<'_>, table: &HeTable) -> He {
        let mut room = Room::of(knowledge);
        let mut guessed = [None; PLAYERS];
        let mut guessed_count = 0;
        for count in COUNT_MIN..=COUNT_MAX {
            for seat in knowledge.others().filter(|&seat| knowledge.counts[usize::from(seat)] == count) {
                let class = class(count, knowledge.turns.iter().filter(|turn| turn.seat == seat));
                guessed[guessed_count] = Some(Guessed { seat, count, probabilities: table.probabilities[class] });
                guessed_count += 1;
                room.take(seat, count);
            }
        }
        He { guessed, unseen: knowledge.unseen(), room, revolution: knowledge.table.field.revolution }
    }

    pub fn deal(&mut self, dice: &mut Dice) -> Hands {
        let mut hands = [0; PLAYERS];
        let mut left = self.unseen;
        for guessed in self.guessed.iter().flatten() {
            let hand = guessed.hand(left, dice);
            hands[usize::from(guessed.seat)] = hand;
            left &= !hand;
        }
        if left != 0 {
            let pile = Pile::by_strength(left, self.revolution);
            let mut room = self.room;
            room.deal_in_turn(pile.cards(), &mut hands, dice);
        }
        hands
    }
}

impl Guessed {
    /// A hand out of the cards that are left.
    fn hand(&self, mut left: Cards, dice: &mut Dice) -> Cards {
        let joker = left & JOKER;
        left &= NATURALS;
        let mut hand: Cards = 0;
        if dice.unit() < self.probabilities[GROUP] {
            hand |= self.pair(left, dice);
        }
        let places = u32::from(self.count) - hand.count_ones();
        if places >= 3 && dice.unit() < self.probabilities[SEQUENCE] {
            hand |= self.sequence(left & !hand, dice);
        }
        while hand.count_ones() < u32::from(self.count) {
            let Some(column) = self.rank(columns_of(left & !hand), &self.probabilities[..13], dice) else {
                // Nothing is left but the joker.
                return hand | joker;
            };
            hand |= any(left & !hand & columns(column, column), 1, dice);
        }
        hand
    }

    /// Two cards of one rank; none where there are none.
    fn pair(&self, left: Cards, dice: &mut Dice) -> Cards {
        let twice = left & ((left >> 1) & (7 * COLUMNS) | (left >> 2) & (3 * COLUMNS) | (left >> 3) & COLUMNS);
        let Some(column) = self.rank(columns_of(twice), &self.probabilities[..13], dice) else { return 0 };
        any(left & columns(column, column), 2, dice)
    }

    /// Three cards in a row; their lowest rank is drawn by what the three have together.
    fn sequence(&self, left: Cards, dice: &mut Dice) -> Cards {
        let lowest = sequences(left);
        let mut weights = [0.0; 13];
        for first in 0..11 {
            weights[first] = self.probabilities[first..first + 3].iter().sum();
        }
        let Some(column) = self.rank(columns_of(lowest), &weights, dice) else { return 0 };
        let card = any(lowest & columns(column, column), 1, dice);
        card | card << 4 | card << 8
    }

    /// One of the columns (a set, bit `column - 1`) in proportion to their weights; if all are 0, any of them.
    fn rank(&self, columns: u16, weights: &[f64], dice: &mut Dice) -> Option<u8> {
        if columns == 0 {
            return None;
        }
        let open = (0..13).filter(|&column| columns >> column & 1 != 0);
        let total: f64 = open.clone().map(|column| weights[column]).sum();
        if total <= 0.0 {
            return Some(nth(Cards::from(columns), dice.below(columns.count_ones())) as u8 + 1);
        }
        let mut left = dice.unit() * total;
        let mut found = None;
        for column in open.filter(|&column| weights[column] > 0.0) {
            found = Some(column as u8 + 1);
            left -= weights[column];
            if left < 0.0 {
                break;
            }
        }
        found
    }
}

/// Columns that have cards, bit `column - 1`.
fn columns_of(cards: Cards) -> u16 {
    (1..=LAST_COLUMN).fold(0, |set, column| set | u16::from(suits_at(cards, column) != 0) << (column - 1))
}
