//! The place of rank 0: a meeting in its memory, and a connection to each other rank.

use super::connection::Connection;
use super::greeting::{Caller, identify, refuse};
use super::messages::{Hello, Welcome, broken};
use crate::communicator::meeting::Meeting;
use crate::communicator::place::MeetingPlace;
use crate::communicator::round::{Broken, Brought, Met};
use crate::{Error, ErrorKind};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How many callers are asked who they are at once, besides one for each rank.
const MOST_CALLERS: usize = 64;

/// How often rank 0 looks for callers.
const PAUSE: Duration = Duration::from_millis(2);

/// How long rank 0 waits in the end until the others have read what it told them last.
const FAREWELL: Duration = Duration::from_secs(2);

/// Where rank 0 meets the ranks that are other processes.
#[derive(Debug)]
pub(in crate::communicator) struct Hub {
    meeting: Arc<Meeting>,
    group: u64,
    ranks_here: usize,
    connections: Vec<Connection>,
}

/// The ranks that have come.
struct Gathering<'a> {
    own: &'a Hello,
    meeting: Arc<Meeting>,
    /// Of rank 1 and those after it: its process and connection.
    ranks: Vec<Option<(u64, Connection)>>,
}

impl Hub {
    /// Waits for all ranks of the job of rank 0, which says `own`.
    ///
    /// # Errors
    /// Not all ranks have come in time, or one has ended. Those that have come get the same.
    pub(in crate::communicator) fn open(
        listener: &TcpListener,
        own: &Hello,
        group: u64,
        timeout: Duration,
    ) -> Result<Hub, Error> {
        let meeting = Arc::new(Meeting::new(own.size, timeout));
        let ranks = (1..own.size).map(|_| None).collect();
        let mut gathering = Gathering { own, meeting: Arc::clone(&meeting), ranks };
        let all_came = gathering.wait(listener, Instant::now() + timeout);
        let came: Vec<_> = gathering.ranks.into_iter().flatten().collect();
        let processes: Vec<u64> =
            [own.process].into_iter().chain(came.iter().map(|(process, _)| *process)).collect();
        let ranks_in = |process: u64| processes.iter().filter(|&&other| other == process).count();
        let ranks_here = ranks_in(own.process);
        if all_came.is_ok() {
            for (process, connection) in &came {
                connection.welcome(Welcome { group, ranks_here: ranks_in(*process) });
            }
        }
        let connections = came.into_iter().map(|(_, connection)| connection).collect();
        // Dropped after an error, it tells the ranks.
        let hub = Hub { meeting, group, ranks_here, connections };
        all_came.map(|()| hub)
    }
}

impl Gathering<'_> {
    fn wait(&mut self, listener: &TcpListener, moment: Instant) -> Result<(), Error> {
        let (sender, callers) = channel();
        let mut asked = 0;
        listener.set_nonblocking(true).map_err(|error| cannot_listen(&error))?;
        while self.ranks.iter().any(Option::is_none) {
            self.meeting.check()?;
            if moment <= Instant::now() {
                let timeout = self.meeting.timeout().as_secs_f64();
                self.meeting.end_for(Broken::Timeout(timeout, self.missing()));
                continue;
            }
            match listener.accept() {
                Ok((stream, _)) if asked < MOST_CALLERS + self.own.size => {
                    asked += usize::from(self.ask(stream, &sender));
                }
                // Too many, or an error of a caller or for want of descriptors, which may pass.
                Ok(_) | Err(_) => std::thread::sleep(PAUSE),
            }
            self.seat(&callers, &mut asked)?;
        }
        self.meeting.check()
    }

    /// Has a thread find out who calls; whether it does.
    fn ask(&self, stream: TcpStream, sender: &Sender<Option<Caller>>) -> bool {
        let (own, sender) = (self.own.clone(), sender.clone());
        let ask = move || drop(sender.send(identify(stream, &own)));
        std::thread::Builder::new().name("caller".to_owned()).spawn(ask).is_ok()
    }

    /// Takes in the ranks among those that were asked.
    fn seat(&mut self, callers: &Receiver<Option<Caller>>, asked: &mut usize) -> Result<(), Error> {
        for caller in callers.try_iter() {
            *asked -= 1;
            match caller {
                None => {}
                Some(Caller::Misfit(why, mut stream)) => {
                    let _ = broken(&why).write(&mut stream);
                    self.meeting.end_for(why);
                }
                Some(Caller::Rank(hello, stream)) => {
                    let place = &mut self.ranks[hello.rank - 1];
                    if place.is_some() {
                        let _ = refuse(&stream, "that rank has come already");
                        continue;
                    }
                    let ranks = (hello.rank, self.own.size);
                    let started = Connection::start(ranks, stream, &self.meeting);
                    let started = started.map_err(|error| cannot_listen(&error))?;
                    *place = Some((hello.process, started));
                }
            }
        }
        Ok(())
    }

    fn missing(&self) -> String {
        let away = self.ranks.iter().enumerate().filter(|(_, rank)| rank.is_none());
        let names: Vec<_> = away.map(|(at, _)| format!("rank {}", at + 1)).collect();
        names.join(", ")
    }
}

fn cannot_listen(error: &io::Error) -> Error {
    let what = format!("rank 0 cannot listen for the others: {error}");
    ErrorKind::Rendezvous { what }.into()
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.meeting.leave(0);
        let moment = Instant::now() + FAREWELL.min(self.meeting.timeout());
        self.connections.drain(..).for_each(|connection| connection.end(moment));
    }
}

impl MeetingPlace for Hub {
    fn timeout(&self) -> Duration {
        self.meeting.timeout()
    }

    fn group(&self) -> u64 {
        self.group
    }

    fn ranks_here(&self) -> usize {
        self.ranks_here
    }

    fn is_broken(&self) -> bool {
        self.meeting.is_broken()
    }

    fn check(&self) -> Result<(), Error> {
        self.meeting.check()
    }

    fn meet(&self, rank: usize, own: Brought) -> Result<Met, Error> {
        self.meeting.meet(rank, own)
    }

    fn give_up(&self, rank: usize) {
        self.meeting.give_up(rank);
    }

    fn out_of_step(&self, what: String) -> Error {
        self.meeting.out_of_step(what)
    }

    fn leave(&self, rank: usize) {
        self.meeting.leave(rank);
    }

    fn end_call(&self, rank: usize) {
        self.meeting.end_call(rank);
    }

    fn wait_for_ends(&self, rank: usize) {
        self.meeting.wait_for_ends(rank);
    }
}
