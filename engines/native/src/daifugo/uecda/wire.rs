//! A socket of either side: what is to be sent is kept until something has to be waited for, which is done awake at first.
//!
//! Most of a quick game's time goes into system calls for messages, so several messages are one call. And who sleeps has
//! to be woken, and a processor that has nothing to do may first have to be given back by the machine that it is a part
//! of: that takes longer than a quick player thinks.
use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// How long a wait is awake.
const AWAKE: Duration = Duration::from_micros(50);
/// Who gives way and comes back later than that is not alone on its processor: others had it for all of that time.
const LATE: Duration = Duration::from_micros(500);
/// So many waits are asleep from the beginning then, and twice as many when it happens again soon.
const ASLEEP_COUNT: u32 = 200;
const ASLEEP_COUNT_MAX: u32 = 1 << 14;
/// Bytes that are kept before they are sent on their own: some turns.
const OUTBOX_SIZE: usize = 1 << 16;

pub struct Wire {
    stream: TcpStream,
    write_limit: Duration,
    blocks: bool,
    read_limit: Duration,
    /// Waits that are asleep from the beginning: those that are left of them, and those of the next time.
    asleep_count: u32,
    next_asleep_count: u32,
    inbox: Vec<u8>,
    /// What is left of it to be read.
    begin: usize,
    end: usize,
    outbox: Vec<u8>,
    /// Whether something came, and nothing was sent since then that would have told the peer so.
    owes_word: bool,
}

impl Wire {
    /// Room for `inbox_size` bytes that come in; writes take `write_limit` at most.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(stream: TcpStream, inbox_size: usize, write_limit: Duration) -> Result<Wire> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(write_limit))?;
        Ok(Wire {
            stream,
            write_limit,
            blocks: true,
            read_limit: Duration::ZERO,
            asleep_count: 0,
            next_asleep_count: ASLEEP_COUNT,
            inbox: vec![0; inbox_size],
            begin: 0,
            end: 0,
            outbox: Vec::with_capacity(OUTBOX_SIZE),
            owes_word: false,
        })
    }

    /// Bytes that came and were not read.
    #[must_use]
    pub fn pending_count(&self) -> usize {
        self.end - self.begin
    }

    /// Waits until `count` bytes have come, for about as long as `limit`, which is above 0. What is kept is sent before
    /// anything is waited for.
    ///
    /// # Errors
    /// Those of the system: `WouldBlock` or `TimedOut` if they did not, `UnexpectedEof` if they never will.
    pub fn wait(&mut self, count: usize, limit: Duration) -> Result<()> {
        if self.pending_count() >= count {
            return Ok(());
        }
        let begin = Instant::now();
        while self.pending_count() < count {
            // Also of who sends byte by byte.
            if begin.elapsed() >= limit {
                return Err(ErrorKind::TimedOut.into());
            }
            self.flush()?;
            self.inbox.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.pending_count());
            match self.receive(limit) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => (self.end, self.owes_word) = (self.end + count, true),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next `N` bytes, which have come.
    ///
    /// # Panics
    /// If they have not.
    pub fn take<const N: usize>(&mut self) -> &[u8; N] {
        let begin = self.begin;
        self.begin += N;
        self.inbox[begin..self.end].first_chunk().expect("they have come")
    }

    /// Some bytes for the inbox.
    fn receive(&mut self, limit: Duration) -> Result<usize> {
        if self.asleep_count > 0 {
            self.asleep_count -= 1;
        } else if let Some(found) = self.receive_awake() {
            return found;
        }
        self.acknowledge();
        self.set_blocks(true)?;
        if self.read_limit != limit {
            self.stream.set_read_timeout(Some(limit))?;
            self.read_limit = limit;
        }
        self.stream.read(&mut self.inbox[self.end..])
    }

    /// The same within `AWAKE`; None if nothing came.
    fn receive_awake(&mut self) -> Option<Result<usize>> {
        if let Err(error) = self.set_blocks(false) {
            return Some(Err(error));
        }
        self.next_asleep_count = ASLEEP_COUNT.max(self.next_asleep_count - 1);
        let begin = Instant::now();
        let mut now = begin;
        while now - begin < AWAKE {
            match self.stream.read(&mut self.inbox[self.end..]) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                other => return Some(other),
            }
            // The peer may be waiting for this processor.
            std::thread::yield_now();
            let before = std::mem::replace(&mut now, Instant::now());
            if now - before >= LATE {
                self.asleep_count = self.next_asleep_count;
                self.next_asleep_count = ASLEEP_COUNT_MAX.min(2 * self.next_asleep_count);
            }
        }
        None
    }

    /// Keeps a message to be sent: a table is never sent in two.
    ///
    /// # Errors
    /// Those of the system.
    pub fn put(&mut self, message: &[u8]) -> Result<()> {
        if self.outbox.len() + message.len() > OUTBOX_SIZE {
            self.flush()?;
        }
        self.outbox.extend_from_slice(message);
        Ok(())
    }

    /// Sends what is kept. If that fails it is lost.
    ///
    /// # Errors
    /// Those of the system; also if it is not taken in time.
    pub fn flush(&mut self) -> Result<()> {
        if self.outbox.is_empty() {
            return Ok(());
        }
        let outbox = std::mem::take(&mut self.outbox);
        let sent = self.write(&outbox);
        self.outbox = outbox;
        self.outbox.clear();
        self.owes_word = false;
        sent
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let mut left = bytes;
        let mut begin = None;
        while !left.is_empty() {
            match self.stream.write(left) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) if count == left.len() => return Ok(()),
                // Nor is it waited for who takes it byte by byte.
                Ok(_) if begin.get_or_insert_with(Instant::now).elapsed() >= self.write_limit => {
                    return Err(ErrorKind::TimedOut.into());
                }
                Ok(count) => left = &left[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock && !self.blocks => self.set_blocks(true)?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Tells the peer what has come. Its system may keep what it sends next until then, and ours may wait for something
    /// to send (Nagle's algorithm and delayed acknowledgements): 40 milliseconds.
    #[cfg(target_os = "linux")]
    fn acknowledge(&mut self) {
        if !std::mem::take(&mut self.owes_word) {
            return;
        }
        let (on, size): (libc::c_int, _) = (1, size_of::<libc::c_int>() as libc::socklen_t);
        let descriptor = self.stream.as_raw_fd();
        // SAFETY: the descriptor is that of an open stream, and `on` is `size` bytes that are only read, in the call.
        // What comes of it does not matter: without it the peer waits.
        unsafe {
            libc::setsockopt(descriptor, libc::IPPROTO_TCP, libc::TCP_QUICKACK, (&raw const on).cast(), size);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn acknowledge(&self) {}

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
