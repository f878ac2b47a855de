//! What a dump is: its chip and clocks, its files with their records and blocks, what is wrong, and whether it is
//! complete.

mod files;
mod ring;

use std::path::Path;

use bigtpu_answers::counted;
use bigtpu_chip::Chip;
use bigtpu_emit_text::{completeness_text, note_line};
use bigtpu_format::Files;
use bigtpu_messages::Language;
use bigtpu_output::Table;
use bigtpu_timeline::{Clocks, Dump, Note, OpenError, Options, Profile, Severity, Survey};

use crate::dumps::{self, Named};
use crate::settings::{Session, Settings};

pub use ring::Ring;

/// Losses beyond those of the headers that are shown.
const MOST_LOSSES: usize = 20;

/// What is wanted of a dump.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The dumps' directory, or a directory of such.
    pub dump: &'a Path,
    /// Which iteration of libsophon's container; all without it.
    pub iteration: Option<u32>,
    /// Chip of dumps that name none.
    pub chip: Option<&'static Chip>,
    /// Only the heads of files and blocks are read, no records and no commands.
    pub only_headers: bool,
}

/// What a dump is, as lines around the table of its files.
#[derive(Debug)]
pub struct Info {
    /// Directory and iteration, chip, and what was captured.
    pub heading: Vec<String>,
    /// A row for each file.
    pub files: Table,
    /// How large the PMU rings must be, what is wrong, and whether the dump is complete.
    pub findings: Vec<String>,
}

/// The dumps that are asked for, and notes on what was left aside.
#[must_use]
pub fn find(request: &Request<'_>) -> dumps::Found {
    dumps::find(&Files::default(), &[request.dump], request.iteration)
}

/// Reads one of the dumps that were [found](find).
///
/// # Errors
/// [`OpenError`] where the dump can't be opened.
pub fn info(request: &Request<'_>, named: &Named) -> Result<Info, OpenError> {
    let session = Session::from(Settings { chip: request.chip, ..Settings::default() });
    let dump = session.open(&named.root, named.iteration)?;
    let profile = (!request.only_headers).then(|| session.read(&dump).0);
    let iteration = named.iteration.map_or_else(String::new, |n| format!(", iteration {n}"));
    Ok(Info::of(&dump, profile.as_ref(), &format!("{}{iteration}", named.root.display())))
}

/// The ring of a dump with the most records. `asked`: the size that was asked for, where the dump does not name it.
///
/// # Errors
/// [`OpenError`] where the dump can't be opened.
pub fn most_used_ring(
    root: &Path,
    session: &Session,
    asked: Option<u64>,
) -> Result<Option<Ring>, OpenError> {
    let dump = session.open(root, None)?;
    let (profile, _) = session.read(&dump);
    let size = dump.global.max_record_num.or(asked);
    Ok(Ring::most_used(&Survey::of(&dump), Some(&profile), size))
}

impl Info {
    /// `profile`: all records and commands; without it, the heads of files and blocks have to do.
    fn of(dump: &Dump, profile: Option<&Profile<'_>>, name: &str) -> Self {
        let survey = Survey::of(dump);
        let of_heads = survey.completeness();
        let found = profile.map_or(&of_heads, |profile| &profile.ledger.completeness);
        let mut findings: Vec<String> =
            ring_advice(&survey, profile, dump.global.max_record_num).into_iter().collect();
        findings.extend(faults(&survey, profile));
        findings.push(completeness_text(found, Language::English));
        Self { heading: heading(dump, &survey, name), files: files::table(&survey), findings }
    }
}

fn heading(dump: &Dump, survey: &Survey, name: &str) -> Vec<String> {
    let chip = dump.chip;
    let clocks = Clocks::of(dump, &Options::default());
    let mode = match survey.mode() {
        None => "static model: descriptors".to_owned(),
        Some(0) => "mode 0: PMU records only".to_owned(),
        Some(1) => "mode 1: commands by type".to_owned(),
        Some(mode) => format!("mode {mode}: commands with full bits"),
    };
    let kind = if dump.global.is_static { "static model" } else { "dynamic run" };
    let said = if dump.global.tpu_freq.is_some() { "from the dump" } else { "chip default" };
    let files = |is_port: bool| survey.files.iter().filter(|f| f.is_port == is_port).count();
    let ring = dump.global.max_record_num;
    vec![
        format!("{name}: {}, {kind}, {mode}", chip.name),
        format!("TIU {} MHz ({said}), DMA {} MHz", clocks.tiu_mhz, clocks.dma_mhz),
        format!(
            "{} of {}, {} of {}{}",
            counted(files(false), "core file"),
            chip.core_num,
            counted(files(true), "CDMA port file"),
            chip.cdma_ports,
            ring.map_or_else(String::new, |n| format!(", PMU rings of {n} records"))
        ),
    ]
}

/// What headers and, where they were read, records say of what is missing; at least one line.
fn faults(survey: &Survey, profile: Option<&Profile<'_>>) -> Vec<String> {
    let is_lost = |note: &&Note| note.severity == Severity::Loss && !survey.notes.contains(note);
    let notes = profile.iter().flat_map(|profile| &profile.ledger.notes);
    let lost: Vec<&Note> = notes.filter(is_lost).collect();
    let shown = survey.notes.iter().chain(lost.iter().copied().take(MOST_LOSSES));
    let mut lines: Vec<String> = shown.map(|note| note_line(note, Language::English)).collect();
    if lost.len() > MOST_LOSSES {
        lines.push(format!("({} more losses: see the analysis)", lost.len() - MOST_LOSSES));
    }
    if lines.is_empty() {
        lines.push("Headers and record counts are consistent.".to_owned());
    }
    lines
}

/// How large the PMU rings must be for such a run, from the engine with the most records.
fn ring_advice(
    survey: &Survey,
    profile: Option<&Profile<'_>>,
    ring: Option<u64>,
) -> Option<String> {
    let most = Ring::most_used(survey, profile, ring)?;
    let Ring { engine, records, is_full, enough, .. } = most;
    let state = if is_full { "its ring is full" } else { "its ring was not full" };
    Some(format!(
        "Most records: {engine}, {records}; {state}. Such a run needs max_record_num={enough} (docs/capture.md)"
    ))
}
