//! Distributed graphs over ranks that are connected as processes are, beside one device and an ordered map.

use std::thread;

use meerkat::prelude::*;
use meerkat::runtime::CompactEdges;
use meerkat::runtime::communicator::{MeetingPoint, Rendezvous, communicator_on, first_cause};
use meerkat::runtime::graph::Adjacency;

use super::distributed::{SEQUENCES, Task, replay_as_rank, tasks_of};
use super::support::ranks::{LONG, sequences};

/// Replays sequences over ranks that have nothing in common but a file.
fn replay<L: EdgeLists>(tasks: &[Task<L::Carried>], ranks: usize) -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ranks");
    let of_rank = |rank: usize| {
        let point = MeetingPoint::File(file.clone());
        let own = Rendezvous::new(rank, ranks, point).join(LONG)?;
        let device = Device::cpu();
        let communicator = communicator_on(own, &device)?;
        tasks.iter().try_for_each(|task| replay_as_rank::<L>(task, &communicator, &device))
    };
    let replayed = thread::scope(|scope| {
        let of_rank = &of_rank;
        let ranks: Vec<_> = (0..ranks).map(|rank| scope.spawn(move || of_rank(rank))).collect();
        ranks.into_iter().map(|rank| rank.join().expect("no panic")).collect()
    });
    first_cause(replayed).map(drop)
}

#[test]
fn batches_over_2_to_5_connected_ranks_are_those_of_one_device() -> Result<(), Error> {
    for seed in 0..sequences(SEQUENCES, 8) {
        let ranks = 2 + (seed % 4) as usize;
        // Of all orientations, and of both ways to own vertices.
        replay::<Adjacency<u32>>(&tasks_of(3 * seed, |rng| rng.u32(0..5)), ranks)?;
        replay::<CompactEdges>(&tasks_of(3 * seed, |_| ()), ranks)?;
    }
    Ok(())
}
