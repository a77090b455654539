//! Which forms of a function are made: all, or in a build for the fuzzer, which has
//! thousands of kernels compiled, those of one back end alone.
//!
//! | form | is for | all | `native-only` | `cuda-only` |
//! | --- | --- | --- | --- | --- |
//! | scalar, assertions | rustc's checks at the user's own tokens | x | | |
//! | lock-step | the CPU back end | x | x | |
//! | text, and the copy that rustc finds its types in | CUDA | x | | x |

/// Whether a kernel gets all. The run-time crate's do, for the host calls its functions.
pub(crate) fn all() -> bool {
    let is_part = cfg!(feature = "native-only") || cfg!(feature = "cuda-only");
    !is_part || std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "meerkat-runtime")
}

pub(crate) fn has_native() -> bool {
    all() || cfg!(feature = "native-only")
}

pub(crate) fn has_cuda() -> bool {
    all() || cfg!(feature = "cuda-only")
}
