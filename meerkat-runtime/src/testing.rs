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
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

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
    let each = |mode| archs.iter().map(move |&arch| (mode, arch));
    let targets: Vec<_> = each(Mode::Fast).chain(each(Mode::Checked)).collect();
    assert_all(&lowerings(info), |_| targets.clone());
}

/// Compiles many kernels: each as it is for the oldest generation of GPUs that the NVRTC at
/// hand knows, and in the checked mode for one of the others, in turn. What kernels use of a
/// generation they use alike, so kernels in large numbers find what [`assert_compiles`] does, in
/// a fraction of its time.
///
/// # Panics
/// As [`assert_compiles`].
#[track_caller]
pub fn assert_all_compile(kernels: &[KernelInfo]) {
    let mut archs = architectures();
    archs.dedup_by_key(|arch| arch.major);
    assert_all(kernels, |at| targets_in_turn(&archs, at));
}

/// The targets of the kernel at a place, of one architecture a generation, oldest first.
fn targets_in_turn(archs: &[Arch], at: usize) -> Vec<(Mode, Arch)> {
    let Some((&oldest, others)) = archs.split_first() else { return Vec::new() };
    let in_turn = others.iter().cycle().nth(at % others.len().max(1));
    vec![(Mode::Fast, oldest), (Mode::Checked, in_turn.copied().unwrap_or(oldest))]
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
fn assert_all(kernels: &[KernelInfo], targets: impl Fn(usize) -> Vec<(Mode, Arch)> + Sync) {
    if !nvrtc_is_present() {
        return;
    }
    let (next, refusals) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(kernel) = kernels.get(at) else { return };
            // What one architecture refuses the others do, too: once a mode is enough.
            let mut refused = None;
            for (mode, arch) in targets(at) {
                if refused == Some(mode) {
                    continue;
                }
                if let Err(refusal) = compile_for(kernel, mode, arch) {
                    refused = Some(mode);
                    let mut refusals = refusals.lock().unwrap_or_else(PoisonError::into_inner);
                    refusals.push(refusal);
                }
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let refusals = refusals.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (refused, all) = (refusals.len(), kernels.len());
    assert!(refusals.is_empty(), "{refused} refusals of {all} kernels:\n{}", refusals.join("\n"));
}

fn compile_for(kernel: &KernelInfo, mode: Mode, arch: Arch) -> Result<(), String> {
    let name = format!("{}::{}", kernel.module(), kernel.name());
    let text = match mode {
        Mode::Fast => kernel.cuda_program(),
        Mode::Checked => kernel.checked_program(),
    };
    compile(&Source { name: &name, text: &text }, &Options::new(arch))
        .map(drop)
        .map_err(|error| format!("{name} for {arch}, {mode:?}: {error}"))
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
    fn four_kernels_have_all_five_generations() {
        let archs = [7, 8, 9, 10, 12].map(|major| Arch::new(major, 0));
        for (at, other) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 1)] {
            let expected = [(Mode::Fast, archs[0]), (Mode::Checked, archs[other])];
            assert_eq!(targets_in_turn(&archs, at), expected);
        }
        let alone = [(Mode::Fast, archs[0]), (Mode::Checked, archs[0])];
        assert_eq!(targets_in_turn(&archs[..1], 5), alone);
        assert_eq!(targets_in_turn(&[], 0), []);
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
