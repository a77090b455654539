//! The progress bar: on standard error, and only where that is a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use meerkat::runtime::read;

const READING: &str = "{msg} [{bar:30}] {bytes}/{total_bytes}";
const WORKING: &str = "{spinner} {prefix}{msg} {elapsed}";
const STREAMING: &str = "batch {pos} of {len} [{bar:30}] {elapsed}, {eta} to go";
const COMPILING: &str = "kernel {pos} of {len} [{bar:30}] {elapsed}, {eta} to go";

/// Shows what the command is doing; gone when dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Starts with reading a file.
    pub(super) fn reading() -> Self {
        if !io::stderr().is_terminal() {
            return Self::hidden();
        }
        let bar = ProgressBar::new(0).with_message("reading").with_style(style(READING));
        Self(bar)
    }

    /// Shows nothing: of a rank that is not the first.
    pub(super) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// Shows how much of the file has been read.
    pub(super) fn read(&self, progress: read::Progress) {
        self.0.set_length(progress.bytes_total);
        self.0.set_position(progress.bytes_read);
    }

    /// What all that follows is about.
    pub(super) fn about(&self, what: &str) {
        self.0.set_prefix(format!("{what}: "));
    }

    /// Starts work whose amount is unknown.
    pub(super) fn work(&self, message: &'static str) {
        self.0.set_style(style(WORKING));
        self.0.set_message(message);
        if !self.0.is_hidden() {
            self.0.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// Starts on `count` batches.
    pub(super) fn batches(&self, count: u64) {
        self.0.set_style(style(STREAMING));
        self.0.set_length(count);
        self.0.set_position(0);
    }

    /// Shows that `done` batches are done.
    pub(super) fn batch(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Starts on `count` kernels.
    pub(super) fn kernels(&self, count: u64) {
        self.0.disable_steady_tick();
        self.0.set_style(style(COMPILING));
        self.0.set_length(count);
        self.0.set_position(0);
    }

    /// Shows that `done` kernels are compiled.
    pub(super) fn kernel(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Prints something to the terminal, the bar out of the way.
    pub(super) fn suspend<T>(&self, act: impl FnOnce() -> T) -> T {
        self.0.suspend(act)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
