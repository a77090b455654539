//! MatrixMarket coordinate files: `%%MatrixMarket matrix coordinate F S`, then
//! `%` comments, `rows columns entries`, and one entry a line.
//!
//! The entry `u v` is the arc u -> v of a `general` matrix and an edge of a
//! `symmetric` one. Ids run from 1 to the dimension.

use super::column::{Column, Columns};
use super::contents::Contents;
use super::declared::Declared;
use super::error::{Place, ReadError, quote};
use super::format::Format;
use super::graph_file::{Description, GraphFile};
use super::lines::{Line, Lines};
use super::number::parse_id;
use super::origin::Origin;
use super::record::Layout;

const BANNER: &[u8] = b"%%MatrixMarket";
const BANNER_EXPECTED: &str = "the first line must be `%%MatrixMarket matrix coordinate \
     <pattern|integer|real> <general|symmetric>`";
const SIZE_EXPECTED: &str = "a line `rows columns entries` must follow the comments";

/// Whether the line starts as a MatrixMarket file does.
pub(super) fn is_banner(line: &Line<'_>) -> bool {
    line.text.get(..BANNER.len()).is_some_and(|start| start.eq_ignore_ascii_case(BANNER))
}

/// Reads a MatrixMarket file.
pub(super) fn parse(contents: &Contents) -> Result<GraphFile, ReadError> {
    let mut lines = contents.lines();
    let banner = Banner::parse(contents, &mut lines)?;
    let size = next_data_line(&mut lines)?.ok_or_else(|| ReadError::HeaderMissing {
        place: Place::file(&contents.path),
        expected: SIZE_EXPECTED,
    })?;
    let layout = banner.layout();
    let mut declared = parse_size(contents, &size, &layout)?;
    while let Some(line) = next_data_line(&mut lines)? {
        declared.push(&line, &layout.parse(&line)?)?;
    }
    declared.finish(Description {
        format: Format::MatrixMarket,
        columns: layout.columns,
        columns_origin: Origin::Header,
        ids_origin: Origin::Format,
        declared_directed: Some(!banner.symmetric),
    })
}

/// What the first line says.
struct Banner {
    is_weighted: bool,
    symmetric: bool,
}

impl Banner {
    fn parse(contents: &Contents, lines: &mut Lines<'_>) -> Result<Self, ReadError> {
        let line = lines.next().filter(is_banner).ok_or_else(|| ReadError::HeaderMissing {
            place: Place::line(&contents.path, 1),
            expected: BANNER_EXPECTED,
        })?;
        let words: Vec<_> = line.words().map(|word| word.to_ascii_lowercase()).collect();
        let [first, object, layout, field, symmetry] = words.as_slice() else {
            return Err(malformed(&line, BANNER_EXPECTED));
        };
        if first.len() != BANNER.len() {
            return Err(malformed(&line, BANNER_EXPECTED));
        }
        if object != b"matrix" {
            return Err(unsupported(&line, object, "only `matrix` is read"));
        }
        if layout != b"coordinate" {
            return Err(unsupported(&line, layout, "convert the matrix to `coordinate` form"));
        }
        Ok(Self {
            is_weighted: is_weighted(&line, field)?,
            symmetric: is_symmetric(&line, symmetry)?,
        })
    }

    fn layout(&self) -> Layout {
        let (further, expected): (&[_], _) = match self.is_weighted {
            false => (&[], "an entry of a `pattern` matrix is `row column`"),
            true => (
                &[Column::Weight],
                "an entry of an `integer` or `real` matrix is `row column value`",
            ),
        };
        Layout::of_format(Columns::endpoints_and(further), expected)
    }
}

fn is_weighted(line: &Line<'_>, field: &[u8]) -> Result<bool, ReadError> {
    match field {
        b"pattern" => Ok(false),
        b"integer" | b"real" => Ok(true),
        _ => Err(unsupported(line, field, "values must be `pattern`, `integer` or `real`")),
    }
}

fn is_symmetric(line: &Line<'_>, symmetry: &[u8]) -> Result<bool, ReadError> {
    match symmetry {
        b"general" => Ok(false),
        b"symmetric" => Ok(true),
        _ => Err(unsupported(line, symmetry, "the symmetry must be `general` or `symmetric`")),
    }
}

fn parse_size<'a>(
    contents: &Contents,
    line: &Line<'a>,
    layout: &Layout,
) -> Result<Declared<'a>, ReadError> {
    let numbers: Result<Vec<u64>, _> = line.words().map(parse_id).collect();
    match numbers.as_deref() {
        Ok(&[rows, width, entries]) if rows == width => {
            Declared::new(contents, line, layout, rows, entries)
        }
        Ok([_, _, _]) => Err(ReadError::HeaderContradictory {
            place: line.place(),
            found: line.quote(),
            reason: "the adjacency matrix of a graph has as many rows as columns",
        }),
        _ => Err(malformed(line, SIZE_EXPECTED)),
    }
}

/// The next line that is not a comment. A second banner is no comment.
#[inline]
fn next_data_line<'a>(lines: &mut Lines<'a>) -> Result<Option<Line<'a>>, ReadError> {
    for line in lines {
        if !line.starts_with_any(b"%") {
            return Ok(Some(line));
        }
        if is_banner(&line) {
            return Err(ReadError::HeaderDuplicate { place: line.place(), found: line.quote() });
        }
    }
    Ok(None)
}

fn malformed(line: &Line<'_>, expected: &'static str) -> ReadError {
    ReadError::HeaderMalformed { place: line.place(), found: line.quote(), expected }
}

fn unsupported(line: &Line<'_>, word: &[u8], help: &'static str) -> ReadError {
    ReadError::Unsupported { place: line.place(), found: quote(word), help }
}
