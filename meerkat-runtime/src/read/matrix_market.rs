//! MatrixMarket coordinate files: `%%MatrixMarket matrix coordinate F S`, then
//! `%` comments, `rows columns entries`, and one entry a line.
//!
//! The entry `u v` is the arc u -> v of a `general` matrix and an edge of a
//! `symmetric` one. Ids run from 1 to the dimension.

use super::contents::Contents;
use super::declared::Declared;
use super::error::{Place, ReadError, quote};
use super::format::Format;
use super::graph_file::GraphFile;
use super::lines::{Line, Lines, Separator};
use super::number::parse_id;
use super::record::{ColumnRule, Columns, Layout};

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
    let mut declared = parse_size(contents, &size, banner.columns)?;
    let layout = banner.layout();
    while let Some(line) = next_data_line(&mut lines)? {
        declared.push(&line, &layout.parse(&line)?)?;
    }
    declared.finish(Format::MatrixMarket, !banner.symmetric)
}

/// What the first line says.
struct Banner {
    columns: Columns,
    symmetric: bool,
}

impl Banner {
    fn parse(contents: &Contents, lines: &mut Lines<'_>) -> Result<Self, ReadError> {
        let line = lines.next().filter(is_banner).ok_or_else(|| ReadError::HeaderMissing {
            place: Place::line(&contents.path, 1),
            expected: BANNER_EXPECTED,
        })?;
        let words: Vec<_> =
            line.fields(Separator::Blank).map(|word| word.to_ascii_lowercase()).collect();
        let [_, object, layout, field, symmetry] = words.as_slice() else {
            return Err(malformed(&line, BANNER_EXPECTED));
        };
        if object != b"matrix" {
            return Err(unsupported(&line, object, "only `matrix` is read"));
        }
        if layout != b"coordinate" {
            return Err(unsupported(&line, layout, "convert the matrix to `coordinate` form"));
        }
        Ok(Self { columns: columns_of(&line, field)?, symmetric: is_symmetric(&line, symmetry)? })
    }

    fn layout(&self) -> Layout {
        let rule = ColumnRule::Format(match self.columns {
            Columns::Endpoints => "an entry of a `pattern` matrix is `row column`",
            _ => "an entry of an `integer` or `real` matrix is `row column value`",
        });
        Layout { columns: self.columns, separator: Separator::Blank, rule }
    }
}

fn columns_of(line: &Line<'_>, field: &[u8]) -> Result<Columns, ReadError> {
    match field {
        b"pattern" => Ok(Columns::Endpoints),
        b"integer" | b"real" => Ok(Columns::Weight),
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
    columns: Columns,
) -> Result<Declared<'a>, ReadError> {
    let numbers: Result<Vec<u64>, _> = line.fields(Separator::Blank).map(parse_id).collect();
    match numbers.as_deref() {
        Ok(&[rows, width, entries]) if rows == width => {
            Declared::new(contents, line, columns, rows, entries)
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
