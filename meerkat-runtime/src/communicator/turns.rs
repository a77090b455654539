//! Whose turn it is: communicators of a process, of which one at a time has work on the GPUs.
//!
//! NCCL's kernels wait for those of the other ranks. Where two communicators have a GPU in common, one GPU
//! could begin with the one and another GPU with the other, and neither would end.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who has the turn, and how many of its ranks are done with it.
#[derive(Debug)]
struct Held {
    by: u64,
    done: usize,
}

/// Turns that groups of ranks take, each group all together.
#[derive(Debug)]
pub(super) struct Turns {
    held: Mutex<Option<Held>>,
    free: Condvar,
}

/// Of all communicators of this process.
pub(super) static TURNS: Turns = Turns::new();

/// What a rank has until it is done. When all ranks of its group are, the next group has its turn.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    size: usize,
}

impl Turns {
    const fn new() -> Self {
        Turns { held: Mutex::new(None), free: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Held>> {
        // No panic leaves it half-way.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other group has the turn. Each of the `size` ranks of the group in this process calls it once, after all
    /// are known to be about to: so nobody who has the turn waits for a rank that may be waiting for another.
    pub(super) fn take(&self, group: u64, size: usize) -> Turn<'_> {
        let mut held = self.lock();
        while held.as_ref().is_some_and(|held| held.by != group) {
            held = self.free.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        held.get_or_insert(Held { by: group, done: 0 });
        Turn { turns: self, size }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut held = self.turns.lock();
        let all_are_done = held.as_mut().is_some_and(|held| {
            held.done += 1;
            held.done == self.size
        });
        if all_are_done {
            *held = None;
            self.turns.free.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn two_groups_that_share_gpus_take_turns() {
        // Whose turn it is, and how many of its ranks have come.
        let (turns, seen) = (Turns::new(), Mutex::new((0, 0)));
        let groups = [1, 2, 3].map(|group| (group, Barrier::new(3)));
        let follow = |group: u64, begun: &Barrier, rank: usize| {
            for call in 0..200 {
                begun.wait();
                let turn = turns.take(group, 3);
                if rank == call % 3 {
                    // It comes when the others are done.
                    std::thread::yield_now();
                }
                let mut seen = seen.lock().expect("no panic");
                let (of, come) = *seen;
                assert!(come == 0 || of == group, "{group} in the turn of {of}");
                *seen = (group, (come + 1) % 3);
                drop(seen);
                drop(turn);
            }
        };
        let follow = &follow;
        std::thread::scope(|scope| {
            for (group, begun) in &groups {
                (0..3).for_each(|rank| drop(scope.spawn(move || follow(*group, begun, rank))));
            }
        });
        assert!(turns.lock().is_none());
    }
}
