//! The server of a match: five chairs, of players of the core or of connections.
//!
//! What is sent is what the contest's server sends, byte for byte. It keeps one table for all: the last that a player
//! sent, whose rows 5 and 6 are overwritten with the state; cells that are not overwritten are those of the player.
use super::super::cards::{Cards, strongest_cards};
use super::super::game::{Setting, Timer};
use super::super::party::{Asked, Party};
use super::super::play::{PASS, Play};
use super::super::players::{Player, Spec};
use super::super::position::{Hands, Position};
use super::super::table::PLAYERS;
use super::cells::{CARD_ROWS, Cells, Told};
use super::link::{Lack, Link};
use super::status::{NOBODY, Status, set_exchange, set_turn};
use super::{ACCEPTED, ALL_OVER, GAME_OVER, GOES_ON, REFUSED};
use crate::search::{Clock, Stop};
use std::time::{Duration, Instant};

/// How long who connects may take to say who it is.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Who plays for a number.
pub enum Chair {
    Own(Player),
    Linked(Box<Link>),
    /// Nobody: it passes, and gives its strongest cards.
    Empty,
}

/// What a connection did that a player must not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fault {
    Silent = 1,
    HalfATable = 2,
    Garbage = 3,
    Closed = 4,
}

/// What a player's connection did in a game.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Note {
    /// The first fault.
    pub fault: Option<Fault>,
    /// Plays that were no legal ones; passes are none of them.
    pub refused_count: u32,
}

/// How a match is served.
pub struct Rules {
    /// For each decision.
    pub limit: Duration,
    /// Whether a fault takes the chair, which a random player has from then on; else it is a pass.
    pub takes_chair: bool,
    /// The number of the last game.
    pub last: u64,
}

pub struct Host {
    chairs: [Chair; PLAYERS],
    rules: Rules,
    /// The table of all, as the contest's server has it.
    work: Cells,
    /// The cards of the last accepted play, or none.
    field: Cells,
    /// Players by rank: those of the game before, overwritten one after another.
    ranks: [u8; PLAYERS],
    out_count: usize,
    is_first_turn: bool,
    /// What the last decision took: time that a connection was waited for, or processor time of our player.
    spent_s: Option<f64>,
    notes: [Note; PLAYERS],
    /// Of each game that is over.
    pub told: Vec<[Note; PLAYERS]>,
}

impl Host {
    /// `profile`: the last table that came in before the first game.
    #[must_use]
    pub fn new(chairs: [Chair; PLAYERS], rules: Rules, profile: Cells) -> Host {
        Host {
            chairs,
            rules,
            work: profile,
            field: Cells::default(),
            ranks: [0, 1, 2, 3, 4],
            out_count: 0,
            is_first_turn: true,
            spent_s: None,
            notes: Default::default(),
            told: Vec::new(),
        }
    }

    /// Ends all connections.
    pub fn close(&mut self) {
        for chair in &mut self.chairs {
            if let Chair::Linked(link) = chair {
                link.close();
            }
        }
    }

    fn links(&mut self) -> impl Iterator<Item = (usize, &mut Link)> {
        self.chairs.iter_mut().enumerate().filter_map(|(number, chair)| match chair {
            Chair::Linked(link) => Some((number, &mut **link)),
            _ => None,
        })
    }

    fn flush(&mut self) {
        self.links().for_each(|(_, link)| link.flush());
    }

    /// Sends a number to all.
    fn tell(&mut self, number: i32) {
        self.links().for_each(|(_, link)| link.put_number(number));
    }

    fn status(&self, setting: &Setting, hands: &Hands) -> Status {
        let mut counts = [0; PLAYERS];
        for (seat, hand) in hands.iter().enumerate() {
            counts[usize::from(setting.seats[seat])] = hand.count_ones() as u8;
        }
        Status {
            player: NOBODY,
            empty: false,
            revolution: false,
            lock: false,
            counts,
            ranks: setting.before.map(|_| self.ranks),
            seats: setting.seats,
        }
    }

