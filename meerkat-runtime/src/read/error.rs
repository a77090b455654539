//! What can be wrong with a graph file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::column::ColumnsError;
use super::format::Format;
use super::limits::MAX_VERTICES;

/// Most characters of a file that an error message quotes.
const QUOTE_LENGTH: usize = 60;

/// Where an error is: a file, and a line where there is one.
///
/// Displayed as `path` or `path:line`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file at fault.
    pub path: PathBuf,
    /// The line at fault, counted from 1 after decompression.
    pub line: Option<u64>,
}

impl Place {
    pub(super) fn file(path: &Path) -> Self {
        Self { path: path.to_owned(), line: None }
    }

    pub(super) fn line(path: &Path, number: u64) -> Self {
        Self { path: path.to_owned(), line: Some(number) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.path.display()),
            None => write!(f, "{}", self.path.display()),
        }
    }
}

/// Why a graph file was refused.
///
/// The message names the file, the line where there is one, what was found
/// there (at most 60 characters of it) and the way out. The fields hold the
/// same: `place` is where, `found` the offending text, `expected`, `help` and
/// `reason` the rule that it breaks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are described once, above")]
pub enum ReadError {
    /// There is no file at this path.
    #[error("{place}: no such file; check the path")]
    NotFound { place: Place },

    /// The path is a directory.
    #[error("{place}: this is a directory; name one graph file in it")]
    IsDirectory { place: Place },

    /// The operating system refused to open or to read the file.
    #[error("{place}: cannot read the file: {cause}; check its permissions and the disk")]
    Unreadable { place: Place, cause: io::Error },

    /// The gzip data ends too early.
    #[error("{place}: the gzip data ends too early; fetch the file again")]
    TruncatedGzip { place: Place },

    /// The gzip data is damaged, or something follows it.
    #[error("{place}: the gzip data is damaged: {cause}; fetch the file again")]
    CorruptGzip { place: Place, cause: io::Error },

    /// The file is compressed by something else than gzip.
    #[error(
        "{place}: this is compressed by {name}, and only gzip is read; unpack it with `{tool}`"
    )]
    OtherCompression { place: Place, name: &'static str, tool: &'static str },

    /// The file holds no record and declares no vertex.
    #[error("{place}: found no records; a graph file needs at least one record or declared vertex")]
    Empty { place: Place },

    /// A format, or a variant of one, that is not read here.
    #[error("{place}: found `{found}`, which is not supported; {help}")]
    Unsupported { place: Place, found: String, help: &'static str },

    /// A stream without a name, whose content does not tell the format.
    #[error(
        "{place}: the content alone does not tell the format; give it with `--format edge-list`, \
         `csv`, `metis` or another (`ReadOptions::format`)"
    )]
    UnknownFormat { place: Place },

    /// A header whose names are not the columns of a graph.
    #[error(
        "{place}: cannot understand the header `{found}`: {reason}. Say what the columns are with \
         `--columns {suggestion}` (`ReadOptions::columns`)"
    )]
    ColumnNames { place: Place, found: String, reason: ColumnsError, suggestion: String },

    /// Columns were given for a format that has its own.
    #[error(
        "{place}: the columns of the format {} are fixed; leave out `--columns`, or give \
         `--format edge-list`",
        .format.name()
    )]
    FixedColumns { place: Place, format: Format },

    /// An option for a format that leaves no choice.
    #[error(
        "{place}: the format {} fixes what `{option}` says; leave it out, or give \
         `--format edge-list` (`ReadOptions` has both)",
        .format.name()
    )]
    FixedByFormat { place: Place, format: Format, option: &'static str },

    /// A first line that may be names of columns or a record whose ids are text.
    #[error(
        "{place}: `{found}` may be names of columns or a record; say which with \
         `--header yes` or `--header no` (`ReadOptions::header`)"
    )]
    HeaderInDoubt { place: Place, found: String },

    /// A record whose ids are text, which can be divided in two ways.
    #[error(
        "{place}: `{found}` may be separated by {first} or by {second}; say which with \
         `--separator {first}` or `--separator {second}` (`ReadOptions::separator`)"
    )]
    SeparatorInDoubt { place: Place, found: String, first: &'static str, second: &'static str },

    /// Text that cannot be a vertex id.
    #[error("{place}: found `{found}` in place of a vertex id: {reason}")]
    TextId { place: Place, found: String, reason: &'static str },

    /// Text where the format has a number.
    #[error("{place}: found `{found}` in place of {expected}; correct or remove the line")]
    NotANumber { place: Place, found: String, expected: &'static str },

    /// A line with too few or too many columns for its format, or for the file.
    #[error("{place}: found {columns} column(s) in `{found}`; {expected}")]
    ColumnCount { place: Place, columns: usize, found: String, expected: String },

    /// A line that has no meaning in the format.
    #[error("{place}: found `{found}`; {expected}")]
    UnexpectedLine { place: Place, found: String, expected: &'static str },

    /// A vertex id that the header does not declare.
    #[error("{place}: found vertex id {id}; the header declares ids 1 to {last}, correct either")]
    IdOutOfRange { place: Place, id: u64, last: u64 },

    /// A vertex id below zero.
    #[error("{place}: found vertex id `{found}`; ids start at 0, so renumber the vertices")]
    NegativeId { place: Place, found: String },

    /// A vertex id that does not fit in 64 bits.
    #[error(
        "{place}: found vertex id `{found}`; the largest is {}, so renumber the vertices",
        u64::MAX
    )]
    IdTooLarge { place: Place, found: String },

    /// More vertices than a dense index can name.
    #[error("{place}: found {vertices} vertices; at most {MAX_VERTICES} fit, so split the graph")]
    TooManyVertices { place: Place, vertices: u64 },

    /// The header is not there, or not before the records.
    #[error("{place}: the header is missing; {expected}")]
    HeaderMissing { place: Place, expected: &'static str },

    /// The header cannot be understood.
    #[error("{place}: cannot understand the header `{found}`; {expected}")]
    HeaderMalformed { place: Place, found: String, expected: &'static str },

    /// The header contradicts itself or cannot describe a graph.
    #[error("{place}: the header `{found}` contradicts itself: {reason}")]
    HeaderContradictory { place: Place, found: String, reason: &'static str },

    /// A second header, as in files that were joined.
    #[error("{place}: found a second header `{found}`; keep one header and one graph per file")]
    HeaderDuplicate { place: Place, found: String },

    /// Not as many records as the header declares.
    #[error(
        "{place}: the header declares {declared} entries, but the file holds {found}; \
         fetch the file again or correct the header"
    )]
    EntryCount { place: Place, declared: u64, found: u64 },

    /// An edge of a METIS file that is in the list of one end only.
    #[error(
        "{place}: the line of vertex {vertex} names {neighbor}, but the line of {neighbor} does \
         not name {vertex}{with_weight}; a METIS file has each edge in both lists: correct the \
         file, or write directed graphs as an edge list"
    )]
    OneWay { place: Place, vertex: u64, neighbor: u64, with_weight: &'static str },

    /// The vertex file of an LDBC edge file is not beside it.
    #[error(
        "{place}: the vertex file is missing; put `{}` beside the edge file",
        .expected.display()
    )]
    VertexFileMissing { place: Place, expected: PathBuf },

    /// An LDBC edge with an endpoint that the vertex file does not list.
    #[error(
        "{place}: found vertex id {id}, which is not in `{}`; add it there",
        .vertex_file.display()
    )]
    UnknownVertex { place: Place, id: u64, vertex_file: PathBuf },

    /// An LDBC vertex file that lists a vertex twice.
    #[error("{place}: found vertex id {id} a second time; list every vertex once")]
    DuplicateVertex { place: Place, id: u64 },

    /// A time that does not fit in 64 bits, with as many digits after the point as others
    /// of the file have.
    #[error(
        "{place}: found time `{found}`, which does not fit in 64 bits at the precision of the \
         file; round the times, or skip the column with `--columns`"
    )]
    TimeTooLarge { place: Place, found: String },

    /// A weight that is infinite, not a number, or too large for an `f64`.
    #[error("{place}: found weight `{found}`; weights must be finite, so replace or remove it")]
    NonFiniteWeight { place: Place, found: String },
}

