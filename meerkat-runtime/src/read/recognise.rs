//! Recognising the format of a graph file: by its content, then by its name.

use std::path::Path;

use super::contents::Contents;
use super::error::{Place, ReadError};
use super::format::{Format, ending};
use super::label::IdKind;
use super::lines::Line;
use super::matrix_market;

/// The format of a file. Where ids are text, `c` and `p` may be vertices.
pub(super) fn recognise(contents: &Contents, ids: Option<IdKind>) -> Result<Format, ReadError> {
    let by_name = by_name(&contents.path);
    match contents.lines().next() {
        Some(first) if ids == Some(IdKind::Text) && !matrix_market::is_banner(&first) => {
            Ok(by_name)
        }
        Some(first) => Ok(by_content(&first).unwrap_or(by_name)),
        // The vertices of a Graphalytics graph are in another file.
        None if by_name == Format::Graphalytics => Ok(by_name),
        None => Err(contents.empty_error()),
    }
}

/// The format of what has no name. An edge list is not taken for granted: a METIS file
/// whose vertices all have the same degree would pass as one.
pub(super) fn recognise_by_content(contents: &Contents) -> Result<Format, ReadError> {
    let first = contents.lines().next().ok_or_else(|| contents.empty_error())?;
    by_content(&first)
        .ok_or_else(|| ReadError::UnknownFormat { place: Place::file(&contents.path) })
}

fn by_content(first: &Line<'_>) -> Option<Format> {
    if matrix_market::is_banner(first) {
        return Some(Format::MatrixMarket);
    }
    let mut words = first.words();
    match words.next()? {
        b"c" | b"p" => Some(Format::Dimacs),
        b"a" if words.next()?.iter().all(u8::is_ascii_digit) => Some(Format::Dimacs),
        _ => None,
    }
}

fn by_name(path: &Path) -> Format {
    match ending(path).as_str() {
        "mtx" => Format::MatrixMarket,
        "gr" => Format::Dimacs,
        "e" => Format::Graphalytics,
        "csv" | "tsv" => Format::Csv,
        "graph" | "metis" => Format::Metis,
        _ => Format::EdgeList,
    }
}
