//! One CUDA device: context, memory, modules, launches and events.
//!
//! `Context` -> `Memory`, `Module` -> `Function` -> `Context::launch` -> `Memory`.
//! What a context makes keeps the context alive, and goes back when it is dropped; a module is the
//! device's, whichever context loaded it.
//!
//! Each context has one stream, and everything happens on it in the order of the calls, but for
//! copies from pinned memory, which have a stream of their own until they are joined. The
//! driver reports a kernel's failure at some later call, most often the one that
//! synchronises; [`CudaError::is_sticky`] tells such errors from a mistake in the call.

mod context;
mod copiers;
mod event;
mod image;
mod memory;
mod module;
mod pinned;
mod pool;
mod primary;
mod staging;

use std::ffi::{CStr, c_char};

use cudarc::driver::sys;

pub use context::Context;
pub use event::Event;
pub use memory::Memory;
pub use module::{Function, FunctionAttributes, Module};
pub use pinned::PinnedMemory;

use super::error::CudaError;
use super::library::require_driver;

/// The number of devices this process sees. Does not touch them.
///
/// # Errors
/// [`CudaError::LibraryMissing`] without a driver, [`CudaError::Driver`] when the driver does
/// not start. A driver that shows no device is no error: the count is 0.
pub fn device_count() -> Result<usize, CudaError> {
    match initialize() {
        Err(CudaError::NoDevice) => return Ok(0),
        other => other?,
    }
    let mut count = 0;
    // SAFETY: the driver is initialised, and the pointer is to a live integer.
    let code = unsafe { sys::cuDeviceGetCount(&mut count) };
    check("cuDeviceGetCount", code)?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The CUDA version that the driver supports, major and minor.
///
/// # Errors
/// [`CudaError::LibraryMissing`] without a driver.
pub fn driver_version() -> Result<(i32, i32), CudaError> {
    require_driver()?;
    let mut version = 0;
    // SAFETY: the library is loaded (this call needs no initialisation); the pointer is to a
    // live integer.
    let code = unsafe { sys::cuDriverGetVersion(&mut version) };
    check("cuDriverGetVersion", code)?;
    // The driver says 13020 for CUDA 13.2.
    Ok((version / 1000, version % 1000 / 10))
}

/// Loads and initialises the driver; cheap after the first time.
fn initialize() -> Result<(), CudaError> {
    require_driver()?;
    // SAFETY: the library is loaded, and 0 is the only value that the flags may have.
    let code = unsafe { sys::cuInit(0) };
    check("cuInit", code)
}

/// Turns the code that `call` returned into a result.
fn check(call: &'static str, code: sys::CUresult) -> Result<(), CudaError> {
    match code {
        sys::CUresult::CUDA_SUCCESS => Ok(()),
        sys::CUresult::CUDA_ERROR_NO_DEVICE => Err(CudaError::NoDevice),
        code => Err(driver_error(call, code)),
    }
}

fn driver_error(call: &'static str, code: sys::CUresult) -> CudaError {
    let (mut name, mut text) = (std::ptr::null(), std::ptr::null());
    // SAFETY: any code may be asked about; the pointer is to a live pointer. An unknown code
    // leaves it null, so the result needs no check.
    unsafe { sys::cuGetErrorName(code, &mut name) };
    // SAFETY: as above.
    unsafe { sys::cuGetErrorString(code, &mut text) };
    CudaError::Driver {
        call,
        code: code as u32,
        name: driver_string(name).unwrap_or_else(|| "an unknown code".to_owned()),
        text: driver_string(text).unwrap_or_else(|| "no description".to_owned()),
    }
}

/// A copy of one of the driver's own strings, which must be null or static.
fn driver_string(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: not null; only strings from `cuGetErrorName` and `cuGetErrorString` come here,
    // which are NUL-terminated and never freed.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::super::test_support;
    use super::*;

    #[test]
    fn an_absent_driver_is_an_error_and_never_a_panic() {
        match device_count() {
            Ok(_) => assert!(driver_version().is_ok()),
            Err(CudaError::LibraryMissing { .. } | CudaError::Driver { .. }) => {}
            Err(other) => panic!("{other}"),
        }
        if driver_version().is_err() {
            assert!(matches!(Context::new(0), Err(CudaError::LibraryMissing { .. })));
        }
    }

    #[test]
    fn a_device_past_the_last_is_out_of_range() {
        if test_support::context().is_none() {
            return;
        }
        let count = device_count().unwrap();
        match Context::new(count).err().unwrap() {
            CudaError::DeviceOutOfRange { ordinal, count: reported } => {
                assert_eq!((ordinal, reported), (count, count));
            }
            other => panic!("{other}"),
        }
    }

    #[test]
    fn an_error_carries_the_drivers_name_and_text() {
        if test_support::context().is_none() {
            return;
        }
        match check("cuTest", sys::CUresult::CUDA_ERROR_INVALID_VALUE).unwrap_err() {
            CudaError::Driver { call, code, name, text } => {
                assert_eq!((call, code), ("cuTest", 1));
                assert_eq!(name, "CUDA_ERROR_INVALID_VALUE");
                assert!(!text.is_empty());
            }
            other => panic!("{other}"),
        }
    }
}
