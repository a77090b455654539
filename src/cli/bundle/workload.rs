//! Small runs and streams of every algorithm, on the CPU, that launch what larger ones do.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use meerkat::runtime::Device;
use meerkat::runtime::bundle::KernelRecord;

use crate::cli::algorithms::named;
use crate::cli::args;
use crate::cli::failure::Failure;
use crate::cli::output::Lines;

/// The options with which runs and streams of an algorithm launch different kernels, besides the
/// containers, directions and batches that all have.
struct Workload {
    algorithm: &'static str,
    graphs: &'static [&'static str],
    runs: &'static [&'static str],
    streams: &'static [&'static str],
}

const WORKLOADS: [Workload; 7] = [
    Workload {
        algorithm: "bfs",
        graphs: &["{integers}"],
        runs: &["", "--tree"],
        streams: &["-s max-degree"],
    },
    Workload {
        algorithm: "sssp",
        graphs: &["{integers}", "{floats}"],
        runs: &["", "--tree", "-w unit --tree"],
        streams: &["-s max-degree", "-s max-degree -w unit"],
    },
    Workload { algorithm: "wcc", graphs: &["{integers}"], runs: &[""], streams: &[""] },
    Workload {
        algorithm: "triangles",
        graphs: &["{integers}"],
        runs: &["", "-o {out}"],
        streams: &[""],
    },
    Workload {
        algorithm: "pagerank",
        graphs: &["{integers}"],
        // The kernels do not depend on the tolerance.
        runs: &[
            "--tolerance 1e-2",
            "--precision f32 --norm linf --tolerance 1e-2",
            "--dead-ends self-loops --iterations 3",
        ],
        streams: &[
            "--tolerance 1e-2",
            "--tolerance 1e-2 --dead-ends self-loops",
            "--tolerance 1e-2 --precision f32",
            "--tolerance 1e-2 --precision f32 --dead-ends self-loops",
            "--tolerance 1e-2 --method nd",
            "--tolerance 1e-2 --method dt",
            "--tolerance 1e-2 --precision f32 --method dt",
            "--tolerance 1e-2 --method df --frontier-tolerance 1e-6",
            "--tolerance 1e-2 --precision f32 --method df --frontier-tolerance 1e-6",
        ],
    },
    Workload {
        algorithm: "ktruss",
        graphs: &["{integers}"],
        runs: &["--k 4", "--k max", "--k 4 -o {out}"],
        streams: &["--k 3"],
    },
    Workload {
        algorithm: "spmv",
        graphs: &["{integers}", "{floats}"],
        runs: &["", "--precision f32 --seed 1", "-w unit", "-w unit --precision f32"],
        streams: &[],
    },
];

const DIRECTIONS: [&str; 2] = ["--directed", "--undirected"];
const CONTAINERS: [&str; 3] = ["slabs", "compact", "blocks"];
/// Insertions alone, and with deletions; many at once, and few.
const BATCHES: [&str; 3] =
    ["-b 2000", "-b 900 --window 2500 --compare-static", "-b 3000 --window 30"];

/// Launches what the algorithms of some names launch on any graph, over every container.
pub(super) fn launch(
    record: &KernelRecord,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let files = Files::new()?;
    let device = Device::cpu().with_kernel_record(record);
    for workload in WORKLOADS.iter().filter(|workload| is_wanted(workload.algorithm)) {
        for line in workload.lines() {
            perform(&files.words(&line), &device)?;
        }
    }
    Ok(())
}

impl Workload {
    /// Lines of the command, with the names of files in braces.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (graph, direction) in
            self.graphs.iter().flat_map(|graph| DIRECTIONS.map(|direction| (graph, direction)))
        {
            let line = |command: &str, container: &str, options: &str| {
                let Self { algorithm, .. } = self;
                format!(
                    "meerkat {command} {algorithm} -g {graph} {direction} --container {container} {options}"
                )
            };
            for container in CONTAINERS.iter().chain(&["rows"]) {
                lines.extend(self.runs.iter().map(|options| line("run", container, options)));
            }
            for container in CONTAINERS {
                let pairs = self.streams.iter().flat_map(|&one| BATCHES.map(|batch| (one, batch)));
                let options = pairs.map(|(one, batch)| format!("{one} {batch}"));
                lines.extend(options.map(|options| line("stream", container, &options)));
            }
        }
        lines
    }
}

/// Does what a line says, and prints nothing.
fn perform(words: &[OsString], device: &Device) -> Result<(), Failure> {
    let misread = |error: clap::Error| Failure::Workload { message: error.to_string() };
    let matches = args::matches(words).map_err(misread)?;
    let Some((command, matches)) = matches.subcommand() else { return Ok(()) };
    let Some((algorithm, matches)) = matches.subcommand() else { return Ok(()) };
    let entry = named(algorithm).map_err(|message| Failure::Workload { message })?;
    match (command, entry.dynamic()) {
        ("stream", Some(entry)) => {
            entry.stream(matches, &mut Lines::discarded(), Some(device)).map_err(misread)?
        }
        _ => entry.run(matches, Some(device)).map_err(misread)?.map(drop),
    }
}

