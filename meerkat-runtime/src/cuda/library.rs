//! Presence of the two NVIDIA libraries, checked before the first call into them.
//!
//! `cudarc` loads a library on first use and panics when the library or a function in it
//! is missing. So each one is looked for once, with every function this module calls, and
//! what is missing becomes an error. [`require_driver`] and [`require_nvrtc`] are the gates:
//! a value such as `Context` or `Program` exists only after they have passed.

use std::env::consts::DLL_SUFFIX;
use std::ffi::c_void;
use std::sync::OnceLock;

use cudarc::driver::sys as driver_sys;
use cudarc::nvrtc::sys as nvrtc_sys;

use super::error::CudaError;

/// Every driver function called through `cudarc`.
const DRIVER_FUNCTIONS: &[&str] = &[
    "cuInit",
    "cuDriverGetVersion",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetName",
    "cuDeviceGetAttribute",
    "cuDeviceGetUuid_v2",
    "cuDeviceTotalMem_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuCtxGetStreamPriorityRange",
    "cuStreamCreateWithPriority",
    "cuStreamSynchronize",
    "cuStreamQuery",
    "cuStreamDestroy_v2",
    "cuMemGetInfo_v2",
    "cuMemAddressFree",
    "cuMemAddressReserve",
    "cuDeviceGetDefaultMemPool",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemCreate",
    "cuMemFreeAsync",
    "cuMemFree_v2",
    "cuMemFreeHost",
    "cuMemHostAlloc",
    "cuMemGetAllocationGranularity",
    "cuMemMap",
    "cuMemPoolSetAttribute",
    "cuMemPoolTrimTo",
    "cuMemRelease",
    "cuMemSetAccess",
    "cuMemUnmap",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyDtoDAsync_v2",
    "cuMemsetD8Async",
    "cuMemsetD32Async",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuLaunchKernelEx",
    "cuEventCreate",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuEventDestroy_v2",
    "cuStreamWaitEvent",
];

/// Every NVRTC function called through `cudarc`.
const NVRTC_FUNCTIONS: &[&str] = &[
    "nvrtcVersion",
    "nvrtcGetErrorString",
    "nvrtcGetNumSupportedArchs",
    "nvrtcGetSupportedArchs",
    "nvrtcCreateProgram",
    "nvrtcCompileProgram",
    "nvrtcDestroyProgram",
    "nvrtcGetProgramLogSize",
    "nvrtcGetProgramLog",
    "nvrtcGetCUBINSize",
    "nvrtcGetCUBIN",
    "nvrtcGetPTXSize",
    "nvrtcGetPTX",
];

/// The fields of [`CudaError::LibraryMissing`], kept so that each call can return them.
#[derive(Clone)]
struct Missing {
    library: &'static str,
    help: String,
}

impl From<Missing> for CudaError {
    fn from(missing: Missing) -> CudaError {
        CudaError::LibraryMissing { library: missing.library, help: missing.help }
    }
}

/// Passes when libcuda is loaded with all of [`DRIVER_FUNCTIONS`].
pub(super) fn require_driver() -> Result<(), CudaError> {
    static DRIVER: OnceLock<Result<(), Missing>> = OnceLock::new();
    DRIVER.get_or_init(find_driver).clone().map_err(CudaError::from)
}

/// Passes when libnvrtc is loaded with all of [`NVRTC_FUNCTIONS`].
pub(super) fn require_nvrtc() -> Result<(), CudaError> {
    static NVRTC: OnceLock<Result<(), Missing>> = OnceLock::new();
    NVRTC.get_or_init(find_nvrtc).clone().map_err(CudaError::from)
}

fn find_driver() -> Result<(), Missing> {
    const LIBRARY: &str = "the CUDA driver (libcuda)";
    // SAFETY: loading libcuda runs only its own initialisers, which need nothing from us.
    if !unsafe { driver_sys::is_culib_present() } {
        let stem = if cfg!(windows) { "nvcuda" } else { "cuda" };
        let help = searched(stem, "install the NVIDIA driver: it brings this library");
        return Err(Missing { library: LIBRARY, help });
    }
    require_functions(LIBRARY, DRIVER_FUNCTIONS, "update the NVIDIA driver", has_driver_function)
}

