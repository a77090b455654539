//! What is to be done: the user's flags as strong types.

use std::path::PathBuf;

use meerkat::runtime::read::Direction;

use super::args::{Algorithm, Args, BfsArgs, Command, DeviceArg, ShowArgs, SourceArg};

/// One run of the command.
#[derive(Debug, PartialEq)]
pub(super) enum Plan {
    RunBfs(BfsPlan),
    Info(Format),
    Show(ShowPlan),
}

/// A breadth-first search.
#[derive(Debug, PartialEq)]
pub(super) struct BfsPlan {
    pub(super) graph: PathBuf,
    /// `None`: as the file declares, else directed.
    pub(super) direction: Option<Direction>,
    pub(super) source: SourceArg,
    pub(super) variant: BfsVariant,
    pub(super) device: DeviceArg,
    pub(super) output: Option<PathBuf>,
    pub(super) format: Format,
}

/// Which search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BfsVariant {
    /// Depths alone.
    Levels,
    /// Depths and parents.
    Tree,
}

/// How the report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
}

/// What of the built-in kernels is printed.
#[derive(Debug, PartialEq)]
pub(super) enum ShowPlan {
    List,
    Kernel { name: String, form: KernelForm },
}

/// What a kernel becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KernelForm {
    Cuda,
    Native,
    Ptx,
}

impl Args {
    /// What the user asks for. `clap` has refused what contradicts itself.
    pub(super) fn into_plan(self) -> Plan {
        match self.command {
            Command::Run(Algorithm::Bfs(args)) => Plan::RunBfs(args.into_plan()),
            Command::Info { json } => Plan::Info(Format::json_if(json)),
            Command::Show(args) => Plan::Show(args.into_plan()),
        }
    }
}

impl BfsArgs {
    fn into_plan(self) -> BfsPlan {
        BfsPlan {
            direction: match (self.directed, self.undirected) {
                (true, _) => Some(Direction::Directed),
                (_, true) => Some(Direction::Undirected),
                _ => None,
            },
            variant: if self.tree { BfsVariant::Tree } else { BfsVariant::Levels },
            format: Format::json_if(self.json),
            graph: self.graph,
            source: self.source,
            device: self.device,
            output: self.output,
        }
    }
}

impl ShowArgs {
    fn into_plan(self) -> ShowPlan {
        let form = match (self.native, self.ptx) {
            (true, _) => KernelForm::Native,
            (_, true) => KernelForm::Ptx,
            _ => KernelForm::Cuda,
        };
        match self.kernel {
            Some(name) => ShowPlan::Kernel { name, form },
            None => ShowPlan::List,
        }
    }
}

impl Format {
    fn json_if(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn plan(line: &str) -> Result<Plan, clap::error::ErrorKind> {
        let words = line.split_whitespace();
        Args::try_parse_from(words).map(Args::into_plan).map_err(|error| error.kind())
    }

    #[test]
    fn a_bare_bfs_starts_at_the_lowest_id_on_any_device_and_prints_text() {
        let expected = BfsPlan {
            graph: "g.mtx".into(),
            direction: None,
            source: SourceArg::Lowest,
            variant: BfsVariant::Levels,
            device: DeviceArg::Auto,
            output: None,
            format: Format::Text,
        };
        assert_eq!(plan("meerkat run bfs --graph g.mtx"), Ok(Plan::RunBfs(expected)));
    }

    #[test]
    fn every_bfs_flag_reaches_the_plan() {
        let expected = BfsPlan {
            graph: "g".into(),
            direction: Some(Direction::Undirected),
            source: SourceArg::Id(7),
            variant: BfsVariant::Tree,
            device: DeviceArg::Cuda(1),
            output: Some("out".into()),
            format: Format::Json,
        };
        let line = "meerkat run bfs --graph g --undirected --source 7 --tree --device cuda:1 \
                    --output out --json";
        assert_eq!(plan(line), Ok(Plan::RunBfs(expected)));
    }

    #[test]
    fn show_prints_cuda_unless_told_otherwise() {
        let kernel = |form| Ok(Plan::Show(ShowPlan::Kernel { name: "k".to_owned(), form }));
        assert_eq!(plan("meerkat show k"), kernel(KernelForm::Cuda));
        assert_eq!(plan("meerkat show k --cuda"), kernel(KernelForm::Cuda));
        assert_eq!(plan("meerkat show k --native"), kernel(KernelForm::Native));
        assert_eq!(plan("meerkat show --ptx k"), kernel(KernelForm::Ptx));
        assert_eq!(plan("meerkat show --list"), Ok(Plan::Show(ShowPlan::List)));
    }

    #[test]
    fn contradictions_and_gaps_are_refused() {
        use clap::error::ErrorKind::{ArgumentConflict, MissingRequiredArgument, ValueValidation};
        let cases = [
            ("meerkat run bfs", MissingRequiredArgument),
            ("meerkat run bfs --graph g --directed --undirected", ArgumentConflict),
            ("meerkat run bfs --graph g --source highest", ValueValidation),
            ("meerkat run bfs --graph g --device gpu", ValueValidation),
            ("meerkat show", MissingRequiredArgument),
            ("meerkat show k --list", ArgumentConflict),
            ("meerkat show --list --ptx", ArgumentConflict),
            ("meerkat show k --cuda --native", ArgumentConflict),
        ];
        for (line, kind) in cases {
            assert_eq!(plan(line), Err(kind), "{line}");
        }
    }
}
