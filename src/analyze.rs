//! One run: open, analyze, emit, report.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use bigtpu_analysis::Analysis;
use bigtpu_emit::{Emitter, Input, OutDir, Progress, Written};
use bigtpu_host_trace::{HostTrace, ReadOptions};
use bigtpu_layers::Layers;
use bigtpu_timeline::{Dump, Options, Profile};
use rayon::prelude::*;

use crate::args::analyze::{Args, HostAlignArg};
use crate::console::Console;
use crate::emitters::{self, Config};
use crate::{hardware, progress};

/// How a run ended.
pub(crate) enum Outcome {
    /// Everything that the runtime and the host wrote is in the results.
    Whole,
    /// Some data was lost; the notes say what.
    Lost,
}

/// Runs the analysis that the arguments ask for.
pub(crate) fn run(args: &Args) -> Result<Outcome> {
    rayon::ThreadPoolBuilder::new().num_threads(args.jobs.into()).build_global().map_err(
        |error| anyhow!("{} threads can't be started ({error}); try --jobs 1", args.jobs),
    )?;
    let input_dir = args.input_dir.as_deref().context("no dump directory was given")?;
    let dump = Dump::open(input_dir)?;
    let progress = progress::progress(args.quiet);
    let reading = progress.task("reading", 0);
    let host = args.trace_file.as_deref().map(|f| HostTrace::open(f, &ReadOptions::default()));
    let host = host.transpose()?.map(Arc::new);
    let out = OutDir::create(&args.output_dir)?;
    let options = Options { tiu_mhz: args.tiu_freq, num_cores: args.num_core };
    let profile = Profile::build(&dump, &options);
    let hardware = args.hw.as_deref().map(hardware::read).transpose()?.unwrap_or_default();
    let analysis = Analysis::of(&profile).with_hardware(hardware);
    drop(reading);
    let host_notes = host_notes(args, host.as_deref(), &profile);
    let host_lost =
        host.as_deref().is_some_and(|h| h.stats.bad > 0 || !h.stats.warnings.is_empty());
    let config = Config {
        host,
        host_align: args.host_align.into(),
        compress_trace: args.compress_trace,
        source: source_name(&dump.root),
        layers: Layers::open(&dump.root).map(Arc::new),
    };
    let emitters = emitters::pick(args, &config);
    let written = emit(&emitters, &profile, &analysis, &out, &*progress)?;
    if !args.quiet {
        let summary = args.perfetto && !args.disable_summary;
        let console = Console { verbose: args.verbose, full: args.full, summary };
        console.notes(&profile, &host_notes);
        if args.json {
            console.json(analysis.report(&profile))?;
        } else {
            console.results(&profile, &analysis)?;
            console.written(&written)?;
        }
    }
    Ok(if host_lost || profile.ledger.has_loss() { Outcome::Lost } else { Outcome::Whole })
}

/// Name of a dump: that of its directory.
fn source_name(root: &Path) -> String {
    let full = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    full.file_name().unwrap_or(full.as_os_str()).to_string_lossy().into_owned()
}

/// Emitters run side by side; their files are listed in the emitters' order.
fn emit(
    emitters: &[Box<dyn Emitter>],
    profile: &Profile<'_>,
    analysis: &Analysis,
    out: &OutDir,
    progress: &dyn Progress,
) -> Result<Vec<Written>> {
    let input = Input { profile, analysis, out, progress };
    let written: Result<Vec<Vec<Written>>, _> =
        emitters.par_iter().map(|emitter| emitter.emit(&input)).collect();
    Ok(written?.into_iter().flatten().collect())
}

/// What is to be said of the host trace.
fn host_notes(args: &Args, host: Option<&HostTrace>, profile: &Profile<'_>) -> Vec<String> {
    let (Some(file), Some(host)) = (&args.trace_file, host) else { return Vec::new() };
    let name = file.display();
    let stats = &host.stats;
    let mut notes = Vec::new();
    if !args.perfetto {
        notes.push(format!("{name}: has no effect without --perfetto"));
    }
    let aligned = host.anchors.device_offset(profile.tail_offset_ns, profile.latest_end).is_some();
    match args.host_align {
        HostAlignArg::Anchors if !aligned => notes.push(format!(
            "{name}: no tpudnn event to go by, so host and device are not aligned: device time starts at 0, host time \
             is the host's own; --host_align start shows both from the same moment"
        )),
        HostAlignArg::Start => notes.push(format!(
            "{name}: device time starts at the host's first event, as asked for; they are not aligned"
        )),
        HostAlignArg::Anchors => {}
    }
    for bad in &stats.first_bad {
        notes.push(format!("{name} at byte {}: an event was left out: {}", bad.offset, bad.why));
    }
    let more = stats.bad.saturating_sub(stats.first_bad.len() as u64);
    if more > 0 {
        notes.push(format!("{name}: {more} more events were left out"));
    }
    for warning in &stats.warnings {
        notes.push(format!("{name} at byte {}: {}", warning.offset, warning.text));
    }
    let unmatched = stats.unmatched_begins + stats.unmatched_ends;
    if unmatched > 0 {
        notes.push(format!("{name}: {unmatched} begins or ends without a partner were left out"));
    }
    notes
}
