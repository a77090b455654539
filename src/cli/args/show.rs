//! What the user types to see a kernel.

use clap::ArgGroup;

use super::super::plan::{KernelForm, ShowPlan};

const SHOW_EXAMPLES: &str = "\
Examples:
  meerkat show --list
  meerkat show KERNEL            # CUDA C++, a whole program that NVRTC accepts
  meerkat show KERNEL --native   # the Rust that runs on the CPU
  meerkat show KERNEL --ptx      # needs NVRTC, but no GPU";

#[derive(Debug, clap::Args)]
#[command(after_help = SHOW_EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["kernel", "list"]).required(true)))]
#[command(group(ArgGroup::new("form").args(["cuda", "native", "ptx"]).conflicts_with("list")))]
pub(super) struct ShowArgs {
    /// Kernel to print
    #[arg(value_name = "KERNEL")]
    kernel: Option<String>,

    /// Name every built-in kernel, one a line
    #[arg(long)]
    list: bool,

    /// CUDA C++: a whole program that NVRTC accepts as it is [default]
    #[arg(long)]
    cuda: bool,

    /// The native Rust that executes it on the CPU
    #[arg(long)]
    native: bool,

    /// The PTX that NVRTC makes of it
    #[arg(long)]
    ptx: bool,
}

impl ShowArgs {
    pub(super) fn into_plan(self) -> ShowPlan {
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
