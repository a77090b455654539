//! DIMACS shortest-path files: `c` comments, one `p sp n m`, and `m` lines
//! `a u v w`, the arc u -> v of weight w. Ids run from 1 to n.

use super::column::{Column, Columns};
use super::contents::Contents;
use super::declared::Declared;
use super::error::{Place, ReadError, quote};
use super::format::Format;
use super::graph_file::{Description, GraphFile};
use super::lines::Line;
use super::number::parse_id;
use super::origin::Origin;
use super::record::Layout;

const PROBLEM_EXPECTED: &str = "a line `p sp vertices arcs` must come before the arcs";
const ARC_EXPECTED: &str = "an arc has 3 after the `a`: source, destination, weight";

/// Reads a DIMACS shortest-path file.
pub(super) fn parse(contents: &Contents) -> Result<GraphFile, ReadError> {
    let layout = Layout::of_format(Columns::endpoints_and(&[Column::Weight]), ARC_EXPECTED);
    let mut declared: Option<Declared<'_>> = None;
    for line in contents.lines() {
        match (first_word(&line), &mut declared) {
            (b"c", _) => {}
            (b"a", Some(declared)) => {
                let arc = line.after_first_word();
                declared.push(&arc, &layout.parse(&arc)?)?;
            }
            (b"a", None) => return Err(problem_missing(line.place())),
            (b"p", None) => declared = Some(parse_problem(contents, &line, &layout)?),
            (b"p", Some(_)) => {
                let found = line.quote();
                return Err(ReadError::HeaderDuplicate { place: line.place(), found });
            }
            _ => return Err(unexpected(&line)),
        }
    }
    let declared = declared.ok_or_else(|| problem_missing(Place::file(&contents.path)))?;
    declared.finish(Description {
        format: Format::Dimacs,
        columns: layout.columns,
        columns_origin: Origin::Format,
        ids_origin: Origin::Format,
        declared_directed: Some(true),
    })
}

fn first_word<'a>(line: &Line<'a>) -> &'a [u8] {
    line.words().next().unwrap_or_default()
}

fn parse_problem<'a>(
    contents: &Contents,
    line: &Line<'a>,
    layout: &Layout,
) -> Result<Declared<'a>, ReadError> {
    let words: Vec<_> = line.words().skip(1).collect();
    if let Some(&kind) = words.first()
        && kind != b"sp"
    {
        let help = "only the shortest-path problem `p sp vertices arcs` is read";
        return Err(ReadError::Unsupported { place: line.place(), found: quote(kind), help });
    }
    let numbers: Result<Vec<u64>, _> = words.iter().skip(1).map(|word| parse_id(word)).collect();
    match numbers.as_deref() {
        Ok(&[n, arcs]) => Declared::new(contents, line, layout, n, arcs),
        _ => Err(ReadError::HeaderMalformed {
            place: line.place(),
            found: line.quote(),
            expected: PROBLEM_EXPECTED,
        }),
    }
}

fn problem_missing(place: Place) -> ReadError {
    ReadError::HeaderMissing { place, expected: PROBLEM_EXPECTED }
}

fn unexpected(line: &Line<'_>) -> ReadError {
    ReadError::UnexpectedLine {
        place: line.place(),
        found: line.quote(),
        expected: "lines of a DIMACS file start with `c`, `p` or `a`",
    }
}
