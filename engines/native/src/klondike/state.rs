//! Classes of positions, as the solver sees them.
//!
//! **How the runs lie is no part of a state.** A face-up card is an *anchor* if it lies where it was dealt, with
//! face-down cards below it or none; all others are *loose* (a king at the bottom of its column is loose, and its
//! column counts as empty). A loose card lies on a card of the other colour and the next rank, a loose king in an
//! empty column. Foundations, anchors, face-down cards and stock determine which cards are loose; then any
//! arrangement can be turned into any other one by moves, as far as other moves need it, for each of the two cards of
//! a type takes at most one card of the type below:
//! - A card can be uncovered if and only if its type has more face-up cards than the type below has loose ones. If both
//!   are there, it is covered and its twin is not, then the run on it moves over to the twin.
//! - A card can be laid down if and only if its type has fewer loose cards than the type above has face-up ones, since
//!   one of those is uncovered then; a king if there are fewer loose kings than empty columns.
//! - An anchor that moves takes what lies on it along.
//!
//! So the same moves (up to such steps) can be made from every arrangement and lead to the same states. Nothing in this
//! depends on the rules of the stock or on moves back. (That runs can be left out of a state is the idea of the solver
//! lonelybot; the argument is ours.)
//!
//! **Safe cards** (Blake and Gent, "The Winnability of Klondike Solitaire and Many Other Patience Games", JAIR 85,
//! 2026): a card of the columns of rank r goes to its foundation at once if both foundations of the other colour have
//! reached r - 2 and the other one of its own r - 3. *Argument.* Take a win from here. Play it with that card founded
//! at once, and from then on with floors: its own suit stays at r or above, the other colour's at r - 2 and the other
//! one's of its own colour at r - 3; a card of the other colour of rank r - 1, or of the other suit of its own colour
//! of rank r - 2, is founded instead when the win moves it onto a card that is not there any more (after what lies on
//! it, which is one of these too), and the floor of its suit is that rank from then on. All else is played as in the
//! win. What may be missing in the columns are then cards up to r (own suit), r - 1 (other colour) and r - 2 (the
//! other of its own). A card that the win lays on one of those has at most rank r - 1 (other colour) or r - 2 (own
//! colour), so it is founded already or is one of those that can be: the rank before it is at or below the floor.
//! Nothing else needs a missing card: it covers nothing, and a foundation above its floor is as in the win. Cards
//! leave stock and waste in the same order, no card is turned up later than in that win, and so this is a win too. It
//! holds with and without moves back and for every rule of the stock; the card itself must not come from the waste,
//! since playing it changes what can be dealt (but for `Game::free_plays`).
//!
//! **A safe card is never taken back** (the same source): by the same argument, with the floors as they are.
use super::bits;
use super::pile::{self, Place};
use super::radices::Radices;
use super::rules::{MAX_COLUMNS, MAX_FACE_DOWN, MAX_STOCK, Position, Rules};

/// Bits of a column's count.
pub const COUNT_BITS: u32 = 4;

/// A move that can't be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Commit {
    /// An anchor goes to another column.
    Reveal,
    /// A card of the columns goes to its foundation: an anchor, or any card without moves back.
    Up,
    /// A card of the waste goes to its foundation.
    PlayUp,
    /// A card of the waste goes to a column.
    Play,
}

/// What stays the same in a game.
pub struct Game {
    pub rules: Rules,
    pub kings: u64,
    /// Cards of each column as dealt, as bit numbers, up to the first face-up one.
    pub columns: [[u8; MAX_FACE_DOWN + 1]; MAX_COLUMNS],
    pub columns_count: usize,
    /// Cards of the waste, then of the stock, as bit numbers.
    pub circle: Vec<u8>,
    /// The same as a set.
    pub reserve: u64,
    /// Place in the circle of each of them.
    pub circle_index: [u8; 64],
    /// Column of each anchor to be.
    column_of: [u8; 64],
    pub radices: Radices,
    start: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Face-up cards of the columns.
    pub visible: u64,
    pub anchors: u64,
    /// The next card of each foundation; the one after the king, too.
    pub next: u64,
    /// Cards on foundations.
    pub founded: u64,
    /// Cards left of each column as dealt, four bits each.
    pub counts: u32,
    /// Cards of the circle that are left.
    pub circle: u32,
    pub place: Place,
    pub redeals: u16,
    /// Columns none of whose cards is left.
    pub empty: u8,
    pub face_down: u8,
}

/// Moves out of a state, as the cards that can make them.
#[derive(Clone, Copy)]
pub struct Choices {
    /// Anchors and loose cards that can be founded.
    pub up: u64,
    /// Cards that have a place to go to in the columns.
    pub accepted: u64,
}

