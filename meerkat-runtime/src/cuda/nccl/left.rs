//! What ranks of this process leave behind, until the last rank of their communicator has left, too.
//!
//! NCCL frees all that a communicator has in a process when its last rank there leaves, and may still look at the
//! streams that the others worked on.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What is kept for each communicator.
#[derive(Debug)]
pub(super) struct Left<K, T> {
    kept: Mutex<BTreeMap<K, Vec<T>>>,
}

impl<K: Ord, T> Left<K, T> {
    pub(super) const fn new() -> Self {
        Left { kept: Mutex::new(BTreeMap::new()) }
    }

    /// A rank leaves something behind: the last of so many gets what all left, its own included.
    pub(super) fn leave(&self, communicator: K, ranks: usize, own: T) -> Vec<T> {
        // No panic leaves it half-way.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut of_all = kept.remove(&communicator).unwrap_or_default();
        of_all.push(own);
        if of_all.len() < ranks {
            kept.insert(communicator, of_all);
            return Vec::new();
        }
        of_all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_communicator_gets_what_all_of_it_left() {
        let left = Left::new();
        for (communicator, ranks, own) in [("a", 3, 1), ("b", 2, 7), ("a", 3, 2)] {
            assert!(left.leave(communicator, ranks, own).is_empty());
        }
        assert_eq!(left.leave("b", 2, 8), [7, 8]);
        assert_eq!(left.leave("c", 1, 9), [9]);
        assert_eq!(left.leave("a", 3, 3), [1, 2, 3]);
        assert!(left.kept.lock().expect("no panic").is_empty());
    }
}
