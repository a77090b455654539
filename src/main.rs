//! The `meerkat` command: runs graph algorithms on graph files.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
