//! Which processes are ranks of the job: what rank 0 asks of who connects, and what a rank asks of where
//! it connects to.

use super::messages::{Hello, MOST_OF_STRANGERS, Welcome, read_broken};
use super::wire::{Frame, GREETING, Kind, NAME_BYTES, Payload, Until, at_least_some, nonsense};
use crate::communicator::round::Broken;
use crate::{Error, ErrorKind};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long a process may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// Who has connected to rank 0.
#[derive(Debug)]
pub(super) enum Caller {
    /// Of this job.
    Rank(Hello, TcpStream),
    /// Of this job, but it cannot be one of its ranks: why.
    Misfit(Broken, TcpStream),
}

/// Finds out who has connected to the rank that said `own`. None for who is no rank of this job.
pub(super) fn identify(stream: TcpStream, own: &Hello) -> Option<Caller> {
    let hello = read_hello(&stream, own).ok()?;
    let (rank, size) = (hello.rank, own.size);
    if hello.size != size || rank == 0 || rank >= size {
        let what = format!(
            "rank 0 is one of {size} ranks, and a process of its job is rank {rank} of {}",
            hello.size
        );
        return Some(Caller::Misfit(Broken::OutOfStep(what), stream));
    }
    Some(Caller::Rank(hello, stream))
}

fn read_hello(mut stream: &TcpStream, own: &Hello) -> io::Result<Hello> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut from = Until { stream, moment: Instant::now() + PATIENCE };
    let mut greeting = [0; GREETING.len()];
    from.read_exact(&mut greeting)?;
    if greeting[..NAME_BYTES] != GREETING[..NAME_BYTES] {
        return Err(nonsense("another protocol"));
    }
    stream.write_all(&GREETING)?;
    if greeting != GREETING {
        return Err(nonsense("another version"));
    }
    let payload = Payload::begin(&mut from, MOST_OF_STRANGERS)?;
    if payload.kind != Kind::Hello {
        return Err(nonsense("no hello"));
    }
    let hello = Hello::read(payload)?;
    if hello.job != own.job {
        refuse(stream, "it belongs to another job, or is there from one before")?;
        return Err(nonsense("another job"));
    }
    Ok(hello)
}

/// Tells a process why it is not let in.
pub(super) fn refuse(mut stream: &TcpStream, why: &str) -> io::Result<()> {
    Frame::new(Kind::Refused).text(why).write(&mut stream)
}

/// Why a process has not joined.
#[derive(Debug)]
pub(in crate::communicator) enum NotJoined {
    /// Nobody is there, who may come yet.
    NotYet(String),
    /// Who is there does not let it in: why.
    Refused(String),
    /// The ranks have failed already.
    Failed(Error),
}

impl From<io::Error> for NotJoined {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidData => {
                NotJoined::Refused(format!("what listens there is no rank of Meerkat ({error})"))
            }
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                NotJoined::NotYet("it does not answer".to_owned())
            }
            _ => NotJoined::NotYet(error.to_string()),
        }
    }
}

/// Connects to rank 0, at most until a moment, and waits until all ranks have come, which rank 0 gives up first.
pub(super) fn join(
    address: &SocketAddr,
    own: &Hello,
    (moment, timeout): (Instant, Duration),
) -> Result<(TcpStream, Welcome), NotJoined> {
    let left = moment.saturating_duration_since(Instant::now());
    let stream = TcpStream::connect_timeout(address, at_least_some(left.min(PATIENCE)))?;
    // Who tries a port of its own machine again and again is given that very port to call from at last.
    if stream.local_addr()? == stream.peer_addr()? {
        return Err(NotJoined::NotYet("nobody listens there".to_owned()));
    }
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    (&stream).write_all(&GREETING)?;
    own.frame().write(&mut &stream)?;
    let mut greeting = [0; GREETING.len()];
    let soon = moment.min(Instant::now() + PATIENCE);
    Until { stream: &stream, moment: soon }.read_exact(&mut greeting)?;
    if greeting != GREETING {
        let is_other_version = greeting[..NAME_BYTES] == GREETING[..NAME_BYTES];
        let what =
            if is_other_version { "another version of Meerkat" } else { "no rank of Meerkat" };
        return Err(NotJoined::Refused(format!("what listens there is {what}")));
    }
    // Rank 0 is there, and its clock may have begun later.
    let mut from = Until { stream: &stream, moment: Instant::now() + timeout };
    let payload = Payload::begin(&mut from, MOST_OF_STRANGERS << 8).map_err(without_rank_0)?;
    let welcome = answer(payload)?;
    stream.set_read_timeout(None)?;
    Ok((stream, welcome))
}

/// Rank 0 was there, and has ended.
fn without_rank_0(error: io::Error) -> NotJoined {
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
            NotJoined::from(error)
        }
        _ => NotJoined::Failed(ErrorKind::RankLost { rank: 0 }.into()),
    }
}

fn answer(mut payload: Payload<'_, impl Read>) -> Result<Welcome, NotJoined> {
    match payload.kind {
        Kind::Welcome => Ok(Welcome::read(payload)?),
        Kind::Broken => Err(NotJoined::Failed(read_broken(payload)?.into())),
        Kind::Refused => Err(NotJoined::Refused(payload.text()?)),
        _ => Err(nonsense("an answer to another question").into()),
    }
}
