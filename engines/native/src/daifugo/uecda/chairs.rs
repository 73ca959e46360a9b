//! The five chairs of a match: who plays for a number, what connections are asked for and when, and what they do wrong.
//!
//! Who is asked sends a table, which is waited for. Of a player who can only pass it need not be: the table is owed, and
//! read when the player is next asked or when the game is over.
use super::super::players::{Player, Spec};
use super::super::table::PLAYERS;
use super::cells::{Cells, Told};
use super::link::{Lack, Link};
use crate::search::{Clock, Stop};
use std::time::Duration;

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

pub struct Chairs {
    pub(super) seated: [Chair; PLAYERS],
    /// For each decision.
    limit: Duration,
    /// Whether a fault takes the chair, which a random player has from then on; else it is a pass.
    takes_chair: bool,
    pub(super) notes: [Note; PLAYERS],
    /// Tables that were asked for and not waited for, all of them passes.
    owed: [u32; PLAYERS],
    /// Whether all plays and passes of a player were plain so far; None before the first.
    plain: [Option<bool>; PLAYERS],
}

impl Chairs {
    #[must_use]
    pub fn new(seated: [Chair; PLAYERS], limit: Duration, takes_chair: bool) -> Chairs {
        Chairs { seated, limit, takes_chair, notes: Default::default(), owed: [0; PLAYERS], plain: [None; PLAYERS] }
    }

    /// Ends all connections.
    pub fn close(&mut self) {
        self.links().for_each(|(_, link)| link.close());
    }

    pub(super) fn links(&mut self) -> impl Iterator<Item = (usize, &mut Link)> {
        self.seated.iter_mut().enumerate().filter_map(|(number, chair)| match chair {
            Chair::Linked(link) => Some((number, &mut **link)),
            _ => None,
        })
    }

    pub(super) fn link(&mut self, player: usize) -> Option<&mut Link> {
        match &mut self.seated[player] {
            Chair::Linked(link) => Some(link),
            _ => None,
        }
    }

    pub(super) fn flush(&mut self) {
        self.links().for_each(|(_, link)| link.flush());
    }

    /// Sends a number to all.
    pub(super) fn tell(&mut self, number: i32) {
        self.links().for_each(|(_, link)| link.put_number(number));
    }

    /// Whether a pass of a player would show nobody anything but that it is one.
    pub(super) fn passes_plainly(&self, player: usize) -> bool {
        self.plain[player] == Some(true) && matches!(&self.seated[player], Chair::Linked(link) if !link.is_closed())
    }

    /// Takes note of a play or a pass of a player.
    pub(super) fn look_at(&mut self, player: usize, cells: &Cells) {
        let plain = &mut self.plain[player];
        *plain = Some(plain.unwrap_or(true) && cells.is_plain());
    }

    /// The table of a pass, which is asked for, is not waited for.
    pub(super) fn owe(&mut self, player: usize) {
        self.owed[player] += 1;
    }

    /// What a connected player answers, None when it is at fault; that is noted.
    pub(super) fn ask(&mut self, player: usize, clock: &mut Clock<'_>) -> Result<Option<Cells>, Stop> {
        self.settle_one(player, clock)?;
        self.receive(player, clock)
    }

    /// Reads all tables that are owed.
    pub(super) fn settle(&mut self, clock: &mut Clock<'_>) -> Result<(), Stop> {
        for player in 0..PLAYERS {
            if self.owed[player] > 0
                && let Some(link) = self.link(player)
            {
                link.flush();
            }
        }
        (0..PLAYERS).try_for_each(|player| self.settle_one(player, clock))
    }

    /// Those of a player. What is no pass is refused, as the player was told already.
    fn settle_one(&mut self, player: usize, clock: &mut Clock<'_>) -> Result<(), Stop> {
        while self.owed[player] > 0 {
            let Some(cells) = self.receive(player, clock)? else { break };
            self.owed[player] = self.owed[player].saturating_sub(1);
            self.look_at(player, &cells);
            match cells.play() {
                Told::Play(play) if play.is_pass() => {}
                told => self.refuse(player, told),
            }
        }
        Ok(())
    }

    /// The next table of a connected player, None when it is at fault.
    fn receive(&mut self, player: usize, clock: &mut Clock<'_>) -> Result<Option<Cells>, Stop> {
        let limit = self.limit;
        let Some(link) = self.link(player) else { return Ok(None) };
        link.flush();
        let mut found = link.soon();
        if found == Err(Lack::Later) {
            // It thinks. The others need not wait to hear what it knows.
            self.flush();
            let Some(link) = self.link(player) else { return Ok(None) };
            found = link.wait(limit, clock)?;
        }
        match found {
            Ok(cells) => Ok(Some(cells)),
            Err(lack) => {
                let due = std::mem::take(&mut self.owed[player]).max(1);
                let Some(link) = self.link(player) else { return Ok(None) };
                let fault = match lack {
                    Lack::Closed => Fault::Closed,
                    Lack::Later if link.is_half() => Fault::HalfATable,
                    Lack::Later => Fault::Silent,
                };
                link.give_up(due);
                self.blame(player, fault);
                Ok(None)
            }
        }
    }

    /// Notes a fault, and takes the chair if that follows.
    pub(super) fn blame(&mut self, player: usize, fault: Fault) {
        self.notes[player].fault.get_or_insert(fault);
        if self.takes_chair {
            self.take_chair(player, Chair::Own(Spec::Random.player()));
        } else if fault == Fault::Closed {
            self.take_chair(player, Chair::Empty);
        }
    }

    /// Notes what was no legal play, and the fault that it may be.
    pub(super) fn refuse(&mut self, player: usize, told: Told) {
        if told == Told::Garbage {
            self.blame(player, Fault::Garbage);
        }
        self.notes[player].refused_count += 1;
    }

    fn take_chair(&mut self, player: usize, by: Chair) {
        self.owed[player] = 0;
        if let Chair::Linked(mut link) = std::mem::replace(&mut self.seated[player], by) {
            link.close();
        }
    }
}
