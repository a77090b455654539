//! Strangers, nonsense, and processes that end: each is an error of the right ranks, in bounded time.

use super::messages::{Hello, bring};
use super::wire::{Frame, GREETING, Kind};
use crate::communicator::round::Brought;
use crate::communicator::{Communicator, HostCommunicator, MeetingPoint, Rendezvous};
use crate::{Error, ErrorKind};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(2);

/// A port that was free a moment ago, and of no other test.
fn address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

fn rank_of(rank: usize, size: usize, address: &str) -> Rendezvous {
    Rendezvous::new(rank, size, MeetingPoint::Address(address.to_owned())).with_job("right")
}

type Joined = Result<HostCommunicator, Error>;

/// Rank 0 of `size`, which waits for the others on a thread.
fn rank_0(size: usize, address: &str, timeout: Duration) -> JoinHandle<Joined> {
    let own = rank_of(0, size, address);
    spawn(move || own.join(timeout))
}

/// Connects as soon as somebody listens.
fn connect(address: &str) -> TcpStream {
    let start = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(error) => assert!(start.elapsed() < LONG, "{error}"),
        }
        sleep(Duration::from_millis(5));
    }
}

/// A process that greets as a rank of the job, and is one.
fn greeted(rank: usize, size: usize, address: &str) -> TcpStream {
    let mut stream = connect(address);
    stream.write_all(&GREETING).expect("it is read");
    let hello = Hello { rank, size, process: 7, job: "/right".to_owned() };
    hello.frame().write(&mut stream).expect("it is read");
    let mut greeting = GREETING;
    stream.read_exact(&mut greeting).expect("an answer");
    assert_eq!(greeting, GREETING);
    stream
}

fn joined(handle: JoinHandle<Joined>) -> Joined {
    handle.join().expect("no panic")
}

#[test]
fn strangers_and_nonsense_are_left_out_and_keep_nobody_waiting() {
    let address = address();
    let start = Instant::now();
    let first = rank_0(2, &address, LONG);
    let mut strangers = Vec::new();
    let mut hello = GREETING.to_vec();
    hello.extend([0; 9]);
    let mut endless = GREETING.to_vec();
    endless.extend([0, 255, 255, 255, 255, 255, 255, 255, 255]);
    let mut another_kind = GREETING.to_vec();
    another_kind.extend([3, 1, 0, 0, 0, 0, 0, 0, 0, 9]);
    let lines: [&[u8]; 7] = [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        &[255; 4096],
        &GREETING[..5],
        &hello,
        &endless,
        &another_kind,
    ];
    for _ in 0..30 {
        for line in lines {
            let mut stranger = connect(&address);
            // Who is not understood may be gone already.
            let _ = stranger.write_all(line);
            strangers.push(stranger);
        }
    }
    let second = rank_of(1, 2, &address).join(LONG).expect("rank 0 is there");
    let first = joined(first).expect("rank 1 is there");
    let other = spawn(move || second.all_gather(&[2]));
    assert_eq!(first.all_gather(&[1]).expect("both are there"), [1, 2]);
    assert_eq!(other.join().expect("no panic").expect("both are there"), [1, 2]);
    assert!(start.elapsed() < LONG / 2);
}

#[test]
fn a_process_of_another_job_is_refused_and_the_job_goes_on() {
    let address = address();
    let first = rank_0(2, &address, LONG);
    drop(connect(&address));
    let error = rank_of(1, 2, &address).with_job("wrong").join(LONG).expect_err("another job");
    assert!(matches!(error.kind(), ErrorKind::Rendezvous { .. }), "{error}");
    assert!(error.to_string().contains("another job"), "{error}");
    let second = rank_of(1, 2, &address).join(LONG).expect("rank 0 is there");
    let other = spawn(move || second.barrier());
    joined(first).expect("rank 1 is there").barrier().expect("both are there");
    assert!(other.join().expect("no panic").is_ok());
}

