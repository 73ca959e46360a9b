//! A client: it lets a player of the core play at a server, whatever that sends.
use super::super::dice::Dice;
use super::super::game::{EXCHANGE, Setting};
use super::super::knowledge::{Gifts, Knowledge};
use super::super::play::{PASS, Play};
use super::super::players::Player;
use super::cells::{Cells, SIZE};
use super::seen::Seen;
use super::status::{gift_count, is_turn};
use super::wire::Wire;
use super::{ALL_OVER, GAME_OVER, GOES_ON, VERSION};
use crate::search::{Clock, Stop};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::{Duration, Instant};

const WHILE: Duration = Duration::from_millis(50);
/// Room for what comes in: some turns.
const INBOX_SIZE: usize = 1 << 16;

/// What ends a match before the server says so.
#[derive(Debug)]
pub enum Broken {
    Interrupt,
    /// The connection is closed, or does not work.
    Closed(String),
    /// Nothing came for so long.
    Silent,
    /// A number that the protocol does not have.
    Number(i32),
}

impl From<Stop> for Broken {
    fn from(_: Stop) -> Broken {
        Broken::Interrupt
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Broken {
        Broken::Closed(error.to_string())
    }
}

pub struct Guest {
    wire: Wire,
    patience: Duration,
    /// The own number.
    pub number: u8,
    /// Whether the server said that all is over.
    pub is_over: bool,
    /// Plays and gifts that the server refused, passes not among them.
    pub refused_count: u64,
    /// Tables that were no first table of a game, or did not follow from those before.
    pub breaks_count: u64,
}

impl Guest {
    /// Says who it is, and learns its number.
    ///
    /// # Errors
    /// What ends it before the first game.
    pub fn join(stream: TcpStream, name: &str, patience: Duration, clock: &mut Clock<'_>) -> Result<Guest, Broken> {
        let wire = Wire::new(stream, INBOX_SIZE, patience)?;
        let mut guest = Guest { wire, patience, number: 0, is_over: false, refused_count: 0, breaks_count: 0 };
        let mut profile = Cells::default();
        profile.0[0][0] = VERSION;
        for (cell, letter) in profile.0[1].iter_mut().zip(name.bytes()) {
            *cell = i32::from(letter);
        }
        guest.send(&profile)?;
        let number = guest.number(clock)?;
        guest.number = u8::try_from(number).ok().filter(|&number| number < 5).ok_or(Broken::Number(number))?;
        Ok(guest)
    }

    /// Plays a game. `seed` and `index` decide the dice of the player, as in a tournament.
    ///
    /// # Errors
    /// What ends the match within it.
    pub fn play(
        &mut self,
        player: &mut Player,
        seed: u64,
        index: u64,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Seen>, Broken> {
        let first = self.table(clock)?;
        let mut seen = Seen::first(self.number, &first);
        let setting = |seen: &Seen| Setting { seed, index, seats: seen.seats, before: seen.before };
        let dice_seed = seen.as_ref().map_or(0, |seen| setting(seen).dice_seed(seen.seat()));
        // What it asks for is sent, whatever else the table says: the server waits for it.
        if gift_count(&first) > 0 {
            let mut gift = Cells::default();
            if let Some((seen, count)) = seen.as_ref().and_then(|seen| Some((seen, seen.gift_count(&first)?))) {
                let known = seen.giving(count);
                if known.check().is_ok() {
                    let given = player.give(&known, count, &mut Dice::of(dice_seed, EXCHANGE), clock)?;
                    gift = Cells::of_gift(given);
                }
            }
            self.send(&gift)?;
        }
        for turn in 0.. {
            let hand = self.table(clock)?;
            if let Some(seen) = &mut seen {
                seen.take_hand(&hand);
            }
            if is_turn(&hand) {
                let play = match &seen {
                    Some(seen) => choose(player, seen, &mut Dice::of(dice_seed, turn), clock)?,
                    None => PASS,
                };
                self.send(&Cells::of_play(&play))?;
                let answer = self.number(clock)?;
                self.refused_count += u64::from(answer == super::REFUSED && !play.is_pass());
            }
            let field = self.table(clock)?;
            if let Some(seen) = &mut seen {
                seen.take_field(&field);
            }
            match self.number(clock)? {
                GOES_ON => {}
                GAME_OVER => break,
                ALL_OVER => {
                    self.is_over = true;
                    break;
                }
                other => return Err(Broken::Number(other)),
            }
        }
        // The server may wait for tables of passes, and another game need not follow.
        self.wire.flush()?;
        self.breaks_count += seen.as_ref().map_or(1, |seen| u64::from(seen.breaks_count));
        Ok(seen)
    }

    /// Keeps a table to be sent, before anything is waited for.
    fn send(&mut self, cells: &Cells) -> Result<(), Broken> {
        Ok(self.wire.put(&cells.bytes())?)
    }

    fn table(&mut self, clock: &mut Clock<'_>) -> Result<Cells, Broken> {
        self.wait(SIZE, clock)?;
        Ok(Cells::read(self.wire.take()))
    }

    fn number(&mut self, clock: &mut Clock<'_>) -> Result<i32, Broken> {
        self.wait(size_of::<i32>(), clock)?;
        Ok(i32::from_be_bytes(*self.wire.take()))
    }

    /// Until so many bytes have come.
    fn wait(&mut self, count: usize, clock: &mut Clock<'_>) -> Result<(), Broken> {
        let mut waits_since = None;
        while self.wire.pending_count() < count {
            clock.check()?;
            match self.wire.wait(count, WHILE) {
                Ok(()) => {}
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                        if waits_since.get_or_insert_with(Instant::now).elapsed() >= self.patience {
                            return Err(Broken::Silent);
                        }
                    }
                    ErrorKind::UnexpectedEof => {
                        return Err(Broken::Closed("the server closed the connection".into()));
                    }
                    _ => return Err(error.into()),
                },
            }
        }
        Ok(())
    }
}

/// The play of a player, by what of its knowledge holds; a pass if nothing does.
fn choose(player: &mut Player, seen: &Seen, dice: &mut Dice, clock: &mut Clock<'_>) -> Result<Play, Stop> {
    let all = seen.knowledge();
    let less = Knowledge { leader: None, before: None, gifts: Gifts::default(), turns: &[], ..all };
    let Some(known) = [all, less].into_iter().find(|known| known.table.turn == known.seat && known.check().is_ok())
    else {
        return Ok(PASS);
    };
    if known.table.is_over() || known.table.is_stalled() {
        return Ok(PASS);
    }
    player.choose(&known, dice, clock)
}
