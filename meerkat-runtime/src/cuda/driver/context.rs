//! The one stream that all kernels of a device go through, and the one that copies from pinned
//! memory take. (NCCL has one of its own, in a context beside.)

use std::ffi::{CStr, c_int};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::sys;

use super::super::arch::Arch;
use super::super::calls::{Call, timed};
use super::super::error::CudaError;
use super::copiers::Copiers;
use super::pool::MemoryPool;
use super::primary::{ContextUse, PrimaryContext};
use super::staging::Staging;
use super::{check, device_count};

/// A device ready for work. May be shared between threads; their calls interleave on one
/// stream.
///
/// Each call makes the device's context current on the calling thread and leaves it so.
/// Two contexts of one device share its memory space but not their streams, so they do not
/// wait for each other, but while a module is loaded.
pub struct Context {
    ordinal: usize,
    properties: Properties,
    stream: sys::CUstream,
    /// For copies from pinned memory that go on beside the other stream's work.
    copies: sys::CUstream,
    last_is_kernel: LastIsKernel,
    /// The device's pool of memory, where it has one: allocations in stream order.
    pool: Option<Arc<MemoryPool>>,
    staging: Mutex<Staging>,
    /// The same for the stream of copies.
    staging_beside: Mutex<Staging>,
    /// Contexts that were made [beside](Self::beside) each other share it.
    family: Arc<()>,
    primary: Arc<PrimaryContext>,
    _used: ContextUse,
}

/// What is asked of the device once.
#[derive(Clone)]
struct Properties {
    name: String,
    arch: Arch,
    total_memory: usize,
    multiprocessors: u32,
    driver_version: (i32, i32),
}

/// The stream of a context, while something is queued that is no kernel.
pub(in crate::cuda) struct StreamUse<'a> {
    handle: sys::CUstream,
    last_is_kernel: MutexGuard<'a, bool>,
}

impl StreamUse<'_> {
    pub(in crate::cuda) fn handle(&self) -> sys::CUstream {
        self.handle
    }
}

impl Drop for StreamUse<'_> {
    fn drop(&mut self) {
        *self.last_is_kernel = false;
    }
}

/// Whether the last work of a stream is a kernel. A kernel that starts early waits for the kernel before
/// it, but maybe not for copies and other streams. Locked while something is queued.
#[derive(Debug, Default)]
struct LastIsKernel(Mutex<bool>);

impl LastIsKernel {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a kernel, or fails, and then nothing has been queued.
    fn queue_kernel<T, E>(&self, queue: impl FnOnce(bool) -> Result<T, E>) -> Result<T, E> {
        let mut last_is_kernel = self.lock();
        let queued = queue(*last_is_kernel)?;
        *last_is_kernel = true;
        Ok(queued)
    }
}

// SAFETY: the raw pointers are driver handles, not memory of this process. The driver's
// functions may be called with one handle from several threads at once, each call here first
// makes the context current on its own thread, and the remaining fields never change.
unsafe impl Send for Context {}
// SAFETY: as for `Send`.
unsafe impl Sync for Context {}

impl Context {
    /// Retains the primary context of device `ordinal` and makes a stream on it.
    ///
    /// # Errors
    /// [`CudaError::LibraryMissing`] without a driver, [`CudaError::NoDevice`],
    /// [`CudaError::DeviceOutOfRange`], or [`CudaError::Driver`].
    pub fn new(ordinal: usize) -> Result<Arc<Context>, CudaError> {
        let count = device_count()?;
        if count == 0 {
            return Err(CudaError::NoDevice);
        }
        let number = c_int::try_from(ordinal).ok().filter(|_| ordinal < count);
        let number = number.ok_or(CudaError::DeviceOutOfRange { ordinal, count })?;
        let device = device(number)?;
        let properties = Properties::of(device)?;
        let primary = PrimaryContext::of(device)?;
        let pool = if has_pools(device) { MemoryPool::of(device) } else { None };
        let streams = [primary.create_stream()?, primary.create_stream()?];
        Self::on(ordinal, properties, (primary, streams), pool.map(Arc::new), Arc::default())
    }

