//! The command line: an analysis by default, anything else by a subcommand of its own file.

pub(crate) mod analyze;
pub(crate) mod batch;
mod chinese;
pub(crate) mod cluster;
pub(crate) mod costs;
pub(crate) mod cut;
pub(crate) mod diff;
pub(crate) mod estimate;
pub(crate) mod explain;
pub(crate) mod generated;
mod groups;
pub(crate) mod info;
pub(crate) mod lang;
pub(crate) mod llm;
pub(crate) mod open;
mod out_dir;
pub(crate) mod pipeline;
mod prefix;
pub(crate) mod query;
pub(crate) mod record;
pub(crate) mod roofs;
pub(crate) mod search;
pub(crate) mod simulate;
pub(crate) mod sizes;
mod suggest;
pub(crate) mod synth;
pub(crate) mod synth_cluster;
pub(crate) mod views;
pub(crate) mod whatif;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub(crate) use chinese::translated;

use bigtpu_emit_text::console::standard;
use bigtpu_messages::Language;
use bigtpu_output::{Text, Untrusted};

use crate::incumbent::{Defaults, foreign, tpu_profile};

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile cdm_profile_data_dev0-0 out --perfetto
      trace, summary and report.json: the fast choice; open out/perfetto.pftrace in https://ui.perfetto.dev
  bigtpuprofile cdm_profile_data_dev0-0 out
      all outputs: also the page out/PerfWeb/result.html, the workbook and the register texts
  bigtpuprofile cdm_profile_data_dev0-0 out --perfetto --trace_file torch_trace.json.gz
      the same with the operators of the host in the trace
  bigtpuprofile cdm_profile_data_dev0-0 cdm_profile_data_dev1-0 out --perfetto
      several devices: one trace and one table of all, and the results of each dump in its own directory
  bigtpuprofile run out --perfetto
      the same for all dumps in the directory run
  bigtpuprofile cdm_profile_data_dev0-0 out --strict || echo 'data was lost'
      for scripts: exit code 3 if the dump is incomplete

Options may be written with underscores or hyphens: --trace_file and --trace-file are the same.
Write ./synth for a dump directory with the name of a command.

Exit codes: 0 ok, 1 error, 2 invalid command line, 3 finished but data was lost (with --strict), \
    4 a limit failed (diff --fail-on).";

/// Shows where the time of a TPU run went: analyzes the PMU dump of the runtime.
#[derive(Debug, Parser)]
#[command(
    name = "bigtpuprofile",
    // Whatever the file is called: commands that the help shows are the ones of the documents.
    bin_name = "bigtpuprofile",
    version,
    after_help = AFTER_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) analyze: analyze::Args,
}

/// The command line of this process; ends it on wrong usage, `--help` and `--version`.
pub(crate) fn parse(given: Vec<OsString>) -> Cli {
    let defaults = Defaults::from_program(given.first().map(OsString::as_os_str));
    let given = match defaults {
        Defaults::Own => lang::behind_command(Cli::command, given),
        Defaults::BigTpuProfile(_) => with_directories(given),
        Defaults::TpuProfile(_) => {
            return tpu_profile::parse(given.clone()).unwrap_or_else(|error| end(&error, &given));
        }
    };
    let mut cli = parsed(&given).unwrap_or_else(|error| end(&error, &given));
    cli.analyze.options.views.set_defaults(defaults);
    if let Some(Command::Batch(batch)) = &mut cli.command {
        batch.views.set_defaults(defaults);
    }
    cli
}

pub(crate) fn parsed(written: &[OsString]) -> Result<Cli, clap::Error> {
    // Describing all commands takes half of the time of a start: it is done once.
    let mut command = Cli::command();
    suggest::check(&mut command, written)?;
    foreign::check(&mut command, written)?;
    let given = prefix::completed(&command, written.iter().cloned())?;
    let command = if wants_short_help(&given) { groups::folded(command) } else { command };
    // Only a help text lists the commands.
    let shows_help =
        given.iter().skip(1).all(|arg| arg.to_string_lossy().starts_with('-') || arg == "help");
    let mut command =
        if shows_help { groups::grouped(command, Language::English) } else { command };
    let matches = command.try_get_matches_from_mut(given)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    match &cli.command {
        Some(Command::Explain(args)) => args.check(&mut command)?,
        None => suggest::check_word(&mut command, written)?,
        Some(_) => {}
    }
    Ok(cli)
}

