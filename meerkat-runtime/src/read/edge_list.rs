//! Edge lists: SNAP text and CSV.
//!
//! Lines that start with `#` or `%` are comments. The first record fixes the
//! columns and the separator for the whole file. The vertices are the ids that
//! occur.

use super::contents::Contents;
use super::error::{Place, ReadError};
use super::format::{Format, ending};
use super::graph_file::GraphFile;
use super::lines::{Line, Separator};
use super::number::is_number;
use super::record::{ColumnRule, Columns, Layout, Records, column_error};
use super::vertex_ids::{TooManyVertices, VertexIds};

const RECORD_EXPECTED: &str = "a record has 2 to 4: source, destination, weight or time, time";

/// Reads an edge list; `format` says which meaning a third column has.
pub(super) fn parse(contents: Contents, format: Format) -> Result<GraphFile, ReadError> {
    let records = parse_records(&contents, format)?;
    let path = contents.path;
    // The text is the larger part of memory and no longer needed.
    drop(contents.bytes);

    let ids = VertexIds::from_endpoints(&records.sources, &records.destinations).map_err(
        |TooManyVertices(vertices)| ReadError::TooManyVertices {
            place: Place::file(&path),
            vertices,
        },
    )?;
    let records = with_dense_endpoints(records, &ids);
    Ok(GraphFile::new(format, None, ids, records))
}

fn parse_records(contents: &Contents, format: Format) -> Result<Records<u64>, ReadError> {
    let mut lines = contents.lines().filter(|line| !line.starts_with_any(b"#%")).peekable();
    if format == Format::Csv {
        lines.next_if(is_column_names);
    }
    let first = lines.peek().ok_or_else(|| contents.empty_error())?;
    let layout = layout_of(first, format)?;
    let mut records = Records::with_capacity(layout.columns, 0);
    for line in lines {
        let record = layout.parse(&line)?;
        records.push(record.source, record.destination, &record);
    }
    Ok(records)
}

/// Whether no field of the line is a number.
fn is_column_names(line: &Line<'_>) -> bool {
    !line.fields(Separator::of(line)).any(is_number)
}

fn layout_of(first: &Line<'_>, format: Format) -> Result<Layout, ReadError> {
    let separator = Separator::of(first);
    let third_is_weight = format == Format::Csv || ending(first.path) == "wel";
    let columns = match first.fields(separator).count() {
        2 => Columns::Endpoints,
        3 if third_is_weight => Columns::Weight,
        3 => Columns::Time,
        4 => Columns::WeightAndTime,
        _ => return Err(column_error(first, separator, RECORD_EXPECTED.to_owned())),
    };
    Ok(Layout { columns, separator, rule: ColumnRule::FirstRecord(first.number) })
}

fn with_dense_endpoints(records: Records<u64>, ids: &VertexIds) -> Records<u32> {
    let lookup = ids.lookup(records.sources.len());
    Records {
        sources: lookup.known_vertices(&records.sources),
        destinations: lookup.known_vertices(&records.destinations),
        weights: records.weights,
        times: records.times,
    }
}
