//! Man pages and shell completions, on stdout.

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use clap::CommandFactory;

use crate::args::Cli;
use crate::args::generated::Generated;
use crate::complete;

/// Prints what was asked for.
pub(crate) fn print(what: &Generated) -> Result<()> {
    let mut text = Vec::new();
    match what {
        Generated::Man => clap_mangen::Man::new(pages()).render(&mut text)?,
        Generated::ManOf(name) => {
            // The parser accepts names of commands only.
            let command = pages().find_subcommand(name).cloned().unwrap_or_else(pages);
            clap_mangen::Man::new(command).render(&mut text)?;
        }
        Generated::Completions(shell) => text = complete::script(*shell)?,
    }
    Ok(standard::own(&text)?)
}

/// The command line as the man pages describe it: each command knows its whole name; `help` has no page.
fn pages() -> clap::Command {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    command
}
