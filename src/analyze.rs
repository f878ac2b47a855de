//! One run: open, analyze, write the views, report.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use bigtpu_output::OutDir;
use bigtpu_session::{Session, is_output, output_directory};

use crate::archive::Inputs;
use crate::args::analyze::Args;
use crate::args::views::{MANY_EVENTS, Selection};
use crate::console::{Console, ignore_broken_pipe};
use crate::incumbent::{self, Defaults};
use crate::multi_dump::Named;
use crate::threads::Caller;
use crate::{kept, multi_dump, progress, threads};

/// How a run ended.
pub(crate) enum Outcome {
    /// Everything that the runtime and the host wrote is in the results.
    Whole,
    /// Some data was lost; the notes say what.
    Lost,
}

/// Runs the analysis that the arguments ask for.
pub(crate) fn run(args: &Args) -> Result<Outcome> {
    threads::start(args.jobs, Caller::Works)?;
    let (inputs, output) = args.places();
    let inputs = Inputs::of(&inputs)?;
    analyzed(args, &inputs, output).map_err(|error| inputs.error(error))
}

fn analyzed(args: &Args, inputs: &Inputs, output: &Path) -> Result<Outcome> {
    let paths: Vec<&Path> = inputs.paths.iter().map(PathBuf::as_path).collect();
    let found = multi_dump::find(&paths, args.views.iteration);
    if !args.quiet {
        let notes: Vec<String> = found.notes.iter().map(|note| inputs.named(note)).collect();
        Console::of(args).notes(&notes);
    }
    match found.dumps.as_slice() {
        [dump] => single(args, dump, output),
        _ if args.cut.is_any() => {
            bail!("--window and --kernel cut the trace of one dump; give one of the dumps alone")
        }
        dumps => multi_dump::run(args, dumps, output),
    }
}

fn single(args: &Args, input: &Named, output: &Path) -> Result<Outcome> {
    // A dump that can't be opened is reported before any other file is read.
    let dump = Session::from(args.views.settings()).open(&input.root, input.iteration)?;
    let progress = progress::progress(args.quiet);
    let reading = progress.task("reading", 0);
    let session = Session::from(args.settings()?);
    let out = output_directory(output)?;
    let mut run = session.analyze(&dump);
    drop(reading);
    let cut = args.cut.apply(&mut run)?;
    let events = run.profile.event_count();
    let selection = args.views.selection(events);
    let written = run.write(&selection.views, None, &out, &*progress)?;
    let removed = publish(args, &kept::of(args, &session, std::slice::from_ref(input)), &out)?;
    if !args.quiet {
        let console = Console::of(args);
        let mut notes = run.notes();
        notes.extend(reduced_note(&selection, events));
        notes.extend(cut);
        notes.extend(removed);
        console.notes(&notes);
        let shown = if args.json {
            console.json(&run.analysis.report)
        } else if args.views.defaults == Defaults::Incumbent037 {
            incumbent::show(run.profile.chip.name, &run.analysis.summary, &written)
        } else {
            console.results(&run.profile, &run.analysis).and_then(|()| console.written(&written))
        };
        ignore_broken_pipe(shown)?;
    }
    Ok(if run.has_loss() { Outcome::Lost } else { Outcome::Whole })
}

/// Publishes the results in place of those of other dumps, versions and options, and says what of these was removed;
/// `of`: what they depend on. Under bigTpuProfile's name, its files only: the list of files, by which the next analysis
/// knows what to remove, is none of them.
pub(crate) fn publish(args: &Args, of: &str, out: &OutDir) -> Result<Option<String>> {
    match args.views.defaults {
        Defaults::Own => Ok(kept::removed_note(&out.publish_instead(of, is_output)?)),
        Defaults::Incumbent037 => {
            out.publish()?;
            Ok(None)
        }
    }
}

/// What a run says when it leaves out views because the dump is large.
pub(crate) fn reduced_note(selection: &Selection<'_>, events: usize) -> Option<String> {
    selection.is_reduced.then(|| {
        format!(
            "note: {events} events: the workbook and the register texts are left out above {MANY_EVENTS}; \
             --enable_doc writes them"
        )
    })
}
