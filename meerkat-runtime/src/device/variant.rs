//! A kernel as it is compiled: its text for a mode, and how its code is made.

use crate::cuda::{Arch, CudaError, Options, Source};
use crate::program::{KernelInfo, Mode};
use crate::schedule::{CodegenOptions, Schedule};
use crate::{Error, ErrorKind};
use std::any::TypeId;

/// A kernel with its type arguments, under a schedule, and how its code is made.
pub(crate) type KernelKey = (TypeId, Schedule, CodegenOptions);

/// A kernel and how its code is made: what a launch compiles, or a
/// [bundle](mod@crate::bundle) ahead of it.
#[derive(Clone, Debug)]
pub struct KernelVariant {
    info: KernelInfo,
    code: CodegenOptions,
}

/// The kernel as launches have it that ask for nothing else.
impl From<KernelInfo> for KernelVariant {
    fn from(info: KernelInfo) -> Self {
        KernelVariant { info, code: CodegenOptions::default() }
    }
}

impl KernelVariant {
    pub(crate) fn new(info: KernelInfo, code: CodegenOptions) -> Self {
        KernelVariant { info, code }
    }

    /// The kernel, under one schedule.
    pub fn info(&self) -> &KernelInfo {
        &self.info
    }

    /// What NVRTC is given for an architecture.
    pub(crate) fn request(&self, mode: Mode, arch: Arch) -> Request {
        let text = match mode {
            Mode::Fast => self.info.cuda_program(),
            Mode::Checked => self.info.checked_program(),
        };
        let mut options = Options::new(arch);
        options.fast_math = self.code.fast_math;
        if let Some(most) = self.code.registers {
            options.extra.push(format!("--maxrregcount={most}"));
        }
        Request { name: self.info.program_name(), text, options }
    }

    /// The error of a compilation, at the lines of the Rust source.
    pub(crate) fn refused(&self, error: CudaError) -> Error {
        match error {
            CudaError::Compile { log, .. } => {
                let kernel = self.info.name().to_owned();
                let diagnostics = crate::program::as_rustc_shows(&log);
                ErrorKind::KernelCompile { kernel, diagnostics }.into()
            }
            other => other.into(),
        }
    }
}

/// A program and how it is compiled.
pub(crate) struct Request {
    name: String,
    pub(crate) text: String,
    pub(crate) options: Options,
}

impl Request {
    pub(crate) fn source(&self) -> Source<'_> {
        Source { name: &self.name, text: &self.text }
    }
}
