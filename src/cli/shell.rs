//! `meerkat completions` and `meerkat man`: what a shell and `man` know of the command.

use clap_complete::Shell;

use super::args;
use super::output::Printed;

/// The shell that asks for completions.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  meerkat completions bash > ~/.local/share/bash-completion/completions/meerkat
  meerkat completions zsh > ~/.zfunc/_meerkat
  meerkat completions fish > ~/.config/fish/completions/meerkat.fish")]
pub(super) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The page that is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  meerkat man | man -l -
  meerkat man stream > meerkat-stream.1")]
pub(super) struct ManArgs {
    /// Subcommand whose page is printed [default: the whole command's]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// The script that completes the command.
pub(super) fn completions(args: &CompletionsArgs) -> Printed {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "meerkat", &mut script);
    Printed::Stdout(String::from_utf8_lossy(&script).into_owned())
}

/// The page in the language of `man`.
pub(super) fn man(args: &ManArgs) -> Result<Printed, clap::Error> {
    let mut command = args::command();
    command.build();
    let mut name = "meerkat".to_owned();
    for word in &args.command {
        name += &format!("-{word}");
        let inner = command.find_subcommand(word).cloned();
        command = inner.ok_or_else(|| args::no_such_command(&args.command))?;
    }
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(command).title(name).render(&mut page);
    written.expect("a vector takes everything");
    Ok(Printed::Stdout(String::from_utf8_lossy(&page).into_owned()))
}
