//! Compiled image -> `Module` -> `Function` -> launch.

use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::fmt;
use std::sync::Arc;

use cudarc::driver::sys;

use super::super::calls::{Call, timed};
use super::super::error::CudaError;
use super::super::nvrtc::{Compiled, Image};
use super::image::is_whole;
use super::primary::PrimaryContext;
use super::{Context, check};

use sys::CUfunction_attribute_enum as Attribute;

/// From this architecture on kernels can wait for the one before.
const FIRST_EARLY: u32 = 90;
/// The most blocks a grid has in its first dimension, on every device.
const MAX_GRID: u32 = i32::MAX as u32;

/// A program loaded on a device, for all contexts of the device. It is unloaded when it and all of
/// these have been dropped.
pub struct Module {
    primary: Arc<PrimaryContext>,
    program: String,
    handle: sys::CUmodule,
}

/// A kernel of a loaded program; keeps the program loaded.
#[derive(Clone)]
pub struct Function {
    module: Arc<Module>,
    name: Arc<str>,
    attributes: FunctionAttributes,
    starts_early: bool,
    handle: sys::CUfunction,
}

/// What a kernel uses, as the compiler decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionAttributes {
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of local memory per thread: spilled registers and arrays; best 0.
    pub local_bytes: u32,
    /// Bytes of static shared memory per block.
    pub shared_bytes: u32,
    /// The most threads per block that a launch may ask for.
    pub max_threads: u32,
    /// The architecture that the code was written for: 90 is compute capability 9.0.
    pub arch: u32,
}

// SAFETY: the handle is the driver's, not memory of this process; the driver's module
// functions may be called with it from several threads at once, and no field changes.
unsafe impl Send for Module {}
// SAFETY: as for `Send`.
unsafe impl Sync for Module {}
// SAFETY: as for `Module`, which it keeps loaded.
unsafe impl Send for Function {}
// SAFETY: as for `Send`.
unsafe impl Sync for Function {}

impl Module {
    /// Loads a compiled program. The driver compiles PTX now, which takes a while; a cubin
    /// only has to be copied. May synchronise the device.
    ///
    /// # Errors
    /// [`CudaError::Load`] with the driver's log: a cubin of another architecture, PTX newer
    /// than the driver, or no memory left.
    pub fn load(context: &Arc<Context>, compiled: &Compiled) -> Result<Arc<Module>, CudaError> {
        let _timed = timed(Call::Load, compiled.image().len());
        let primary = Arc::clone(context.primary());
        primary.bind()?;
        let alone = primary.loading();
        let (handle, log) = match compiled.kind() {
            Image::Cubin if !is_whole(compiled.image()) => {
                let code = sys::CUresult::CUDA_ERROR_INVALID_IMAGE;
                let error = check("cuModuleLoadDataEx", code).map(|()| std::ptr::null_mut());
                (error, "its headers name more than there is".to_owned())
            }
            Image::Cubin => load_image(compiled.image()),
            // The driver takes PTX as a C string.
            Image::Ptx => load_image(&[compiled.image(), b"\0"].concat()),
        };
        drop(alone);
        let program = compiled.program().to_owned();
        match handle {
            Ok(handle) => Ok(Arc::new(Module { primary, program, handle })),
            Err(cause) => Err(CudaError::Load { program, cause: Box::new(cause), log }),
        }
    }

    /// The program's name.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The kernel declared `extern "C" __global__` as `name`. May load code to the device.
    ///
    /// # Errors
    /// [`CudaError::KernelNotFound`], or [`CudaError::Driver`].
    pub fn function(self: &Arc<Self>, name: &str) -> Result<Function, CudaError> {
        let c_name = CString::new(name).map_err(|_| CudaError::NulByte {
            program: self.program.clone(),
            what: "a kernel name",
        })?;
        self.primary.bind()?;
        let _alone = self.primary.loading();
        let mut handle = std::ptr::null_mut();
        // SAFETY: the module is loaded in the current context; the name ends in NUL and
        // outlives the call; the pointer is to a live handle.
        let code = unsafe { sys::cuModuleGetFunction(&mut handle, self.handle, c_name.as_ptr()) };
        if code == sys::CUresult::CUDA_ERROR_NOT_FOUND {
            let (kernel, program) = (name.to_owned(), self.program.clone());
            return Err(CudaError::KernelNotFound { kernel, program });
        }
        check("cuModuleGetFunction", code)?;
        let attributes = FunctionAttributes::of(handle)?;
        Ok(Function {
            module: Arc::clone(self),
            name: name.into(),
            attributes,
            starts_early: false,
            handle,
        })
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({})", self.program)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        self.primary.unload(self.handle);
    }
}

impl Function {
    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the kernel uses.
    pub fn attributes(&self) -> FunctionAttributes {
        self.attributes
    }

    /// The same kernel for launches whose blocks may start while the kernel before it still runs
    /// (programmatic dependent launch), which saves about a microsecond. They do if the stream's
    /// last work is a kernel, and the code is for compute capability 9.0 or later.
    ///
    /// Before it touches memory the kernel has to wait for the kernel before it, and only then let the one
    /// after it start, as `begin_kernel` of the prelude does.
    pub fn starting_early(self) -> Function {
        Function { starts_early: self.attributes.arch >= FIRST_EARLY, ..self }
    }

