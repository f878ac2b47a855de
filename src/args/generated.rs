//! Values of `--generate`.

use clap::Subcommand;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap_complete::Shell;

use super::Command;

/// What `--generate` prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Generated {
    /// Man page of the program.
    Man,
    /// Man page of a command.
    ManOf(String),
    /// Completions for a shell.
    Completions(Shell),
}

const SHELLS: [(&str, Shell, &str); 4] = [
    ("complete-bash", Shell::Bash, "Completions for bash"),
    ("complete-zsh", Shell::Zsh, "Completions for zsh"),
    ("complete-fish", Shell::Fish, "Completions for fish"),
    ("complete-powershell", Shell::PowerShell, "Completions for PowerShell"),
];

impl Generated {
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let pages = commands().map(|name| {
            let help = format!("Man page of bigtpuprofile {name}");
            PossibleValue::new(format!("man-{name}")).help(help)
        });
        let shells = SHELLS.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
        let man = PossibleValue::new("man").help("Man page of the program");
        PossibleValuesParser::new(std::iter::once(man).chain(pages).chain(shells))
            .map(|name| Self::of(&name))
    }

    fn of(name: &str) -> Self {
        if let Some((_, shell, _)) = SHELLS.iter().find(|(known, ..)| *known == name) {
            return Self::Completions(*shell);
        }
        name.strip_prefix("man-").map_or(Self::Man, |command| Self::ManOf(command.to_owned()))
    }
}

/// The names of all commands.
pub(super) fn commands() -> impl Iterator<Item = String> {
    let all = Command::augment_subcommands(clap::Command::new(""));
    let names: Vec<String> = all.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    names.into_iter()
}
