//! A device's primary context, which all of this process share: the lock under which modules are loaded
//! there, and when they are unloaded.

use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard, Weak};

use cudarc::driver::sys;

use super::super::error::CudaError;
use super::check;

/// A way to the primary context of a device. Clones have one lock for loads.
#[derive(Clone)]
pub(super) struct Access {
    primary: Arc<PrimaryContext>,
    /// Held while a module is loaded: see [`loading`](Self::loading).
    loads: Arc<RwLock<()>>,
}

/// The one retained use of a device's primary context, released on drop.
struct PrimaryContext {
    device: sys::CUdevice,
    handle: sys::CUcontext,
    users: Mutex<Users>,
}

/// Who works with a device, and the modules that wait until nobody does.
#[derive(Default)]
struct Users {
    count: usize,
    unused: Vec<sys::CUmodule>,
}

/// That somebody works with a device.
pub(super) struct Presence(Access);

// SAFETY: the handles are the driver's, not memory of this process, and may be used by several
// threads at once; what changes is behind a lock.
unsafe impl Send for PrimaryContext {}
// SAFETY: as for `Send`.
unsafe impl Sync for PrimaryContext {}

impl Access {
    /// A way to a device, with a lock of its own.
    pub(super) fn to(device: sys::CUdevice) -> Result<Access, CudaError> {
        Ok(Access { primary: PrimaryContext::of(device)?, loads: Arc::default() })
    }

    /// Whether one is a clone of the other.
    pub(super) fn is_shared_with(&self, other: &Access) -> bool {
        Arc::ptr_eq(&self.loads, &other.loads)
    }

    /// Whether both lead to one device.
    pub(super) fn has_device_of(&self, other: &Access) -> bool {
        Arc::ptr_eq(&self.primary, &other.primary)
    }

    /// Makes the primary context current on this thread.
    pub(super) fn bind(&self) -> Result<(), CudaError> {
        drop(self.loads.read());
        // SAFETY: the context is retained as long as `self` lives.
        let code = unsafe { sys::cuCtxSetCurrent(self.primary.handle) };
        check("cuCtxSetCurrent", code)
    }

    /// Keeps other threads from new calls, for as long as it is held. The driver loads a module when
    /// no thread is in a call that waits for the device, and lets such calls go first: where two threads
    /// read results in turn without a pause, a load never began.
    pub(super) fn loading(&self) -> RwLockWriteGuard<'_, ()> {
        self.loads.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all that the device was asked for by this process. An error is dropped: the next call
    /// reports it again.
    pub(super) fn quiesce(&self) {
        if self.bind().is_ok() {
            // SAFETY: the context is current.
            unsafe { sys::cuCtxSynchronize() };
        }
    }

    /// Keeps modules from being unloaded, until it is dropped.
    pub(super) fn enter(&self) -> Presence {
        self.primary.users().count += 1;
        Presence(self.clone())
    }

    /// Unloads a module that nobody launches from any more: now where nobody works with the device,
    /// else once the last has left. Beside loads and launches of other threads it was not safe, as
    /// decision 59 says (`docs/decisions/`).
    pub(super) fn unload(&self, module: sys::CUmodule) {
        let mut users = self.primary.users();
        users.unused.push(module);
        if users.count == 0 {
            self.unload_unused(&mut users);
        }
    }

    fn unload_unused(&self, users: &mut Users) {
        self.quiesce();
        for module in users.unused.drain(..) {
            // SAFETY: loaded in this context, and unloaded once; every function of it is gone, and
            // the device has done what they were launched for. An error means that the context is
            // lost, and its modules with it.
            unsafe { sys::cuModuleUnload(module) };
        }
    }

    pub(super) fn create_stream(&self) -> Result<sys::CUstream, CudaError> {
        self.bind()?;
        let mut stream = std::ptr::null_mut();
        // Other users of the primary context work on its default stream; do not wait for them.
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
        // SAFETY: the context is current; the pointer is to a live handle.
        let code = unsafe { sys::cuStreamCreate(&mut stream, flags) };
        check("cuStreamCreate", code)?;
        Ok(stream)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let Presence(access) = self;
        let mut users = access.primary.users();
        users.count -= 1;
        if users.count == 0 {
            access.unload_unused(&mut users);
        }
    }
}

impl PrimaryContext {
    fn users(&self) -> MutexGuard<'_, Users> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// That of a device: the same for all who have it at one time.
    fn of(device: sys::CUdevice) -> Result<Arc<PrimaryContext>, CudaError> {
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
        let primary = Arc::new(PrimaryContext { device, handle, users: Mutex::default() });
        all.insert(device, Arc::downgrade(&primary));
        Ok(primary)
    }
}

impl Drop for PrimaryContext {
    fn drop(&mut self) {
        // SAFETY: pairs with the one successful retain that made this value.
        unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}
