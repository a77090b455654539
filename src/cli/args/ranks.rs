//! Over which ranks a command divides its graph: options that some commands share.

use std::num::NonZero;
use std::time::Duration;

use clap::ArgGroup;
use meerkat::runtime::Device;
use meerkat::runtime::distributed::Ownership;

use super::execution::{DeviceName, from_one};
use crate::cli::failure::Failure;

/// Most ranks: each has a thread.
const MOST_RANKS: usize = 1024;

/// Over which ranks a command divides its graph.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("over_ranks").args(["ranks", "devices"])))]
pub(in crate::cli) struct RanksArgs {
    /// Divide the graph among these devices, a rank on each: `cuda:0,cuda:1`. GPUs exchange through
    /// NCCL
    #[arg(long, value_name = "DEVICE,..", value_delimiter = ',', conflicts_with = "device")]
    devices: Vec<DeviceName>,

    /// Divide the graph among N ranks on the CPU; the answer is the same
    #[arg(long, value_name = "N", value_parser = rank_count,
          allow_negative_numbers = true, conflicts_with_all = ["devices", "device"])]
    ranks: Option<NonZero<usize>>,

    /// How vertices are divided among ranks: by hash, or a range of ids each
    #[arg(long, value_name = "OWNERSHIP", value_enum, default_value_t, requires = "over_ranks")]
    ownership: OwnershipName,

    /// Seconds after which a rank that waits for another gives up
    #[arg(long, value_name = "SECONDS", default_value = "600",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true,
          requires = "over_ranks")]
    rank_timeout: NonZero<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, clap::ValueEnum)]
enum OwnershipName {
    #[default]
    Hash,
    Range,
}

/// The devices of the ranks, and how they share a graph.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Ranks {
    pub(in crate::cli) devices: Vec<Device>,
    pub(in crate::cli) ownership: Ownership,
    pub(in crate::cli) timeout: Duration,
}

fn rank_count(text: &str) -> Result<NonZero<usize>, &'static str> {
    let number = text.parse().ok().filter(|number: &NonZero<usize>| number.get() <= MOST_RANKS);
    number.ok_or("give a whole number from 1 to 1024")
}

impl RanksArgs {
    /// Whether several ranks or devices are asked for.
    pub(in crate::cli) fn are_asked(&self) -> bool {
        self.ranks.is_some() || !self.devices.is_empty()
    }

    /// Opens the devices, if several ranks or devices are asked for.
    pub(in crate::cli) fn open(&self) -> Result<Option<Ranks>, Failure> {
        let devices = match (self.ranks, self.devices.is_empty()) {
            (Some(ranks), _) => vec![Device::cpu(); ranks.get()],
            (None, true) => return Ok(None),
            (None, false) => {
                self.devices.iter().map(|name| name.open()).collect::<Result<_, _>>()?
            }
        };
        let ownership = match self.ownership {
            OwnershipName::Hash => Ownership::Hash,
            OwnershipName::Range => Ownership::Range,
        };
        let timeout = Duration::from_secs(u64::from(self.rank_timeout.get()));
        Ok(Some(Ranks { devices, ownership, timeout }))
    }
}

impl Ranks {
    /// What the ranks are on: `cpu` of all, or `cuda:0, cuda:1`.
    pub(in crate::cli) fn name(&self) -> String {
        let mut names: Vec<_> = self.devices.iter().map(Device::name).collect();
        names.dedup();
        names.join(", ")
    }

    /// What they are, for people.
    pub(in crate::cli) fn description(&self) -> String {
        let by = match self.ownership {
            Ownership::Hash => "by hash",
            Ownership::Range => "by ranges of ids",
        };
        let first = self.devices.first().map(Device::description).unwrap_or_default();
        let count = match self.devices.len() {
            1 => "1 rank".to_owned(),
            ranks => format!("{ranks} ranks"),
        };
        format!("{count} {by}, {first}")
    }
}
