//! `meerkat launch`: a process for each rank -> the output of rank 0, or why the first that failed did.

mod process;

use std::ffi::{OsStr, OsString};
use std::num::NonZero;
use std::time::{Duration, Instant};

use clap::ArgGroup;

pub(super) use self::process::end_with_launch;
use self::process::{End, RankProcess};
use super::args::{self, DeviceName, rank_count};
use super::failure::Failure;
use super::output::Printed;

/// How ranks are launched.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("of_launch").args(["ranks", "devices"]).multiple(true).required(true)))]
#[command(after_help = "\
Each process reads the graph, has a part of it, and exchanges with the others what its part needs:
GPUs through NCCL, CPUs through connections to rank 0. The answer is that of one device. What rank 0
prints is the output. Warnings of the others come with `rank 1: ` before them. If a rank fails, the
others are ended, and its message and its exit code are those of the launch.

Without --devices, each rank takes a GPU of its own, or a CPU where there is no GPU; `--device cpu` after
the `--` says so. CPU ranks share the cores, unless `--threads` or RAYON_NUM_THREADS says otherwise.

Processes of several machines are started by `mpirun`, `torchrun` or `srun`, and `--as-rank` of `run`
and `stream` says that each is a rank: docs/RANKS.md.

Examples:
  meerkat launch --ranks 2 -- run pagerank --graph tests/graphs/rome99.gr.gz
  meerkat launch --devices cuda:0,cuda:1 -- run bfs --graph G.mtx.gz --container compact
  meerkat launch --ranks 3 -- stream wcc --graph contacts.csv --batch-size 1000
  mpirun -n 4 -x MEERKAT_ADDRESS=node1:29500 meerkat run wcc --graph G.mtx.gz --as-rank")]
pub(super) struct LaunchArgs {
    /// Start N processes
    #[arg(long, short = 'n', value_name = "N", value_parser = rank_count,
          allow_negative_numbers = true)]
    ranks: Option<NonZero<usize>>,

    /// Start a process on each of these devices: `cuda:0,cuda:1`
    #[arg(long, value_name = "DEVICE,..", value_delimiter = ',')]
    devices: Vec<DeviceName>,

    /// What each of them does: `run ..` or `stream ..`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// How long a rank may take to say why it failed, or that it lost another, once one has failed.
const GRACE: Duration = Duration::from_secs(3);

/// How often the processes are looked at.
const PAUSE: Duration = Duration::from_millis(5);

/// Starts the ranks and waits for their ends.
pub(super) fn run(args: &LaunchArgs) -> Result<Result<Printed, Failure>, clap::Error> {
    let ranks = match args.check() {
        Ok(ranks) => ranks,
        Err(failure) => return Ok(Err(failure)),
    };
    // Mistakes are named once, and not by each rank.
    let words = args.words_of(0);
    args::matches(&[vec!["meerkat".into()], words].concat())?;
    Ok(start_all(args, ranks).and_then(|ranks| result(wait(ranks))))
}

impl LaunchArgs {
    /// The number of ranks, if what is launched is a run over ranks.
    fn check(&self) -> Result<usize, Failure> {
        let is = |names: [&str; 2], word: &OsStr| names.iter().any(|name| word == *name);
        if !self.command.first().is_some_and(|word| is(["run", "stream"], word)) {
            return Err(Failure::NotLaunched);
        }
        let of_launch = |word: &&OsStr| is(["--ranks", "--devices"], word);
        if let Some(word) = self.command.iter().map(option).find(of_launch) {
            let option = word.to_string_lossy().into_owned();
            return Err(Failure::RanksOfLaunch { option });
        }
        let is_standard = |pair: &[OsString]| is(["--graph", "-g"], &pair[0]) && pair[1] == "-";
        let is_standard_here = |word: &OsString| is(["--graph=-", "-g-"], word);
        if self.command.windows(2).any(is_standard) || self.command.iter().any(is_standard_here) {
            return Err(Failure::RanksReadFiles);
        }
        match (self.ranks, self.devices.len()) {
            (Some(ranks), devices) if devices > 0 && devices != ranks.get() => {
                Err(Failure::DevicesOfLaunch { devices, ranks: ranks.get() })
            }
            (Some(ranks), _) => Ok(ranks.get()),
            (None, devices) => Ok(devices),
        }
    }

    /// What the process of a rank does.
    fn words_of(&self, rank: usize) -> Vec<OsString> {
        let mut words = self.command.clone();
        if !words.iter().any(|word| word == "--as-rank") {
            words.push("--as-rank".into());
        }
        if let Some(device) = self.devices.get(rank) {
            words.extend(["--device".into(), device.to_string().into()]);
        }
        words
    }
}

/// The name of an option, without its value.
fn option(word: &OsString) -> &OsStr {
    let text = word.to_str().unwrap_or_default();
    OsStr::new(text.split_once('=').map_or(text, |(name, _)| name))
}

/// Starts a process for each rank; if one does not start, none is left.
fn start_all(args: &LaunchArgs, ranks: usize) -> Result<Launched, Failure> {
    let not_started = |rank| move |cause| Failure::RankNotStarted { rank, cause };
    let folder = tempfile::Builder::new().prefix("meerkat-").tempdir().map_err(not_started(0))?;
    let file = folder.path().join("ranks");
    let mut launched = Launched { ranks: Vec::with_capacity(ranks), _folder: folder };
    for rank in 0..ranks {
        let started = RankProcess::start((rank, ranks), &args.words_of(rank), &file);
        launched.ranks.push(started.map_err(not_started(rank))?);
    }
    Ok(launched)
}

/// The processes. Dropped, they end.
struct Launched {
    ranks: Vec<RankProcess>,
    /// Where they meet.
    _folder: tempfile::TempDir,
}

impl Drop for Launched {
    fn drop(&mut self) {
        self.ranks.iter_mut().for_each(RankProcess::kill);
    }
}

/// Waits until all ranks have ended, or some have failed and the others had time to say why. The ends, in
/// their order.
fn wait(mut launched: Launched) -> Vec<End> {
    let (mut ends, mut failed_at) = (Vec::new(), None::<Instant>);
    while ends.len() < launched.ranks.len() {
        let ended = launched.ranks.iter_mut().filter_map(RankProcess::ended);
        for end in ended.collect::<Vec<_>>() {
            if !end.has_succeeded() {
                failed_at.get_or_insert_with(Instant::now);
            }
            ends.push(end);
        }
        if failed_at.is_some_and(|moment| moment.elapsed() > GRACE) {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    ends
}

/// What the ends of the ranks come to: the first failure that is not an effect of another's.
fn result(ends: Vec<End>) -> Result<Printed, Failure> {
    let has_output = ends.iter().any(|end| end.rank == 0 && end.has_succeeded());
    let failed = || ends.iter().filter(|end| !end.has_succeeded());
    let cause = failed().find(|end| !end.is_effect());
    // Who reads the output may have seen enough, and rank 0 is gone for that.
    match cause.or(failed().next().filter(|_| !has_output)) {
        Some(end) => Err(end.failure()),
        None => Ok(Printed::Stdout(String::new())),
    }
}
