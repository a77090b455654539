//! Faults of the checked mode: read back after each launch.

use crate::cuda::{Context, CudaError, Function, Memory, Module};
use crate::program::KernelInfo;
use crate::{Error, ErrorKind};
use std::sync::Arc;

/// CUDA's `Fault`: two 32-bit numbers and three of 64 bits.
const BYTES: usize = 32;

/// Takes the first fault out of one loaded program.
#[derive(Debug)]
pub(super) struct FaultReader {
    take: Function,
    found: Memory,
}

impl FaultReader {
    pub(super) fn new(context: &Arc<Context>, module: &Arc<Module>) -> Result<Self, CudaError> {
        let take = module.function("meerkat_take_fault")?;
        Ok(FaultReader { take, found: context.allocate(BYTES)? })
    }

    /// The fault of the launches before, as an error. Synchronises.
    #[allow(unsafe_code)]
    pub(super) fn check(
        &self,
        context: &Context,
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
        let what = match narrow(0) {
            0 => return Ok(()),
            1 => {
                format!("index {} is out of bounds: the slice has {} elements", wide(16), wide(24))
            }
            2 => "division by zero".to_owned(),
            _ => "the assertion does not hold".to_owned(),
        };
        let info = info();
        let (kernel, line) = (info.name().to_owned(), narrow(4));
        Err(ErrorKind::Trap { kernel, file: info.file_of_hash(wide(8)), line, what }.into())
    }
}
