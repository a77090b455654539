//! Compiling kernels with the vendor's own compiler.

use super::support;
use meerkat::runtime::cuda::nvrtc::{self, Arch, Options, Source, compile};
use meerkat::runtime::program::KernelInfo;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const ARCHITECTURES: [(u32, u32); 4] = [(7, 5), (8, 0), (9, 0), (12, 0)];

/// Says that NVRTC is missing, and fails where `MEERKAT_REQUIRE_NVRTC` is 1.
fn is_present() -> bool {
    match nvrtc::version() {
        Ok(_) => true,
        Err(error) => {
            let problem = format!("NVRTC is not present\n{error}");
            support::skipped_unless("MEERKAT_REQUIRE_NVRTC", &problem);
            false
        }
    }
}

/// Compiles every kernel for every architecture, on all cores; all refusals are
/// reported at once.
#[track_caller]
pub(crate) fn compile_all(kernels: &[KernelInfo]) {
    if !is_present() {
        return;
    }
    let (next, refusals) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(kernel) = kernels.get(next.fetch_add(1, Relaxed)) {
            if let Err(refusal) = compile_one(kernel) {
                refusals.lock().expect("no panic").push(refusal);
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let refusals = refusals.into_inner().expect("no panic");
    let (refused, all) = (refusals.len(), kernels.len());
    assert!(refusals.is_empty(), "{refused} of {all} kernels:\n{}", refusals.join("\n"));
}

fn compile_one(kernel: &KernelInfo) -> Result<(), String> {
    let name = format!("{}::{}", kernel.module(), kernel.name());
    let (text, checked) = (kernel.cuda_program(), kernel.checked_program());
    compile(&Source { name: &name, text: &checked }, &Options::new(Arch::new(9, 0)))
        .map_err(|error| format!("{name}, checked: {error}"))?;
    for (major, minor) in ARCHITECTURES {
        let source = Source { name: &name, text: &text };
        compile(&source, &Options::new(Arch::new(major, minor)))
            .map_err(|error| format!("{name} for sm_{major}{minor}: {error}"))?;
    }
    Ok(())
}
