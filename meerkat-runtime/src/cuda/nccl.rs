//! NCCL: what GPUs send each other, with a bound on how long a caller waits for the others.
//!
//! `NcclId::new` -> (to all ranks) -> `Nccl::join` -> `exchange`, `all_gather`, each of which ends
//! when it is done, or with an error, whichever it is, and the communicator aborted. NCCL has a stream of its own,
//! which waits for what the device's stream had when it was marked; kernels that are queued then run beside it.
//!
//! The library is loaded at run time, as `libnccl.so` or `libnccl.so.2`. Communicators do not block:
//! a call that goes on is asked again until it ends or its time is over.

mod functions;
mod left;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::{Duration, Instant};

use cudarc::nccl::sys as nccl_sys;

use super::driver::{Context, Event};
use super::error::CudaError;
use functions::Functions;
use left::Left;

/// The version of NCCL, as major, minor and patch.
///
/// # Errors
/// [`CudaError::LibraryMissing`] without NCCL, or with one that is too old.
pub fn version() -> Result<(i32, i32, i32), CudaError> {
    Functions::loaded().map(|functions| functions.version)
}

/// The contexts of ranks that have left.
static LEFT: Left<[u8; NcclId::BYTES], [Arc<Context>; 2]> = Left::new();

/// What joins ranks into one communicator: made by one of them, and given to all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NcclId(nccl_sys::ncclUniqueId);

impl NcclId {
    /// How many bytes it has.
    pub(crate) const BYTES: usize = 128;

    /// Another than all others.
    ///
    /// # Errors
    /// [`CudaError::LibraryMissing`]; [`CudaError::Nccl`].
    pub(crate) fn new() -> Result<NcclId, CudaError> {
        let functions = Functions::loaded()?;
        let mut id = nccl_sys::ncclUniqueId { internal: [0; NcclId::BYTES] };
        // SAFETY: the pointer is to a live id.
        let code = unsafe { (functions.get_unique_id)(&mut id) };
        functions.check("ncclGetUniqueId", code)?;
        Ok(NcclId(id))
    }

    /// Its bytes, for the other ranks.
    pub(crate) fn to_bytes(self) -> [u8; NcclId::BYTES] {
        self.0.internal.map(|byte| byte as u8)
    }

    /// That of these bytes.
    pub(crate) fn from_bytes(bytes: [u8; NcclId::BYTES]) -> NcclId {
        NcclId(nccl_sys::ncclUniqueId { internal: bytes.map(|byte| byte as _) })
    }
}

/// Words in device memory: an address and a count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordSpan {
    /// Where they begin.
    pub(crate) address: u64,
    /// How many there are.
    pub(crate) count: usize,
}

/// What a rank sends to each and receives of each, of one list.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransferSpans {
    /// For each rank.
    pub(crate) sent: Vec<WordSpan>,
    /// Of each rank.
    pub(crate) received: Vec<WordSpan>,
}

/// A rank of a communicator, beside a context. Stays on the thread that joined.
#[derive(Debug)]
pub(crate) struct Nccl {
    functions: &'static Functions,
    /// Null once it was aborted.
    handle: Cell<nccl_sys::ncclComm_t>,
    device: Arc<Context>,
    /// In the device's stream: where NCCL begins.
    before: Event,
    /// NCCL's own.
    context: Arc<Context>,
    /// In its stream: where an aborted call ends.
    after: Event,
    timeout: Duration,
    id: NcclId,
    /// How many ranks of it are in this process.
    ranks_here: usize,
}

