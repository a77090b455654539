//! What the columns of an edge list mean: whose word counts, and what columns without names are.

use super::column::{Column, Columns};
use super::comments::{self, Comments};
use super::error::ReadError;
use super::fields::Separator;
use super::format::{Format, ending};
use super::header;
use super::label::IdKind;
use super::lines::Line;
use super::options::ReadOptions;
use super::origin::Origin;
use super::record::{ColumnRule, column_error, count_error};

const RECORD_EXPECTED: &str = "a record has 2 to 4: source, target, weight or time, time; \
     `--columns` says what others mean";

/// What the columns mean, and who says so.
pub(super) struct Meaning {
    pub(super) columns: Columns,
    pub(super) origin: Origin,
    pub(super) rule: ColumnRule,
}

impl Meaning {
    /// What somebody says: the caller comes first, then a line of names, then a comment,
    /// if it names as many columns as the first record has.
    pub(super) fn given(
        header: Option<(Columns, u64)>,
        comments: &Comments<'_>,
        count: usize,
        options: &ReadOptions,
    ) -> Option<Self> {
        if let Some(columns) = options.columns.clone() {
            return Some(Self { columns, origin: Origin::Option, rule: ColumnRule::Option });
        }
        let by_comment = || {
            let comment = comments.last.as_ref()?;
            let names = comments::without_marks(comment);
            Some((header::columns_of_comment(&names, count)?, comment.number))
        };
        let (columns, line) = header.or_else(by_comment)?;
        Some(Self { columns, origin: Origin::Header, rule: ColumnRule::Header(line) })
    }

    /// What columns without names mean.
    pub(super) fn by_place(
        first: &Line<'_>,
        separator: Separator,
        ids: IdKind,
        is_konect: bool,
        format: Format,
    ) -> Result<Self, ReadError> {
        let fields = first.fields(separator);
        let count = fields.clone().count();
        let third_is_weight = format == Format::Csv || ending(first.path) == "wel" || is_konect;
        let further: &[Column] = match (count, ids) {
            (2, _) => &[],
            (3, _) if third_is_weight => &[Column::Weight],
            (3, _) => &[Column::Time],
            (4, _) => &[Column::Weight, Column::Time],
            (_, IdKind::Numbers) => {
                return Err(column_error(first, fields, RECORD_EXPECTED.to_owned()));
            }
            (_, IdKind::Text) => {
                return Err(count_error(first, fields, RECORD_EXPECTED.to_owned()));
            }
        };
        let origin = match (count, is_konect) {
            (2, _) => Origin::Format,
            (_, true) => Origin::Header,
            _ if ending(first.path) == "wel" => Origin::Format,
            _ => Origin::Default,
        };
        let columns = Columns::endpoints_and(further);
        Ok(Self { columns, origin, rule: ColumnRule::FirstRecord(first.number) })
    }
}
