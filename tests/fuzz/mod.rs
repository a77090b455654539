//! A differential fuzzer of the Meerkat language.
//!
//! ```text
//! seed --generate--> language::Kernel --print-----> Rust source --rustc--> both back ends
//!                                     \--interpret-> expected memory        |
//! seed --memory----> inputs ----------------------------------------------- + --> compared
//! ```
//!
//! Nothing in here uses `meerkat-macros` or `meerkat-runtime`: what a kernel
//! means is written a second time, from docs/LANGUAGE.md.

#![allow(dead_code)] // The driver and the generated crates use different parts.
#![allow(unreachable_pub, missing_docs)] // A module of programs, not of a library.

pub mod generate;
pub mod interpret;
pub mod language;
pub mod memory;
pub mod print;
pub mod random;

pub use generate::kernel;
