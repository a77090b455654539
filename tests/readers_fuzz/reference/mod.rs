//! Simple readers of every format, written from the formats' definitions and the rules that
//! `meerkat_runtime::read` documents. They hold a file as a table of strings.
//!
//! What is not worth repeating here, such as half of ISO 8601, they leave out: an error that
//! says so.

mod declared;
mod edge_list;
mod graphalytics;
mod header;
mod text;
mod time;

use std::collections::BTreeSet;

use meerkat_runtime::read::{Column, Format, IdKind, Label};

use super::case::{Case, Packing};

/// An id of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Id {
    Number(u64),
    Text(String),
}

impl Id {
    /// As somebody types it.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Number(id) => id.to_string(),
            Self::Text(id) => id.clone(),
        }
    }
}

impl From<Label<'_>> for Id {
    fn from(label: Label<'_>) -> Self {
        match label {
            Label::Number(id) => Self::Number(id),
            Label::Text(id) => Self::Text(id.to_owned()),
        }
    }
}

/// A record; a time is in 10^-9 of the file's unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) source: Id,
    pub(crate) target: Id,
    pub(crate) weight: Option<f64>,
    pub(crate) time: Option<i128>,
}

/// The vertices of a file, ascending.
pub(crate) enum Vertices {
    /// `1..=n`
    UpTo(u64),
    Listed(Vec<Id>),
}

/// What a file says.
pub(crate) struct Table {
    pub(crate) vertices: Vertices,
    pub(crate) records: Vec<Record>,
    pub(crate) columns: Vec<Column>,
    pub(crate) directed: Option<bool>,
    pub(crate) target_offset: Option<u64>,
}

impl Table {
    pub(crate) fn vertex_count(&self) -> u64 {
        match &self.vertices {
            Vertices::UpTo(n) => *n,
            Vertices::Listed(ids) => ids.len() as u64,
        }
    }

    /// The vertices, where they are few enough to compare.
    pub(crate) fn listed(&self) -> Option<Vec<Id>> {
        match &self.vertices {
            Vertices::UpTo(n) => (*n <= 10_000).then(|| (1..=*n).map(Id::Number).collect()),
            Vertices::Listed(ids) => (ids.len() <= 10_000).then(|| ids.clone()),
        }
    }
}

/// What the reason says of a file that is left out.
pub(crate) const LEFT_OUT: &str = "left out";

/// Why a file is refused, or left out.
pub(crate) type Refusal = &'static str;

/// Reads the graph of an input.
pub(crate) fn read(case: &Case) -> Result<Table, Refusal> {
    if matches!(case.packing, Packing::Cut | Packing::Damaged) {
        return Err("what a damaged gzip file holds: left out");
    }
    let lines = text::lines(&case.file.bytes);
    let format = case.options.format.map_or_else(|| recognise(case, &lines), Ok)?;
    let is_edge_list = matches!(format, Format::EdgeList | Format::Csv);
    let options = &case.options;
    let has_options = options.columns.is_some()
        || options.separator.is_some()
        || options.header.is_some()
        || options.ids == Some(IdKind::Text);
    if !is_edge_list && has_options {
        return Err("the format fixes what an option says");
    }
    match format {
        Format::MatrixMarket => declared::matrix_market(&lines),
        Format::Dimacs => declared::dimacs(&lines),
        Format::Metis => declared::metis(&lines),
        Format::Graphalytics => graphalytics::read(case, &lines),
        Format::EdgeList | Format::Csv => edge_list::read(case, format, &lines),
    }
}

/// The content decides before the name does.
fn recognise(case: &Case, lines: &[text::Line]) -> Result<Format, Refusal> {
    let first = lines.iter().find(|line| !line.is_blank());
    let words = first.map(|line| line.words()).unwrap_or_default();
    let word = |at: usize| words.get(at).map_or(&b""[..], |word| word);
    let is_banner = word(0).to_ascii_lowercase().starts_with(b"%%matrixmarket");
    let ending = ending(&case.file.name);
    if is_banner {
        return Ok(Format::MatrixMarket);
    }
    if case.options.ids != Some(IdKind::Text) {
        let is_number = !word(1).is_empty() && word(1).iter().all(u8::is_ascii_digit);
        if matches!(word(0), b"c" | b"p") || word(0) == b"a" && is_number {
            return Ok(Format::Dimacs);
        }
    }
    let by_name = match ending.as_str() {
        "mtx" => Format::MatrixMarket,
        "gr" => Format::Dimacs,
        "e" => Format::Graphalytics,
        "csv" | "tsv" => Format::Csv,
        "graph" | "metis" => Format::Metis,
        _ => Format::EdgeList,
    };
    match first {
        None if by_name != Format::Graphalytics => Err("the file is empty"),
        _ => Ok(by_name),
    }
}

/// The ending of a name in lower case, without that of gzip.
fn ending(name: &str) -> String {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned()
}

/// Every id that occurs.
fn endpoints(records: &[Record]) -> Vertices {
    let ids: BTreeSet<_> = records.iter().flat_map(|r| [&r.source, &r.target]).cloned().collect();
    Vertices::Listed(ids.into_iter().collect())
}
