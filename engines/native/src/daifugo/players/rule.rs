//! A player of the light class: the weakest play that keeps combinations together, 8s, 2s and the joker held back.
//!
//! It counts **units**: plays that a hand would need to be rid of all its cards. A play costs the units that it leaves
//! and the strength that it spends; the cheapest is made, or a pass.
use super::super::cards::{COLUMNS, Cards, D3, EIGHT, JOKER, NATURALS, S3, of_suits};
use super::super::field::Field;
use super::super::legal::Families;
use super::super::play::{Kind, PASS, Play};
use crate::sets::cards_of;

/// What the player knows when it is asked.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub hand: Cards,
    pub field: &'a Field,
    /// Cards in the hands of the others.
    pub unseen: Cards,
    /// The fewest cards that one of the others has, 4 at most.
    pub least: u32,
    /// Others who may still play in this trick.
    pub rivals: u32,
    /// Whether the play on top is its own.
    pub is_own: bool,
}

/// Costs are in hundredths of a unit. Of a column by its strength, weakest first; 8s and the joker cost more.
const STRENGTH: [i32; 14] = [0, 0, 2, 4, 6, 8, 10, 12, 14, 20, 30, 60, 110, 180];
const EIGHT_COST: i32 = 130;
const JOKER_COST: i32 = 220;
const PASS_COST: i32 = 50;
/// Strength counts less when somebody is about to finish, or with few units left.
const LATE_UNITS: i32 = 3;
const LATE_LEAST: u32 = 3;
/// More cards at once are better.
const CARD_GAIN: i32 = 4;
const NEVER: i32 = 10_000;

/// The play of this player, or a pass.
pub fn choose(view: &View<'_>, families: &mut Families) -> Play {
    families.list(view.hand, view.field);
    let units_before = units(view.hand);
    let late = units_before <= LATE_UNITS || view.least <= LATE_LEAST;
    let mut best = PASS;
    let mut best_cost = if view.field.is_empty() { i32::MAX } else { 100 * units_before + PASS_COST };
    families.each(|play| {
        let left = units(view.hand & !play.cards);
        let spent = strength(&play, view.field.revolution);
        let mut cost = 100 * left + if late { spent / 2 } else { spent } - CARD_GAIN * i32::from(play.size);
        if left <= 1 && (left == 0 || play.has_eight() || is_unbeatable(&play, view)) {
            // The last cards follow at once.
            cost = left - NEVER;
        }
        if cost < best_cost {
            (best, best_cost) = (play, cost);
        }
    });
    best
}

/// The cards to give in the exchange: weak ones that are part of nothing.
#[must_use]
pub fn give(mut hand: Cards, count: u32) -> Cards {
    let mut given = 0;
    for _ in 0..count {
        let cost = |card: Cards| {
            let column = card.trailing_zeros() as i32 / 4 + 1;
            let own = match card {
                JOKER => NEVER,
                D3 => 60,
                S3 => 30,
                _ if column == i32::from(EIGHT) => EIGHT_COST,
                _ => STRENGTH[column as usize],
            };
            100 * units(hand & !card) + own
        };
        let Some(card) = cards_of(hand).min_by_key(|&card| cost(card)) else { break };
        given |= card;
        hand ^= card;
    }
    given
}

/// Plays that a hand takes: one for each rank, less what sequences save; the joker goes along with something.
#[must_use]
pub fn units(hand: Cards) -> i32 {
    let cards = hand & NATURALS;
    if cards == 0 {
        return i32::from(hand != 0);
    }
    let (pairs, odd) = (cards & cards >> 1, cards | cards >> 1);
    let columns = (odd | odd >> 2) & COLUMNS;
    let mut count = columns.count_ones() as i32;
    let begins = cards & cards >> 4 & cards >> 8;
    if begins != 0 {
        let more = (pairs | pairs >> 2 | (odd & odd >> 2)) & COLUMNS;
        let alone = cards & ((columns & !more) * 15);
        let mut runs = begins | begins << 4 | begins << 8;
        while runs != 0 {
            let mut run = runs & runs.wrapping_neg();
            while runs & run << 4 & !run != 0 {
                run |= runs & run << 4;
            }
            runs &= !run;
            count -= ((run & alone).count_ones() as i32 - 1).max(0);
        }
    }
    count
}

fn strength(play: &Play, revolution: bool) -> i32 {
    let at = |column: u8| {
        let column = column.clamp(1, 13);
        STRENGTH[usize::from(if revolution { 14 - column } else { column })]
    };
    let joker = if play.cards & JOKER != 0 { JOKER_COST } else { 0 };
    match play.kind {
        Kind::Joker | Kind::Pass => joker,
        Kind::Sequence => joker + (at(play.column) + at(play.last_column())) / 2,
        _ if play.column == EIGHT => joker + EIGHT_COST,
        _ => joker + at(play.column),
    }
}

/// Whether nobody else can beat a single.
fn is_unbeatable(play: &Play, view: &View<'_>) -> bool {
    match play.kind {
        Kind::Joker => view.unseen & S3 == 0,
        Kind::Single => {
            let field = Field { top: *play, ..*view.field };
            let locked = play.suits == view.field.top.suits;
            let stronger = field.stronger() & if locked { of_suits(play.suits) } else { NATURALS };
            view.unseen & (stronger | JOKER) == 0
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cards::at_column;
    use super::*;

    fn chosen(hand: Cards, field: &Field) -> (Cards, i8) {
        let view = View { hand, field, unseen: NATURALS & !hand, least: 4, rivals: 4, is_own: false };
        let play = choose(&view, &mut Families::default());
        (play.cards, play.stands)
    }

    fn on(cards: Cards) -> Field {
        let mut field = Field::START;
        field.lay(&Play::new(cards, -1).unwrap());
        field
    }

    #[test]
    fn counts_units() {
        assert_eq!(units(0), 0);
        assert_eq!(units(JOKER), 1);
        assert_eq!(units(0b11), 1);
        assert_eq!(units(0b1_0011 | JOKER), 2);
        assert_eq!(units(0x1111), 1);
        // A card of the sequence has another of its rank beside it.
        assert_eq!(units(0x1113), 2);
        assert_eq!(units(0x1110_0222), 2);
    }

    #[test]
    fn keeps_combinations_and_strong_cards() {
        let rest = at_column(1, 10) | at_column(1, 11) | at_column(1, 12) << 1 | at_column(2, 5);
        // The lone 6 rather than one of two 5s.
        let hand = at_column(3, 3) | at_column(1, 4) | rest;
        assert_eq!(chosen(hand, &on(at_column(8, 2))), (at_column(1, 4), -1));
        // A 2 and the joker are kept, an 8 too.
        let hand = at_column(3, 3) | at_column(12, 4) | at_column(4, 5) | at_column(1, 13) | JOKER | at_column(1, 6);
        assert_eq!(chosen(hand, &on(at_column(8, 12))), (0, -1));
        // An 8, then the last card.
        let hand = at_column(1, 6) | at_column(1, 2);
        assert_eq!(chosen(hand, &Field::START), (at_column(1, 6), -1));
    }

    #[test]
    fn gives_weak_cards_that_are_part_of_nothing() {
        let hand = at_column(3, 3) | at_column(1, 4) | at_column(2, 5) | JOKER | at_column(1, 6) | D3;
        assert_eq!(give(hand, 2), at_column(1, 4) | at_column(2, 5));
        assert_eq!(give(hand, 1), at_column(1, 4));
    }
}
