//! Where a command runs and how it reports: options that many commands share.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

use meerkat::runtime::Device;
use meerkat::runtime::cuda::device_count;

use crate::cli::failure::Failure;

/// Where a command runs and how it reports.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ExecutionArgs {
    #[command(flatten)]
    pub(in crate::cli) place: PlaceArgs,

    /// Print JSON instead of text; docs/COMMAND.md describes it
    #[arg(long, short)]
    json: bool,
}

/// Where a command runs.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct PlaceArgs {
    /// Device to run on; `auto` takes a GPU if there is one
    #[arg(long, short, value_name = "auto|cpu|cuda|cuda:N", default_value = "auto")]
    device: DeviceName,

    /// CPU threads for reading files and for the CPU device [default: one a core]
    #[arg(long, short, value_name = "N", value_parser = thread_count,
          allow_negative_numbers = true)]
    threads: Option<NonZero<usize>>,
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum ReportFormat {
    Text,
    Json,
}

/// The device to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum DeviceName {
    /// A CUDA device if one is usable, else the CPU.
    Auto,
    Cpu,
    /// The CUDA device of this number.
    Cuda(usize),
}

impl ExecutionArgs {
    pub(in crate::cli) fn format(&self) -> ReportFormat {
        if self.json { ReportFormat::Json } else { ReportFormat::Text }
    }

    /// Sets the threads and opens the device.
    pub(in crate::cli) fn open(&self) -> Result<Device, Failure> {
        self.place.open()
    }
}

impl PlaceArgs {
    /// Sets the threads and opens the device.
    pub(in crate::cli) fn open(&self) -> Result<Device, Failure> {
        self.set_threads()?;
        self.device.open()
    }

    /// The same for a process that is the rank of this number on its machine: if no device is named, it
    /// takes the GPU of that number.
    pub(in crate::cli) fn open_for(&self, local_rank: Option<usize>) -> Result<Device, Failure> {
        self.set_threads()?;
        let gpus = device_count().unwrap_or(0);
        match (self.device, local_rank) {
            // What starts processes may show each of them its own GPU alone.
            (DeviceName::Auto, Some(rank)) if gpus > 0 => DeviceName::Cuda(rank % gpus).open(),
            (device, _) => device.open(),
        }
    }

    /// Sets the threads.
    pub(in crate::cli) fn set_threads(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
        pool.build_global().map_err(|cause| Failure::Threads { threads, cause })
    }
}

impl DeviceName {
    /// Opens it.
    pub(in crate::cli) fn open(self) -> Result<Device, Failure> {
        match self {
            DeviceName::Auto => Ok(Device::auto()),
            DeviceName::Cpu => Ok(Device::cpu()),
            DeviceName::Cuda(ordinal) => Device::cuda(ordinal)
                .map_err(|cause| Failure::Device { device: format!("cuda:{ordinal}"), cause }),
        }
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceName::Auto => f.write_str("auto"),
            DeviceName::Cpu => f.write_str("cpu"),
            DeviceName::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

impl FromStr for DeviceName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            other => other
                .strip_prefix("cuda:")
                .and_then(|ordinal| ordinal.parse().ok())
                .map(Self::Cuda)
                .ok_or("give `auto`, `cpu`, `cuda` or `cuda:N` with N from 0"),
        }
    }
}

/// Most threads: many more than cores take minutes to start.
const MOST_THREADS: usize = 1024;

fn thread_count(text: &str) -> Result<NonZero<usize>, &'static str> {
    let number = text.parse().ok().filter(|number: &NonZero<usize>| number.get() <= MOST_THREADS);
    number.ok_or("give a whole number from 1 to 1024")
}

/// A number from 1, where `N` is one that cannot be 0.
pub(in crate::cli) fn from_one<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "give a whole number from 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_auto_cpu_or_a_numbered_cuda_device() {
        assert_eq!("auto".parse(), Ok(DeviceName::Auto));
        assert_eq!("cpu".parse(), Ok(DeviceName::Cpu));
        assert_eq!("cuda".parse(), Ok(DeviceName::Cuda(0)));
        assert_eq!("cuda:3".parse(), Ok(DeviceName::Cuda(3)));
        for text in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda0"] {
            assert!(text.parse::<DeviceName>().is_err(), "{text}");
        }
    }
}
