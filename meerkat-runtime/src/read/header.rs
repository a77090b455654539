//! The line of column names of an edge list.

use super::column::{Column, Columns, ColumnsError};
use super::error::{ReadError, quote};
use super::fields::Separator;
use super::label::IdKind;
use super::lines::Line;
use super::number::is_number;
use super::options::ReadOptions;
use super::time::is_date;

/// Most columns that a message spells out.
const SUGGESTED: usize = 16;

/// Whether the first line of data names columns, and is no record. `second` is the line
/// after it.
///
/// # Errors
///
/// [`ReadError::HeaderInDoubt`] if it may be either.
pub(super) fn is_header(
    first: &Line<'_>,
    second: Option<&Line<'_>>,
    options: &ReadOptions,
) -> Result<bool, ReadError> {
    if let Some(is_header) = options.header {
        return Ok(is_header);
    }
    let separator = options.separator.unwrap_or_else(|| Separator::of(first));
    if !has_words_only(first, separator) {
        return Ok(false);
    }
    if options.ids == Some(IdKind::Numbers) || are_column_names(first, separator) {
        return Ok(true);
    }
    // It may be a record whose ids are text, but not one with a weight or a time.
    let names = names(first, separator);
    let lacks_number = match &options.columns {
        Some(columns) => columns.has(Column::Weight) || columns.has(Column::Time),
        None => names.len() != 2,
    };
    if lacks_number {
        return Ok(true);
    }
    let before_numbers = second.is_some_and(|second| {
        let [source, target] = endpoints(second, options, options.columns.as_ref());
        [source, target].into_iter().all(|id| id.is_some_and(is_number))
    });
    let has_known_name = names.iter().enumerate().any(|(at, name)| of_name(at, name).is_some());
    match options.ids {
        None if before_numbers => Ok(true),
        _ if before_numbers || has_known_name || options.columns.is_some() => {
            Err(ReadError::HeaderInDoubt { place: first.place(), found: first.quote() })
        }
        _ => Ok(false),
    }
}

/// Whether both ids of a record are words. Names of columns are not: files that were joined
/// repeat them.
pub(super) fn has_text_ids(
    line: &Line<'_>,
    options: &ReadOptions,
    columns: Option<&Columns>,
) -> bool {
    let separator = options.separator.unwrap_or_else(|| Separator::of(line));
    let is_word = |id: Option<&[u8]>| id.is_some_and(|id| !id.is_empty() && !is_number(id));
    endpoints(line, options, columns).into_iter().all(is_word)
        && (options.header == Some(false) || !are_column_names(line, separator))
}

/// The fields of a record that are its source and its target.
fn endpoints<'a>(
    line: &Line<'a>,
    options: &ReadOptions,
    columns: Option<&Columns>,
) -> [Option<&'a [u8]>; 2] {
    let separator = options.separator.unwrap_or_else(|| Separator::of(line));
    let at = |column, usual| match columns {
        Some(columns) => columns.as_slice().iter().position(|&found| found == column),
        None => Some(usual),
    };
    [(Column::Source, 0), (Column::Target, 1)]
        .map(|(column, usual)| line.fields(separator).nth(at(column, usual)?))
}

/// Whether the line has several fields, and none is a number or a date.
fn has_words_only(line: &Line<'_>, separator: Separator) -> bool {
    let mut fields = line.fields(separator).peekable();
    let is_value = |field: &[u8]| is_number(field) || is_date(field);
    let several = fields.next().is_some_and(|first| !is_value(first)) && fields.peek().is_some();
    several && !fields.any(is_value)
}

/// Whether the line names the columns of a graph, all by names that are known.
fn are_column_names(line: &Line<'_>, separator: Separator) -> bool {
    let names = names(line, separator);
    let columns = names.iter().enumerate().map(|(at, name)| of_name(at, name));
    columns.collect::<Option<_>>().is_some_and(|columns| Columns::new(columns).is_ok())
}

/// The columns that a line names.
pub(super) fn columns_of(
    line: &Line<'_>,
    separator: Option<Separator>,
) -> Result<Columns, ReadError> {
    let names = names(line, separator.unwrap_or_else(|| Separator::of(line)));
    let understood: Vec<_> = names.iter().enumerate().map(|(at, name)| of_name(at, name)).collect();
    let columns = match names.iter().zip(&understood).find(|(_, column)| column.is_none()) {
        Some((name, _)) => Err(ColumnsError::Unknown(quote(name.as_bytes()))),
        None => Columns::new(understood.iter().copied().flatten().collect()),
    };
    columns.map_err(|reason| ReadError::ColumnNames {
        place: line.place(),
        found: line.quote(),
        reason,
        suggestion: suggestion(&understood),
    })
}

/// The columns that a comment names, if it does nothing else and records have as many.
pub(super) fn columns_of_comment(line: &Line<'_>, count: usize) -> Option<Columns> {
    let names = names(line, Separator::of(line));
    let columns = names.iter().map(|name| Column::of_name(name)).collect::<Option<Vec<_>>>()?;
    Columns::new(columns).ok().filter(|columns| columns.as_slice().len() == count)
}

fn names(line: &Line<'_>, separator: Separator) -> Vec<String> {
    line.fields(separator).map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// The column of a name. Data frames are written with their index, which has no name, in
/// front.
fn of_name(place: usize, name: &str) -> Option<Column> {
    match (place, name) {
        (0, "" | "Unnamed: 0") => Some(Column::Skipped),
        _ => Column::of_name(name),
    }
}

/// What to write in place of the names: what was understood, in columns that make a graph.
fn suggestion(understood: &[Option<Column>]) -> String {
    let known = understood.iter().map(|column| column.unwrap_or(Column::Skipped)).collect();
    let columns = Columns::new(known).unwrap_or_else(|_| {
        let further = vec![Column::Skipped; understood.len().saturating_sub(2)];
        Columns::endpoints_and(&further)
    });
    match columns.as_slice().len() {
        0..=SUGGESTED => columns.to_string(),
        _ => "source,target,..".to_owned(),
    }
}
