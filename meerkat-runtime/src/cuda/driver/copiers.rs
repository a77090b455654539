//! Threads of the host that copy into pinned memory, for one thread is slower than the device.
//!
//! They are no part of a pool that others use: who copies holds the ring of pinned memory, and
//! must not wait for a task of a user's that waits for the ring.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{AcqRel, Acquire, Release},
};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

/// Bytes that a thread copies at a time.
const PART: usize = 1 << 15;
/// How many parts are sent at once: enough that the transfer is worth its start.
const PARTS_SENT: usize = 32;
/// Up to here a copy is sooner done than other threads wake.
const FEW_BYTES: usize = 1 << 18;
/// How many threads copy, the caller's included, at most: more do not copy faster.
const COPIERS: usize = 16;

/// The threads; none before a large copy asks for them. They end when this is dropped. Of two
/// copies at once they take the later one, and whoever asked for the other makes it alone.
#[derive(Default)]
pub(super) struct Copiers(OnceLock<Arc<Desk>>);

/// Where the threads wait for the next copy.
#[derive(Default)]
struct Desk {
    latest: Mutex<Latest>,
    wake: Condvar,
}

#[derive(Default)]
struct Latest {
    number: u64,
    copy: Option<Arc<Copy>>,
    is_over: bool,
}

/// A copy in parts, which threads take one after another.
struct Copy {
    to: *mut MaybeUninit<u8>,
    from: *const MaybeUninit<u8>,
    length: usize,
    next: AtomicUsize,
    is_copied: Vec<AtomicBool>,
}

// SAFETY: the pointers are used for parts that one thread took, each of its own bytes, and only
// while `copy_and_send` has not returned: it ends when every part that was taken is copied, and no
// other can be taken any more.
unsafe impl Send for Copy {}
// SAFETY: as above.
unsafe impl Sync for Copy {}

impl Copiers {
    /// Copies bytes of the host, large ones by several threads, and says as early as it can which
    /// are there: `send` gets ranges one after another, on the calling thread, after `begin`,
    /// which is called once others copy.
    pub(super) fn copy_and_send<E>(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &[MaybeUninit<u8>],
        begin: impl FnOnce() -> Result<(), E>,
        mut send: impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        assert_eq!(to.len(), from.len());
        let length = from.len();
        if length <= FEW_BYTES {
            to.copy_from_slice(from);
            begin()?;
            return send(0..length);
        }
        let parts = length.div_ceil(PART);
        let is_copied = (0..parts).map(|_| AtomicBool::new(false)).collect();
        let (to, from, next) = (to.as_mut_ptr(), from.as_ptr(), AtomicUsize::new(0));
        let copy = Arc::new(Copy { to, from, length, next, is_copied });
        // Dropped when this returns, however it does: then no thread copies any more.
        let _end = End(&copy);
        self.desk().hand_out(&copy);
        begin()?;
        for first in (0..parts).step_by(PARTS_SENT) {
            let last = (first + PARTS_SENT).min(parts);
            for part in first..last {
                // This thread copies, too: the others may be late.
                while !copy.is_copied(part) {
                    if !copy.copy_next() {
                        std::hint::spin_loop();
                    }
                }
            }
            send(first * PART..(last * PART).min(length))?;
        }
        Ok(())
    }

    fn desk(&self) -> &Desk {
        self.0.get_or_init(|| {
            let desk = Arc::new(Desk::default());
            let threads = thread::available_parallelism().map_or(1, usize::from).min(COPIERS);
            for _ in 1..threads {
                let desk = Arc::clone(&desk);
                // Where there is no thread to be had, the others copy.
                let _ = thread::Builder::new().spawn(move || desk.work());
            }
            desk
        })
    }
}

impl Drop for Copiers {
    fn drop(&mut self) {
        if let Some(desk) = self.0.get() {
            desk.latest.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
            desk.wake.notify_all();
        }
    }
}

impl Desk {
    fn hand_out(&self, copy: &Arc<Copy>) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.number += 1;
        latest.copy = Some(Arc::clone(copy));
        drop(latest);
        self.wake.notify_all();
    }

    fn work(&self) {
        let mut seen = 0;
        loop {
            let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
            let latest = self
                .wake
                .wait_while(latest, |latest| latest.number == seen && !latest.is_over)
                .unwrap_or_else(PoisonError::into_inner);
            if latest.is_over {
                return;
            }
            seen = latest.number;
            let copy = latest.copy.clone();
            drop(latest);
            while copy.as_ref().is_some_and(|copy| copy.copy_next()) {}
        }
    }
}

impl Copy {
    /// Copies the next part; whether there was one.
    fn copy_next(&self) -> bool {
        let part = self.next.fetch_add(1, AcqRel);
        let Some(is_copied) = self.is_copied.get(part) else { return false };
        let start = part * PART;
        let bytes = PART.min(self.length - start);
        // SAFETY: the part lies inside.
        let to = unsafe { self.to.add(start) };
        // SAFETY: it is this thread's alone, since it was taken once, and borrowed until every part
        // that was taken is copied.
        let to = unsafe { std::slice::from_raw_parts_mut(to, bytes) };
        // SAFETY: the part lies inside.
        let from = unsafe { self.from.add(start) };
        // SAFETY: nobody writes it, and it is borrowed as above.
        let from = unsafe { std::slice::from_raw_parts(from, bytes) };
        copy_past_caches(to, from);
        is_copied.store(true, Release);
        true
    }

