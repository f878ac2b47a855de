//! Several dumps in one run: each as by a run of its own, and all of them side by side.

mod clocks;
mod dumps;
mod schedule;
mod show;

use std::path::{Path, PathBuf};

use anyhow::Result;
use bigtpu_answers::{DumpIndex, DumpRow, counted};
use bigtpu_emit::Progress;
use bigtpu_emit::report::{REPORT_FILE, index_json};
use bigtpu_emit_perfetto::{MergedOptions, MergedTrace, TRACE_FILE};
use bigtpu_emit_text::{DUMPS_PAGE, KernelTimes, SUMMARY_FILE, dumps_page, dumps_text};
use bigtpu_output::{ByLibrary, OutDir, Written};
use bigtpu_session::{Session, output_directory, views};
use bigtpu_timeline::Dump;

use crate::analyze::{Outcome, publish, reduced_note};
use crate::args::analyze::Args;
use crate::console::ignore_broken_pipe;
use crate::{kept, progress};

use clocks::Proved;
pub(crate) use dumps::{Named, find, open_only};
use schedule::Schedule;

/// The result of a dump.
struct Done {
    /// Its number among the dumps.
    number: usize,
    row: DumpRow,
    kernels: KernelTimes,
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
    let reading = Session::from(args.views.settings());
    let open = |dump: &Named| reading.open(&dump.root, dump.iteration);
    let opened: Vec<Dump> = dumps.iter().map(open).collect::<Result<_, _>>()?;
    let progress = progress::progress(args.quiet);
    let session = Session::from(args.settings()?);
    let host = session.host_trace();
    let out = output_directory(output)?;
    let tails = opened.iter().map(|dump| dump.global.tail_offset_ns);
    let places: Vec<_> = dumps.iter().map(|dump| &dump.name).zip(tails).collect();
    let mut schedule = Schedule::of(&places, host, args.host_align.into());
    let proved: Vec<Proved> = match schedule.is_anchored() {
        true => Vec::new(),
        false => {
            let slots = schedule.slots.iter();
            slots.filter_map(|slot| Proved::of(slot, dumps, &opened, &session)).collect()
        }
    };
    if let [first, ..] = proved.as_slice() {
        schedule.prove(proved.iter().flat_map(Proved::starts).collect(), &first.note());
    }
    let mut trace = match args.views.writes(views::TRACE) {
        true => Some(MergedTrace::create(
            &out,
            MergedOptions {
                file: TRACE_FILE,
                title: &counted(dumps.len(), "dump"),
                time_line: &schedule.time_line.note,
                compress: args.views.compress_trace,
                host,
            },
        )?),
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
            let end = job.run(&schedule, &out, trace.as_mut(), &mut done)?;
            longest_ns = longest_ns.max(end);
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
    let mut all_notes: Vec<String> =
        done.iter().flat_map(|done| done.notes.iter().cloned()).collect();
    let index =
        DumpIndex::new(schedule.time_line, done.iter().map(|done| done.row.clone()).collect());
    written.extend(write_texts(args, &index, &all_notes, &out)?);
    let several = proved.len() > 1;
    for proved in &proved {
        let place =
            if several { out.below(&format!("call-{}", proved.call())) } else { out.clone() };
        written.extend(proved.write(dumps, &args.views, &place)?);
    }
    if args.views.writes(views::PAGE) {
        let kernels: Vec<KernelTimes> = done.iter().map(|done| done.kernels.clone()).collect();
        let page = dumps_page(&index, &kernels, views::PAGE_FILE);
        written.push(out.write(DUMPS_PAGE, &page)?);
    }
    let removed = publish(args, &kept::of(args, &session, dumps), &out)?;
    if !args.quiet {
        all_notes.extend(removed);
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
        let run = session.analyze(dump);
        let events = run.profile.event_count();
        let selection = args.views.selection(events);
        let own = out.below(&name.directory);
        let written = run.write(&selection.views, None, &own, progress)?;
        let end = run.profile.latest_end;
        let tail = run.profile.tail_offset_ns;
        let start_ns = schedule.start_ns(number, session.host_trace(), tail, end);
        if let Some(trace) = trace {
            trace.device(run.device(&name.name, start_ns), progress)?;
        }
        let mut notes = run.notes();
        notes.extend(reduced_note(&selection, events));
        done.push(Done {
            number,
            directory: own.path().to_owned(),
            row: DumpRow::of(name.clone(), start_ns, &run.analysis.report),
            kernels: {
                let kernels = run.analysis.report.kernels.iter();
                kernels.map(|kernel| (kernel.kernel.clone(), kernel.total_ns)).collect()
            },
            notes: notes.iter().map(|note| format!("{}: {note}", name.name)).collect(),
            has_loss: run.has_loss(),
            written,
        });
        Ok(end.saturating_add(schedule.offset_ns(number)))
    }
}

/// The index and the summary of all, as far as they are asked for.
fn write_texts(
    args: &Args,
    index: &DumpIndex,
    notes: &[String],
    out: &OutDir,
) -> Result<Vec<Written>> {
    let mut written = Vec::new();
    if args.views.writes(views::SUMMARY) {
        written.push(out.write(SUMMARY_FILE, &dumps_text(index, notes))?);
    }
    if args.views.writes(views::REPORT) {
        written.push(out.write(REPORT_FILE, &ByLibrary(index_json(index).as_bytes()))?);
    }
    Ok(written)
}
