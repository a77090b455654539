//! A cargo workspace of generated kernels: a harness, and programs of a part each.

#![allow(unreachable_pub, missing_docs)] // A module of programs, not of a library.

use crate::fuzz;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROFILE: &str = "\
opt-level = 0
debug = false
incremental = false
codegen-units = 2
";

/// What all kernels share, optimised.
const OPTIMISED: &str = "
[profile.dev.package.harness]
opt-level = 1

[profile.dev.package.meerkat-runtime]
opt-level = 1

[profile.dev.build-override]
opt-level = 2
";

/// Up to this number of kernels, that takes longer than it saves.
const FEW_KERNELS: usize = 200;

/// Which forms of functions are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forms {
    /// Also the one that rustc checks at the user's own tokens.
    All,
    /// What the CPU runs.
    Native,
    /// What CUDA is compiled from.
    Cuda,
}

/// Kernels to write, and where.
#[derive(Clone, Debug)]
pub struct Project {
    /// The repository.
    pub root: PathBuf,
    /// The checkout whose generator and interpreter the programs link: this one's, or a
    /// copy that stays as it is.
    pub sources: PathBuf,
    /// The workspace's folder.
    pub out: PathBuf,
    pub seed: u64,
    pub kernels: usize,
    /// Kernels in a file.
    pub per_module: usize,
    /// Crates to spread them over: rustc's front end has one thread.
    pub parts: usize,
    pub forms: Forms,
    /// Operators under every schedule on the CPU.
    pub all_schedules: bool,
}

/// The seed of the kernel with this number.
pub fn seed_of(seed: u64, number: usize) -> u64 {
    fuzz::random::Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64)).bits()
}