#[test]
fn a_rank_that_comes_twice_is_refused_and_the_first_goes_on() {
    let address = address();
    let first = rank_0(3, &address, LONG);
    drop(connect(&address));
    let come = rank_of(1, 3, &address);
    let racing = [spawn({
        let come = come.clone();
        move || come.join(LONG)
    })];
    let start = Instant::now();
    sleep(SHORT);
    let error = come.join(LONG).expect_err("it is there already");
    assert!(error.to_string().contains("has come already"), "{error}");
    let last = rank_of(2, 3, &address).join(LONG).expect("rank 0 is there");
    let first = joined(first).expect("all are there");
    let [second] = racing.map(|racing| joined(racing).expect("all are there"));
    let others = [last, second].map(|own| spawn(move || own.barrier()));
    first.barrier().expect("all are there");
    others.into_iter().for_each(|other| assert!(other.join().expect("no panic").is_ok()));
    assert!(start.elapsed() < LONG / 2);
}

#[test]
fn a_job_of_another_size_is_an_error_of_all_at_once() {
    let address = address();
    let start = Instant::now();
    let ranks = [rank_0(3, &address, LONG), {
        let own = rank_of(1, 2, &address);
        spawn(move || own.join(LONG))
    }];
    let [first, second] = ranks.map(|rank| joined(rank).expect_err("3 are not 2"));
    assert!(matches!(first.kind(), ErrorKind::RanksOutOfStep { .. }), "{first}");
    assert!(first.to_string().contains("rank 0 is one of 3 ranks"), "{first}");
    assert!(second.to_string().contains("rank 0 is one of 3 ranks"), "{second}");
    assert!(start.elapsed() < LONG / 2);
}

#[test]
fn ranks_that_there_cannot_be_are_refused_before_anybody_is_met() {
    let error = rank_of(2, 2, "localhost:1").join(LONG).expect_err("2 of 2");
    assert!(error.to_string().contains("no rank 2 of 2"), "{error}");
    let error = rank_of(0, 2000, "localhost:1").join(LONG).expect_err("too many");
    assert!(matches!(error.kind(), ErrorKind::RankCount { ranks: 2000, .. }), "{error}");
    let error = rank_of(0, 2, "localhost").join(LONG).expect_err("no port");
    assert!(error.to_string().contains("`host:port`"), "{error}");
    let word = rank_of(1, 2, "localhost:1").with_job("long".repeat(99));
    assert!(word.join(LONG).expect_err("too long").to_string().contains("396 bytes"));
    // A rank that is alone meets nobody.
    let alone = rank_of(0, 1, "nowhere").join(LONG).expect("no place is needed");
    assert_eq!(alone.all_gather(&[7]).expect("nobody is missing"), [7]);
}

#[test]
fn a_port_where_others_listen_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let error = rank_of(0, 2, &address).join(LONG).expect_err("it is taken");
    assert!(error.to_string().contains("another port"), "{error}");
    let other = spawn(move || {
        let (mut stream, _) = listener.accept().expect("a caller");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").expect("it is read");
        stream
    });
    let error = rank_of(1, 2, &address).join(LONG).expect_err("no rank");
    assert!(error.to_string().contains("no rank of Meerkat"), "{error}");
    drop(other.join().expect("no panic"));
}

#[test]
fn ranks_that_do_not_come_are_named_after_the_timeout() {
    let address = address();
    let start = Instant::now();
    let first = rank_0(4, &address, SHORT);
    let own = rank_of(2, 4, &address);
    let third = spawn(move || own.join(LONG));
    for error in [joined(first), joined(third)].map(|rank| rank.expect_err("not all come")) {
        let ErrorKind::RankTimeout { missing, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(missing, "rank 1, rank 3");
    }
    let error = rank_of(1, 4, &address).join(SHORT).expect_err("nobody is there");
    let ErrorKind::RankTimeout { missing, .. } = error.kind() else { panic!("{error}") };
    assert!(missing.starts_with("rank 0 (127.0.0.1:"), "{missing}");
    assert!(start.elapsed() < LONG / 2);
}

#[test]
fn a_rank_that_ends_while_others_are_awaited_is_an_error_at_once() {
    let address = address();
    let start = Instant::now();
    let first = rank_0(3, &address, LONG);
    drop(greeted(2, 3, &address));
    let error = joined(first).expect_err("rank 2 has gone");
    assert!(matches!(error.kind(), ErrorKind::RankLost { rank: 2 }), "{error}");
    assert!(start.elapsed() < LONG / 2);
}

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