impl Nccl {
    /// Joins the other ranks, which all do the same at about the same time: as one of `size`, of which
    /// `ranks_here` are in this process.
    ///
    /// # Errors
    /// [`CudaError::LibraryMissing`]; [`CudaError::Nccl`], as for two ranks on one GPU;
    /// [`CudaError::NcclTimeout`] if not all join.
    pub(crate) fn join(
        context: &Arc<Context>,
        id: &NcclId,
        (rank, size, ranks_here): (usize, usize, usize),
        timeout: Duration,
        mut is_hopeless: impl FnMut() -> bool,
    ) -> Result<Nccl, CudaError> {
        let functions = Functions::loaded()?;
        let (device, before) = (Arc::clone(context), Event::new(context)?);
        let context = device.beside_first()?;
        let after = Event::new(&context)?;
        context.bind_thread()?;
        let mut config = functions::config();
        // NCCL has the place of the handle until it has joined, and writes there once more, on a thread of its own.
        let place = Box::into_raw(Box::new(std::ptr::null_mut()));
        // SAFETY: the pointers are to a live handle, which stays, and to a live configuration, which NCCL
        // copies; the context of the rank's device is current.
        let code = unsafe {
            (functions.comm_init_rank_config)(place, size as i32, id.0, rank as i32, &mut config)
        };
        // SAFETY: the place is live and aligned, and NCCL writes there by an atomic store, if at all.
        let handle = unsafe { AtomicPtr::from_ptr(place) }.load(Ordering::Acquire);
        let handle = Cell::new(handle);
        let id = *id;
        let nccl =
            Nccl { functions, handle, device, before, context, after, timeout, id, ranks_here };
        // Dropped after an error, it aborts. The place is left to NCCL then: nobody says when it is done.
        nccl.settle("ncclCommInitRankConfig", code, &mut is_hopeless)?;
        // SAFETY: made by a box above, given back once, and NCCL has joined.
        drop(unsafe { Box::from_raw(place) });
        Ok(nccl)
    }