/// The graphs, in a folder that goes when they are dropped.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Result<Self, Failure> {
        let refused = |path: PathBuf, cause: io::Error| Failure::OutputRefused { path, cause };
        let folder = tempfile::tempdir().map_err(|cause| refused(std::env::temp_dir(), cause))?;
        let files = Self { folder };
        for (name, part) in [("integers", 0.0), ("floats", 0.5)] {
            let path = files.at(name);
            fs::write(&path, records(part)).map_err(|cause| refused(path, cause))?;
        }
        Ok(files)
    }

    fn at(&self, name: &str) -> PathBuf {
        Path::new(self.folder.path()).join(name).with_extension("csv")
    }

    /// The words of a line, with the files' names in the places of those in braces.
    fn words(&self, line: &str) -> Vec<OsString> {
        let word = |word: &str| match word.strip_prefix('{').and_then(|w| w.strip_suffix('}')) {
            Some(name) => self.at(name).into(),
            None => word.into(),
        };
        line.split_whitespace().map(word).collect()
    }
}

/// How many neighbours the hub has: more than any layout keeps in one short list.
const LEAVES: u32 = 1500;
/// A path is as long, so that searches take many rounds.
const PATH: u32 = 100;

/// The lines of a graph: a hub, a path, and a part that has triangles and repeats. Weights are
/// whole numbers and this part of one.
fn records(part: f64) -> String {
    let hub = (0..LEAVES).map(|i| (0, i + 1));
    let path = (0..PATH).map(|i| (LEAVES + i, LEAVES + i + 1));
    let dense = (0..2400).map(|i: u32| (i * i % 97, i * 31 % 101));
    let all = hub.chain(path).chain(dense).enumerate();
    let line = |(time, (u, v)): (usize, (u32, u32))| {
        format!("{u},{v},{},{time}\n", f64::from((u + v) % 9 + 1) + part)
    };
    "source,target,weight,time\n".to_owned() + &all.map(line).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::algorithms::ALL;
    use meerkat::runtime::program::KernelInfo;
    use std::collections::BTreeSet;

    #[test]
    fn every_algorithm_has_its_lines_and_every_line_is_understood() {
        let names: Vec<_> = WORKLOADS.iter().map(|workload| workload.algorithm).collect();
        let all: Vec<_> = ALL.iter().map(|entry| entry.name()).collect();
        assert_eq!(names, all);
        for workload in &WORKLOADS {
            let entry = named(workload.algorithm).expect("an algorithm");
            assert_eq!(workload.streams.is_empty(), entry.dynamic().is_none());
            for line in workload.lines() {
                let words: Vec<_> = line.split_whitespace().map(OsString::from).collect();
                args::matches(&words).unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
    }

    fn names(record: &KernelRecord) -> BTreeSet<String> {
        let name = |kernel: &KernelInfo| format!("{}::{}", kernel.module(), kernel.name());
        record.kernels().iter().map(|kernel| name(kernel.info())).collect()
    }

    /// What runs and streams of other graphs launch is in the workload's record.
    #[test]
    fn other_graphs_launch_no_other_kernels() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("other.csv");
        let lines = (0..5000u32).map(|i| {
            let (u, v) = (i.wrapping_mul(2_654_435_761) % 700, i.wrapping_mul(40_503) % 900);
            format!("{u},{v},{},{i}\n", i % 50)
        });
        fs::write(&file, lines.collect::<String>()).expect("a file");
        let (known, other) = (KernelRecord::new(), KernelRecord::new());
        launch(&known, |name| ["bfs", "wcc"].contains(&name)).expect("the workload");
        let device = Device::cpu().with_kernel_record(&other);
        for line in [
            "run bfs --undirected --container compact",
            "run bfs --directed --tree --container blocks",
            "run wcc --directed",
            "stream bfs --undirected -b 100 --window 1000 --container blocks",
            "stream bfs --directed -b 4000 --window 2000",
            "stream wcc --directed -b 700 --window 3000 --container compact",
        ] {
            let words = ["meerkat"].into_iter().chain(line.split_whitespace()).map(OsString::from);
            let graph = ["-g".into(), file.clone().into_os_string()];
            perform(&words.chain(graph).collect::<Vec<_>>(), &device).expect(line);
        }
        let missing: Vec<_> = names(&other).difference(&names(&known)).cloned().collect();
        assert!(missing.is_empty(), "{missing:#?}");
        assert!(names(&other).len() > 50);
    }
}
