//! The server of a match: five chairs, of players of the core or of connections.
//!
//! What is sent is what the contest's server sends, byte for byte. It keeps one table for all: the last that a player
//! sent, whose rows 5 and 6 are overwritten with the state; cells that are not overwritten are those of the player.
use super::super::cards::{Cards, strongest_cards};
use super::super::game::{Setting, Timer};
use super::super::legal::Families;
use super::super::party::{Asked, Party};
use super::super::play::{PASS, Play};
use super::super::players::Player;
use super::super::position::{Hands, Position};
use super::super::table::PLAYERS;
use super::cells::{CARD_ROWS, Cells, Told};
use super::chairs::{Chair, Chairs, Fault, Note};
use super::status::{NOBODY, Status, set_exchange, set_turn};
use super::{ACCEPTED, ALL_OVER, GAME_OVER, GOES_ON, REFUSED};
use crate::search::{Clock, Stop};
use std::time::{Duration, Instant};

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
    chairs: Chairs,
    /// The number of the last game.
    last: u64,
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
    /// For whether there is a legal play.
    families: Families,
    /// Of each game that is over.
    pub told: Vec<[Note; PLAYERS]>,
}

impl Host {
    /// `profile`: the last table that came in before the first game.
    #[must_use]
    pub fn new(chairs: [Chair; PLAYERS], rules: Rules, profile: Cells) -> Host {
        Host {
            chairs: Chairs::new(chairs, rules.limit, rules.takes_chair),
            last: rules.last,
            work: profile,
            field: Cells::default(),
            ranks: [0, 1, 2, 3, 4],
            out_count: 0,
            is_first_turn: true,
            spent_s: None,
            families: Families::default(),
            told: Vec::new(),
        }
    }

    /// Ends all connections.
    pub fn close(&mut self) {
        self.chairs.close();
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

    /// What a connected player answers, None when it is at fault, and how long it was waited for.
    fn ask(&mut self, player: usize, clock: &mut Clock<'_>) -> Result<Option<Cells>, Stop> {
        if self.chairs.link(player).is_none() {
            return Ok(None);
        }
        let begin = Instant::now();
        let found = self.chairs.ask(player, clock)?;
        self.spent_s = Some(begin.elapsed().as_secs_f64());
        if let Some(cells) = found {
            self.work = cells;
        }
        Ok(found)
    }

    /// Whether it is known what a connected player does, and what others see of it: it cannot but pass.
    fn can_only_pass(&mut self, player: usize, position: &Position) -> bool {
        let field = &position.table.field;
        if field.is_empty() || !self.chairs.passes_plainly(player) {
            return false;
        }
        self.families.list(position.hand(), field);
        self.families.plays_count() == 0
    }

    /// The play that a connected player makes, a pass if it makes none, and what it is told.
    fn judge(&mut self, player: usize, cells: &Cells, position: &Position) -> (Play, i32) {
        let field = &position.table.field;
        match cells.play() {
            Told::Play(play) if play.is_pass() => return (PASS, if field.is_empty() { ACCEPTED } else { REFUSED }),
            Told::Play(play) if play.cards & !position.hand() == 0 && field.admits(&play) => return (play, ACCEPTED),
            told => self.chairs.refuse(player, told),
        }
        (PASS, REFUSED)
    }

    /// Tells a connected player what became of its table.
    fn answer(&mut self, player: usize, answer: i32) {
        if let Some(link) = self.chairs.link(player) {
            link.put_number(answer);
        }
    }

    /// Every hand, to its player.
    fn show_hands(&mut self, setting: &Setting, position: &Position) {
        if self.is_first_turn {
            self.is_first_turn = false;
        } else {
            self.chairs.tell(GOES_ON);
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
            if let Some(link) = self.chairs.link(player) {
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
        self.chairs.links().for_each(|(_, link)| link.put(&bytes));
    }
}

impl Party for Host {
    fn begin(&mut self, setting: &Setting, dealt: &Hands) {
        self.chairs.notes = Default::default();
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
            if let Some(link) = self.chairs.link(usize::from(setting.seats[seat])) {
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
                None => self.chairs.blame(player, Fault::Garbage),
                Some(cards) if cards.count_ones() == count && cards & !knowledge.hand == 0 => given = Some(cards),
                Some(_) => self.chairs.notes[player].refused_count += 1,
            }
        } else if let Chair::Own(own) = &mut self.chairs.seated[player] {
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
        if matches!(self.chairs.seated[player], Chair::Own(Player::Mc(_))) {
            // It takes long. The others need not wait to hear what it knows.
            self.chairs.flush();
        }
        if self.can_only_pass(player, position) {
            self.chairs.owe(player);
            self.work = Cells::default();
            self.answer(player, REFUSED);
            self.show_field(setting, position, &PASS);
            self.spent_s = Some(0.0);
            return Ok(PASS);
        }
        let play = match self.ask(player, clock)? {
            Some(cells) => {
                self.chairs.look_at(player, &cells);
                let (play, answer) = self.judge(player, &cells, position);
                self.answer(player, answer);
                play
            }
            None => match &mut self.chairs.seated[player] {
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

    fn end(&mut self, setting: &Setting, finished: &[u8; PLAYERS], clock: &mut Clock<'_>) -> Result<(), Stop> {
        self.ranks = finished.map(|seat| setting.seats[usize::from(seat)]);
        self.chairs.tell(if setting.index == self.last { ALL_OVER } else { GAME_OVER });
        self.chairs.settle(clock)?;
        self.told.push(self.chairs.notes);
        Ok(())
    }

    fn playouts_count(&self, player: usize) -> u64 {
        if let Chair::Own(own) = &self.chairs.seated[player] { own.playouts_count() } else { 0 }
    }
}
