//! NVRTC's program object: made, compiled, read, and destroyed on every path.

use std::ffi::{CStr, CString, c_char, c_int};

use cudarc::nvrtc::sys;

use super::super::error::CudaError;
use super::super::library::require_nvrtc;
use super::Source;

/// NVRTC's program object, owned.
pub(super) struct Program(sys::nvrtcProgram);

impl Program {
    pub(super) fn create(source: &Source<'_>) -> Result<Program, CudaError> {
        let name = c_string(source.name, source.name, "the name")?;
        let text = c_string(source.text, source.name, "the text")?;
        require_nvrtc()?;
        let mut handle = std::ptr::null_mut();
        let (none, none_too) = (std::ptr::null(), std::ptr::null());
        // SAFETY: both strings end in NUL and outlive the call, which copies them; the count
        // of headers is 0, so their arrays may be null.
        let code = unsafe {
            sys::nvrtcCreateProgram(&mut handle, text.as_ptr(), name.as_ptr(), 0, none, none_too)
        };
        check("nvrtcCreateProgram", code)?;
        Ok(Program(handle))
    }

    pub(super) fn compile(&self, name: &str, command_line: &[String]) -> Result<(), CudaError> {
        let options = command_line
            .iter()
            .map(|option| c_string(option, name, "an option"))
            .collect::<Result<Vec<CString>, CudaError>>()?;
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
        // SAFETY: the program is live, and `pointers` holds at least `count` NUL-terminated
        // strings, which `options` keeps alive during the call.
        let code = unsafe { sys::nvrtcCompileProgram(self.0, count, pointers.as_ptr()) };
        match code {
            sys::nvrtcResult::NVRTC_ERROR_COMPILATION => {
                Err(CudaError::Compile { program: name.to_owned(), log: self.log() })
            }
            code => check("nvrtcCompileProgram", code).map_err(|error| self.add_log(error)),
        }
    }

    /// Appends what NVRTC logged, such as which option it refused.
    fn add_log(&self, error: CudaError) -> CudaError {
        let log = self.log();
        match error {
            CudaError::Nvrtc { call, code, text } if !log.is_empty() => {
                CudaError::Nvrtc { call, code, text: format!("{text}: {log}") }
            }
            other => other,
        }
    }

    /// The log, or an empty one when NVRTC gives none: a lost log must not hide its error.
    pub(super) fn log(&self) -> String {
        let bytes = without_nul(self.output(&LOG).unwrap_or_default());
        String::from_utf8_lossy(&bytes).trim_end().to_owned()
    }

    pub(super) fn cubin(&self) -> Result<Vec<u8>, CudaError> {
        self.output(&CUBIN)
    }

    pub(super) fn ptx(&self) -> Result<Vec<u8>, CudaError> {
        self.output(&PTX).map(without_nul)
    }

    fn output(&self, output: &Output) -> Result<Vec<u8>, CudaError> {
        let mut size = 0;
        // SAFETY: the program is live; the pointer is to a live integer.
        let code = unsafe { (output.size)(self.0, &mut size) };
        check(output.call, code)?;
        let mut bytes = vec![0u8; size];
        // SAFETY: the program is live; the buffer has the size that NVRTC just announced.
        let code = unsafe { (output.write)(self.0, bytes.as_mut_ptr().cast()) };
        check(output.call, code)?;
        Ok(bytes)
    }
}

/// An output of a compiled program, which NVRTC gives in two calls.
struct Output {
    call: &'static str,
    /// Writes the output's size in bytes.
    size: unsafe fn(sys::nvrtcProgram, *mut usize) -> sys::nvrtcResult,
    /// Writes the output into a buffer of that size.
    write: unsafe fn(sys::nvrtcProgram, *mut c_char) -> sys::nvrtcResult,
}

const LOG: Output = Output {
    call: "nvrtcGetProgramLog",
    size: sys::nvrtcGetProgramLogSize,
    write: sys::nvrtcGetProgramLog,
};
const CUBIN: Output =
    Output { call: "nvrtcGetCUBIN", size: sys::nvrtcGetCUBINSize, write: sys::nvrtcGetCUBIN };
const PTX: Output =
    Output { call: "nvrtcGetPTX", size: sys::nvrtcGetPTXSize, write: sys::nvrtcGetPTX };

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is live and owned by this value, which is never used again.
        // The code is ignored: it can only say that the handle was not valid.
        unsafe { sys::nvrtcDestroyProgram(&mut self.0) };
    }
}

fn c_string(text: &str, program: &str, what: &'static str) -> Result<CString, CudaError> {
    CString::new(text).map_err(|_| CudaError::NulByte { program: program.to_owned(), what })
}

/// NVRTC ends its texts with a NUL that counts in their size.
fn without_nul(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}

/// Turns the code that `call` returned into a result. NVRTC must be loaded.
pub(super) fn check(call: &'static str, code: sys::nvrtcResult) -> Result<(), CudaError> {
    if code == sys::nvrtcResult::NVRTC_SUCCESS {
        return Ok(());
    }
    // SAFETY: any code may be asked about; NVRTC returns a string that it never frees.
    let text = unsafe { sys::nvrtcGetErrorString(code) };
    let text = if text.is_null() {
        "no description".to_owned()
    } else {
        // SAFETY: not null, NUL-terminated and static, as said above.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    };
    Err(CudaError::Nvrtc { call, code: code as u32, text })
}