impl Project {
    /// Writes the workspace.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self) -> io::Result<()> {
        fs::create_dir_all(&self.out)?;
        let seeds: Vec<_> = (0..self.kernels).map(|at| seed_of(self.seed, at)).collect();
        self.write_seeds(&seeds)
    }

    /// Writes the workspace with kernels of these seeds.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write_seeds(&self, seeds: &[u64]) -> io::Result<()> {
        let members: Vec<_> = (0..self.parts).map(|at| format!("\"part_{at}\", ")).collect();
        // A kernel that panics ends its process then, which is counted.
        let panic = if self.forms == Forms::Native { "abort" } else { "unwind" };
        let optimised = if self.kernels > FEW_KERNELS { OPTIMISED } else { "" };
        let manifest = format!(
            "[workspace]\nmembers = [{}\"harness\"]\nresolver = \"3\"\n\n\
             [profile.dev]\npanic = \"{panic}\"\n{PROFILE}{optimised}",
            members.concat()
        );
        self.file("Cargo.toml", &manifest)?;
        // The versions that the repository is tested with; no network is needed.
        fs::copy(self.root.join("Cargo.lock"), self.out.join("Cargo.lock"))?;
        self.harness()?;
        let share = seeds.len().div_ceil(self.parts).max(1);
        let mut shares = seeds.chunks(share);
        for at in 0..self.parts {
            self.part(at, shares.next().unwrap_or_default())?;
        }
        Ok(())
    }

    fn harness(&self) -> io::Result<()> {
        self.manifest("harness", "")?;
        let sources = self.sources.join("tests/fuzz");
        let text = format!(
            "#![allow(warnings)]\nuse meerkat_runtime::prelude::*;\n\
             #[path = \"{0}/mod.rs\"]\npub mod fuzz;\n\
             #[path = \"{0}/harness.rs\"]\npub mod harness;\n\
             #[path = \"{0}/harness_run.rs\"]\npub mod harness_run;\n\n{1}",
            sources.display(),
            fuzz::print::structs()
        );
        self.file("harness/src/lib.rs", &text)
    }

    fn part(&self, at: usize, seeds: &[u64]) -> io::Result<()> {
        let folder = format!("part_{at}");
        self.manifest(&folder, "harness = { path = \"../harness\" }\n")?;
        // A program of its own: rustc writes down less for one than for a library.
        let mut program = "#![allow(warnings, arithmetic_overflow, unconditional_panic, \
                           overflowing_literals)]\n"
            .to_owned();
        let modules = seeds.chunks(self.per_module).count();
        for (number, seeds) in seeds.chunks(self.per_module).enumerate() {
            let _ = writeln!(program, "mod m{number};");
            self.file(&format!("{folder}/src/m{number}.rs"), &module(seeds))?;
        }
        let all: Vec<_> = (0..modules).map(|number| format!("m{number}::CASES")).collect();
        let _ = writeln!(
            program,
            "fn main() {{\n    harness::harness_run::run(&[{}]);\n}}",
            all.join(", ")
        );
        self.file(&format!("{folder}/src/main.rs"), &program)
    }

    fn manifest(&self, name: &str, dependencies: &str) -> io::Result<()> {
        let runtime = self.root.join("meerkat-runtime");
        let features = [
            ("native-only", self.forms == Forms::Native),
            ("cuda-only", self.forms == Forms::Cuda),
            ("all-schedules", self.all_schedules),
        ];
        let features: Vec<_> =
            features.iter().filter(|(_, wanted)| *wanted).map(|(name, _)| *name).collect();
        let text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nmeerkat-runtime = {{ path = \"{}\", features = {features:?} }}\n\
             {dependencies}",
            runtime.display()
        );
        self.file(&format!("{name}/Cargo.toml"), &text)
    }

    /// Writes a file unless it says the same already, which cargo would build again.
    fn file(&self, path: &str, text: &str) -> io::Result<()> {
        let path = self.out.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        fs::write(path, text)
    }

    /// Where cargo puts what it builds: kept between workspaces.
    fn target(&self) -> PathBuf {
        self.out.join("target")
    }

    /// The programs, once built: one for each part.
    pub fn programs(&self) -> impl Iterator<Item = PathBuf> {
        (0..self.parts).map(|at| self.target().join(format!("debug/part_{at}")))
    }

    /// Builds the programs.
    ///
    /// # Errors
    /// Cargo cannot be started.
    pub fn build(&self) -> io::Result<bool> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--offline", "--workspace"]);
        // Labels that shadow each other are a warning that no attribute turns off.
        command.args(["--config", "build.rustflags=[\"-Awarnings\"]"]);
        command.arg("--manifest-path").arg(self.out.join("Cargo.toml"));
        command.env("CARGO_TARGET_DIR", self.target());
        Ok(command.status()?.success())
    }
}

/// The repository that this was built in.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn module(seeds: &[u64]) -> String {
    let mut text = "use harness::harness::{Buffers, Case};\nuse harness::{Mixed, Pair, Tiny};\n\
                    use meerkat_runtime::ErrorKind;\n\
                    use meerkat_runtime::graph::{NOT_FOUND, bucket_count, edge_weight, \
                    find_edge_alone, has_edge, nth_neighbor, out_degree, random_neighbor};\n\
                    use meerkat_runtime::prelude::*;\n\n"
        .to_owned();
    text.push_str(&fuzz::print::preamble());
    let mut cases = String::new();
    for &seed in seeds {
        let (kernel, _) = fuzz::kernel(seed);
        let (name, of) = (&kernel.main.name, fuzz::print::module(&kernel));
        let types = fuzz::print::launch_types(&kernel);
        text.push_str(&fuzz::print::kernel(&kernel));
        let _ = writeln!(
            text,
            "fn launch_{name}(device: &Device, memory: &mut Buffers) -> Result<(), Error> {{\n    \
             {}\n}}\n",
            fuzz::print::launch(&kernel),
        );
        let _ = writeln!(
            cases,
            "    Case {{ seed: {seed:#x}, launch: launch_{name}, info: {of}::{name}::info{types} }},"
        );
    }
    let _ = writeln!(text, "pub const CASES: &[Case] = &[\n{cases}];");
    text
}
