//! The command line, from what the user typed to what is printed:
//!
//! ```text
//! Args -> Plan -> run_* | bench_* | generate | info | show -> String -> output
//!              -> stream -> a line a batch -> output
//! ```
//!
//! Only `output` prints: a command returns its whole text, or as a stream hands it
//! line after line.
//! Exit codes: 0 done, 1 the device or the program failed, 2 bad usage or bad
//! input.

mod args;
mod bench_answers;
mod bench_graph;
mod bench_memory;
mod bench_report;
mod bench_updates;
mod bfs_report;
mod device;
mod failure;
mod generate;
mod graph_source;
mod graph_writer;
mod info;
mod input;
mod input_report;
mod memory;
mod output;
mod output_file;
mod plan;
mod progress;
mod report;
mod run_bfs;
mod run_sssp;
mod run_whole;
mod show;
mod source;
mod stream;
mod stream_report;
mod timed;
mod timing;
mod vertex_file;
mod weights;
mod whole_results;

use std::process::ExitCode;

use self::args::Args;
use self::failure::Failure;
use self::output::Lines;
use self::plan::Plan;

/// Runs the command and gives its exit code.
pub(crate) fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    let args = match Args::from_words(&words) {
        Ok(args) => args,
        Err(message) => return output::usage(&message),
    };
    let plan = args.into_plan();
    match run(&plan) {
        Ok(text) if plan.writes_to_stdout() => output::beside_results(&text),
        Ok(text) => output::success(&text),
        Err(failure) => output::failure(&failure),
    }
}

fn run(plan: &Plan) -> Result<String, Failure> {
    match plan {
        Plan::RunBfs(plan) => run_bfs::run(plan),
        Plan::RunSssp(plan) => run_sssp::run(plan),
        Plan::Stream(plan) => stream::run(plan, &mut Lines::new()).map(|()| String::new()),
        Plan::RunWcc(plan) => run_whole::run_wcc(plan),
        Plan::RunTriangles(plan) => run_whole::run_triangles(plan),
        Plan::RunPageRank(plan) => run_whole::run_pagerank(plan),
        Plan::BenchUpdates(plan) => bench_updates::run(plan),
        Plan::BenchMemory(plan) => bench_memory::run(plan),
        Plan::Generate(plan) => generate::run(plan),
        Plan::BenchAnswers(plan) => bench_answers::run(plan),
        Plan::Info(format) => Ok(info::run(*format)),
        Plan::Show(plan) => show::run(plan),
    }
}
