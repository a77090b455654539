//! Faults of the checked mode: read back after each launch.

use crate::cuda::{Context, CudaError, Function, Memory, Module};
use crate::program::KernelInfo;
use crate::trap::Fault;
use crate::{Error, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// CUDA's `Fault`: two 32-bit numbers and three of 64 bits.
const BYTES: usize = 32;

/// The words that read another lane, in the order of their numbers in `checks.cu`.
const WORDS: [&str; 10] = [
    "warp_dequeue",
    "warp_broadcast",
    "warp_shuffle",
    "warp_shuffle_xor",
    "warp_shuffle_up",
    "warp_shuffle_down",
    "tile_dequeue",
    "tile_broadcast",
    "tile_shuffle",
    "block_broadcast",
];

/// What a lane failed with, in the words of the CPU's traps.
fn describe(kind: u32, index: u64, length: u64) -> String {
    match kind {
        1 => Fault::Index { index, length }.to_string(),
        2 => Fault::DivisionByZero.to_string(),
        3 => Fault::Assertion.to_string(),
        _ => {
            let name = WORDS.get((length >> 32) as usize).copied().unwrap_or("a collective");
            Fault::NoSuchLane { name, lane: index as u32, lanes: length as u32 }.to_string()
        }
    }
}

/// Takes the first fault out of one loaded program.
#[derive(Debug)]
pub(super) struct FaultReader {
    take: Function,
    found: Memory,
    /// Held from a launch until its fault is known, or another thread's launch would be blamed for it.
    turn: Mutex<()>,
}

impl FaultReader {
    pub(super) fn new(context: &Arc<Context>, module: &Arc<Module>) -> Result<Self, CudaError> {
        let take = module.function("meerkat_take_fault")?;
        Ok(FaultReader { take, found: context.allocate(BYTES)?, turn: Mutex::default() })
    }

    /// Waits for other threads' launches of this kernel, and keeps them waiting.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fault of the launches before, as an error. Synchronises.
    #[allow(unsafe_code)]
    pub(super) fn check(
        &self,
        context: &Arc<Context>,
        info: &dyn Fn() -> KernelInfo,
    ) -> Result<(), Error> {
        let mut address = self.found.ptr();
        let mut arguments = [std::ptr::from_mut(&mut address).cast()];
        // SAFETY: the entry takes one pointer, to memory of a `Fault`'s size.
        unsafe { context.launch(&self.take, 1, 1, 0, &mut arguments) }?;
        let mut bytes = [0u8; BYTES];
        context.copy_to_host(&mut bytes, &self.found, 0)?;
        let narrow = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let wide = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        if narrow(0) == 0 {
            return Ok(());
        }
        let what = describe(narrow(0), wide(16), wide(24));
        let info = info();
        let (kernel, line) = (info.name().to_owned(), narrow(4));
        Err(ErrorKind::Trap { kernel, file: info.file_of_hash(wide(8)), line, what }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that `checks.cu` gives to words are their places here.
    #[test]
    fn words_of_10_checks_are_those_of_the_program() {
        let checks = include_str!("../program/checks.cu");
        for (number, word) in WORDS.iter().enumerate() {
            let (_, body) = checks.split_once(&format!(" {word}(")).expect(word);
            let (_, call) = body.split_once("check(").expect(word);
            assert!(call.starts_with(&format!("{number},")), "{word}: {call}");
            assert!(checks.contains(&format!("#define {word} MEERKAT_HERE.{word}\n")), "{word}");
        }
        assert_eq!(checks.matches("check(").count(), WORDS.len() + 1);
    }

    #[test]
    fn a_lane_outside_a_tile_of_8_names_word_lane_and_size() {
        let what = describe(4, 11, 8 << 32 | 8);
        assert_eq!(what, "`tile_shuffle` reads lane 11, which is not one of the 8 lanes");
    }
}