    /// Another context of the same device, with streams of its own: its work does not wait for
    /// this one's, nor this one's for it. Both take memory from one pool, and [memory can
    /// move](super::Memory::moved_to) from one to the other.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn beside(&self) -> Result<Arc<Context>, CudaError> {
        self.beside_on([self.primary.create_stream()?, self.primary.create_stream()?])
    }

    /// [`beside`](Self::beside), and its work goes first: its blocks begin as soon as others end, where those of
    /// this context wait, too.
    pub(in crate::cuda) fn beside_first(&self) -> Result<Arc<Context>, CudaError> {
        self.beside_on([self.primary.create_first_stream()?, self.primary.create_stream()?])
    }

    fn beside_on(&self, streams: [sys::CUstream; 2]) -> Result<Arc<Context>, CudaError> {
        let (primary, family) = (Arc::clone(&self.primary), Arc::clone(&self.family));
        let properties = self.properties.clone();
        Self::on(self.ordinal, properties, (primary, streams), self.pool.clone(), family)
    }

    /// Whether one was made [beside](Self::beside) the other, or it is the same.
    pub fn is_beside(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.family, &other.family)
    }

    /// A context with new streams: its own, and the one of its copies.
    fn on(
        ordinal: usize,
        properties: Properties,
        (primary, [stream, copies]): (Arc<PrimaryContext>, [sys::CUstream; 2]),
        pool: Option<Arc<MemoryPool>>,
        family: Arc<()>,
    ) -> Result<Arc<Context>, CudaError> {
        let used = primary.used();
        let copiers = Arc::new(Copiers::default());
        Ok(Arc::new(Context {
            ordinal,
            properties,
            stream,
            copies,
            last_is_kernel: LastIsKernel::default(),
            pool,
            staging: Mutex::new(Staging::new(&copiers)),
            staging_beside: Mutex::new(Staging::new(&copiers)),
            family,
            primary,
            _used: used,
        }))
    }

    /// The device's number, from 0.
    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// What no other device has, on any machine, under whatever number processes see it.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub(crate) fn uuid(&self) -> Result<[u8; 16], CudaError> {
        let device = device(self.ordinal as c_int)?;
        let mut uuid = sys::CUuuid { bytes: [0; 16] };
        // SAFETY: `device` came from `cuDeviceGet`; the pointer is to a live value.
        let code = unsafe { sys::cuDeviceGetUuid_v2(&mut uuid, device) };
        check("cuDeviceGetUuid", code)?;
        Ok(uuid.bytes.map(|byte| byte as u8))
    }

    /// The device's architecture.
    pub fn arch(&self) -> Arch {
        self.properties.arch
    }

    /// The device's name, such as `NVIDIA H200`.
    pub fn name(&self) -> &str {
        &self.properties.name
    }

    /// Bytes of memory on the device, used and free.
    pub fn total_memory(&self) -> usize {
        self.properties.total_memory
    }

    /// The CUDA version that the driver supports, major and minor.
    pub fn driver_version(&self) -> (i32, i32) {
        self.properties.driver_version
    }

    /// The number of multiprocessors.
    pub fn multiprocessors(&self) -> u32 {
        self.properties.multiprocessors
    }

    /// Bytes of memory free on the device now, counting every process. What the pool has kept
    /// is given back first.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn free_memory(&self) -> Result<usize, CudaError> {
        self.bind()?;
        if let Some(pool) = &self.pool {
            pool.trim();
        }
        let (mut free, mut total) = (0, 0);
        // SAFETY: the context is current; both pointers are to live integers.
        let code = unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) };
        check("cuMemGetInfo", code)?;
        Ok(free)
    }

    /// Waits until the stream has done all that was asked of it. Copies from pinned memory that
    /// nobody has joined are not waited for.
    ///
    /// # Errors
    /// [`CudaError::Driver`]: the failure of any earlier asynchronous work; see
    /// [`CudaError::is_sticky`].
    pub fn synchronize(&self) -> Result<(), CudaError> {
        let _timed = timed(Call::Wait, 0);
        self.wait()
    }

    /// Waits for all work of this process on the device, that of other libraries, too. An error is
    /// dropped: the next call reports it again.
    pub fn synchronize_with_others(&self) {
        let _timed = timed(Call::Wait, 0);
        self.primary.quiesce();
    }

    /// [`synchronize`](Self::synchronize), as a part of another call.
    pub(super) fn wait(&self) -> Result<(), CudaError> {
        self.bind()?;
        // SAFETY: the stream is live as long as `self`, and its context is current.
        let code = unsafe { sys::cuStreamSynchronize(self.stream) };
        check("cuStreamSynchronize", code)
    }

    /// Whether the stream has done all that was asked of it. Does not wait.
    ///
    /// # Errors
    /// As [`synchronize`](Self::synchronize).
    pub(in crate::cuda) fn is_idle(&self) -> Result<bool, CudaError> {
        self.bind()?;
        // SAFETY: the stream is live as long as `self`, and its context is current.
        let code = unsafe { sys::cuStreamQuery(self.stream) };
        match code {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            code => check("cuStreamQuery", code).map(|()| true),
        }
    }

    /// Makes the context current on this thread, for calls of NCCL.
    pub(in crate::cuda) fn bind_thread(&self) -> Result<(), CudaError> {
        self.bind()
    }

    /// The stream, for calls of NCCL to queue what they do.
    pub(in crate::cuda) fn stream_for_nccl(&self) -> StreamUse<'_> {
        self.stream()
    }

    /// Makes the context current on this thread. Every call into the driver starts here.
    pub(super) fn bind(&self) -> Result<(), CudaError> {
        self.primary.bind()
    }

    /// What all contexts of the device share.
    pub(super) fn primary(&self) -> &Arc<PrimaryContext> {
        &self.primary
    }

    /// Waits for the stream before something that its work may use is given back. An error is
    /// dropped: no caller can take it, the next call reports it again, and after it the
    /// stream is idle.
    pub(super) fn quiesce(&self) {
        let _ = self.wait();
    }

    /// The stream, to queue something that is no kernel. Nothing else is queued while this is alive.
    pub(super) fn stream(&self) -> StreamUse<'_> {
        StreamUse { handle: self.stream, last_is_kernel: self.last_is_kernel.lock() }
    }

    /// The stream, for events that only the host waits for.
    pub(super) fn stream_of_events(&self) -> sys::CUstream {
        self.stream
    }

    /// Queues a kernel on the stream. `launch` hears whether the last work of the stream is a kernel, too.
    pub(super) fn queue_kernel<T>(
        &self,
        launch: impl FnOnce(sys::CUstream, bool) -> Result<T, CudaError>,
    ) -> Result<T, CudaError> {
        self.last_is_kernel.queue_kernel(|follows_kernel| launch(self.stream, follows_kernel))
    }

    pub(super) fn copies(&self) -> sys::CUstream {
        self.copies
    }

    /// The pinned memory that copies go through.
    pub(super) fn staging(&self) -> MutexGuard<'_, Staging> {
        self.staging.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pinned memory that copies beside the stream go through.
    pub(super) fn staging_beside(&self) -> MutexGuard<'_, Staging> {
        self.staging_beside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pool, where memory comes and goes in stream order.
    pub(super) fn pool(&self) -> Option<&MemoryPool> {
        self.pool.as_deref()
    }

    /// Gives back what the pool keeps, before an allocation is tried again.
    pub(super) fn reclaim(&self) {
        // Contexts beside this one may have memory that is on its way back.
        self.primary.quiesce();
        if let Some(pool) = &self.pool {
            pool.trim();
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context({}: {}, {})", self.ordinal, self.name(), self.arch())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.bind().is_ok() {
            self.quiesce();
            self.staging().free();
            self.wait_for_copies();
            self.staging_beside().free();
            // SAFETY: all that uses the stream holds the context, so this is its last use;
            // the context is current and still retained by `primary`. The driver finishes
            // pending work first.
            unsafe { sys::cuStreamDestroy_v2(self.stream) };
            // SAFETY: as above.
            unsafe { sys::cuStreamDestroy_v2(self.copies) };
        }
    }
}

