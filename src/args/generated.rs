//! Values of `--generate`.

use clap::Subcommand;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Command;
use crate::complete::Shell;

/// What `--generate` prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Generated {
    /// Man page of the program.
    Man,
    /// Man page of a command.
    ManOf(&'static str),
    /// Completions for a shell.
    Completions(Shell),
}

const PAGES: [(&str, &str, &str); 15] = [
    ("man-batch", "batch", "Man page of batch"),
    ("man-cluster", "cluster", "Man page of cluster"),
    ("man-costs", "costs", "Man page of costs"),
    ("man-diff", "diff", "Man page of diff"),
    ("man-estimate", "estimate", "Man page of estimate"),
    ("man-explain", "explain", "Man page of explain"),
    ("man-info", "info", "Man page of info"),
    ("man-open", "open", "Man page of open"),
    ("man-pipeline", "pipeline", "Man page of pipeline"),
    ("man-query", "query", "Man page of query"),
    ("man-record", "record", "Man page of record"),
    ("man-search", "search", "Man page of search"),
    ("man-simulate", "simulate", "Man page of simulate"),
    ("man-synth", "synth", "Man page of synth"),
    ("man-whatif", "whatif", "Man page of whatif"),
];

const SHELLS: [(&str, Shell, &str); 4] = [
    ("complete-bash", Shell::Bash, "Completions for bash"),
    ("complete-zsh", Shell::Zsh, "Completions for zsh"),
    ("complete-fish", Shell::Fish, "Completions for fish"),
    ("complete-powershell", Shell::PowerShell, "Completions for PowerShell"),
];

impl Generated {
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let value =
            |(name, help): (&'static str, &'static str)| PossibleValue::new(name).help(help);
        let pages = PAGES.iter().map(move |(name, _, help)| value((name, help)));
        let shells = SHELLS.iter().map(move |(name, _, help)| value((name, help)));
        let man = PossibleValue::new("man").help("Man page of the program");
        PossibleValuesParser::new(std::iter::once(man).chain(pages).chain(shells))
            .map(|name| Self::from_name(&name))
    }

    fn from_name(name: &str) -> Self {
        if let Some((_, shell, _)) = SHELLS.iter().find(|(known, ..)| *known == name) {
            return Self::Completions(*shell);
        }
        let page = PAGES.iter().find(|(known, ..)| *known == name);
        page.map_or(Self::Man, |(_, command, _)| Self::ManOf(command))
    }
}

/// The names of all commands.
pub(super) fn commands() -> impl Iterator<Item = String> {
    let all = Command::augment_subcommands(clap::Command::new(""));
    let names: Vec<String> = all.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    names.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let pages: Vec<&str> = PAGES.iter().map(|(_, command, _)| *command).collect();
        assert_eq!(commands().collect::<Vec<_>>(), pages);
    }
}
