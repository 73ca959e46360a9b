//! A game as a client sees it: what follows from the tables of the server, and whether they fit together.
//!
//! Nothing that comes in is trusted. A table that cannot be is left out; where tables do not follow from one another, what
//! is known is taken from the last one, and the order of turns is forgotten.
use super::super::cards::{Cards, strongest_cards};
use super::super::knowledge::{Gifts, Knowledge, Turn};
use super::super::play::{PASS, Play};
use super::super::table::{PLAYERS, Table};
use super::cells::{Cells, Told};
use super::status::{Status, gift_count};

/// Turns of a game: none has as many.
const TURNS_MAX: usize = 2000;

/// One game, by seat.
#[derive(Clone)]
pub struct Seen {
    /// The own number and seat.
    player: u8,
    seat: u8,
    pub seats: [u8; PLAYERS],
    pub before: Option<[u8; PLAYERS]>,
    /// The hand as the first table shows it, with what came in already; and as it is.
    pub dealt: Cards,
    pub hand: Cards,
    counts: [u8; PLAYERS],
    gone: Cards,
    table: Table,
    pub turns: Vec<Turn>,
    /// Who led; None where the order of turns is not known.
    pub leader: Option<u8>,
    pub gifts: Gifts,
    /// Whether play has begun.
    begun: bool,
    /// Tables that did not follow from those before.
    pub breaks_count: u32,
}

impl Seen {
    /// A game of the player `player`, from its first table; None if that cannot be one.
    #[must_use]
    pub fn first(player: u8, cells: &Cells) -> Option<Seen> {
        let (status, hand) = (Status::read(cells)?, cells.set()?);
        let seat_of = |number: u8| status.seats.iter().position(|&each| each == number).expect("all sit") as u8;
        let seat = seat_of(player);
        Some(Seen {
            player,
            seat,
            seats: status.seats,
            before: status.ranks.map(|ranks| ranks.map(seat_of)),
            dealt: hand,
            hand,
            counts: status.seats.map(|number| status.counts[usize::from(number)]),
            gone: 0,
            table: Table::start(seat),
            turns: Vec::new(),
            leader: None,
            gifts: Gifts::default(),
            begun: false,
            breaks_count: 0,
        })
    }

    /// The own rank of the game before.
    fn rank(&self) -> Option<usize> {
        self.before.and_then(|before| before.iter().position(|&seat| seat == self.seat))
    }

    /// Cards that a first table asks for, of a player who has some to give.
    #[must_use]
    pub fn gift_count(&self, cells: &Cells) -> Option<u32> {
        let count = gift_count(cells);
        (count > 0 && self.rank() == Some(2 - count as usize) && self.hand.count_ones() > count).then_some(count)
    }

