//! What a rank asks of the place where ranks meet, be they threads or processes.

use super::round::{Brought, Met};
use crate::Error;
use std::fmt::Debug;
use std::time::Duration;

/// Where ranks meet: each call of all ranks is a round, in which every rank leaves what it brings and takes
/// what the others brought.
pub(super) trait MeetingPlace: Debug + Send + Sync {
    /// How long a rank waits for others.
    fn timeout(&self) -> Duration;

    /// What its ranks have in common, and no others of this process.
    fn group(&self) -> u64;

    /// How many of its ranks are in this process.
    fn ranks_here(&self) -> usize;

    /// Whether no call succeeds any more; cheap enough to be asked in a loop.
    fn is_broken(&self) -> bool;

    /// Why no call succeeds any more, if so.
    fn check(&self) -> Result<(), Error>;

    /// Leaves what a rank brings and waits for the others; what all brought.
    fn meet(&self, rank: usize, own: Brought) -> Result<Met, Error>;

    /// A rank will not come any more, for what went wrong in the call that it is in.
    fn give_up(&self, rank: usize);

    /// Ranks are out of step, as all of them have found in one round.
    fn out_of_step(&self, what: String) -> Error;

    /// A rank has ended, and is in no call any more.
    fn leave(&self, rank: usize);

    /// A rank has ended a call outside of the meeting that all ranks have begun.
    fn end_call(&self, rank: usize);

    /// Waits until all ranks have ended as many calls as this one, but no longer than the timeout.
    fn wait_for_ends(&self, rank: usize);
}