fn wants_short_help(given: &[OsString]) -> bool {
    given.iter().any(|arg| arg == "-h")
}

/// Ends the process with a message. It quotes arguments, which a shell may have made of the names of files.
fn end(error: &clap::Error, given: &[OsString]) -> ! {
    if lang::of_process() == Language::Chinese {
        end_in_chinese(error, given);
    }
    let plain = |arg: &OsString| Untrusted::from(arg.as_os_str()).line().to_string();
    if given.iter().all(|arg| *arg.as_os_str() == *plain(arg)) {
        error.exit();
    }
    let quoted: Vec<OsString> = given.iter().map(|arg| plain(arg).into()).collect();
    let said = parsed(&quoted).err().map(|error| error.render().to_string());
    let said = said.unwrap_or_else(|| plain(&error.render().to_string().into()));
    // The arguments in it are single lines.
    standard::note(&Text::laid_out(said.trim_end()));
    std::process::exit(error.exit_code())
}

/// As [`end`], in Chinese. A help text is that of the command with Chinese texts; the arguments are the same.
fn end_in_chinese(error: &clap::Error, given: &[OsString]) -> ! {
    let wants_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    let help = if wants_help { chinese_help(given) } else { None };
    let error = help.as_ref().unwrap_or(error);
    if error.use_stderr() {
        // Arguments that it quotes may be names of files, with anything in them.
        standard::note(&Text::laid_out(chinese::said(error, false).trim_end()));
    } else {
        let has_style = standard::are_terminals()[0];
        let _ = standard::own(chinese::said(error, has_style).as_bytes());
    }
    std::process::exit(error.exit_code())
}

/// What clap says where the arguments ask for help, with Chinese texts.
fn chinese_help(given: &[OsString]) -> Option<clap::Error> {
    let command = Cli::command();
    let given = prefix::completed(&command, given.iter().cloned()).ok()?;
    let command = if wants_short_help(&given) { groups::folded(command) } else { command };
    let mut command = groups::grouped(chinese::translated(command), Language::Chinese);
    command.try_get_matches_from_mut(given).err()
}

/// bigTpuProfile has no commands: a directory with the name of one is a dump there.
fn with_directories(given: Vec<OsString>) -> Vec<OsString> {
    let command = Cli::command();
    let is_directory = |arg: &OsString| {
        command.find_subcommand(arg).is_some() && std::path::Path::new(arg).is_dir()
    };
    let path = |arg: OsString| match is_directory(&arg) {
        true => std::path::Path::new(".").join(arg).into_os_string(),
        false => arg,
    };
    given.into_iter().map(path).collect()
}

/// Everything but an analysis.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Batch(batch::Args),
    Cluster(Box<cluster::Args>),
    Costs(costs::Args),
    Diff(diff::Args),
    Estimate(Box<estimate::Args>),
    Explain(explain::Args),
    Info(info::Args),
    Open(open::Args),
    Pipeline(Box<pipeline::Args>),
    Query(query::Args),
    Record(Box<record::Args>),
    Search(Box<search::Args>),
    Simulate(simulate::Args),
    Synth(Box<synth::Args>),
    Whatif(whatif::Args),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    /// The terminal's width breaks the lines of a help text, not its source.
    #[test]
    fn lines_of_examples_end_where_a_sentence_ends() {
        let cli = Cli::command();
        let commands = std::iter::once(&cli).chain(cli.get_subcommands());
        let helps = commands.filter_map(|command| {
            Some((command.get_name(), command.get_after_help()?.to_string()))
        });
        let mut checked = 0;
        for (command, help) in helps {
            let indent = |line: &str| line.len() - line.trim_start().len();
            for (line, next) in help.lines().zip(help.lines().skip(1)) {
                let is_one_text =
                    !line.is_empty() && !next.is_empty() && indent(line) == indent(next);
                assert!(
                    !is_one_text || line.ends_with('.'),
                    "{command}: `{line}` goes on in the next line"
                );
                checked += 1;
            }
        }
        assert!(checked > 100, "{checked}");
    }
}
