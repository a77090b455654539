//! Shares the kernels out over processes: one that does not end, or that costs
//! a CUDA context, ends its process and is counted; the next goes on after it.

use crate::fuzz;
use crate::harness::{Case, difference};
use meerkat_runtime::Device;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Longer than any kernel takes, its compilation included.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Clone)]
struct Plan {
    device: String,
    jobs: usize,
    /// Compile the CUDA text and run nothing.
    compile_only: bool,
    /// CUDA with checks: a bad index is reported and costs no context.
    checked: bool,
    only: Option<u64>,
    /// A process that was started for these cases.
    share: Option<(usize, usize)>,
}

fn plan() -> Plan {
    let mut plan = Plan {
        device: "cpu".to_owned(),
        jobs: 2,
        compile_only: false,
        checked: false,
        only: None,
        share: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().expect("a value follows");
        let number = |text: String| text.parse::<usize>().expect("a number");
        match arg.as_str() {
            "--device" => plan.device = value(),
            "--jobs" => plan.jobs = number(value()),
            "--compile-only" => plan.compile_only = true,
            "--checked" => plan.checked = true,
            "--only" => plan.only = Some(u64::from_str_radix(&value(), 16).expect("a seed")),
            "--share" => plan.share = Some((number(value()), number(value()))),
            other => panic!(
                "unknown argument {other}: --device D, --jobs N, --only SEED, --checked, \
                 --compile-only"
            ),
        }
    }
    plan
}

impl Plan {
    fn device(&self) -> Device {
        let device = match self.device.strip_prefix("cuda:") {
            None => return Device::cpu(),
            Some(number) => {
                let number = number.parse().expect("a device number");
                if self.checked { Device::cuda_checked(number) } else { Device::cuda(number) }
            }
        };
        device.unwrap_or_else(|error| {
            println!("error: {error}");
            std::process::exit(2);
        })
    }

    /// The arguments of a process for some of the cases.
    fn arguments(&self, from: usize, to: usize) -> Vec<String> {
        let mut all = vec!["--device".to_owned(), self.device.clone()];
        all.extend(self.compile_only.then(|| "--compile-only".to_owned()));
        all.extend(self.checked.then(|| "--checked".to_owned()));
        all.extend(["--share".to_owned(), from.to_string(), to.to_string()]);
        all
    }
}

/// Runs all cases; the process's exit status says whether all passed.
pub fn run(parts: &[&'static [Case]]) {
    let plan = plan();
    let cases: Vec<&Case> = parts.iter().copied().flatten().collect();
    if let Some((from, to)) = plan.share {
        return run_share(&plan, &cases, from, to);
    }
    let count = cases.len();
    if let Some(seed) = plan.only {
        let at = cases.iter().position(|case| case.seed == seed).expect("a kernel of this program");
        return report(&cases, &run_process(&plan, at, at + 1));
    }
    let share = count.div_ceil(plan.jobs.max(1)).max(1);
    let runs: Vec<_> = (0..count)
        .step_by(share)
        .map(|from| {
            let plan = plan.clone();
            std::thread::spawn(move || run_process(&plan, from, (from + share).min(count)))
        })
        .collect();
    let found: Vec<_> =
        runs.into_iter().flat_map(|run| run.join().expect("no thread panics")).collect();
    report(&cases, &found);
}

/// Prints a line for each case: its number, and what is wrong with it.
fn run_share(plan: &Plan, cases: &[&Case], from: usize, to: usize) {
    std::panic::set_hook(Box::new(|_| {}));
    let device = plan.device();
    for (at, case) in cases.iter().enumerate().take(to).skip(from) {
        let wrong = if plan.compile_only {
            (case.info)().ptx().err().map(|error| error.to_string())
        } else {
            difference(case, &device)
        };
        println!("{at} {}", wrong.unwrap_or_default().replace('\n', "\t"));
    }
}

/// What is wrong with cases, an empty text for nothing, by number.
fn run_process(plan: &Plan, mut from: usize, to: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    while from < to {
        let program = std::env::current_exe().expect("this program has a path");
        let mut process = Command::new(program)
            .args(plan.arguments(from, to))
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts");
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        while from < to {
            let line = lines.recv_timeout(PATIENCE);
            let (number, wrong) = match &line {
                Ok(line) => line.split_once(' ').unwrap_or((line, "")),
                Err(mpsc::RecvTimeoutError::Timeout) => ("", "does not end"),
                Err(mpsc::RecvTimeoutError::Disconnected) => ("", "ends the process"),
            };
            if !number.is_empty() && number != from.to_string() {
                // The device cannot be used at all.
                println!("{number} {wrong}");
                std::process::exit(2);
            }
            found.push((from, wrong.to_owned()));
            from += 1;
            if number.is_empty() || wrong.contains("context is lost") {
                break;
            }
        }
        let _ = process.kill();
        let _ = process.wait();
    }
    found
}

fn report(cases: &[&Case], found: &[(usize, String)]) {
    let wrong: Vec<_> = found.iter().filter(|(_, wrong)| !wrong.is_empty()).collect();
    for (number, (at, wrong)) in wrong.iter().enumerate() {
        let seed = cases[*at].seed;
        println!("FAILED seed {seed:x}: {}", wrong.replace('\t', "\n"));
        if number < 5 {
            println!("{}", fuzz::print::kernel(&fuzz::kernel(seed).0));
        }
    }
    println!("{} passed, {} failed", found.len() - wrong.len(), wrong.len());
    std::process::exit((!wrong.is_empty()).into());
}
