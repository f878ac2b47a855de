//! One run: open, analyze, write the views, report.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use bigtpu_session::dumps::{Named, find};
use bigtpu_session::{Inputs, ResultsOf, Session, output_directory, remark, views};

use crate::args::analyze::Args;
use crate::console::{Console, ignore_broken_pipe};
use crate::incumbent::{self, Defaults};
use crate::threads::Caller;
use crate::{multi_dump, progress, threads};

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
    analyzed(args, &inputs, output).map_err(|error| match inputs.has_archives() {
        true => anyhow!(inputs.named(&error.to_string())),
        false => error,
    })
}

fn analyzed(args: &Args, inputs: &Inputs, output: &Path) -> Result<Outcome> {
    let paths: Vec<&Path> = inputs.paths.iter().map(PathBuf::as_path).collect();
    let mut found = find(&paths, args.views.iteration);
    for dump in &mut found.dumps {
        dump.shown = inputs.named(&dump.shown);
    }
    if !args.quiet {
        let notes: Vec<String> = found.notes.iter().map(|note| inputs.named(note)).collect();
        Console::of(args).notes(&notes);
    }
    match found.dumps.as_slice() {
        [dump] => single(args, dump, output),
        _ if args.cut.request().is_any() => {
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
    let request = args.cut.request();
    let cut = request.apply(&mut run)?;
    let events = run.profile.event_count();
    let choice = args.views.choice();
    let selection = choice.of_events(events);
    let is_own = args.views.defaults == Defaults::Own;
    let dumps = std::slice::from_ref(input);
    let (written, results) = rayon::join(
        || run.write(&selection.views, None, &out, &*progress),
        || is_own.then(|| ResultsOf::new(&session, &request, dumps)),
    );
    let written = written?;
    // Under bigTpuProfile's name, its files only: the list of files, by which the next analysis knows what to remove, is
    // none of them.
    let removed = match results {
        Some(results) => results.publish(&out)?,
        None => {
            out.publish()?;
            None
        }
    };
    if !args.quiet {
        let console = Console::of(args);
        // What was removed is said first: the console shows a few notes only.
        let language = args.lang.language();
        let remark = |note| remark(note, language);
        let mut notes = Vec::from_iter(removed.map(remark));
        notes.extend(run.notes(language, args.verbose));
        let light = run.trace_note().filter(|_| selection.views.contains(&views::TRACE));
        notes.extend(selection.note().into_iter().chain(light).chain(cut).map(remark));
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
