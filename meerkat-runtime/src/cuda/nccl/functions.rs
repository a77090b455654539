//! The functions of NCCL that are used, as far as the library has them.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use cudarc::nccl::sys as nccl_sys;
use libloading::Library;
use nccl_sys::{ncclComm_t, ncclConfig_t, ncclDataType_t, ncclUniqueId};

use super::super::error::CudaError;

/// What is sent: words of 4 bytes.
pub(super) const WORD: ncclDataType_t = ncclDataType_t::ncclUint32;

/// An `ncclResult_t`. A number, for a newer NCCL may have more of them than an enumeration here.
pub(super) type Code = c_int;

pub(super) const SUCCESS: Code = 0;
pub(super) const IN_PROGRESS: Code = 7;

/// Communicators that do not block and abort are there from here on.
const OLDEST: c_int = 21800;

const LIBRARY: &str = "NCCL (libnccl)";

/// The names that the library has on Linux, and elsewhere none.
const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];

type Stream = nccl_sys::cudaStream_t;

/// NCCL, loaded once in a process and never unloaded.
#[derive(Debug)]
pub(super) struct Functions {
    pub(super) version: (i32, i32, i32),
    get_error_string: unsafe extern "C" fn(Code) -> *const c_char,
    pub(super) get_unique_id: unsafe extern "C" fn(*mut ncclUniqueId) -> Code,
    pub(super) comm_init_rank_config: unsafe extern "C" fn(
        *mut ncclComm_t,
        c_int,
        ncclUniqueId,
        c_int,
        *mut ncclConfig_t,
    ) -> Code,
    pub(super) comm_get_async_error: unsafe extern "C" fn(ncclComm_t, *mut Code) -> Code,
    pub(super) comm_abort: unsafe extern "C" fn(ncclComm_t) -> Code,
    pub(super) group_start: unsafe extern "C" fn() -> Code,
    pub(super) group_end: unsafe extern "C" fn() -> Code,
    pub(super) send: unsafe extern "C" fn(
        *const c_void,
        usize,
        ncclDataType_t,
        c_int,
        ncclComm_t,
        Stream,
    ) -> Code,
    pub(super) recv:
        unsafe extern "C" fn(*mut c_void, usize, ncclDataType_t, c_int, ncclComm_t, Stream) -> Code,
    pub(super) all_gather: unsafe extern "C" fn(
        *const c_void,
        *mut c_void,
        usize,
        ncclDataType_t,
        ncclComm_t,
        Stream,
    ) -> Code,
}

/// Why it cannot be used, kept so that each call can return it.
type Missing = String;

impl Functions {
    /// The library, or why it cannot be used.
    pub(super) fn loaded() -> Result<&'static Functions, CudaError> {
        static NCCL: OnceLock<Result<Functions, Missing>> = OnceLock::new();
        let loaded = NCCL.get_or_init(|| Functions::of(open()?));
        loaded.as_ref().map_err(|help| missing(help.clone()))
    }

    fn of(library: &'static Library) -> Result<Functions, Missing> {
        type GetVersion = unsafe extern "C" fn(*mut c_int) -> Code;
        // SAFETY: NCCL declares the function with this type.
        let get_version: GetVersion = unsafe { function(library, "ncclGetVersion") }?;
        let mut number = 0;
        // SAFETY: the pointer is to a live integer.
        unsafe { get_version(&mut number) };
        if number < OLDEST {
            return Err(format!("it is version {number}, and {OLDEST} is needed: update NCCL"));
        }
        Ok(Functions {
            version: (number / 10000, number / 100 % 100, number % 100),
            // SAFETY: NCCL declares the function with the type of the field; so below.
            get_error_string: unsafe { function(library, "ncclGetErrorString") }?,
            // SAFETY: as above.
            get_unique_id: unsafe { function(library, "ncclGetUniqueId") }?,
            // SAFETY: as above.
            comm_init_rank_config: unsafe { function(library, "ncclCommInitRankConfig") }?,
            // SAFETY: as above.
            comm_get_async_error: unsafe { function(library, "ncclCommGetAsyncError") }?,
            // SAFETY: as above.
            comm_abort: unsafe { function(library, "ncclCommAbort") }?,
            // SAFETY: as above.
            group_start: unsafe { function(library, "ncclGroupStart") }?,
            // SAFETY: as above.
            group_end: unsafe { function(library, "ncclGroupEnd") }?,
            // SAFETY: as above.
            send: unsafe { function(library, "ncclSend") }?,
            // SAFETY: as above.
            recv: unsafe { function(library, "ncclRecv") }?,
            // SAFETY: as above.
            all_gather: unsafe { function(library, "ncclAllGather") }?,
        })
    }

    /// Turns the code that `call` returned into a result.
    pub(super) fn check(&self, call: &'static str, code: Code) -> Result<(), CudaError> {
        if matches!(code, SUCCESS | IN_PROGRESS) {
            return Ok(());
        }
        // SAFETY: any code may be asked about.
        let text = unsafe { (self.get_error_string)(code) };
        let text = match text.is_null() {
            true => "no description".to_owned(),
            // SAFETY: not null; NCCL's strings are NUL-terminated and never freed.
            false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
        };
        Err(CudaError::Nccl { call, code: code as u32, text })
    }
}

