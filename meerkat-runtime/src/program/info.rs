//! What a kernel becomes, for launches and for readers.

use super::{FunctionText, Mode, Program};
use crate::cuda::{Arch, nvrtc};
use crate::{Error, ErrorKind};

/// One kernel, its type arguments chosen: its entry, program and native form.
#[derive(Clone, Debug)]
pub struct KernelInfo {
    entry: String,
    text: FunctionText,
    program: Program,
}

impl KernelInfo {
    /// The kernel `entry` of `program`.
    #[doc(hidden)]
    pub fn new(entry: String, text: &FunctionText, program: Program) -> Self {
        KernelInfo { entry, text: *text, program }
    }

    /// Whether none of its functions calls itself by way of others. Of functions of types
    /// only the whole program shows it.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.program.recursive {
            None => Ok(()),
            Some(function) => {
                let (kernel, function) = (self.entry.clone(), function.to_owned());
                Err(ErrorKind::Recursion { kernel, function }.into())
            }
        }
    }

    /// The name of its entry point; type arguments follow the kernel's own name.
    pub fn name(&self) -> &str {
        &self.entry
    }

    /// The function it is made of, followed by its schedule unless that is a warp a vertex:
    /// [`name`](Self::name) without type arguments.
    pub fn function(&self) -> &str {
        self.text.name
    }

    /// The Rust module it was written in.
    pub fn module(&self) -> &str {
        self.text.module
    }

    /// The Rust file it was written in.
    pub fn file(&self) -> &str {
        self.text.file
    }

    /// The whole CUDA program, which NVRTC accepts as it is.
    pub fn cuda_program(&self) -> String {
        self.program.text(Mode::Fast)
    }

    /// The whole program in the checked mode.
    pub fn checked_program(&self) -> String {
        self.program.text(Mode::Checked)
    }

    /// The file whose name a checked program hashed.
    pub(crate) fn file_of_hash(&self, hash: u64) -> &'static str {
        let is_it = |file: &&'static str| {
            let fnv =
                |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
            file.bytes().fold(14_695_981_039_346_656_037, fnv) == hash
        };
        self.program.files().find(is_it).unwrap_or("an unknown file")
    }

    /// The CUDA text without the prelude that every program shares.
    pub fn cuda_body(&self) -> String {
        self.program.body()
    }

    /// The lock-step Rust of the CPU back end, as unformatted tokens.
    pub fn native(&self) -> String {
        self.text.native.to_owned()
    }

    /// The program in PTX for sm_90, by NVRTC.
    ///
    /// # Errors
    /// No NVRTC, or a program it refuses.
    pub fn ptx(&self) -> Result<String, Error> {
        let text = self.cuda_program();
        let name = self.program_name();
        let source = nvrtc::Source { name: &name, text: &text };
        Ok(nvrtc::compile_ptx(&source, &nvrtc::Options::new(Arch::new(9, 0)))?)
    }

    /// The program's name in logs.
    pub(crate) fn program_name(&self) -> String {
        format!("{}.cu", self.entry)
    }
}
