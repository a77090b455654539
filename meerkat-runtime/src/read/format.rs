//! Recognising the format of a graph file: by its content, then by its name.

use std::path::Path;
use std::str::FromStr;

use super::contents::Contents;
use super::error::{Place, ReadError};
use super::label::IdKind;
use super::lines::Line;
use super::matrix_market;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Edge list as SNAP and KONECT publish them, separated by blanks, tabs, commas or
    /// semicolons; GAPBS `.el` and `.wel` files are read as this.
    EdgeList,
    /// Edge list of the ending `.csv` or `.tsv`, perhaps with a line of column names.
    Csv,
    /// MatrixMarket coordinate file of a square matrix.
    MatrixMarket,
    /// DIMACS shortest-path file.
    Dimacs,
    /// METIS adjacency lists.
    Metis,
    /// LDBC Graphalytics edge file with a vertex file beside it.
    Graphalytics,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] = [
        Self::EdgeList,
        Self::Csv,
        Self::MatrixMarket,
        Self::Dimacs,
        Self::Metis,
        Self::Graphalytics,
    ];

    /// Its name: `edge-list`, `csv`, `matrix-market`, `dimacs`, `metis` or
    /// `graphalytics`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EdgeList => "edge-list",
            Self::Csv => "csv",
            Self::MatrixMarket => "matrix-market",
            Self::Dimacs => "dimacs",
            Self::Metis => "metis",
            Self::Graphalytics => "graphalytics",
        }
    }
}

impl FromStr for Format {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let format = Self::ALL.into_iter().find(|format| format.name() == text);
        format.ok_or("give edge-list, csv, matrix-market, dimacs, metis or graphalytics")
    }
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
