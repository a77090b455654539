//! A CUDA device with its compiled kernels.

use super::dump;
use super::fault::FaultReader;
use super::profile::OnCuda;
use super::variant::{KernelKey, KernelVariant};
use crate::Error;
use crate::cuda::{Compiled, Context, CudaError, Function, ImageCounters, Images, Module};
use crate::program::{KernelInfo, Mode};
use crate::schedule::{BLOCK_THREADS, CodegenOptions};
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

/// Loaded kernels; None while one is being made.
type Kernels = Mutex<HashMap<KernelKey, Arc<Mutex<Option<Kernel>>>>>;

/// A context, its kernels by type, and where their images come from.
#[derive(Debug)]
pub(crate) struct CudaDevice {
    context: Arc<Context>,
    images: Arc<Images>,
    mode: Mode,
    kernels: Arc<Kernels>,
    /// Those that devices of this GPU share, also where this one has its own: they stay loaded.
    _shared: Arc<Kernels>,
    /// The device for readers, once it was asked for; none of one that is for readers itself.
    readers: Option<Mutex<Option<Arc<CudaDevice>>>>,
    compile_nanoseconds: AtomicU64,
}

/// A loaded kernel, and in the checked mode how to ask for its faults.
#[derive(Clone, Debug)]
struct Kernel {
    function: Function,
    faults: Option<Arc<FaultReader>>,
}

impl CudaDevice {
    pub(crate) fn new(ordinal: usize, mode: Mode, images: Images) -> Result<Self, CudaError> {
        let shared = kernels_of(ordinal);
        let kernels = match mode {
            Mode::Fast if !images.has_bundle() => Arc::clone(&shared),
            // What a bundle lacks is refused, and faults are read in the order of a stream.
            Mode::Fast | Mode::Checked => Arc::default(),
        };
        Ok(CudaDevice {
            context: Context::new(ordinal)?,
            images: Arc::new(images),
            mode,
            kernels,
            _shared: shared,
            readers: Some(Mutex::default()),
            compile_nanoseconds: AtomicU64::new(0),
        })
    }

    /// The same device with a stream of its own, for those who read: the same each time.
    pub(crate) fn for_readers(self: &Arc<Self>) -> Result<Arc<CudaDevice>, CudaError> {
        let Some(readers) = &self.readers else { return Ok(Arc::clone(self)) };
        let mut readers = readers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(readers) = &*readers {
            return Ok(Arc::clone(readers));
        }
        let kernels = match self.mode {
            Mode::Fast => Arc::clone(&self.kernels),
            Mode::Checked => Arc::default(),
        };
        let device = CudaDevice {
            context: self.context.beside()?,
            images: Arc::clone(&self.images),
            mode: self.mode,
            kernels,
            _shared: Arc::clone(&self._shared),
            readers: None,
            compile_nanoseconds: AtomicU64::new(0),
        };
        Ok(Arc::clone(readers.insert(Arc::new(device))))
    }

    /// Whether it is for readers.
    pub(crate) fn is_for_readers(&self) -> bool {
        self.readers.is_none()
    }

    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Whether kernels check what the CPU checks.
    pub(crate) fn is_checked(&self) -> bool {
        self.mode == Mode::Checked
    }

    pub(crate) fn image_counters(&self) -> ImageCounters {
        self.images.counters()
    }

    pub(crate) fn compile_ms(&self) -> f64 {
        self.compile_nanoseconds.load(Relaxed) as f64 / 1e6
    }

    /// Queues a kernel over at least `threads` threads. In the checked mode it
    /// waits for it and returns its first fault.
    ///
    /// # Safety
    /// `arguments` are the kernel's parameters, and what they view is borrowed.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn launch(
        &self,
        key: KernelKey,
        info: &dyn Fn() -> KernelInfo,
        threads: u32,
        arguments: &mut [*mut c_void],
    ) -> Result<(), Error> {
        let kernel = self.kernel(key, info)?;
        let grid = threads.div_ceil(BLOCK_THREADS);
        let timed = OnCuda::begin(&self.context)?;
        let _turn = kernel.faults.as_ref().map(|faults| faults.turn());
        // SAFETY: `arguments` are the kernel's parameters, so count and layouts match the
        // entry point (CUDA asserts the layouts); their owners outlive the queue, since
        // device memory is freed in the order of the stream; the function's module is unloaded
        // only when no context of the device is left, and after what was queued.
        unsafe { self.context.launch(&kernel.function, grid, BLOCK_THREADS, 0, arguments) }?;
        if let Some(timed) = timed {
            timed.end(&self.context, key, info, threads);
        }
        match &kernel.faults {
            None => Ok(()),
            Some(faults) => faults.check(&self.context, info),
        }
    }

    /// The compiled kernel: from this process, from disk, or by NVRTC.
    fn kernel(&self, key: KernelKey, info: &dyn Fn() -> KernelInfo) -> Result<Kernel, Error> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(kernels.entry(key).or_default());
        drop(kernels);
        // Who wants the same kernel waits for it; who wants another does not.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = &*slot {
            return Ok(kernel.clone());
        }
        let start = Instant::now();
        let info = info();
        let kernel = self.load(&info, key.2)?;
        let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.compile_nanoseconds.fetch_add(spent, Relaxed);
        tracing::debug!(kernel = info.name(), ms = spent as f64 / 1e6, "kernel loaded");
        Ok(slot.insert(kernel).clone())
    }

    fn load(&self, info: &KernelInfo, code: CodegenOptions) -> Result<Kernel, Error> {
        let compiled = self.compile(info, code)?;
        let module = Module::load(&self.context, &compiled)?;
        let faults = match self.mode {
            Mode::Fast => None,
            Mode::Checked => Some(Arc::new(FaultReader::new(&self.context, &module)?)),
        };
        let function = module.function(info.name())?;
        // Generated kernels begin with `begin_kernel`.
        let function = if is_early() { function.starting_early() } else { function };
        Ok(Kernel { function, faults })
    }

    fn compile(&self, info: &KernelInfo, code: CodegenOptions) -> Result<Compiled, Error> {
        let kernel = KernelVariant::new(info.clone(), code);
        let request = kernel.request(self.mode, self.context.arch());
        let compiled = self.images.get(&request.source(), &request.options);
        dump::kernel(info, &request.text, &request.options, compiled.as_ref());
        compiled.map_err(|error| kernel.refused(error))
    }
}

/// Whether kernels may start while the one before them runs; not with `MEERKAT_EARLY_KERNELS=0`, to find
/// mistakes.
fn is_early() -> bool {
    std::env::var_os("MEERKAT_EARLY_KERNELS").is_none_or(|value| value != "0")
}

/// The loaded kernels of a GPU: the same for all devices of this process that there are at one time, so
/// a kernel is loaded once.
fn kernels_of(ordinal: usize) -> Arc<Kernels> {
    static ALL: Mutex<BTreeMap<usize, Weak<Kernels>>> = Mutex::new(BTreeMap::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kernels) = all.get(&ordinal).and_then(Weak::upgrade) {
        return kernels;
    }
    let kernels = Arc::default();
    all.insert(ordinal, Arc::downgrade(&kernels));
    kernels
}
