//! Running the `meerkat` command.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{graphs_folder, root};

/// What one run of the command left.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The command that was built with the tests, or the one named for them where
/// they run without a build.
pub fn meerkat() -> Command {
    let binary = std::env::var_os("MEERKAT_TEST_BINARY")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_meerkat")), PathBuf::from);
    let mut command = Command::new(binary);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs the command with `arguments`. It must never panic, whatever they are.
pub fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    finish(meerkat().args(arguments))
}

/// Runs a prepared command to its end.
pub fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the command starts");
    let run = Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert!(!run.stderr.contains("panicked"), "{command:?} panicked:\n{}", run.stderr);
    assert!(run.code.is_some(), "{command:?} was ended by a signal");
    run
}

/// Runs a search on the CPU on a graph of the repository.
pub fn run_bfs(graph: &str, further: &[&str]) -> Run {
    let path = graphs_folder().join(graph);
    let mut command = meerkat();
    command.args(["run", "bfs", "--device", "cpu", "--graph"]).arg(path).args(further);
    finish(&mut command)
}

/// Runs a search on the CPU on a file of this name and content.
pub fn run_on(name: &str, content: impl AsRef<[u8]>, further: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file");
    let mut command = meerkat();
    command.args(["run", "bfs", "--device", "cpu", "--graph"]).arg(path).args(further);
    finish(&mut command)
}

/// The names that `meerkat show --list` prints.
pub fn kernel_names() -> Vec<String> {
    let list = run(["show", "--list"]);
    assert_eq!(list.code, Some(0), "{}", list.stderr);
    let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
    list.stdout.lines().map(|line| first_word(line).expect("a name")).collect()
}

impl Run {
    /// The one JSON object on the standard output of a run that succeeded.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("one JSON value and nothing else")
    }

    /// Asserts that the run was refused with `code`, printed no result and named
    /// every one of `parts` in its message.
    #[track_caller]
    pub fn assert_refused(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "stderr: {}", self.stderr);
        assert_eq!(self.stdout, "");
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in: {}", self.stderr);
        }
    }
}
