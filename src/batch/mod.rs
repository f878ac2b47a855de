//! `bigtpuprofile batch`: all dumps below a directory.

mod budget;
mod data_set;
mod entry;
mod find;
mod fingerprint;
mod identity;
pub(crate) mod index;
mod merge;
mod root;
mod shard;
mod work;

pub(crate) use find::dumps;
pub(crate) use fingerprint::Content;
pub(crate) use shard::Shard;

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use bigtpu_output::{Text, put};
use bigtpu_session::{Settings, output_directory, views};

use crate::args::batch::Args;
use crate::batch::entry::{Entry, Status};
use crate::batch::root::Root;
use crate::console::ignore_broken_pipe;
use crate::standard;
use crate::threads::Caller;
use crate::{exit, threads};

/// Analyzes the dumps that are not done yet, and writes the index of all.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    threads::start(args.jobs, Caller::Waits)?;
    if args.index {
        return index_only(args);
    }
    let root = Root::of(&args.root)?;
    analyzed(args, &root).map_err(|error| match root.named(error.to_string()) {
        text if text == error.to_string() => error,
        text => anyhow!(text),
    })
}

/// Writes the index of what is there.
fn index_only(args: &Args) -> Result<ExitCode> {
    let mut earlier = shard::gathered(&args.out)?;
    earlier.dumps.sort_by(|a, b| (a.status.rank(), &a.dump).cmp(&(b.status.rank(), &b.dump)));
    let out = output_directory(&args.out)?;
    let roots = shard::roots(&earlier, args.root.display().to_string());
    let written = index::write(&args.root, &roots, &earlier.dumps, &[], &out)?;
    let has_loss = earlier.dumps.iter().any(|entry| entry.status == Status::Lost);
    if !args.quiet {
        let mut lines = Text::new();
        put!(lines, "{} dumps with results\n", earlier.dumps.len());
        for file in &written {
            put!(lines, "  {}\n", file.path);
        }
        ignore_broken_pipe(standard::lines(&lines).map_err(Into::into))?;
    }
    Ok(match has_loss {
        true => exit::analyzed(crate::analyze::Outcome::Lost, args.strict, args.quiet),
        false => ExitCode::SUCCESS,
    })
}

fn analyzed(args: &Args, root: &Root) -> Result<ExitCode> {
    let mut found = find::dumps(&root.path, &args.out, args.views.iteration)?;
    if !args.only.is_empty() {
        found.keep(&args.only, &root.path)?;
    }
    if args.views.writes(views::EVENTS) {
        data_set::check(&root.path, &found.dumps)?;
    }
    let earlier = merge::earlier(args, root, &found.dumps)?;
    let has_index = args.only.is_empty() && args.shard.is_none();
    if let Some(shard) = args.shard {
        shard.keep(&mut found);
    }
    let out = output_directory(&args.out)?;
    let settings = Settings { hardware: args.roofs.read()?, ..args.views.settings() };
    let outcomes = work::all(args, root, &out, &settings.into(), &found.dumps);
    let skipped = outcomes.iter().filter(|outcome| outcome.is_old).count();
    let mut entries: Vec<Entry> = outcomes.into_iter().map(|outcome| outcome.entry).collect();
    let count = |status| entries.iter().filter(|entry| entry.status == status).count();
    let (all, lost, failed) = (entries.len(), count(Status::Lost), count(Status::Failed));
    let errors: Vec<String> = entries.iter().filter_map(|entry| entry.error.clone()).collect();
    entries.extend(earlier.dumps);
    entries.sort_by_key(|entry| entry.status.rank());
    let mut roots = earlier.roots;
    roots.insert(root.source());
    let skipped_dumps: Vec<String> =
        found.skipped.into_iter().map(|text| root.named(text)).collect();
    let written = match has_index {
        true => index::write(&root.shown, &roots, &entries, &skipped_dumps, &out)?.into(),
        false => Vec::new(),
    };
    // A reader of stderr that went away is no reason to stop.
    let mut err = standard::err();
    for text in &skipped_dumps {
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
