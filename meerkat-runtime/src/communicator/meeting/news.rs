//! What a hub tells the processes of its ranks.

use super::{Meeting, State};
use crate::communicator::round::{Broken, Brought, Met};

/// What the process of a rank is told.
#[derive(Debug)]
pub(in crate::communicator) enum News {
    /// Of the round that the rank came to.
    Met(Met),
    Broken(Broken),
    /// All ranks have ended as many calls as it has.
    AllEnded,
}

/// What the process of a rank knows already.
#[derive(Debug, Default)]
pub(in crate::communicator) struct Told {
    rounds: u64,
    broken: bool,
}

/// For a hub, which speaks for ranks in other processes.
impl Meeting {
    /// The next that the process of a rank is to be told; waits for it. None when the rank, or rank 0 that has
    /// the hub, has left, and nothing is left to be told.
    pub(in crate::communicator) fn news(&self, rank: usize, told: &mut Told) -> Option<News> {
        let mut state = self.lock();
        loop {
            let deadline = self.check_time(&mut state, rank);
            if let Some(news) = state.next_news(rank, told) {
                return Some(news);
            }
            if state.ended[rank] == u64::MAX || state.ended[0] == u64::MAX {
                return None;
            }
            // Who has been told is not waited for.
            let deadline = deadline.filter(|_| state.broken.is_none());
            state = self.wait(state, deadline);
        }
    }

    /// [`bring`](Self::bring) for a rank in another process. Who tells that begins to count its time.
    pub(in crate::communicator) fn bring_for(&self, rank: usize, own: Brought) {
        // Where no call succeeds any more the rank is told so.
        let _ = self.bring(rank, own);
        self.changed.notify_all();
    }

    /// A rank in another process waits until all have ended as many calls.
    pub(in crate::communicator) fn ask_for_ends(&self, rank: usize) {
        self.lock().asks_for_ends[rank] = true;
        self.changed.notify_all();
    }
}

impl State {
    fn next_news(&mut self, rank: usize, told: &mut Told) -> Option<News> {
        if told.rounds < self.round {
            told.rounds = self.round;
            if let Ok(met) = self.take(rank) {
                return Some(News::Met(met));
            }
        }
        if let Some(broken) = self.broken.as_ref().filter(|_| !told.broken) {
            told.broken = true;
            return Some(News::Broken(broken.clone()));
        }
        let has_ended = self.asks_for_ends[rank] && self.all_have_ended_as_many(rank);
        has_ended.then(|| {
            self.asks_for_ends[rank] = false;
            News::AllEnded
        })
    }
}
