//! Running a kernel: by the CUDA driver, or by the warps of the CPU.
#![allow(unsafe_code)] // The launch, for which the generated launcher vouches.

use crate::device::{Device, KernelKey, profile};
use crate::lanes::Warp;
use crate::program::KernelInfo;
use crate::schedule::BLOCK_THREADS;
use crate::trap::Trap;
use crate::{Error, ErrorKind};
use rayon::prelude::*;
use std::any::TypeId;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{PoisonError, RwLock};

/// A parameter as the driver takes it.
#[doc(hidden)]
pub fn argument<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}

/// The threads that a kernel of its own threads runs, on the CPU as on CUDA: whole blocks. So what
/// threads do beyond those that were asked for is seen without a GPU, too.
#[doc(hidden)]
pub fn whole_blocks(threads: u32) -> u32 {
    threads.div_ceil(BLOCK_THREADS).saturating_mul(BLOCK_THREADS)
}

/// Runs a kernel over `threads` threads: queues it on CUDA, completes it on the
/// CPU.
///
/// # Errors
/// A function calls itself; the program does not compile or launch; a lane trapped (CPU).
///
/// # Safety
/// `arguments` and `lanes` are the kernel's own, and what the arguments view is borrowed.
#[doc(hidden)]
pub unsafe fn run(
    device: &Device,
    key: KernelKey,
    info: &dyn Fn() -> KernelInfo,
    threads: u32,
    arguments: &mut [*mut c_void],
    lanes: &(dyn Fn(&Warp) + Sync),
) -> Result<(), Error> {
    if threads == 0 {
        return Ok(());
    }
    device.check_launch()?;
    check_once(key.0, info)?;
    match device.cuda_device() {
        // SAFETY: the caller's promise.
        Some(cuda) => unsafe { cuda.launch(key, info, threads, arguments) },
        None => profile::on_cpu(key, info, threads, || run_on_cpu(device, threads, lanes))
            .map_err(|trap| trap_error(&info(), &trap)),
    }
}

/// Checks a kernel's program as a whole at its first launch in the process.
fn check_once(kernel: TypeId, info: &dyn Fn() -> KernelInfo) -> Result<(), Error> {
    static CHECKED: RwLock<BTreeSet<TypeId>> = RwLock::new(BTreeSet::new());
    let is_known = CHECKED.read().unwrap_or_else(PoisonError::into_inner).contains(&kernel);
    if !is_known {
        info().check()?;
        CHECKED.write().unwrap_or_else(PoisonError::into_inner).insert(kernel);
    }
    Ok(())
}

/// Few warps run on the calling thread: waking others costs more, and where a search has
/// thousands of small levels, it costs that each time.
const WARPS_INLINE: u32 = 32;
/// How many warps a thread takes at a time, at least.
const WARPS_TOGETHER: usize = 8;

fn run_on_cpu(
    device: &Device,
    threads: u32,
    lanes: &(dyn Fn(&Warp) + Sync),
) -> Result<(), Box<Trap>> {
    let warps = threads.div_ceil(32);
    let run = |id| lanes(&Warp::new(id, warps));
    let all = || {
        // With weak memory the launch has threads of its own.
        if device.weak_memory().run(warps, &run) {
            return;
        }
        if warps <= WARPS_INLINE {
            (0..warps).for_each(run);
        } else {
            (0..warps).into_par_iter().with_min_len(WARPS_TOGETHER).for_each(run);
        }
    };
    match catch_unwind(AssertUnwindSafe(all)) {
        Ok(()) => Ok(()),
        Err(payload) => match payload.downcast::<Trap>() {
            Ok(trap) => Err(trap),
            Err(other) => resume_unwind(other),
        },
    }
}

fn trap_error(info: &KernelInfo, trap: &Trap) -> Error {
    ErrorKind::Trap {
        kernel: info.name().to_owned(),
        file: trap.file,
        line: trap.line,
        what: trap.fault.to_string(),
    }
    .into()
}
