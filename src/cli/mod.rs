//! The command line, from what the user typed to what is printed:
//!
//! ```text
//! words --args--> ArgMatches -> an algorithm's Entry -> run | stream  -> Report -> output
//!                            -> launch -> a process for each rank
//!                            -> bench | generate | convert | stats | .. -> Report -> output
//! ```
//!
//! What the user types becomes strong types at once, in the `..Args` of each command. Only
//! `output` prints: a command returns its whole text, or as a stream hands it line after line.
//! Exit codes: 0 done, 1 the device or the program failed, 2 bad usage or bad input, 3 another rank
//! failed first.

mod algorithms;
mod args;
mod bench;
mod bundle;
mod container;
mod convert;
mod failure;
mod generate;
mod info;
mod input;
mod launch;
mod output;
mod progress;
mod run;
mod shell;
mod show;
mod stats;
mod stream;
mod timing;

use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches};
use meerkat::runtime::device::profile;

use self::args::Other;
use self::failure::Failure;
use self::output::{Lines, Printed};

/// Runs the command and gives its exit code.
pub(crate) fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    if profile::is_asked_for() {
        profile::begin();
    }
    let outcome = args::matches(&words).and_then(|matches| run(&matches));
    if profile::is_asked_for() {
        output::profile("", profile::end());
    }
    match outcome {
        Ok(Ok(printed)) => output::success(&printed),
        Ok(Err(failure)) => output::failure(&failure),
        Err(message) => output::usage(&message),
    }
}

fn run(matches: &ArgMatches) -> Result<Result<Printed, Failure>, clap::Error> {
    if let Some((command, matches)) = matches.subcommand()
        && let Some((algorithm, matches)) = matches.subcommand()
        && let Ok(entry) = algorithms::named(algorithm)
    {
        match (command, entry.dynamic()) {
            ("run", _) => return entry.run(matches, None),
            ("stream", Some(entry)) => {
                let streamed = entry.stream(matches, &mut Lines::new(), None)?;
                return Ok(streamed.map(|()| Printed::Stdout(String::new())));
            }
            _ => {}
        }
    }
    Ok(match Other::from_arg_matches(matches)? {
        Other::Launch(args) => launch::run(&args)?,
        Other::Bench(bench) => bench.run().map(Printed::Stdout),
        Other::Tune(args) => bench::tune(&args).map(Printed::Stdout),
        Other::Generate(args) => generate::run(&args),
        Other::Convert(args) => convert::run(&args),
        Other::Stats(args) => stats::run(&args).map(Printed::Stdout),
        Other::Bundle(args) => bundle::run(&args).map(Printed::Stdout),
        Other::Info { json } => Ok(Printed::Stdout(info::run(json))),
        Other::Show(args) => show::run(&args).map(Printed::Stdout),
        Other::Completions(args) => Ok(shell::completions(&args)),
        Other::Man(args) => Ok(shell::man(&args)?),
    })
}
