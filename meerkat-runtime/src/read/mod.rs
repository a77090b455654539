//! Readers for graph files.
//!
//! The path of the data, one type per stage and one file per type:
//!
//! ```text
//! path -> Contents -> Format -> Line -> Record -> GraphFile -> SimpleGraph
//! ```
//!
//! [`read`] keeps every record in file order: self-loops, repeats and unsorted
//! times included. [`GraphFile::simple`] makes the simple graph of it; a
//! [`Timeline`] lets the records of a temporal graph come and go.
//!
//! | format | recognised by | vertices | columns |
//! | --- | --- | --- | --- |
//! | [`Format::MatrixMarket`] | `%%MatrixMarket` banner, `.mtx` | `1..=N` | `u v` or `u v w` |
//! | [`Format::Dimacs`] | `c`, `p` or `a` line, `.gr` | `1..=n` | `a u v w` |
//! | [`Format::Ldbc`] | `.e` | the `.v` file beside it | `u v` or `u v w` |
//! | [`Format::Csv`] | `.csv` | ids that occur | `u,v`, `u,v,w` or `u,v,w,t` |
//! | [`Format::Snap`] | anything else | ids that occur | `u v`, `u v t` (in a `.wel` file `u v w`) or `u v w t` |
//!
//! The content decides before the name does. Every file may be gzip, which is
//! recognised by its first bytes; `.gz` in a name is ignored.

mod contents;
mod declared;
mod dimacs;
mod edge_list;
mod error;
mod format;
mod graph_file;
mod ldbc;
mod lines;
mod matrix_market;
mod number;
mod record;
mod simple;
mod timeline;
mod vertex_ids;

#[cfg(test)]
mod tests;

use std::path::Path;

pub use self::contents::Progress;
pub use self::error::{Place, ReadError};
pub use self::format::Format;
pub use self::graph_file::GraphFile;
pub use self::simple::{Direction, Duplicates, SimpleGraph};
pub use self::timeline::Timeline;
pub use self::vertex_ids::{MAX_VERTICES, VertexIds};

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
/// spread over a range much larger than the number of records.
pub fn read(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<GraphFile, ReadError> {
    let companions = ldbc::Companions::beside(path);
    let mut loader = contents::Loader::new(progress);
    loader.expect(path);
    companions.paths().for_each(|companion| loader.expect(companion));

    let contents = loader.load(path)?;
    match format::recognise(&contents)? {
        format @ (Format::Snap | Format::Csv) => edge_list::parse(contents, format),
        Format::MatrixMarket => matrix_market::parse(&contents),
        Format::Dimacs => dimacs::parse(&contents),
        Format::Ldbc => ldbc::parse(&contents, &companions, &mut loader),
    }
}
