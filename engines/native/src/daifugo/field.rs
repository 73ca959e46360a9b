//! What lies on the table: the play to beat, the lock, and the order of strength.
use super::cards::{Cards, LAST_COLUMN, S3, columns};
use super::play::{Kind, PASS, Play};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The play to be beaten; a pass on an empty field.
    pub top: Play,
    /// The locked set of suits, four bits; 0 without a lock.
    pub lock: u8,
    pub revolution: bool,
}

impl Field {
    /// The field of a game's beginning.
    pub const START: Field = Field { top: PASS, lock: 0, revolution: false };

    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.top.is_pass()
    }

    /// Takes the cards away.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.top = PASS;
        self.lock = 0;
    }

    /// Lays a play (no pass) on top; whether it clears the trick, which is left to the caller.
    #[inline(always)]
    pub fn lay(&mut self, play: &Play) -> bool {
        let clears = play.has_eight() || self.top.kind == Kind::Joker;
        self.lock = if play.suits == self.top.suits { play.suits } else { 0 };
        self.revolution ^= play.is_revolution();
        self.top = *play;
        clears
    }

    /// Whether a play (no pass) may follow.
    #[must_use]
    pub fn admits(&self, play: &Play) -> bool {
        let top = &self.top;
        match (top.kind, play.kind) {
            (Kind::Pass, _) | (Kind::Single, Kind::Joker) => true,
            (Kind::Joker, _) => play.cards == S3,
            _ => {
                let higher =
                    if self.revolution { play.last_column() < top.column } else { play.column > top.last_column() };
                (play.kind, play.size) == (top.kind, top.size) && higher && (self.lock == 0 || play.suits == self.lock)
            }
        }
    }

    /// The natural cards of the columns that are stronger than the play on top, for one of its kind.
    #[inline(always)]
    #[must_use]
    pub fn stronger(&self) -> Cards {
        if self.revolution {
            columns(1, self.top.column.saturating_sub(1))
        } else {
            columns(self.top.last_column() + 1, LAST_COLUMN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::{ALL, JOKER, S3, any, at_column};
    use super::super::dice::Dice;
    use super::super::legal::legal_plays;
    use super::super::play::LONE_JOKER;
    use super::*;

    fn lay(field: &mut Field, cards: Cards, stands: i8) -> bool {
        field.lay(&Play::new(cards, stands).unwrap())
    }

    #[test]
    fn lock_by_equal_suits() {
        let mut field = Field::START;
        assert!(!lay(&mut field, at_column(0b0011, 1), -1));
        assert_eq!(field.lock, 0);
        assert!(!lay(&mut field, at_column(0b0110, 2), -1));
        assert_eq!(field.lock, 0);
        // The joker counts as the suit that it stands for.
        assert!(!lay(&mut field, JOKER | at_column(0b0100, 3), 4 * 3 + 1));
        assert_eq!(field.lock, 0b0110);
        assert!(!lay(&mut field, at_column(0b0110, 4), -1));
        assert_eq!(field.lock, 0b0110);
        field.clear();
        assert_eq!(field, Field::START);
    }

    #[test]
    fn lone_joker_clears_the_lock_and_s3_the_trick() {
        let mut field = Field::START;
        lay(&mut field, at_column(1, 1), -1);
        lay(&mut field, at_column(1, 2), -1);
        assert_eq!(field.lock, 1);
        assert!(!field.lay(&LONE_JOKER));
        assert_eq!(field.lock, 0);
        assert!(lay(&mut field, S3, -1));
    }

    #[test]
    fn eights_clear_and_fours_turn_round() {
        let mut field = Field::START;
        assert!(lay(&mut field, at_column(15, 6), -1));
        assert!(field.revolution);
        field.clear();
        assert!(!lay(&mut field, at_column(15, 5), -1));
        assert!(!field.revolution);
    }

    #[test]
    fn admits_just_the_legal_plays() {
        let mut dice = Dice::new(9);
        let mut admitted = 0;
        for _ in 0..200 {
            let (hand, other) = (any(ALL, 12, &mut dice), any(ALL, 12, &mut dice));
            let (mine, theirs) = (legal_plays(hand, &Field::START), legal_plays(other, &Field::START));
            for top in theirs {
                for revolution in [false, true] {
                    for lock in [0, top.suits] {
                        let field = Field { top, lock, revolution };
                        let legal = legal_plays(hand, &field);
                        for play in &mine {
                            assert_eq!(field.admits(play), legal.contains(play), "{play:?} {field:?}");
                        }
                        admitted += legal.len();
                    }
                }
            }
        }
        assert!(admitted > 10_000);
    }
}
