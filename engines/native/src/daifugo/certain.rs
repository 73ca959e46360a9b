//! Games that are won for sure, seen at once: all groups of the hand but one are such that nobody can answer them.
//!
//! The hand is taken as one group a rank, its joker as a card alone. A group is kept by its player if it clears the trick
//! by an 8 or if the others, their cards taken together, have no stronger one of as many cards. Such groups follow one
//! another, the last one last; the first of them may be an answer to what lies. Sequences are not looked at, groups of
//! four (they turn the order round) count as ones that can be answered: what is found is right, not all is found.
use super::cards::{COLUMNS, Cards, EIGHT, JOKER, NATURALS, S3, at_column};
use super::dice::Dice;
use super::field::Field;
use super::legal::Families;
use super::play::{Kind, LONE_JOKER, Play};
use super::policy::Learnt;
use super::position::Position;
use super::table::points;
use crate::sets::cards_of;

/// Cards of a hand beyond which nobody looks.
const CARDS_MAX: u32 = 8;

/// The columns in which a set has at least 1, 2 and 3 cards, as their first suits.
#[inline(always)]
pub(super) fn at_least(cards: Cards) -> [Cards; 3] {
    let natural = cards & NATURALS;
    let (low, high) = (natural & (3 * COLUMNS), natural >> 2 & (3 * COLUMNS));
    let (any_low, both_low) = ((low | low >> 1) & COLUMNS, low & low >> 1 & COLUMNS);
    let (any_high, both_high) = ((high | high >> 1) & COLUMNS, high & high >> 1 & COLUMNS);
    [any_low | any_high, any_low & any_high | both_low | both_high, both_low & any_high | both_high & any_low]
}

/// A play after which the hand empties whatever the others do; `unseen`: their cards together. None if that is not seen
/// at once.
#[inline]
#[must_use]
pub fn certain_play(hand: Cards, unseen: Cards, field: &Field) -> Option<Play> {
    let own = at_least(hand);
    let four = own[2] & hand & hand >> 1 & hand >> 2 & hand >> 3;
    let exactly = [own[0] & !own[1], own[1] & !own[2], own[2] & !four];
    let kept = kept(&exactly, unseen, field.revolution);
    let alone = hand & JOKER;
    let kept_joker = alone != 0 && unseen & S3 == 0;
    let all = kept[0] | kept[1] | kept[2];
    if (own[0] & !all).count_ones() + u32::from(alone != 0 && !kept_joker) > 1 {
        return None;
    }
    let group = |first: Cards| of(hand & (first * 15));
    if field.is_empty() {
        return Some(match all {
            0 if kept_joker => LONE_JOKER,
            0 => of(hand),
            _ => group(all & all.wrapping_neg()),
        });
    }
    let size = match field.top.kind {
        Kind::Single | Kind::Group if field.top.size <= 3 => usize::from(field.top.size) - 1,
        _ => return None,
    };
    if size == 0 && kept_joker {
        return Some(LONE_JOKER);
    }
    cards_of(kept[size]).map(group).find(|play| field.admits(play))
}

/// Groups of 1, 2 and 3 cards that nobody can answer, as their first suits.
#[inline(always)]
fn kept(exactly: &[Cards; 3], unseen: Cards, revolution: bool) -> [Cards; 3] {
    let strong = strong(&at_least(unseen), unseen & JOKER != 0, revolution);
    std::array::from_fn(|size| exactly[size] & strong[size])
}

/// The columns in which a group of 1, 2 or 3 cards cannot be answered; bits beside the first suits mean nothing.
///
/// `theirs`: the columns in which the others together have at least as many; `joker`: whether they have it.
#[inline(always)]
pub(super) fn strong(theirs: &[Cards; 3], joker: bool, revolution: bool) -> [Cards; 3] {
    let eight = at_column(1, EIGHT);
    std::array::from_fn(|size| {
        let answers = match (joker, size) {
            (true, 0) => return eight,
            (true, _) => theirs[size - 1],
            (false, _) => theirs[size],
        };
        // The columns that are no weaker than each of the answers.
        let strong = if answers == 0 {
            COLUMNS
        } else if revolution {
            (answers & answers.wrapping_neg()) * 2 - 1
        } else {
            !((1 << (63 - answers.leading_zeros())) - 1)
        };
        strong | eight
    })
}

