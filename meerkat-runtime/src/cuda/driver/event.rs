//! Points in a stream: to take their time on the device's own clock, and to wait for them.

use std::ffi::c_uint;
use std::fmt;
use std::sync::{Arc, OnceLock};

use cudarc::driver::sys;

use super::super::calls::{Call, timed};
use super::super::error::CudaError;
use super::{Context, check};

/// A point in a context's stream whose time can be taken.
pub struct Event {
    context: Arc<Context>,
    handle: sys::CUevent,
}

// SAFETY: the handle is the driver's, not memory of this process; the driver's event functions
// may be called with it from several threads at once.
unsafe impl Send for Event {}
// SAFETY: as for `Send`.
unsafe impl Sync for Event {}

impl Event {
    /// An event not recorded yet.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn new(context: &Arc<Context>) -> Result<Event, CudaError> {
        context.bind()?;
        let mut handle = std::ptr::null_mut();
        let flags = sys::CUevent_flags::CU_EVENT_DEFAULT as c_uint;
        // SAFETY: the context is current; the pointer is to a live handle.
        let code = unsafe { sys::cuEventCreate(&mut handle, flags) };
        check("cuEventCreate", code)?;
        Ok(Event { context: Arc::clone(context), handle })
    }

    /// Moves the event to the end of the stream's queued work. Asynchronous.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn record(&self) -> Result<(), CudaError> {
        self.record_on(self.context.stream().handle())
    }

    /// [`record`](Self::record) on a stream of the event's context.
    pub(super) fn record_on(&self, stream: sys::CUstream) -> Result<(), CudaError> {
        self.context.bind()?;
        // SAFETY: event and stream are live and belong to the current context.
        let code = unsafe { sys::cuEventRecord(self.handle, stream) };
        check("cuEventRecord", code)
    }

    /// Has the context's stream wait for the event: what is queued from now on runs after it.
    /// Asynchronous.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn join(&self) -> Result<(), CudaError> {
        self.join_on(&self.context)
    }

    /// [`join`](Self::join) on the stream of a context beside the event's.
    pub(in crate::cuda) fn join_on(&self, context: &Context) -> Result<(), CudaError> {
        if !context.is_beside(&self.context) {
            return Err(CudaError::WrongContext { what: "an event" });
        }
        context.bind()?;
        // SAFETY: event and stream are live, and of one primary context, which is current.
        let code = unsafe { sys::cuStreamWaitEvent(context.stream().handle(), self.handle, 0) };
        check("cuStreamWaitEvent", code)
    }

    /// Waits on the host until the event is reached.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn wait(&self) -> Result<(), CudaError> {
        let _timed = timed(Call::Wait, 0);
        self.reach()
    }

    /// [`wait`](Self::wait), as a part of another call.
    pub(super) fn reach(&self) -> Result<(), CudaError> {
        self.context.bind()?;
        // SAFETY: the event is live and belongs to the current context.
        let code = unsafe { sys::cuEventSynchronize(self.handle) };
        check("cuEventSynchronize", code)
    }

    /// Milliseconds from this event to `end`. Waits until `end` is reached; half a
    /// microsecond is the resolution.
    ///
    /// # Errors
    /// [`CudaError::WrongContext`], or [`CudaError::Driver`]: `CUDA_ERROR_INVALID_HANDLE` when
    /// either event was never recorded, or the failure of the work between them.
    pub fn elapsed_ms(&self, end: &Event) -> Result<f32, CudaError> {
        if !Arc::ptr_eq(&self.context, &end.context) {
            return Err(CudaError::WrongContext { what: "an event" });
        }
        self.context.bind()?;
        // SAFETY: the event is live and belongs to the current context.
        let code = unsafe { sys::cuEventSynchronize(end.handle) };
        check("cuEventSynchronize", code)?;
        let mut milliseconds = 0.0;
        let elapsed = elapsed_function()?;
        // SAFETY: the function has this signature; both events are live and belong to the
        // current context; the pointer is to a live float.
        let code = unsafe { elapsed(&mut milliseconds, self.handle, end.handle) };
        check("cuEventElapsedTime", code)?;
        Ok(milliseconds)
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({:?})", self.handle)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: the event is live and never used again; the driver keeps what a
            // pending record needs.
            unsafe { sys::cuEventDestroy_v2(self.handle) };
        }
    }
}

type ElapsedFunction = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;

/// The driver's `cuEventElapsedTime`, in its second version where there is one.
///
/// Looked up here since `cudarc` knows only the second for CUDA 13, which drivers before CUDA
/// 12.8 lack.
fn elapsed_function() -> Result<ElapsedFunction, CudaError> {
    static FUNCTION: OnceLock<Option<ElapsedFunction>> = OnceLock::new();
    FUNCTION.get_or_init(find_elapsed_function).ok_or_else(|| CudaError::LibraryMissing {
        library: "the CUDA driver (libcuda)",
        help: "it lacks `cuEventElapsedTime`: update the NVIDIA driver".to_owned(),
    })
}

fn find_elapsed_function() -> Option<ElapsedFunction> {
    // SAFETY: an event exists, so libcuda is loaded.
    let library = unsafe { sys::culib() };
    ["cuEventElapsedTime_v2", "cuEventElapsedTime"].into_iter().find_map(|name| {
        // SAFETY: both versions have this signature, and the library is never unloaded.
        let function = unsafe { library.get::<ElapsedFunction>(name.as_bytes()) };
        function.ok().map(|function| *function)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::test_support;
    use super::*;

    #[test]
    fn a_fill_of_64_mib_takes_time_between_two_events() {
        let Some(context) = test_support::context() else {
            return;
        };
        let memory = context.allocate(64 << 20).unwrap();
        let (start, end) = (Event::new(&context).unwrap(), Event::new(&context).unwrap());
        start.record().unwrap();
        context.fill_u8(&memory, 0..memory.len(), 3).unwrap();
        end.record().unwrap();
        let milliseconds = start.elapsed_ms(&end).unwrap();
        assert!(milliseconds > 0.0 && milliseconds < 10_000.0, "{milliseconds} ms");
    }

    #[test]
    fn an_event_never_recorded_has_no_time() {
        let Some(context) = test_support::context() else {
            return;
        };
        let (start, end) = (Event::new(&context).unwrap(), Event::new(&context).unwrap());
        let error = start.elapsed_ms(&end).unwrap_err();
        assert!(matches!(error, CudaError::Driver { code: 400, .. }), "{error}");
        assert!(!error.is_sticky());
    }
}
