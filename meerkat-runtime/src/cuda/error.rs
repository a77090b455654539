//! What can go wrong between a kernel's text and its result.
//!
//! Every message says what failed, where, and the way out when there is one.

mod bundle;

use std::io;
use std::path::PathBuf;

use super::arch::Arch;
pub use bundle::BundleFault;

/// An error of the CUDA back end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CudaError {
    /// A library cannot be loaded, or is too old to hold every function used here.
    #[error("{library} cannot be used on this machine\n  help: {help}")]
    LibraryMissing {
        /// The library in words, such as `the CUDA driver (libcuda)`.
        library: &'static str,
        /// What was searched for, and what to install.
        help: String,
    },

    /// A call of the CUDA driver failed, or reported that earlier asynchronous work did.
    #[error("{call} failed: {name} ({code}): {text}{}", driver_help(*.code))]
    Driver {
        /// The driver function that returned the code.
        call: &'static str,
        /// The `CUresult` as a number.
        code: u32,
        /// The code's name, such as `CUDA_ERROR_ILLEGAL_ADDRESS`.
        name: String,
        /// The driver's own sentence about it.
        text: String,
    },

    /// A call of NVRTC failed for a reason other than the program's text.
    #[error("{call} failed ({code}): {text}{}", nvrtc_help(*.code))]
    Nvrtc {
        /// The NVRTC function that returned the code.
        call: &'static str,
        /// The `nvrtcResult` as a number.
        code: u32,
        /// NVRTC's own words, with its log where it left one.
        text: String,
    },

    /// A call of NCCL failed.
    #[error("{call} failed ({code}): {text}\n  help: NCCL_DEBUG=INFO makes NCCL say more")]
    Nccl {
        /// The function that returned the code.
        call: &'static str,
        /// The `ncclResult_t` as a number.
        code: u32,
        /// NCCL's own words.
        text: String,
    },

    /// Other ranks did not take part in a call of NCCL in time, and it was aborted.
    #[error("{call}: after {seconds:.1} s other ranks had not done their part, and it was aborted")]
    NcclTimeout {
        /// The function.
        call: &'static str,
        /// How long this rank waited.
        seconds: f64,
    },

    /// NVRTC rejected the program's text.
    #[error("CUDA program `{program}` does not compile:\n{log}")]
    Compile {
        /// The program's name, as the log shows it.
        program: String,
        /// The compiler's log, with files and lines.
        log: String,
    },

    /// The program's name, its text or an option cannot be handed to a C library.
    #[error("{what} of CUDA program `{program}` holds a NUL byte: remove it")]
    NulByte {
        /// The program's name.
        program: String,
        /// Which string: `the name`, `the text`, `an option`, `a kernel name`.
        what: &'static str,
    },

    /// This NVRTC compiles for no architecture that the device can run.
    #[error(
        "NVRTC {}.{} does not compile for {arch}: it starts at {lowest}\n  \
         help: use an older NVRTC (CUDA 12 starts at sm_50), or a newer GPU",
        .version.0, .version.1
    )]
    ArchUnsupported {
        /// The architecture asked for.
        arch: Arch,
        /// The lowest architecture that this NVRTC supports.
        lowest: Arch,
        /// The version of this NVRTC, major and minor.
        version: (i32, i32),
    },

    /// The driver refused a compiled image.
    #[error("the driver cannot load CUDA program `{program}`: {cause}\n{log}")]
    Load {
        /// The program's name.
        program: String,
        /// The driver's answer.
        cause: Box<CudaError>,
        /// The log of the driver's own compiler or loader; often empty for a cubin.
        log: String,
    },

    /// The driver is present, but it shows no device to this process.
    #[error(
        "no CUDA device is visible\n  \
         help: `nvidia-smi` lists the machine's devices; look at CUDA_VISIBLE_DEVICES too"
    )]
    NoDevice,

    /// There are devices, but none of this number.
    #[error("there is no CUDA device {ordinal}: this process sees {count}, numbered from 0")]
    DeviceOutOfRange {
        /// The device asked for.
        ordinal: usize,
        /// How many devices there are.
        count: usize,
    },

    /// The device has too little free memory for an allocation.
    #[error(
        "{bytes} bytes do not fit on the device: {free} of {total} bytes are free\n  \
         help: drop what is not needed, or use a device with more memory"
    )]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
        /// Bytes free when the allocation failed.
        free: u64,
        /// Bytes of memory on the device.
        total: u64,
    },

    /// A compiled image could not be kept on disk.
    #[error("the kernel cache cannot write {}: {source}", .path.display())]
    Cache {
        /// The file or folder concerned.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },

    /// The file of a bundle cannot be read or written.
    #[error(
        "the bundle of kernels {}: {fault}\n  \
         help: `meerkat bundle` makes one; without MEERKAT_BUNDLE kernels are compiled by NVRTC",
        .path.display()
    )]
    Bundle {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: BundleFault,
    },

    /// A bundle lacks a kernel, and it cannot be compiled.
    #[error(
        "`{program}` for {arch} is not in the bundle {}, which has {bundle}, and cannot be \
         compiled: {cause}\n  help: or make the bundle again, with this program's build of \
         Meerkat, this kernel and this architecture",
        .path.display()
    )]
    NotInBundle {
        /// The program's name.
        program: String,
        /// The architecture of the device.
        arch: Arch,
        /// The file of the bundle.
        path: PathBuf,
        /// What is in it.
        bundle: String,
        /// Why the program cannot be compiled.
        cause: Box<CudaError>,
    },

    /// The limit of the kernel cache is not a size.
    #[error(
        "the environment variable `MEERKAT_CACHE_LIMIT` is `{text}`: give it a number of bytes, or \
         of KiB, MiB or GiB as in `200M`, or unset it"
    )]
    CacheLimit {
        /// Its value.
        text: String,
    },

    /// A loaded program has no entry point of this name.
    #[error(
        "CUDA program `{program}` has no kernel `{kernel}`\n  \
         help: an entry point is declared `extern \"C\" __global__`"
    )]
    KernelNotFound {
        /// The entry point asked for.
        kernel: String,
        /// The program searched.
        program: String,
    },

    /// A launch or a setting exceeds what the device or the kernel allows.
    #[error("{what}: {asked} asked for, at most {limit} possible")]
    TooLarge {
        /// The quantity, such as `threads per block of kernel `bfs``.
        what: String,
        /// The value asked for.
        asked: u64,
        /// The largest possible value.
        limit: u64,
    },

    /// A copy or a fill reaches outside its allocation.
    #[error("bytes {offset}..{} are outside a device allocation of {size} bytes",
            .offset.saturating_add(*.len))]
    OutOfBounds {
        /// First byte asked for.
        offset: usize,
        /// Number of bytes asked for.
        len: usize,
        /// Bytes in the allocation.
        size: usize,
    },

    /// A range of 32-bit words does not begin and end at a multiple of four bytes.
    #[error("bytes {offset}..{end} are not whole 32-bit words: both ends must be multiples of 4")]
    Misaligned {
        /// First byte asked for.
        offset: usize,
        /// One past the last byte asked for.
        end: usize,
    },

    /// The two ranges of a copy within one allocation overlap.
    #[error(
        "a device copy of {len} bytes from {from} to {to} overlaps itself: copy through another \
         allocation"
    )]
    Overlap {
        /// First byte read.
        from: usize,
        /// First byte written.
        to: usize,
        /// Number of bytes.
        len: usize,
    },

    /// An allocation, event or kernel was used with a context that does not own it.
    #[error("{what} belongs to another CUDA context: use it with the context that made it")]
    WrongContext {
        /// What was passed: `an allocation`, `an event`, `a kernel`.
        what: &'static str,
    },
}