impl Properties {
    fn of(device: sys::CUdevice) -> Result<Properties, CudaError> {
        use sys::CUdevice_attribute_enum::{
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
            CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as MULTIPROCESSORS,
        };
        let mut total_memory = 0;
        // SAFETY: `device` came from `cuDeviceGet`; the pointer is to a live integer.
        let code = unsafe { sys::cuDeviceTotalMem_v2(&mut total_memory, device) };
        check("cuDeviceTotalMem", code)?;
        Ok(Properties {
            name: device_name(device)?,
            arch: Arch::new(attribute(device, MAJOR)?, attribute(device, MINOR)?),
            total_memory,
            multiprocessors: attribute(device, MULTIPROCESSORS)?,
            driver_version: super::driver_version()?,
        })
    }
}

fn has_pools(device: sys::CUdevice) -> bool {
    use sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as SUPPORTED;
    attribute(device, SUPPORTED).is_ok_and(|supported| supported != 0)
}

fn device(number: c_int) -> Result<sys::CUdevice, CudaError> {
    let mut device = 0;
    // SAFETY: the driver is initialised, since it counted devices; the pointer is live.
    let code = unsafe { sys::cuDeviceGet(&mut device, number) };
    check("cuDeviceGet", code)?;
    Ok(device)
}

fn device_name(device: sys::CUdevice) -> Result<String, CudaError> {
    let mut name = [0u8; 256];
    // SAFETY: the buffer has the announced size; `device` came from `cuDeviceGet`.
    let code =
        unsafe { sys::cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as c_int, device) };
    check("cuDeviceGetName", code)?;
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
    Ok(name.to_string_lossy().into_owned())
}

