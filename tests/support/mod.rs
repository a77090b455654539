//! What the tests share: where files are, and which devices.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_macros,
    reason = "each test file uses a part of it"
)]

pub mod command;
pub mod devices;
pub mod dijkstra;
pub mod expected;
pub mod graphs;
pub mod random;
pub mod ranks;
pub mod streams;

use std::io::Write;
use std::path::{Path, PathBuf};

/// The repository, or what stands for it where the tests run without one.
pub fn root() -> PathBuf {
    match std::env::var_os("MEERKAT_TEST_ROOT") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).to_owned(),
    }
}

/// The small graphs that the repository keeps.
pub fn graphs_folder() -> PathBuf {
    root().join("tests/graphs")
}

/// The large graphs beside the repository, which need not be there.
pub fn data_folder() -> PathBuf {
    root().join("../shared/data")
}

/// Says something that the test harness does not hold back.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Says that a test, or a part of it, does not run here.
pub fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    say(&format!("SKIPPED: {why} ({test})"));
}

/// Says that a test does not run without what `requirement` asks for, and fails
/// it where that variable is 1: `MEERKAT_REQUIRE_CUDA`, `MEERKAT_REQUIRE_NVRTC`.
pub fn skipped_unless(requirement: &str, problem: &str) {
    let required = std::env::var_os(requirement).is_some_and(|value| value == "1");
    assert!(!required, "{requirement}=1, but: {problem}");
    skipped(problem.lines().next().unwrap_or(requirement));
}
