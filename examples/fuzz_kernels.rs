//! The differential fuzzer of the language: see `tests/fuzz/README.md`.
//!
//! ```text
//! cargo run --release --example fuzz_kernels -- run --kernels 10000
//! ```

#![allow(clippy::print_stdout)] // A program's output.

#[path = "../tests/fuzz/mod.rs"]
mod fuzz;
#[path = "../tests/fuzz/project.rs"]
mod project;

use clap::Parser;
use project::{Forms, Project, repository, seed_of};
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

#[derive(Debug, Parser)]
#[command(about = "Random kernels on every back end against an interpreter")]
enum Job {
    /// Write a workspace of kernels.
    Generate(Options),
    /// Build a workspace that was written, and run its kernels.
    Check(Options),
    /// Write, build and run, a batch at a time.
    Run(Options),
    /// Print the kernel of a seed.
    Show {
        /// In hexadecimal, as in a report.
        seed: String,
    },
}

#[derive(Clone, Debug, clap::Args)]
struct Options {
    /// Where the choices begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 1000)]
    kernels: usize,
    /// `run` goes on where an earlier one of this seed ended.
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// Kernels in a Rust module.
    #[arg(long, default_value_t = 125)]
    per_module: usize,
    /// Crates in a workspace.
    #[arg(long, default_value_t = 2)]
    parts: usize,
    /// Kernels in a workspace.
    #[arg(long, default_value_t = 1000)]
    batch: usize,
    /// The workspace's folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Another checkout of the repository to test.
    #[arg(long)]
    root: Option<PathBuf>,
    /// A copy of the checkout that this was built in, for a run while that changes.
    #[arg(long)]
    sources: Option<PathBuf>,
    /// `cpu`, or `cuda:0`.
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Compile the CUDA text with NVRTC instead of running.
    #[arg(long)]
    compile_only: bool,
    /// What the CPU runs and nothing else, which compiles several times as fast.
    #[arg(long)]
    native_only: bool,
    /// What CUDA is compiled from and nothing else.
    #[arg(long, conflicts_with = "native_only")]
    cuda_only: bool,
    /// Operators under every schedule on the CPU, not `Warp` and `Thread` alone.
    #[arg(long)]
    all_schedules: bool,
    /// Kernels of these seeds alone, in hexadecimal.
    #[arg(long)]
    only: Vec<String>,
}

impl Options {
    fn project(&self, seed: u64, kernels: usize) -> Project {
        Project {
            root: self.root.clone().unwrap_or_else(|| repository().to_owned()),
            sources: self.sources.clone().unwrap_or_else(|| repository().to_owned()),
            out: self.out.clone().unwrap_or_else(|| repository().join("target/fuzz")),
            seed,
            kernels,
            per_module: self.per_module,
            parts: self.parts,
            forms: match (self.native_only, self.cuda_only) {
                (true, _) => Forms::Native,
                (_, true) => Forms::Cuda,
                _ => Forms::All,
            },
            all_schedules: self.all_schedules,
        }
    }

    fn write(&self, project: &Project) -> io::Result<()> {
        if self.only.is_empty() {
            return project.write();
        }
        let seeds = self.only.iter().map(|text| u64::from_str_radix(text, 16));
        let seeds: Vec<_> = seeds.collect::<Result<_, _>>().map_err(io::Error::other)?;
        project.write_seeds(&seeds)
    }

    fn check(&self, project: &Project) -> io::Result<bool> {
        let start = Instant::now();
        if !project.build()? {
            return Ok(false);
        }
        let built = start.elapsed();
        let mut passed = true;
        for program in project.programs() {
            let mut program = Command::new(program);
            program.args(["--device", &self.device]);
            if self.compile_only {
                program.arg("--compile-only");
            }
            passed &= program.status()?.success();
        }
        let ran = start.elapsed() - built;
        println!("built in {:.1} s, ran in {:.1} s", built.as_secs_f64(), ran.as_secs_f64());
        Ok(passed)
    }

    fn run(&self) -> io::Result<bool> {
        let mut passed = true;
        let mut first = self.from;
        while first < self.kernels {
            let count = self.batch.min(self.kernels - first);
            let seed = if first == 0 { self.seed } else { seed_of(self.seed, usize::MAX - first) };
            println!("kernels {first}..{} (--seed {seed})", first + count);
            let project = self.project(seed, count);
            self.write(&project)?;
            passed &= self.check(&project)?;
            first += count;
        }
        Ok(passed)
    }
}

fn main() -> ExitCode {
    let done = match Job::parse() {
        Job::Generate(options) => {
            options.write(&options.project(options.seed, options.kernels)).map(|()| true)
        }
        Job::Check(options) => options.check(&options.project(options.seed, options.kernels)),
        Job::Run(options) => options.run(),
        Job::Show { seed } => {
            u64::from_str_radix(&seed, 16).map_err(io::Error::other).map(|seed| {
                println!(
                    "{}{}",
                    fuzz::print::preamble(),
                    fuzz::print::kernel(&fuzz::kernel(seed).0)
                );
                true
            })
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            println!("error: {error}");
            ExitCode::from(2)
        }
    }
}