    /// What a connected player answers, None when it is at fault; that is noted.
    fn ask(&mut self, player: usize, clock: &mut Clock<'_>) -> Result<Option<Cells>, Stop> {
        let begin = Instant::now();
        let Chair::Linked(link) = &mut self.chairs[player] else { return Ok(None) };
        link.flush();
        let mut found = link.soon();
        if found == Err(Lack::Later) {
            // It thinks. The others need not wait to hear what it knows.
            self.flush();
            let Chair::Linked(link) = &mut self.chairs[player] else { return Ok(None) };
            found = link.wait(self.rules.limit, clock)?;
        }
        self.spent_s = Some(begin.elapsed().as_secs_f64());
        match found {
            Ok(cells) => {
                self.work = cells;
                Ok(Some(cells))
            }
            Err(lack) => {
                let Chair::Linked(link) = &mut self.chairs[player] else { return Ok(None) };
                let fault = match lack {
                    Lack::Closed => Fault::Closed,
                    Lack::Later if link.is_half() => Fault::HalfATable,
                    Lack::Later => Fault::Silent,
                };
                link.give_up();
                self.blame(player, fault);
                Ok(None)
            }
        }
    }

    /// Notes a fault, and takes the chair if that follows.
    fn blame(&mut self, player: usize, fault: Fault) {
        self.notes[player].fault.get_or_insert(fault);
        if self.rules.takes_chair {
            self.take_chair(player, Chair::Own(Spec::Random.player()));
        } else if fault == Fault::Closed {
            self.take_chair(player, Chair::Empty);
        }
    }

    fn take_chair(&mut self, player: usize, by: Chair) {
        if let Chair::Linked(mut link) = std::mem::replace(&mut self.chairs[player], by) {
            link.close();
        }
    }

    /// The play that a connected player makes, a pass if it makes none, and what it is told.
    fn judge(&mut self, player: usize, cells: &Cells, position: &Position) -> (Play, i32) {
        let field = &position.table.field;
        match cells.play() {
            Told::Play(play) if play.is_pass() => return (PASS, if field.is_empty() { ACCEPTED } else { REFUSED }),
            Told::Play(play) if play.cards & !position.hand() == 0 && field.admits(&play) => return (play, ACCEPTED),
            Told::Garbage => self.blame(player, Fault::Garbage),
            _ => {}
        }
        self.notes[player].refused_count += 1;
        (PASS, REFUSED)
    }

    /// Every hand, to its player.
    fn show_hands(&mut self, setting: &Setting, position: &Position) {
        if self.is_first_turn {
            self.is_first_turn = false;
        } else {
            self.tell(GOES_ON);
        }
        let (table, actor) = (&position.table, usize::from(setting.seats[usize::from(position.table.turn)]));
        let mut status = self.status(setting, &position.hands);
        status.player = actor as i32;
        (status.empty, status.revolution, status.lock) =
            (table.field.is_empty(), table.field.revolution, table.field.lock != 0);
        if table.field.is_empty() {
            self.field = Cells::default();
        }
        status.put(&mut self.work);
        let work = self.work;
        for seat in 0..PLAYERS {
            let player = usize::from(setting.seats[seat]);
            if let Chair::Linked(link) = &mut self.chairs[player] {
                let mut cells = Cells::of_hand(position.hands[seat]);
                cells.0[CARD_ROWS..7].copy_from_slice(&work.0[CARD_ROWS..7]);
                if player == actor {
                    set_turn(&mut cells);
                }
                link.put(&cells.bytes());
            }
        }
    }

    /// What lies on the field after a play, to all.
    fn show_field(&mut self, setting: &Setting, position: &Position, play: &Play) {
        let seat = usize::from(position.table.turn);
        let (mut field, mut hands) = (position.table.field, position.hands);
        if !play.is_pass() {
            field.lay(play);
            hands[seat] &= !play.cards;
            if hands[seat] == 0 && self.out_count < PLAYERS {
                self.ranks[self.out_count] = setting.seats[seat];
                self.out_count += 1;
            }
        }
        let mut status = self.status(setting, &hands);
        status.player = i32::from(setting.seats[seat]);
        (status.empty, status.revolution, status.lock) = (field.is_empty(), field.revolution, field.lock != 0);
        if !play.is_pass() {
            self.field = self.work;
        }
        status.put(&mut self.work);
        self.field.0[CARD_ROWS..7].copy_from_slice(&self.work.0[CARD_ROWS..7]);
        let bytes = self.field.bytes();
        self.links().for_each(|(_, link)| link.put(&bytes));
    }
}

