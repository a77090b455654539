//! The fuzzer of the graph readers: see `tests/readers_fuzz/README.md`.
//!
//! ```text
//! cargo run --release --example fuzz_readers -- --inputs 100000 --seed 1
//! ```

#![allow(clippy::print_stdout)] // A program's output.

#[path = "../tests/readers_fuzz/mod.rs"]
mod readers_fuzz;

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{fs, thread};

use clap::Parser;
use readers_fuzz::{Case, Corpus, Outcome, check, explain};

/// Most time that one input may take.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Most address space of the process that reads: more than what it allocates.
#[cfg(target_os = "linux")]
const MEMORY_LIMIT: u64 = 1 << 30;
const PROGRESS_EVERY: u64 = 10_000;

#[derive(Clone, Debug, Parser)]
#[command(about = "Mutated graph files, read by the project and by simple readers")]
struct Options {
    /// Number of inputs.
    #[arg(long, default_value_t = 10_000)]
    inputs: u64,
    /// Where the choices begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// First input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Folder for inputs that fail.
    #[arg(long, default_value = "target/fuzz_readers")]
    out: PathBuf,
    /// Print the first input, and what both readers say about it.
    #[arg(long)]
    show: bool,
    /// Print the inputs that one reader alone accepts.
    #[arg(long)]
    one_sided: bool,
    /// Read the inputs in this process: what the program does in a second one.
    #[arg(long, hide = true)]
    child: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match (options.show, options.child) {
        (true, _) => options.show().map(|()| true),
        (_, true) => options.read_inputs().map(|()| true),
        _ => options.run(),
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

fn corpus() -> Corpus {
    Corpus::load(Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// What the process that reads says about an input, one line each: the number of the input
/// when it starts, then the number of the outcome, or a text.
impl Options {
    fn read_inputs(&self) -> io::Result<()> {
        limit_memory()?;
        std::panic::set_hook(Box::new(|_| {}));
        let corpus = corpus();
        let folder = tempfile::tempdir()?;
        let mut output = io::stdout().lock();
        for index in self.from..self.from + self.inputs {
            writeln!(output, "{index}")?;
            output.flush()?;
            let case = Case::new(&corpus, self.seed, index);
            match check(&case, folder.path()) {
                Ok(outcome) => writeln!(output, "{}", outcome as usize)?,
                Err(error) => writeln!(output, "{}", error.replace('\n', " "))?,
            }
        }
        output.flush()
    }

    fn show(&self) -> io::Result<()> {
        let case = Case::new(&corpus(), self.seed, self.from);
        let folder = tempfile::tempdir()?;
        println!("{case:?}\n{}", explain(&case, folder.path()));
        Ok(())
    }

    /// Has all inputs read by processes that may be lost; whether all went well.
    fn run(&self) -> io::Result<bool> {
        let mut report =
            Report { options: self, counts: [0; 4], failures: 0, start: Instant::now() };
        let end = self.from + self.inputs;
        let (mut next, mut slow) = (self.from, None);
        while next < end {
            let (at, cause) = self.run_child(next, end, &mut report)?;
            next = at;
            match cause {
                None => {}
                // A busy machine may be slow once.
                Some(RecvTimeoutError::Timeout) if slow != Some(at) => {
                    println!("input {at} took more than 5 s: read again");
                    slow = Some(at);
                    continue;
                }
                Some(RecvTimeoutError::Timeout) => report.fail(at, "no answer within 5 s")?,
                Some(RecvTimeoutError::Disconnected) => report.fail(at, "the process ended")?,
            }
            next += u64::from(cause.is_some());
        }
        report.print(end);
        Ok(report.failures == 0)
    }

    /// Starts a process at an input. Returns the input at which it ended, and why, if that is
    /// not the end.
    fn run_child(
        &self,
        from: u64,
        end: u64,
        report: &mut Report<'_>,
    ) -> io::Result<(u64, Option<RecvTimeoutError>)> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--child", "--seed", &self.seed.to_string(), "--from", &from.to_string()])
            .args(["--inputs", &(end - from).to_string()])
            .stdout(Stdio::piped())
            .spawn()?;
        let lines = lines_of(&mut child)?;
        for index in from..end {
            match read_answer(&lines) {
                Ok(answer) => match answer.parse() {
                    Ok(outcome) => report.count(index, outcome)?,
                    Err(_) => report.fail(index, &answer)?,
                },
                Err(cause) => {
                    child.kill()?;
                    child.wait()?;
                    return Ok((index, Some(cause)));
                }
            }
        }
        child.wait()?;
        Ok((end, None))
    }
}

/// The lines of a process, read by a thread so that waiting for them can end.
fn lines_of(child: &mut Child) -> io::Result<Receiver<String>> {
    let output = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        lines.map_while(|line| sender.send(line).ok()).for_each(drop);
    });
    Ok(receiver)
}

/// Waits for the start of an input, and then for what came of it.
fn read_answer(lines: &Receiver<String>) -> Result<String, RecvTimeoutError> {
    // A process that has just started loads the corpus first.
    lines.recv_timeout(4 * TIME_LIMIT)?;
    lines.recv_timeout(TIME_LIMIT)
}

#[cfg(target_os = "linux")]
fn limit_memory() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Rlimit { current: Some(MEMORY_LIMIT), maximum: Some(MEMORY_LIMIT) };
    Ok(setrlimit(Resource::As, limit)?)
}

#[cfg(not(target_os = "linux"))]
fn limit_memory() -> io::Result<()> {
    println!("note: memory is limited on Linux only");
    Ok(())
}

struct Report<'a> {
    options: &'a Options,
    counts: [u64; 4],
    failures: u64,
    start: Instant,
}

impl Report<'_> {
    fn count(&mut self, index: u64, outcome: usize) -> io::Result<()> {
        self.counts[outcome] += 1;
        let is_one_sided = outcome >= Outcome::OursOnly as usize;
        if self.options.one_sided && is_one_sided {
            println!("input {index}: {:?}", Outcome::ALL[outcome]);
            Options { from: index, ..self.options.clone() }.show()?;
        }
        if (index + 1).is_multiple_of(PROGRESS_EVERY) {
            self.print(index + 1);
        }
        Ok(())
    }

    /// Prints a failure and keeps its files.
    fn fail(&mut self, index: u64, failure: &str) -> io::Result<()> {
        self.failures += 1;
        let seed = self.options.seed;
        let folder = self.options.out.join(format!("{seed}-{index}"));
        fs::create_dir_all(&folder)?;
        let case = Case::new(&corpus(), seed, index);
        case.write(&folder)?;
        fs::write(folder.join("case"), format!("{failure}\n{case:?}"))?;
        println!("FAILED input {index} (--seed {seed} --from {index} --show): {failure}");
        println!("       kept in {}", folder.display());
        Ok(())
    }

    fn print(&self, end: u64) {
        let [same, refused, ours, reference] = self.counts;
        println!(
            "inputs up to {end} of seed {}: {same} alike, {refused} refused by both, {ours} read \
             by the project alone, {reference} by the reference alone, {} failed; {:.0} s",
            self.options.seed,
            self.failures,
            self.start.elapsed().as_secs_f64()
        );
    }
}
