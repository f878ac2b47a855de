//! What a dump's parts say about each other: which parts are missing, and which could be missing without a trace.

use std::path::{Path, PathBuf};

use bigtpu_chip::{Engine, Family};
use bigtpu_format::{BlockKind, GLOBAL_PROFILE, Global};
use bigtpu_messages::{Arg, Message, message};

use crate::binding::Binding;
use crate::core_engines::{CORE_ENGINES, Decoded};
use crate::dump::Dump;
use crate::ledger::{Counts, EngineId};
use crate::note::{Note, Severity};
use crate::profile::Profile;
use crate::survey::FileSurvey;

/// All that the dump says of itself.
pub(crate) struct Evidence<'a> {
    dump: &'a Dump,
    profile: &'a Profile<'a>,
    /// Decoded commands of each core, in the order of the dump's files.
    decoded: &'a [Decoded],
    /// Files of cores, then of ports.
    files: Vec<FileSurvey>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(dump: &'a Dump, profile: &'a Profile<'a>, decoded: &'a [Decoded]) -> Self {
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
            let message = match self.files.len() {
                1 => Message::new("note-only-file-empty"),
                files => message!("note-all-files-empty", files = files),
            };
            found.push(Note::about_file(Severity::Loss, &first.path, message));
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
                let message = Message::new("note-empty-among-full");
                found.push(Note::about_file(Severity::Loss, &file.path, message));
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
                let [first, last, core] =
                    [first, next - 1, core].map(|number| Arg::Number(number.into()));
                let message =
                    message!("note-file-missing", first = first, last = last, core = core);
                found.push(Note::about_file(Severity::Loss, &path, message));
            }
        }
    }

    /// A capture mode holds for all cores.
    fn blocks_that_others_have(&self, found: &mut Vec<Note>) {
        for kind in [BlockKind::DynData, BlockKind::DynExtra] {
            let Some(other) = self.cores().find(|file| Self::has(file, kind)) else { continue };
            for file in
                self.cores().filter(|file| Self::has_records(file) && !Self::has(file, kind))
            {
                if kind == BlockKind::DynExtra && !self.has_words_for_bits(file.index) {
                    continue;
                }
                let (block, other) = (kind.name(), name_of(&other.path));
                let message = match kind {
                    BlockKind::DynData => {
                        message!("note-no-command-block", block = block, other = other)
                    }
                    _ => message!("note-no-bits-block", block = block, other = other),
                };
                found.push(Note::about_file(Severity::Loss, &file.path, message));
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
                        let message = message!(
                            "note-fewer-commands",
                            commands = *decoded,
                            expected = expected,
                            engine = name,
                            file = name_of(&file.path),
                            unexplained = unexplained,
                        );
                        found.push(Note::about_file(Severity::Loss, path, message));
                    }
                } else if has_model && counts.shown > 0 && counts.matched + counts.commands == 0 {
                    let message = message!(
                        "note-no-commands",
                        engine = name,
                        records = counts.shown,
                        place = engine_id.message(),
                    );
                    found.push(Note::about_file(Severity::Loss, &file.path, message));
                } else if counts.read == 0 && counts.commands > 0 && counts.lost == 0 {
                    let (place, commands) = (engine_id.message(), counts.commands);
                    let message = message!("note-no-records", place = place, commands = commands);
                    found.push(Note::about_file(Severity::Loss, &file.path, message));
                }
            }
        }
    }

    fn global_note(&self, message: Message) -> Note {
        Note::about_file(Severity::Note, &self.dump.root.join(GLOBAL_PROFILE), message)
    }

    fn end_of_global(&self, found: &mut Vec<Note>) {
        if self.dump.global.ends_in_line {
            found.push(self.global_note(Message::new("note-global-cut")));
        }
        // Of a file that was cut, lines behind the clock would be missing, too.
        let Global { has_clock, core_num, max_record_num, records, .. } = &self.dump.global;
        let ends_early = core_num.is_none() && max_record_num.is_none() && records.is_empty();
        if !has_clock && ends_early && self.dump.global.core_list.is_empty() {
            found.push(self.global_note(Message::new("note-no-clock")));
        }
        // bmlib alone writes no list.
        let Global { has_log, core_list, .. } = &self.dump.global;
        if self.is_container() && *has_log && core_list.is_empty() {
            found.push(self.global_note(Message::new("note-no-core-list")));
        }
    }

    fn untold_number_of_files(&self, found: &mut Vec<Note>) {
        let (global, chip) = (&self.dump.global, self.profile.chip);
        let files = self.cores().count();
        if self.is_container() || !global.records.is_empty() {
            return;
        }
        let message = match global.core_num {
            Some(cores) if cores as usize > files => {
                message!("note-idle-or-missing", files = files, cores = u64::from(cores))
            }
            None if files < chip.core_num as usize => {
                let cores = u64::from(chip.core_num);
                message!("note-untold-files", files = files, cores = cores)
            }
            _ => return,
        };
        found.push(self.global_note(message));
    }

    fn idle_or_emptied(&self, found: &mut Vec<Note>) {
        let is_untold = |file: &&FileSurvey| {
            file.bytes == 0 && (file.is_port || self.counted(file.index, None).is_none())
        };
        let empty: Vec<&FileSurvey> = self.files.iter().filter(is_untold).collect();
        if let Some(first) = empty.first() {
            let message = match empty.len() {
                1 => Message::new("note-empty-or-idle"),
                files => message!("note-empty-or-idle-more", more = files - 1),
            };
            found.push(Note::about_file(Severity::Note, &first.path, message));
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
            found.push(self.global_note(Message::new("note-mode-0")));
        } else if !has(BlockKind::DynExtra)
            && let [file] = self.cores().collect::<Vec<_>>().as_slice()
            && self.has_words_for_bits(file.index)
        {
            found.push(Note::about_file(Severity::Note, &file.path, Message::new("note-mode-1")));
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
            let (place, more) = (first.message(), untold.len() - 1);
            found.push(self.global_note(message!(
                "note-untold-records",
                place = place,
                more = more
            )));
        }
    }

    /// Commands that explain none of their engine's records may be another run's.
    fn unbound_records(&self, found: &mut Vec<Note>) {
        for line in &self.profile.ledger.lines {
            let Counts { shown, matched, commands, .. } = line.counts;
            if self.dump.global.is_static && shown > 0 && matched == 0 && commands > 0 {
                let place = line.engine_id.message();
                let message = message!("note-none-fits", commands = commands, place = place);
                found.push(self.global_note(message));
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