fn find_nvrtc() -> Result<(), Missing> {
    const LIBRARY: &str = "the CUDA run-time compiler (libnvrtc)";
    // SAFETY: loading libnvrtc runs only its own initialisers, which need nothing from us.
    if !unsafe { nvrtc_sys::is_culib_present() } {
        let help = "install the CUDA toolkit, or the Python wheel `nvidia-cuda-nvrtc` and put \
                    its `lib` folder on LD_LIBRARY_PATH";
        return Err(Missing { library: LIBRARY, help: searched("nvrtc", help) });
    }
    require_functions(LIBRARY, NVRTC_FUNCTIONS, "use CUDA 12 or later", has_nvrtc_function)
}

/// Adds to `help` the file names that `cudarc` tries, so that a user can see a near miss.
fn searched(stem: &str, help: &str) -> String {
    let mut names = cudarc::get_lib_name_candidates(stem);
    if cfg!(unix) {
        // The names with a pointer width, such as `libnvrtc64_13.so`, are Windows'.
        names.retain(|name| name.contains(&format!("{stem}{DLL_SUFFIX}")));
    }
    format!("{help} (file names searched: {})", names.join(", "))
}

fn require_functions(
    library: &'static str,
    functions: &[&str],
    help: &str,
    has: impl Fn(&str) -> bool,
) -> Result<(), Missing> {
    match functions.iter().find(|name| !has(name)) {
        None => Ok(()),
        Some(name) => Err(Missing { library, help: format!("it lacks `{name}`: {help}") }),
    }
}

fn has_driver_function(name: &str) -> bool {
    // SAFETY: `find_driver` found libcuda before it asks for a function.
    let library = unsafe { driver_sys::culib() };
    // SAFETY: the address is only tested for presence, never called or read.
    unsafe { library.get::<*const c_void>(name.as_bytes()) }.is_ok()
}

fn has_nvrtc_function(name: &str) -> bool {
    // SAFETY: `find_nvrtc` found libnvrtc before it asks for a function.
    let library = unsafe { nvrtc_sys::culib() };
    // SAFETY: the address is only tested for presence, never called or read.
    unsafe { library.get::<*const c_void>(name.as_bytes()) }.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const SOURCES: &[&str] = &[
        include_str!("driver.rs"),
        include_str!("driver/context.rs"),
        include_str!("driver/event.rs"),
        include_str!("driver/memory.rs"),
        include_str!("driver/memory/copies.rs"),
        include_str!("driver/memory/growable.rs"),
        include_str!("driver/module.rs"),
        include_str!("driver/pinned.rs"),
        include_str!("driver/pool.rs"),
        include_str!("driver/primary.rs"),
        include_str!("driver/staging.rs"),
        include_str!("nvrtc.rs"),
        include_str!("nvrtc/program.rs"),
    ];

    /// The functions named `sys::PREFIX...` in the sources; types and `culib` left out.
    fn called(prefix: &str) -> BTreeSet<String> {
        let starts = SOURCES.iter().flat_map(|source| source.split("sys::").skip(1));
        starts
            .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next())
            .filter(|name| name.starts_with(prefix))
            .filter(|name| !["culib", "nvrtcProgram", "nvrtcResult"].contains(name))
            .map(str::to_owned)
            .collect()
    }

    fn listed(functions: &[&str]) -> BTreeSet<String> {
        functions.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn every_function_called_is_looked_for_first() {
        assert_eq!(called("cu"), listed(DRIVER_FUNCTIONS));
        assert_eq!(called("nvrtc"), listed(NVRTC_FUNCTIONS));
    }

    #[test]
    fn a_missing_library_names_the_files_searched() {
        let help = searched("nvrtc", "install it");
        assert!(help.starts_with("install it (file names searched: "), "{help}");
        assert!(help.contains(DLL_SUFFIX), "{help}");
    }

    #[test]
    fn a_missing_function_is_an_error_that_names_it() {
        let missing = require_functions("lib", &["a", "b"], "update it", |name| name == "a");
        assert_eq!(missing.unwrap_err().help, "it lacks `b`: update it");
    }
}
