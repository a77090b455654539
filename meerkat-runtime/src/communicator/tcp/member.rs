//! The place of a rank other than 0: a connection to rank 0, and a thread that hears what it says.

use super::greeting::{NotJoined, join};
use super::messages::{Hello, MOST_OF_RANKS, Welcome, bring, read_broken, read_met};
use super::wire::{Frame, Kind, Payload, at_least_some, nonsense};
use crate::communicator::place::MeetingPlace;
use crate::communicator::round::{Broken, Brought, Met};
use crate::{Error, ErrorKind};
use std::io::{self, BufReader};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How much longer than the timeout a rank waits for rank 0, which names those that are missing.
const GRACE: Duration = Duration::from_secs(1);

/// Where a rank meets the others: at rank 0, which is another process.
#[derive(Debug)]
pub(in crate::communicator) struct Member {
    timeout: Duration,
    welcome: Welcome,
    stream: TcpStream,
    heard: Arc<Heard>,
    hears: Option<JoinHandle<()>>,
}

/// What rank 0 has said.
#[derive(Debug, Default)]
struct Heard {
    state: Mutex<State>,
    changed: Condvar,
    /// Whether `state` has a reason why no call succeeds any more.
    is_broken: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    met: Option<Met>,
    broken: Option<Broken>,
    all_have_ended: bool,
    /// Rank 0 says nothing more.
    is_over: bool,
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No panic leaves the state half-way: nothing in here calls what others wrote.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        self.is_broken.store(state.broken.is_some(), Ordering::Release);
        self.changed.notify_all();
    }

    /// No call succeeds any more; the first reason stays.
    fn break_up(&self, broken: Broken) {
        self.change(|state| {
            state.broken.get_or_insert(broken);
        });
    }

    /// Waits until something is so, at most until a moment.
    fn wait(&self, moment: Instant, is_so: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        loop {
            let left = moment.saturating_duration_since(Instant::now());
            if is_so(&state) || left.is_zero() {
                return state;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes what rank 0 says, until the connection ends.
    fn hear(&self, stream: &TcpStream, size: usize) {
        let mut from = BufReader::with_capacity(1 << 16, stream);
        while self.hear_one(&mut from, size).is_ok() {}
        self.change(|state| {
            state.is_over = true;
            state.broken.get_or_insert(Broken::Lost(0));
        });
        // Rank 0 waits for that, so that nothing it said is lost.
        let _ = stream.shutdown(Shutdown::Both);
    }

    fn hear_one(&self, from: &mut BufReader<&TcpStream>, size: usize) -> io::Result<()> {
        let payload = Payload::begin(from, MOST_OF_RANKS)?;
        match payload.kind {
            Kind::Met => {
                let met = read_met(payload, size)?;
                self.change(|state| state.met = Some(met));
            }
            Kind::Broken => self.break_up(read_broken(payload)?),
            Kind::AllEnded => {
                payload.end()?;
                self.change(|state| state.all_have_ended = true);
            }
            _ => return Err(nonsense("not for this rank")),
        }
        Ok(())
    }
}

impl Member {
    /// Connects to rank 0, and waits until all ranks have come, at most until a moment.
    ///
    /// # Errors
    /// Why it has not joined.
    pub(in crate::communicator) fn join(
        address: &SocketAddr,
        own: &Hello,
        (moment, timeout): (Instant, Duration),
    ) -> Result<Member, NotJoined> {
        let (stream, welcome) = join(address, own, (moment, timeout + GRACE))?;
        stream.set_write_timeout(Some(at_least_some(timeout)))?;
        let (heard, there) = (Arc::<Heard>::default(), stream.try_clone()?);
        let (of_thread, size) = (Arc::clone(&heard), own.size);
        let thread = std::thread::Builder::new().name("from rank 0".to_owned());
        let hears = thread.spawn(move || of_thread.hear(&there, size))?;
        Ok(Member { timeout, welcome, stream, heard, hears: Some(hears) })
    }

    /// Says something to rank 0. Where that fails, no call succeeds any more.
    fn say(&self, frame: &Frame<'_>) {
        let Err(error) = frame.write(&mut &self.stream) else { return };
        let is_late = matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock);
        if is_late {
            self.heard.break_up(self.late());
        } else {
            // What it said last may tell more.
            drop(self.heard.wait(Instant::now() + GRACE, |state| state.is_over));
            self.heard.break_up(Broken::Lost(0));
        }
        // A part of a frame may be out.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn late(&self) -> Broken {
        Broken::Timeout(self.timeout.as_secs_f64(), "rank 0".to_owned())
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        if let Some(hears) = self.hears.take() {
            let _ = hears.join();
        }
    }
}

impl MeetingPlace for Member {
    fn timeout(&self) -> Duration {
        self.timeout
    }

    fn group(&self) -> u64 {
        self.welcome.group
    }

    fn ranks_here(&self) -> usize {
        self.welcome.ranks_here
    }

    fn is_broken(&self) -> bool {
        self.heard.is_broken.load(Ordering::Acquire)
    }

    fn check(&self) -> Result<(), Error> {
        self.heard.lock().broken.clone().map_or(Ok(()), |broken| Err(broken.into()))
    }

    fn meet(&self, _rank: usize, own: Brought) -> Result<Met, Error> {
        self.check()?;
        self.say(&bring(&own));
        let moment = Instant::now() + self.timeout + GRACE;
        let is_done = |state: &State| state.met.is_some() || state.broken.is_some();
        let mut state = self.heard.wait(moment, is_done);
        if let Some(met) = state.met.take() {
            return Ok(met);
        }
        drop(state);
        self.heard.break_up(self.late());
        self.check()?;
        Err(ErrorKind::RankLost { rank: 0 }.into())
    }

    fn give_up(&self, rank: usize) {
        self.heard.break_up(Broken::Lost(rank));
        self.say(&Frame::new(Kind::GiveUp));
    }

    fn out_of_step(&self, what: String) -> Error {
        // Rank 0 has found the same.
        let broken = Broken::OutOfStep(what);
        self.heard.break_up(broken.clone());
        broken.into()
    }

    fn leave(&self, rank: usize) {
        self.heard.break_up(Broken::Lost(rank));
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn end_call(&self, _rank: usize) {
        self.say(&Frame::new(Kind::EndCall));
    }

    fn wait_for_ends(&self, _rank: usize) {
        self.heard.lock().all_have_ended = false;
        self.say(&Frame::new(Kind::AskForEnds));
        let moment = Instant::now() + self.timeout;
        drop(self.heard.wait(moment, |state| state.all_have_ended || state.is_over));
    }
}
