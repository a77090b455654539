//! A device's primary context, which the whole process shares: the lock under which modules are loaded
//! there, and when they are unloaded.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard, Weak};

use cudarc::driver::sys;

use super::super::error::CudaError;
use super::check;

/// One retained use of a device's primary context, released on drop.
pub(super) struct PrimaryContext {
    device: sys::CUdevice,
    handle: sys::CUcontext,
    /// Held while a module is loaded: see [`loading`](Self::loading).
    loads: RwLock<()>,
    modules: Mutex<Modules<sys::CUmodule>>,
}

/// How many contexts there are, and the modules that wait until there is none.
#[derive(Debug)]
struct Modules<M> {
    contexts: usize,
    unused: Vec<M>,
}

/// A context of the device: as long as there is one, no module is unloaded.
pub(super) struct ContextUse(Arc<PrimaryContext>);

// SAFETY: the handles are the driver's, not memory of this process, and may be used by several
// threads at once; what changes is behind locks.
unsafe impl Send for PrimaryContext {}
// SAFETY: as for `Send`.
unsafe impl Sync for PrimaryContext {}

impl PrimaryContext {
    /// That of a device: the same for all who have it at one time.
    pub(super) fn of(device: sys::CUdevice) -> Result<Arc<PrimaryContext>, CudaError> {
        static ALL: Mutex<BTreeMap<sys::CUdevice, Weak<PrimaryContext>>> =
            Mutex::new(BTreeMap::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(primary) = all.get(&device).and_then(Weak::upgrade) {
            return Ok(primary);
        }
        let mut handle = std::ptr::null_mut();
        // SAFETY: `device` came from `cuDeviceGet`; the pointer is to a live handle.
        let code = unsafe { sys::cuDevicePrimaryCtxRetain(&mut handle, device) };
        check("cuDevicePrimaryCtxRetain", code)?;
        let (loads, modules) = (RwLock::default(), Mutex::new(Modules::new()));
        let primary = Arc::new(PrimaryContext { device, handle, loads, modules });
        all.insert(device, Arc::downgrade(&primary));
        Ok(primary)
    }

    /// Makes it current on this thread.
    pub(super) fn bind(&self) -> Result<(), CudaError> {
        drop(self.loads.read());
        // SAFETY: the context is retained as long as `self` lives.
        let code = unsafe { sys::cuCtxSetCurrent(self.handle) };
        check("cuCtxSetCurrent", code)
    }

    /// Keeps other threads from new calls, for as long as it is held. The driver loads a module when
    /// no thread is in a call that waits for the device, and lets such calls go first: where two threads
    /// read results in turn without a pause, a load never began.
    pub(super) fn loading(&self) -> RwLockWriteGuard<'_, ()> {
        self.loads.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all work of this process on the device. An error is dropped: the next call reports
    /// it again.
    pub(super) fn quiesce(&self) {
        if self.bind().is_ok() {
            // SAFETY: the context is current.
            unsafe { sys::cuCtxSynchronize() };
        }
    }

    /// A context more.
    pub(super) fn used(self: &Arc<Self>) -> ContextUse {
        self.modules().contexts += 1;
        ContextUse(Arc::clone(self))
    }

    /// Unloads a module from which nobody launches any more: now if no context is left, else with the
    /// last one. Why not at once is in decision 59 (`docs/decisions/`).
    pub(super) fn unload(&self, module: sys::CUmodule) {
        let mut modules = self.modules();
        let unused = modules.retire(module);
        self.unload_all(unused);
    }

    /// Unloads these. The lock on the modules is held, so no context comes meanwhile.
    fn unload_all(&self, modules: Vec<sys::CUmodule>) {
        if modules.is_empty() || self.bind().is_err() {
            // Where the context is lost, so are its modules.
            return;
        }
        self.quiesce();
        for module in modules {
            // SAFETY: loaded in this context, which is current, and unloaded once; every function of
            // it is gone, and the device has done what they were launched for.
            unsafe { sys::cuModuleUnload(module) };
        }
    }

    pub(super) fn create_stream(&self) -> Result<sys::CUstream, CudaError> {
        self.create_stream_of(0)
    }

    /// A stream whose work goes before that of others.
    pub(super) fn create_first_stream(&self) -> Result<sys::CUstream, CudaError> {
        self.bind()?;
        let (mut least, mut greatest) = (0, 0);
        // SAFETY: the context is current; the pointers are to live integers.
        let code = unsafe { sys::cuCtxGetStreamPriorityRange(&mut least, &mut greatest) };
        check("cuCtxGetStreamPriorityRange", code)?;
        self.create_stream_of(greatest)
    }

    fn create_stream_of(&self, priority: c_int) -> Result<sys::CUstream, CudaError> {
        self.bind()?;
        let mut stream = std::ptr::null_mut();
        // Other users of the primary context work on its default stream; do not wait for them.
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
        // SAFETY: the context is current; the pointer is to a live handle.
        let code = unsafe { sys::cuStreamCreateWithPriority(&mut stream, flags, priority) };
        check("cuStreamCreateWithPriority", code)?;
        Ok(stream)
    }

    fn modules(&self) -> MutexGuard<'_, Modules<sys::CUmodule>> {
        self.modules.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PrimaryContext {
    fn drop(&mut self) {
        // SAFETY: pairs with the one successful retain that made this value.
        unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

impl Drop for ContextUse {
    fn drop(&mut self) {
        let mut modules = self.0.modules();
        let unused = modules.leave();
        self.0.unload_all(unused);
    }
}

impl<M> Modules<M> {
    fn new() -> Self {
        Modules { contexts: 0, unused: Vec::new() }
    }

    /// A context goes: the modules that are to be unloaded then.
    fn leave(&mut self) -> Vec<M> {
        self.contexts -= 1;
        self.take_unless_used()
    }

    /// A module is not used any more: the modules that are to be unloaded then.
    fn retire(&mut self, module: M) -> Vec<M> {
        self.unused.push(module);
        self.take_unless_used()
    }

    fn take_unless_used(&mut self) -> Vec<M> {
        if self.contexts == 0 { std::mem::take(&mut self.unused) } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_wait_for_the_last_context_and_are_unloaded_once() {
        let mut modules = Modules::new();
        modules.contexts += 2;
        assert!(modules.retire("first").is_empty());
        assert!(modules.leave().is_empty());
        assert!(modules.retire("second").is_empty());
        assert_eq!(modules.leave(), ["first", "second"]);
        assert_eq!(modules.retire("third"), ["third"]);
        modules.contexts += 1;
        assert!(modules.leave().is_empty());
    }
}
