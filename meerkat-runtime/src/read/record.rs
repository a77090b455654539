//! One record of a file: two endpoints, perhaps a weight and a time.

use super::column::{Column, Columns};
use super::error::{ReadError, quote};
use super::fields::{Fields, Quoting, Separator};
use super::label::IdKind;
use super::limits::MAX_VERTICES;
use super::lines::Line;
use super::names::Interner;
use super::number::{Flaw, is_number, parse_id, parse_weight};
use super::time::{Time, TimeUnit, parse_time};

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
    /// `None` in formats whose fields are words.
    pub separator: Option<Separator>,
    pub rule: ColumnRule,
    pub ids: IdKind,
    pub time_unit: TimeUnit,
}

/// Reads the ids of records.
pub(super) trait ReadId {
    /// The id in a field, or a number that stands for it.
    fn read_id(&mut self, field: &[u8], quoting: Quoting) -> Result<u64, Flaw>;
}

/// Ids that are numbers.
pub(super) struct NumberIds;

impl ReadId for NumberIds {
    #[inline]
    fn read_id(&mut self, field: &[u8], _: Quoting) -> Result<u64, Flaw> {
        parse_id(field)
    }
}

impl ReadId for Interner {
    fn read_id(&mut self, field: &[u8], quoting: Quoting) -> Result<u64, Flaw> {
        self.read(field, quoting)
    }
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
        let (ids, time_unit) = (IdKind::Numbers, TimeUnit::default());
        Self { columns, separator: None, rule, ids, time_unit }
    }

    /// Reads the record on `line`, whose ids are numbers.
    #[inline]
    pub(super) fn parse(&self, line: &Line<'_>) -> Result<Record, ReadError> {
        self.parse_with(line, &mut NumberIds)
    }

    /// Reads the record on `line`.
    #[inline]
    pub(super) fn parse_with(
        &self,
        line: &Line<'_>,
        ids: &mut impl ReadId,
    ) -> Result<Record, ReadError> {
        self.parse_fields(self.fields(line), ids).map_err(|fault| self.explain(line, fault))
    }

    /// Whether a line has as many fields as a record.
    pub(super) fn has_its_columns(&self, line: &Line<'_>) -> bool {
        self.fields(line).count() == self.columns.as_slice().len()
    }

    #[inline]
    fn fields<'a>(&self, line: &Line<'a>) -> Fields<'a> {
        self.separator.map_or_else(|| line.words(), |separator| line.fields(separator))
    }

    #[inline]
    fn parse_fields<'a>(
        &self,
        mut fields: Fields<'a>,
        ids: &mut impl ReadId,
    ) -> Result<Record, Fault<'a>> {
        let mut record = Record::default();
        for column in self.columns.as_slice() {
            let field = fields.next().ok_or(Fault::ColumnCount)?;
            let fault = |role| move |flaw| Fault::Field { field, role, flaw };
            match column {
                Column::Source => {
                    let id = ids.read_id(field, fields.quoting());
                    record.source = id.map_err(fault(Role::Id))?;
                }
                Column::Target => {
                    let id = ids.read_id(field, fields.quoting());
                    record.destination = id.map_err(fault(Role::Id))?;
                }
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
        let fields = self.fields(line);
        let expected = self.rule.expectation(&self.columns);
        let misses_columns = fields.clone().count() != self.columns.as_slice().len();
        match fault {
            // All are numbers, but one is not in its place.
            Fault::Field { .. } if misses_columns && fields.clone().all(is_number) => {}
            Fault::Field { field, role, flaw } => return role.error(line, field, flaw),
            // Columns with names may hold text, if they are skipped.
            Fault::ColumnCount if self.rule.gives_names() || self.ids == IdKind::Text => {
                return count_error(line, fields, expected);
            }
            Fault::ColumnCount => {}
        }
        column_error(line, fields, expected)
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
pub(super) fn column_error(line: &Line<'_>, fields: Fields<'_>, expected: String) -> ReadError {
    match fields.clone().find(|field| !is_number(field)) {
        Some(text) => Role::Number.error(line, text, Flaw::NotANumber),
        None => count_error(line, fields, expected),
    }
}

/// The same, where text among the columns is right.
pub(super) fn count_error(line: &Line<'_>, fields: Fields<'_>, expected: String) -> ReadError {
    let (place, found) = (line.place(), line.quote());
    ReadError::ColumnCount { place, columns: fields.count(), found, expected }
}

/// Reads a vertex id that is alone on its line.
pub(super) fn parse_lone_id(line: &Line<'_>) -> Result<u64, ReadError> {
    if line.text.iter().any(u8::is_ascii_whitespace) {
        let expected = "a vertex file has one, the id".to_owned();
        return Err(column_error(line, line.words(), expected));
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
                "a vertex id (a whole number from 0; for names in an edge list, give \
                 `--ids text` (`ReadOptions::ids`))"
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
            (Self::Id, Flaw::TooMany) => {
                ReadError::TooManyVertices { place, vertices: MAX_VERTICES + 1 }
            }
            (Self::Id, Flaw::Text(flaw)) => {
                ReadError::TextId { place, found, reason: flaw.reason() }
            }
            _ => ReadError::NotANumber { place, found, expected: self.expectation() },
        }
    }
}
