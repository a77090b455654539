//! From a path to the bytes of the file: opening, gzip and progress.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use super::error::{Place, ReadError};
use super::lines::Lines;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// How other compressed files begin, what they are, and what unpacks them.
const OTHERS: [(&[u8], &str, &str); 4] = [
    (b"BZh", "bzip2", "bzcat"),
    (b"\xfd7zXZ\0", "xz", "xzcat"),
    (b"\x28\xb5\x2f\xfd", "Zstandard", "zstdcat"),
    (b"PK\x03\x04", "zip", "unzip -p"),
];
const BUFFER_BYTES: usize = 1 << 18;
const REPORT_EVERY_BYTES: u64 = 1 << 20;

/// How much of the files of a graph has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read so far, as they are on disk: compressed where the file is.
    pub bytes_read: u64,
    /// Bytes of all files of the graph on disk; never below `bytes_read`.
    pub bytes_total: u64,
}

/// A whole file in memory, decompressed.
pub(super) struct Contents {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

impl Contents {
    /// The lines that are not blank.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines::new(&self.path, &self.bytes)
    }

    /// Room to reserve for `declared` records. A header may claim anything, and
    /// a record takes at least four bytes (`1 1` and a line end).
    pub(super) fn plausible_records(&self, declared: u64) -> usize {
        let most = self.bytes.len() / 4 + 1;
        usize::try_from(declared).map_or(most, |declared| declared.min(most))
    }

    pub(super) fn empty_error(&self) -> ReadError {
        ReadError::Empty { place: Place::file(&self.path) }
    }
}

/// Loads the files of one graph and reports progress over all of them.
pub(super) struct Loader<'p> {
    progress: &'p mut dyn FnMut(Progress),
    read: u64,
    total: u64,
    reported: u64,
}

impl<'p> Loader<'p> {
    pub(super) fn new(progress: &'p mut dyn FnMut(Progress)) -> Self {
        Self { progress, read: 0, total: 0, reported: 0 }
    }

    /// Counts the file in [`Progress::bytes_total`]. A file that cannot be
    /// examined counts nothing; loading it says why.
    pub(super) fn expect(&mut self, path: &Path) {
        self.total += fs::metadata(path).map_or(0, |metadata| metadata.len());
    }

    /// Reads the file at `path` into memory, through gzip where it is gzip.
    pub(super) fn load(&mut self, path: &Path) -> Result<Contents, ReadError> {
        self.load_stream(&mut open(path)?, path)
    }

    /// The same for a stream, which errors call `path`.
    pub(super) fn load_stream(
        &mut self,
        stream: &mut dyn Read,
        path: &Path,
    ) -> Result<Contents, ReadError> {
        let mut bytes = Vec::new();
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, Metered { stream, loader: self });
        let head = read_head(&mut reader).map_err(|cause| unreadable(path, cause))?;
        if head == GZIP_MAGIC {
            MultiGzDecoder::new(Cursor::new(head).chain(reader))
                .read_to_end(&mut bytes)
                .map_err(|cause| gzip_error(path, cause))?;
        } else {
            bytes.extend(head);
            reader.read_to_end(&mut bytes).map_err(|cause| unreadable(path, cause))?;
            refuse_others(&bytes, path)?;
        }
        self.report();
        Ok(Contents { path: path.to_owned(), bytes })
    }

    fn count(&mut self, bytes: usize) {
        self.read += bytes as u64;
        if self.read - self.reported >= REPORT_EVERY_BYTES {
            self.report();
        }
    }

    fn report(&mut self) {
        self.reported = self.read;
        let bytes_total = self.total.max(self.read);
        (self.progress)(Progress { bytes_read: self.read, bytes_total });
    }
}

/// A stream that tells the loader about every byte read from it.
struct Metered<'l, 'p> {
    stream: &'l mut dyn Read,
    loader: &'l mut Loader<'p>,
}

impl Read for Metered<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.stream.read(buffer)?;
        self.loader.count(bytes);
        Ok(bytes)
    }
}

fn open(path: &Path) -> Result<File, ReadError> {
    let file = File::open(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => ReadError::NotFound { place: Place::file(path) },
        _ => unreadable(path, cause),
    })?;
    let metadata = file.metadata().map_err(|cause| unreadable(path, cause))?;
    if metadata.is_dir() {
        return Err(ReadError::IsDirectory { place: Place::file(path) });
    }
    Ok(file)
}

/// The first bytes, as many as a gzip file is recognised by.
fn read_head(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(GZIP_MAGIC.len());
    reader.take(GZIP_MAGIC.len() as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Names the compression instead of a strange first line.
fn refuse_others(bytes: &[u8], path: &Path) -> Result<(), ReadError> {
    match OTHERS.iter().find(|(start, ..)| bytes.starts_with(start)) {
        Some(&(_, name, tool)) => {
            Err(ReadError::OtherCompression { place: Place::file(path), name, tool })
        }
        None => Ok(()),
    }
}

fn unreadable(path: &Path, cause: io::Error) -> ReadError {
    ReadError::Unreadable { place: Place::file(path), cause }
}

fn gzip_error(path: &Path, cause: io::Error) -> ReadError {
    let place = Place::file(path);
    match cause.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::TruncatedGzip { place },
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData
            if cause.raw_os_error().is_none() =>
        {
            ReadError::CorruptGzip { place, cause }
        }
        _ => ReadError::Unreadable { place, cause },
    }
}
