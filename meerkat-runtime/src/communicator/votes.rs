//! All ranks go on, or none.

use super::Communicator;
use crate::{Error, ErrorKind};

/// How much of an error other ranks are told: words of 8 bytes.
const REASON_WORDS: usize = 32;

/// The value of each rank, if all have one. A rank with an error returns it, and the others
/// [`ErrorKind::RefusedByRank`] with its words; all can go on then. Collective: a rank that fails
/// calls it, too, so that nobody waits for it in a later call.
///
/// Cost: a gather of one host word, and of 256 bytes if any rank failed.
///
/// # Errors
/// That of this rank or of another; as [`Communicator`].
pub fn agree<T>(communicator: &dyn Communicator, own: Result<T, Error>) -> Result<T, Error> {
    agree_on(communicator, own, 0, |_| Vec::new()).map(|(value, _)| value)
}

/// [`agree`] that gathers `count` host words of each rank with the votes, those of rank 0 first.
///
/// # Errors
/// As [`agree`].
pub(crate) fn agree_on<T>(
    communicator: &dyn Communicator,
    own: Result<T, Error>,
    count: usize,
    words: impl FnOnce(&T) -> Vec<u64>,
) -> Result<(T, Vec<u64>), Error> {
    let mut ballot = vec![u64::from(own.is_err())];
    ballot.extend(own.as_ref().map(words).unwrap_or_default());
    ballot.resize(1 + count, 0);
    let ballots = match communicator.all_gather(&ballot) {
        Ok(ballots) => ballots,
        // What went wrong here comes first.
        Err(error) => return Err(own.err().unwrap_or(error)),
    };
    let of_ranks = || ballots.chunks(1 + count);
    let Some(rank) = of_ranks().position(|ballot| ballot[0] != 0) else {
        let words = of_ranks().flat_map(|ballot| &ballot[1..]).copied().collect();
        return own.map(|value| (value, words));
    };
    let reason = own.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let reasons = communicator.all_gather(&packed(&reason));
    drop(own?);
    Err(ErrorKind::RefusedByRank { rank, reason: unpacked(&reasons?, rank) }.into())
}

/// The beginning of a text in words, with zeros behind.
fn packed(text: &str) -> [u64; REASON_WORDS] {
    let mut bytes =
        text.as_bytes().iter().copied().take(8 * REASON_WORDS).chain(std::iter::repeat(0));
    std::array::from_fn(|_| u64::from_le_bytes(std::array::from_fn(|_| bytes.next().unwrap_or(0))))
}

/// The text of a rank.
fn unpacked(words: &[u64], rank: usize) -> String {
    let own = words.iter().skip(rank * REASON_WORDS).take(REASON_WORDS);
    let bytes: Vec<u8> =
        own.flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if bytes.len() == 8 * REASON_WORDS {
        text.push_str(" ..");
    }
    text
}
