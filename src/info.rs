//! `bigtpuprofile info`.

use std::io::Write;

use anyhow::Result;
use bigtpu_answers::counted;
use bigtpu_chip::Engine;
use bigtpu_emit_text::{completeness_text, note_line};
use bigtpu_format::BlockKind;
use bigtpu_output::{Table, put, text};
use bigtpu_session::{Session, Settings, dumps};
use bigtpu_timeline::{
    Clocks, Dump, EngineId, FileSurvey, Note, Options, Profile, Severity, Survey,
};

use crate::args::info::Args;
use crate::args::views::Arch;
use crate::console::{ignore_broken_pipe, render};
use crate::standard::{self, Plain};
use crate::terminal::Screen;
use bigtpu_session::size;

/// Losses beyond those of the headers that are shown.
const MOST_LOSSES: usize = 20;

/// Shows each dump that is asked for.
pub(crate) fn run(args: &Args) -> Result<()> {
    let found = dumps::find(&[&args.dump], args.iteration);
    for note in &found.notes {
        // A reader of stderr that went away is no reason to stop.
        standard::note(&text!("{}", note));
    }
    for named in &found.dumps {
        let settings = Settings { chip: args.arch.map(Arch::chip), ..Settings::default() };
        let session = Session::from(settings);
        let dump = session.open(&named.root, named.iteration)?;
        let profile = (!args.headers).then(|| session.read(&dump).0);
        let iteration = named.iteration.map_or_else(String::new, |n| format!(", iteration {n}"));
        let name = format!("{}{iteration}", named.root.display());
        ignore_broken_pipe(show(&dump, profile.as_ref(), &name, &mut standard::out()))?;
    }
    Ok(())
}

/// Shows chip, mode, clocks, files with their records and blocks, what is wrong, and whether the dump is complete.
/// `profile`: all records and commands; without it, the heads of files and blocks have to do.
fn show(
    dump: &Dump,
    profile: Option<&Profile<'_>>,
    name: &str,
    out: &mut Plain<impl Write>,
) -> Result<()> {
    let survey = Survey::of(dump);
    let chip = dump.chip;
    let clocks = Clocks::of(dump, &Options::default());
    let mode = match survey.mode() {
        None => "static model: descriptors".to_owned(),
        Some(0) => "mode 0: PMU records only".to_owned(),
        Some(1) => "mode 1: commands by type".to_owned(),
        Some(mode) => format!("mode {mode}: commands with full bits"),
    };
    let kind = if dump.global.is_static { "static model" } else { "dynamic run" };
    put!(out, "{}: {}, {}, {}\n", name, chip.name, kind, mode)?;
    let said = if dump.global.tpu_freq.is_some() { "from the dump" } else { "chip default" };
    put!(out, "TIU {} MHz ({}), DMA {} MHz\n", clocks.tiu_mhz, said, clocks.dma_mhz)?;
    let files = |is_port: bool| survey.files.iter().filter(|f| f.is_port == is_port).count();
    let ring = dump.global.max_record_num;
    put!(
        out,
        "{} of {}, {} of {}{}\n",
        counted(files(false), "core file"),
        chip.core_num,
        counted(files(true), "CDMA port file"),
        chip.cdma_ports,
        ring.map_or_else(String::new, |n| format!(", PMU rings of {n} records"))
    )?;
    put!(out, "{}\n", render(&table(&survey)))?;
    if let Some(line) = ring_advice(&survey, ring) {
        put!(out, "{}\n", Screen::stdout().text(&line))?;
    }
    let is_lost = |note: &&Note| note.severity == Severity::Loss && !survey.notes.contains(note);
    let notes = profile.iter().flat_map(|profile| &profile.ledger.notes);
    let lost: Vec<&Note> = notes.filter(is_lost).collect();
    for note in survey.notes.iter().chain(lost.iter().copied().take(MOST_LOSSES)) {
        put!(out, "{}\n", Screen::stdout().text(&note_line(note)))?;
    }
    if lost.len() > MOST_LOSSES {
        put!(out, "({} more losses: see the analysis)\n", lost.len() - MOST_LOSSES)?;
    }
    if survey.notes.is_empty() && lost.is_empty() {
        put!(out, "Headers and record counts are consistent.\n")?;
    }
    let of_heads = survey.completeness();
    let found = profile.map_or(&of_heads, |profile| &profile.ledger.completeness);
    put!(out, "{}\n", Screen::stdout().text(&completeness_text(found)))?;
    Ok(())
}

/// How large the PMU rings must be for such a run, from the engine with the most records. A full ring shows a lower
/// bound only; there the dispatched words of the core, of which each command has at least one, show an upper one.
fn ring_advice(survey: &Survey, ring: Option<u64>) -> Option<String> {
    let counts = survey.files.iter().flat_map(|file| {
        Engine::ALL.into_iter().map(move |engine| (file.records(engine), file, engine))
    });
    let (most, file, engine) = counts.max_by_key(|(records, ..)| *records)?;
    let place = EngineId { index: file.index, engine };
    let words = |file: &FileSurvey| file.of_kind(BlockKind::DynData).map_or(0, |sum| sum.bytes / 4);
    let is_full = ring.is_some_and(|ring| most.saturating_add(1) >= ring);
    let enough = match is_full {
        true => most.saturating_mul(2).max(survey.files.iter().map(words).max().unwrap_or(0)),
        false => most.saturating_add(1),
    };
    let enough = enough.next_multiple_of(1024);
    (most > 0).then(|| {
        let state = if is_full { "its ring is full" } else { "its ring was not full" };
        format!(
            "Most records: {place}, {most}; {state}. Such a run needs max_record_num={enough} \
             (docs/capture.md)"
        )
    })
}

fn table(survey: &Survey) -> Table {
    let header = [
        "File",
        "Size",
        "TIU",
        "GDMA",
        "SDMA",
        "CDMA",
        "DynWords",
        "DynExtra",
        "Descriptors",
        "Cached",
        "Other",
    ];
    let row = |file: &FileSurvey| {
        let bytes = |kinds: &[BlockKind]| -> u64 {
            kinds.iter().filter_map(|kind| file.of_kind(*kind)).map(|sum| sum.bytes).sum()
        };
        let other = file
            .blocks
            .iter()
            .filter(|sum| matches!(sum.kind, BlockKind::NotNeeded(_) | BlockKind::Unknown(_)));
        let name = file.path.file_name().map(|n| n.to_string_lossy().into_owned());
        let mut row = vec![name.unwrap_or_default(), size(file.bytes)];
        row.extend(Engine::ALL.map(|engine| file.records(engine).to_string()));
        row.push((bytes(&[BlockKind::DynData]) / 4).to_string());
        row.push(size(bytes(&[BlockKind::DynExtra])));
        let descriptors =
            [BlockKind::DesTiu, BlockKind::DesGdma, BlockKind::DesSdma, BlockKind::DesCdma];
        row.push(size(bytes(&descriptors)));
        row.push(file.of_kind(BlockKind::DesKv).map_or(0, |sum| sum.blocks).to_string());
        row.push(other.map(|sum| sum.blocks).sum::<u64>().to_string());
        row
    };
    Table::new("Files", header, survey.files.iter().map(row))
}
