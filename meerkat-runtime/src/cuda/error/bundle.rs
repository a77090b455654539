//! What can be wrong with a bundle of kernels.

use std::io;

/// What is wrong with the file of a bundle.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleFault {
    /// The operating system refused it.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is the file of something else.
    #[error("this is no bundle of kernels")]
    NotABundle,
    /// Another version of Meerkat wrote it in another way.
    #[error("its layout has the version {found}, and this program reads version {expected}")]
    OtherLayout {
        /// The version of its layout.
        found: u32,
        /// The one that is read.
        expected: u32,
    },
    /// Bytes are missing, or not those that were written.
    #[error("it is damaged: bytes are missing or have changed")]
    Damaged,
}
