//! GPU architectures.

use std::ffi::c_int;
use std::fmt;

/// A GPU architecture: the compute capability of a device, shown as `sm_90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arch {
    /// The generation, such as 9 for Hopper.
    pub major: u32,
    /// The variant within the generation.
    pub minor: u32,
}

impl Arch {
    /// The architecture of compute capability `major.minor`.
    pub const fn new(major: u32, minor: u32) -> Arch {
        Arch { major, minor }
    }

    /// NVRTC numbers architectures as `major * 10 + minor`.
    pub(super) fn from_number(number: c_int) -> Arch {
        let number = number.unsigned_abs();
        Arch::new(number / 10, number % 10)
    }

    /// The option value that asks for PTX of this architecture: `compute_90`.
    pub(super) fn virtual_name(self) -> String {
        format!("compute_{}{}", self.major, self.minor)
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.major, self.minor)
    }
}
