//! What a dump is: its chip and clocks, its files with their records and blocks, what is wrong, and whether it is
//! complete.

mod files;
mod ring;

use std::path::Path;

use bigtpu_chip::Chip;
use bigtpu_emit_text::{clocks, completeness_text, note_line};
use bigtpu_format::Files;
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::Table;
use bigtpu_timeline::{
    BuildOptions, Clocks, Counts, Dump, Note, OpenError, Profile, Severity, Survey,
};

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
    /// Language of the sentences.
    pub language: Language,
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
    let root = named.root.display().to_string();
    let name = match named.iteration {
        Some(number) => {
            message!("info-iteration", dump = root, number = Arg::Number(number.into()))
        }
        None => Message::verbatim(root),
    };
    Ok(Info::new(&dump, profile.as_ref(), name, request.language))
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
    Ok(Ring::most_used(&Survey::read(&dump), Some(&profile), size))
}

impl Info {
    /// `profile`: all records and commands; without it, the heads of files and blocks have to do.
    fn new(dump: &Dump, profile: Option<&Profile<'_>>, name: Message, language: Language) -> Self {
        let survey = Survey::read(dump);
        let of_heads = survey.completeness();
        let found = profile.map_or(&of_heads, |profile| &profile.ledger.completeness);
        let advice = ring_advice(&survey, profile, dump.global.max_record_num);
        let mut findings: Vec<String> =
            advice.into_iter().map(|advice| advice.text(language)).collect();
        findings.extend(faults(&survey, profile, language));
        findings.extend(profile.and_then(records).map(|line| line.text(language)));
        findings.push(completeness_text(found, language));
        let heading = heading(dump, &survey, name).map(|line| line.text(language));
        Self { heading: heading.to_vec(), files: files::table(&survey), findings }
    }
}

/// How many of the records in the files are events of the run, where these are not all: what an analysis counts.
fn records(profile: &Profile<'_>) -> Option<Message> {
    let sum = |of: fn(&Counts) -> u64| -> u64 {
        profile.ledger.lines.iter().map(|line| of(&line.counts)).sum()
    };
    let (read, shown) = (sum(|counts| counts.read), sum(|counts| counts.shown));
    let others = read.checked_sub(shown).filter(|others| *others > 0)?;
    Some(message!("info-records", read = read, shown = shown, others = others))
}

fn heading(dump: &Dump, survey: &Survey, name: Message) -> [Message; 3] {
    let chip = dump.chip;
    let mode = match survey.mode() {
        None => message!("info-descriptors"),
        Some(0) => message!("info-mode-0"),
        Some(1) => message!("info-mode-1"),
        Some(mode) => message!("info-mode-full", mode = Arg::Number(mode.into())),
    };
    let kind = match dump.global.is_static {
        true => message!("info-static"),
        false => message!("info-dynamic"),
    };
    let files = |is_port: bool| survey.files.iter().filter(|f| f.is_port == is_port).count();
    let files = message!(
        "info-files",
        cores = files(false),
        all_cores = u64::from(chip.core_num),
        ports = files(true),
        all_ports = u64::from(chip.cdma_ports)
    );
    let files = match dump.global.max_record_num {
        Some(size) => message!("info-files-and-rings", files = files, size = size),
        None => files,
    };
    [
        message!("info-heading", dump = name, chip = chip.title(), kind = kind, mode = mode),
        clocks(&Clocks::read(dump, &BuildOptions::default())),
        files,
    ]
}

/// What headers and, where they were read, records say of what is missing.
fn faults(survey: &Survey, profile: Option<&Profile<'_>>, language: Language) -> Vec<String> {
    let is_lost = |note: &&Note| note.severity == Severity::Loss && !survey.notes.contains(note);
    let notes = profile.iter().flat_map(|profile| &profile.ledger.notes);
    let lost: Vec<&Note> = notes.filter(is_lost).collect();
    let shown = survey.notes.iter().chain(lost.iter().copied().take(MOST_LOSSES));
    let mut lines: Vec<String> = shown.map(|note| note_line(note, language)).collect();
    if lost.len() > MOST_LOSSES {
        let more = message!("info-more-losses", count = lost.len() - MOST_LOSSES);
        lines.push(more.text(language));
    }
    lines
}

/// How large the PMU rings must be for such a run, from the engine with the most records.
fn ring_advice(
    survey: &Survey,
    profile: Option<&Profile<'_>>,
    ring: Option<u64>,
) -> Option<Message> {
    let most = Ring::most_used(survey, profile, ring)?;
    let Ring { engine, records, is_full, enough, .. } = most;
    let engine = engine.message();
    Some(match is_full {
        true => message!("info-ring-full", engine = engine, records = records, enough = enough),
        false => message!("info-ring", engine = engine, records = records, enough = enough),
    })
}
