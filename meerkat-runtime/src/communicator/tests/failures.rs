//! What ranks get when one of them fails, hangs, or is out of step.

use super::*;

#[test]
fn a_rank_that_returns_early_is_an_error_of_the_others_at_once() {
    let start = Instant::now();
    let ways = both_ways(4, LONG, |own| if own.rank() == 2 { Ok(()) } else { own.barrier() });
    for ranks in ways {
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
}

#[test]
fn a_rank_that_panics_is_an_error_of_all_at_once() {
    let start = Instant::now();
    let ways = both_ways(3, LONG, |own| {
        own.barrier()?;
        assert!(own.rank() != 1, "rank 1 gives up");
        own.barrier()
    });
    for ranks in ways {
        assert!(start.elapsed() < LONG / 2);
        let error = first_cause(ranks).expect_err("rank 1 panics");
        let ErrorKind::RankPanicked { rank: 1, message } = error.kind() else { panic!("{error}") };
        assert!(message.contains("gives up"), "{message}");
    }
}

#[test]
fn a_rank_that_hangs_is_an_error_of_the_others_after_the_timeout() {
    let ways = both_ways(3, SHORT, |own| {
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
    for ranks in ways {
        for result in ranks {
            let error = result.expect_err("rank 0 is late");
            let ErrorKind::RankTimeout { missing, .. } = error.kind() else { panic!("{error}") };
            assert_eq!(missing, "rank 0");
        }
    }
}

#[test]
fn ranks_that_make_different_calls_are_told_which() {
    let ways = both_ways(2, LONG, |own| {
        if own.rank() == 0 {
            return own.barrier();
        }
        let buffer = DeviceBuffer::<u32>::zeroed(&Device::cpu(), 1)?;
        let mut into = DeviceBuffer::<u32>::zeroed(&Device::cpu(), 2)?;
        exchange_items(&own, &Plan::gather_of(1, vec![1, 1]), (&buffer, 0), &mut into)
    });
    for ranks in ways {
        for result in ranks {
            let error = result.expect_err("out of step");
            assert!(matches!(error.kind(), ErrorKind::RanksOutOfStep { .. }), "{error}");
            assert!(error.to_string().contains("rank 1 `gather`"), "{error}");
        }
    }
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
        let ways = both_ways(2, LONG, |own| {
            let device = Device::cpu();
            let from = DeviceBuffer::<u32>::filled(&device, 2, 7)?;
            let mut into = DeviceBuffer::<u32>::zeroed(&device, 9)?;
            let done = exchange_items(&own, &plan(own.rank()), (&from, 0), &mut into);
            assert_eq!(into.to_vec()?, [0; 9]);
            done
        });
        for ranks in ways {
            for result in ranks {
                let error = result.expect_err("plans that do not fit");
                let kind = error.kind();
                let is_named = matches!(
                    kind,
                    ErrorKind::RanksOutOfStep { .. } | ErrorKind::RefusedByRank { .. }
                );
                assert!(is_named, "plans {at}: {error}");
            }
        }
    }
}

#[test]
fn elements_of_another_size_are_an_error_of_all_ranks() {
    let ways = both_ways(2, LONG, |own| {
        let (device, plan) = (Device::cpu(), Plan::gather_of(own.rank(), vec![1, 1]));
        if own.rank() == 0 {
            let from = DeviceBuffer::<u32>::zeroed(&device, 1)?;
            return exchange_items(&own, &plan, (&from, 0), &mut DeviceBuffer::zeroed(&device, 2)?);
        }
        let from = DeviceBuffer::<u64>::zeroed(&device, 1)?;
        exchange_items(&own, &plan, (&from, 0), &mut DeviceBuffer::zeroed(&device, 2)?)
    });
    for ranks in ways {
        for result in ranks {
            let error = result.expect_err("4 bytes and 8");
            assert!(matches!(error.kind(), ErrorKind::RanksOutOfStep { .. }), "{error}");
        }
    }
}

#[test]
fn a_buffer_that_is_too_short_on_1_of_3_ranks_is_refused_by_all_and_they_go_on() {
    let ways = both_ways(3, LONG, |own| {
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
    for ranks in ways {
        for (rank, error) in first_cause(ranks).expect("they go on").into_iter().enumerate() {
            match error.kind() {
                ErrorKind::OutOfBounds { index: 5, length: 5 } => assert_eq!(rank, 1),
                ErrorKind::RefusedByRank { rank: 1, .. } => assert_ne!(rank, 1),
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn a_rank_that_cannot_send_keeps_all_from_exchanging_and_they_go_on() {
    let ways = both_ways(3, LONG, |own| {
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
    for ranks in ways {
        assert_eq!(first_cause(ranks).expect("they go on"), [false, false, true]);
    }
}

#[test]
fn an_all_to_all_of_more_or_fewer_words_than_ranks_is_an_error_of_all() {
    for length in [0, 1, 3] {
        let ways = both_ways(2, LONG, |own| own.all_to_all(&vec![7; length]));
        for ranks in ways {
            for result in ranks {
                let error = result.expect_err("not two words");
                assert!(matches!(error.kind(), ErrorKind::RanksOutOfStep { .. }), "{error}");
            }
        }
    }
}

#[test]
fn a_refusal_of_1_of_3_ranks_is_one_of_all_and_they_go_on() {
    let ways = both_ways(3, LONG, |own| {
        let refused = ErrorKind::NoSuchVertex { vertex: 9, count: 4 };
        let vote = if own.rank() == 1 { Err(refused.into()) } else { Ok(own.rank()) };
        let error = agree(&own, vote).expect_err("rank 1 refuses");
        own.barrier()?;
        assert_eq!(agree(&own, Ok(7))?, 7);
        Ok(error)
    });
    for ranks in ways {
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
}

#[test]
fn no_ranks_and_too_many_are_refused() {
    for size in [0, 1025] {
        let error = HostCommunicator::of_threads(size, LONG).expect_err("not possible");
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
    let ways = both_ways(3, LONG, |own| {
        let start = Instant::now();
        own.barrier()?;
        if own.rank() == 1 {
            std::thread::sleep(SHORT);
        }
        own.end_call();
        own.wait_for_ends();
        assert!(start.elapsed() >= SHORT && start.elapsed() < LONG / 2);
        own.barrier()?;
        // Who has left is in no call.
        if own.rank() == 2 {
            return Ok(());
        }
        own.end_call();
        own.wait_for_ends();
        assert!(own.is_broken() && start.elapsed() < LONG / 2);
        Ok(())
    });
    for ranks in ways {
        first_cause(ranks).expect("all end their calls");
    }
}

#[test]
fn a_rank_that_gives_up_is_known_to_those_that_are_in_a_call_of_their_own() {
    let ways = both_ways(3, LONG, |own| {
        own.barrier()?;
        if own.rank() == 2 {
            own.give_up();
        }
        let start = Instant::now();
        while !own.is_broken() && start.elapsed() < LONG / 2 {
            std::thread::yield_now();
        }
        own.check()
    });
    for error in ways.into_iter().flatten() {
        let error = error.expect_err("rank 2 has given up");
        assert!(matches!(error.kind(), ErrorKind::RankLost { rank: 2 }), "{error}");
    }
}
