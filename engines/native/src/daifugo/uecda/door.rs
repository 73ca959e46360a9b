//! Where players come in: they connect, and say who they are.
use super::VERSION;
use super::cells::Cells;
use super::link::{Lack, Link};
use crate::search::{Clock, Stop};
use std::io::Result as IoResult;
use std::net::{TcpListener, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long who connects may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(10);
/// Who takes longer is looked at again when the others have been.
const WHILE: Duration = Duration::from_millis(1);
/// Of those who do not say who they are so many are waited for.
const STRANGERS_MAX: usize = 64;
/// Letters of a name.
const NAME_LETTERS: usize = 15;

/// A player who came in.
pub struct Entered {
    pub link: Link,
    /// As it was told, without what is no letter.
    pub name: String,
    /// The table in which it was told.
    pub profile: Cells,
}

pub struct Door {
    listener: TcpListener,
    /// Who connected and did not say yet who it is, and when, in order.
    strangers: Vec<(Instant, Link)>,
}

impl Door {
    /// # Errors
    /// Those of the system: nobody can be listened to there.
    pub fn new(address: impl ToSocketAddrs) -> IoResult<Door> {
        let listener = TcpListener::bind(address)?;
        // So that interrupts are seen.
        listener.set_nonblocking(true)?;
        Ok(Door { listener, strangers: Vec::new() })
    }

    /// # Errors
    /// Those of the system.
    pub fn port(&self) -> IoResult<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// The next player who connects and tells the right version within the time, and is told its number; None when
    /// nobody does. Others are sent away. Who is silent holds nobody up.
    ///
    /// # Errors
    /// Interrupts.
    pub fn accept(
        &mut self,
        number: usize,
        limit: Duration,
        write_limit: Duration,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Entered>, Stop> {
        let begin = Instant::now();
        while begin.elapsed() < limit {
            clock.check()?;
            while self.strangers.len() < STRANGERS_MAX
                && let Ok((stream, _)) = self.listener.accept()
            {
                self.strangers.extend(Link::new(stream, write_limit).ok().map(|link| (Instant::now(), link)));
            }
            if let Some((mut link, profile)) = self.introduced() {
                link.put_number(number as i32);
                link.flush();
                return Ok(Some(Entered { link, name: name_of(&profile), profile }));
            }
            if self.strangers.is_empty() {
                std::thread::sleep(2 * WHILE);
            }
        }
        Ok(None)
    }

    /// The first of the strangers who says who it is.
    fn introduced(&mut self) -> Option<(Link, Cells)> {
        let mut at = 0;
        while at < self.strangers.len() {
            let (since, link) = &mut self.strangers[at];
            match link.read(WHILE) {
                Ok(profile) if profile.0[0][0] == VERSION => return Some((self.strangers.remove(at).1, profile)),
                Err(Lack::Later) if since.elapsed() < PATIENCE => at += 1,
                _ => self.strangers.remove(at).1.close(),
            }
        }
        None
    }
}

/// Row 1 up to the first 0, without control characters and what is no letter at all.
fn name_of(profile: &Cells) -> String {
    let letters = profile.0[1].iter().take_while(|&&cell| cell != 0).take(NAME_LETTERS);
    letters
        .filter_map(|&cell| u8::try_from(cell & 0xff).ok().filter(|letter| (0..=0xff).contains(&cell) && *letter != 0))
        .map(char::from)
        .filter(|letter| !letter.is_control())
        .collect::<String>()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_controls_a_terminal() {
        let mut profile = Cells::default();
        for (cell, letter) in profile.0[1].iter_mut().zip("\u{1b}[31mA\u{85}b\u{7f} \n".chars()) {
            *cell = letter as i32;
        }
        assert_eq!(name_of(&profile), "[31mAb");
        profile.0[1] = [i32::from(b'x'); 15];
        assert_eq!(name_of(&profile), "x".repeat(15));
        profile.0[1] = [-1; 15];
        profile.0[1][3] = 1 << 20;
        assert_eq!(name_of(&profile), "");
    }
}
