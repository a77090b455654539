//! Recognising the format of a graph file: by its content, then by its name.

use std::path::Path;

use super::contents::Contents;
use super::error::{Place, ReadError, quote};
use super::lines::{Line, Separator};
use super::matrix_market;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// SNAP edge list, separated by blanks, tabs or commas; GAPBS `.el` and
    /// `.wel` files are read as this.
    Snap,
    /// MatrixMarket coordinate file of a square matrix.
    MatrixMarket,
    /// DIMACS shortest-path file.
    Dimacs,
    /// LDBC Graphalytics edge file with a vertex file beside it.
    Ldbc,
    /// Edge list of the ending `.csv`, perhaps with one line of column names.
    Csv,
}

/// The ending of a file name in lower case, `.gz` taken off; "" if none.
pub(super) fn ending(path: &Path) -> String {
    let ending_of = |path: &Path| {
        path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
    };
    match ending_of(path) {
        ending if ending == "gz" => ending_of(&path.with_extension("")),
        ending => ending,
    }
}

/// The format of `contents`.
///
/// Refuses METIS by name: a METIS file whose vertices all have the same degree
/// would pass as an edge list.
pub(super) fn recognise(contents: &Contents) -> Result<Format, ReadError> {
    let by_name = by_name(&contents.path)?;
    match contents.lines().next() {
        Some(first) => Ok(by_content(&first).unwrap_or(by_name)),
        // The vertices of an LDBC graph are in another file.
        None if by_name == Format::Ldbc => Ok(Format::Ldbc),
        None => Err(contents.empty_error()),
    }
}

fn by_content(first: &Line<'_>) -> Option<Format> {
    if matrix_market::is_banner(first) {
        return Some(Format::MatrixMarket);
    }
    let mut words = first.fields(Separator::Blank);
    match words.next()? {
        b"c" | b"p" => Some(Format::Dimacs),
        b"a" if words.next()?.iter().all(u8::is_ascii_digit) => Some(Format::Dimacs),
        _ => None,
    }
}

fn by_name(path: &Path) -> Result<Format, ReadError> {
    match ending(path).as_str() {
        "mtx" => Ok(Format::MatrixMarket),
        "gr" => Ok(Format::Dimacs),
        "e" => Ok(Format::Ldbc),
        "csv" => Ok(Format::Csv),
        metis @ ("graph" | "metis") => Err(ReadError::Unsupported {
            place: Place::file(path),
            found: quote(format!(".{metis}").as_bytes()),
            help: "convert METIS files to MatrixMarket, and rename an edge list to `.txt`",
        }),
        _ => Ok(Format::Snap),
    }
}
