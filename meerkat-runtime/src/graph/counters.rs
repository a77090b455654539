//! What has happened to a graph.

use std::time::Duration;

/// What has happened to a graph since it was made. The host counts; nothing is asked of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Batches that were applied.
    pub batches: u64,
    /// Batches that were refused, for whatever reason.
    pub refused: u64,
    /// Arcs that they brought; one that changes its weight leaves and comes.
    pub inserted: u64,
    /// Arcs that they took.
    pub deleted: u64,
    /// How often all lists were laid out anew.
    pub compactions: u64,
    /// How often the policy asked for that and there was no memory.
    pub put_off: u64,
    /// How often long lists were laid out again.
    pub layouts: u64,
    /// What all batches took, refused ones too, with the answers that follow and the upkeep.
    pub busy: Duration,
    /// What the longest took: the longest pause of who waits for a batch.
    pub longest: Duration,
    /// What compactions and layouts took of that, and those that were asked for.
    pub upkeep: Duration,
}
