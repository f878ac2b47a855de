//! The man page and shell completions, on stdout.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::args::analyze::Generated;

/// Prints what was asked for.
pub(crate) fn print(what: Generated) -> Result<()> {
    let mut command = Cli::command();
    let mut text = Vec::new();
    let shell = match what {
        Generated::Man => {
            clap_mangen::Man::new(command).render(&mut text)?;
            std::io::stdout().write_all(&text)?;
            return Ok(());
        }
        Generated::CompleteBash => Shell::Bash,
        Generated::CompleteZsh => Shell::Zsh,
        Generated::CompleteFish => Shell::Fish,
        Generated::CompletePowershell => Shell::PowerShell,
    };
    clap_complete::generate(shell, &mut command, "bigtpuprofile", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(())
}
