//! Over which ranks a command divides its graph: options that some commands share.

use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

use clap::ArgGroup;
use meerkat::runtime::communicator::{
    Communicator, HostCommunicator, Rendezvous, first_cause, run_ranks,
};
use meerkat::runtime::distributed::Ownership;
use meerkat::runtime::{Device, Error};

use super::execution::{DeviceName, PlaceArgs, from_one};
use crate::cli::failure::Failure;
use crate::cli::input::STANDARD;
use crate::cli::launch::end_with_launch;

/// Most ranks: each has a thread.
const MOST_RANKS: usize = 1024;

/// Over which ranks a command divides its graph.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("over_ranks").args(["ranks", "devices", "as_rank"])))]
pub(in crate::cli) struct RanksArgs {
    /// Divide the graph among these devices, a rank on each: `cuda:0,cuda:1`. GPUs exchange through
    /// NCCL
    #[arg(long, value_name = "DEVICE,..", value_delimiter = ',', conflicts_with = "device")]
    devices: Vec<DeviceName>,

    /// Divide the graph among N ranks on the CPU; the answer is the same
    #[arg(long, value_name = "N", value_parser = rank_count,
          allow_negative_numbers = true, conflicts_with_all = ["devices", "device"])]
    ranks: Option<NonZero<usize>>,

    /// Be one rank of several processes, the one that `meerkat launch`, `mpirun`, `torchrun` or `srun` says in
    /// the environment. Each reads the graph, and rank 0 alone writes and prints. Without `--device` it
    /// takes a GPU of its own, if there are GPUs
    #[arg(long)]
    as_rank: bool,

    /// How vertices are divided among ranks: by hash, or a range of ids each
    #[arg(long, value_name = "OWNERSHIP", value_enum, default_value_t, requires = "over_ranks")]
    ownership: OwnershipName,

    /// Seconds after which a rank that waits for another gives up, as for rank 0 while nobody reads what it prints
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

/// The ranks, and how they share a graph.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Ranks {
    members: Members,
    ownership: Ownership,
    timeout: Duration,
}

/// Which ranks there are.
#[derive(Clone, Debug)]
enum Members {
    /// A thread on each of these devices.
    Threads(Vec<Device>),
    /// This process, and others.
    Process(Device, Box<Rendezvous>),
}

/// A whole number of ranks.
pub(in crate::cli) fn rank_count(text: &str) -> Result<NonZero<usize>, &'static str> {
    let number = text.parse().ok().filter(|number: &NonZero<usize>| number.get() <= MOST_RANKS);
    number.ok_or("give a whole number from 1 to 1024")
}

impl RanksArgs {
    /// Whether several ranks or devices are asked for.
    pub(in crate::cli) fn are_asked(&self) -> bool {
        self.ranks.is_some() || !self.devices.is_empty() || self.as_rank
    }

    /// Whether this process is to be one of the ranks.
    pub(in crate::cli) fn is_rank(&self) -> bool {
        self.as_rank
    }

    /// Opens the devices, if several ranks or devices are asked for. A rank that is this process takes what
    /// `place` says.
    pub(in crate::cli) fn open(
        &self,
        place: &PlaceArgs,
        graph: &Path,
    ) -> Result<Option<Ranks>, Failure> {
        let members = match self.ranks {
            Some(ranks) => {
                place.set_threads()?;
                Members::Threads(vec![Device::cpu(); ranks.get()])
            }
            None if !self.devices.is_empty() => {
                place.set_threads()?;
                let devices = self.devices.iter().map(|name| name.open());
                Members::Threads(devices.collect::<Result<_, _>>()?)
            }
            None if self.as_rank => process(place, graph)?,
            None => return Ok(None),
        };
        let ownership = match self.ownership {
            OwnershipName::Hash => Ownership::Hash,
            OwnershipName::Range => Ownership::Range,
        };
        let timeout = Duration::from_secs(u64::from(self.rank_timeout.get()));
        Ok(Some(Ranks { members, ownership, timeout }))
    }
}

