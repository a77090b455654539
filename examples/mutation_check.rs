//! Whether the tests of the macros see mistakes in them: see
//! `tests/mutation/README.md`.
//!
//! ```text
//! cargo run --example mutation_check
//! ```

#![allow(clippy::print_stdout)] // A program's output.

#[path = "../tests/mutation/mod.rs"]
#[allow(dead_code, reason = "the list is checked by a test")]
mod mutation;

use clap::Parser;
use mutation::Planted;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;
use std::{fs, io};

#[derive(Debug, Parser)]
#[command(about = "Turns off each rule of the macros in turn; a test must fail every time")]
struct Options {
    /// Where the mutated copy is built.
    #[arg(long, default_value = "target/mutation")]
    out: PathBuf,
    /// Only the mutants of these numbers, or whose names contain this (`operator/block.rs`).
    #[arg(long)]
    only: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(survivors) if survivors.is_empty() => ExitCode::SUCCESS,
        Ok(survivors) => {
            survivors.iter().for_each(|name| println!("SURVIVED {name}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> io::Result<Vec<String>> {
    let start = Instant::now();
    let tree = options.out.join("tree");
    copy_tree(Path::new(env!("CARGO_MANIFEST_DIR")), &tree)?;
    let mut planted = mutation::plant(&tree.join("meerkat-macros/src"))?;
    let tree = tree.canonicalize()?;
    let test = build(&tree, &options.out)?;
    let without = tests(&test, &tree, usize::MAX).output()?;
    if !without.status.success() {
        let said = [without.stdout, without.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        return Err(io::Error::other(format!("the tests fail without a mutant\n{said}")));
    }
    let is_wanted = |mutant: &Planted| {
        options.only.iter().any(|only| match only.parse::<usize>() {
            Ok(number) => mutant.number == number,
            Err(_) => mutant.name.contains(only),
        })
    };
    planted.retain(|mutant| options.only.is_empty() || is_wanted(mutant));
    let survivors = survivors(&planted, &test, &tree)?;
    let (all, seconds) = (planted.len(), start.elapsed().as_secs());
    println!("{} of {all} mutants were seen, in {seconds} s", all - survivors.len());
    Ok(survivors)
}

/// The mutants that no test fails for, on all cores.
fn survivors(planted: &[Planted], test: &Path, tree: &Path) -> io::Result<Vec<String>> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> io::Result<()> {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(mutant) = planted.get(at) else { break };
            if at > 0 && at % 50 == 0 {
                println!("{at} of {}", planted.len());
            }
            if !is_seen(test, tree, mutant.number)? {
                let name = format!("{}: {}", mutant.number, mutant.name);
                found.lock().expect("no panic").push(name);
            }
        }
        Ok(())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })?;
    let mut found = found.into_inner().expect("no panic");
    found.sort();
    Ok(found)
}

/// The tests of the macros with a mutant turned on.
fn tests(test: &Path, tree: &Path, number: usize) -> Command {
    let mut tests = Command::new(test);
    tests
        .current_dir(tree.join("meerkat-macros"))
        .env("MEERKAT_MUTANT", number.to_string())
        .env("INSTA_UPDATE", "no")
        .env("INSTA_WORKSPACE_ROOT", tree)
        .env("RUST_BACKTRACE", "0");
    tests
}

/// Whether a test fails for the mutant: the first that does ends the run.
fn is_seen(test: &Path, tree: &Path, number: usize) -> io::Result<bool> {
    let mut running =
        tests(test, tree, number).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let lines = BufReader::new(running.stdout.take().expect("it is piped")).lines();
    for line in lines {
        if line?.ends_with("FAILED") {
            running.kill()?;
            running.wait()?;
            return Ok(true);
        }
    }
    Ok(!running.wait()?.success())
}

/// What the tests of the macros are built from and read.
fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let listed = Command::new("git").args(["ls-files"]).current_dir(from).output()?;
    let _ = fs::remove_dir_all(to);
    for file in String::from_utf8_lossy(&listed.stdout).lines() {
        if from.join(file).is_file() {
            let target = to.join(file);
            fs::create_dir_all(target.parent().unwrap_or(to))?;
            fs::copy(from.join(file), target)?;
        }
    }
    Ok(())
}

/// Builds the tests of the mutated macros; where the program is.
fn build(tree: &Path, out: &Path) -> io::Result<PathBuf> {
    let built = Command::new("cargo")
        .args(["test", "--package", "meerkat-macros", "--lib", "--no-run", "--quiet"])
        .args(["--message-format", "json"])
        .env("CARGO_TARGET_DIR", out.canonicalize()?.join("target"))
        .current_dir(tree)
        .output()?;
    let messages = String::from_utf8_lossy(&built.stdout);
    let mut paths = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    paths.next_back().ok_or_else(|| {
        let errors = messages.lines().filter_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let error = message["message"]["level"] == "error";
            error.then(|| message["message"]["rendered"].as_str().map(str::to_owned)).flatten()
        });
        io::Error::other(format!("the mutants do not build\n{}", errors.collect::<String>()))
    })
}
