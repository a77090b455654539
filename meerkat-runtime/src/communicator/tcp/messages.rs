//! What ranks in different processes say to each other, as frames.

use super::wire::{Frame, Kind, Payload, nonsense};
use crate::communicator::plan::{Call, Counts};
use crate::communicator::round::{Broken, Brought, Met};
use std::io::{self, Read};
use std::sync::Arc;

/// The most bytes of a frame before a process is known, and the longest word of a job.
pub(super) const MOST_OF_STRANGERS: u64 = 1024;

/// The most bytes of a frame of a rank: more than memory has.
pub(super) const MOST_OF_RANKS: u64 = 1 << 48;

/// What a process says that wants to be a rank.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::communicator) struct Hello {
    pub(in crate::communicator) rank: usize,
    pub(in crate::communicator) size: usize,
    /// Another number in each process.
    pub(in crate::communicator) process: u64,
    /// What all ranks of a job know.
    pub(in crate::communicator) job: String,
}

impl Hello {
    pub(super) fn frame(&self) -> Frame<'_> {
        let numbers = Frame::new(Kind::Hello).short(self.rank).short(self.size).long(self.process);
        numbers.text(&self.job)
    }

    pub(super) fn read(mut from: Payload<'_, impl Read>) -> io::Result<Hello> {
        let (rank, size, process) = (from.short()?, from.short()?, from.long()?);
        let job = from.text()?;
        from.end()?;
        Ok(Hello { rank, size, process, job })
    }
}

/// What it is told when all have come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Welcome {
    /// Another number for each meeting.
    pub(super) group: u64,
    /// How many of the ranks are in that process.
    pub(super) ranks_here: usize,
}

impl Welcome {
    pub(super) fn frame(self) -> Frame<'static> {
        Frame::new(Kind::Welcome).long(self.group).short(self.ranks_here)
    }

    pub(super) fn read(mut from: Payload<'_, impl Read>) -> io::Result<Welcome> {
        let welcome = Welcome { group: from.long()?, ranks_here: from.short()? };
        from.end()?;
        Ok(welcome)
    }
}

/// A text that may not be there.
fn with_option<'a>(frame: Frame<'a>, text: Option<&str>) -> Frame<'a> {
    match text {
        Some(text) => frame.byte(1).text(text),
        None => frame.byte(0),
    }
}

fn read_option(from: &mut Payload<'_, impl Read>) -> io::Result<Option<String>> {
    match from.byte()? {
        0 => Ok(None),
        1 => from.text().map(Some),
        _ => Err(nonsense("neither a text nor none")),
    }
}

/// What a rank brings to a round.
pub(super) fn bring(own: &Brought) -> Frame<'_> {
    let call = Call::ALL.iter().position(|&call| call == own.call).unwrap_or(0);
    let mut frame = with_option(Frame::new(Kind::Bring).byte(call as u8), own.refusal.as_deref());
    for counts in [&own.counts.sent, &own.counts.received] {
        frame = frame.short(counts.len());
        frame = counts.iter().fold(frame, |frame, &count| frame.long(count as u64));
    }
    frame = frame.short(own.parts.len());
    own.parts.iter().fold(frame, |frame, part| frame.words(part))
}

/// The same, of one of `size` ranks.
pub(super) fn read_bring(mut from: Payload<'_, impl Read>, size: usize) -> io::Result<Brought> {
    let call = Call::ALL.get(usize::from(from.byte()?)).ok_or_else(|| nonsense("no call"))?;
    let refusal = read_option(&mut from)?;
    let mut read_counts = || {
        let length = from.short()?;
        let counts = from.longs(length)?.into_iter();
        Ok::<_, io::Error>(counts.map(|count| count as usize).collect())
    };
    let counts = Counts { sent: read_counts()?, received: read_counts()? };
    let parts = from.short()?;
    if parts > 1 && parts != size {
        return Err(nonsense("not a part for each rank"));
    }
    let parts = read_parts(&mut from, parts)?;
    from.end()?;
    Ok(Brought { call: *call, parts, counts, refusal })
}

/// Lists of words whose lengths come first.
fn read_parts(from: &mut Payload<'_, impl Read>, count: usize) -> io::Result<Vec<Vec<u32>>> {
    let lengths = from.longs(count)?;
    lengths.into_iter().map(|length| from.words(length)).collect()
}

/// What a rank takes from a round: of each rank its refusal, and the part for this one.
pub(super) fn met(met: &Met, rank: usize) -> Frame<'_> {
    let mut frame = Frame::new(Kind::Met).byte(u8::from(met.is_nothing));
    for brought in met.all.iter() {
        frame = with_option(frame, brought.refusal.as_deref());
    }
    met.all.iter().fold(frame, |frame, brought| frame.words(brought.part(rank)))
}

/// The same, of one of `size` ranks.
pub(super) fn read_met(mut from: Payload<'_, impl Read>, size: usize) -> io::Result<Met> {
    let is_nothing = from.byte()? != 0;
    let refusals: io::Result<Vec<_>> = (0..size).map(|_| read_option(&mut from)).collect();
    let parts = read_parts(&mut from, size)?;
    from.end()?;
    let both = parts.into_iter().zip(refusals?);
    let brought =
        both.map(|(part, refusal)| Brought { parts: vec![part], refusal, ..Brought::default() });
    Ok(Met { all: Arc::new(brought.collect()), is_nothing })
}

/// Why no call succeeds any more.
pub(super) fn broken(broken: &Broken) -> Frame<'static> {
    let frame = Frame::new(Kind::Broken);
    match broken {
        Broken::Lost(rank) => frame.byte(0).short(*rank),
        Broken::Timeout(seconds, missing) => frame.byte(1).long(seconds.to_bits()).text(missing),
        Broken::OutOfStep(what) => frame.byte(2).text(what),
    }
}

pub(super) fn read_broken(mut from: Payload<'_, impl Read>) -> io::Result<Broken> {
    let broken = match from.byte()? {
        0 => Broken::Lost(from.short()?),
        1 => Broken::Timeout(f64::from_bits(from.long()?), from.text()?),
        2 => Broken::OutOfStep(from.text()?),
        _ => return Err(nonsense("no reason")),
    };
    from.end()?;
    Ok(broken)
}
