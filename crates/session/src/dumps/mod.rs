//! Several dumps in one run: each as by a run of its own, and all of them side by side.

mod clocks;
mod find;
mod schedule;

use std::collections::BTreeMap;
use std::path::PathBuf;

use bigtpu_answers::{DumpIndex, DumpRow, counted};
use bigtpu_emit::Progress;
use bigtpu_emit::report::{REPORT_FILE, index_json};
use bigtpu_emit_cluster::PAGE_FILE as CLUSTER_PAGE;
use bigtpu_emit_perfetto::{MergedOptions, MergedTrace, TRACE_FILE, TraceDetail};
use bigtpu_emit_text::{DUMPS_PAGE, KernelTimes, SUMMARY_FILE, dumps_page, dumps_text};
use bigtpu_messages::Language;
use bigtpu_output::{Json, OutDir, OutputError, Written};
use bigtpu_timeline::{Dump, OpenError};

use crate::choice::Choice;
use crate::cut::CutRequest;
use crate::detail;
use crate::kept::ResultsOf;
use crate::note::remark;
use crate::settings::Session;
use crate::views;
use clocks::Proved;
use schedule::Schedule;

pub use find::{DumpsError, Found, Named, find, open_only};

/// Several dumps that were opened.
#[derive(Debug)]
pub struct Several<'a> {
    dumps: &'a [Named],
    opened: Vec<Dump>,
}

/// What became of several dumps.
#[derive(Debug)]
pub struct Analyzed {
    /// A row of each, and how they lie on one time line.
    pub index: DumpIndex,
    /// What is to be said of them.
    pub notes: Vec<String>,
    /// Files of all dumps together.
    pub written: Vec<Written>,
    /// Files of each dump.
    pub own: Vec<OwnFiles>,
    /// Whether data of any was lost.
    pub has_loss: bool,
}

/// Files of one dump.
#[derive(Debug)]
pub struct OwnFiles {
    /// Where they are.
    pub directory: PathBuf,
    /// The files.
    pub written: Vec<Written>,
}

/// The result of a dump.
struct Done {
    /// Its number among the dumps.
    number: usize,
    row: DumpRow,
    kernels: KernelTimes,
    /// After the dump's name.
    notes: Vec<String>,
    has_loss: bool,
    files: OwnFiles,
}

