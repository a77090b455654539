//! The line of column names of an edge list.

use super::column::{Column, Columns, ColumnsError};
use super::error::{ReadError, quote};
use super::lines::{Line, Separator};
use super::number::is_number;

/// Most columns that a message spells out.
const SUGGESTED: usize = 16;

/// Whether the line names columns: it has several fields, and none is a number.
pub(super) fn is_column_names(line: &Line<'_>) -> bool {
    let mut fields = line.fields(Separator::of(line)).peekable();
    let several = fields.next().is_some_and(|first| !is_number(first)) && fields.peek().is_some();
    several && !fields.any(is_number)
}

/// The columns that a line names.
pub(super) fn columns_of(line: &Line<'_>) -> Result<Columns, ReadError> {
    let names = names(line);
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
    let columns =
        names(line).iter().map(|name| Column::of_name(name)).collect::<Option<Vec<_>>>()?;
    Columns::new(columns).ok().filter(|columns| columns.as_slice().len() == count)
}

fn names(line: &Line<'_>) -> Vec<String> {
    let fields = line.fields(Separator::of(line));
    fields.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
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
