//! What can be wrong with a column of an Arrow record batch.

/// What is wrong with a column of a record batch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnFault {
    /// There is none of this name.
    #[error("the record batch does not have it: it has {names:?}; name one of these")]
    Missing {
        /// Those that there are.
        names: Vec<String>,
    },
    /// It has another type.
    #[error("it is {found} and must be {expected}; cast it")]
    Type {
        /// What it is.
        found: String,
        /// What it must be.
        expected: String,
    },
    /// It has a null.
    #[error("row {row} is null; fill it or leave the row out")]
    Null {
        /// The row, from 0.
        row: usize,
    },
    /// It names a vertex that is no `u32`.
    #[error("row {row} is {value}, and vertices are numbers from 0 to 2^32 - 1; number them anew")]
    NoVertex {
        /// The row, from 0.
        row: usize,
        /// What it has.
        value: String,
    },
}
