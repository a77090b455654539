//! CUDA C++ text to a device image, by NVRTC.
//!
//! `Source` + `Options` -> `Program` (NVRTC's, destroyed on every path) -> `Compiled`.
//! A cubin for exactly the device asked for is preferred: it loads without the driver's own
//! compiler. PTX is the fallback for a GPU newer than this NVRTC.
//!
//! NVRTC needs no GPU, and the text needs no header, so libnvrtc alone is enough. All
//! functions here may be called from any thread; none touches a device.

mod program;

use std::ffi::c_int;

use cudarc::nvrtc::sys;

use super::arch::Arch;
use super::error::CudaError;
use super::library::require_nvrtc;
use program::{Program, check};

/// A program to compile: CUDA C++ that includes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file name that logs, sanitizers and profilers show (`#line` overrides it).
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// How to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The device's architecture.
    pub arch: Arch,
    /// Trade the exact rounding that the CPU back end reproduces for speed.
    ///
    /// Off, multiplications and additions are never fused, so that both back ends agree.
    pub fast_math: bool,
    /// Further NVRTC options, handed on as they are.
    pub extra: Vec<String>,
}

impl Options {
    /// Exact arithmetic for `arch`, no further options.
    pub fn new(arch: Arch) -> Options {
        Options { arch, fast_math: false, extra: Vec::new() }
    }

    /// The command line, with `target` such as `sm_90` or `compute_90`.
    pub(super) fn command_line(&self, target: &str) -> Vec<String> {
        let math = if self.fast_math { "--use_fast_math" } else { "--fmad=false" };
        let mut line = vec![
            format!("--gpu-architecture={target}"),
            "--std=c++20".to_owned(),
            "--generate-line-info".to_owned(),
            math.to_owned(),
        ];
        line.extend(self.extra.iter().cloned());
        line
    }
}

/// What a compiled image is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    /// Machine code for one architecture (an ELF file).
    Cubin,
    /// Text that the driver compiles when it loads the module.
    Ptx,
}

/// A compiled program. Only NVRTC, or a verified cache entry made from it, gives one, so the
/// driver may trust its image.
#[derive(Clone, Debug)]
pub struct Compiled {
    program: String,
    image: Vec<u8>,
    kind: Image,
    log: String,
}

impl Compiled {
    pub(super) fn new(program: &str, image: Vec<u8>, kind: Image, log: String) -> Compiled {
        Compiled { program: program.to_owned(), image, kind, log }
    }

    /// The program's name.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The image's bytes; PTX has no trailing NUL here.
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// What the image is.
    pub fn kind(&self) -> Image {
        self.kind
    }

    /// The compiler's warnings and remarks; empty when the image came from the cache.
    pub fn log(&self) -> &str {
        &self.log
    }
}

/// The version of NVRTC, major and minor.
///
/// # Errors
/// [`CudaError::LibraryMissing`] without NVRTC.
pub fn version() -> Result<(i32, i32), CudaError> {
    require_nvrtc()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both pointers are to live integers, which NVRTC writes.
    let code = unsafe { sys::nvrtcVersion(&mut major, &mut minor) };
    check("nvrtcVersion", code)?;
    Ok((major, minor))
}

/// The architectures that this NVRTC makes cubins for, lowest first.
///
/// # Errors
/// [`CudaError::LibraryMissing`] without NVRTC.
pub fn supported_archs() -> Result<Vec<Arch>, CudaError> {
    require_nvrtc()?;
    let mut count: c_int = 0;
    // SAFETY: the pointer is to a live integer, which NVRTC writes.
    let code = unsafe { sys::nvrtcGetNumSupportedArchs(&mut count) };
    check("nvrtcGetNumSupportedArchs", code)?;
    let mut numbers = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: `numbers` has room for the `count` integers that NVRTC just announced.
    let code = unsafe { sys::nvrtcGetSupportedArchs(numbers.as_mut_ptr()) };
    check("nvrtcGetSupportedArchs", code)?;
    let mut archs: Vec<Arch> = numbers.into_iter().map(Arch::from_number).collect();
    archs.sort_unstable();
    Ok(archs)
}

/// Compiles a program for a device of `options.arch`: to a cubin, or to PTX of the highest
/// architecture below it when this NVRTC does not know it. Takes tenths of a second.
///
/// # Errors
/// [`CudaError::Compile`] with the log when the text is wrong, [`CudaError::ArchUnsupported`]
/// for a device older than this NVRTC supports, [`CudaError::Nvrtc`] when NVRTC itself fails
/// (a bad extra option, no libnvrtc-builtins), [`CudaError::LibraryMissing`] without NVRTC.
pub fn compile(source: &Source<'_>, options: &Options) -> Result<Compiled, CudaError> {
    let (target, kind) = choose_target(options.arch, &supported_archs()?)?;
    compile_for(source, options, target, kind)
}

/// The PTX of a program, to read. For an architecture that this NVRTC does not know, that of
/// the highest one below it.
///
/// # Errors
/// As [`compile`].
pub fn compile_ptx(source: &Source<'_>, options: &Options) -> Result<String, CudaError> {
    let (target, _) = choose_target(options.arch, &supported_archs()?)?;
    let compiled = compile_for(source, options, target, Image::Ptx)?;
    Ok(String::from_utf8_lossy(&compiled.image).into_owned())
}

/// The architecture to compile for, and whether its cubin runs on `arch` or only its PTX.
fn choose_target(arch: Arch, supported: &[Arch]) -> Result<(Arch, Image), CudaError> {
    // PTX runs on its own architecture and on later ones, so never look above.
    match supported.iter().rev().find(|&&known| known <= arch) {
        Some(&known) if known == arch => Ok((known, Image::Cubin)),
        Some(&known) => Ok((known, Image::Ptx)),
        None => Err(CudaError::ArchUnsupported {
            arch,
            lowest: supported.first().copied().unwrap_or(arch),
            version: version()?,
        }),
    }
}

fn compile_for(
    source: &Source<'_>,
    options: &Options,
    target: Arch,
    kind: Image,
) -> Result<Compiled, CudaError> {
    let target = match kind {
        Image::Cubin => target.to_string(),
        Image::Ptx => target.virtual_name(),
    };
    let program = Program::create(source)?;
    program.compile(source.name, &options.command_line(&target))?;
    let image = match kind {
        Image::Cubin => program.cubin()?,
        Image::Ptx => program.ptx()?,
    };
    // `-dlto` among the extra options gives neither, and the driver must never see nothing.
    if image.is_empty() {
        let log = "NVRTC made no image: look at the extra compiler options".to_owned();
        return Err(CudaError::Compile { program: source.name.to_owned(), log });
    }
    Ok(Compiled::new(source.name, image, kind, program.log()))
}

#[cfg(test)]
mod tests;
