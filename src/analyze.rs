//! One run: open, analyze, emit, report.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use bigtpu_answers::Analysis;
use bigtpu_emit::{EmitError, Emitter, Input, OutDir, Progress, Written};
use bigtpu_emit_text::notes;
use bigtpu_hardware::Overrides;
use bigtpu_host_trace::{HostTrace, ReadOptions};
use bigtpu_layers::Layers;
use bigtpu_scene::{Scene, measured};
use bigtpu_timeline::{Dump, Profile};
use rayon::prelude::*;

use crate::args::analyze::Args;
use crate::args::views::{MANY_EVENTS, Selection};
use crate::console::{Console, ignore_broken_pipe};
use crate::dump_name::source_name;
use crate::emitters::{self, Config};
use crate::host_notes::host_notes;
use crate::incumbent::{self, Defaults};
use crate::multi_dump::Named;
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
    threads::start(args.jobs)?;
    let (inputs, output) = args.places();
    let found = multi_dump::find(&inputs, args.views.iteration);
    if !args.quiet {
        Console::of(args).notes(&found.notes);
    }
    match found.dumps.as_slice() {
        [dump] => single(args, dump, output),
        dumps => multi_dump::run(args, dumps, output),
    }
}

fn single(args: &Args, input: &Named, output: &Path) -> Result<Outcome> {
    let dump = Dump::open_as(&input.root, args.views.chip(), input.iteration)?;
    let progress = progress::progress(args.quiet);
    let reading = progress.task("reading", 0);
    let session = Session::read(args)?;
    let out = OutDir::create(output)?;
    let (profile, analysis) = session.analyze(args, &dump);
    drop(reading);
    let config = session.config(args, &dump);
    let selection = args.views.selection(profile.event_count());
    let emitters = emitters::pick(&selection.emitters, &config);
    let scene = measured(&profile, &analysis, config.layers.as_deref());
    let written = emit(&emitters, &profile, &analysis, &scene, &out, &*progress)?;
    out.publish()?;
    if !args.quiet {
        let console = Console::of(args);
        let mut notes = notes(&profile);
        notes.extend(reduced_note(&selection, profile.event_count()));
        console.notes(&notes);
        let told = if args.json {
            console.json(&analysis.report)
        } else if args.views.defaults == Defaults::Incumbent037 {
            incumbent::show(profile.chip.name, &analysis.summary, &written)
        } else {
            console.results(&profile, &analysis).and_then(|()| console.written(&written))
        };
        ignore_broken_pipe(told)?;
    }
    Ok(if profile.ledger.has_loss() { Outcome::Lost } else { Outcome::Whole })
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

/// What every dump of the run shares, read once: the host trace and roofs.
pub(crate) struct Session {
    /// The host trace.
    pub(crate) host: Option<Arc<HostTrace>>,
    /// Roofs that replace those of the chip.
    hardware: Overrides,
}

impl Session {
    /// Reads the files that the arguments name.
    pub(crate) fn read(args: &Args) -> Result<Self> {
        let open = |file| HostTrace::open(file, &ReadOptions::default());
        let host = args.trace_file.as_deref().map(open).transpose()?.map(Arc::new);
        let hardware = args.roofs.read()?;
        Ok(Self { host, hardware })
    }

    /// Analyzes a dump.
    pub(crate) fn analyze<'d>(&self, args: &Args, dump: &'d Dump) -> (Profile<'d>, Analysis) {
        let mut profile = Profile::build(dump, &args.views.options());
        if let (Some(file), Some(host)) = (&args.trace_file, &self.host) {
            let notes = host_notes(file, host, args.host_align, &profile);
            profile.ledger.notes.extend(notes);
        }
        let analysis = Analysis::with_hardware(&profile, &self.hardware);
        (profile, analysis)
    }

    /// What the dump's emitters are configured with.
    pub(crate) fn config(&self, args: &Args, dump: &Dump) -> Config {
        Config {
            host: self.host.clone(),
            host_align: args.host_align.into(),
            compress_trace: args.views.compress_trace,
            source: source_name(&dump.root),
            layers: Layers::open(&dump.root).map(Arc::new),
            partition: None,
        }
    }
}

/// Emitters run side by side; their files are listed in the emitters' order.
pub(crate) fn emit(
    emitters: &[Box<dyn Emitter>],
    profile: &Profile<'_>,
    analysis: &Analysis,
    scene: &Scene,
    out: &OutDir,
    progress: &dyn Progress,
) -> Result<Vec<Written>> {
    let input = Input { profile, analysis, scene, out, progress };
    let written: Result<Vec<Vec<Written>>, EmitError> =
        emitters.par_iter().map(|emitter| emitter.emit(&input)).collect();
    Ok(written?.into_iter().flatten().collect())
}
