//! Edge lists: SNAP and KONECT text, and CSV.
//!
//! Lines that start with `#` or `%` are comments. A line of column names may come before
//! the records. The first record fixes the number of columns and the separator for the
//! whole file, and whether ids are numbers or text. The vertices are the ids that occur.

use std::path::Path;

use super::column::Column;
use super::comments::{self, Comments};
use super::contents::Contents;
use super::error::{Place, ReadError};
use super::fields::Separator;
use super::format::Format;
use super::graph_file::{Description, GraphFile};
use super::header;
use super::label::IdKind;
use super::lines::Line;
use super::meaning::Meaning;
use super::names::Interner;
use super::options::ReadOptions;
use super::origin::Origin;
use super::record::{Layout, NumberIds, ReadId};
use super::records::Records;
use super::vertex_ids::{TooManyVertices, VertexIds};

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

    let Table { said, target_offset, names, records } = table;
    let (ids, records) = match names {
        Some(names) => with_named_endpoints(records, names),
        None => with_dense_endpoints(records, &path)?,
    };
    Ok(GraphFile { target_offset, ..GraphFile::new(said, ids, records) })
}

/// The content of a file.
struct Table {
    said: Description,
    target_offset: Option<u64>,
    /// What the ids of the records stand for, if they are text.
    names: Option<Interner>,
    records: Records<u64>,
}

impl Table {
    fn parse(
        contents: &Contents,
        format: Format,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let comments = Comments::of(contents);
        let start = Start::of(contents, &comments, format, options)?;
        let Meaning { columns, origin, rule } = start.meaning;
        let read = if options.skip_times { columns.without(Column::Time) } else { columns.clone() };
        let layout = Layout {
            columns: read,
            separator: Some(start.separator),
            rule,
            ids: start.ids,
            time_unit: options.time_unit.unwrap_or_default(),
        };
        let first = start.first_line;
        let (names, mut records) = match start.ids {
            IdKind::Numbers => (None, read_records(contents, first, &layout, &mut NumberIds)?),
            IdKind::Text => {
                refuse_bipartite(&comments)?;
                let mut names = Interner::new();
                let records = read_records(contents, first, &layout, &mut names)?;
                (Some(names), records)
            }
        };
        let target_offset = match comments.is_bipartite {
            true => Some(number_targets_apart(contents, &mut records)?),
            false => None,
        };
        let said = Description {
            format,
            columns,
            columns_origin: origin,
            ids_origin: start.ids_origin,
            declared_directed: comments.directed,
        };
        Ok(Self { said, target_offset, names, records })
    }
}

/// What the lines before the second record say about all of them.
struct Start {
    /// The number of the line that records may begin at: that of the first, or the one behind the header.
    first_line: u64,
    separator: Separator,
    meaning: Meaning,
    ids: IdKind,
    ids_origin: Origin,
}

impl Start {
    fn of(
        contents: &Contents,
        comments: &Comments<'_>,
        format: Format,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let mut lines = contents.lines().filter(|line| !is_comment(line));
        let mut first = lines.next().ok_or_else(|| contents.empty_error())?;
        let second = lines.next();
        let (mut header, mut first_line) = (None, first.number);
        if header::is_header(&first, second.as_ref(), options)? {
            if options.columns.is_none() {
                let columns = header::columns_of(&first, options.separator)?;
                header = Some((columns, first.number));
            }
            first_line += 1;
            first = second.ok_or_else(|| contents.empty_error())?;
        }
        let usual = options.separator.unwrap_or_else(|| Separator::of(&first));
        let count = first.fields(usual).count();
        let given = Meaning::given(header, comments, count, options);
        let columns = given.as_ref().map(|given| &given.columns);
        let (ids, ids_origin) = match options.ids {
            Some(ids) => (ids, Origin::Option),
            None if header::has_text_ids(&first, options, columns) => {
                (IdKind::Text, Origin::Header)
            }
            None => (IdKind::Numbers, Origin::Default),
        };
        let separator = match (options.separator, ids) {
            (None, IdKind::Text) => {
                let count = columns.map(|columns| columns.as_slice().len());
                Separator::of_text(&first, format, count)?
            }
            _ => usual,
        };
        let meaning = match given {
            Some(given) => given,
            None => Meaning::by_place(&first, separator, ids, comments.is_konect, format)?,
        };
        Ok(Self { first_line, separator, meaning, ids, ids_origin })
    }
}

fn is_comment(line: &Line<'_>) -> bool {
    line.starts_with_any(comments::MARKS)
}

/// Reads all records from a line on.
fn read_records(
    contents: &Contents,
    first: u64,
    layout: &Layout,
    ids: &mut impl ReadId,
) -> Result<Records<u64>, ReadError> {
    let mut records = Records::with_capacity(layout, 0);
    for line in contents.lines().skip_while(|line| line.number < first) {
        if is_comment(&line) {
            refuse_record_in_comment(&line, layout)?;
            continue;
        }
        let record = layout.parse_with(&line, ids)?;
        records.push(&line, record.source, record.destination, &record)?;
    }
    Ok(records)
}

/// A line `#rust crates 3` among records whose ids are text.
fn refuse_record_in_comment(line: &Line<'_>, layout: &Layout) -> Result<(), ReadError> {
    let is_word = line
        .text
        .get(1)
        .is_some_and(|byte| !byte.is_ascii_whitespace() && !comments::MARKS.contains(byte));
    if layout.ids == IdKind::Text && is_word && layout.has_its_columns(line) {
        return Err(ReadError::UnexpectedLine {
            place: line.place(),
            found: line.quote(),
            expected: "it is a comment, but looks like a record; put the id in quotes, or a \
                blank after the mark",
        });
    }
    Ok(())
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

/// Sources and targets of bipartite files differ by what is added to a number.
fn refuse_bipartite(comments: &Comments<'_>) -> Result<(), ReadError> {
    match (comments.is_bipartite, &comments.first) {
        (true, Some(first)) => Err(ReadError::Unsupported {
            place: first.place(),
            found: first.quote(),
            help: "ids of a bipartite file must be numbers",
        }),
        _ => Ok(()),
    }
}

/// The vertices that occur in the records, and the records between them.
fn with_dense_endpoints(
    records: Records<u64>,
    path: &Path,
) -> Result<(VertexIds, Records<u32>), ReadError> {
    let ids = VertexIds::from_endpoints(&records.sources, &records.destinations).map_err(
        |TooManyVertices(vertices)| ReadError::TooManyVertices {
            place: Place::file(path),
            vertices,
        },
    )?;
    let lookup = ids.lookup(records.sources.len());
    let sources = lookup.known_vertices(&records.sources);
    let destinations = lookup.known_vertices(&records.destinations);
    drop(lookup);
    Ok((ids, records.with_endpoints(sources, destinations)))
}

/// The same for records whose ids stand for names.
fn with_named_endpoints(records: Records<u64>, names: Interner) -> (VertexIds, Records<u32>) {
    let (ids, vertices) = VertexIds::from_names(names);
    let dense = |ids: &[u64]| ids.iter().map(|&id| vertices[id as usize]).collect();
    let (sources, destinations) = (dense(&records.sources), dense(&records.destinations));
    (ids, records.with_endpoints(sources, destinations))
}
