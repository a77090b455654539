//! How a file is to be read, where its content does not say.

use super::column::Columns;
use super::fields::Separator;
use super::format::Format;
use super::label::IdKind;
use super::time::TimeUnit;

/// How a graph file is to be read. What is not given is recognised.
///
/// ```no_run
/// use meerkat_runtime::read::{Format, ReadOptions};
///
/// let options = ReadOptions {
///     format: Some(Format::EdgeList),
///     columns: Some("source,target,-,time".parse()?),
///     ..ReadOptions::default()
/// };
/// let graph = options.read("messages.txt".as_ref(), &mut |_| {})?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, in place of the one that content and name tell.
    pub format: Option<Format>,
    /// The meaning of the columns of an edge list or CSV file, in place of what its
    /// header or its format says.
    pub columns: Option<Columns>,
    /// What separates the columns of an edge list or CSV file; recognised by its first
    /// record if not given.
    pub separator: Option<Separator>,
    /// Whether the first line of an edge list or CSV file that is no comment names the
    /// columns. If not given, a line does that has several fields, none of them a number
    /// or a date; where ids may be text, only if all names are known or it cannot be a
    /// record.
    pub header: Option<bool>,
    /// What the ids of an edge list or CSV file are. If not given, they are numbers,
    /// unless both ids of the first record are other words: then all ids of the file are
    /// text.
    pub ids: Option<IdKind>,
    /// The unit of a column of times; seconds if not given.
    pub time_unit: Option<TimeUnit>,
    /// Do not read times: whatever a time column holds, it refuses no file.
    pub skip_times: bool,
}
