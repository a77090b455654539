//! Pinned memory of the host, from which the device copies by itself while kernels run and the
//! host goes on.

use std::ffi::c_void;
use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys;

use super::super::error::CudaError;
use super::{Context, Event, Memory, check};

/// Pinned bytes, zeros at first. Whoever writes them waits for the copies from them.
pub struct PinnedMemory {
    context: Arc<Context>,
    start: NonNull<u8>,
    len: usize,
    /// After the latest copy from it.
    copied: Mutex<Option<Arc<Event>>>,
}

// SAFETY: an owned allocation; what is shared is only read, by the host and by copies.
unsafe impl Send for PinnedMemory {}
// SAFETY: as above; the event is behind a lock.
unsafe impl Sync for PinnedMemory {}

impl PinnedMemory {
    /// The context whose device copies from it.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the allocation is that long and initialised, by zeros first.
        unsafe { from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The bytes, to be written. Waits for the copies from them.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn bytes_mut(&mut self) -> Result<&mut [u8], CudaError> {
        self.wait()?;
        // SAFETY: as in `bytes`, borrowed mutably, and no copy is under way.
        Ok(unsafe { from_raw_parts_mut(self.start.as_ptr(), self.len) })
    }

    fn wait(&mut self) -> Result<(), CudaError> {
        let copied = self.copied.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(event) = copied {
            event.wait()?;
            *copied = None;
        }
        Ok(())
    }

    /// Copies a range to the device, beside what its stream does. The memory is there once the
    /// event is joined, and may be used and freed only then.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`], [`CudaError::OutOfMemory`], or [`CudaError::Driver`].
    pub fn upload(&self, range: Range<usize>) -> Result<(Memory, Arc<Event>), CudaError> {
        let (context, len) = (&self.context, range.len());
        let Some(from) = self.bytes().get(range.clone()) else {
            return Err(CudaError::OutOfBounds { offset: range.start, len, size: self.len });
        };
        let event = Arc::new(Event::new(context)?);
        // Two threads' copies are noted in the order in which they are queued.
        let mut copied = self.copied.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = context.allocate_for_copies(len)?;
        let queued = self.queue(from, &memory).and_then(|()| event.record_on(context.copies()));
        if let Err(error) = queued {
            // The memory goes in the order of the other stream.
            context.wait_for_copies();
            return Err(error);
        }
        *copied = Some(Arc::clone(&event));
        Ok((memory, event))
    }

    fn queue(&self, from: &[u8], to: &Memory) -> Result<(), CudaError> {
        if from.is_empty() {
            return Ok(());
        }
        self.context.bind()?;
        // SAFETY: the device memory is as long as the bytes, of the current context, and was
        // allocated in the order of this stream; nobody writes the bytes before the copy is
        // done, since `bytes_mut` and `drop` wait.
        let code = unsafe {
            let (from, copies) = (from.as_ptr().cast::<c_void>(), self.context.copies());
            sys::cuMemcpyHtoDAsync_v2(to.ptr(), from, to.len(), copies)
        };
        check("cuMemcpyHtoDAsync", code)
    }
}

impl fmt::Debug for PinnedMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PinnedMemory({} bytes)", self.len)
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        if self.len == 0 || self.context.bind().is_err() {
            return;
        }
        if self.wait().is_err() {
            self.context.wait_for_copies();
        }
        // SAFETY: allocated in `pinned` and freed once; no copy is under way.
        unsafe { sys::cuMemFreeHost(self.start.as_ptr().cast()) };
    }
}

impl Context {
    /// Pinned memory of the host; 0 bytes are allowed.
    ///
    /// # Errors
    /// [`CudaError::Driver`], also where there is no memory.
    pub fn pinned(self: &Arc<Self>, bytes: usize) -> Result<PinnedMemory, CudaError> {
        let (context, copied) = (Arc::clone(self), Mutex::new(None));
        let mut memory = PinnedMemory { context, start: NonNull::dangling(), len: 0, copied };
        if bytes > 0 {
            self.bind()?;
            let mut start: *mut c_void = std::ptr::null_mut();
            // SAFETY: the context is current; the pointer is to a live address.
            let code = unsafe { sys::cuMemHostAlloc(&mut start, bytes, 0) };
            check("cuMemHostAlloc", code)?;
            if let Some(start) = NonNull::new(start.cast::<u8>()) {
                // SAFETY: the allocation is that long; then all of it is initialised.
                unsafe { start.as_ptr().write_bytes(0, bytes) };
                (memory.start, memory.len) = (start, bytes);
            }
        }
        Ok(memory)
    }

    /// Waits until the copies beside the stream are done. An error is dropped: the next call
    /// reports it again.
    pub(super) fn wait_for_copies(&self) {
        if self.bind().is_ok() {
            // SAFETY: the stream is live as long as `self`, and its context is current.
            unsafe { sys::cuStreamSynchronize(self.copies()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_support;

    #[test]
    fn pinned_bytes_that_are_written_again_do_not_change_what_was_uploaded() {
        let Some(context) = test_support::context() else {
            return;
        };
        let mut pinned = context.pinned(1 << 20).expect("memory");
        let mut uploads = Vec::new();
        for round in 0..8u8 {
            pinned.bytes_mut().expect("no copy").fill(round);
            uploads.push(pinned.upload(0..1 << 20).expect("a copy"));
        }
        for (round, (memory, event)) in (0..8u8).zip(uploads) {
            event.join().expect("an order");
            let mut back = vec![0; 1 << 20];
            context.copy_to_host(&mut back, &memory, 0).expect("a copy");
            assert!(back.iter().all(|&byte| byte == round), "round {round}");
        }
    }
}
