//! What a command says and writes. Only this module prints.

mod file;
mod graph_writer;
mod report;
mod vertices;

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use meerkat::runtime::device::profile::Profile;
use serde::Serialize;

pub(super) use self::file::OutputFile;
pub(super) use self::graph_writer::{GraphFormat, Records};
pub(super) use self::report::{
    DeviceReport, GraphFigures, Milliseconds, Report, SCHEMA, Timings, counted, grouped, percent,
};
pub(super) use self::vertices::VertexFile;
use super::args::ReportFormat;
use super::failure::Failure;

/// The report of a command, and where it is printed.
pub(super) enum Printed {
    Stdout(String),
    /// Where the standard output holds the results.
    Stderr(String),
}

/// A report in the format asked for: its JSON object, or `text`.
pub(super) fn render<R: Serialize>(
    report: &Report<R>,
    text: &dyn Display,
    format: ReportFormat,
) -> String {
    match format {
        ReportFormat::Text => text.to_string(),
        ReportFormat::Json => json_line(report),
    }
}

/// A JSON object on a line.
pub(super) fn json_line<R: Serialize>(report: &R) -> String {
    let json = serde_json::to_string(report);
    json.expect("reports have string keys and no fallible values") + "\n"
}

/// The standard output of a command that prints as it goes.
pub(super) struct Lines {
    is_discarded: bool,
}

impl Lines {
    /// For the one command that runs.
    pub(super) fn new() -> Self {
        Self { is_discarded: false }
    }

    /// For a command that another one runs: nothing is printed.
    pub(super) fn discarded() -> Self {
        Self { is_discarded: true }
    }

    /// Prints whole lines at once; breaks off when nobody reads any more.
    pub(super) fn write(&mut self, lines: &str) -> Result<ControlFlow<()>, Failure> {
        if self.is_discarded {
            return Ok(ControlFlow::Continue(()));
        }
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
        format: ReportFormat,
        lines: &str,
    ) -> Result<ControlFlow<()>, Failure> {
        match format {
            ReportFormat::Text => self.write(lines),
            ReportFormat::Json => Ok(ControlFlow::Continue(())),
        }
    }
}

/// Prints the report of a command.
pub(super) fn success(printed: &Printed) -> ExitCode {
    let text = match printed {
        Printed::Stdout(text) => text,
        Printed::Stderr(text) => {
            // The results are there; nobody is left to tell when this cannot be printed.
            let _ = io::stderr().lock().write_all(text.as_bytes());
            return ExitCode::SUCCESS;
        }
    };
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the pipe has seen enough, as in `meerkat show k | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(cause) => failure(&Failure::StdoutBroken { cause }),
    }
}

/// Prints where time went: that of a command, or of what the title says.
pub(super) fn profile(title: &str, profile: Result<Profile, meerkat::runtime::Error>) {
    // As above.
    let _ = match profile {
        Ok(profile) => writeln!(io::stderr().lock(), "{title}{profile}"),
        Err(error) => writeln!(io::stderr().lock(), "error: no profile: {error}"),
    };
}

/// Prints why a command did not do what was asked.
pub(super) fn failure(failure: &Failure) -> ExitCode {
    // As above.
    let _ = writeln!(io::stderr().lock(), "error: {failure}");
    ExitCode::from(failure.exit_code())
}

/// Forwards a line of a process that another one has started.
pub(super) fn forward(line: &str) {
    // As above.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Prints clap's message: help and version, or what is wrong with the usage.
pub(super) fn usage(message: &clap::Error) -> ExitCode {
    // As above.
    let _ = message.print();
    ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2))
}
