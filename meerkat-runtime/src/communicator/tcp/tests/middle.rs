//! What happens once ranks have met.

use super::*;
use crate::communicator::round::Brought;
use crate::communicator::tcp::messages::bring;
use crate::communicator::tcp::wire::{Frame, Kind};
use std::net::Shutdown;

/// Ranks 0 and 1 of 3, while a process that is rank 2 does something else than it should.
fn beside(misbehave: impl FnOnce(TcpStream)) -> [Error; 2] {
    let address = address();
    let start = Instant::now();
    let first = rank_0(3, &address, LONG);
    let own = rank_of(1, 3, &address);
    let second = spawn(move || own.join(LONG));
    let stream = greeted(2, 3, &address);
    let ranks = [first, second].map(|rank| joined(rank).expect("all have come"));
    // It may be right for some rounds.
    let ranks = ranks.map(|own| spawn(move || (0..9).try_for_each(|_| own.barrier())));
    misbehave(stream);
    let errors = ranks.map(|rank| rank.join().expect("no panic").expect_err("rank 2 is no rank"));
    assert!(start.elapsed() < LONG / 2);
    errors
}

#[test]
fn a_process_that_ends_or_sends_nonsense_in_the_middle_is_lost_to_all() {
    let mut truncated = Vec::new();
    let words = [1, 2, 3, 4, 5];
    let brought = Brought { parts: vec![words.to_vec()], ..Brought::default() };
    bring(&brought).write(&mut truncated).expect("memory");
    truncated.truncate(truncated.len() - 6);
    // More parts than ranks; more words than there are; a kind that is none; one that is not for rank 0.
    let too_many = Frame::new(Kind::Bring).byte(0).byte(0).short(0).short(0).short(7);
    let too_long = Frame::new(Kind::Bring).byte(0).byte(0).short(0).short(0).short(1).long(1 << 40);
    let no_call = Frame::new(Kind::Bring).byte(9).byte(0);
    let many_counts = Frame::new(Kind::Bring).byte(0).byte(0).short(usize::MAX);
    let mut cases = vec![truncated, vec![77; 100], vec![255; 100]];
    for frame in [too_many, too_long, no_call, many_counts, Frame::new(Kind::Met)] {
        let mut bytes = Vec::new();
        frame.write(&mut bytes).expect("memory");
        cases.push(bytes);
    }
    let lengthy = [vec![Kind::Bring as u8], u64::MAX.to_le_bytes().to_vec()].concat();
    cases.push(lengthy);
    for (at, bytes) in cases.into_iter().enumerate() {
        let errors = beside(|mut stream| {
            let _ = stream.write_all(&bytes);
            let _ = stream.shutdown(Shutdown::Write);
        });
        for error in errors {
            assert!(matches!(error.kind(), ErrorKind::RankLost { rank: 2 }), "case {at}: {error}");
        }
    }
}

#[test]
fn a_process_that_calls_twice_at_once_is_out_of_step() {
    let errors = beside(|mut stream| {
        let mut twice = Vec::new();
        for _ in 0..2 {
            bring(&Brought { parts: vec![vec![]], ..Brought::default() })
                .write(&mut twice)
                .expect("memory");
        }
        // The others have come to the second round when it brings a third time.
        twice.extend_from_within(..);
        let _ = stream.write_all(&twice);
        sleep(SHORT);
        let _ = stream.shutdown(Shutdown::Both);
    });
    let is_named = |error: &Error| {
        matches!(error.kind(), ErrorKind::RanksOutOfStep { .. } | ErrorKind::RankLost { rank: 2 })
    };
    assert!(errors.iter().all(is_named), "{errors:?}");
}

#[test]
fn a_rank_0_that_ends_is_lost_to_all_at_once() {
    let address = address();
    let start = Instant::now();
    let first = rank_0(3, &address, LONG);
    let others = [1, 2].map(|rank| {
        let own = rank_of(rank, 3, &address);
        spawn(move || {
            let own = own.join(LONG)?;
            own.barrier()?;
            own.barrier()
        })
    });
    let first = joined(first).expect("all come");
    first.barrier().expect("all are there");
    drop(first);
    for other in others {
        let error = other.join().expect("no panic").expect_err("rank 0 has gone");
        assert!(matches!(error.kind(), ErrorKind::RankLost { rank: 0 }), "{error}");
    }
    assert!(start.elapsed() < LONG / 2);
}

#[test]
fn a_rank_0_that_says_nothing_is_late_and_one_that_says_nonsense_is_lost() {
    for (says, is_late) in [(vec![], true), (vec![Kind::Met as u8, 1, 0, 0], false)] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let hub = spawn(move || {
            let (mut stream, _) = listener.accept().expect("rank 1");
            stream.write_all(&GREETING).expect("it is read");
            let welcome = Frame::new(Kind::Welcome).long(1).short(1);
            welcome.write(&mut stream).expect("it is read");
            stream.write_all(&says).expect("it is read");
            if !is_late {
                stream.shutdown(Shutdown::Write).expect("it is there");
            }
            stream
        });
        let own = rank_of(1, 2, &address).join(SHORT).expect("it is let in");
        let start = Instant::now();
        let error = own.barrier().expect_err("nobody answers");
        assert!(start.elapsed() < LONG / 2);
        match error.kind() {
            ErrorKind::RankTimeout { missing, .. } => assert!(is_late && missing == "rank 0"),
            ErrorKind::RankLost { rank: 0 } => assert!(!is_late),
            other => panic!("{other}"),
        }
        drop(hub.join().expect("no panic"));
    }
}

#[test]
fn what_rank_0_says_last_reaches_all_ranks_before_it_ends() {
    for _ in 0..50 {
        let address = address();
        let first = rank_0(4, &address, LONG);
        let others = [1, 2, 3].map(|rank| {
            let own = rank_of(rank, 4, &address);
            spawn(move || {
                let own = own.join(LONG)?;
                own.all_gather(&vec![rank as u64; 9_000]).map(|words| words.len())
            })
        });
        let first = joined(first).expect("all come");
        assert_eq!(first.all_gather(&vec![0; 9_000]).expect("all are there").len(), 36_000);
        drop(first);
        for other in others {
            assert_eq!(other.join().expect("no panic").expect("it was told"), 36_000);
        }
    }
}