/// The play of a group, or of the joker alone.
#[inline(always)]
fn of(cards: Cards) -> Play {
    Play::new(cards, -1).expect("a group of one rank without the joker, or the joker")
}

/// Plays until `seat` has its rank, as a learnt policy does but for plays that win for sure; its points.
pub fn play_out(position: &mut Position, seat: u8, learnt: &Learnt, families: &mut Families, dice: &mut Dice) -> u32 {
    let own = 1 << seat;
    while position.table.alive & own != 0 && position.table.alive != own {
        let hand = position.hand();
        if hand.count_ones() <= CARDS_MAX {
            let unseen = position.hands.iter().fold(0, |cards, hand| cards | hand) & !hand;
            if let Some(play) = certain_play(hand, unseen, &position.table.field) {
                if position.table.turn == seat {
                    return points(usize::from(position.table.finished_count));
                }
                position.play(&play);
                continue;
            }
        }
        let play = learnt.draw(position, families, dice);
        position.play(&play);
    }
    points(position.table.rank(seat).expect("it just finished"))
}

#[cfg(test)]
mod tests {
    use super::super::cards::{ALL, any, columns};
    use super::super::legal::legal_plays;
    use super::super::players::sure::Sure;
    use super::*;

    #[test]
    fn what_is_seen_at_once_is_found_by_the_search_too() {
        let (mut dice, mut sure) = (Dice::new(7), Sure::default());
        let (mut seen, mut found, mut answers) = (0, 0, 0);
        for round in 0..40_000 {
            let revolution = dice.below(4) == 0;
            let strong = if revolution { columns(1, 7) } else { columns(6, 13) };
            let hand = any((strong | JOKER) & ALL, 1 + dice.below(6), &mut dice);
            let unseen = any(ALL & !hand, 3 + dice.below(20), &mut dice);
            let mut field = Field { revolution, ..Field::START };
            if round % 2 == 0 {
                let plays = legal_plays(any(ALL & !(hand | unseen), 4, &mut dice), &field);
                for play in plays.iter().take(1 + dice.below(2) as usize) {
                    field.lay(play);
                }
            }
            let searched = sure.chain(hand, unseen, &field).is_some();
            found += u32::from(searched);
            if let Some(play) = certain_play(hand, unseen, &field) {
                seen += 1;
                answers += u32::from(!field.is_empty());
                assert!(searched, "{hand:x} {unseen:x} {field:?}");
                assert!(legal_plays(hand, &field).contains(&play));
                let mut after = field;
                let clears = after.lay(&play);
                assert!(play.cards == hand || clears || legal_plays(unseen, &after).is_empty());
            }
        }
        assert!(seen > found / 2 && answers > 1_000, "{seen} {found} {answers}");
    }

    #[test]
    fn known_hands() {
        let card = |suit: u8, column: u8| at_column(1 << suit, column);
        let (two, three, eight) = (card(0, 13), card(1, 1), card(2, 6));
        let kings = at_column(0b0011, 11);
        let lead = |hand, unseen, revolution| {
            certain_play(hand, unseen, &Field { revolution, ..Field::START }).map(|play| play.cards)
        };
        assert_eq!(lead(two | three, card(3, 12), false), Some(two));
        assert_eq!(lead(two | three, JOKER, false), None);
        assert_eq!(lead(eight | three, JOKER, false), Some(eight));
        assert_eq!(lead(three, JOKER, false), Some(three));
        assert_eq!(lead(JOKER | three, kings, false), Some(JOKER));
        assert_eq!(lead(JOKER | three, S3, false), Some(three));
        assert_eq!(lead(JOKER | three, S3 | kings, false), None);
        assert_eq!(lead(kings | three, two | card(1, 12), false), Some(kings));
        assert_eq!(lead(kings | three, two | JOKER, false), None);
        assert_eq!(lead(kings | three, kings << 4, true), Some(three));
        let mut field = Field::START;
        field.lay(&of(card(0, 12)));
        assert_eq!(certain_play(two | three, card(3, 12), &field), Some(of(two)));
        assert_eq!(certain_play(kings | three, card(3, 10), &field), None);
    }
}
