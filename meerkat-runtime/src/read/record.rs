//! One record of a file: two endpoints, perhaps a weight and a time.

use super::error::{ReadError, quote};
use super::lines::{Fields, Line, Separator};
use super::number::{Flaw, is_number, parse_id, parse_time, parse_weight};

/// The columns of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    Endpoints,
    Weight,
    Time,
    WeightAndTime,
}

impl Columns {
    pub(super) fn count(self) -> usize {
        match self {
            Self::Endpoints => 2,
            Self::Weight | Self::Time => 3,
            Self::WeightAndTime => 4,
        }
    }

    fn has_weight(self) -> bool {
        matches!(self, Self::Weight | Self::WeightAndTime)
    }

    fn has_time(self) -> bool {
        matches!(self, Self::Time | Self::WeightAndTime)
    }
}

/// Who says how many columns a record has.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColumnRule {
    /// The format; the text completes an error message.
    Format(&'static str),
    /// The first record, on this line.
    FirstRecord(u64),
}

/// How the records of one file are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub columns: Columns,
    pub separator: Separator,
    pub rule: ColumnRule,
}

/// One parsed record. A column that the layout lacks is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Record {
    pub source: u64,
    pub destination: u64,
    pub weight: f64,
    pub time: i64,
}

impl Layout {
    /// Reads the record on `line`.
    #[inline]
    pub(super) fn parse(&self, line: &Line<'_>) -> Result<Record, ReadError> {
        self.parse_fields(line.fields(self.separator)).map_err(|fault| self.explain(line, fault))
    }

    #[inline]
    fn parse_fields<'a>(&self, mut fields: Fields<'a>) -> Result<Record, Fault<'a>> {
        let source = parse_next(&mut fields, Role::Id, parse_id)?;
        let destination = parse_next(&mut fields, Role::Id, parse_id)?;
        let mut record = Record { source, destination, weight: 0.0, time: 0 };
        if self.columns.has_weight() {
            record.weight = parse_next(&mut fields, Role::Weight, parse_weight)?;
        }
        if self.columns.has_time() {
            record.time = parse_next(&mut fields, Role::Time, parse_time)?;
        }
        if fields.next().is_some() {
            return Err(Fault::ColumnCount);
        }
        Ok(record)
    }

    #[cold]
    fn explain(&self, line: &Line<'_>, fault: Fault<'_>) -> ReadError {
        let fields = line.fields(self.separator);
        let misses_columns = fields.clone().count() != self.columns.count();
        match fault {
            // All are numbers, but one is not in its place.
            Fault::Field { .. } if misses_columns && fields.clone().all(is_number) => {}
            Fault::Field { field, role, flaw } => return role.error(line, field, flaw),
            Fault::ColumnCount => {}
        }
        column_error(line, self.separator, self.rule.expectation(self.columns))
    }
}

impl ColumnRule {
    fn expectation(self, columns: Columns) -> String {
        match self {
            Self::Format(expected) => expected.to_owned(),
            Self::FirstRecord(line) => format!(
                "the first record, on line {line}, has {}, and all must have as many",
                columns.count()
            ),
        }
    }
}

/// The error for a line with the wrong number of columns; `expected` is the way
/// out. Text among the columns is reported first, as the likelier cause.
pub(super) fn column_error(line: &Line<'_>, separator: Separator, expected: String) -> ReadError {
    let fields = line.fields(separator);
    match fields.clone().find(|field| !is_number(field)) {
        Some(text) => Role::Number.error(line, text, Flaw::NotANumber),
        None => ReadError::ColumnCount {
            place: line.place(),
            columns: fields.count(),
            found: line.quote(),
            expected,
        },
    }
}

/// Reads a vertex id that is alone on its line.
pub(super) fn parse_lone_id(line: &Line<'_>) -> Result<u64, ReadError> {
    if line.text.iter().any(u8::is_ascii_whitespace) {
        let expected = "a vertex file has one, the id".to_owned();
        return Err(column_error(line, Separator::Blank, expected));
    }
    parse_id(line.text).map_err(|flaw| Role::Id.error(line, line.text, flaw))
}

/// What is wrong with a line; small, since every line may return one.
enum Fault<'a> {
    ColumnCount,
    Field { field: &'a [u8], role: Role, flaw: Flaw },
}

#[derive(Clone, Copy)]
enum Role {
    Id,
    Weight,
    Time,
    Number,
}

impl Role {
    fn expectation(self) -> &'static str {
        match self {
            Self::Id => "a vertex id (a whole number from 0)",
            Self::Weight => "a weight (a finite number)",
            Self::Time => {
                "a time (a whole number of 64 bits; weights in a third column \
                 need the ending `.wel` or `.csv`)"
            }
            Self::Number => "a number",
        }
    }

    fn error(self, line: &Line<'_>, field: &[u8], flaw: Flaw) -> ReadError {
        // An empty field between two commas says nothing, so show the line.
        let found = quote(if field.is_empty() { line.text } else { field });
        let place = line.place();
        match (self, flaw) {
            (Self::Id, Flaw::Negative) => ReadError::NegativeId { place, found },
            (Self::Id, Flaw::TooLarge) => ReadError::IdTooLarge { place, found },
            (Self::Weight, Flaw::NotFinite) => ReadError::NonFiniteWeight { place, found },
            _ => ReadError::NotANumber { place, found, expected: self.expectation() },
        }
    }
}

#[inline]
fn parse_next<'a, T>(
    fields: &mut Fields<'a>,
    role: Role,
    parse: fn(&[u8]) -> Result<T, Flaw>,
) -> Result<T, Fault<'a>> {
    let field = fields.next().ok_or(Fault::ColumnCount)?;
    parse(field).map_err(|flaw| Fault::Field { field, role, flaw })
}

/// The records of a file as columns. `V` is an id of the file (`u64`) until the
/// vertices are known, and a dense vertex index (`u32`) from then on.
pub(super) struct Records<V> {
    pub sources: Vec<V>,
    pub destinations: Vec<V>,
    pub weights: Option<Vec<f64>>,
    pub times: Option<Vec<i64>>,
}

impl<V> Records<V> {
    pub(super) fn with_capacity(columns: Columns, records: usize) -> Self {
        Self {
            sources: Vec::with_capacity(records),
            destinations: Vec::with_capacity(records),
            weights: columns.has_weight().then(|| Vec::with_capacity(records)),
            times: columns.has_time().then(|| Vec::with_capacity(records)),
        }
    }

    /// Appends `record` with its endpoints given as `source` and `destination`.
    #[inline]
    pub(super) fn push(&mut self, source: V, destination: V, record: &Record) {
        self.sources.push(source);
        self.destinations.push(destination);
        if let Some(weights) = &mut self.weights {
            weights.push(record.weight);
        }
        if let Some(times) = &mut self.times {
            times.push(record.time);
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.sources.len() as u64
    }
}
