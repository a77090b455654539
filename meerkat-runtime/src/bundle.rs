//! Kernels compiled ahead, for a start without a compiler.
//!
//! ```text
//! run on Device::cpu().with_kernel_record(..) --KernelRecord--> kernels --compile--> file
//! file --Bundle--> Device::cuda, where NVRTC is not needed
//! ```
//!
//! A program of yours makes a bundle of the kernels that it launches so:
//!
//! ```no_run
//! use meerkat_runtime::bundle::{self, KernelRecord};
//! use meerkat_runtime::cuda::Arch;
//! use meerkat_runtime::prelude::*;
//! # fn small_run(device: &Device) -> Result<(), Error> { Ok(()) }
//!
//! let record = KernelRecord::new();
//! small_run(&Device::cpu().with_kernel_record(&record))?;
//! let archs = [Arch::new(8, 0), Arch::new(9, 0)];
//! let made = bundle::compile(&record.kernels(), &archs, &|_, _| {})?;
//! made.write("my.bundle")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! and starts with `MEERKAT_BUNDLE=my.bundle`, or with [`Device::cuda_with_bundle`] and the bytes
//! of the file in the program. The run has to launch what the program may launch later: a kernel
//! that it does not is compiled by NVRTC at its first launch, and where there is no NVRTC the
//! error names it. [`KernelVariant`]s of an operator's `info_with` can be added to the list.
//!
//! A kernel is found by its CUDA text, which has the names and lines of its Rust sources: the
//! bundle has to be made by the same build of the operators. Machine code for an architecture runs
//! on later ones of its generation: that for sm_80 on sm_86 and sm_89, too. The checked mode
//! (`MEERKAT_CHECKED=1`) has other texts, and is not in bundles.

use crate::Error;
use crate::cuda::{Arch, CubinCache, Images};
pub use crate::cuda::{Bundle, BundleBuilder, BundleFault};
pub use crate::device::{KernelRecord, KernelVariant};
use crate::program::Mode;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

#[cfg(doc)]
use crate::Device;

