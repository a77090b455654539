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
    let votes = match communicator.all_gather(&[own.is_err().into()]) {
        Ok(votes) => votes,
        // What went wrong here comes first.
        Err(error) => return own.and(Err(error)),
    };
    let Some(rank) = votes.iter().position(|&failed| failed != 0) else { return own };
    let reason = own.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let reasons = communicator.all_gather(&packed(&reason));
    let value = own?;
    drop(value);
    let reason = unpacked(&reasons?, rank);
    Err(ErrorKind::RefusedByRank { rank, reason }.into())
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
