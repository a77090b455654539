//! Which rank this process is, by the variables that what started it has set.

use super::point::MeetingPoint;
use super::rendezvous::{NO_POINT, Rendezvous, wrong};
use crate::Error;

/// The variables of what starts processes.
struct Starter {
    rank: &'static str,
    size: &'static str,
    /// The first that is set.
    local_rank: &'static [&'static str],
    local_size: &'static str,
    job: &'static [&'static str],
}

const MEERKAT: Starter = Starter {
    rank: "MEERKAT_RANK",
    size: "MEERKAT_SIZE",
    local_rank: &["MEERKAT_LOCAL_RANK"],
    local_size: "MEERKAT_LOCAL_SIZE",
    job: &[],
};

const TORCHRUN: Starter = Starter {
    rank: "RANK",
    size: "WORLD_SIZE",
    local_rank: &["LOCAL_RANK"],
    local_size: "LOCAL_WORLD_SIZE",
    job: &["TORCHELASTIC_RUN_ID"],
};

const OPEN_MPI: Starter = Starter {
    rank: "OMPI_COMM_WORLD_RANK",
    size: "OMPI_COMM_WORLD_SIZE",
    local_rank: &["OMPI_COMM_WORLD_LOCAL_RANK"],
    local_size: "OMPI_COMM_WORLD_LOCAL_SIZE",
    job: &["PMIX_NAMESPACE"],
};

const MPICH: Starter = Starter {
    rank: "PMI_RANK",
    size: "PMI_SIZE",
    // That of SLURM where it starts processes by PMI.
    local_rank: &["MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"],
    local_size: "MPI_LOCALNRANKS",
    job: &["PMI_JOBID"],
};

const SLURM: Starter = Starter {
    rank: "SLURM_PROCID",
    size: "SLURM_NTASKS",
    local_rank: &["SLURM_LOCALID"],
    local_size: "",
    job: &["SLURM_JOB_ID", "SLURM_STEP_ID"],
};

/// The most particular first: who starts processes within a job of SLURM leaves its variables there.
const STARTERS: [&Starter; 5] = [&MEERKAT, &TORCHRUN, &OPEN_MPI, &MPICH, &SLURM];

type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Rendezvous {
    /// What started this process says in its environment, if it does. In this order:
    ///
    /// | | rank and number of ranks | rank on the machine | address | job |
    /// | --- | --- | --- | --- | --- |
    /// | `meerkat launch` | `MEERKAT_RANK`, `MEERKAT_SIZE` | `MEERKAT_LOCAL_RANK` | | |
    /// | `torchrun` | `RANK`, `WORLD_SIZE` | `LOCAL_RANK` | `MASTER_ADDR`, `MASTER_PORT` | `TORCHELASTIC_RUN_ID` |
    /// | Open MPI | `OMPI_COMM_WORLD_RANK`, `.._SIZE` | `OMPI_COMM_WORLD_LOCAL_RANK` | | `PMIX_NAMESPACE` |
    /// | MPICH, Intel MPI | `PMI_RANK`, `PMI_SIZE` | `MPI_LOCALRANKID`, `PMI_LOCAL_RANK`, `SLURM_LOCALID` | | `PMI_JOBID` |
    /// | SLURM | `SLURM_PROCID`, `SLURM_NTASKS` | `SLURM_LOCALID` | | `SLURM_JOB_ID`, `SLURM_STEP_ID` |
    ///
    /// `MEERKAT_ADDRESS=host:port` or `MEERKAT_RENDEZVOUS=file` is where the ranks meet, and comes before
    /// an address of the table; `MEERKAT_JOB` the word of the job. Where `torchrun` listens at its port itself
    /// (`TORCHELASTIC_USE_AGENT_STORE`), ranks meet at the next.
    ///
    /// # Errors
    /// [`ErrorKind::Rendezvous`](crate::ErrorKind::Rendezvous): no place to meet, or what is no number.
    pub fn from_environment() -> Result<Option<Self>, Error> {
        from_variables(&|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }
}

fn from_variables(lookup: Lookup<'_>) -> Result<Option<Rendezvous>, Error> {
    // A script may set RANK for itself, but not what else torchrun does.
    let is_meant =
        |starter: &Starter| starter.rank != TORCHRUN.rank || lookup("LOCAL_RANK").is_some();
    let is_set = |starter: &&&Starter| {
        is_meant(starter) && lookup(starter.rank).is_some() && lookup(starter.size).is_some()
    };
    let Some(starter) = STARTERS.iter().find(is_set) else { return Ok(None) };
    let number = |name: &str| match lookup(name) {
        None => Ok(None),
        Some(text) => match text.trim().parse::<usize>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(wrong(format!("the variable {name} is `{text}`, which is no number"))),
        },
    };
    let (rank, size) = (number(starter.rank)?, number(starter.size)?);
    let (rank, size) = (rank.unwrap_or(0), size.unwrap_or(1));
    let point = point(lookup)?;
    if size > 1 && point.is_none() {
        let name = starter.rank;
        return Err(wrong(format!(
            "{name} says that this is rank {rank} of {size}, and {NO_POINT}"
        )));
    }
    let of_starter = || starter.job.iter().filter_map(|name| lookup(name)).collect::<Vec<_>>();
    Ok(Some(Rendezvous {
        rank,
        size,
        local_rank: match starter.local_rank.iter().find(|name| lookup(name).is_some()) {
            Some(name) => number(name)?,
            None => None,
        },
        local_size: number(starter.local_size)?,
        point,
        job: lookup("MEERKAT_JOB").unwrap_or_else(|| of_starter().join(".")),
    }))
}

