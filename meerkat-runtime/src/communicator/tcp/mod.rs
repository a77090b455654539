//! Where ranks that are processes meet: rank 0 has the meeting in its memory and a connection to each
//! other rank.
//!
//! ```text
//! rank 0:  Meeting <--hear-- Connection (two threads) <--Bring, EndCall, ..-- Member: rank 1
//!                  --news-->                          --Met, Broken, ..----->
//! ```
//!
//! A rank is lost when its connection ends, and rank 0 when that of another does. What comes before a
//! process has shown the job's word is short, is read by a thread of its own and ends soon, so that
//! strangers cost little and nobody waits for them.
//!
//! | file | what |
//! | --- | --- |
//! | `wire.rs` | frames: a kind, a length, and numbers in little endian |
//! | `messages.rs` | what ranks say to each other, as frames |
//! | `greeting.rs` | which processes are ranks of the job |
//! | `connection.rs` | a rank in another process, as rank 0 has it |
//! | `hub.rs` | the place of rank 0 |
//! | `member.rs` | the place of each other rank |

mod connection;
mod greeting;
mod hub;
mod member;
mod messages;
mod wire;

pub(super) use greeting::NotJoined;
pub(super) use hub::Hub;
pub(super) use member::Member;
pub(super) use messages::Hello;

#[cfg(test)]
mod tests;