    /// What the player knows when it chooses `count` cards to give: all but which cards it got.
    #[must_use]
    pub fn giving(&self, count: u32) -> Knowledge<'_> {
        let mut counts = self.counts;
        if let (Some(before), Some(rank)) = (self.before, self.rank()) {
            counts[usize::from(self.seat)] = self.hand.count_ones() as u8;
            let low = &mut counts[usize::from(before[4 - rank])];
            *low = low.saturating_sub(count as u8);
        }
        Knowledge { counts, table: Table::start(self.seat), turns: &[], leader: None, ..self.knowledge() }
    }

    /// What the player knows.
    #[must_use]
    pub fn knowledge(&self) -> Knowledge<'_> {
        Knowledge {
            seat: self.seat,
            hand: self.hand,
            counts: self.counts,
            gone: self.gone,
            table: self.table,
            turns: &self.turns,
            leader: self.leader,
            before: self.before,
            gifts: self.gifts,
        }
    }

    /// Takes in the own hand before a turn.
    pub fn take_hand(&mut self, cells: &Cells) {
        let (Some(status), Some(hand)) = (Status::read(cells), cells.set()) else {
            self.breaks_count += 1;
            return;
        };
        let Some(turn) = self.seat_of(status.player) else {
            self.breaks_count += 1;
            return;
        };
        if !self.begun {
            self.begin(turn, hand);
        }
        let counts = self.seats.map(|number| status.counts[usize::from(number)]);
        let alive = (0..PLAYERS).fold(0, |seats, seat| seats | u8::from(counts[seat] > 0) << seat);
        let table = &self.table;
        let same = status.seats == self.seats
            && counts == self.counts
            && hand == self.hand
            && !table.is_over()
            && (table.turn, table.alive) == (turn, alive)
            && (table.field.is_empty(), table.field.revolution) == (status.empty, status.revolution)
            && (table.field.lock != 0) == status.lock;
        if same {
            return;
        }
        self.breaks_count += 1;
        self.leader = None;
        (self.counts, self.hand) = (counts, hand);
        let table = &mut self.table;
        (table.turn, table.alive) = (turn, alive);
        let out = |seat: &u8| alive >> seat & 1 == 0;
        let known: Vec<u8> = table.finished[..usize::from(table.finished_count)].to_vec();
        let later = (0..PLAYERS as u8).filter(|seat| !known.contains(seat));
        table.finished_count = 0;
        for seat in known.iter().copied().chain(later).filter(out) {
            table.finished[usize::from(table.finished_count)] = seat;
            table.finished_count += 1;
        }
        if status.empty {
            table.field.clear();
            table.active = alive;
        }
        table.field.revolution = status.revolution;
        table.field.lock = if status.lock { table.field.top.suits } else { 0 };
        table.active = (table.active & alive) | 1 << turn;
        table.passes = 0;
    }

    /// The first turn: the exchange is over.
    fn begin(&mut self, leader: u8, hand: Cards) {
        self.begun = true;
        self.table = Table::start(leader);
        self.leader = Some(leader);
        let count = match self.rank() {
            Some(rank @ 0..=1) => {
                self.gifts = Gifts { gave: self.dealt & !hand, got: 0 };
                2 - rank as u32
            }
            Some(rank @ 3..) => {
                let gave = strongest_cards(self.dealt, rank as u32 - 2);
                self.gifts = Gifts { gave, got: hand & !(self.dealt & !gave) };
                rank as u32 - 2
            }
            _ => return,
        };
        if self.gifts.gave.count_ones() == count {
            self.hand = hand;
        }
    }

    /// Takes in the field after a turn.
    pub fn take_field(&mut self, cells: &Cells) {
        let Some(status) = Status::read(cells) else {
            self.breaks_count += 1;
            return;
        };
        let Some(seat) = self.seat_of(status.player).filter(|&seat| self.turns.len() < TURNS_MAX && self.may_act(seat))
        else {
            self.breaks_count += 1;
            self.leader = None;
            return;
        };
        let own = usize::from(seat);
        let left = status.counts[usize::from(self.seats[own])];
        let fewer = self.counts[own].saturating_sub(left);
        let play = match cells.play() {
            _ if fewer == 0 => PASS,
            Told::Play(play) if play.size == fewer && self.can_be(seat, &play) => play,
            _ => {
                self.breaks_count += 1;
                self.leader = None;
                self.counts[own] = left;
                return;
            }
        };
        if seat == self.seat {
            self.hand &= !play.cards;
        }
        self.turns.push(Turn { seat, play });
        self.gone |= play.cards;
        self.counts[own] = left;
        self.table.play(&play, left == 0 && !play.is_pass());
    }

    /// Whether a seat is the one to act, with cards, in a game that goes on.
    fn may_act(&self, seat: u8) -> bool {
        self.begun && !self.table.is_over() && self.table.turn == seat && self.table.active >> seat & 1 != 0
    }

    /// Whether a seat can have these cards.
    fn can_be(&self, seat: u8, play: &Play) -> bool {
        let wrong = if seat == self.seat { !self.hand } else { self.hand };
        play.cards & (self.gone | wrong) == 0
    }

    fn seat_of(&self, number: i32) -> Option<u8> {
        self.seats.iter().position(|&each| i32::from(each) == number).map(|seat| seat as u8)
    }

    /// All seats by rank, once they are known.
    #[must_use]
    pub fn finished(&self) -> Option<[u8; PLAYERS]> {
        (usize::from(self.table.finished_count) == PLAYERS).then_some(self.table.finished)
    }

    /// The hands when play began, if all cards are known now.
    #[must_use]
    pub fn hands(&self) -> Option<[Cards; PLAYERS]> {
        let finished = self.finished().filter(|_| self.leader.is_some())?;
        let mut hands = [0; PLAYERS];
        for turn in &self.turns {
            hands[usize::from(turn.seat)] |= turn.play.cards;
        }
        let last = usize::from(finished[PLAYERS - 1]);
        hands[last] |= super::super::cards::ALL & !self.gone;
        (hands.iter().map(|hand| hand.count_ones()).sum::<u32>() == 53).then_some(hands)
    }

    #[must_use]
    pub fn seat(&self) -> u8 {
        self.seat
    }

    #[must_use]
    pub fn player(&self) -> u8 {
        self.player
    }
}
