//! Several dumps in one run: each as by a run of its own, and all of them side by side.

mod dumps;
mod schedule;
mod show;

use std::path::{Path, PathBuf};

use anyhow::Result;
use bigtpu_answers::{DumpIndex, DumpRow};
use bigtpu_emit::{OutDir, Progress, Written};
use bigtpu_emit_perfetto::{Device, MergedTrace};
use bigtpu_emit_report::{REPORT_FILE, index_json};
use bigtpu_emit_text::{SUMMARY_FILE, dumps_text, notes};
use bigtpu_scene::measured;
use bigtpu_timeline::Dump;

use crate::analyze::{Outcome, Session, emit, reduced_note};
use crate::args::analyze::Args;
use crate::console::ignore_broken_pipe;
use crate::{emitters, progress};

pub(crate) use dumps::{Named, find};
use schedule::Schedule;

/// What came of a dump.
struct Done {
    /// Its number among the dumps.
    number: usize,
    row: DumpRow,
    /// Where its own results are.
    directory: PathBuf,
    /// After the dump's name.
    notes: Vec<String>,
    has_loss: bool,
    written: Vec<Written>,
}

/// Analyzes the dumps one after another, so that only one is in memory; each uses all threads.
pub(crate) fn run(args: &Args, dumps: &[Named], output: &Path) -> Result<Outcome> {
    // Those that can't be opened are reported before any work is done.
    let open = |dump: &Named| Dump::open_as(&dump.root, args.views.chip(), dump.iteration);
    let opened: Vec<Dump> = dumps.iter().map(open).collect::<Result<_, _>>()?;
    let progress = progress::progress(args.quiet);
    let session = Session::read(args)?;
    let host = session.host.as_deref();
    let out = OutDir::create(output)?;
    let tails = opened.iter().map(|dump| dump.global.tail_offset_ns);
    let places: Vec<_> = dumps.iter().map(|dump| &dump.name).zip(tails).collect();
    let mut schedule = Schedule::of(&places, host, args.host_align.into());
    let mut trace = match args.views.writes(emitters::TRACE) {
        true => {
            Some(MergedTrace::create(&out, &schedule.time_line.note, args.views.compress_trace)?)
        }
        false => None,
    };
    let mut done = Vec::new();
    for slot in schedule.slots.clone() {
        let mut longest_ns = 0;
        for number in slot {
            let (Some(named), Some(dump)) = (dumps.get(number), opened.get(number)) else {
                continue;
            };
            let job =
                DumpJob { args, session: &session, number, named, dump, progress: &*progress };
            longest_ns = longest_ns.max(job.run(&schedule, &out, trace.as_mut(), &mut done)?);
        }
        schedule.end_slot(longest_ns);
    }
    done.sort_by_key(|done| done.number);
    let mut written = Vec::new();
    if let Some(mut trace) = trace {
        if let Some(host) = host {
            trace.host(host, &*progress)?;
        }
        written.push(trace.finish()?);
    }
    let all_notes: Vec<String> = done.iter().flat_map(|done| done.notes.iter().cloned()).collect();
    let index =
        DumpIndex::new(schedule.time_line, done.iter().map(|done| done.row.clone()).collect());
    written.extend(write_texts(args, &index, &all_notes, &out)?);
    out.publish()?;
    if !args.quiet {
        ignore_broken_pipe(show::show(args, &index, &all_notes, &written, &done))?;
    }
    Ok(if done.iter().any(|done| done.has_loss) { Outcome::Lost } else { Outcome::Whole })
}

/// A dump that is being worked on.
struct DumpJob<'a> {
    args: &'a Args,
    session: &'a Session,
    number: usize,
    named: &'a Named,
    dump: &'a Dump,
    progress: &'a dyn Progress,
}

impl DumpJob<'_> {
    /// Writes the dump's own results, and its tracks into the trace of all; returns the ns that it took.
    fn run(
        &self,
        schedule: &Schedule,
        out: &OutDir,
        trace: Option<&mut MergedTrace>,
        done: &mut Vec<Done>,
    ) -> Result<i64> {
        let Self { args, session, number, named, dump, progress } = *self;
        let name = &named.name;
        let (profile, analysis) = session.analyze(args, dump);
        let config = session.config(args, dump);
        let selection = args.views.selection(profile.event_count());
        let emitters = emitters::pick(&selection.emitters, &config);
        let own = out.below(&name.directory);
        let scene = measured(&profile, &analysis, config.layers.as_deref());
        let written = emit(&emitters, &profile, &analysis, &scene, &own, progress)?;
        let end = profile.latest_end;
        let start_ns = schedule.start_ns(session.host.as_deref(), profile.tail_offset_ns, end);
        if let Some(trace) = trace {
            let (profile, analysis) = (&profile, &analysis);
            let layers = config.layers.as_deref();
            let device =
                Device { name: &name.name, profile, analysis, scene: &scene, layers, start_ns };
            trace.device(device, progress)?;
        }
        let mut notes = notes(&profile);
        notes.extend(reduced_note(&selection, profile.event_count()));
        done.push(Done {
            number,
            directory: own.path().to_owned(),
            row: DumpRow::of(name.clone(), start_ns, &analysis.report),
            notes: notes.iter().map(|note| format!("{}: {note}", name.name)).collect(),
            has_loss: profile.ledger.has_loss(),
            written,
        });
        Ok(end)
    }
}

/// The index and the summary of all, as far as they are asked for.
fn write_texts(
    args: &Args,
    index: &DumpIndex,
    notes: &[String],
    out: &OutDir,
) -> Result<Vec<Written>> {
    let texts = [
        (emitters::SUMMARY, SUMMARY_FILE, dumps_text(index, notes)),
        (emitters::REPORT, REPORT_FILE, index_json(index)),
    ];
    let mut written = Vec::new();
    for (_, name, text) in texts.iter().filter(|(emitter, ..)| args.views.writes(emitter)) {
        let mut file = out.file(name)?;
        file.append(text.as_bytes())?;
        written.push(file.commit()?);
    }
    Ok(written)
}
