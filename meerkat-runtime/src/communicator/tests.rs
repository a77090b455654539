use super::*;
use crate::device::{Device, DeviceBuffer};
use crate::graph::Edge;
use crate::{ErrorKind, Vertex};
use std::time::{Duration, Instant};

const SIZES: [usize; 5] = [1, 2, 3, 4, 8];
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(200);

/// What all ranks return, of 1, 2, 3, 4 and 8 of them.
fn with_each_size<T: Send>(
    run: impl Fn(&dyn Communicator) -> Result<T, Error> + Sync,
) -> Vec<(usize, Vec<T>)> {
    let of = |size| {
        let ranks = run_ranks(size, LONG, |own| run(&own));
        (size, first_cause(ranks).expect("no rank fails"))
    };
    SIZES.into_iter().map(of).collect()
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
fn a_rank_that_returns_early_is_an_error_of_the_others_at_once() {
    let start = Instant::now();
    let ranks = run_ranks(4, LONG, |own| if own.rank() == 2 { Ok(()) } else { own.barrier() });
    assert!(start.elapsed() < LONG / 2);
    for (rank, result) in ranks.into_iter().enumerate() {
        match result {
            Ok(()) => assert_eq!(rank, 2),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::RankLost { rank: 2 }), "{error}")
            }
        }
    }
}

#[test]
fn a_rank_that_panics_is_an_error_of_all_at_once() {
    let start = Instant::now();
    let ranks = run_ranks(3, LONG, |own| {
        own.barrier()?;
        assert!(own.rank() != 1, "rank 1 gives up");
        own.barrier()
    });
    assert!(start.elapsed() < LONG / 2);
    let error = first_cause(ranks).expect_err("rank 1 panics");
    let ErrorKind::RankPanicked { rank: 1, message } = error.kind() else { panic!("{error}") };
    assert!(message.contains("gives up"), "{message}");
}