impl Game {
    /// A checked position.
    pub fn new(position: &Position, rules: Rules) -> Game {
        let mut column_of = [0; 64];
        let mut columns = [[0; MAX_FACE_DOWN + 1]; MAX_COLUMNS];
        let mut state = State {
            visible: 0,
            anchors: 0,
            next: 0,
            founded: 0,
            counts: 0,
            circle: 0,
            place: Place { origin: 0, dealt: position.waste.len() as u8 },
            redeals: rules.redeals.unwrap_or(0),
            empty: 0,
            face_down: 0,
        };
        let kings = 0xF << (4 * (position.ranks - 1));
        for (index, column) in position.columns.iter().enumerate() {
            let dealt = column.cards.iter().take(column.face_down + 1);
            for (at, &card) in dealt.clone().enumerate() {
                columns[index][at] = bits::bit(card);
                column_of[usize::from(bits::bit(card))] = index as u8;
            }
            let run = column.cards.iter().skip(column.face_down);
            state.visible |= run.fold(0, |set, &card| set | 1 << bits::bit(card));
            state.face_down += column.face_down as u8;
            state.counts |= (dealt.len() as u32) << (COUNT_BITS * index as u32);
        }
        let circle: Vec<u8> = position.waste.iter().chain(&position.stock).map(|&card| bits::bit(card)).collect();
        state.circle = (1 << circle.len()) - 1;
        for (suit, &top) in position.foundations.iter().enumerate() {
            for rank in 1..=top {
                state.founded |= 1 << bits::bit(suit as u8 * 16 + rank);
            }
            state.next |= match top {
                0 => 1 << bits::bit(suit as u8 * 16 + 1),
                top => bits::one_higher(1 << bits::bit(suit as u8 * 16 + top)),
            };
        }
        let radices = Radices::new(position, rules);
        let reserve = circle.iter().fold(0, |set, &bit| set | 1u64 << bit);
        let mut circle_index = [0; 64];
        for (index, &bit) in circle.iter().enumerate() {
            circle_index[usize::from(bit)] = index as u8;
        }
        let columns_count = position.columns.len();
        let mut game = Game {
            rules,
            kings,
            columns,
            columns_count,
            circle,
            reserve,
            circle_index,
            column_of,
            radices,
            start: state,
        };
        for index in 0..columns_count {
            game.turn_up(&mut state, index as u32);
        }
        game.start = game.normal(state);
        game
    }

    #[must_use]
    pub fn start(&self) -> State {
        self.start
    }

    /// Makes the last card of a column as dealt its anchor, or a loose king.
    #[inline(always)]
    fn turn_up(&self, state: &mut State, column: u32) {
        let shift = COUNT_BITS * column;
        match state.counts >> shift & 15 {
            0 => state.empty += 1,
            count => {
                let card = 1u64 << self.columns[column as usize][count as usize - 1];
                state.visible |= card;
                if count == 1 && card & self.kings != 0 {
                    state.counts -= 1 << shift;
                    state.empty += 1;
                } else {
                    state.anchors |= card;
                }
            }
        }
    }

    /// An anchor is no anchor any more, and what lies below it is turned up.
    #[inline(always)]
    pub fn release(&self, state: &mut State, card: u64) {
        let column = u32::from(self.column_of[card.trailing_zeros() as usize]);
        let count = state.counts >> (COUNT_BITS * column) & 15;
        state.anchors &= !card;
        state.counts -= 1 << (COUNT_BITS * column);
        state.face_down -= u8::from(count > 1);
        self.turn_up(state, column);
    }

    /// A face-up card that is no anchor, or a card that was not in the columns, goes to its foundation.
    #[inline(always)]
    pub fn found(&self, state: &mut State, card: u64) {
        state.visible &= !card;
        state.founded |= card;
        state.next ^= card | bits::one_higher(card);
    }

    /// A card goes back from its foundation.
    #[inline(always)]
    pub fn unfound(&self, state: &mut State, card: u64) {
        state.visible |= card;
        state.founded &= !card;
        state.next ^= card | bits::one_higher(card);
    }

    #[inline(always)]
    #[must_use]
    pub fn choices(&self, state: &State) -> Choices {
        let loose = state.visible & !state.anchors;
        let open = bits::open(state.visible, loose);
        let has_room = (loose & self.kings).count_ones() < u32::from(state.empty);
        Choices { up: state.visible & state.next & open, accepted: open >> 4 | if has_room { self.kings } else { 0 } }
    }

    /// Makes a move that can't be taken back; stock, waste and redeals are the caller's.
    #[inline(always)]
    pub fn commit(&self, state: &mut State, commit: Commit, card: u64) {
        match commit {
            Commit::Play => state.visible |= card,
            Commit::PlayUp => self.found(state, card),
            Commit::Reveal => self.release(state, card),
            Commit::Up => {
                self.found(state, card);
                if state.anchors & card != 0 {
                    self.release(state, card);
                }
            }
        }
    }

