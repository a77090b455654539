//! GPU architectures.

use std::ffi::c_int;
use std::fmt;
use std::str::FromStr;

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

    /// Whether it runs machine code for another one: the same, or an older one of its generation.
    /// Those of Tegra run their own alone, and nobody else runs theirs.
    pub(super) fn runs(self, code: Arch) -> bool {
        const OF_TEGRA: [Arch; 7] = [
            Arch::new(5, 3),
            Arch::new(6, 2),
            Arch::new(7, 2),
            Arch::new(8, 7),
            Arch::new(8, 8),
            Arch::new(10, 1),
            Arch::new(11, 0),
        ];
        let alone = |arch| OF_TEGRA.contains(&arch);
        let is_older = code.major == self.major && code.minor <= self.minor;
        self == code || is_older && !alone(self) && !alone(code)
    }

    /// The option value that asks for PTX of this architecture: `compute_90`.
    pub(super) fn virtual_name(self) -> String {
        format!("compute_{}{}", self.major, self.minor)
    }
}

/// By its name: `sm_90`.
impl FromStr for Arch {
    type Err = NoArch;

    fn from_str(text: &str) -> Result<Arch, NoArch> {
        let digits = text.strip_prefix("sm_").filter(|digits| (2..=4).contains(&digits.len()));
        let number = digits.and_then(|digits| digits.parse::<u16>().ok());
        number.map(|number| Arch::from_number(number.into())).ok_or(NoArch(text.to_owned()))
    }
}

/// A name that no architecture has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no architecture; write it as `sm_90`, for compute capability 9.0")]
pub struct NoArch(String);

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for arch in [Arch::new(7, 5), Arch::new(9, 0), Arch::new(12, 1)] {
            assert_eq!(arch.to_string().parse(), Ok(arch));
        }
        for text in ["", "sm_", "sm_9", "90", "sm_90a", "sm_-9", "sm_99999"] {
            let error = text.parse::<Arch>().expect_err(text).to_string();
            assert!(error.starts_with(&format!("`{text}` names no")), "{error}");
        }
    }
}
