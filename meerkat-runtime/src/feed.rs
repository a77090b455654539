//! Edges from other threads, as batches: as many as have come, after a time or at a number.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How long a wait for the first of a batch is at a time: as good as for ever.
const LONG: Duration = Duration::from_secs(1 << 20);

/// What other threads send, edges or updates, in batches: an iterator that waits for the next and
/// ends when all senders have gone.
///
/// ```
/// use meerkat_runtime::feed::Feed;
/// use std::time::Duration;
///
/// let (sender, feed) = Feed::new(1000, 3, Duration::from_millis(20));
/// std::thread::spawn(move || (0..7).try_for_each(|edge| sender.send(edge)));
/// let batches: Vec<Vec<u32>> = feed.collect();
/// assert_eq!(batches, [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
/// ```
#[derive(Debug)]
pub struct Feed<T> {
    receiver: Receiver<T>,
    most: usize,
    wait: Duration,
}

impl<T> Feed<T> {
    /// A feed, and what its senders send by: clone it for each thread. `capacity` may wait in between,
    /// and then `send` waits, too. A batch has up to `most` items, at least 1; it ends before that
    /// when `wait` is over since its first item was taken.
    pub fn new(capacity: usize, most: usize, wait: Duration) -> (SyncSender<T>, Feed<T>) {
        let (sender, receiver) = sync_channel(capacity);
        (sender, Feed { receiver, most: most.max(1), wait })
    }
}

impl<T> Iterator for Feed<T> {
    type Item = Vec<T>;

    fn next(&mut self) -> Option<Vec<T>> {
        let mut batch = vec![self.receiver.recv().ok()?];
        // A time that the clock cannot name is never over.
        let end = Instant::now().checked_add(self.wait);
        while batch.len() < self.most {
            let left = end.map_or(LONG, |end| end.saturating_duration_since(Instant::now()));
            match self.receiver.recv_timeout(left) {
                Ok(item) => batch.push(item),
                Err(RecvTimeoutError::Timeout) if end.is_none() => {}
                // What is left is there for the next.
                Err(_) => break,
            }
        }
        Some(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::TrySendError;

    #[test]
    fn a_batch_ends_at_its_number_or_when_its_time_is_over() {
        let (sender, mut feed) = Feed::new(10, 4, Duration::from_millis(30));
        (0..5).for_each(|item| sender.send(item).expect("room"));
        assert_eq!(feed.next(), Some(vec![0, 1, 2, 3]));
        assert_eq!(feed.next(), Some(vec![4]), "the sender is there, and the time is over");
        sender.send(5).expect("room");
        drop(sender);
        assert_eq!(feed.next(), Some(vec![5]));
        assert_eq!(feed.next(), None);
    }

    #[test]
    fn who_sends_waits_while_the_feed_is_full() {
        let (sender, mut feed) = Feed::new(2, 100, Duration::ZERO);
        (0..2).for_each(|item| sender.try_send(item).expect("room"));
        assert_eq!(sender.try_send(2), Err(TrySendError::Full(2)));
        let first = feed.next().expect("a batch");
        assert_eq!(first[0], 0);
        sender.try_send(2).expect("room");
    }

    #[test]
    fn a_wait_that_no_clock_can_name_is_for_the_number() {
        let (sender, mut feed) = Feed::new(4, 2, Duration::MAX);
        (0..3).for_each(|item| sender.send(item).expect("room"));
        assert_eq!(feed.next(), Some(vec![0, 1]));
    }
}
