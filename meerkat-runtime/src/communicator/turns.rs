//! Whose turn it is: communicators of a process, of which one at a time has work on the GPUs.
//!
//! NCCL's kernels wait for those of the other ranks. Where two communicators have a GPU in common, one GPU
//! could begin with the one and another GPU with the other, and neither would end.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who has the turn, and how many of its ranks are done with it; and who waits, in order.
#[derive(Debug)]
struct State {
    held: Option<(u64, usize)>,
    waiting: VecDeque<u64>,
}

/// Turns that groups of ranks take, each group all together, one after another.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

/// Of all communicators of this process.
pub(super) static TURNS: Turns = Turns::new();

/// What a rank has until it is done. When all ranks of its group are, the next group has its turn.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    group: u64,
    size: usize,
}

impl State {
    /// Whether the group has the turn, or gets it now.
    fn gives_to(&mut self, group: u64) -> bool {
        match self.held {
            Some((by, _)) => by == group,
            None if self.waiting.front().is_none_or(|&next| next == group) => {
                self.waiting.pop_front();
                self.held = Some((group, 0));
                true
            }
            None => false,
        }
    }
}

impl Turns {
    const fn new() -> Self {
        let state = State { held: None, waiting: VecDeque::new() };
        Turns { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No panic leaves it half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn of the group, after those that came before. Each of its `size` ranks in this process calls it
    /// once, after all are known to be about to: so nobody who has the turn waits for a rank that may be waiting for
    /// another. Where one will not come after all, [`abandon`](Self::abandon) says so.
    pub(super) fn take(&self, group: u64, size: usize) -> Turn<'_> {
        let mut state = self.lock();
        while !state.gives_to(group) {
            if !state.waiting.contains(&group) {
                state.waiting.push_back(group);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        // Other ranks of the group may have waited, too.
        self.changed.notify_all();
        Turn { turns: self, group, size }
    }

    /// Ends the turn of a group of which not all ranks will take it.
    pub(super) fn abandon(&self, group: u64) {
        let mut state = self.lock();
        state.held.take_if(|(by, _)| *by == group);
        state.waiting.retain(|&waiting| waiting != group);
        drop(state);
        self.changed.notify_all();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        if let Some((group, done)) = state.held.filter(|(by, _)| *by == self.group) {
            let done = done + 1;
            state.held = (done < self.size).then_some((group, done));
        }
        drop(state);
        self.turns.changed.notify_all();
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
        let state = turns.lock();
        assert!(state.held.is_none() && state.waiting.is_empty());
    }

    #[test]
    fn a_turn_that_not_all_ranks_take_is_abandoned() {
        let turns = Turns::new();
        let one = turns.take(1, 2);
        drop(one);
        // The other rank of the group will not come.
        std::thread::scope(|scope| {
            let next = scope.spawn(|| drop(turns.take(2, 1)));
            while turns.lock().waiting.is_empty() {
                std::thread::yield_now();
            }
            turns.abandon(1);
            next.join().expect("it has had its turn");
        });
        assert!(turns.lock().held.is_none());
    }
}
