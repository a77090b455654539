//! Ranks that are processes: which rank this process is, and where it finds the others.

use super::host::{HostCommunicator, check_size};
use super::meeting::Meeting;
use super::point::{Listening, MeetingPoint, Sought};
use super::tcp::{Hello, Hub, Member, NotJoined};
use crate::{Error, ErrorKind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Which rank this process is, of how many, and where it finds the others. Several processes, on one or on
/// several machines, meet over TCP: rank 0 listens, and the others connect to it.
///
/// What they send goes over the network as it is, and who knows the job's word may take part: meet in a
/// network that you trust.
///
/// ```
/// use meerkat_runtime::communicator::{Communicator, MeetingPoint, Reduction, Rendezvous};
/// use std::time::Duration;
///
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("ranks");
/// // In a program: `Rendezvous::from_environment()?` in each process.
/// let process = |rank| Rendezvous::new(rank, 2, MeetingPoint::File(file.clone()));
/// let sum_of = |rank| {
///     let communicator = process(rank).join(Duration::from_secs(60))?;
///     let mut words = [communicator.rank() as u64 + 1];
///     communicator.all_reduce(&mut words, Reduction::Sum)?;
///     Ok::<_, meerkat_runtime::Error>(words[0])
/// };
/// std::thread::scope(|scope| {
///     let other = scope.spawn(|| sum_of(1));
///     assert_eq!(sum_of(0)?, 3);
///     assert_eq!(other.join().expect("no panic")?, 3);
///     Ok::<_, Box<dyn std::error::Error>>(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendezvous {
    pub(super) rank: usize,
    pub(super) size: usize,
    pub(super) local_rank: Option<usize>,
    /// How many of the ranks are on this machine, if known.
    pub(super) local_size: Option<usize>,
    /// None of a rank that is alone.
    pub(super) point: Option<MeetingPoint>,
    pub(super) job: String,
}

/// The longest word of a job: it comes from who is not known yet.
const MOST_JOB_BYTES: usize = 256;

/// Who waits longer waits for ever.
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// How often a rank looks whether rank 0 is there.
const PAUSE: Duration = Duration::from_millis(20);

impl Rendezvous {
    /// Of rank `rank` of `size`.
    pub fn new(rank: usize, size: usize, point: MeetingPoint) -> Self {
        let point = Some(point);
        Rendezvous { rank, size, local_rank: None, local_size: None, point, job: String::new() }
    }

    /// With a word that all ranks of a job know and no other job does: so ranks of two jobs that meet at
    /// one address do not mix.
    #[must_use]
    pub fn with_job(self, job: impl Into<String>) -> Self {
        Rendezvous { job: job.into(), ..self }
    }

    /// The number of this rank, from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of this rank among those on its machine, if known: which GPU it may take.
    pub fn local_rank(&self) -> Option<usize> {
        self.local_rank
    }

    /// Waits for the other ranks, and is one of them. Who waits longer than `timeout` for the others, here or
    /// in a later call, gets an error.
    ///
    /// # Errors
    /// [`ErrorKind::Rendezvous`]: an address where nobody can listen, or where others do; a rank that there is
    /// not, or twice. [`ErrorKind::RankTimeout`]: not all have come; as [`Communicator`](super::Communicator).
    pub fn join(&self, timeout: Duration) -> Result<HostCommunicator, Error> {
        check_size(self.size)?;
        let timeout = timeout.min(LONGEST);
        let (rank, size) = (self.rank, self.size);
        if rank >= size {
            return Err(wrong(format!("there is no rank {rank} of {size}; ranks count from 0")));
        }
        if self.job.len() > MOST_JOB_BYTES {
            let length = self.job.len();
            return Err(wrong(format!("the job's word has {length} bytes; 256 are enough")));
        }
        if size == 1 {
            return Ok(HostCommunicator::at((0, 1), Arc::new(Meeting::new(1, timeout))));
        }
        let point = self.point.as_ref().ok_or_else(|| wrong(NO_POINT.to_owned()))?;
        match rank {
            0 => self.open(point, timeout),
            _ => self.seek(point, timeout),
        }
    }

    /// Rank 0 waits for the others.
    fn open(&self, point: &MeetingPoint, timeout: Duration) -> Result<HostCommunicator, Error> {
        let is_one_machine = self.local_size == Some(self.size);
        let listening = Listening::at(point, is_one_machine, &random_word()).map_err(wrong)?;
        let own = self.hello(listening.word());
        let hub = Hub::open(listening.listener(), &own, random(), timeout)?;
        Ok(HostCommunicator::at((0, self.size), Arc::new(hub)))
    }

    /// Another rank looks for rank 0.
    fn seek(&self, point: &MeetingPoint, timeout: Duration) -> Result<HostCommunicator, Error> {
        let moment = Instant::now() + timeout;
        loop {
            let why = match self.try_once(point, (moment, timeout))? {
                Ok(member) => return Ok(member),
                Err(why) => why,
            };
            if moment <= Instant::now() {
                let missing = format!("rank 0 ({why})");
                let seconds = timeout.as_secs_f64();
                return Err(ErrorKind::RankTimeout { seconds, missing }.into());
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Looks once; why rank 0 is not there yet.
    fn try_once(
        &self,
        point: &MeetingPoint,
        (moment, timeout): (Instant, Duration),
    ) -> Result<Result<HostCommunicator, String>, Error> {
        let sought = match Sought::at(point) {
            Ok(sought) => sought,
            Err(why) => return Ok(Err(why)),
        };
        let own = self.hello(&sought.word);
        let mut last = "its address has no network".to_owned();
        for address in &sought.addresses {
            last = match Member::join(address, &own, (moment, timeout)) {
                Ok(member) => {
                    let ranks = (self.rank, self.size);
                    return Ok(Ok(HostCommunicator::at(ranks, Arc::new(member))));
                }
                Err(NotJoined::Failed(error)) => return Err(error),
                Err(NotJoined::NotYet(why)) => format!("{address}: {why}"),
                // A file may be one of an earlier job, and is replaced then.
                Err(NotJoined::Refused(why)) if sought.may_change => format!("{address}: {why}"),
                Err(NotJoined::Refused(why)) => {
                    return Err(wrong(format!("{address} refuses rank {}: {why}", self.rank)));
                }
            };
        }
        Ok(Err(last))
    }

    fn hello(&self, word: &str) -> Hello {
        let job = format!("{word}/{}", self.job);
        Hello { rank: self.rank, size: self.size, process: process(), job }
    }
}

/// What keeps a process from meeting the others without a place.
pub(super) const NO_POINT: &str = "nothing says where; set MEERKAT_ADDRESS=host:port, where rank 0 \
    listens, or MEERKAT_RENDEZVOUS=file, on a disk that all ranks see";

pub(super) fn wrong(what: String) -> Error {
    ErrorKind::Rendezvous { what }.into()
}

/// Another number in each process.
fn process() -> u64 {
    static PROCESS: OnceLock<u64> = OnceLock::new();
    *PROCESS.get_or_init(random)
}

/// What the system gives maps against those who choose keys: nobody else knows it.
fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}

fn random_word() -> String {
    format!("{:016x}{:016x}", random(), random())
}
