//! One record of a file: two endpoints, perhaps a weight and a time.

use super::column::{Column, Columns};
use super::error::{ReadError, quote};
use super::lines::{Fields, Line, Separator};
use super::number::{Flaw, is_number, parse_id, parse_weight};
use super::time::{Time, TimeScale, TimeTooLarge, TimeUnit, Times, parse_time};

/// Who says how many columns a record has.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColumnRule {
    /// The format; the text completes an error message.
    Format(&'static str),
    /// The first record, on this line.
    FirstRecord(u64),
    /// The header, on this line.
    Header(u64),
    /// The caller.
    Option,
}

/// How the records of one file are written.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub columns: Columns,
    pub separator: Separator,
    pub rule: ColumnRule,
    pub time_unit: TimeUnit,
}

/// One parsed record. A column that the layout lacks is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Record {
    pub source: u64,
    pub destination: u64,
    pub weight: f64,
    pub time: Time,
}

impl Record {
    /// The record from `vertex` to a neighbour that a line lists, with its weight.
    #[inline]
    pub(super) fn of_neighbor(
        line: &Line<'_>,
        vertex: u64,
        neighbor: &[u8],
        weight: Option<&[u8]>,
    ) -> Result<Self, ReadError> {
        let error = |role: Role, field| move |flaw| role.error(line, field, flaw);
        let destination = parse_id(neighbor).map_err(error(Role::Id, neighbor))?;
        let weight = match weight {
            Some(weight) => parse_weight(weight).map_err(error(Role::Weight, weight))?,
            None => 0.0,
        };
        Ok(Self { source: vertex, destination, weight, time: Time::default() })
    }
}

impl Layout {
    /// Of records with these columns, between blanks.
    pub(super) fn of_format(columns: Columns, expected: &'static str) -> Self {
        let rule = ColumnRule::Format(expected);
        Self { columns, separator: Separator::Blank, rule, time_unit: TimeUnit::default() }
    }

    /// Reads the record on `line`.
    #[inline]
    pub(super) fn parse(&self, line: &Line<'_>) -> Result<Record, ReadError> {
        self.parse_fields(line.fields(self.separator)).map_err(|fault| self.explain(line, fault))
    }

    #[inline]
    fn parse_fields<'a>(&self, mut fields: Fields<'a>) -> Result<Record, Fault<'a>> {
        let mut record = Record::default();
        for column in self.columns.as_slice() {
            let field = fields.next().ok_or(Fault::ColumnCount)?;
            let fault = |role| move |flaw| Fault::Field { field, role, flaw };
            match column {
                Column::Source => record.source = parse_id(field).map_err(fault(Role::Id))?,
                Column::Target => record.destination = parse_id(field).map_err(fault(Role::Id))?,
                Column::Weight => {
                    record.weight = parse_weight(field).map_err(fault(Role::Weight))?;
                }
                Column::Time => {
                    record.time = parse_time(field, self.time_unit).map_err(fault(Role::Time))?;
                }
                Column::Skipped => {}
            }
        }
        if fields.next().is_some() {
            return Err(Fault::ColumnCount);
        }
        Ok(record)
    }

    #[cold]
    fn explain(&self, line: &Line<'_>, fault: Fault<'_>) -> ReadError {
        let fields = line.fields(self.separator);
        let misses_columns = fields.clone().count() != self.columns.as_slice().len();
        match fault {
            // All are numbers, but one is not in its place.
            Fault::Field { .. } if misses_columns && fields.clone().all(is_number) => {}
            Fault::Field { field, role, flaw } => return role.error(line, field, flaw),
            // Columns with names may hold text, if they are skipped.
            Fault::ColumnCount if self.rule.gives_names() => {
                return count_error(line, self.separator, self.rule.expectation(&self.columns));
            }
            Fault::ColumnCount => {}
        }
        column_error(line, self.separator, self.rule.expectation(&self.columns))
    }
}

