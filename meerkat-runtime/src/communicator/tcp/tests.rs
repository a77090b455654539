//! Strangers, nonsense, and processes that end: each is an error of the right ranks, in bounded time.

mod middle;

use super::messages::Hello;
use super::wire::GREETING;
use crate::communicator::{Communicator, HostCommunicator, MeetingPoint, Rendezvous};
use crate::{Error, ErrorKind};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
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
