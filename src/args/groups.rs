//! The help: commands by what they are for, few options first.

use std::fmt::Write as _;

use bigtpu_messages::{Language, help_text};
use clap::Command;

/// The commands by what a user wants; within a group in the order in which one needs them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Look", &["open", "info", "query", "explain"]),
    ("Compare", &["diff", "whatif"]),
    ("Many dumps", &["batch", "cluster"]),
    ("Plan", &["costs", "estimate", "simulate", "pipeline", "search"]),
    ("Tools", &["record", "synth", "help"]),
];

/// Options of an analysis that the short help has; `--help` has all.
const FEW: [&str; 9] = [
    "input_dir",
    "output_dir",
    "perfetto",
    "emit",
    "trace_file",
    "full",
    "strict",
    "quiet",
    "lang",
];

/// Options of `synth` that its short help has.
const FEW_OF_SYNTH: [&str; 7] = ["out", "chip", "launches", "seed", "plant", "cluster", "quiet"];
/// Options below a heading of their own that a short help has: they lead to the others.
const LEADING: [&str; 2] = ["cluster", "hf"];

/// What one begins with.
const FIRST: &str = "\
First commands:
  bigtpuprofile cdm_profile_data_dev0-0 out
      analyzes a dump: open out/PerfWeb/result.html in a browser
  bigtpuprofile synth demo && bigtpuprofile demo out
      without a device: a dump to try it on

`bigtpuprofile --help` has all options and more examples, `bigtpuprofile COMMAND --help` those of a command.";

/// Leaves what few need to the long help of each command: options that the short help of an analysis leaves out, those below a heading
/// of their own, and most of `synth`.
pub(super) fn folded(command: Command) -> Command {
    let of_analysis: Vec<String> = ids(&command).collect();
    command.mut_subcommands(|sub| {
        let is_synth = sub.get_name() == "synth";
        sub.mut_args(|arg| {
            let id = arg.get_id().as_str();
            let is_common = FEW.contains(&id) || matches!(id, "help" | "version");
            let is_rare = match (is_synth, arg.get_help_heading()) {
                _ if is_common => false,
                (true, _) => !FEW_OF_SYNTH.contains(&id),
                (false, Some(_)) => !LEADING.contains(&id),
                (false, None) => of_analysis.iter().any(|known| known == id),
            };
            if is_rare { arg.hide_short_help(true) } else { arg }
        })
    })
}

fn ids(command: &Command) -> impl Iterator<Item = String> {
    command.get_arguments().map(|arg| arg.get_id().to_string())
}

/// Lists the commands of the help in groups, and leaves the options that few need to the long help. Without any argument
/// the short help is shown.
pub(super) fn grouped(mut command: Command, language: Language) -> Command {
    let chinese = |attribute: &str| match language {
        Language::English => None,
        Language::Chinese => help_text("help-program", Some(attribute)),
    };
    // The command `help` is there once it is built.
    command.build();
    let about = |name: &str| {
        let found = command.get_subcommands().find(|sub| sub.get_name() == name);
        found.and_then(|sub| sub.get_about()).map(ToString::to_string)
    };
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let mut list = String::new();
    for (title, members) in GROUPS {
        match chinese(&title.to_ascii_lowercase().replace(' ', "-")) {
            Some(title) => _ = write!(list, "\n{title}："),
            None => _ = write!(list, "\n{title}:"),
        }
        for (name, about) in members.iter().filter_map(|name| Some((name, about(name)?))) {
            let _ = write!(list, "\n  {name:width$}  {about}");
        }
        list.push('\n');
    }
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\n{{all-args}}{{after-help}}"
    );
    let examples = command.get_after_help().cloned().unwrap_or_default();
    // They are listed already.
    let command = command.mut_subcommands(|sub| sub.hide(true)).help_template(template);
    let is_rare = |arg: &clap::Arg| {
        let is_own = matches!(arg.get_id().as_str(), "help" | "version");
        !is_own && !FEW.contains(&arg.get_id().as_str())
    };
    command
        .mut_args(|arg| if is_rare(&arg) { arg.hide_short_help(true) } else { arg })
        .after_long_help(examples)
        .after_help(chinese("first").unwrap_or_else(|| FIRST.to_owned()))
        .arg_required_else_help(true)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Cli;
    use super::GROUPS;

    #[test]
    fn every_command_is_in_one_group() {
        let cli = Cli::command();
        for command in cli.get_subcommands() {
            let of = GROUPS.iter().filter(|(_, names)| names.contains(&command.get_name()));
            assert_eq!(of.count(), 1, "{}", command.get_name());
        }
    }
}