    /// Sends words to each rank and receives words of each, of all lists in one group. Ends when both are
    /// done here, or aborts. It begins after what was [marked](Self::mark). `is_hopeless` says that another rank will
    /// not come.
    ///
    /// # Errors
    /// [`CudaError::Nccl`], [`CudaError::NcclTimeout`]: the communicator is aborted then.
    ///
    /// # Safety
    /// The spans are live memory of the context's device, those that are received overlap no other, nothing that was
    /// queued since the mark uses them, and other ranks expect and send as many, of the same lists in the same order.
    pub(crate) unsafe fn exchange(
        &self,
        lists: &[TransferSpans],
        mut is_hopeless: impl FnMut() -> bool,
    ) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        let queued = unsafe { self.queue_exchange(lists, &mut is_hopeless) };
        let done = queued.and_then(|()| self.wait("ncclSend and ncclRecv", &mut is_hopeless));
        // Else a kernel of NCCL could spin for ever, and who synchronises with it.
        done.inspect_err(|_| self.abort())
    }

    /// Queues an [`exchange`](Self::exchange).
    ///
    /// # Safety
    /// As [`exchange`](Self::exchange).
    unsafe fn queue_exchange(
        &self,
        lists: &[TransferSpans],
        is_hopeless: &mut dyn FnMut() -> bool,
    ) -> Result<(), CudaError> {
        let handle = self.alive()?;
        self.follow()?;
        let queued = self.context.stream_for_nccl();
        let stream = queued.handle().cast();
        // SAFETY: no arguments.
        let code = unsafe { (self.functions.group_start)() };
        self.functions.check("ncclGroupStart", code)?;
        let mut failed = Ok(());
        for TransferSpans { sent, received } in lists {
            for (peer, span) in sent.iter().enumerate().filter(|(_, span)| span.count > 0) {
                let (address, count, word) = (span.address as _, span.count, functions::WORD);
                // SAFETY: the caller's promise of the span; the handle is alive.
                let code = unsafe {
                    (self.functions.send)(address, count, word, peer as i32, handle, stream)
                };
                failed = failed.and(self.functions.check("ncclSend", code));
            }
            for (peer, span) in received.iter().enumerate().filter(|(_, span)| span.count > 0) {
                let (address, count, word) = (span.address as _, span.count, functions::WORD);
                // SAFETY: the caller's promise of the span; the handle is alive.
                let code = unsafe {
                    (self.functions.recv)(address, count, word, peer as i32, handle, stream)
                };
                failed = failed.and(self.functions.check("ncclRecv", code));
            }
        }
        // Also after a failure: a group that has begun has to end.
        // SAFETY: no arguments.
        let code = unsafe { (self.functions.group_end)() };
        failed?;
        // Until then NCCL may still queue what the group has.
        self.settle("ncclGroupEnd", code, is_hopeless)
    }

    /// Gathers as many words of each rank, one rank's after another's, on all ranks. Ends when that is
    /// done here, or aborts.
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    ///
    /// # Safety
    /// As [`exchange`](Self::exchange); `into` has room for the words of all ranks.
    pub(crate) unsafe fn all_gather(
        &self,
        spans: (WordSpan, u64),
        mut is_hopeless: impl FnMut() -> bool,
    ) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        let queued = unsafe { self.queue_all_gather(spans, &mut is_hopeless) };
        let done = queued.and_then(|()| self.wait("ncclAllGather", &mut is_hopeless));
        done.inspect_err(|_| self.abort())
    }

    /// Queues an [`all_gather`](Self::all_gather).
    ///
    /// # Safety
    /// As [`all_gather`](Self::all_gather).
    unsafe fn queue_all_gather(
        &self,
        (from, into): (WordSpan, u64),
        is_hopeless: &mut dyn FnMut() -> bool,
    ) -> Result<(), CudaError> {
        let handle = self.alive()?;
        self.follow()?;
        let queued = self.context.stream_for_nccl();
        let (stream, into) = (queued.handle().cast(), into as _);
        let (address, count, word) = (from.address as _, from.count, functions::WORD);
        // SAFETY: the caller's promise of the memory; the handle is alive.
        let code =
            unsafe { (self.functions.all_gather)(address, into, count, word, handle, stream) };
        self.settle("ncclAllGather", code, is_hopeless)
    }

    /// Notes what the device's stream has now: the next call of NCCL begins after that.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub(crate) fn mark(&self) -> Result<(), CudaError> {
        self.before.record()
    }

    /// Has NCCL begin after what was marked.
    fn follow(&self) -> Result<(), CudaError> {
        self.context.bind_thread()?;
        self.before.join_on(&self.context)
    }

    /// The handle, unless it was aborted.
    fn alive(&self) -> Result<nccl_sys::ncclComm_t, CudaError> {
        let handle = self.handle.get();
        match handle.is_null() {
            true => Err(CudaError::NcclTimeout { call: "an earlier call of NCCL", seconds: 0.0 }),
            false => Ok(handle),
        }
    }

    /// Leaves the other ranks. Nothing else can be done with it then.
    pub(crate) fn abort(&self) {
        let handle = self.handle.replace(std::ptr::null_mut());
        if !handle.is_null() {
            // SAFETY: the handle is alive, and nobody has it any more. Nothing can be done about a
            // failure.
            unsafe { (self.functions.comm_abort)(handle) };
            // What is given back on the device's stream from now on is given back when NCCL's has ended.
            let _ = self.after.record().and_then(|()| self.after.join_on(&self.device));
        }
    }

    /// Waits until a call is no longer in progress on the host.
    fn settle(
        &self,
        call: &'static str,
        mut code: functions::Code,
        is_hopeless: &mut dyn FnMut() -> bool,
    ) -> Result<(), CudaError> {
        let start = Instant::now();
        while code == functions::IN_PROGRESS {
            self.give_up_after(call, start, is_hopeless)?;
            std::thread::yield_now();
            let handle = self.alive()?;
            // SAFETY: the handle is alive, and the pointer to a live code.
            let asked = unsafe { (self.functions.comm_get_async_error)(handle, &mut code) };
            self.functions.check("ncclCommGetAsyncError", asked)?;
        }
        self.functions.check(call, code)
    }

    /// Waits until NCCL's stream is idle, and so what it waited for.
    fn wait(
        &self,
        call: &'static str,
        is_hopeless: &mut dyn FnMut() -> bool,
    ) -> Result<(), CudaError> {
        let start = Instant::now();
        while !self.context.is_idle()? {
            self.give_up_after(call, start, is_hopeless)?;
            let mut code = functions::SUCCESS;
            let handle = self.alive()?;
            // SAFETY: the handle is alive, and the pointer to a live code.
            let asked = unsafe { (self.functions.comm_get_async_error)(handle, &mut code) };
            self.functions.check("ncclCommGetAsyncError", asked)?;
            self.functions.check(call, code)?;
            std::hint::spin_loop();
        }
        Ok(())
    }

    fn give_up_after(
        &self,
        call: &'static str,
        start: Instant,
        is_hopeless: &mut dyn FnMut() -> bool,
    ) -> Result<(), CudaError> {
        if start.elapsed() < self.timeout && !is_hopeless() {
            return Ok(());
        }
        Err(CudaError::NcclTimeout { call, seconds: start.elapsed().as_secs_f64() })
    }
}

impl Drop for Nccl {
    fn drop(&mut self) {
        // To destroy it would wait for the other ranks, which may be gone. All calls have ended.
        if self.context.bind_thread().is_ok() {
            self.abort();
        }
        let own = [Arc::clone(&self.device), Arc::clone(&self.context)];
        drop(LEFT.leave(self.id.to_bytes(), self.ranks_here, own));
    }
}