fn attribute(device: sys::CUdevice, which: sys::CUdevice_attribute) -> Result<u32, CudaError> {
    let mut value = 0;
    // SAFETY: `device` came from `cuDeviceGet`; the pointer is to a live integer.
    let code = unsafe { sys::cuDeviceGetAttribute(&mut value, which, device) };
    check("cuDeviceGetAttribute", code)?;
    Ok(value.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::super::super::test_support;
    use super::*;

    #[test]
    fn a_context_is_send_and_sync() {
        fn assert<T: Send + Sync>() {}
        assert::<Context>();
    }

    #[test]
    fn a_kernel_hears_of_a_kernel_only_if_nothing_else_was_queued_since() {
        let last = LastIsKernel::default();
        let queue = |works: bool| {
            let mut heard = None;
            let queued = last.queue_kernel(|follows_kernel| {
                heard = Some(follows_kernel);
                if works { Ok(()) } else { Err(()) }
            });
            assert_eq!(queued.is_ok(), works);
            heard.expect("it is asked to queue")
        };
        let other =
            || drop(StreamUse { handle: std::ptr::null_mut(), last_is_kernel: last.lock() });
        assert_eq!([queue(true), queue(true), queue(true)], [false, true, true]);
        other();
        assert_eq!([queue(true), queue(true)], [false, true]);
        other();
        assert_eq!([queue(false), queue(true)], [false, false], "a launch that fails is no kernel");
        assert_eq!([queue(false), queue(true)], [true, true], "and hides none");
    }

    #[test]
    fn a_context_knows_its_device() {
        let Some(context) = test_support::context() else {
            return;
        };
        assert_eq!(context.ordinal(), 0);
        assert!(!context.name().is_empty());
        assert!(context.arch() >= Arch::new(5, 0), "{}", context.arch());
        assert!(context.multiprocessors() > 0);
        assert!(context.total_memory() >= context.free_memory().unwrap());
        assert!(context.driver_version() >= (11, 0));
        context.synchronize().unwrap();
    }

    #[test]
    fn a_context_made_here_works_on_four_other_threads() {
        let Some(context) = test_support::context() else {
            return;
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| context.synchronize().unwrap());
            }
        });
    }
}
