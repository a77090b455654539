//! The process of a rank that is launched: how it is started, what it says, and how it ends.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;

use crate::cli::failure::{ANOTHER_RANK, Failure};
use crate::cli::output;

/// How the message of a failure begins.
const ERROR: &str = "error: ";

/// A process that is a rank.
pub(super) struct RankProcess {
    rank: usize,
    child: Child,
    /// Forwards what it says; the message of its failure in the end. None once it has ended.
    says: Option<JoinHandle<String>>,
}

/// How the process of a rank ended.
pub(super) struct End {
    pub(super) rank: usize,
    status: ExitStatus,
    message: String,
}

impl RankProcess {
    /// Starts this program once more, as a rank of so many that meet by a file.
    pub(super) fn start(
        (rank, size): (usize, usize),
        words: &[OsString],
        file: &Path,
    ) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(words).stdin(Stdio::piped()).stderr(Stdio::piped()).env(LAUNCHED, "1");
        if rank > 0 {
            command.stdout(Stdio::null());
        }
        for (name, number) in [("RANK", rank), ("SIZE", size)] {
            let number = number.to_string();
            command.env(format!("MEERKAT_{name}"), &number);
            command.env(format!("MEERKAT_LOCAL_{name}"), &number);
        }
        command.env("MEERKAT_RENDEZVOUS", file).env_remove("MEERKAT_ADDRESS");
        if std::env::var_os(THREADS).is_none() {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            command.env(THREADS, cores.div_ceil(size).to_string());
        }
        let mut child = command.spawn()?;
        let stderr = child.stderr.take();
        let forward = move || stderr.map_or_else(String::new, |stderr| forward(rank, stderr));
        let says = std::thread::Builder::new().name(format!("rank {rank}")).spawn(forward);
        let mut process = RankProcess { rank, child, says: None };
        match says {
            Ok(says) => process.says = Some(says),
            Err(error) => {
                process.kill();
                return Err(error);
            }
        }
        Ok(process)
    }

    /// How it ended, once it has; each end is told once.
    pub(super) fn ended(&mut self) -> Option<End> {
        let status = self.says.as_ref().and_then(|_| self.child.try_wait().ok().flatten())?;
        let message = self.says.take()?.join().unwrap_or_default();
        if status.success() && !message.is_empty() {
            // It was no failure.
            output::forward(&format!("{ERROR}{message}"));
        }
        Some(End { rank: self.rank, status, message })
    }

    /// Ends it, if it has not ended.
    pub(super) fn kill(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Says that a process was launched.
const LAUNCHED: &str = "MEERKAT_LAUNCHED";

/// Ends this process with the launch that started it, however that ends: the launch has the other end of the
/// standard input, and never writes there.
pub(in crate::cli) fn end_with_launch() {
    if std::env::var_os(LAUNCHED).is_some() {
        let watch = || {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            std::process::exit(i32::from(ANOTHER_RANK));
        };
        // Without it the process goes on alone.
        let _ = std::thread::Builder::new().name("launch".to_owned()).spawn(watch);
    }
}

/// How many threads a process has for CPU ranks and files.
const THREADS: &str = "RAYON_NUM_THREADS";

/// Forwards what a rank says, until the message of its failure, which is returned.
fn forward(rank: usize, stderr: ChildStderr) -> String {
    let (mut from, mut line, mut message) = (BufReader::new(stderr), Vec::new(), String::new());
    while from.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if message.is_empty() && !text.starts_with(ERROR) {
            // Rank 0 speaks for all.
            match rank {
                0 => output::forward(text),
                _ => output::forward(&format!("rank {rank}: {text}")),
            }
        } else {
            message += if message.is_empty() { "" } else { "\n" };
            message += text;
        }
        line.clear();
    }
    message.strip_prefix(ERROR).map(str::to_owned).unwrap_or(message)
}

impl End {
    pub(super) fn has_succeeded(&self) -> bool {
        self.status.success()
    }

    /// Whether it failed because another rank did.
    pub(super) fn is_effect(&self) -> bool {
        self.status.code() == Some(i32::from(ANOTHER_RANK))
    }

    /// Why the launch failed.
    pub(super) fn failure(&self) -> Failure {
        let message = match self.message.is_empty() {
            true => format!("its process ended with {}", self.status),
            false => self.message.clone(),
        };
        Failure::LaunchedRank { rank: self.rank, message, code: self.code() }
    }

    /// The exit code, of a process that a signal ended as shells have it.
    fn code(&self) -> u8 {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&self.status) {
            return u8::try_from(128 + signal).unwrap_or(1);
        }
        self.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
    }
}
