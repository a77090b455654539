//! Values that go from their owners to all ranks while others are computed, between two GPUs. (On the CPU the tests of
//! `OwnerGather` itself do the same.)

use meerkat::prelude::*;
use meerkat::runtime::communicator::{Communicator, communicator_on, first_cause, run_ranks};
use meerkat::runtime::distributed::{DistributedGraph, OwnPart, OwnerGather, Ownership};
use meerkat::runtime::{CompactEdges, ErrorKind};

use super::support::ranks::{LONG, two_gpus};

/// So many that each rank computes its own in several parts.
const VERTICES: u32 = 1 << 24;

/// The next value of a vertex: that of another one, which may be of another rank, and its number.
#[vertex_operator]
fn step(v: Vertex, before: &[u64], next: &mut [u64]) {
    next[v] = before[(v ^ 0x5a5a5) % before.len()] * 3 + v as u64;
}

type Lists = [DeviceBuffer<u64>; 2];

fn lists(values: &mut Lists) -> [&mut DeviceBuffer<u64>; 2] {
    values.each_mut()
}

/// Steps as often as asked on two GPUs; rank 1 panics in a part that is computed beside an exchange, if it is to.
fn steps(gpus: &[Device; 2], count: u32, panics: bool) -> Result<Vec<Vec<u64>>, Error> {
    let results = run_ranks(2, LONG, |threads| {
        let (rank, device) = (threads.rank(), &gpus[threads.rank()]);
        let (options, ownership) = (SlabOptions::DEFAULT, Ownership::Hash);
        let communicator = communicator_on(threads, device)?;
        let graph = DistributedGraph::<CompactEdges>::from_edges(
            communicator,
            device,
            VERTICES,
            &[],
            &options,
            ownership,
        )?;
        let part = graph.part()?;
        let mut gather = OwnerGather::<u64>::in_parts(&part)?;
        let zeros = || DeviceBuffer::zeroed(device, VERTICES as usize);
        let (mut values, mut parts) = ([zeros()?, zeros()?], 0);
        for _ in 0..count {
            gather.gather(&part, &mut values, lists, |[next, before], own: OwnPart<'_>| {
                parts += 1;
                assert!(!panics || rank == 0 || parts < 2, "as planned");
                step::launch(device, own, &*before, next)
            })?;
            values.swap(0, 1);
        }
        assert!(parts >= 2 * count, "{parts} parts in {count} steps");
        values[1].to_vec()
    });
    first_cause(results)
}

#[test]
fn two_gpus_have_the_values_of_each_step_that_were_computed_beside_others() -> Result<(), Error> {
    let Some(gpus) = two_gpus() else { return Ok(()) };
    let mut expected = vec![0u64; VERTICES as usize];
    for _ in 0..5 {
        let before = |v: u32| expected[((v ^ 0x5a5a5) % VERTICES) as usize];
        expected = (0..VERTICES).map(|v| before(v) * 3 + u64::from(v)).collect();
    }
    for found in steps(&gpus, 5, false)? {
        assert!(found == expected);
    }
    Ok(())
}

#[test]
fn a_panic_beside_an_exchange_of_two_gpus_ends_both_and_leaves_their_memory_alone()
-> Result<(), Error> {
    let Some(gpus) = two_gpus() else { return Ok(()) };
    let error = steps(&gpus, 2, true).expect_err("rank 1 panics");
    assert!(matches!(error.kind(), ErrorKind::RankPanicked { rank: 1, .. }), "{error}");
    // The devices go on.
    assert_eq!(steps(&gpus, 1, false)?.len(), 2);
    gpus.iter().try_for_each(Device::synchronize)
}