#[test]
fn a_rank_that_hangs_is_an_error_of_the_others_after_the_timeout() {
    let ranks = run_ranks(3, SHORT, |own| {
        if own.rank() == 0 {
            std::thread::sleep(3 * SHORT);
        }
        let start = Instant::now();
        let met = own.barrier();
        // Everything later fails, too, and at once.
        let again = Instant::now();
        assert!(own.all_gather(&[1]).is_err() && again.elapsed() < SHORT / 2);
        met.map(|()| start.elapsed())
    });
    for result in ranks {
        let error = result.expect_err("rank 0 is late");
        let ErrorKind::RankTimeout { missing, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(missing, "rank 0");
    }
}

#[test]
fn ranks_that_make_different_calls_are_told_which() {
    let ranks = run_ranks(2, LONG, |own| {
        if own.rank() == 0 {
            return own.barrier();
        }
        let buffer = DeviceBuffer::<u32>::zeroed(&Device::cpu(), 1)?;
        let mut into = DeviceBuffer::<u32>::zeroed(&Device::cpu(), 2)?;
        exchange_items(&own, &Plan::gather_of(1, vec![1, 1]), (&buffer, 0), &mut into)
    });
    for result in ranks {
        let error = result.expect_err("out of step");
        assert!(matches!(error.kind(), ErrorKind::RanksOutOfStep { .. }), "{error}");
        assert!(error.to_string().contains("rank 1 `gather`"), "{error}");
    }
}

#[test]
fn two_lists_of_2_ranks_go_in_one_exchange() {
    let ranks = run_ranks(2, LONG, |own| {
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
    let found = first_cause(ranks).expect("no rank fails");
    assert_eq!(found[0], (vec![0, 1], vec![0.5, 0.5]));
    assert_eq!(found[1], (vec![10, 20, 11, 21], vec![1.5, 2.5, 1.5, 3.5]));
}

#[test]
fn plans_that_expect_other_lengths_are_an_error_of_all_ranks_and_nothing_is_written() {
    // Also of lists that are longer than there are ranks, where the first numbers fit.
    let plans: [fn(usize) -> Plan; 3] = [
        |rank| Plan::gather_of(rank, vec![1, 1 + rank]),
        |rank| Plan::gather_of(rank, if rank == 0 { vec![1, 1] } else { vec![1, 1, 7] }),
        |rank| Plan::gather_of(1 - rank, vec![1, 1]),
    ];
    for (at, plan) in plans.into_iter().enumerate() {
        let ranks = run_ranks(2, LONG, |own| {
            let device = Device::cpu();
            let from = DeviceBuffer::<u32>::filled(&device, 2, 7)?;
            let mut into = DeviceBuffer::<u32>::zeroed(&device, 9)?;
            let done = exchange_items(&own, &plan(own.rank()), (&from, 0), &mut into);
            assert_eq!(into.to_vec()?, [0; 9]);
            done
        });
        for result in ranks {
            let error = result.expect_err("plans that do not fit");
            let kind = error.kind();
            let is_named =
                matches!(kind, ErrorKind::RanksOutOfStep { .. } | ErrorKind::RefusedByRank { .. });
            assert!(is_named, "plans {at}: {error}");
        }
    }
}

#[test]
fn elements_of_another_size_are_an_error_of_all_ranks() {
    let ranks = run_ranks(2, LONG, |own| {
        let (device, plan) = (Device::cpu(), Plan::gather_of(own.rank(), vec![1, 1]));
        if own.rank() == 0 {
            let from = DeviceBuffer::<u32>::zeroed(&device, 1)?;
            return exchange_items(&own, &plan, (&from, 0), &mut DeviceBuffer::zeroed(&device, 2)?);
        }
        let from = DeviceBuffer::<u64>::zeroed(&device, 1)?;
        exchange_items(&own, &plan, (&from, 0), &mut DeviceBuffer::zeroed(&device, 2)?)
    });
    for result in ranks {
        let error = result.expect_err("4 bytes and 8");
        assert!(matches!(error.kind(), ErrorKind::RanksOutOfStep { .. }), "{error}");
    }
}

#[test]
fn a_buffer_that_is_too_short_on_1_of_3_ranks_is_refused_by_all_and_they_go_on() {
    let ranks = run_ranks(3, LONG, |own| {
        let device = Device::cpu();
        let from = DeviceBuffer::<u32>::filled(&device, 2, 5)?;
        let mut into = DeviceBuffer::<u32>::zeroed(&device, if own.rank() == 1 { 5 } else { 6 })?;
        let plan = Plan::gather_of(own.rank(), vec![2; 3]);
        let error = exchange_items(&own, &plan, (&from, 0), &mut into).expect_err("too short");
        let mut into = DeviceBuffer::<u32>::zeroed(&device, 6)?;
        exchange_items(&own, &plan, (&from, 0), &mut into)?;
        assert_eq!(into.to_vec()?, [5; 6]);
        Ok(error)
    });
    for (rank, error) in first_cause(ranks).expect("they go on").into_iter().enumerate() {
        match error.kind() {
            ErrorKind::OutOfBounds { index: 5, length: 5 } => assert_eq!(rank, 1),
            ErrorKind::RefusedByRank { rank: 1, .. } => assert_ne!(rank, 1),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_rank_that_cannot_send_keeps_all_from_exchanging_and_they_go_on() {
    let ranks = run_ranks(3, LONG, |own| {
        let refused = || Err::<((), Vec<usize>), _>(ErrorKind::OutOfMemory { bytes: 5 }.into());
        let mine = if own.rank() == 2 { refused() } else { Ok(((), vec![0; 3])) };
        let error = Plan::exchange(&own, mine).expect_err("rank 2 has no memory");
        own.barrier()?;
        // Not a number for each rank.
        let mine = Ok(((), vec![0; if own.rank() == 0 { 4 } else { 3 }]));
        assert!(Plan::exchange(&own, mine).is_err());
        own.barrier()?;
        Ok(error.is_out_of_memory())
    });
    assert_eq!(first_cause(ranks).expect("they go on"), [false, false, true]);
}

#[test]
fn an_all_to_all_of_more_or_fewer_words_than_ranks_is_an_error_of_all() {
    for length in [0, 1, 3] {
        let ranks = run_ranks(2, LONG, |own| own.all_to_all(&vec![7; length]));
        for result in ranks {
            let error = result.expect_err("not two words");
            assert!(matches!(error.kind(), ErrorKind::RanksOutOfStep { .. }), "{error}");
        }
    }
}

#[test]
fn a_refusal_of_1_of_3_ranks_is_one_of_all_and_they_go_on() {
    let ranks = run_ranks(3, LONG, |own| {
        let refused = ErrorKind::NoSuchVertex { vertex: 9, count: 4 };
        let vote = if own.rank() == 1 { Err(refused.into()) } else { Ok(own.rank()) };
        let error = agree(&own, vote).expect_err("rank 1 refuses");
        own.barrier()?;
        assert_eq!(agree(&own, Ok(7))?, 7);
        Ok(error)
    });
    for (rank, error) in first_cause(ranks).expect("they go on").into_iter().enumerate() {
        match error.kind() {
            ErrorKind::NoSuchVertex { vertex: 9, .. } => assert_eq!(rank, 1),
            ErrorKind::RefusedByRank { rank: 1, reason } => {
                assert!(rank != 1 && reason.contains("vertex 9"), "{reason}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn no_ranks_and_too_many_are_refused() {
    for size in [0, 1025] {
        let error = ThreadCommunicator::of_ranks(size, LONG).expect_err("not possible");
        assert!(matches!(error.kind(), ErrorKind::RankCount { ranks, .. } if *ranks == size));
    }
}

#[test]
fn the_cause_is_named_and_not_its_effects() {
    let lost = || Err(ErrorKind::RankLost { rank: 2 }.into());
    let cause: Result<Vertex, Error> = Err(ErrorKind::OutOfMemory { bytes: 5 }.into());
    let error = first_cause(vec![Ok(1), lost(), cause, lost()]).expect_err("no memory");
    assert!(error.is_out_of_memory(), "{error}");
}

#[test]
fn the_nearest_cause_is_named_whatever_the_order_of_the_ranks() {
    let lost = || ErrorKind::RankLost { rank: 2 };
    let late = || ErrorKind::RankTimeout { seconds: 1.0, missing: "rank 1".to_owned() };
    let apart = || ErrorKind::RanksOutOfStep { what: "calls".to_owned() };
    let panicked = || ErrorKind::RankPanicked { rank: 1, message: "no".to_owned() };
    let kinds: [&dyn Fn() -> ErrorKind; 4] = [&lost, &late, &apart, &panicked];
    for (nearer, near) in kinds.iter().enumerate() {
        for far in &kinds[..nearer] {
            for order in [[near, far], [far, near]] {
                let ranks = order.map(|kind| Err::<(), Error>(kind().into()));
                let error = first_cause(ranks.into()).expect_err("both fail");
                assert_eq!(error.to_string(), Error::from(near()).to_string());
            }
        }
    }
}

#[test]
fn who_leaves_waits_for_ranks_that_are_still_in_a_call_and_for_nobody_else() {
    let meeting = std::sync::Arc::new(meeting::Meeting::new(2, LONG));
    let other = std::sync::Arc::clone(&meeting);
    let start = Instant::now();
    meeting.end_call(0);
    let late = std::thread::spawn(move || {
        std::thread::sleep(SHORT);
        other.end_call(1);
    });
    meeting.wait_for_ends(0);
    assert!(start.elapsed() >= SHORT && start.elapsed() < LONG / 2);
    late.join().expect("it ends");
    // Who has left is in no call.
    meeting.end_call(0);
    meeting.leave(1);
    meeting.wait_for_ends(0);
    assert!(meeting.is_broken() && start.elapsed() < LONG / 2);
}
