//! The one place that prints.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use super::failure::Failure;
use super::plan::Format;

/// The text of a report in the format asked for.
pub(super) fn render<R: Serialize + Display>(report: &R, format: Format) -> String {
    match format {
        Format::Text => report.to_string(),
        Format::Json => {
            let json = serde_json::to_string(report);
            json.expect("reports have string keys and no fallible values") + "\n"
        }
    }
}

/// Prints what a command has to say.
pub(super) fn success(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the pipe has seen enough, as in `meerkat show k | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format_args!("cannot write to the standard output: {error}"));
            ExitCode::from(1)
        }
    }
}

/// Prints why a command did not do what was asked.
pub(super) fn failure(failure: &Failure) -> ExitCode {
    complain(failure);
    ExitCode::from(failure.exit_code())
}

/// Prints clap's message: help and version, or what is wrong with the usage.
pub(super) fn usage(message: &clap::Error) -> ExitCode {
    // Nobody is left to tell when this cannot be printed.
    let _ = message.print();
    ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2))
}

fn complain(problem: &dyn Display) {
    // As above.
    let _ = writeln!(io::stderr().lock(), "error: {problem}");
}