    fn is_copied(&self, part: usize) -> bool {
        self.is_copied[part].load(Acquire)
    }
}

/// The end of a copy: no part is taken any more, and those that were are waited for.
struct End<'a>(&'a Copy);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let parts = self.0.is_copied.len();
        // Far from the end of the numbers, however many threads ask for a part later.
        let taken = self.0.next.swap(usize::MAX / 2, AcqRel).min(parts);
        for part in 0..taken {
            while !self.0.is_copied(part) {
                std::hint::spin_loop();
            }
        }
    }
}

/// Copies bytes that the device reads next. They go past the caches: from the caches of several
/// cores it reads 8 MiB at half the speed (500 us instead of 280, copy included, on an H100).
#[cfg(target_arch = "x86_64")]
fn copy_past_caches(to: &mut [MaybeUninit<u8>], from: &[MaybeUninit<u8>]) {
    use std::arch::asm;
    use std::arch::x86_64::{__m128i, _mm_sfence};
    // SAFETY: any 16 bytes, without contents too, are a value of the type.
    let (head, middle, tail) = unsafe { to.align_to_mut::<MaybeUninit<__m128i>>() };
    let (from_head, rest) = from.split_at(head.len());
    let (from_middle, from_tail) = rest.split_at(size_of_val(middle));
    head.copy_from_slice(from_head);
    tail.copy_from_slice(from_tail);
    for (to, from) in middle.iter_mut().zip(from_middle.chunks_exact(16)) {
        // In assembly, for the bytes may be padding, which no value may be made of.
        // SAFETY: 16 bytes are read, and written to an aligned place that is borrowed mutably;
        // the fence follows.
        unsafe {
            asm!(
                "movdqu {bytes}, [{from}]",
                "movntdq [{to}], {bytes}",
                bytes = out(xmm_reg) _,
                from = in(reg) from.as_ptr(),
                to = in(reg) to.as_mut_ptr(),
                options(nostack, preserves_flags)
            );
        }
    }
    // SAFETY: every processor of this architecture has it.
    unsafe { _mm_sfence() };
}

/// Copies bytes that the device reads next.
#[cfg(not(target_arch = "x86_64"))]
fn copy_past_caches(to: &mut [MaybeUninit<u8>], from: &[MaybeUninit<u8>]) {
    to.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uninit(bytes: &[u8]) -> Vec<MaybeUninit<u8>> {
        bytes.iter().map(|&byte| MaybeUninit::new(byte)).collect()
    }

    #[test]
    fn what_is_copied_is_sent_in_order_and_whole() {
        let copiers = Copiers::default();
        for length in [0, 1, 2 * PART, 2 * PART + 1, 5 * PART - 7, 8 << 20] {
            for skipped in [0, 5] {
                let bytes: Vec<u8> = (0..length + skipped).map(|at| (at % 251) as u8).collect();
                let (from, mut to) = (uninit(&bytes), uninit(&vec![9; length + 3]));
                let mut sent = 0;
                let done = copiers.copy_and_send(
                    &mut to[3..],
                    &from[skipped..],
                    || Ok(()),
                    |range| {
                        if range.start != sent {
                            return Err(range);
                        }
                        sent = range.end;
                        Ok(())
                    },
                );
                assert_eq!((done, sent), (Ok(()), length));
                // SAFETY: all bytes were written, above or by the copy.
                let to: Vec<u8> = to.iter().map(|byte| unsafe { byte.assume_init() }).collect();
                assert!(to[..3] == [9; 3] && to[3..] == bytes[skipped..]);
            }
        }
    }

    #[test]
    fn an_error_while_sending_ends_the_copy() {
        let copiers = Copiers::default();
        for _ in 0..50 {
            let from = uninit(&vec![1; 19 * PART]);
            let mut to = uninit(&vec![0; 19 * PART]);
            assert_eq!(
                copiers.copy_and_send(&mut to, &from, || Ok(()), |_| Err("full")),
                Err("full")
            );
        }
    }

    /// It waited for tasks of a pool whose threads waited for the ring.
    #[test]
    fn copies_of_threads_of_a_pool_and_of_others_do_not_wait_for_each_other() {
        let copiers = Mutex::new(Copiers::default());
        let copy = || {
            let (from, mut to) = (uninit(&vec![1; 5 * PART]), uninit(&vec![0; 5 * PART]));
            let copiers = copiers.lock().expect("the ring");
            assert_eq!(
                copiers.copy_and_send(&mut to, &from, || Ok(()), |_| Ok::<_, ()>(())),
                Ok(())
            );
        };
        thread::scope(|others| {
            others.spawn(|| (0..40).for_each(|_| copy()));
            rayon::scope(|pool| (0..40).for_each(|_| pool.spawn(|_| copy())));
        });
    }
}
