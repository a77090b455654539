//! What needs cargo, rustc or the source tree: the messages for mistakes, the fuzzer, the
//! mutants, the tables of lines.

#[path = "../fuzz/mod.rs"]
mod fuzz;
mod fuzz_smoke;
#[path = "../mutation/mod.rs"]
#[allow(dead_code, reason = "planting them is the program's")]
mod mutation;
mod mutation_list;
mod papers;
#[path = "../fuzz/project.rs"]
mod project;
mod refused;
mod rooms;
#[path = "../support/mod.rs"]
mod support;
