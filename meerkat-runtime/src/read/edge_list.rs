//! Edge lists: SNAP and KONECT text, and CSV.
//!
//! Lines that start with `#` or `%` are comments. A line of column names may come before
//! the records. The first record fixes the number of columns and the separator for the
//! whole file. The vertices are the ids that occur.

use super::column::{Column, Columns};
use super::comments::{self, Comments};
use super::contents::Contents;
use super::error::{Place, ReadError};
use super::format::{Format, ending};
use super::graph_file::{Description, GraphFile};
use super::header;
use super::lines::{Line, Separator};
use super::options::ReadOptions;
use super::origin::Origin;
use super::record::{ColumnRule, Layout, Records, column_error};
use super::vertex_ids::{TooManyVertices, VertexIds};

const RECORD_EXPECTED: &str = "a record has 2 to 4: source, target, weight or time, time; \
     `--columns` says what others mean";

/// Reads an edge list; `format` says which meaning a third column has.
pub(super) fn parse(
    contents: Contents,
    format: Format,
    options: &ReadOptions,
) -> Result<GraphFile, ReadError> {
    let table = Table::parse(&contents, format, options)?;
    let path = contents.path;
    // The text is the larger part of memory and no longer needed.
    drop(contents.bytes);

    let ids = VertexIds::from_endpoints(&table.records.sources, &table.records.destinations)
        .map_err(|TooManyVertices(vertices)| ReadError::TooManyVertices {
            place: Place::file(&path),
            vertices,
        })?;
    let records = with_dense_endpoints(table.records, &ids);
    let file = GraphFile::new(table.said, ids, records);
    Ok(GraphFile { target_offset: table.target_offset, ..file })
}

/// The content of a file.
struct Table {
    said: Description,
    target_offset: Option<u64>,
    records: Records<u64>,
}

impl Table {
    fn parse(
        contents: &Contents,
        format: Format,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let comments = Comments::of(contents);
        let is_data = |line: &Line<'_>| !line.starts_with_any(comments::MARKS);
        let mut lines = contents.lines().filter(is_data).peekable();
        let header = match (lines.next_if(header::is_column_names), &options.columns) {
            (Some(line), None) => Some((header::columns_of(&line)?, line.number)),
            _ => None,
        };
        let first = lines.peek().ok_or_else(|| contents.empty_error())?;
        let Meaning { columns, origin, rule } =
            Meaning::of(first, header, &comments, format, options)?;
        let read = if options.skip_times { columns.without(Column::Time) } else { columns.clone() };
        let layout = Layout {
            columns: read,
            separator: Separator::of(first),
            rule,
            time_unit: options.time_unit.unwrap_or_default(),
        };
        let mut records = Records::with_capacity(&layout, 0);
        for line in lines {
            let record = layout.parse(&line)?;
            records.push(&line, record.source, record.destination, &record)?;
        }
        let target_offset = match comments.is_bipartite {
            true => Some(number_targets_apart(contents, &mut records)?),
            false => None,
        };
        let said = Description {
            format,
            columns,
            columns_origin: origin,
            declared_directed: comments.directed,
        };
        Ok(Self { said, target_offset, records })
    }
}

/// What the columns mean, and who says so.
struct Meaning {
    columns: Columns,
    origin: Origin,
    rule: ColumnRule,
}

impl Meaning {
    /// The caller comes first, then a line of names, then comments, then what is usual.
    fn of(
        first: &Line<'_>,
        header: Option<(Columns, u64)>,
        comments: &Comments<'_>,
        format: Format,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        if let Some(columns) = options.columns.clone() {
            return Ok(Self { columns, origin: Origin::Option, rule: ColumnRule::Option });
        }
        if let Some((columns, line)) = header {
            return Ok(Self { columns, origin: Origin::Header, rule: ColumnRule::Header(line) });
        }
        let count = first.fields(Separator::of(first)).count();
        let comment = comments.last.as_ref().and_then(|comment| {
            let names = comments::without_marks(comment);
            header::columns_of_comment(&names, count)
        });
        if let Some(columns) = comment {
            let line = comments.last.as_ref().map_or(first.number, |comment| comment.number);
            return Ok(Self { columns, origin: Origin::Header, rule: ColumnRule::Header(line) });
        }
        let (columns, origin) = by_place(first, count, comments.is_konect, format)?;
        Ok(Self { columns, origin, rule: ColumnRule::FirstRecord(first.number) })
    }
}

/// What columns without names mean.
fn by_place(
    first: &Line<'_>,
    count: usize,
    is_konect: bool,
    format: Format,
) -> Result<(Columns, Origin), ReadError> {
    let third_is_weight = format == Format::Csv || ending(first.path) == "wel" || is_konect;
    let further: &[Column] = match count {
        2 => &[],
        3 if third_is_weight => &[Column::Weight],
        3 => &[Column::Time],
        4 => &[Column::Weight, Column::Time],
        _ => return Err(column_error(first, Separator::of(first), RECORD_EXPECTED.to_owned())),
    };
    let origin = match (count, is_konect) {
        (2, _) => Origin::Format,
        (_, true) => Origin::Header,
        _ if ending(first.path) == "wel" => Origin::Format,
        _ => Origin::Default,
    };
    Ok((Columns::endpoints_and(further), origin))
}

/// Adds the largest source to all targets, and returns it.
fn number_targets_apart(contents: &Contents, records: &mut Records<u64>) -> Result<u64, ReadError> {
    let offset = records.sources.iter().copied().max().unwrap_or_default();
    for target in &mut records.destinations {
        *target = target.checked_add(offset).ok_or_else(|| ReadError::IdTooLarge {
            place: Place::file(&contents.path),
            found: target.to_string(),
        })?;
    }
    Ok(offset)
}

fn with_dense_endpoints(records: Records<u64>, ids: &VertexIds) -> Records<u32> {
    let lookup = ids.lookup(records.sources.len());
    let sources = lookup.known_vertices(&records.sources);
    let destinations = lookup.known_vertices(&records.destinations);
    records.with_endpoints(sources, destinations)
}
