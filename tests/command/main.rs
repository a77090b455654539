//! The `meerkat` command as a user meets it: answers, files, messages and exit codes.

mod algorithms;
mod bench_algorithms;
mod bench_paper;
mod bench_ranks;
mod bench_updates;
mod bundle;
mod input;
mod launch;
mod output;
mod refusals;
mod run;
mod schema;
mod stream;
#[path = "../support/mod.rs"]
mod support;
mod usage;