impl CudaError {
    /// Whether the device context is lost, so that every later call on it fails too.
    ///
    /// A kernel that reads an illegal address, traps or fails an assertion leaves such an
    /// error. Device memory is gone; only a new process gets a working context.
    pub fn is_sticky(&self) -> bool {
        match self {
            CudaError::Driver { code, .. } => is_sticky_code(*code),
            CudaError::Load { cause, .. } => cause.is_sticky(),
            _ => false,
        }
    }
}

/// Codes after which CUDA's documentation says that the process must be relaunched.
fn is_sticky_code(code: u32) -> bool {
    // ECC and NVLink errors, launch timeout, and the faults of a running kernel.
    matches!(code, 214 | 220 | 700 | 702 | 710 | 714..=719 | 721)
}

fn driver_help(code: u32) -> &'static str {
    match code {
        2 => "\n  help: the device is out of memory: drop what is not needed",
        34 => "\n  help: a stub of libcuda was loaded: put the driver's own folder first",
        209 | 222 => {
            "\n  help: the driver is older than NVRTC: update the driver, or use an NVRTC of \
             the driver's CUDA version"
        }
        803 => "\n  help: the kernel driver and libcuda differ in version: reboot or reinstall",
        code if is_sticky_code(code) => {
            "\n  help: a kernel failed and the device context is lost: restart the process; \
             `compute-sanitizer` shows the kernel and its line"
        }
        _ => "",
    }
}

fn nvrtc_help(code: u32) -> &'static str {
    match code {
        5 => "\n  help: look at the extra compiler options",
        7 => {
            "\n  help: libnvrtc-builtins of the same version must lie beside libnvrtc, in a \
             folder that the loader searches (LD_LIBRARY_PATH)"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driver_error(code: u32) -> CudaError {
        CudaError::Driver {
            call: "cuStreamSynchronize",
            code,
            name: "CUDA_ERROR_ILLEGAL_ADDRESS".into(),
            text: "an illegal memory access was encountered".into(),
        }
    }

    #[test]
    fn a_kernel_fault_is_sticky_and_says_to_restart() {
        let error = driver_error(700);
        assert!(error.is_sticky());
        assert_eq!(
            error.to_string(),
            "cuStreamSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory \
             access was encountered\n  help: a kernel failed and the device context is lost: \
             restart the process; `compute-sanitizer` shows the kernel and its line"
        );
    }

    #[test]
    fn an_invalid_argument_is_not_sticky() {
        assert!(!driver_error(1).is_sticky());
        assert!(!CudaError::NoDevice.is_sticky());
    }

    #[test]
    fn an_out_of_bounds_message_never_overflows() {
        let error = CudaError::OutOfBounds { offset: usize::MAX, len: 2, size: 8 };
        assert_eq!(
            error.to_string(),
            format!("bytes {0}..{0} are outside a device allocation of 8 bytes", usize::MAX)
        );
    }
}
