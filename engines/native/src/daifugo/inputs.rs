//! What the network of a policy sees of a play: inputs that are there or not, as numbers.
//!
//! Ranks count by their strength in the order that is in force after the play, so that a revolution is no other game.
use super::cards::{COLUMNS, Cards, JOKER, LAST_COLUMN, NATURALS, S3, columns, of_suits};
use super::certain::{at_least, strong};
use super::features::{Class, runs_of, strength};
use super::play::{Kind, Play};
use super::players::rule::View;
use super::position::Position;
use super::table::{PLAYERS, Seats, Table};

/// How many cards of each strength nobody has shown: of 1 to 4.
const UNSEEN: usize = 0;
const UNSEEN_JOKER: usize = UNSEEN + 52;
/// Cards of each other player, from the next one on: of 1 to 11.
const COUNTS: usize = UNSEEN_JOKER + 1;
/// Whether each may still play in the trick.
const ACTIVE: usize = COUNTS + 4 * 11;
/// Whose the play on top is.
const LAST: usize = ACTIVE + 4;
const OWN_TOP: usize = LAST + 4;
const LEAD: usize = OWN_TOP + 1;
const REVOLUTION: usize = LEAD + 1;
const LOCKED: usize = REVOLUTION + 1;
/// The play on top: class but those of passes, strength.
const TOP: usize = LOCKED + 1;
/// The hand that is left: of 1 to 4 cards of each strength, the joker, ranks of sequences, number of cards.
const HAND: usize = TOP + 5 * 16;
const HAND_JOKER: usize = HAND + 52;
const RUNS: usize = HAND_JOKER + 1;
const LEFT: usize = RUNS + 13;
/// The play: class and strength, that of the play on top for a pass.
const PLAY: usize = LEFT + 12;
const SPENDS_JOKER: usize = PLAY + 7 * 16;
/// It locks; and the strongest card that may follow is in the own hand.
const LOCKS: usize = SPENDS_JOKER + 1;
/// Ranks, or cards, that could beat a single, a pair, a larger group.
const BEATERS: usize = LOCKS + 2;
const BEATERS_MAX: u32 = 7;
/// Groups of one rank in the hand that is left which somebody could beat, and which nobody could.
const LOSERS: usize = BEATERS + 3 * (BEATERS_MAX as usize + 1);
const WINNERS: usize = LOSERS + 8;
/// S3 and the joker: both in the hand that is left, the joker elsewhere, S3 elsewhere.
const S3_AND_JOKER: usize = WINNERS + 8;
pub const INPUTS_COUNT: usize = S3_AND_JOKER + 3;

/// What the others have, as the player whose turn it is sees them, from the next seat on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Company {
    /// Cards of each.
    pub counts: [u8; PLAYERS - 1],
    /// Whether each may still play in the trick, a bit each.
    pub active: u8,
    /// Who played last: 1 for the next seat; 0 for the player itself.
    pub last: u8,
}

impl Company {
    #[inline]
    #[must_use]
    pub fn of(table: &Table, count: impl Fn(usize) -> u8) -> Company {
        let turn = usize::from(table.turn);
        let counts = std::array::from_fn(|step| count((turn + 1 + step) % PLAYERS));
        let twice = u32::from(table.active & 31) * 33;
        let active = (twice >> (turn + 1)) as Seats & 15;
        let last = (usize::from(table.last) + PLAYERS - turn) % PLAYERS;
        Company { counts, active, last: last as u8 }
    }

    #[inline]
    #[must_use]
    pub fn of_position(position: &Position) -> Company {
        Company::of(&position.table, |seat| position.hands[seat].count_ones() as u8)
    }
}

/// Inputs that a play changes.
pub trait Changes {
    fn add(&mut self, input: usize);
    fn take(&mut self, input: usize);
}

/// What all plays of a turn have in common that keep, or turn, the order of strength.
pub struct Eye<'a> {
    view: &'a View<'a>,
    company: &'a Company,
    revolution: bool,
    /// Of the hand, a number of four bits each.
    hand_counts: u64,
    runs: Cards,
    /// Columns of which the others have 1, 2 or 3 cards, as their first suits.
    theirs: [Cards; 3],
    /// The columns of groups of 1, 2 and 3 cards that nobody can beat.
    strong: [Cards; 3],
    size: usize,
}