    /// Lets launches ask for up to `bytes` of dynamic shared memory per block. Needed above
    /// 48 KiB. Holds for the kernel in this module until changed.
    ///
    /// # Errors
    /// [`CudaError::Driver`] with `CUDA_ERROR_INVALID_VALUE` when the device has less.
    pub fn allow_shared_bytes(&self, bytes: u32) -> Result<(), CudaError> {
        self.module.primary.bind()?;
        let value = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        let which = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function's module is loaded in the current context.
        let code = unsafe { sys::cuFuncSetAttribute(self.handle, which, value) };
        check("cuFuncSetAttribute", code)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({} of {})", self.name, self.module.program)
    }
}

impl FunctionAttributes {
    fn of(function: sys::CUfunction) -> Result<FunctionAttributes, CudaError> {
        Ok(FunctionAttributes {
            registers: attribute(function, Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            local_bytes: attribute(function, Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            shared_bytes: attribute(function, Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            max_threads: attribute(function, Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            arch: attribute(function, Attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION)?,
        })
    }
}

impl Context {
    /// Queues a kernel on the stream: `grid` blocks of `block` threads, in one dimension, with
    /// `shared_bytes` of dynamic shared memory per block. Asynchronous, but for a full queue.
    /// A grid of 0 blocks queues nothing.
    ///
    /// `args` points at one value per kernel parameter, in order; the values are copied
    /// before this returns. A failure while the kernel runs is reported by a later call.
    ///
    /// # Errors
    /// [`CudaError::TooLarge`] for too many blocks or threads, [`CudaError::WrongContext`], or
    /// [`CudaError::Driver`] (also the failure of earlier work).
    ///
    /// # Safety
    /// - `args` has as many pointers as the kernel has parameters, and each is valid for reads
    ///   of its parameter's size.
    /// - Device addresses among the values belong to this context, and the memory there
    ///   lives until the kernel ends. A `Memory` may be dropped earlier: its drop waits.
    /// - The kernel, so launched, reads and writes only memory that is its to use, in bounds
    ///   and without a data race with other work on the device. One that is
    ///   [starting early](Function::starting_early) waits first, as is said there.
    pub unsafe fn launch(
        &self,
        function: &Function,
        grid: u32,
        block: u32,
        shared_bytes: u32,
        args: &mut [*mut c_void],
    ) -> Result<(), CudaError> {
        if !Arc::ptr_eq(self.primary(), &function.module.primary) {
            return Err(CudaError::WrongContext { what: "a kernel" });
        }
        at_most("blocks per grid", function, grid, MAX_GRID)?;
        at_most("threads per block", function, block, function.attributes.max_threads)?;
        if grid == 0 {
            return Ok(());
        }
        self.bind()?;
        let params = args.as_mut_ptr();
        self.queue_kernel(|stream, follows_kernel| {
            let mut early = starting_early();
            let config = sys::CUlaunchConfig {
                gridDimX: grid,
                gridDimY: 1,
                gridDimZ: 1,
                blockDimX: block,
                blockDimY: 1,
                blockDimZ: 1,
                sharedMemBytes: shared_bytes,
                hStream: stream,
                attrs: &mut early,
                numAttrs: u32::from(function.starts_early && follows_kernel),
            };
            let extra = std::ptr::null_mut();
            // SAFETY: function and stream are live and belong to the current context, and so is the one
            // attribute; the caller vouches for the arguments and for what the kernel does with them.
            let code = unsafe { sys::cuLaunchKernelEx(&config, function.handle, params, extra) };
            check("cuLaunchKernelEx", code)
        })
    }
}

/// The attribute of a launch that may start while the kernel before it runs.
fn starting_early() -> sys::CUlaunchAttribute {
    sys::CUlaunchAttribute {
        id: sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        pad: [0; 4],
        value: sys::CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 },
    }
}

fn at_most(what: &str, function: &Function, asked: u32, limit: u32) -> Result<(), CudaError> {
    if asked <= limit {
        return Ok(());
    }
    let what = format!("{what} of kernel `{}`", function.name);
    Err(CudaError::TooLarge { what, asked: asked.into(), limit: limit.into() })
}

/// Loads an image into the current context; also gives the driver's error log.
fn load_image(image: &[u8]) -> (Result<sys::CUmodule, CudaError>, String) {
    let mut log = vec![0u8; 16 << 10];
    let mut options = [
        sys::CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    // The size goes by value, in the place of a pointer.
    let size = std::ptr::without_provenance_mut::<c_void>(log.len());
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), size];
    let mut handle = std::ptr::null_mut();
    // SAFETY: PTX got its NUL, and all that the headers of a cubin name is there; options and
    // values are equally many, and the buffer has the announced size and outlives the call.
    let code = unsafe {
        sys::cuModuleLoadDataEx(
            &mut handle,
            image.as_ptr().cast(),
            options.len() as c_uint,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    let log = CStr::from_bytes_until_nul(&log).unwrap_or_default();
    let log = log.to_string_lossy().trim_end().to_owned();
    (check("cuModuleLoadDataEx", code).map(|()| handle), log)
}

fn attribute(function: sys::CUfunction, which: Attribute) -> Result<u32, CudaError> {
    let mut value = 0;
    // SAFETY: the function was just found in a loaded module of the current context; the
    // pointer is to a live integer.
    let code = unsafe { sys::cuFuncGetAttribute(&mut value, which, function) };
    check("cuFuncGetAttribute", code)?;
    Ok(value.unsigned_abs())
}

#[cfg(test)]
mod tests;
