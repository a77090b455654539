//! A rank in another process, as rank 0 has it: a thread that hears what the rank brings, and one that
//! tells it what the meeting has.

use super::messages::{MOST_OF_RANKS, Welcome, broken, met, read_bring};
use super::wire::{Frame, Kind, Payload, nonsense};
use crate::communicator::meeting::{Meeting, News, Told};
use crate::communicator::place::MeetingPlace;
use std::io::{self, BufReader};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

/// A connection to a rank.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    /// Until the rank is welcomed, or nobody is any more.
    welcome: Sender<Welcome>,
    hears: JoinHandle<()>,
    tells: JoinHandle<()>,
}

impl Connection {
    /// Begins to hear the rank; it is told something once it is [welcomed](Self::welcome).
    ///
    /// # Errors
    /// The system starts no threads.
    pub(super) fn start(
        (rank, size): (usize, usize),
        stream: TcpStream,
        meeting: &Arc<Meeting>,
    ) -> io::Result<Connection> {
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(Some(super::wire::at_least_some(meeting.timeout())))?;
        let (welcome, welcomed) = channel();
        let thread = |what| std::thread::Builder::new().name(format!("{what} rank {rank}"));
        let (own, there) = (stream.try_clone()?, Arc::clone(meeting));
        let tells = thread("to").spawn(move || tell(rank, &own, &there, &welcomed))?;
        let (own, there) = (stream.try_clone()?, Arc::clone(meeting));
        let hears = thread("from").spawn(move || hear((rank, size), &own, &there))?;
        Ok(Connection { stream, welcome, hears, tells })
    }

    /// All ranks have come.
    pub(super) fn welcome(&self, welcome: Welcome) {
        // Who has gone is lost in the meeting.
        let _ = self.welcome.send(welcome);
    }

    /// Tells the rank all that is left, and waits, but not longer than until a moment, until it has read that.
    pub(super) fn end(self, moment: Instant) {
        let Connection { stream, welcome, hears, tells } = self;
        drop(welcome);
        // What would be thrown away unread here would take what the rank has not read yet along.
        while !(tells.is_finished() && hears.is_finished()) && Instant::now() < moment {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let _ = stream.shutdown(Shutdown::Both);
        let _ = (tells.join(), hears.join());
    }
}

/// Brings to the meeting what the rank sends, until its connection ends.
fn hear((rank, size): (usize, usize), stream: &TcpStream, meeting: &Meeting) {
    let mut from = BufReader::with_capacity(1 << 16, stream);
    while hear_one((rank, size), &mut from, meeting).is_ok() {}
    meeting.leave(rank);
    // Who sends nonsense is told no more.
    let _ = stream.shutdown(Shutdown::Read);
}

fn hear_one(
    (rank, size): (usize, usize),
    from: &mut BufReader<&TcpStream>,
    meeting: &Meeting,
) -> io::Result<()> {
    let payload = Payload::begin(from, MOST_OF_RANKS)?;
    match payload.kind {
        Kind::Bring => {
            meeting.bring_for(rank, read_bring(payload, size)?);
            return Ok(());
        }
        Kind::GiveUp => meeting.give_up(rank),
        Kind::EndCall => meeting.end_call(rank),
        Kind::AskForEnds => meeting.ask_for_ends(rank),
        _ => return Err(nonsense("not for rank 0")),
    }
    payload.end()
}

/// Tells the rank what the meeting has for it, until there is no more.
fn tell(rank: usize, mut stream: &TcpStream, meeting: &Meeting, welcomed: &Receiver<Welcome>) {
    let mut told = Told::default();
    let welcome = welcomed.recv().map_or(Ok(()), |welcome| welcome.frame().write(&mut stream));
    let mut tell_next = || {
        let Some(news) = meeting.news(rank, &mut told) else { return Ok(false) };
        match &news {
            News::Met(of_all) => met(of_all, rank).write(&mut stream)?,
            News::Broken(why) => broken(why).write(&mut stream)?,
            News::AllEnded => Frame::new(Kind::AllEnded).write(&mut stream)?,
        }
        Ok::<_, io::Error>(true)
    };
    let mut done = welcome.map(|()| true);
    while let Ok(true) = done {
        done = tell_next();
    }
    if done.is_err() {
        meeting.leave(rank);
    }
    let _ = stream.shutdown(Shutdown::Write);
}
