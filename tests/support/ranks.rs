//! What tests over ranks share: who brings which part of a list, and two GPUs.

use std::time::Duration;

use meerkat::prelude::*;
use meerkat::runtime::cuda::nccl_version;

use super::skipped_unless;

/// Longer than any test waits, unless a rank hangs.
pub const LONG: Duration = Duration::from_secs(120);

/// The part of a list that a rank brings: all parts in the order of the ranks are the list.
pub fn part<T: Clone>(list: &[T], rank: usize, ranks: usize) -> Vec<T> {
    list[list.len() * rank / ranks..list.len() * (rank + 1) / ranks].to_vec()
}

/// The part of a batch that a rank brings.
pub fn part_of<W: Weight>(batch: &Batch<W>, rank: usize, ranks: usize) -> Batch<W> {
    part(&batch.updates().collect::<Vec<_>>(), rank, ranks).into_iter().collect()
}

/// Two GPUs, if there are two and NCCL. Without them the test says so, and fails where
/// `MEERKAT_REQUIRE_TWO_GPUS` is 1.
pub fn two_gpus() -> Option<[Device; 2]> {
    let found = Device::cuda(0).and_then(|first| {
        nccl_version()?;
        Ok([first, Device::cuda(1)?])
    });
    found.inspect_err(|error| skipped_unless("MEERKAT_REQUIRE_TWO_GPUS", &error.to_string())).ok()
}

/// Two GPUs, where `MEERKAT_REQUIRE_TWO_GPUS` is 1: for tests that run on the CPU otherwise.
pub fn two_gpus_if_required() -> Option<[Device; 2]> {
    let is_required = std::env::var("MEERKAT_REQUIRE_TWO_GPUS").is_ok_and(|value| value == "1");
    if is_required { two_gpus() } else { None }
}

/// How many sequences a test replays: what the variable says, or `default`.
pub fn sequences(variable: &str, default: u64) -> u64 {
    let asked = std::env::var(variable).ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(default)
}