/// The rank that this process is.
fn process(place: &PlaceArgs, graph: &Path) -> Result<Members, Failure> {
    end_with_launch();
    let wrong = |cause: Error| Failure::NoRank { why: cause.to_string() };
    let own = Rendezvous::from_environment().map_err(wrong)?.ok_or_else(|| Failure::NoRank {
        why: "nothing in the environment says which rank this process is: start it by `meerkat \
              launch`, `mpirun`, `torchrun` or `srun`, or set MEERKAT_RANK and MEERKAT_SIZE"
            .to_owned(),
    })?;
    if graph.as_os_str() == STANDARD && own.size() > 1 {
        return Err(Failure::RanksReadFiles);
    }
    Ok(Members::Process(place.open_for(own.local_rank())?, Box::new(own)))
}

impl Ranks {
    /// How many there are.
    pub(in crate::cli) fn count(&self) -> usize {
        match &self.members {
            Members::Threads(devices) => devices.len(),
            Members::Process(_, own) => own.size(),
        }
    }

    /// The devices, if the ranks are threads of this process.
    pub(in crate::cli) fn devices_of_threads(&self) -> Option<&[Device]> {
        match &self.members {
            Members::Threads(devices) => Some(devices),
            Members::Process(..) => None,
        }
    }

    pub(in crate::cli) fn ownership(&self) -> Ownership {
        self.ownership
    }

    /// The device of the first rank in this process.
    pub(in crate::cli) fn first_device(&self) -> Option<&Device> {
        match &self.members {
            Members::Threads(devices) => devices.first(),
            Members::Process(device, _) => Some(device),
        }
    }

    /// Whether this process has rank 0, which prints and writes for all.
    pub(in crate::cli) fn speaks(&self) -> bool {
        match &self.members {
            Members::Threads(_) => true,
            Members::Process(_, own) => own.rank() == 0,
        }
    }

    /// Waits for the other processes and joins them, if this process is a rank.
    pub(in crate::cli) fn join(&self) -> Result<Option<(HostCommunicator, &Device)>, Error> {
        match &self.members {
            Members::Threads(_) => Ok(None),
            Members::Process(device, own) => Ok(Some((own.join(self.timeout)?, device))),
        }
    }

    /// Does something on each rank in this process; what each of them returned.
    ///
    /// # Errors
    /// The one of a rank that explains those of the others.
    pub(in crate::cli) fn run<T: Send>(
        &self,
        run: impl Fn(HostCommunicator, &Device) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        match &self.members {
            Members::Threads(devices) => {
                let of_thread = |own: HostCommunicator| {
                    let rank = own.rank();
                    run(own, &devices[rank])
                };
                first_cause(run_ranks(devices.len(), self.timeout, of_thread))
            }
            Members::Process(device, own) => Ok(vec![run(own.join(self.timeout)?, device)?]),
        }
    }

    /// What the ranks are on: `cpu` of all, or `cuda:0, cuda:1`.
    pub(in crate::cli) fn name(&self) -> String {
        let mut names: Vec<_> = match &self.members {
            Members::Threads(devices) => devices.iter().map(Device::name).collect(),
            Members::Process(device, _) => vec![device.name()],
        };
        names.dedup();
        names.join(", ")
    }

    /// What they are, for people.
    pub(in crate::cli) fn description(&self) -> String {
        let by = match self.ownership {
            Ownership::Hash => "by hash",
            Ownership::Range => "by ranges of ids",
        };
        let first = self.first_device().map(Device::description).unwrap_or_default();
        let (one, many) = match self.members {
            Members::Threads(_) => ("rank", "ranks"),
            Members::Process(..) => ("process", "processes"),
        };
        let count = self.count();
        format!("{count} {} {by}, {first}", if count == 1 { one } else { many })
    }
}
