//! The server's end of a connection: tables that come in, and what is to be sent.
use super::cells::{Cells, SIZE};
use super::wire::Wire;
use crate::search::{Clock, Stop};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a read waits at first. Who answers later than that finds others told of what is known by then.
const SOON: Duration = Duration::from_millis(4);
/// And then, again and again: interrupts are looked for in between.
const WHILE: Duration = Duration::from_millis(50);
/// Room for what comes in: the tables of passes that were not waited for, and the next one.
const INBOX_SIZE: usize = 4 * SIZE;

/// Why a connection did not answer in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lack {
    /// Not yet.
    Later,
    /// It is closed, at either end.
    Closed,
}

/// Messages are kept until `flush`, or until the peer is waited for, in order, so that they leave in few writes.
pub struct Link {
    wire: Wire,
    closed: bool,
    /// Tables that were not waited for and may come yet.
    late: u32,
}

impl Link {
    /// A stream that is set up for a game; writes take `limit` at most.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(stream: TcpStream, limit: Duration) -> std::io::Result<Link> {
        Ok(Link { wire: Wire::new(stream, INBOX_SIZE, limit)?, closed: false, late: 0 })
    }

    /// Keeps a table to be sent, as its bytes.
    pub fn put(&mut self, bytes: &[u8]) {
        self.closed = self.closed || self.wire.put(bytes).is_err();
    }

    /// Keeps a number to be sent.
    pub fn put_number(&mut self, number: i32) {
        self.put(&number.to_be_bytes());
    }

    /// Sends what is kept. A peer that does not take it in time has closed the connection.
    pub fn flush(&mut self) {
        self.closed = self.closed || self.wire.flush().is_err();
    }

    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether a table has come in part.
    #[must_use]
    pub fn is_half(&self) -> bool {
        self.wire.pending_count() > 0
    }

    /// Ends the connection.
    pub fn close(&mut self) {
        self.flush();
        self.closed = true;
        self.wire.close();
    }

    /// The table that is due, if it comes within `limit`.
    ///
    /// # Errors
    /// `Lack`: it has not come, or never will.
    pub fn read(&mut self, limit: Duration) -> Result<Cells, Lack> {
        while !self.closed {
            match self.wire.wait(SIZE, limit) {
                Ok(()) => {
                    let table = self.wire.take();
                    if self.late == 0 {
                        return Ok(Cells::read(table));
                    }
                    self.late -= 1;
                }
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Err(Lack::Later),
                    _ => self.closed = true,
                },
            }
        }
        Err(Lack::Closed)
    }

    /// The table that is due, within `limit`.
    ///
    /// # Errors
    /// Interrupts.
    pub fn wait(&mut self, limit: Duration, clock: &mut Clock<'_>) -> Result<Result<Cells, Lack>, Stop> {
        let begin = Instant::now();
        loop {
            clock.check()?;
            match self.read(WHILE.min(limit.max(SOON))) {
                Err(Lack::Later) if begin.elapsed() < limit => {}
                other => return Ok(other),
            }
        }
    }

    /// The table that is due, if it is there within some milliseconds.
    ///
    /// # Errors
    /// `Lack`: it has not come, or never will.
    pub fn soon(&mut self) -> Result<Cells, Lack> {
        self.read(SOON)
    }

    /// Nobody waits for the tables that were due any longer.
    pub fn give_up(&mut self, count: u32) {
        self.late += count;
    }
}
