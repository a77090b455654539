//! Meerkat: dynamic graph algorithms on GPUs, written in Rust.
//!
//! An operator is an ordinary-looking Rust function. A procedural macro checks
//! it and turns it into two programs: CUDA C++, which is compiled at run time
//! for the GPU at hand, and native Rust, which executes the same warps in lock
//! step on the CPU.
//!
//! | module | what |
//! | --- | --- |
//! | [`prelude`] | what a program that writes an operator imports |
//! | [`runtime`] | devices, the language's types, the slab graph, graph readers |
//! | [`testing`] | for tests of operators: do they compile for every GPU? |
//! | [`algos`] | the algorithms: operators and the loops around them |
//! | [`manual`] | two pages of the book in `docs/`: the language, and a crate of your own |
//!
//! The `meerkat` command runs the algorithms on graph files.

pub use meerkat_algos as algos;
pub use meerkat_runtime as runtime;
pub use meerkat_runtime::testing;

/// What a program that writes an operator imports.
pub mod prelude {
    pub use meerkat_runtime::prelude::*;
}

/// Two pages of the book in `docs/`. They stand alone here, so they link to no other page.
pub mod manual {
    #[cfg_attr(not(doctest), doc = include_str!("../docs/LANGUAGE.md"))]
    pub mod language {}

    #[allow(clippy::test_attr_in_doctest, reason = "the page is about tests")]
    #[cfg_attr(not(doctest), doc = include_str!("../docs/YOUR_CRATE.md"))]
    pub mod your_crate {}
}

/// The examples of docs/PAPERS.md, which `cargo test --doc` compiles and runs. Snippets of the
/// other pages are parts of programs in `tests/book/` and `examples/`.
#[cfg(doctest)]
#[doc = include_str!("../docs/PAPERS.md")]
mod papers {}