impl ColumnRule {
    fn gives_names(self) -> bool {
        matches!(self, Self::Header(_) | Self::Option)
    }

    fn expectation(self, columns: &Columns) -> String {
        let count = columns.as_slice().len();
        match self {
            Self::Format(expected) => expected.to_owned(),
            Self::FirstRecord(line) => {
                format!("the first record, on line {line}, has {count}, and all must have as many")
            }
            Self::Header(line) => {
                format!("the header, on line {line}, names {count}; `--columns` says it otherwise")
            }
            Self::Option => format!("`--columns {columns}` names {count}; give all of them"),
        }
    }
}

/// The error for a line with the wrong number of columns; `expected` is the way
/// out. Text among the columns is reported first, as the likelier cause.
pub(super) fn column_error(line: &Line<'_>, separator: Separator, expected: String) -> ReadError {
    let fields = line.fields(separator);
    match fields.clone().find(|field| !is_number(field)) {
        Some(text) => Role::Number.error(line, text, Flaw::NotANumber),
        None => count_error(line, separator, expected),
    }
}

fn count_error(line: &Line<'_>, separator: Separator, expected: String) -> ReadError {
    ReadError::ColumnCount {
        place: line.place(),
        columns: line.fields(separator).count(),
        found: line.quote(),
        expected,
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
            Self::Id => {
                "a vertex id (a whole number from 0; number the vertices if they have names)"
            }
            Self::Weight => "a weight (a finite number)",
            Self::Time => {
                "a time (a number or an ISO 8601 date; `--columns source,target,weight` reads \
                 weights)"
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
            (Self::Time, Flaw::TooLarge) => ReadError::TimeTooLarge { place, found },
            (Self::Weight, Flaw::NotFinite) => ReadError::NonFiniteWeight { place, found },
            _ => ReadError::NotANumber { place, found, expected: self.expectation() },
        }
    }
}

/// The records of a file as columns. `V` is an id of the file (`u64`) until the
/// vertices are known, and a dense vertex index (`u32`) from then on.
pub(super) struct Records<V> {
    pub sources: Vec<V>,
    pub destinations: Vec<V>,
    pub weights: Option<Vec<f64>>,
    times: Option<Times>,
}

impl<V> Records<V> {
    pub(super) fn with_capacity(layout: &Layout, records: usize) -> Self {
        let has = |column| layout.columns.has(column);
        Self {
            sources: Vec::with_capacity(records),
            destinations: Vec::with_capacity(records),
            weights: has(Column::Weight).then(|| Vec::with_capacity(records)),
            times: has(Column::Time).then(|| Times::with_capacity(layout.time_unit, records)),
        }
    }

    /// Appends the record of `line` with its endpoints given as `source` and
    /// `destination`.
    #[inline]
    pub(super) fn push(
        &mut self,
        line: &Line<'_>,
        source: V,
        destination: V,
        record: &Record,
    ) -> Result<(), ReadError> {
        self.sources.push(source);
        self.destinations.push(destination);
        if let Some(weights) = &mut self.weights {
            weights.push(record.weight);
        }
        if let Some(times) = &mut self.times {
            times.push(record.time).map_err(|TimeTooLarge| ReadError::TimeTooLarge {
                place: line.place(),
                found: line.quote(),
            })?;
        }
        Ok(())
    }

    pub(super) fn len(&self) -> u64 {
        self.sources.len() as u64
    }

    /// What 1 means in [`Records::times`].
    pub(super) fn time_scale(&self) -> TimeScale {
        self.times.as_ref().map_or_else(TimeScale::default, |times| times.scale)
    }

    /// The same records, with other endpoints.
    pub(super) fn with_endpoints<U>(self, sources: Vec<U>, destinations: Vec<U>) -> Records<U> {
        Records { sources, destinations, weights: self.weights, times: self.times }
    }

    /// The times of the records, where they have times.
    pub(super) fn times(self) -> Option<Vec<i64>> {
        self.times.map(|times| times.values)
    }
}