fn missing(help: Missing) -> CudaError {
    CudaError::LibraryMissing { library: LIBRARY, help }
}

/// Opens the library for as long as the process lives.
fn open() -> Result<&'static Library, Missing> {
    for name in NAMES {
        // SAFETY: loading NCCL runs only its own initialisers, which need nothing from us.
        if let Ok(library) = unsafe { Library::new(name) } {
            return Ok(Box::leak(Box::new(library)));
        }
    }
    let names = NAMES.join(", ");
    Err(format!(
        "install NCCL 2.18 or later, or the Python wheel `nvidia-nccl-cu13` and put its `lib` folder \
         on LD_LIBRARY_PATH (file names searched: {names})"
    ))
}

/// A function of the library.
///
/// # Safety
/// The library declares it with the type `F`, a function pointer.
unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, Missing> {
    // SAFETY: the caller's promise.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|_| format!("it lacks `{name}`: update NCCL"))
}

/// A configuration that says that calls do not block, and leaves all else to NCCL. Of the size that it
/// had in the oldest version that is taken, so that each version knows all of it.
pub(super) fn config() -> ncclConfig_t {
    const MAGIC: u32 = 0xcafe_beef;
    const UNDEFINED: c_int = c_int::MIN;
    // SAFETY: it is numbers and pointers, of which all-zero bytes are values.
    let mut config: ncclConfig_t = unsafe { std::mem::zeroed() };
    config.size = 48;
    (config.magic, config.version) = (MAGIC, OLDEST as u32);
    config.blocking = 0;
    (config.cgaClusterSize, config.minCTAs, config.maxCTAs) = (UNDEFINED, UNDEFINED, UNDEFINED);
    (config.splitShare, config.trafficClass) = (UNDEFINED, UNDEFINED);
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_library_is_an_error_that_names_the_files_searched() {
        match Functions::loaded() {
            Ok(functions) => assert!(functions.version >= (2, 18, 0)),
            Err(CudaError::LibraryMissing { help, .. }) => {
                assert!(help.contains("libnccl.so.2") || help.contains("update"), "{help}");
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn codes_have_the_numbers_of_nccl() {
        assert_eq!(SUCCESS, nccl_sys::ncclResult_t::ncclSuccess as Code);
        assert_eq!(IN_PROGRESS, nccl_sys::ncclResult_t::ncclInProgress as Code);
        assert_eq!(size_of::<Code>(), size_of::<nccl_sys::ncclResult_t>());
    }

    #[test]
    fn the_configuration_ends_before_what_newer_versions_add() {
        assert_eq!(std::mem::offset_of!(ncclConfig_t, trafficClass), 44);
        assert_eq!(config().size, 48);
    }
}