/// Cards of each column, in a number of four bits each.
#[inline(always)]
fn column_counts(cards: Cards) -> u64 {
    let natural = cards & NATURALS;
    let pairs = natural - (natural >> 1 & (5 * COLUMNS));
    (pairs & (3 * COLUMNS)) + (pairs >> 2 & (3 * COLUMNS))
}

/// Of a set of first suits.
#[inline(always)]
fn columns_count(firsts: Cards) -> u32 {
    (firsts.wrapping_mul(0x1111_1111_1111_1111) >> 60) as u32
}

/// The first suits of columns that have a card.
#[inline(always)]
fn firsts(cards: Cards) -> Cards {
    (cards | cards >> 1 | cards >> 2 | cards >> 3) & COLUMNS
}

#[inline(always)]
fn each_column(mut firsts: Cards, mut visit: impl FnMut(u32)) {
    while firsts != 0 {
        visit(firsts.trailing_zeros() / 4);
        firsts &= firsts - 1;
    }
}

impl<'a> Eye<'a> {
    /// `revolution`: the order that counts.
    #[inline(always)]
    pub fn new(view: &'a View<'a>, company: &'a Company, revolution: bool) -> Eye<'a> {
        let theirs = at_least(view.unseen);
        let strong = strong(&theirs, view.unseen & JOKER != 0, revolution);
        Eye {
            view,
            company,
            revolution,
            hand_counts: column_counts(view.hand),
            runs: runs_of(view.hand),
            theirs,
            strong,
            size: view.hand.count_ones() as usize,
        }
    }

    /// Whether a play needs an eye for the other order.
    #[inline(always)]
    pub fn is_for(&self, play: &Play) -> bool {
        self.revolution == self.view.field.revolution ^ play.is_revolution()
    }

    /// 0 to 12 by strength, of a column counted from 0.
    #[inline(always)]
    fn step(&self, column: u32) -> usize {
        (if self.revolution { 12 - column } else { column }) as usize
    }

    /// Inputs that do not depend on the play; the hand as a whole is among them.
    #[inline(always)]
    pub fn each_of_turn(&self, mut visit: impl FnMut(usize)) {
        let (view, field) = (self.view, self.view.field);
        let unseen = column_counts(view.unseen);
        each_column(firsts(view.unseen & NATURALS), |column| {
            visit(UNSEEN + 4 * self.step(column) + (unseen >> (4 * column)) as usize % 16 - 1);
        });
        if view.unseen & JOKER != 0 {
            visit(UNSEEN_JOKER);
        }
        for (other, &count) in self.company.counts.iter().enumerate() {
            if count > 0 {
                visit(COUNTS + 11 * other + usize::from(count.min(11)) - 1);
            }
            if self.company.active >> other & 1 != 0 {
                visit(ACTIVE + other);
            }
        }
        if self.revolution {
            visit(REVOLUTION);
        }
        if field.is_empty() {
            visit(LEAD);
        } else {
            visit(if self.company.last == 0 { OWN_TOP } else { LAST + usize::from(self.company.last) - 1 });
            visit(TOP + 16 * (Class::of(&field.top, &field.top) as usize - 1) + strength(&field.top, self.revolution));
            if field.lock != 0 {
                visit(LOCKED);
            }
        }
        each_column(firsts(view.hand & NATURALS), |column| visit(self.hand_input(self.hand_counts, column)));
        each_column(firsts(self.runs), |column| visit(RUNS + self.step(column)));
    }

    #[inline(always)]
    fn hand_input(&self, counts: u64, column: u32) -> usize {
        HAND + 4 * self.step(column) + (counts >> (4 * column)) as usize % 16 - 1
    }

    /// What a play takes away of these, and what it adds; `locks`: whether it locks.
    #[inline(always)]
    pub fn each_of_play(&self, play: &Play, locks: bool, changes: &mut impl Changes) {
        let (view, field) = (self.view, self.view.field);
        let after = view.hand & !play.cards;
        let spent = play.cards & NATURALS;
        if spent != 0 {
            let counts = column_counts(after);
            each_column(firsts(spent), |column| {
                changes.take(self.hand_input(self.hand_counts, column));
                if counts >> (4 * column) & 15 != 0 {
                    changes.add(self.hand_input(counts, column));
                }
            });
            if self.runs & spent != 0 {
                let gone = firsts(self.runs) & !firsts(runs_of(after));
                each_column(gone, |column| changes.take(RUNS + self.step(column)));
            }
        }
        if after & JOKER != 0 {
            changes.add(HAND_JOKER);
        }
        if play.cards & JOKER != 0 {
            changes.add(SPENDS_JOKER);
        }
        changes.add(LEFT + (self.size - usize::from(play.size)).min(11));
        let shown = if play.is_pass() { &field.top } else { play };
        let (class, strength) = (Class::of(play, &field.top), strength(shown, self.revolution));
        changes.add(PLAY + 16 * class as usize + strength);
        if locks {
            changes.add(LOCKS);
            let suits = of_suits(play.suits);
            let strongest = |cards: Cards| self.strongest_step(cards & NATURALS & suits);
            if strongest(after) > strongest(view.unseen) {
                changes.add(LOCKS + 1);
            }
        }
        if let Some((size, beaters)) = self.beaters(shown, locks) {
            changes.add(BEATERS + (BEATERS_MAX as usize + 1) * size + beaters.min(BEATERS_MAX) as usize);
        }
        let own = at_least(after);
        let four = own[2] & after & after >> 1 & after >> 2 & after >> 3;
        let kept =
            own[0] & !own[1] & self.strong[0] | own[1] & !own[2] & self.strong[1] | own[2] & !four & self.strong[2];
        let joker = after & JOKER != 0;
        let joker_kept = joker && view.unseen & S3 == 0;
        let losers = columns_count(own[0] & !kept) + u32::from(joker && !joker_kept);
        let winners = columns_count(kept) + u32::from(joker_kept);
        changes.add(LOSERS + losers.min(7) as usize);
        changes.add(WINNERS + winners.min(7) as usize);
        let s3 = after & S3 != 0;
        if s3 && joker {
            changes.add(S3_AND_JOKER);
        } else if s3 && view.unseen & JOKER != 0 {
            changes.add(S3_AND_JOKER + 1);
        } else if joker && view.unseen & S3 != 0 {
            changes.add(S3_AND_JOKER + 2);
        }
    }

    /// One more than the step of the strongest card; 0 without one.
    #[inline(always)]
    fn strongest_step(&self, cards: Cards) -> usize {
        if cards == 0 {
            return 0;
        }
        let column = if self.revolution { cards.trailing_zeros() } else { 63 - cards.leading_zeros() } / 4;
        1 + self.step(column)
    }

    /// Size less one of a play of up to three cards of a rank, and what could beat it; an 8 nothing.
    #[inline(always)]
    fn beaters(&self, play: &Play, locks: bool) -> Option<(usize, u32)> {
        let size = usize::from(play.size);
        if play.kind == Kind::Joker {
            return Some((0, u32::from(self.view.unseen & S3 != 0)));
        }
        if !matches!(play.kind, Kind::Single | Kind::Group) || size > 3 {
            return None;
        }
        if play.has_eight() {
            return Some((size - 1, 0));
        }
        let beyond = if self.revolution {
            columns(1, play.column.saturating_sub(1))
        } else {
            columns(play.column + 1, LAST_COLUMN)
        };
        let joker = u32::from(self.view.unseen & JOKER != 0);
        Some(if size == 1 {
            let suits = if locks || self.view.field.lock != 0 { of_suits(play.suits) } else { NATURALS };
            (0, (self.view.unseen & beyond & suits).count_ones() + joker)
        } else {
            (size - 1, columns_count(self.theirs[size - 1] & beyond) + joker)
        })
    }
}