impl<'a> Several<'a> {
    /// Opens the dumps: those that can't be are reported before any work is done.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub fn open(dumps: &'a [Named], session: &Session) -> Result<Self, OpenError> {
        let open = |dump: &Named| session.open(&dump.root, dump.iteration);
        Ok(Self { dumps, opened: dumps.iter().map(open).collect::<Result<_, _>>()? })
    }

    /// The opened dumps.
    pub(crate) fn opened(&self) -> &[Dump] {
        &self.opened
    }

    /// Analyzes the dumps one after another, so that only one is in memory; each uses all threads. `replaces`: results of
    /// other dumps, versions and options in the output directory are removed.
    ///
    /// # Errors
    /// [`OutputError`] when a file can't be written.
    pub fn run(
        &self,
        session: &Session,
        choice: &Choice,
        (out, replaces): (&OutDir, bool),
        progress: &dyn Progress,
    ) -> Result<Analyzed, OutputError> {
        let Self { dumps, opened } = self;
        let host = session.host_trace();
        let tails = opened.iter().map(|dump| dump.global.tail_offset_ns);
        let places: Vec<_> = dumps.iter().map(|dump| &dump.name).zip(tails).collect();
        let align = session.settings().host.as_ref().map(|host| host.align).unwrap_or_default();
        let mut schedule = Schedule::new(&places, host, align);
        let proved: Vec<Proved> = match schedule.is_anchored() {
            true => Vec::new(),
            false => {
                let slots = schedule.slots.iter();
                slots.filter_map(|slot| Proved::from_links(slot, dumps, opened, session)).collect()
            }
        };
        if let [first, ..] = proved.as_slice() {
            schedule.prove(proved.iter().flat_map(Proved::starts).collect(), first.note());
        }
        let waits: BTreeMap<usize, i64> = proved.iter().flat_map(Proved::waits).collect();
        let (asked, records) = (session.settings().trace_detail, detail::records(opened));
        let mut trace = match choice.writes(views::TRACE) {
            true => Some(MergedTrace::create(
                out,
                MergedOptions {
                    file: TRACE_FILE,
                    title: &counted(dumps.len(), "dump"),
                    time_line: &schedule.time_line.note,
                    compress: session.settings().compress_trace,
                    detail: asked.unwrap_or(TraceDetail::of_commands(records)),
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
                let job = DumpJob { choice, session, number, named, dump, progress };
                let end = job.run(&schedule, out, trace.as_mut(), &mut done)?;
                longest_ns = longest_ns.max(end);
            }
            schedule.end_slot(longest_ns);
        }
        done.sort_by_key(|done| done.number);
        for done in &mut done {
            done.row.wait(waits.get(&done.number).copied().unwrap_or(0));
        }
        let mut written = Vec::new();
        if let Some(mut trace) = trace {
            if let Some(host) = host {
                trace.host(host, progress)?;
            }
            written.push(trace.finish()?);
        }
        let language = session.settings().language;
        let mut all_notes: Vec<String> =
            done.iter().flat_map(|done| done.notes.iter().cloned()).collect();
        let index =
            DumpIndex::new(schedule.time_line, done.iter().map(|done| done.row.clone()).collect());
        written.extend(write_texts(choice, &index, &all_notes, language, out)?);
        if choice.writes(views::TRACE) {
            let light = detail::note(asked, records, false);
            all_notes.extend(light.map(|note| remark(note).text(language)));
        }
        let several = proved.len() > 1;
        let mut pages = Vec::new();
        for proved in &proved {
            let (place, page) = if several {
                let call = format!("call-{}", proved.call());
                (out.subdirectory(&call), format!("{call}/{CLUSTER_PAGE}"))
            } else {
                (out.clone(), CLUSTER_PAGE.to_owned())
            };
            written.extend(proved.write(dumps, choice, &page, &place)?);
            pages.push(page);
        }
        if choice.writes(views::PAGE) {
            let kernels: Vec<KernelTimes> = done.iter().map(|done| done.kernels.clone()).collect();
            let page = dumps_page(&index, &kernels, views::PAGE_FILE, &pages);
            written.push(out.write(DUMPS_PAGE, &page)?);
        }
        if replaces {
            let removed = ResultsOf::new(session, &CutRequest::default(), dumps).publish(out)?;
            // The first: a console shows a few.
            all_notes.splice(0..0, removed.map(|note| remark(note).text(language)));
        } else {
            out.publish()?;
        }
        let has_loss = done.iter().any(|done| done.has_loss);
        let own = done.into_iter().map(|done| done.files).collect();
        Ok(Analyzed { index, notes: all_notes, written, own, has_loss })
    }
}

/// A dump that is being worked on.
struct DumpJob<'a> {
    choice: &'a Choice,
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
    ) -> Result<i64, OutputError> {
        let Self { choice, session, number, named, dump, progress } = *self;
        let name = &named.name;
        let run = session.analyze(dump).answered();
        let events = run.profile.event_count();
        let selection = choice.of_events(events);
        let own = out.subdirectory(&name.directory);
        let written = run.write(&selection.views, None, &own, progress)?;
        let end = run.profile.latest_end;
        let tail = run.profile.tail_offset_ns;
        let start_ns = schedule.start_ns(number, session.host_trace(), tail, end);
        if let Some(trace) = trace {
            trace.device(run.device(&name.name, start_ns), progress)?;
        }
        let language = session.settings().language;
        let mut notes = run.notes(language, false);
        notes.extend(selection.note().map(|note| remark(note).text(language)));
        done.push(Done {
            number,
            row: DumpRow::from_report(name.clone(), start_ns, run.report()),
            kernels: {
                let kernels = run.report().kernels.iter();
                kernels.map(|kernel| (kernel.kernel.clone(), kernel.total_ns)).collect()
            },
            notes: notes.iter().map(|note| format!("{}: {note}", name.name)).collect(),
            has_loss: run.has_loss(),
            files: OwnFiles { directory: own.path().to_owned(), written },
        });
        Ok(end.saturating_add(schedule.offset_ns(number)))
    }
}

/// The index and the summary of all, as far as they are asked for.
fn write_texts(
    choice: &Choice,
    index: &DumpIndex,
    notes: &[String],
    language: Language,
    out: &OutDir,
) -> Result<Vec<Written>, OutputError> {
    let mut written = Vec::new();
    if choice.writes(views::SUMMARY) {
        written.push(out.write(SUMMARY_FILE, &dumps_text(index, notes, language))?);
    }
    if choice.writes(views::REPORT) {
        written.push(out.write(REPORT_FILE, &Json::in_file(&index_json(index)))?);
    }
    Ok(written)
}