impl ReadError {
    /// The file and line at fault.
    #[must_use]
    pub fn place(&self) -> &Place {
        match self {
            Self::NotFound { place }
            | Self::IsDirectory { place }
            | Self::Unreadable { place, .. }
            | Self::TruncatedGzip { place }
            | Self::CorruptGzip { place, .. }
            | Self::OtherCompression { place, .. }
            | Self::Empty { place }
            | Self::Unsupported { place, .. }
            | Self::UnknownFormat { place }
            | Self::ColumnNames { place, .. }
            | Self::FixedColumns { place, .. }
            | Self::FixedByFormat { place, .. }
            | Self::HeaderInDoubt { place, .. }
            | Self::SeparatorInDoubt { place, .. }
            | Self::TextId { place, .. }
            | Self::TimeTooLarge { place, .. }
            | Self::NotANumber { place, .. }
            | Self::ColumnCount { place, .. }
            | Self::UnexpectedLine { place, .. }
            | Self::IdOutOfRange { place, .. }
            | Self::NegativeId { place, .. }
            | Self::IdTooLarge { place, .. }
            | Self::TooManyVertices { place, .. }
            | Self::HeaderMissing { place, .. }
            | Self::HeaderMalformed { place, .. }
            | Self::HeaderContradictory { place, .. }
            | Self::HeaderDuplicate { place, .. }
            | Self::EntryCount { place, .. }
            | Self::OneWay { place, .. }
            | Self::VertexFileMissing { place, .. }
            | Self::UnknownVertex { place, .. }
            | Self::DuplicateVertex { place, .. }
            | Self::NonFiniteWeight { place, .. } => place,
        }
    }
}

/// Text of a file for a message: on one line, printable and cut to length.
pub(super) fn quote(text: &[u8]) -> String {
    // A character of the file is at most 4 bytes, so this much is enough.
    let head = &text[..text.len().min(4 * (QUOTE_LENGTH + 1))];
    let lossy = String::from_utf8_lossy(head);
    let mut escaped = lossy.chars().flat_map(printable);
    let mut quoted: String = escaped.by_ref().take(QUOTE_LENGTH).collect();
    if escaped.next().is_some() {
        quoted.pop();
        quoted.push('…');
    }
    quoted
}

/// The character, escaped if it would not show or could upset a terminal.
fn printable(c: char) -> impl Iterator<Item = char> {
    // Quotes and backslashes show as they are, so leave out their escape.
    c.escape_debug().skip(usize::from(matches!(c, '"' | '\'' | '\\')))
}
