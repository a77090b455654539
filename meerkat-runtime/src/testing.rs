//! For the tests of those who write operators: do they compile for every GPU?
//!
//! NVRTC, CUDA's run-time compiler, needs no GPU, so a test on any machine can find what
//! would fail at a kernel's first launch:
//!
//! ```no_run
//! use meerkat_runtime::prelude::*;
//! use meerkat_runtime::testing::assert_compiles;
//!
//! #[vertex_operator]
//! fn count(v: Vertex, graph: &Graph, degrees: &mut [u32]) {
//!     let mut degree = 0u32;
//!     for_each_neighbor(graph, v, true, |dst| degree += 1);
//!     degrees[v] = degree;
//! }
//!
//! assert_compiles(count::info_with);
//! ```
//!
//! Without NVRTC the functions here say `SKIPPED` on standard error and return; where
//! `MEERKAT_REQUIRE_NVRTC` is 1 they fail.

use crate::cuda::Arch;
use crate::cuda::nvrtc::{self, Options, Source, compile};
use crate::program::{KernelInfo, Mode};
use crate::schedule::Schedule;
use std::collections::HashSet;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The oldest architecture that kernels are compiled for.
const OLDEST: Arch = Arch::new(7, 5);

/// Compiles a kernel under each of its schedules, plain and checked, for every
/// architecture from sm_75 on that the NVRTC at hand knows. `info` is
/// `operator::info_with`, with its type arguments if it has any.
///
/// # Panics
/// If NVRTC refuses one of the programs; the message has all refusals. If there is no
/// NVRTC and `MEERKAT_REQUIRE_NVRTC` is 1.
#[track_caller]
pub fn assert_compiles(info: impl Fn(Schedule) -> KernelInfo) {
    let archs = architectures();
    assert_all(&lowerings(info), &[(Mode::Fast, &archs), (Mode::Checked, &archs)]);
}

/// Compiles many kernels: each for the first architecture of every generation that the
/// NVRTC at hand knows, and in the checked mode for one of them. Members of a generation
/// do not differ in what Meerkat uses, so this finds what [`assert_compiles`] does, in a
/// fraction of its time.
///
/// # Panics
/// As [`assert_compiles`].
#[track_caller]
pub fn assert_all_compile(kernels: &[KernelInfo]) {
    let mut archs = architectures();
    archs.dedup_by_key(|arch| arch.major);
    let one = archs.get(2..3).unwrap_or_default();
    assert_all(kernels, &[(Mode::Fast, &archs), (Mode::Checked, one)]);
}

/// Whether NVRTC is here. Says `SKIPPED` if it is not.
///
/// # Panics
/// If it is not here and `MEERKAT_REQUIRE_NVRTC` is 1.
#[track_caller]
pub fn nvrtc_is_present() -> bool {
    let Err(error) = nvrtc::version() else { return true };
    let is_required = std::env::var_os("MEERKAT_REQUIRE_NVRTC").is_some_and(|value| value == "1");
    assert!(!is_required, "MEERKAT_REQUIRE_NVRTC=1, but NVRTC is not present: {error}");
    // Not `eprintln!`: the test harness would hide it.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED: NVRTC is not present ({test})");
    false
}

/// What a kernel becomes under each schedule, each once: those that do not fit are the
/// warp's.
fn lowerings(info: impl Fn(Schedule) -> KernelInfo) -> Vec<KernelInfo> {
    let mut seen = HashSet::new();
    let all = Schedule::ALL.into_iter().map(info);
    all.filter(|kernel| seen.insert(kernel.name().to_owned())).collect()
}

/// From [`OLDEST`] on, lowest first; none without NVRTC.
fn architectures() -> Vec<Arch> {
    let known = nvrtc::supported_archs().unwrap_or_default();
    known.into_iter().filter(|&arch| arch >= OLDEST).collect()
}

/// Compiles on all cores and reports all refusals at once.
#[track_caller]
fn assert_all(kernels: &[KernelInfo], modes: &[(Mode, &[Arch])]) {
    if !nvrtc_is_present() {
        return;
    }
    let (next, refusals) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(kernel) = kernels.get(next.fetch_add(1, Relaxed)) {
            for &(mode, archs) in modes {
                if let Err(refusal) = compile_for_each(kernel, mode, archs) {
                    refusals
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .push(refusal);
                }
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let refusals = refusals.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (refused, all) = (refusals.len(), kernels.len());
    assert!(refusals.is_empty(), "{refused} refusals of {all} kernels:\n{}", refusals.join("\n"));
}

fn compile_for_each(kernel: &KernelInfo, mode: Mode, archs: &[Arch]) -> Result<(), String> {
    let name = format!("{}::{}", kernel.module(), kernel.name());
    let text = match mode {
        Mode::Fast => kernel.cuda_program(),
        Mode::Checked => kernel.checked_program(),
    };
    for &arch in archs {
        let source = Source { name: &name, text: &text };
        compile(&source, &Options::new(arch))
            .map_err(|error| format!("{name} for {arch}, {mode:?}: {error}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::program::{FunctionText, Program};

    #[vertex_operator]
    fn count(v: Vertex, graph: &Graph, degrees: &mut [u32]) {
        let mut degree = 0u32;
        for_each_neighbor(graph, v, true, |_dst| degree += 1);
        degrees[v] = degree;
    }

    #[test]
    fn an_operator_with_8_schedules_compiles_for_all_architectures() {
        assert_eq!(lowerings(count::info_with).len(), 8);
        assert_compiles(count::info_with);
    }

    #[kernel]
    fn plain(out: &mut [u32]) {
        let i = thread_id();
        if i < out.len() {
            out[i] = i;
        }
    }

    #[test]
    fn a_kernel_without_schedules_is_compiled_once() {
        assert_eq!(lowerings(plain::info_with).len(), 1);
    }

    #[test]
    fn architectures_begin_at_sm_75_and_rise() {
        let archs = architectures();
        assert!(
            archs.is_sorted() && archs.first().is_none_or(|&first| first == OLDEST),
            "{archs:?}"
        );
        assert!(nvrtc::version().is_err() || archs.len() > 4, "{archs:?}");
    }

    /// A kernel that CUDA refuses in the checked mode alone.
    fn refused() -> KernelInfo {
        static TEXT: FunctionText = FunctionText {
            name: "refused",
            module: "here",
            file: "here.rs",
            lines: &[
                (1, "#ifdef MEERKAT_CHECKED"),
                (2, "no such thing;"),
                (3, "#endif"),
                (4, "extern \"C\" __global__ void refused() {}"),
            ],
            groups: 0,
            native: "",
        };
        let mut program = Program::new();
        let entry = program.kernel(&TEXT, &[], Vec::new());
        KernelInfo::new(entry, &TEXT, program)
    }

    #[test]
    fn a_refusal_names_kernel_architecture_and_mode() {
        if !nvrtc_is_present() {
            return;
        }
        let check = std::panic::AssertUnwindSafe(|| assert_compiles(|_| refused()));
        let message = std::panic::catch_unwind(check).expect_err("it is refused");
        let message = message.downcast::<String>().expect("a message");
        assert!(message.contains("here::refused for sm_75, Checked"), "{message}");
        assert!(message.starts_with("1 refusals of 1 kernels"), "{message}");
    }
}
