//! Readers for graph files.
//!
//! The path of the data, one type per stage and one file per type:
//!
//! ```text
//! path -> Contents -> Format -> Line -> Record -> GraphFile -> SimpleGraph
//! ```
//!
//! [`read`] keeps every record in file order: self-loops, repeats and unsorted
//! times included; [`ReadOptions`] says what content and name do not. [`GraphFile::simple`] makes the simple graph of it; a
//! [`Timeline`](crate::timeline::Timeline) lets the records of a temporal graph come and go.
//!
//! | format | recognised by | vertices | columns |
//! | --- | --- | --- | --- |
//! | [`Format::MatrixMarket`] | `%%MatrixMarket` banner, `.mtx` | `1..=N` | `u v` or `u v w` |
//! | [`Format::Dimacs`] | `c`, `p` or `a` line, `.gr` | `1..=n` | `a u v w` |
//! | [`Format::Metis`] | `.graph`, `.metis` | `1..=n` | line `u` lists its neighbours |
//! | [`Format::Graphalytics`] | `.e` | the `.v` file beside it | `u v` or `u v w` |
//! | [`Format::Csv`] | `.csv`, `.tsv` | ids that occur | as its header says, else `u,v`, `u,v,w` or `u,v,w,t` |
//! | [`Format::EdgeList`] | anything else | ids that occur | as its header says, else `u v`, `u v t` (in `.wel` and KONECT files `u v w`) or `u v w t` |
//!
//! Ids are numbers, and in edge lists and CSV files perhaps text (`alice bob 3`), if
//! [`ReadOptions::ids`] or the first record says so; quotes protect what they hold
//! (`"Smith, Alice",bob`), and an id in the first column that starts with `#` or `%` needs
//! them. [`VertexIds`] leads from vertices to ids and back.
//!
//! The content decides before the name does. Every file may be gzip, which is
//! recognised by its first bytes; `.gz` in a name is ignored.

mod column;
mod comments;
mod contents;
mod declared;
mod dimacs;
mod dispatch;
mod edge_list;
mod error;
mod fields;
mod format;
mod graph_file;
mod graphalytics;
mod header;
mod label;
mod limits;
mod lines;
mod matrix_market;
mod meaning;
mod metis;
mod names;
mod number;
mod options;
mod origin;
mod recognise;
mod record;
mod records;
mod simple;
mod time;
mod vertex_ids;

#[cfg(test)]
mod tests;

use std::path::Path;

pub use self::column::{Column, Columns, ColumnsError};
pub use self::contents::Progress;
pub use self::error::{Place, ReadError};
pub use self::fields::Separator;
pub use self::format::Format;
pub use self::graph_file::GraphFile;
pub use self::label::{IdKind, Label};
pub use self::limits::MAX_VERTICES;
pub use self::options::ReadOptions;
pub use self::origin::Origin;
pub use self::simple::{Duplicates, SimpleGraph};
pub use self::time::{TimeScale, TimeUnit};
pub use self::vertex_ids::VertexIds;

/// Reads the graph file at `path`, plain or gzip, whatever its format.
///
/// `progress` is called about every MiB of file read and once at the end of
/// each file; parsing, which follows, is not counted.
///
/// # Errors
///
/// A [`ReadError`] when the file cannot be read or breaks a rule of its format.
///
/// # Cost
///
/// Holds the decompressed content and 8 to 40 bytes a record in memory. Time
/// is linear in the content, plus `O(records * log(vertices))` when the ids are
/// spread over a range much larger than the number of records. Ids that are text are
/// hashed, and sorted at the end; meanwhile each name takes some 20 bytes more than its
/// length.
pub fn read(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<GraphFile, ReadError> {
    ReadOptions::default().read(path, progress)
}
