//! One run: open, analyze, write the views, report.

use std::path::{Path, PathBuf};

use anyhow::Result;
use bigtpu_format::Files;
use bigtpu_messages::Message;
use bigtpu_session::dumps::{Named, find};
use bigtpu_session::{Inputs, ResultsOf, Session, output_directory, remark};

use crate::args::analyze::{Args, Options};
use crate::console::{Console, ignore_broken_pipe};
use crate::exit::failed;
use crate::incumbent::{self, Defaults};
use crate::threads::Caller;
use crate::{multi_dump, progress, threads};

/// How an analysis ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// Some data was lost; the notes say what. Else everything that the runtime and the host wrote is in the results.
    pub(crate) has_loss: bool,
    /// The run's length, of several dumps that of the longest one.
    pub(crate) wall_ns: i64,
}

/// Runs the analysis that the arguments ask for.
pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let (inputs, output) = args.places();
    threads::start(args.options.jobs, Caller::Works)?;
    analyze(&args.options, &inputs, output)
}

/// Analyzes dumps, archives, or directories of dumps.
pub(crate) fn analyze(options: &Options, inputs: &[&Path], output: &Path) -> Result<Outcome> {
    let inputs = Inputs::open(inputs)?;
    analyzed(options, &inputs, output).map_err(|error| match inputs.has_archives() {
        true => failed(Message::displayed(&error).renamed(&|text| inputs.named(text))),
        false => error,
    })
}

fn analyzed(options: &Options, inputs: &Inputs, output: &Path) -> Result<Outcome> {
    let paths: Vec<&Path> = inputs.paths.iter().map(PathBuf::as_path).collect();
    let mut found = find(&Files::default(), &paths, options.views.iteration);
    for dump in &mut found.dumps {
        dump.shown = inputs.named(&dump.shown);
    }
    if !options.quiet {
        let (remarks, language) = (found.remarks(), options.lang.language());
        let notes: Vec<String> =
            remarks.iter().map(|note| inputs.named(&note.text(language))).collect();
        Console::new(options).notes(&notes);
    }
    match found.dumps.as_slice() {
        [dump] => single(options, dump, output),
        _ if options.cut.request().is_any() => Err(failed(Message::new("error-cut-of-several"))),
        dumps => multi_dump::run(options, dumps, output),
    }
}

fn single(options: &Options, input: &Named, output: &Path) -> Result<Outcome> {
    // A dump that can't be opened is reported before any other file is read.
    let dump = Session::from(options.views.settings()).open(&input.root, input.iteration)?;
    let progress = progress::progress(options.quiet);
    let reading = progress.task("reading", 0);
    let session = Session::from(options.settings()?);
    let out = output_directory(output)?;
    let mut run = session.analyze(&dump);
    if !options.quiet {
        // The console shows them.
        run = run.answered();
    }
    drop(reading);
    let request = options.cut.request();
    let cut = request.apply(&mut run)?;
    let events = run.profile.event_count();
    let choice = options.views.choice_of(run.profile.chip);
    let selection = choice.of_events(events);
    let is_own = options.views.defaults == Defaults::Own;
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
    if !options.quiet {
        let console = Console::new(options);
        // What was removed is said first: the console shows a few notes only.
        let language = options.lang.language();
        let remark = |note| remark(note).text(language);
        let mut notes = Vec::from_iter(removed.map(remark));
        notes.extend(run.notes(language, options.verbose));
        notes.extend(run.notes_of_views(&selection).chain(cut).map(remark));
        console.notes(&notes);
        let shown = if options.json {
            console.json(run.report())
        } else if options.views.defaults.is_big_tpu_profile() {
            incumbent::show(run.profile.chip.name, run.analysis.summary(&run.profile), &written)
        } else {
            console.results(&run.profile, &run.analysis).and_then(|()| console.written(&written))
        };
        ignore_broken_pipe(shown)?;
    }
    let wall_ns = run.analysis.wall_ns(&run.profile);
    Ok(Outcome { has_loss: run.has_loss(), wall_ns })
}