/// Where the ranks meet.
fn point(lookup: Lookup<'_>) -> Result<Option<MeetingPoint>, Error> {
    match (lookup("MEERKAT_ADDRESS"), lookup("MEERKAT_RENDEZVOUS")) {
        (Some(_), Some(_)) => {
            let what = "both MEERKAT_ADDRESS and MEERKAT_RENDEZVOUS say where; unset one of them";
            Err(wrong(what.to_owned()))
        }
        (Some(address), None) => Ok(Some(MeetingPoint::Address(address))),
        (None, Some(file)) => Ok(Some(MeetingPoint::File(file.into()))),
        (None, None) => of_torchrun(lookup),
    }
}

/// The address that `torchrun`, and who follows it, gives.
fn of_torchrun(lookup: Lookup<'_>) -> Result<Option<MeetingPoint>, Error> {
    let (Some(host), Some(port)) = (lookup("MASTER_ADDR"), lookup("MASTER_PORT")) else {
        return Ok(None);
    };
    let is_taken = lookup("TORCHELASTIC_USE_AGENT_STORE").is_some_and(|value| value == "True");
    let number = port.trim().parse::<u16>().ok();
    let port = number
        .and_then(|number| number.checked_add(u16::from(is_taken)))
        .ok_or_else(|| wrong(format!("the variable MASTER_PORT is `{port}`, which is no port")))?;
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    Ok(Some(MeetingPoint::Address(format!("{host}:{port}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the variables of a line say.
    fn of(line: &str) -> Result<Option<Rendezvous>, Error> {
        let variables: Vec<_> =
            line.split_whitespace().filter_map(|word| word.split_once('=')).collect();
        from_variables(&|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    fn found(line: &str) -> Rendezvous {
        of(line).expect("it is understood").expect("a rank")
    }

    #[test]
    fn each_starter_says_which_rank_a_process_is() {
        let address = "MEERKAT_ADDRESS=node7:29500";
        for (line, job, local_size) in [
            ("MEERKAT_RANK=2 MEERKAT_SIZE=4 MEERKAT_LOCAL_RANK=0 MEERKAT_JOB=j", "j", None),
            ("RANK=2 WORLD_SIZE=4 LOCAL_RANK=0 TORCHELASTIC_RUN_ID=none", "none", None),
            (
                "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=0 \
                 OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_NAMESPACE=p SLURM_PROCID=0 SLURM_NTASKS=1",
                "p",
                Some(2),
            ),
            ("PMI_RANK=2 PMI_SIZE=4 MPI_LOCALRANKID=0", "", None),
            ("PMI_RANK=2 PMI_SIZE=4 SLURM_LOCALID=0 SLURM_PROCID=2", "", None),
            ("RANK=0 WORLD_SIZE=9 PMI_RANK=2 PMI_SIZE=4 PMI_LOCAL_RANK=0", "", None),
            (
                "SLURM_PROCID=2 SLURM_NTASKS=4 SLURM_LOCALID=0 SLURM_JOB_ID=7 SLURM_STEP_ID=1",
                "7.1",
                None,
            ),
        ] {
            let found = found(&format!("{line} {address}"));
            assert_eq!((found.rank(), found.size(), found.local_rank()), (2, 4, Some(0)), "{line}");
            assert_eq!((&found.job[..], found.local_size), (job, local_size), "{line}");
            assert_eq!(found.point, Some(MeetingPoint::Address("node7:29500".to_owned())));
        }
        assert_eq!(of("RANK=3 MASTER_ADDR=node7").expect("it is understood"), None);
    }

    #[test]
    fn ranks_of_torchrun_meet_at_its_port_or_the_next() {
        let address =
            |line: &str| match found(&format!("RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 {line}")).point {
                Some(MeetingPoint::Address(address)) => address,
                other => panic!("{other:?}"),
            };
        assert_eq!(address("MASTER_ADDR=node7 MASTER_PORT=29500"), "node7:29500");
        let taken = "MASTER_PORT=29500 TORCHELASTIC_USE_AGENT_STORE=True";
        assert_eq!(address(&format!("MASTER_ADDR=::1 {taken}")), "[::1]:29501");
        let own = format!("MASTER_ADDR=node7 {taken} MEERKAT_ADDRESS=node8:1");
        assert_eq!(address(&own), "node8:1");
    }

    #[test]
    fn what_is_missing_or_no_number_is_named() {
        let error = |line: &str| of(line).expect_err("it is refused").to_string();
        assert!(error("PMI_RANK=0 PMI_SIZE=2").contains("MEERKAT_RENDEZVOUS=file"));
        assert!(error("PMI_RANK=x PMI_SIZE=2").contains("PMI_RANK is `x`"));
        assert!(
            error("RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 MASTER_ADDR=a MASTER_PORT=b").contains("`b`")
        );
        let both = "MEERKAT_ADDRESS=a:1 MEERKAT_RENDEZVOUS=f";
        assert!(error(&format!("PMI_RANK=0 PMI_SIZE=2 {both}")).contains("unset one"));
        // Nobody is to be met.
        assert_eq!(found("PMI_RANK=0 PMI_SIZE=1").point, None);
    }
}
