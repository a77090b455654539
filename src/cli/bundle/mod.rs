//! `meerkat bundle`: the kernels of the command, compiled ahead into one file.
//!
//! ```text
//! workload --KernelRecord--> kernels, and those of the libraries' lists --NVRTC--> file
//! ```

mod workload;

use std::collections::BTreeSet;
use std::path::PathBuf;

use meerkat::runtime::Schedule;
use meerkat::runtime::bundle::{self, KernelRecord, KernelVariant};
use meerkat::runtime::cuda::{Arch, Bundle, CudaError, nvrtc};
use serde::Serialize;

use super::algorithms::ALL;
use super::args::ReportFormat;
use super::failure::Failure;
use super::output::{self, OutputFile, Report, grouped};
use super::progress::Progress;
use super::show;

const HELP: &str = "\
Examples:
  meerkat bundle --arch sm_90                       # for one H100 or H200
  meerkat bundle --arch sm_80,sm_90,sm_120 --output /opt/meerkat/kernels.bundle
  meerkat bundle --arch sm_80 --algorithms bfs,wcc  # a smaller file, made sooner
  MEERKAT_BUNDLE=meerkat.bundle meerkat run bfs --graph G.mtx --device cuda

Programs that are started with MEERKAT_BUNDLE=FILE take their kernels from the file, and need
NVRTC for none of them; one that is not in it is compiled, as all are without a bundle. In the
file are the kernels that `run` and `stream` launch, for every container and every kind of
weights, and those that `bench` and `generate` launch for the usual ones. They fit this build of
the command alone, and not the checked mode (MEERKAT_CHECKED=1).

To make it, this command needs NVRTC and no GPU, and takes tenths of a second for each kernel,
architecture and core; what is in the cache of compiled kernels is not compiled again. Machine
code for an architecture runs on later ones of its generation: sm_80 is enough for sm_86 and
sm_89. `meerkat info` lists the architectures that NVRTC compiles for, and what is in the bundle
that MEERKAT_BUNDLE names.

The result in JSON: file, bytes, kernels, architectures.

A program of your own makes a bundle of its kernels by `meerkat::runtime::bundle`.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct BundleArgs {
    /// Architectures to compile for, such as `sm_80,sm_90`
    #[arg(long, short, value_name = "LIST", value_delimiter = ',', required = true)]
    arch: Vec<Arch>,

    /// File to write; one that is there is replaced at the end
    #[arg(long, short, value_name = "FILE", default_value = "meerkat.bundle")]
    output: PathBuf,

    /// Algorithms whose kernels are wanted [default: all, and all other kernels of the library]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    algorithms: Vec<String>,

    /// Print JSON instead of text; docs/COMMAND.md describes it
    #[arg(long, short)]
    json: bool,
}

/// What was written.
#[derive(Debug, Serialize)]
struct Bundled {
    file: String,
    bytes: u64,
    kernels: usize,
    architectures: Vec<String>,
}

/// Compiles and writes, and says what.
pub(super) fn run(args: &BundleArgs) -> Result<String, Failure> {
    let archs: Vec<_> = BTreeSet::from_iter(args.arch.iter().copied()).into_iter().collect();
    check(&archs)?;
    // So that minutes of work are not in vain.
    let output = OutputFile::at(&args.output)?;
    let progress = Progress::reading();
    progress.work("looking for kernels");
    let kernels = kernels(&args.algorithms)?;
    progress.kernels((kernels.len() * archs.len()) as u64);
    let made = bundle::compile(&kernels, &archs, &|done, _| progress.kernel(done as u64))?;
    drop(progress);
    let image = made.to_bytes();
    output.write(|to| to.write_all(&image))?;
    if args.output.as_os_str() == "-" {
        return Ok(String::new());
    }
    let bytes = image.len() as u64;
    let bundled = Bundled {
        file: args.output.display().to_string(),
        bytes,
        kernels: made.len() / archs.len(),
        architectures: archs.iter().map(ToString::to_string).collect(),
    };
    let Bundled { file, kernels, architectures, .. } = &bundled;
    let text = format!(
        "{file}: {} kernels for {}, {} bytes\nstart programs with MEERKAT_BUNDLE={file}\n",
        grouped(*kernels as u64),
        architectures.join(", "),
        grouped(bytes)
    );
    let format = if args.json { ReportFormat::Json } else { ReportFormat::Text };
    Ok(output::render(&Report::new("bundle", bundled), &text, format))
}

fn as_failure(error: CudaError) -> Failure {
    Failure::Runtime(error.into())
}

/// Refuses an architecture that NVRTC does not compile for: it would be one that is mistyped.
fn check(archs: &[Arch]) -> Result<(), Failure> {
    let known = nvrtc::supported_archs().map_err(as_failure)?;
    match archs.iter().find(|arch| !known.contains(arch)) {
        None => Ok(()),
        Some(&arch) => {
            let known: Vec<_> = known.iter().map(ToString::to_string).collect();
            Err(Failure::UnknownArch { arch, known: known.join(", ") })
        }
    }
}

/// The kernels of some algorithms, or of all and of the libraries' lists.
fn kernels(algorithms: &[String]) -> Result<Vec<KernelVariant>, Failure> {
    let unknown = algorithms.iter().find(|name| ALL.iter().all(|entry| entry.name() != *name));
    if let Some(name) = unknown {
        let known: Vec<_> = ALL.iter().map(|entry| entry.name()).collect();
        return Err(Failure::UnknownAlgorithm { name: name.clone(), known: known.join(", ") });
    }
    let record = KernelRecord::new();
    let is_wanted = |name: &str| algorithms.is_empty() || algorithms.iter().any(|one| one == name);
    workload::launch(&record, is_wanted)?;
    let mut kernels = record.kernels();
    if algorithms.is_empty() {
        let listed = meerkat::algos::kernels().into_iter();
        // Those that `Auto` chooses from: a launch has to ask for the others by name.
        let usual = [Schedule::Warp, Schedule::Thread, Schedule::Hybrid];
        let listed = listed.filter(|kernel| usual.contains(&show::form(kernel).1));
        kernels.extend(listed.map(KernelVariant::from));
    }
    Ok(kernels)
}

/// The bundle that `MEERKAT_BUNDLE` names: for `meerkat info`.
#[derive(Debug, Serialize)]
pub(super) struct Named {
    file: PathBuf,
    /// What is in it.
    pub(super) description: Option<String>,
    pub(super) problem: Option<String>,
}

impl Named {
    pub(super) fn by_environment() -> Option<Self> {
        let file = std::env::var_os("MEERKAT_BUNDLE").filter(|file| !file.is_empty())?;
        let file = PathBuf::from(file);
        Some(match Bundle::read(&file) {
            Ok(bundle) => Self { file, description: Some(bundle.to_string()), problem: None },
            Err(error) => Self { file, description: None, problem: Some(error.to_string()) },
        })
    }

    pub(super) fn file(&self) -> String {
        self.file.display().to_string()
    }
}
