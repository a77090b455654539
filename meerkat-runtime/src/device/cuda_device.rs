//! A CUDA device with its compiled kernels.

use crate::Error;
use crate::cuda::{Context, CubinCache, CudaError, Function, Module, Options, Source};
use crate::launch::KernelKey;
use crate::program::KernelInfo;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Threads of a block: whole warps, enough to fill a multiprocessor.
const BLOCK: u32 = 256;

/// A context, its kernels by type, and the cubin cache on disk.
#[derive(Debug)]
pub(crate) struct CudaDevice {
    context: Arc<Context>,
    cache: CubinCache,
    kernels: Mutex<HashMap<KernelKey, Function>>,
    compile_nanoseconds: AtomicU64,
}

impl CudaDevice {
    pub(crate) fn new(ordinal: usize) -> Result<Self, CudaError> {
        Ok(CudaDevice {
            context: Context::new(ordinal)?,
            cache: CubinCache::from_env(),
            kernels: Mutex::new(HashMap::new()),
            compile_nanoseconds: AtomicU64::new(0),
        })
    }

    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    pub(crate) fn compile_ms(&self) -> f64 {
        self.compile_nanoseconds.load(Relaxed) as f64 / 1e6
    }

    /// Queues a kernel over at least `threads` threads.
    #[allow(unsafe_code)]
    pub(crate) fn launch(
        &self,
        key: KernelKey,
        info: &dyn Fn() -> KernelInfo,
        threads: u32,
        arguments: &mut [*mut c_void],
    ) -> Result<(), Error> {
        let function = self.kernel(key, info)?;
        let grid = threads.div_ceil(BLOCK);
        // SAFETY: the launcher that a macro wrote made `arguments` from the
        // kernel's own parameters, so count and layouts match the entry point
        // (CUDA asserts the layouts); their owners outlive the queue, since
        // dropping device memory waits for the stream.
        unsafe { self.context.launch(&function, grid, BLOCK, 0, arguments) }?;
        Ok(())
    }

    /// The compiled kernel: from this process, from disk, or by NVRTC.
    fn kernel(&self, key: KernelKey, info: &dyn Fn() -> KernelInfo) -> Result<Function, Error> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = kernels.get(&key) {
            return Ok(function.clone());
        }
        let start = Instant::now();
        let function = self.compile(&info())?;
        let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.compile_nanoseconds.fetch_add(spent, Relaxed);
        kernels.insert(key, function.clone());
        Ok(function)
    }

    fn compile(&self, info: &KernelInfo) -> Result<Function, Error> {
        let (name, text) = (info.program_name(), info.cuda_program()?);
        let options = Options::new(self.context.arch());
        let (compiled, _) = self.cache.compile(&Source { name: &name, text: &text }, &options)?;
        let module = Module::load(&self.context, &compiled)?;
        Ok(module.function(info.name())?)
    }
}
