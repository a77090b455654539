//! METIS adjacency lists: a header `vertices edges [fmt [weights]]`, then a line for each
//! vertex, which names its neighbours, from 1; `%` lines are comments.
//!
//! The digits of `fmt` say what a line holds besides: 100 the size of the vertex, 10 its
//! weights, 1 a weight after each neighbour. Every edge is in the lists of both its ends.

use std::cmp::Ordering;

use super::column::{Column, Columns};
use super::contents::Contents;
use super::declared::Declared;
use super::error::{Place, ReadError};
use super::format::Format;
use super::graph_file::{Description, GraphFile};
use super::lines::Line;
use super::number::parse_id;
use super::origin::Origin;
use super::record::{Layout, Record, column_error};

const HEADER_EXPECTED: &str = "the first line must be `vertices edges [fmt [vertex weights]]`, \
     with a fmt of three digits 0 or 1";
const PAIRS_EXPECTED: &str = "each neighbour must be followed by a weight, as the header says";
const LINES_EXPECTED: &str = "the header declares fewer vertices, one a line";

/// Reads a METIS file.
pub(super) fn parse(contents: &Contents) -> Result<GraphFile, ReadError> {
    // A line without words is a vertex without neighbours.
    let mut lines = contents.lines().with_blank().filter(|line| !line.starts_with_any(b"%"));
    let header_line = lines.find(|line| !line.text.is_empty()).ok_or_else(|| {
        ReadError::HeaderMissing { place: Place::file(&contents.path), expected: HEADER_EXPECTED }
    })?;
    let header = Header::parse(&header_line)?;
    let layout = header.layout();
    // Each edge is there from both ends.
    let entries = header.edges.saturating_mul(2);
    let mut declared = Declared::new(contents, &header_line, &layout, header.vertices, entries)?;
    for (vertex, line) in (1..).zip(lines) {
        match (vertex <= header.vertices, line.text.is_empty()) {
            (true, _) => header.push_neighbors(vertex, &line, &mut declared)?,
            (false, true) => {}
            (false, false) => return Err(too_many_lines(&line)),
        }
    }
    let file = declared.finish(Description {
        format: Format::Metis,
        columns: layout.columns,
        columns_origin: Origin::Header,
        ids_origin: Origin::Format,
        declared_directed: Some(false),
    })?;
    check_both_ways(contents, &file)?;
    Ok(file)
}

/// Refuses a file in which an edge is not in the lists of both its ends, with one weight.
fn check_both_ways(contents: &Contents, file: &GraphFile) -> Result<(), ReadError> {
    let weight = |at: usize| file.weights.as_ref().map_or(0, |weights| weights[at].to_bits());
    let (mut down, mut up) = (Vec::new(), Vec::new());
    for (at, (&source, &target)) in file.sources.iter().zip(&file.destinations).enumerate() {
        match source.cmp(&target) {
            Ordering::Less => up.push((source, target, weight(at))),
            Ordering::Greater => down.push((target, source, weight(at))),
            Ordering::Equal => {}
        }
    }
    up.sort_unstable();
    down.sort_unstable();
    // The least edge that one side has and the other has not.
    let at = up.iter().zip(&down).take_while(|(up, down)| up == down).count();
    let (vertex, neighbor) = match (up.get(at), down.get(at)) {
        (None, None) => return Ok(()),
        (Some(one), other) if other.is_none_or(|other| one < other) => (one.0, one.1),
        (_, Some(one)) => (one.1, one.0),
        (Some(one), None) => (one.0, one.1),
    };
    let id = |vertex: u32| u64::from(vertex) + 1;
    Err(ReadError::OneWay {
        place: Place::file(&contents.path),
        vertex: id(vertex),
        neighbor: id(neighbor),
        with_weight: if file.weights.is_some() { " with this weight" } else { "" },
    })
}

/// What the first line says.
struct Header {
    vertices: u64,
    edges: u64,
    /// Numbers of a line before the neighbours.
    skipped: usize,
    is_weighted: bool,
}

impl Header {
    fn parse(line: &Line<'_>) -> Result<Self, ReadError> {
        let words: Vec<_> = line.words().collect();
        let number = |at: usize| words.get(at).and_then(|word| parse_id(word).ok());
        let format: &[u8] = words.get(2).copied().unwrap_or(b"0");
        let is_format = format.len() <= 3 && format.iter().all(|digit| b"01".contains(digit));
        let (Some(vertices), Some(edges), true, 2..=4) =
            (number(0), number(1), is_format, words.len())
        else {
            return Err(malformed(line));
        };
        let digit = |from_right: usize| {
            format.len().checked_sub(from_right).is_some_and(|at| format[at] == b'1')
        };
        let weights = match (digit(2), words.get(3)) {
            (false, _) => 0,
            (true, None) => 1,
            (true, Some(word)) => parse_id(word)
                .ok()
                .and_then(|n| n.try_into().ok())
                .ok_or_else(|| malformed(line))?,
        };
        let skipped = usize::from(digit(3)).saturating_add(weights);
        Ok(Self { vertices, edges, skipped, is_weighted: digit(1) })
    }

    /// What is read of a neighbour, beside the vertex of the line.
    fn layout(&self) -> Layout {
        let further: &[_] = if self.is_weighted { &[Column::Weight] } else { &[] };
        Layout::of_format(Columns::endpoints_and(further), PAIRS_EXPECTED)
    }

    fn push_neighbors(
        &self,
        vertex: u64,
        line: &Line<'_>,
        declared: &mut Declared<'_>,
    ) -> Result<(), ReadError> {
        let mut fields = line.words().skip(self.skipped);
        while let Some(neighbor) = fields.next() {
            let weight =
                match self.is_weighted {
                    true => Some(fields.next().ok_or_else(|| {
                        column_error(line, line.words(), PAIRS_EXPECTED.to_owned())
                    })?),
                    false => None,
                };
            let record = Record::of_neighbor(line, vertex, neighbor, weight)?;
            declared.push(line, &record)?;
        }
        Ok(())
    }
}

fn malformed(line: &Line<'_>) -> ReadError {
    ReadError::HeaderMalformed {
        place: line.place(),
        found: line.quote(),
        expected: HEADER_EXPECTED,
    }
}

fn too_many_lines(line: &Line<'_>) -> ReadError {
    ReadError::UnexpectedLine { place: line.place(), found: line.quote(), expected: LINES_EXPECTED }
}
