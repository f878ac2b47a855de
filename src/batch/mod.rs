//! `bigtpuprofile batch`: all dumps below a directory.

mod budget;
mod data_set;
mod entry;
mod find;
mod fingerprint;
mod identity;
pub(crate) mod index;
mod merge;
mod work;

pub(crate) use find::dumps;

use std::process::ExitCode;

use anyhow::Result;
use bigtpu_output::{Text, put};
use bigtpu_session::{Settings, output_directory, views};

use crate::args::batch::Args;
use crate::batch::entry::{Entry, Status};
use crate::console::ignore_broken_pipe;
use crate::standard;
use crate::threads::Caller;
use crate::{exit, threads};

/// Analyzes the dumps that are not done yet, and writes the index of all.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    threads::start(args.jobs, Caller::Waits)?;
    let mut found = find::dumps(&args.root, &args.out, args.views.iteration)?;
    if !args.only.is_empty() {
        found.keep(&args.only, &args.root)?;
    }
    if args.views.writes(views::EVENTS) {
        data_set::check(&args.root, &found.dumps)?;
    }
    let earlier = merge::earlier(args, &found.dumps)?;
    let out = output_directory(&args.out)?;
    let settings = Settings { hardware: args.roofs.read()?, ..args.views.settings() };
    let outcomes = work::all(args, &out, &settings.into(), &found.dumps);
    let skipped = outcomes.iter().filter(|outcome| outcome.is_old).count();
    let mut entries: Vec<Entry> = outcomes.into_iter().map(|outcome| outcome.entry).collect();
    let count = |status| entries.iter().filter(|entry| entry.status == status).count();
    let (all, lost, failed) = (entries.len(), count(Status::Lost), count(Status::Failed));
    let errors: Vec<String> = entries.iter().filter_map(|entry| entry.error.clone()).collect();
    entries.extend(earlier.dumps);
    entries.sort_by_key(|entry| entry.status.rank());
    let mut roots = earlier.roots;
    roots.insert(merge::source(&args.root));
    let written = match args.only.is_empty() {
        true => index::write(&args.root, &roots, &entries, &found.skipped, &out)?.into(),
        false => Vec::new(),
    };
    // A reader of stderr that went away is no reason to stop.
    let mut err = standard::err();
    for text in &found.skipped {
        let _ = put!(err, "warning: {}\n", text);
    }
    for error in &errors {
        let _ = put!(err, "error: {}\n", error);
    }
    if !args.quiet {
        let done = all - skipped - failed;
        let mut lines = Text::new();
        put!(
            lines,
            "{} dumps: {} analyzed, {} unchanged, {} failed; {} with lost data\n",
            all,
            done,
            skipped,
            failed,
            lost
        );
        for file in &written {
            put!(lines, "  {}\n", file.path);
        }
        ignore_broken_pipe(standard::lines(&lines).map_err(Into::into))?;
    }
    Ok(match (failed, lost) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => exit::analyzed(crate::analyze::Outcome::Lost, args.strict, args.quiet),
        _ => ExitCode::from(exit::ERROR),
    })
}
