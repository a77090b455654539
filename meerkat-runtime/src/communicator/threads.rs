//! Ranks that are threads of this process, and which of their errors explains the others.

use super::Communicator;
use super::host::HostCommunicator;
use crate::cuda::CudaError;
use crate::{Error, ErrorKind};
use std::any::Any;
use std::time::Duration;

/// Runs `run` on a thread for each of `size` ranks, and waits for all of them: what each returned. A
/// rank that panics is an error, of that rank [`ErrorKind::RankPanicked`].
///
/// ```
/// use meerkat_runtime::communicator::{Communicator, Reduction, first_cause, run_ranks};
/// use std::time::Duration;
///
/// let ranks = run_ranks(4, Duration::from_secs(60), |communicator| {
///     let mut words = [communicator.rank() as u64];
///     communicator.all_reduce(&mut words, Reduction::Sum)?;
///     Ok(words[0])
/// });
/// assert_eq!(first_cause(ranks)?, [6, 6, 6, 6]);
/// # Ok::<(), meerkat_runtime::Error>(())
/// ```
pub fn run_ranks<T: Send>(
    size: usize,
    timeout: Duration,
    run: impl Fn(HostCommunicator) -> Result<T, Error> + Sync,
) -> Vec<Result<T, Error>> {
    let communicators = match HostCommunicator::of_threads(size, timeout) {
        Ok(communicators) => communicators,
        Err(error) => return vec![Err(error)],
    };
    let run = &run;
    std::thread::scope(|scope| {
        let start = |own: HostCommunicator| {
            // Where it does not start, the communicator is dropped, and nobody waits for the rank.
            let thread = std::thread::Builder::new().name(format!("rank {}", own.rank()));
            thread.spawn_scoped(scope, move || run(own))
        };
        let threads: Vec<_> = communicators.into_iter().map(start).collect();
        let joined = threads.into_iter().enumerate().map(|(rank, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|payload| Err(panicked(rank, &*payload))),
            Err(error) => Err(ErrorKind::RankNotStarted { rank, reason: error.to_string() }.into()),
        });
        joined.collect()
    })
}

fn panicked(rank: usize, payload: &(dyn Any + Send)) -> Error {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    let message = text.unwrap_or_else(|| "no message".to_owned());
    ErrorKind::RankPanicked { rank, message }.into()
}

/// What all ranks returned, or the error that explains those of the others: an error of a rank's own or
/// a panic; else ranks that were out of step; else a timeout. A rank that was lost, or refused by
/// another, is no cause.
///
/// # Errors
/// That of a rank.
pub fn first_cause<T>(ranks: Vec<Result<T, Error>>) -> Result<Vec<T>, Error> {
    let (mut values, mut cause) = (Vec::with_capacity(ranks.len()), None::<Error>);
    for rank in ranks {
        match (rank, &cause) {
            (Ok(value), _) => values.push(value),
            (Err(error), None) => cause = Some(error),
            (Err(error), Some(before)) if remoteness(&error) < remoteness(before) => {
                cause = Some(error);
            }
            (Err(_), Some(_)) => {}
        }
    }
    cause.map_or(Ok(values), Err)
}

/// How far an error is from what went wrong first: 0 for that itself.
fn remoteness(error: &Error) -> u32 {
    match error.kind() {
        ErrorKind::RankLost { .. } | ErrorKind::RefusedByRank { .. } => 3,
        ErrorKind::RankTimeout { .. } | ErrorKind::Cuda(CudaError::NcclTimeout { .. }) => 2,
        ErrorKind::RanksOutOfStep { .. } => 1,
        _ => 0,
    }
}
