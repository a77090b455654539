//! Frames between processes: a kind, a length, and numbers and words in little endian.
//!
//! A reader takes no more memory than has come: a length is a promise of the other side.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// What each side says first: who speaks, and in which version.
pub(super) const GREETING: [u8; 12] = *b"MEERKAT\0\x01\0\0\0";

/// How many of its bytes name the protocol.
pub(super) const NAME_BYTES: usize = 8;

/// The longest text in a frame.
const MOST_TEXT: usize = 1 << 16;

/// How much is converted, or taken memory for, at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// What a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Hello,
    Welcome,
    Refused,
    Bring,
    Met,
    Broken,
    GiveUp,
    EndCall,
    AskForEnds,
    AllEnded,
}

const KINDS: [Kind; 10] = [
    Kind::Hello,
    Kind::Welcome,
    Kind::Refused,
    Kind::Bring,
    Kind::Met,
    Kind::Broken,
    Kind::GiveUp,
    Kind::EndCall,
    Kind::AskForEnds,
    Kind::AllEnded,
];

/// A frame that is written: a head, and lists of words after it.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    kind: Kind,
    head: Vec<u8>,
    words: Vec<&'a [u32]>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(kind: Kind) -> Self {
        Frame { kind, head: Vec::new(), words: Vec::new() }
    }

    pub(super) fn byte(mut self, byte: u8) -> Self {
        self.head.push(byte);
        self
    }

    pub(super) fn short(mut self, number: usize) -> Self {
        // Ranks and lengths of texts, which are small.
        self.head.extend((number as u32).to_le_bytes());
        self
    }

    pub(super) fn long(mut self, number: u64) -> Self {
        self.head.extend(number.to_le_bytes());
        self
    }

    /// A text, of a long one its beginning.
    pub(super) fn text(self, text: &str) -> Self {
        let bytes = &text.as_bytes()[..text.len().min(MOST_TEXT)];
        let mut frame = self.short(bytes.len());
        frame.head.extend(bytes);
        frame
    }

    /// Words that go after the head, whose number goes into it.
    pub(super) fn words(self, words: &'a [u32]) -> Self {
        let mut frame = self.long(words.len() as u64);
        frame.words.push(words);
        frame
    }

    /// Writes it; a short one in one piece.
    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let words: usize = self.words.iter().map(|words| words.len()).sum();
        let length = self.head.len() as u64 + 4 * words as u64;
        let mut bytes = Vec::with_capacity(9 + self.head.len() + CHUNK_BYTES.min(4 * words));
        bytes.push(self.kind as u8);
        bytes.extend(length.to_le_bytes());
        bytes.extend(&self.head);
        for chunk in self.words.iter().flat_map(|words| words.chunks(CHUNK_BYTES / 4)) {
            if bytes.len() + 4 * chunk.len() > 2 * CHUNK_BYTES {
                to.write_all(&bytes)?;
                bytes.clear();
            }
            bytes.extend(chunk.iter().flat_map(|word| word.to_le_bytes()));
        }
        to.write_all(&bytes)
    }
}

/// What is wrong with bytes that came.
pub(super) fn nonsense(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A frame that is read: its kind, and what is left of it.
pub(super) struct Payload<'a, R> {
    pub(super) kind: Kind,
    from: &'a mut R,
    left: u64,
}

impl<'a, R: Read> Payload<'a, R> {
    /// Reads the beginning of a frame of at most so many bytes.
    pub(super) fn begin(from: &'a mut R, most: u64) -> io::Result<Self> {
        let mut kind = [0];
        from.read_exact(&mut kind)?;
        let mut payload = Payload { kind: Kind::Hello, from, left: 8 };
        payload.kind = *KINDS.get(usize::from(kind[0])).ok_or_else(|| nonsense("no kind"))?;
        payload.left = payload.long()?;
        match payload.left <= most {
            true => Ok(payload),
            false => Err(nonsense("a frame that is too long")),
        }
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        self.take(N as u64)?;
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Counts bytes that are about to be read.
    fn take(&mut self, bytes: u64) -> io::Result<()> {
        self.left =
            self.left.checked_sub(bytes).ok_or_else(|| nonsense("a frame that is short"))?;
        Ok(())
    }

    pub(super) fn byte(&mut self) -> io::Result<u8> {
        self.array::<1>().map(|bytes| bytes[0])
    }

    pub(super) fn short(&mut self) -> io::Result<usize> {
        self.array().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }

    pub(super) fn long(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// As many long numbers, each of which has to be in the frame.
    pub(super) fn longs(&mut self, count: usize) -> io::Result<Vec<u64>> {
        match count as u64 > self.left / 8 {
            true => Err(nonsense("a frame that is short")),
            false => (0..count).map(|_| self.long()).collect(),
        }
    }

    pub(super) fn text(&mut self) -> io::Result<String> {
        let length = self.short()?;
        if length > MOST_TEXT {
            return Err(nonsense("a text that is too long"));
        }
        self.take(length as u64)?;
        let mut bytes = Vec::new();
        self.from.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        match bytes.len() == length {
            true => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    pub(super) fn words(&mut self, count: u64) -> io::Result<Vec<u32>> {
        let bytes = count.checked_mul(4).ok_or_else(|| nonsense("a frame that is short"))?;
        self.take(bytes)?;
        let (mut words, mut left) = (Vec::new(), bytes);
        let mut chunk = vec![0; bytes.min(CHUNK_BYTES as u64) as usize];
        while left > 0 {
            let part = &mut chunk[..left.min(CHUNK_BYTES as u64) as usize];
            self.from.read_exact(part)?;
            left -= part.len() as u64;
            let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            words.extend(part.chunks_exact(4).map(word));
        }
        Ok(words)
    }

    /// Nothing may be left.
    pub(super) fn end(self) -> io::Result<()> {
        if self.left == 0 { Ok(()) } else { Err(nonsense("a frame that is too long")) }
    }
}

/// A connection that is read until a moment, however slowly bytes come.
pub(super) struct Until<'a> {
    pub(super) stream: &'a std::net::TcpStream,
    pub(super) moment: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.moment.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(at_least_some(left)))?;
        self.stream.read(into)
    }
}

/// A time that the system takes: none at all would be for ever.
pub(super) fn at_least_some(time: Duration) -> Duration {
    time.max(Duration::from_millis(1))
}
