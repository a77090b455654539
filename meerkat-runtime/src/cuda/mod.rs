//! The CUDA back end's ground: text to image to launch, with nothing needed at build time.
//!
//! ```text
//! Source + Options --nvrtc--> Compiled --Module::load--> Module --function--> Function
//!                    ^    |                                                      |
//!                    |    v                                          Context::launch + Memory
//!           Bundle, CubinCache (disk)                                            |
//!                                                              Memory --copy_to_host--> result
//! ```
//!
//! | file | stage |
//! | --- | --- |
//! | `library.rs` | are libcuda and libnvrtc here, with all the functions used? |
//! | `nvrtc.rs` | CUDA C++ text to cubin or PTX |
//! | `cache.rs` | compiled images on disk |
//! | `key.rs` | hashes of all that an image depends on |
//! | `bundle.rs` | images compiled ahead, in one file |
//! | `images.rs` | an image, wherever it comes from; counts |
//! | `driver.rs` | device, memory, modules, launches, events |
//! | `nccl.rs` | what GPUs send each other; its library is looked for apart |
//! | `calls.rs` | how long such calls keep the host, for profiles |
//! | `arch.rs` | architectures of GPUs |
//! | `error.rs` | [`CudaError`], the one error type |
//!
//! Both libraries are loaded at run time. Without them every function returns
//! [`CudaError::LibraryMissing`]; none panics and none prints. [`probe`] tells in advance.

#![allow(unsafe_code)] // Foreign calls: each block makes one, and says why it may.

mod arch;
mod bundle;
mod cache;
mod calls;
mod driver;
mod error;
mod images;
mod key;
mod library;
mod nccl;
pub mod nvrtc;
#[cfg(test)]
pub(crate) mod test_support;

use std::fmt;

pub use arch::{Arch, NoArch};
pub use bundle::{Bundle, BundleBuilder};
pub(crate) use cache::store as store_beside;
pub use cache::{CacheOutcome, CubinCache};
pub(crate) use calls::{Call, count_calls, counted};
pub use driver::{
    Context, Event, Function, FunctionAttributes, Memory, Module, PinnedMemory, device_count,
    driver_version,
};
pub use error::{BundleFault, CudaError};
pub use images::{ImageCounters, Images};
pub use nccl::version as nccl_version;
pub(crate) use nccl::{Nccl, NcclId, TransferSpans, WordSpan};
pub use nvrtc::{Compiled, Image, Options, Source};

/// What of CUDA this process can use, and why not the rest.
#[derive(Debug)]
pub struct Availability {
    /// The driver, or why it cannot be used.
    pub driver: Result<Driver, CudaError>,
    /// The version of NVRTC, major and minor, or why it cannot be used.
    pub nvrtc: Result<(i32, i32), CudaError>,
}

/// A working driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Driver {
    /// The CUDA version that it supports, major and minor.
    pub version: (i32, i32),
    /// How many devices it shows to this process.
    pub devices: usize,
}

impl Availability {
    /// Whether kernels can be compiled and run here: both libraries and at least one device.
    pub fn is_usable(&self) -> bool {
        self.nvrtc.is_ok() && self.driver.as_ref().is_ok_and(|driver| driver.devices > 0)
    }
}

impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.driver {
            Ok(Driver { version: (major, minor), devices }) => {
                writeln!(f, "CUDA driver: for CUDA {major}.{minor}, {devices} device(s)")?;
            }
            Err(error) => writeln!(f, "CUDA driver: {error}")?,
        }
        match &self.nvrtc {
            Ok((major, minor)) => write!(f, "NVRTC: {major}.{minor}"),
            Err(error) => write!(f, "NVRTC: {error}"),
        }
    }
}

/// Looks for the driver, its devices and NVRTC. Takes no device and never fails.
pub fn probe() -> Availability {
    Availability { driver: probe_driver(), nvrtc: nvrtc::version() }
}

fn probe_driver() -> Result<Driver, CudaError> {
    Ok(Driver { devices: device_count()?, version: driver_version()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_never_panics_and_says_what_is_missing() {
        let availability = probe();
        let text = availability.to_string();
        for error in [availability.driver.as_ref().err(), availability.nvrtc.as_ref().err()] {
            assert!(error.is_none_or(|error| text.contains(&error.to_string())), "{text}");
        }
        assert_eq!(
            availability.is_usable(),
            availability.nvrtc.is_ok() && matches!(availability.driver, Ok(d) if d.devices > 0)
        );
    }

    #[test]
    fn a_driver_without_devices_is_not_usable() {
        let driver = Driver { version: (13, 0), devices: 0 };
        let availability = Availability { driver: Ok(driver), nvrtc: Ok((13, 0)) };
        assert!(!availability.is_usable());
        assert_eq!(
            availability.to_string(),
            "CUDA driver: for CUDA 13.0, 0 device(s)\nNVRTC: 13.0"
        );
    }
}
