//! The server's socket of a connection: waited for awake at first, and then asleep.
//!
//! Who sleeps has to be woken, and a processor that has nothing to do may first have to be given back by the machine
//! that it is a part of. That takes longer than a quick player thinks.
use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// How long a wait is awake.
const AWAKE: Duration = Duration::from_micros(50);
/// Who gives way and comes back later than that is not alone on its processor: others had it for all of that time.
const LATE: Duration = Duration::from_micros(500);
/// So many waits are asleep from the beginning then.
const ASLEEP_COUNT: u32 = 200;

pub struct Wire {
    stream: TcpStream,
    blocks: bool,
    read_limit: Duration,
    /// Waits that are asleep from the beginning.
    asleep_count: u32,
}

impl Wire {
    /// Writes take `write_limit` at most.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(stream: TcpStream, write_limit: Duration) -> Result<Wire> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(write_limit))?;
        Ok(Wire { stream, blocks: true, read_limit: Duration::ZERO, asleep_count: 0 })
    }

    /// Some bytes that come within `limit`, which is above 0.
    ///
    /// # Errors
    /// Those of the system: `WouldBlock` or `TimedOut` if nothing came.
    pub fn read(&mut self, room: &mut [u8], limit: Duration) -> Result<usize> {
        if self.asleep_count > 0 {
            self.asleep_count -= 1;
        } else if let Some(found) = self.read_awake(room) {
            return found;
        }
        self.set_blocks(true)?;
        if self.read_limit != limit {
            self.stream.set_read_timeout(Some(limit))?;
            self.read_limit = limit;
        }
        self.stream.read(room)
    }

    /// The same within `AWAKE`; None if nothing came.
    fn read_awake(&mut self, room: &mut [u8]) -> Option<Result<usize>> {
        if let Err(error) = self.set_blocks(false) {
            return Some(Err(error));
        }
        let begin = Instant::now();
        let mut now = begin;
        while now - begin < AWAKE {
            match self.stream.read(room) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                other => return Some(other),
            }
            // The player may be waiting for this processor.
            std::thread::yield_now();
            let before = std::mem::replace(&mut now, Instant::now());
            if now - before >= LATE {
                self.asleep_count = ASLEEP_COUNT;
            }
        }
        None
    }

    /// Sends all bytes.
    ///
    /// # Errors
    /// Those of the system; also if they are not taken in time.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock && !self.blocks => self.set_blocks(true)?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Tells the peer at once what has come. Its system may keep what it sends next until then, and ours may wait for
    /// something to send (Nagle's algorithm and delayed acknowledgements): 40 milliseconds.
    #[cfg(target_os = "linux")]
    pub fn acknowledge(&self) {
        let (on, size): (libc::c_int, _) = (1, size_of::<libc::c_int>() as libc::socklen_t);
        let descriptor = self.stream.as_raw_fd();
        // SAFETY: the descriptor is that of an open stream, and `on` is `size` bytes that are only read, in the call.
        // What comes of it does not matter: without it the peer waits.
        unsafe {
            libc::setsockopt(descriptor, libc::IPPROTO_TCP, libc::TCP_QUICKACK, (&raw const on).cast(), size);
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub fn acknowledge(&self) {}

    /// Ends the connection.
    pub fn close(&self) {
        // It may be gone already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn set_blocks(&mut self, blocks: bool) -> Result<()> {
        if self.blocks != blocks {
            self.stream.set_nonblocking(!blocks)?;
            self.blocks = blocks;
        }
        Ok(())
    }
}
