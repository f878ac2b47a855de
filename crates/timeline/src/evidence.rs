//! What a dump's parts say about each other: which parts are missing, and which could be missing without a trace.

use std::path::{Path, PathBuf};

use bigtpu_chip::{Engine, Family};
use bigtpu_format::{BlockKind, GLOBAL_PROFILE, Global};

use crate::binding::Binding;
use crate::dump::Dump;
use crate::ledger::{Counts, EngineId, Note, Severity};
use crate::profile::Profile;
use crate::source::CORE_ENGINES;
use crate::survey::FileSurvey;

/// Commands in the descriptor streams of a core: TIU, GDMA, SDMA.
pub(crate) type Decoded = [u64; 3];

/// All that the dump says of itself.
pub(crate) struct Evidence<'a> {
    dump: &'a Dump,
    profile: &'a Profile<'a>,
    /// By core, in the order of the dump's files.
    decoded: &'a [Decoded],
    /// Files of cores, then of ports.
    files: Vec<FileSurvey>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn of(dump: &'a Dump, profile: &'a Profile<'a>, decoded: &'a [Decoded]) -> Self {
        Self { dump, profile, decoded, files: FileSurvey::all(dump) }
    }

    /// Parts that other parts show to be missing; losses.
    pub(crate) fn losses(&self) -> Vec<Note> {
        let mut found = Vec::new();
        self.all_files_empty(&mut found);
        self.empty_among_full(&mut found);
        self.holes(&mut found);
        self.blocks_that_others_have(&mut found);
        self.records_without_commands(&mut found);
        found
    }

    /// What could be missing without a trace; notes.
    pub(crate) fn doubts(&self) -> Vec<Note> {
        let mut found = Vec::new();
        self.end_of_global(&mut found);
        self.untold_number_of_files(&mut found);
        self.idle_or_emptied(&mut found);
        self.untold_commands(&mut found);
        self.untold_records(&mut found);
        self.unbound_records(&mut found);
        found
    }

    fn cores(&self) -> impl Iterator<Item = &FileSurvey> {
        self.files.iter().filter(|file| !file.is_port)
    }

    fn is_container(&self) -> bool {
        self.dump.iteration.is_some()
    }

    /// Records that the runtime says it wrote for a core, or for one of its engines; `None`: it says nothing.
    fn counted(&self, core: u32, engine: Option<Engine>) -> Option<u64> {
        let name = engine.map(|engine| engine.name().to_lowercase());
        let of_core = self.dump.global.records.iter().filter(|record| {
            record.core().is_some_and(|(index, engine)| {
                index == core && name.as_ref().is_none_or(|name| name == engine)
            })
        });
        of_core.map(|record| record.count).reduce(u64::saturating_add)
    }

    fn counts(&self, engine_id: EngineId) -> Counts {
        let lines = &self.profile.ledger.lines;
        let found = lines.iter().find(|line| line.engine_id == engine_id);
        found.map_or_else(Counts::default, |line| line.counts)
    }

    /// Whether the file has a block that holds something.
    fn has(file: &FileSurvey, kind: BlockKind) -> bool {
        file.of_kind(kind).is_some_and(|sum| sum.bytes > 0)
    }

    fn has_records(file: &FileSurvey) -> bool {
        CORE_ENGINES.iter().any(|engine| file.records(*engine) > 0)
    }

    /// Whether the file holds more of a core than the firmware's barrier.
    fn is_used(&self, file: &FileSurvey) -> bool {
        let barrier = self.profile.chip.preamble as u64;
        CORE_ENGINES.iter().any(|engine| file.records(*engine) > barrier)
    }

    fn all_files_empty(&self, found: &mut Vec<Note>) {
        let Some(first) = self.files.first() else { return };
        if self.files.iter().all(|file| file.bytes == 0) && self.dump.global.records.is_empty() {
            let text = match self.files.len() {
                1 => "the file is empty, and there is no other: no record is left; copy the dump again".to_owned(),
                n => format!("the {n} files of cores and ports are all empty: no record is left; copy the dump again"),
            };
            found.push(Note::of(Severity::Loss, &first.path, text));
        }
    }

    /// The firmware's barrier leaves records in the file of every core of AKS and AKSV; some runtimes leave idle cores'
    /// files of a static model empty, but then all of them.
    fn empty_among_full(&self, found: &mut Vec<Note>) {
        if self.profile.chip.preamble == 0 || self.files.iter().all(|file| file.bytes == 0) {
            return;
        }
        let is_static = self.dump.global.is_static;
        let idle_has_records =
            self.cores().any(|file| Self::has_records(file) && !self.is_used(file));
        for file in self.cores().filter(|file| file.bytes == 0) {
            let is_told = self.counted(file.index, None).is_some();
            if !is_told && (!is_static || idle_has_records) {
                let text = "the file is empty, but the firmware's barrier leaves records in the file of every core: all records of the core are missing; copy the file again";
                found.push(Note::of(Severity::Loss, &file.path, text.to_owned()));
            }
        }
    }

    /// Runtimes write the files of all cores up to the last, or of all that ran.
    fn holes(&self, found: &mut Vec<Note>) {
        if self.is_container() {
            return;
        }
        let mut next = 0;
        let mut known: Option<&FileSurvey> = None;
        let mut missing = Vec::new();
        for file in self.cores() {
            missing.extend(next..file.index);
            next = file.index + 1;
            known = known.or(Some(file));
        }
        // Without a file of a lower number it is a core that ran alone.
        let first = known.map_or(0, |file| file.index);
        for core in missing.into_iter().filter(|core| *core > first) {
            let is_told = self.counted(core, None).is_some();
            if let Some(path) =
                known.filter(|_| !is_told).map(|file| file_of_core(&file.path, core))
            {
                let text = format!(
                    "the file is missing, but those of cores {first} and {} are there: all records of core {core} are missing; copy the file again",
                    next - 1
                );
                found.push(Note::of(Severity::Loss, &path, text));
            }
        }
    }

    /// A capture mode holds for all cores.
    fn blocks_that_others_have(&self, found: &mut Vec<Note>) {
        for (kind, what) in [
            (BlockKind::DynData, "the commands of its records are not known"),
            (BlockKind::DynExtra, "the full bits of its commands are not known"),
        ] {
            let Some(other) = self.cores().find(|file| Self::has(file, kind)) else { continue };
            for file in
                self.cores().filter(|file| Self::has_records(file) && !Self::has(file, kind))
            {
                if kind == BlockKind::DynExtra && !self.has_words_for_bits(file.index) {
                    continue;
                }
                let text = format!(
                    "the file has no {} block, but {} has one: {what}; copy the file again",
                    kind.name(),
                    name_of(&other.path)
                );
                found.push(Note::of(Severity::Loss, &file.path, text));
            }
        }
    }

    /// Whether a core has commands that are known by a word of the kind that full bits go with.
    fn has_words_for_bits(&self, core: u32) -> bool {
        let core = self.profile.cores.get(core as usize);
        let bindings = core.into_iter().flat_map(|core| &core.tracks);
        bindings.flat_map(|track| &track.events.binding).any(|b| *b == Binding::Word)
    }

    /// In a static run, descriptors explain the records; the container says how many there were.
    fn records_without_commands(&self, found: &mut Vec<Note>) {
        if !self.dump.global.is_static {
            return;
        }
        // CV84X6's runtime marks dynamic models as static ones, too.
        let has_model = self.profile.chip.family != Family::Cv84x6
            || self.decoded.iter().any(|commands| commands.iter().any(|n| *n > 0));
        for (file, decoded) in self.dump.cores.iter().zip(self.decoded) {
            for (engine, decoded) in CORE_ENGINES.into_iter().zip(decoded) {
                let engine_id = EngineId { index: file.index, engine };
                let counts = self.counts(engine_id);
                let name = engine.name();
                let expected = file.command_count(engine);
                let unexplained = counts.shown.saturating_sub(counts.matched) + counts.lost;
                if let Some((path, expected)) = expected.filter(|(_, n)| n > decoded) {
                    if unexplained > 0 {
                        let text = format!(
                            "the file has {decoded} of the {expected} {name} commands that the COMMAND block of {} counts: {unexplained} records or commands have no partner; copy the file again",
                            name_of(&file.path)
                        );
                        found.push(Note::of(Severity::Loss, path, text));
                    }
                } else if has_model && counts.shown > 0 && counts.matched + counts.commands == 0 {
                    let text = format!(
                        "a static model ran, but no {name} command is there for {} records of {engine_id}: the commands are missing; copy the dump again",
                        counts.shown
                    );
                    found.push(Note::of(Severity::Loss, &file.path, text));
                } else if counts.read == 0 && counts.commands > 0 && counts.lost == 0 {
                    let text = format!(
                        "no record of {engine_id} is there for the model's {} commands: the records are missing; copy the file again",
                        counts.commands
                    );
                    found.push(Note::of(Severity::Loss, &file.path, text));
                }
            }
        }
    }

    fn global_note(&self, text: String) -> Note {
        Note::of(Severity::Note, &self.dump.root.join(GLOBAL_PROFILE), text)
    }

    fn end_of_global(&self, found: &mut Vec<Note>) {
        if self.dump.global.ends_in_line {
            let text = "the file ends within a line: its end may be missing";
            found.push(self.global_note(text.to_owned()));
        }
        // Of a file that was cut, lines behind the clock would be missing, too.
        let Global { has_clock, core_num, max_record_num, records, .. } = &self.dump.global;
        let ends_early = core_num.is_none() && max_record_num.is_none() && records.is_empty();
        if !has_clock && ends_early && self.dump.global.core_list.is_empty() {
            let text = "there is no tpu_freq, which all runtimes write: lines may be missing, and the chip's usual clock is used";
            found.push(self.global_note(text.to_owned()));
        }
        // bmlib alone writes no list.
        let Global { has_log, core_list, .. } = &self.dump.global;
        if self.is_container() && *has_log && core_list.is_empty() {
            let text = "there is no core_list, which newer runtimes write at the end: the end of the file may be missing";
            found.push(self.global_note(text.to_owned()));
        }
    }

    fn untold_number_of_files(&self, found: &mut Vec<Note>) {
        let (global, chip) = (&self.dump.global, self.profile.chip);
        let files = self.cores().count();
        if self.is_container() || !global.records.is_empty() {
            return;
        }
        let text = match global.core_num {
            Some(cores) if cores as usize > files => {
                format!(
                    "{files} files of cores are there, but core_num is {cores}: the other cores were idle, or their files are missing"
                )
            }
            None if files < chip.core_num as usize => format!(
                "{files} of at most {} files of cores are there, and neither core_num nor record counts say how many were written",
                chip.core_num
            ),
            _ => return,
        };
        found.push(self.global_note(text));
    }

    fn idle_or_emptied(&self, found: &mut Vec<Note>) {
        let is_untold = |file: &&FileSurvey| {
            file.bytes == 0 && (file.is_port || self.counted(file.index, None).is_none())
        };
        let empty: Vec<&FileSurvey> = self.files.iter().filter(is_untold).collect();
        if let Some(first) = empty.first() {
            let text = match empty.len() {
                1 => "the file is empty: its core was idle, or the records are missing".to_owned(),
                n => format!(
                    "the file and {} more are empty: their cores were idle, or the records are missing",
                    n - 1
                ),
            };
            found.push(Note::of(Severity::Note, &first.path, text));
        }
    }

    fn untold_commands(&self, found: &mut Vec<Note>) {
        let has = |kind| self.cores().any(|file| Self::has(file, kind));
        let has_events = self.profile.event_count() > 0;
        let has_streams = self.decoded.iter().any(|commands| commands.iter().any(|n| *n > 0));
        if !has_events || has_streams {
            return;
        }
        if !has(BlockKind::DynData) {
            let text = "the dump has no commands: the capture mode was 0, or the blocks of the commands are missing";
            found.push(self.global_note(text.to_owned()));
        } else if !has(BlockKind::DynExtra)
            && let [file] = self.cores().collect::<Vec<_>>().as_slice()
            && self.has_words_for_bits(file.index)
        {
            let text = "the dump has no full bits of commands: the capture mode was 1, or the block at the end of the only file is missing";
            found.push(Note::of(Severity::Note, &file.path, text.to_owned()));
        }
    }

    /// Records that neither a count nor commands confirm.
    fn untold_records(&self, found: &mut Vec<Note>) {
        let barrier = self.profile.chip.preamble as u64;
        let untold: Vec<EngineId> = self
            .profile
            .ledger
            .lines
            .iter()
            .filter(|line| line.counts.read > barrier && line.counts.commands == 0)
            .map(|line| line.engine_id)
            .filter(|id| match id.engine {
                Engine::Cdma => {
                    !self.dump.global.records.iter().any(|r| r.port() == Some(id.index))
                }
                engine => self.counted(id.index, Some(engine)).is_none(),
            })
            .collect();
        if let Some(first) = untold.first() {
            let others = match untold.len() {
                1 => String::new(),
                2 => " and 1 more engine".to_owned(),
                n => format!(" and {} more engines", n - 1),
            };
            let text = format!(
                "neither a record count nor commands say how many records {first}{others} wrote"
            );
            found.push(self.global_note(text));
        }
    }

    /// Commands that explain none of their engine's records may be another run's.
    fn unbound_records(&self, found: &mut Vec<Note>) {
        for line in &self.profile.ledger.lines {
            let Counts { shown, matched, commands, .. } = line.counts;
            if self.dump.global.is_static && shown > 0 && matched == 0 && commands > 0 {
                let text =
                    format!("none of the {commands} commands of {} fits a record", line.engine_id);
                found.push(self.global_note(text));
            }
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The file of a core next to that of another: the number is the last of the name.
fn file_of_core(path: &Path, core: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    path.with_file_name(format!("{stem}{core}.profile"))
}
