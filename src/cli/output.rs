//! The one place that prints.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use serde::Serialize;

use super::failure::Failure;
use super::plan::Format;

/// The text of a report in the format asked for.
pub(super) fn render<R: Serialize + Display>(report: &R, format: Format) -> String {
    match format {
        Format::Text => report.to_string(),
        Format::Json => json_line(report),
    }
}

/// A report as one JSON object on a line.
pub(super) fn json_line<R: Serialize>(report: &R) -> String {
    let json = serde_json::to_string(report);
    json.expect("reports have string keys and no fallible values") + "\n"
}

/// The standard output of a command that prints as it goes.
pub(super) struct Lines(());

impl Lines {
    /// For the one command that runs.
    pub(super) fn new() -> Self {
        Self(())
    }

    /// Prints whole lines at once; breaks off when nobody reads any more.
    pub(super) fn write(&mut self, lines: &str) -> Result<ControlFlow<()>, Failure> {
        let mut stdout = io::stdout().lock();
        match stdout.write_all(lines.as_bytes()).and_then(|()| stdout.flush()) {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
            Err(cause) => Err(Failure::StdoutBroken { cause }),
        }
    }

    /// The same for what is no JSON.
    pub(super) fn write_unless_json(
        &mut self,
        format: Format,
        lines: &str,
    ) -> Result<ControlFlow<()>, Failure> {
        match format {
            Format::Text => self.write(lines),
            Format::Json => Ok(ControlFlow::Continue(())),
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

/// Prints the same on the standard error, where the standard output holds results.
pub(super) fn beside_results(text: &str) -> ExitCode {
    // The results are there; nobody is left to tell when this cannot be printed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
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