impl Party for Host {
    fn begin(&mut self, setting: &Setting, dealt: &Hands) {
        self.notes = Default::default();
        (self.out_count, self.is_first_turn) = (0, true);
        if let Some(before) = setting.before {
            self.ranks = before.map(|seat| setting.seats[usize::from(seat)]);
        }
        let status = self.status(setting, dealt);
        status.put(&mut self.work);
        for seat in 0..PLAYERS {
            let (mut hand, mut count) = (dealt[seat], 0);
            let rank = setting.before.and_then(|before| before.iter().position(|&each| usize::from(each) == seat));
            if let (Some(before), Some(rank @ 0..=1)) = (setting.before, rank) {
                count = 2 - rank as u32;
                hand |= strongest_cards(dealt[usize::from(before[4 - rank])], count);
            }
            let mut cells = Cells::of_hand(hand);
            cells.0[CARD_ROWS..7].copy_from_slice(&self.work.0[CARD_ROWS..7]);
            set_exchange(&mut cells, count);
            if let Chair::Linked(link) = &mut self.chairs[usize::from(setting.seats[seat])] {
                link.put(&cells.bytes());
            }
        }
        self.field = Cells::default();
        if setting.before.is_none() {
            self.work = Cells::default();
        }
    }

    fn give(&mut self, asked: Asked<'_, '_>, count: u32) -> Result<Cards, Stop> {
        let player = asked.number();
        let Asked { knowledge, dice, clock, .. } = asked;
        let mut given = None;
        if let Some(cells) = self.ask(player, clock)? {
            match cells.set() {
                None => self.blame(player, Fault::Garbage),
                Some(cards) if cards.count_ones() == count && cards & !knowledge.hand == 0 => given = Some(cards),
                Some(_) => self.notes[player].refused_count += 1,
            }
        } else if let Chair::Own(own) = &mut self.chairs[player] {
            let mut timer = Timer::start();
            given = Some(own.give(knowledge, count, dice, clock)?);
            self.spent_s = Some(timer.take());
        }
        // The tables of the exchange leave nothing behind; the second's is the last.
        if count == 1 {
            self.work = Cells::default();
        }
        Ok(given.unwrap_or_else(|| strongest_cards(knowledge.hand, count)))
    }

    fn choose(&mut self, asked: Asked<'_, '_>, position: &Position) -> Result<Play, Stop> {
        let player = asked.number();
        let Asked { setting, knowledge, dice, clock } = asked;
        self.show_hands(setting, position);
        if matches!(self.chairs[player], Chair::Own(Player::Mc(_))) {
            // It takes long. The others need not wait to hear what it knows.
            self.flush();
        }
        let play = match self.ask(player, clock)? {
            Some(cells) => {
                let (play, answer) = self.judge(player, &cells, position);
                if let Chair::Linked(link) = &mut self.chairs[player] {
                    link.put_number(answer);
                }
                play
            }
            None => match &mut self.chairs[player] {
                Chair::Own(own) => {
                    let mut timer = Timer::start();
                    let play = own.choose(knowledge, dice, clock)?;
                    self.spent_s = Some(timer.take());
                    self.work = Cells::of_play(&play);
                    play
                }
                Chair::Linked(link) => {
                    link.put_number(REFUSED);
                    PASS
                }
                Chair::Empty => PASS,
            },
        };
        self.show_field(setting, position, &play);
        Ok(play)
    }

    fn spent_s(&mut self, _timer: &mut Timer) -> f64 {
        self.spent_s.take().unwrap_or(0.0)
    }

    fn end(&mut self, setting: &Setting, finished: &[u8; PLAYERS]) {
        self.ranks = finished.map(|seat| setting.seats[usize::from(seat)]);
        self.told.push(self.notes);
        self.tell(if setting.index == self.rules.last { ALL_OVER } else { GAME_OVER });
    }

    fn playouts_count(&self, player: usize) -> u64 {
        if let Chair::Own(own) = &self.chairs[player] { own.playouts_count() } else { 0 }
    }
}
