//! The type of the numbers that an answer is computed in.

use clap::ValueEnum;

/// Single or double precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Precision {
    F32,
    F64,
}