    /// The states one move up or down of a loose card away that a search looks at, with the card: a safe one if there
    /// is one, and none that would be safe to go up again.
    #[inline(always)]
    pub fn shuffles(&self, state: &State, mut found: impl FnMut(State, u64)) {
        let choices = self.choices(state);
        let safe = bits::safe(state.founded);
        let mut up = choices.up & !state.anchors;
        if up & safe != 0 {
            up &= safe;
            up &= up.wrapping_neg();
        } else if !self.rules.foundation_back {
            return;
        }
        let is_safe = up & safe != 0;
        while up != 0 {
            let card = up & up.wrapping_neg();
            up ^= card;
            let mut next = *state;
            self.found(&mut next, card);
            found(next, card);
        }
        if is_safe {
            return;
        }
        let mut down = bits::one_lower(state.next) & choices.accepted & !safe;
        while down != 0 {
            let card = down & down.wrapping_neg();
            down ^= card;
            let mut next = *state;
            self.unfound(&mut next, card);
            found(next, card);
        }
    }

    /// Won, or surely so: see `Board::is_won`.
    #[inline(always)]
    #[must_use]
    pub fn is_won(&self, state: &State) -> bool {
        state.face_down == 0 && state.circle.count_ones() <= 1
    }

    /// Cards that can be played from stock and waste, with the state after each but for the card itself, and the number
    /// of deals before it; every place is its own.
    pub fn exact_plays(&self, state: &State, mut found: impl FnMut(u64, State, u16)) {
        let count = state.circle.count_ones() as usize;
        pile::plays(&self.rules, count, state.place, state.redeals, |play| {
            let member = bits::nth(state.circle, play.ordinal);
            let circle = state.circle & !(1 << member);
            let next = State { circle, place: play.after, redeals: state.redeals - play.redeals, ..*state };
            found(1 << self.circle[member], next, play.steps);
        });
    }

    /// Cards that can be played from stock and waste, with the circle after each: bit number, circle, place, redeals
    /// left.
    pub fn plays(&self, state: &State, mut found: impl FnMut(u64, u32, Place, u16)) {
        let count = state.circle.count_ones() as usize;
        let mut members = [0u8; 32];
        let mut left = state.circle;
        // Always the same number: the end of a loop of known length is predicted without error.
        for member in &mut members[..MAX_STOCK] {
            *member = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
        }
        if self.rules.redeals.is_none() {
            let mut play = |ordinal: u8, after: Place| {
                let member = members[usize::from(ordinal) & 31];
                found(1 << self.circle[usize::from(member)], state.circle & !(1 << member), after, state.redeals);
            };
            if self.rules.has_one_origin() {
                pile::endless_plays(&self.rules, count, state.place, play);
            } else if count > 0 {
                let plays = pile::carried(&self.rules).plays(count, state.place);
                plays.iter().for_each(|&(ordinal, after)| play(ordinal, after));
            }
            return;
        }
        pile::plays(&self.rules, count, state.place, state.redeals, |play| {
            let member = members[usize::from(play.ordinal)];
            let redeals = state.redeals - play.redeals;
            found(1 << self.circle[usize::from(member)], state.circle & !(1 << member), play.after, redeals);
        });
    }

    /// Cards of the stock whose play takes nothing away: whatever else could be played before it, now or later, can
    /// still be played after it. One that is safe on its foundation goes there at once, as a card of the columns does
    /// (see above).
    ///
    /// With unlimited redeals, one card at a time, every card that is left can always be played. Three at a time,
    /// where every pass begins at the same card, the last one of all is such a card, if the place is one of those
    /// that every pass leads to. *Argument.* Take a win from here and leave that card out. No other card moves, so
    /// after as many deals of a pass the same cards are in the waste, but for that one where all are. What lies below
    /// it is then on top for longer, and nothing else changes.
    #[inline(always)]
    #[must_use]
    pub fn free_plays(&self, state: &State) -> u64 {
        if self.rules.redeals.is_some() || state.circle == 0 {
            0
        } else if self.rules.draw == 1 {
            !0
        } else if !self.rules.carry && state.place.dealt == 0 {
            1 << self.circle[state.circle.ilog2() as usize]
        } else {
            0
        }
    }

    /// The state with the place that stands for its own.
    #[must_use]
    pub fn normal(&self, state: State) -> State {
        let place = pile::representative(&self.rules, state.circle.count_ones() as usize, state.place);
        State { place, ..state }
    }

    /// Cards left as dealt in the column where a card was dealt.
    #[inline(always)]
    #[must_use]
    pub fn dealt_left(&self, state: &State, card: u64) -> u32 {
        state.counts >> (COUNT_BITS * u32::from(self.column_of[card.trailing_zeros() as usize])) & 15
    }

    #[must_use]
    pub fn whole_circle(&self) -> u32 {
        (1 << self.circle.len()) - 1
    }
}
