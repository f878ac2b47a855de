//! The commands in the help, by what they are for.

use std::fmt::Write as _;

use clap::Command;

/// Commands that predict, in the order in which their results feed each other.
const PLAN: [&str; 4] = ["costs", "estimate", "pipeline", "search"];

/// Lists the commands of the help in two groups: those that look at runs, and those that plan.
pub(super) fn grouped(mut command: Command) -> Command {
    // The command `help` is there once it is built.
    command.build();
    let about = |name: &str| {
        let found = command.get_subcommands().find(|sub| sub.get_name() == name);
        found.and_then(|sub| sub.get_about()).map(ToString::to_string).unwrap_or_default()
    };
    let runs: Vec<(String, String)> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .filter(|name| !PLAN.contains(name))
        .map(|name| (name.to_owned(), about(name)))
        .collect();
    let plan = PLAN.map(|name| (name.to_owned(), about(name)));
    let all = || runs.iter().chain(&plan);
    let width = all().map(|(name, _)| name.len()).max().unwrap_or(0);
    let list = |rows: &[(String, String)]| {
        let mut text = String::new();
        for (name, about) in rows {
            let _ = write!(text, "\n  {name:width$}  {about}");
        }
        text
    };
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:{}\n\nPlan:{}\n\n{{all-args}}{{after-help}}",
        list(&runs),
        list(&plan)
    );
    // They are listed already.
    command.mut_subcommands(|sub| sub.hide(true)).help_template(template)
}