/// Compiles kernels for some architectures, on all cores: tenths of a second for each of each.
/// `progress` is told after each how many are done, of how many. What the cubin cache has is not
/// compiled again.
///
/// # Errors
/// No NVRTC; it refuses a kernel, or does not compile for an architecture.
pub fn compile(
    kernels: &[KernelVariant],
    archs: &[Arch],
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<BundleBuilder, Error> {
    let images = Images::new(CubinCache::from_env()?);
    let (bundle, done) = (Mutex::new(BundleBuilder::new()), AtomicUsize::new(0));
    let bundle_of = || bundle.lock().unwrap_or_else(PoisonError::into_inner);
    let all = kernels.len() * archs.len();
    let compile_one = |kernel: &KernelVariant, arch| -> Result<(), Error> {
        let request = kernel.request(Mode::Fast, arch);
        let (source, options) = (request.source(), &request.options);
        // A kernel may be listed twice.
        if !bundle_of().contains(&source, options) {
            let compiled = images.get(&source, options).map_err(|error| kernel.refused(error))?;
            bundle_of().insert(&source, options, &compiled);
        }
        progress(done.fetch_add(1, Relaxed) + 1, all);
        Ok(())
    };
    let pairs = archs.par_iter().flat_map(|&arch| kernels.par_iter().map(move |one| (one, arch)));
    pairs.try_for_each(|(kernel, arch)| compile_one(kernel, arch))?;
    Ok(bundle.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::CudaError;
    use crate::prelude::*;
    use crate::testing::nvrtc_is_present;
    use std::ffi::OsStr;
    use std::process::Command;

    #[vertex_operator]
    fn count<W: Weight>(v: Vertex, graph: &Graph<W>, degrees: &mut [u32]) {
        let mut degree = 0u32;
        for_each_neighbor(graph, v, true, |_dst| degree += 1);
        degrees[v] = degree;
    }

    #[kernel]
    fn number(out: &mut [u32]) {
        let i = thread_id();
        if i < out.len() {
            out[i] = i;
        }
    }

    fn run(device: &Device) -> Result<(), Error> {
        let edges = [Edge { src: 0, dst: 1, weight: 5u32 }];
        let graph = SlabGraph::from_edges(device, 3, &edges, &SlabOptions::DEFAULT)?;
        let mut degrees = DeviceBuffer::<u32>::zeroed(device, 3)?;
        count::launch::<u32>(device, 0..3, &graph, &mut degrees)?;
        let fixed = Schedule::Tile8.registers(32);
        count::launch_with::<u32>(fixed, device, 0..3, &graph, &mut degrees)?;
        number::launch(device, 3, &mut degrees)?;
        number::launch(device, 3, &mut degrees)
    }

    fn recorded() -> Vec<KernelVariant> {
        let record = KernelRecord::new();
        run(&Device::cpu().with_kernel_record(&record)).expect("a run on the CPU");
        let here = |kernel: &KernelVariant| kernel.info().module() == module_path!();
        record.kernels().into_iter().filter(here).collect()
    }

    #[test]
    fn a_record_has_each_schedule_that_cuda_may_take_once_and_how_code_is_made() {
        let names: Vec<_> = recorded().iter().map(|one| one.info().name().to_owned()).collect();
        let wanted = ["count_u32", "count_thread_u32", "count_hybrid_u32", "count_tile8_u32"];
        let expected: Vec<_> = wanted.into_iter().chain(["number"]).collect();
        assert_eq!(names, expected);
        let sm_90 = Arch::new(9, 0);
        let few = recorded()[3].request(Mode::Fast, sm_90).options.extra;
        assert_eq!(few, ["--maxrregcount=32"]);
        assert!(recorded()[0].request(Mode::Fast, sm_90).options.extra.is_empty());
    }

    fn found(bundle: &Bundle, kernel: &KernelVariant, arch: Arch) -> bool {
        let request = kernel.request(Mode::Fast, arch);
        bundle.get(&request.source(), &request.options).expect("a whole bundle").is_some()
    }

    #[test]
    fn a_bundle_has_all_kernels_for_all_architectures_and_is_reproducible() {
        if !nvrtc_is_present() {
            return;
        }
        let archs = [Arch::new(8, 0), Arch::new(9, 0)];
        let twice = [recorded(), recorded()].concat();
        let most = AtomicUsize::new(0);
        let progress = |done, all| {
            assert!(0 < done && done <= all && all == 20, "{done} of {all}");
            most.fetch_max(done, Relaxed);
        };
        let made = compile(&twice, &archs, &progress).expect("they compile");
        assert_eq!((made.len(), most.into_inner()), (10, 20));
        let again = compile(&recorded(), &archs, &|_, _| {}).expect("they compile");
        assert!(made.to_bytes() == again.to_bytes(), "the same kernels, other bytes");
        let bundle = Bundle::from_bytes("k.bundle", made.to_bytes()).expect("whole");
        for kernel in recorded() {
            assert!(archs.iter().all(|&arch| found(&bundle, &kernel, arch)), "{kernel:?}");
            // The other way round is not so.
            assert!(found(&bundle, &kernel, Arch::new(8, 9)));
            assert!(!found(&bundle, &kernel, Arch::new(7, 5)));
        }
    }

    const CHILD: &str = "MEERKAT_TEST_BUNDLE_CHILD";

    /// A process without NVRTC and without a GPU, to which a bundle is named.
    fn without_nvrtc(test: &str, bundle: &OsStr) {
        let (_, module) = module_path!().split_once("::").expect("a module");
        let output = Command::new(std::env::current_exe().expect("a program"))
            .args(["--exact", &format!("{module}::{test}"), "--nocapture"])
            .env(CHILD, "1")
            .env("MEERKAT_BUNDLE", bundle)
            .env("LD_LIBRARY_PATH", "/nonexistent")
            .env("CUDA_VISIBLE_DEVICES", "")
            .output()
            .expect("a child");
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }

    /// Whether libnvrtc is mapped into this process.
    fn nvrtc_is_loaded() -> bool {
        let maps = std::fs::read_to_string("/proc/self/maps").expect("the maps of this process");
        maps.contains("nvrtc")
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_in_a_bundle_needs_no_nvrtc_and_what_is_not_is_named() {
        const TEST: &str = "what_is_in_a_bundle_needs_no_nvrtc_and_what_is_not_is_named";
        let sm_90 = Arch::new(9, 0);
        if std::env::var_os(CHILD).is_none() {
            if nvrtc_is_present() {
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("k.bundle");
                let made = compile(&recorded()[..2], &[sm_90], &|_, _| {}).expect("they compile");
                made.write(&path).expect("a file");
                without_nvrtc(TEST, path.as_os_str());
            }
            return;
        }
        let bundle = Bundle::from_env().expect("a bundle").expect("it is named");
        let images = Images::new(CubinCache::disabled()).with_bundle(bundle);
        for kernel in &recorded()[..2] {
            let request = kernel.request(Mode::Fast, sm_90);
            let compiled = images.get(&request.source(), &request.options).expect("in the bundle");
            assert!(compiled.image().starts_with(b"\x7fELF"));
        }
        assert_eq!((images.counters().bundled, images.counters().compiled), (2, 0));
        assert!(!nvrtc_is_loaded());
        // A device asks for the driver, and no more for NVRTC.
        let error = Device::cuda(0).expect_err("no GPU").to_string();
        assert!(!error.contains("nvrtc"), "{error}");
        if crate::cuda::nvrtc::version().is_ok() {
            return; // NVRTC is where the loader looks by itself.
        }
        let request = recorded()[4].request(Mode::Fast, sm_90);
        let error = images.get(&request.source(), &request.options).expect_err("not in it");
        assert!(matches!(error, CudaError::NotInBundle { .. }), "{error}");
        let error = error.to_string();
        let parts = ["`number.cu` for sm_90", "k.bundle", "2 kernels by meerkat", "libnvrtc"];
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }

    #[test]
    fn a_damaged_bundle_that_is_named_is_an_error_of_the_device() {
        const TEST: &str = "a_damaged_bundle_that_is_named_is_an_error_of_the_device";
        if std::env::var_os(CHILD).is_none() {
            let file = tempfile::NamedTempFile::new().expect("a file");
            let mut made = BundleBuilder::new().to_bytes();
            made.pop();
            std::fs::write(file.path(), made).expect("written");
            return without_nvrtc(TEST, file.path().as_os_str());
        }
        let (device, why) = Device::auto_or_why();
        let error = Device::cuda(0).expect_err("damaged").to_string();
        assert!(error.contains("is damaged") && error.contains("MEERKAT_BUNDLE"), "{error}");
        assert!(!device.is_cuda() && why.expect("a reason").to_string() == error);
    }
}
