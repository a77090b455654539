mod failures;

use super::*;
use crate::device::{Device, DeviceBuffer};
use crate::graph::Edge;
use crate::{ErrorKind, Vertex};
use std::time::{Duration, Instant};

const SIZES: [usize; 5] = [1, 2, 3, 4, 8];
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(2);

/// What all ranks return, as threads of a process, and as if each was a process.
fn both_ways<T: Send>(
    size: usize,
    timeout: Duration,
    run: impl Fn(HostCommunicator) -> Result<T, Error> + Sync,
) -> [Vec<Result<T, Error>>; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ranks");
    let over_tcp = |own: HostCommunicator| {
        let point = MeetingPoint::File(file.clone());
        run(Rendezvous::new(own.rank(), size, point).join(timeout)?)
    };
    [run_ranks(size, timeout, &run), run_ranks(size, timeout, over_tcp)]
}

/// What all ranks return, of 1, 2, 3, 4 and 8 of them, in both ways.
fn with_each_size<T: Send>(
    run: impl Fn(&dyn Communicator) -> Result<T, Error> + Sync,
) -> Vec<(usize, Vec<T>)> {
    let of = |size| both_ways(size, LONG, |own| run(&own)).map(|ranks| (size, ranks));
    let found = SIZES.into_iter().flat_map(of);
    found.map(|(size, ranks)| (size, first_cause(ranks).expect("no rank fails"))).collect()
}

#[test]
fn host_words_of_1_to_8_ranks_are_gathered_in_their_order() {
    for (size, found) in with_each_size(|own| {
        let rank = own.rank() as u64;
        own.all_gather(&[rank, rank << 40 | 7])
    }) {
        let expected: Vec<u64> = (0..size as u64).flat_map(|rank| [rank, rank << 40 | 7]).collect();
        assert!(found.iter().all(|words| *words == expected), "{size} ranks");
    }
}

#[test]
fn host_words_of_1_to_8_ranks_reach_the_rank_that_they_are_for() {
    for (size, found) in with_each_size(|own| {
        let words: Vec<u64> =
            (0..own.size() as u64).map(|to| own.rank() as u64 * 100 + to).collect();
        own.all_to_all(&words)
    }) {
        for (rank, words) in found.iter().enumerate() {
            let expected: Vec<u64> =
                (0..size as u64).map(|from| from * 100 + rank as u64).collect();
            assert_eq!(*words, expected, "{size} ranks");
        }
    }
}

#[test]
fn words_of_1_to_8_ranks_are_summed_compared_and_joined() {
    let reductions = [Reduction::Sum, Reduction::Min, Reduction::Max, Reduction::Or];
    for (size, found) in with_each_size(|own| {
        let mut all = Vec::new();
        for reduction in reductions {
            let rank = own.rank() as u64;
            let mut words = [rank + 5, 1 << rank, u64::MAX - rank];
            own.all_reduce(&mut words, reduction)?;
            all.push(words);
        }
        own.barrier()?;
        Ok(all)
    }) {
        for (at, reduction) in reductions.into_iter().enumerate() {
            let of_place = |place: fn(u64) -> u64| {
                (0..size as u64).map(place).reduce(|a, b| reduction.join(a, b)).expect("a rank")
            };
            let expected = [
                of_place(|rank| rank + 5),
                of_place(|rank| 1 << rank),
                of_place(|rank| u64::MAX - rank),
            ];
            assert!(found.iter().all(|all| all[at] == expected), "{reduction:?}, {size} ranks");
        }
    }
}

/// Rank `a` has `(a + b) % 3` edges for rank `b`.
fn edges_between(a: usize, b: usize) -> Vec<Edge<f32>> {
    let edge = |k| Edge { src: a as u32, dst: b as u32, weight: k as f32 + 0.5 };
    (0..(a + b) % 3).map(edge).collect()
}

#[test]
fn edges_on_devices_of_1_to_8_ranks_reach_the_rank_that_they_are_for() {
    for (size, found) in with_each_size(|own| {
        let (device, rank, size) = (Device::cpu(), own.rank(), own.size());
        let edges: Vec<_> = (0..size).flat_map(|to| edges_between(rank, to)).collect();
        let sent: Vec<_> = (0..size).map(|to| edges_between(rank, to).len()).collect();
        let ((), plan) = Plan::exchange(own, Ok(((), sent)))?;
        let received: Vec<_> = (0..size).map(|from| edges_between(from, rank).len()).collect();
        assert_eq!(plan.received(), received);
        let from = DeviceBuffer::<Edge<f32>>::from_slice(&device, &edges)?;
        let mut into = DeviceBuffer::zeroed(&device, plan.received_in_all())?;
        exchange_items(own, &plan, (&from, 0), &mut into)?;
        into.to_vec()
    }) {
        for (rank, edges) in found.iter().enumerate() {
            let expected: Vec<_> = (0..size).flat_map(|from| edges_between(from, rank)).collect();
            assert_eq!(*edges, expected, "{size} ranks");
        }
    }
}

#[test]
fn device_words_of_1_to_8_ranks_are_gathered_from_any_place() {
    for (size, found) in with_each_size(|own| {
        let device = Device::cpu();
        let counts: Vec<usize> = (0..own.size()).map(|rank| (rank + 2) % 3).collect();
        let own_values: Vec<f64> = (0..5).map(|k| own.rank() as f64 + f64::from(k) / 8.0).collect();
        let from = DeviceBuffer::<f64>::from_slice(&device, &own_values)?;
        let mut into = DeviceBuffer::zeroed(&device, counts.iter().sum())?;
        let ((), plan) = Plan::gather(own, Ok(((), counts[own.rank()])))?;
        assert_eq!(plan, Plan::gather_of(own.rank(), counts));
        exchange_items(own, &plan, (&from, 2), &mut into)?;
        into.to_vec()
    }) {
        let of =
            |rank: usize| (0..(rank + 2) % 3).map(move |k| rank as f64 + (k as f64 + 2.0) / 8.0);
        let expected: Vec<f64> = (0..size).flat_map(of).collect();
        assert!(found.iter().all(|values| *values == expected), "{size} ranks");
    }
}

#[test]
fn two_lists_of_2_ranks_go_in_one_exchange() {
    let ways = both_ways(2, LONG, |own| {
        let (device, rank) = (Device::cpu(), own.rank() as u32);
        let keys = DeviceBuffer::<u32>::from_slice(&device, &[rank, rank + 10, rank + 20])?;
        let values = DeviceBuffer::<f64>::from_slice(&device, &[0.5, 1.5, 2.5 + f64::from(rank)])?;
        let ((), plan) = Plan::exchange(&own, Ok(((), vec![1, 2])))?;
        let n = plan.received_in_all();
        let mut room = Ok((DeviceBuffer::zeroed(&device, n)?, DeviceBuffer::zeroed(&device, n)?));
        exchange_into(&own, &plan, &mut room, |(to_keys, to_values)| {
            vec![Transfer::new(&keys, 0, to_keys), Transfer::new(&values, 0, to_values)]
        })?;
        let (got_keys, got_values) = room?;
        Ok((got_keys.to_vec()?, got_values.to_vec()?))
    });
    for ranks in ways {
        let found = first_cause(ranks).expect("no rank fails");
        assert_eq!(found[0], (vec![0, 1], vec![0.5, 0.5]));
        assert_eq!(found[1], (vec![10, 20, 11, 21], vec![1.5, 2.5, 1.5, 3.5]));
    }
}
