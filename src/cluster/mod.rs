//! `bigtpuprofile cluster`: many devices as one run.

mod show;

use std::path::{Path, PathBuf};

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Message, message};
use bigtpu_output::{Lines, Text, text};
use bigtpu_session::Inputs;
use bigtpu_session::cluster::{Call, ClusterParts, report, write_part};

use crate::args::cluster::{Args, Command, JoinArgs, PartArgs};
use crate::console::ignore_broken_pipe;
use crate::console::note;
use crate::exit;
use crate::exit::failed;
use crate::threads::{self, Caller};

/// Analyzes dumps, takes a part, or joins parts.
pub(crate) fn run(args: &Args) -> Result<u8> {
    match &args.command {
        Some(Command::Part(args)) => part(args).map(|()| exit::OK),
        Some(Command::Join { paths, join }) => {
            threads::start(join.jobs, Caller::Works)?;
            let (parts, out) = split(paths)?;
            joined(ClusterParts::read(parts), out, join)
        }
        None => {
            threads::start(args.join.jobs, Caller::Works)?;
            let (runs, out) = split(&args.paths)?;
            let inputs = Inputs::open(&runs.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
            let parts =
                ClusterParts::of_dumps(&inputs.paths, out, args.join.call).map_err(|error| {
                    failed(Message::displayed(&error).renamed(&|text| inputs.named(text)))
                })?;
            joined(parts.named(|text| inputs.named(text)), out, &args.join)
        }
    }
}

/// The inputs and, last, the directory for the results.
fn split(paths: &[PathBuf]) -> Result<(&[PathBuf], &Path)> {
    match paths {
        [inputs @ .., out] if !inputs.is_empty() => Ok((inputs, out)),
        _ => Err(failed(Message::new("error-no-output"))),
    }
}

/// Takes one dump's part.
fn part(args: &PartArgs) -> Result<()> {
    threads::start(args.jobs, Caller::Works)?;
    let (part, written) = write_part(&args.request())?;
    if !args.quiet {
        let line = message!(
            "cluster-part-written",
            path = written.path.display().to_string(),
            bytes = written.bytes,
            events = part.events,
            commands = part.command_count()
        );
        ignore_broken_pipe(print(&text!("{}\n", line.text(args.lang.language()))))?;
    }
    Ok(())
}

/// Joins the parts of each call and shows the reports.
fn joined(parts: ClusterParts, out: &Path, args: &JoinArgs) -> Result<u8> {
    let calls = report(parts, out, &args.request(), &note)?;
    for call in &calls {
        if args.json {
            ignore_broken_pipe(standard::json(&call.report).map_err(Into::into))?;
        } else if !args.quiet {
            ignore_broken_pipe(print(&show::text(call, args.lang.language())))?;
        }
    }
    let is_whole = calls.iter().all(Call::is_complete);
    Ok(exit::joined(is_whole, args.strict, args.quiet))
}

fn print(text: &Text<Lines>) -> Result<()> {
    Ok(standard::lines(text)?)
}
