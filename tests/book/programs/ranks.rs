//! The snippets of docs/RANKS.md, in programs that run.

// ANCHOR: uses
use std::rc::Rc;
use std::time::Duration;

use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::CompactEdges;
use meerkat::runtime::communicator::{Communicator, communicator_on, first_cause, run_ranks};
use meerkat::runtime::communicator::{MeetingPoint, Rendezvous};
use meerkat::runtime::distributed::{DistributedGraph, Ownership};
// ANCHOR_END: uses

fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

#[test]
fn components_follow_a_batch_over_ranks() -> Result<(), Error> {
    // ANCHOR: ranks
    let devices = [Device::cpu(), Device::cpu()]; // or Device::cuda(0)?, Device::cuda(1)?
    let options = SlabOptions::DEFAULT.undirected();
    let ranks = run_ranks(devices.len(), Duration::from_secs(60), |threads| {
        let (rank, device) = (threads.rank(), &devices[threads.rank()]);
        let communicator = communicator_on(threads, device)?; // NCCL between GPUs
        // Each rank brings a part of the edges.
        let own = if rank == 0 { vec![edge(0, 1)] } else { vec![edge(2, 3), edge(3, 4)] };
        let graph = DistributedGraph::<CompactEdges>::from_edges(
            Rc::clone(&communicator),
            device,
            5,
            &own,
            &options,
            Ownership::Hash,
        )?;
        let mut components = graph.track(Components)?;
        assert_eq!(components.output()?, [0, 0, 2, 2, 2]);
        // And a part of the batch: here rank 1 has nothing to change.
        let batch = Batch::new();
        let batch = if rank == 0 { batch.delete([edge(2, 3)]).insert([edge(1, 2)]) } else { batch };
        components.apply(&batch)?;
        components.output()
    });
    assert_eq!(first_cause(ranks)?, [[0, 0, 0, 3, 3], [0, 0, 0, 3, 3]]);
    // ANCHOR_END: ranks
    Ok(())
}

#[test]
fn a_batch_that_one_rank_refuses_changes_nothing() -> Result<(), Error> {
    let refused = run_ranks(2, Duration::from_secs(60), |threads| {
        let (rank, device) = (threads.rank(), Device::cpu());
        let communicator: Rc<dyn Communicator> = Rc::new(threads);
        let mut graph = DistributedGraph::<CompactEdges>::from_edges(
            communicator,
            &device,
            5,
            &[edge(0, 1)],
            &SlabOptions::DEFAULT,
            Ownership::Range,
        )?;
        // ANCHOR: refused
        let batch = Batch::new().insert([edge(1, if rank == 1 { 99 } else { 2 })]);
        let error = graph.apply(&batch).expect_err("there is no vertex 99");
        match rank {
            1 => assert!(error.to_string().starts_with("edge 0 is 1 -> 99")),
            _ => assert!(error.to_string().starts_with("rank 1 refused")),
        }
        assert_eq!(graph.edge_count()?, 1);
        // ANCHOR_END: refused
        Ok(())
    });
    first_cause(refused).map(drop)
}

/// Two ranks as two processes would be: all that they share is the file.
#[test]
fn processes_meet_by_a_file() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let sum = |rank: usize| {
        let (file, device) = (folder.path().join("ranks"), Device::cpu());
        // ANCHOR: processes
        let point = MeetingPoint::File(file); // or Rendezvous::from_environment()?
        let own = Rendezvous::new(rank, 2, point).join(Duration::from_secs(60))?;
        let communicator = communicator_on(own, &device)?;
        // ANCHOR_END: processes
        communicator.all_gather(&[10 + rank as u64])
    };
    let gathered = std::thread::scope(|scope| {
        let other = scope.spawn(|| sum(1));
        [sum(0), other.join().expect("no panic")]
    });
    for words in gathered {
        assert_eq!(words?, [10, 11]);
    }
    Ok(())
}
