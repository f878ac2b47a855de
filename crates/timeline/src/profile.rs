//! The profile: every core's and port's events on one time line.

use std::collections::BTreeMap;
use std::mem;
use std::ops::Range;

use bigtpu_chip::{Chip, Command, Engine, Pmu};
use bigtpu_messages::{Arg, message};
use rayon::prelude::*;

use crate::binding::{Binding, BindingCounts};
use crate::capture;
use crate::cdma::{Owner, Port};
use crate::clocks::Clocks;
use crate::core_set::CoreSet;
use crate::core_tracks::TracksOfCore;
use crate::descriptors_compared::compare_descriptors;
use crate::dump::{Dump, SourceFile};
use crate::events::Events;
use crate::evidence::{Decoded, Evidence};
use crate::join::JoinedCore;
use crate::ledger::{Counts, EngineId, Ledger, Line, Note, Severity};
use crate::merged::Merged;
use crate::monitor::{Clean, Monitor};
use crate::port_files::tell_misplaced;
use crate::port_place::place_ports;
use crate::runtime::{RuntimeEvent, shown_runtime};
use crate::source::{CORE_ENGINES, CoreSource};
use crate::tags::Tag;
use crate::time_line::{align_cores, shift_to_zero, trim};
use crate::totals_check::{Verdict, check_counts};
use crate::words_compared::compare_words;
use crate::words_of_others::{BorrowedWords, mend_words};

/// What the caller may override.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// TIU clock in MHz; else that of `global.profile`, else the chip's own.
    pub tiu_mhz: Option<u64>,
    /// Show these cores only.
    pub cores: Option<CoreSet>,
}

/// One engine's events.
#[derive(Debug)]
pub struct Track<'d> {
    /// Which engine of which core or port.
    pub engine_id: EngineId,
    /// The events, in the engine's order; an event's index is its global index.
    pub events: Events,
    /// The PMU records that the events come from.
    pub monitor: Monitor<'d>,
    /// Bytes that each event moves, of a simulated run; empty for measured ones, whose records count them.
    pub simulated_bytes: Vec<u64>,
    /// CDMA: the core that each event's command or tag comes from. Empty for other engines.
    pub owner: Vec<Option<Owner>>,
    /// CDMA: the core whose SDMA gave the port its time.
    pub anchor: Option<u32>,
    /// Its times are on the common time line. A CDMA port is not if neither a sync pair nor a launch binds it to a core: its
    /// times count from an origin of its own.
    pub is_placed: bool,
}

/// One core.
#[derive(Debug)]
pub struct Core<'d> {
    /// TIU, GDMA and SDMA.
    pub tracks: [Track<'d>; 3],
    /// The core's part of [`Profile::tags`]; its first is the empty tag.
    pub tags: Range<u32>,
    /// The core's file: it contains the commands' full bits. Empty for a core without a file.
    pub file: &'d [u8],
}

impl Core<'_> {
    /// A core without events.
    fn empty(index: u32) -> Self {
        let track = |engine| Track::new(EngineId { index, engine }, Clean::empty(engine));
        Self { tracks: CORE_ENGINES.map(track), tags: 0..0, file: &[] }
    }
}

/// An aligned dump.
#[derive(Debug)]
pub struct Profile<'d> {
    /// The chip.
    pub chip: &'static Chip,
    /// Clocks in use.
    pub clocks: Clocks,
    /// A static model was run.
    pub is_static: bool,
    /// The times are a simulation's: there are no records.
    pub is_simulated: bool,
    /// The cores, by number; idle ones, those without a file and those that are not shown are empty.
    pub cores: Vec<Core<'d>>,
    /// The cores that an option leaves out, by number: CDMA events may have their commands there.
    pub(crate) left_out: BTreeMap<u32, Core<'d>>,
    /// The CDMA ports that have a file, by port.
    pub ports: Vec<Track<'d>>,
    /// The runtime's own work around a static model, by core, engine and time.
    pub runtime: Vec<RuntimeEvent>,
    /// What commands belong to: an event's tag is an index into it. Cores in order, no tag twice in a core; the empty
    /// tag is the first of each.
    pub tags: Vec<Tag>,
    /// For each tag, whether its launch lacks commands: records were lost, or may be those of another launch.
    pub has_missing_commands: Vec<bool>,
    /// Kernel names.
    pub kernels: Vec<String>,
    /// ns; the latest end of all records, before trimming: the moment of the PMU's pause.
    pub latest_end: i64,
    /// ns of host time from the PMU's pause to the end of `disable_profile`, if the dump says.
    pub tail_offset_ns: Option<i64>,
    /// What was corrected, left out or lost.
    pub ledger: Ledger,
}

/// What a choice of cores leaves out; `None` where these cores ran nothing.
fn left_out(set: &CoreSet, shown: usize, left_out: &BTreeMap<u32, Core<'_>>) -> Option<Note> {
    let events = |core: &Core<'_>| core.tracks.iter().map(|t| t.events.len()).sum::<usize>();
    let busy: Vec<u32> =
        left_out.iter().filter(|(_, core)| events(core) > 0).map(|(index, _)| *index).collect();
    let (first, last) = (*busy.first()?, *busy.last()?);
    let is_range = (last - first) as usize + 1 == busy.len();
    let cores = match busy.len() {
        1 => message!("place-core", core = Arg::Number(first.into())),
        _ if is_range => message!(
            "note-cores-range",
            first = Arg::Number(first.into()),
            last = Arg::Number(last.into())
        ),
        _ => message!("note-cores-list", cores = Arg::numbers(busy.iter().copied())),
    };
    let count: usize = left_out.values().map(events).sum();
    let option = Arg::Name(set.to_string());
    let message = message!(
        "note-cores-left-out",
        option = option,
        cores = cores,
        events = count,
        shown = shown
    );
    Some(Note::of_dump(Severity::Note, message))
}

impl<'d> Profile<'d> {
    /// Analyzes an opened dump, its files in parallel.
    #[must_use]
    pub fn build(dump: &'d Dump, options: &Options) -> Self {
        let chip = dump.chip;
        let clocks = Clocks::read(dump, options);
        let is_static = dump.global.is_static;
        let (mut cores, mut ports) = join_all(dump, clocks);
        if !is_static && !cores.is_empty() {
            for port in &mut ports {
                port.pair(chip, &mut cores);
            }
        }
        align_cores(&mut cores, &mut ports);
        let commands = dump.cores.iter().map(|file| (file.index, file.command_bytes())).collect();
        tell_misplaced(chip, &cores, &mut ports, &commands);
        place_ports(dump, &cores, &mut ports);
        let latest_end = shift_to_zero(&mut cores, &mut ports);
        let merged = Merged::merge(&mut cores, &mut ports);
        trim(dump, &mut cores, &mut ports);
        let ledger =
            Ledger { notes: dump.notes.clone(), has_unread: dump.has_unread, ..Ledger::default() };
        let decoded: Vec<Decoded> = cores.iter().map(|(_, core)| core.decoded).collect();
        let verdicts =
            check_counts(dump, dump.places(), |engine_id| counts_of(&cores, &ports, engine_id));
        let missing = |engine_id: EngineId| {
            let own = verdicts.iter().filter(|verdict| verdict.engine_id == engine_id);
            own.map(|verdict| verdict.missing).max().unwrap_or(0)
        };
        for (index, core) in &mut cores {
            for (number, &engine) in CORE_ENGINES.iter().enumerate() {
                core.tell_lost_places(chip, number, missing(EngineId { index: *index, engine }));
            }
        }
        for port in &mut ports {
            let engine_id = EngineId { index: port.index, engine: Engine::Cdma };
            if port.clean.faults.is_empty() {
                port.tell_lost_places(missing(engine_id));
            }
        }
        let with_model: Vec<u32> =
            cores.iter().filter(|(_, core)| core.has_model).map(|(index, _)| *index).collect();
        let files = dump.cores.iter().map(|f| (f.index, f.command_bytes()));
        let mut profile = Self {
            chip,
            clocks,
            is_static,
            is_simulated: false,
            cores: empty_cores(dump, &cores),
            left_out: BTreeMap::new(),
            ports: Vec::new(),
            tags: merged.tags,
            has_missing_commands: merged.has_missing_commands,
            runtime: Vec::new(),
            kernels: merged.kernels,
            latest_end,
            tail_offset_ns: dump.global.tail_offset_ns,
            ledger,
        };
        // Full rings come first: they are the cause of what the cores' notes show.
        profile.ledger.notes.extend(verdicts.iter().map(|verdict| verdict.note.clone()));
        let cores: Vec<TracksOfCore<'d>> =
            cores.into_par_iter().map(TracksOfCore::collect).collect();
        for ((core, tags), (_, file)) in cores.into_iter().zip(merged.of_cores).zip(files) {
            profile.add_core(core, tags, file);
        }
        profile.runtime.extend(shown_runtime(&profile, &with_model));
        profile.runtime.sort_by_key(|e| (e.engine_id.index, e.engine_id.engine, e.start));
        for port in ports {
            profile.add_port(port);
        }
        for Verdict { engine_id, missing, .. } in verdicts {
            profile.ledger.lose(engine_id, missing);
        }
        profile.ledger.lines.sort_by_key(|l| {
            (l.engine_id.engine == Engine::Cdma, l.engine_id.index, l.engine_id.engine)
        });
        profile.judge(dump, &decoded);
        if let Some(set) = &options.cores {
            profile.leave_out(set);
        }
        profile
    }

    /// Keeps the events of these cores, and of the ports, which belong to no core.
    fn leave_out(&mut self, set: &CoreSet) {
        let all = self.cores.len() as u32;
        for (index, core) in (0..).zip(&mut self.cores).filter(|(index, _)| !set.contains(*index)) {
            self.left_out.insert(index, mem::replace(core, Core::empty(index)));
        }
        let last = (0..all).rev().find(|core| set.contains(*core));
        self.cores.truncate(last.map_or(0, |last| last as usize + 1));
        let notes = &mut self.ledger.notes;
        if let Some(core) = set.greatest_named().filter(|core| *core >= all) {
            let option = Arg::Name(set.to_string());
            let message = message!("note-cores-not-there", option = option, core = core, all = all);
            notes.insert(0, Note::of_dump(Severity::Warning, message));
        }
        // What an option leaves out is said first: the console shows a few notes only.
        let shown = all as usize - self.left_out.len();
        notes.splice(0..0, left_out(set, shown, &self.left_out));
        let is_shown = |id: &EngineId| id.engine == Engine::Cdma || set.contains(id.index);
        self.ledger.lines.retain(|line| is_shown(&line.engine_id));
        self.runtime.retain(|event| set.contains(event.engine_id.index));
    }

    /// The cores that are shown, with their numbers.
    pub fn shown_cores(&self) -> impl Iterator<Item = (u32, &Core<'d>)> {
        (0..).zip(&self.cores).filter(|(index, _)| self.shows(*index))
    }

    /// The cores that an option leaves out.
    pub fn left_out_cores(&self) -> impl Iterator<Item = &Core<'d>> {
        self.left_out.values()
    }

    /// Whether an option leaves cores out.
    #[must_use]
    pub fn leaves_out_cores(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// Whether a core is shown: no option leaves it out.
    #[must_use]
    pub fn shows(&self, core: u32) -> bool {
        !self.left_out.contains_key(&core)
    }

    /// Adds what the dump's parts say about each other. Missing parts come first: they are the cause of what the other
    /// notes show.
    fn judge(&mut self, dump: &Dump, decoded: &[Decoded]) {
        let evidence = Evidence::new(dump, self, decoded);
        let (mut losses, doubts) = (evidence.losses(), evidence.doubts());
        losses.extend(capture::contradictions(dump, self));
        self.ledger.notes.splice(0..0, losses);
        self.ledger.completeness.lose(&self.ledger.notes);
        self.ledger.completeness.doubt(doubts);
    }

    fn add_core(&mut self, core: TracksOfCore<'d>, tags: Range<u32>, file: &'d [u8]) {
        let TracksOfCore { index, tracks, counts, notes, runtime } = core;
        let Some(slot) = self.cores.get_mut(index as usize) else { return };
        self.ledger.notes.extend(notes.finish());
        self.runtime.extend(runtime.into_iter().map(|record| record.into_event(index, None)));
        for (track, counts) in tracks.iter().zip(counts) {
            self.ledger.add(track.engine_id, counts, &track.events);
        }
        *slot = Core { tracks, tags, file };
    }

    fn add_port(&mut self, mut port: Port<'d>) {
        port.tell_faults();
        let engine_id = EngineId { index: port.index, engine: Engine::Cdma };
        self.ledger.notes.extend(port.notes.finish());
        let mut track = Track::new(engine_id, port.clean);
        (track.owner, track.anchor, track.is_placed) = (port.owner, port.anchor, port.is_placed);
        self.ledger.add(engine_id, port.counts, &track.events);
        self.ports.push(track);
    }

    /// All tracks: cores in order, then ports.
    pub fn tracks(&self) -> impl Iterator<Item = &Track<'d>> {
        self.cores.iter().flat_map(|c| &c.tracks).chain(&self.ports)
    }

    /// Number of events.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.tracks().map(|t| t.events.len()).sum()
    }

    /// The core whose file an event's command is in.
    fn command_core(&self, track: &Track<'d>, i: usize) -> Option<&Core<'d>> {
        let index = match track.engine_id.engine {
            Engine::Cdma => (*track.owner.get(i)?)?.core as usize,
            _ => track.engine_id.index as usize,
        };
        self.left_out.get(&(index as u32)).or_else(|| self.cores.get(index))
    }

    /// The file that the full bits of a core's track are in; `None` of a port, whose commands are in the files of several cores.
    #[must_use]
    pub fn command_file(&self, track: &Track<'d>) -> Option<&'d [u8]> {
        let is_port = track.engine_id.engine == Engine::Cdma;
        if is_port { None } else { Some(self.command_core(track, 0)?.file) }
    }

    /// What an event's command belongs to.
    #[must_use]
    pub fn tag(&self, track: &Track<'d>, i: usize) -> Tag {
        let tag = track.events.tag.get(i).copied().unwrap_or(0);
        self.tags.get(tag as usize).copied().unwrap_or_default()
    }

    /// The full bits of an event's command; `None` where they are not known.
    #[must_use]
    pub fn command(&self, track: &Track<'d>, i: usize) -> Option<Command<'d>> {
        let at = usize::try_from(track.events.bits(i)?).ok()?;
        let bits = self.command_core(track, i)?.file.get(at..)?;
        self.chip.ops(track.engine_id.engine).command(*track.events.code.get(i)?, bits)
    }

    /// The full bits of a port's command that is named by its word, as captures of mode 2 have them; `None` where they
    /// are not known.
    #[must_use]
    pub fn port_command(&self, track: &Track<'d>, i: usize) -> Option<Command<'d>> {
        let at = track.events.port_bits.get(i).filter(|at| *at > 0)?;
        let bits = self.command_core(track, i)?.file.get(usize::try_from(at).ok()?..)?;
        self.chip.ops(track.engine_id.engine).command(*track.events.code.get(i)?, bits)
    }

    /// A DMA event's counters.
    #[must_use]
    #[inline]
    pub fn pmu(&self, track: &Track<'d>, i: usize) -> Option<Pmu<'d>> {
        track.monitor.pmu(self.chip, track.events.record.get(i)?)
    }

    /// Name of a tag's kernel.
    #[must_use]
    pub fn kernel(&self, tag: Tag) -> Option<&str> {
        self.kernels.get(tag.kernel? as usize).map(String::as_str)
    }
}

impl<'d> Track<'d> {
    /// `Cmd Id` of the register texts: ids of cores count from 1, those of ports from 0.
    #[must_use]
    #[inline]
    pub fn command_id(&self, i: usize) -> Option<i64> {
        Some(self.events.id.get(i)? + i64::from(self.engine_id.engine != Engine::Cdma))
    }

    pub(crate) fn new(engine_id: EngineId, clean: Clean<'d>) -> Self {
        Self {
            engine_id,
            events: clean.events.into(),
            monitor: clean.monitor,
            simulated_bytes: Vec::new(),
            owner: Vec::new(),
            anchor: None,
            is_placed: true,
        }
    }
}

impl Ledger {
    /// At least so many records of an engine are missing.
    fn lose(&mut self, engine_id: EngineId, missing: u64) {
        if missing == 0 {
            return;
        }
        match self.lines.iter_mut().find(|line| line.engine_id == engine_id) {
            Some(line) => line.counts.lost = line.counts.lost.max(missing),
            None => self
                .lines
                .push(Line { engine_id, counts: Counts { lost: missing, ..Counts::default() } }),
        }
    }

    fn add(&mut self, engine_id: EngineId, mut counts: Counts, events: &Events) {
        let bindings = BindingCounts::from_bindings(&events.binding);
        counts.shown = events.len() as u64;
        counts.matched = bindings.count(Binding::is_bound);
        counts.unmatched = counts.shown - counts.matched;
        counts.labelled = bindings.count(|b| matches!(b, Binding::Send | Binding::Wait));
        counts.undecodable =
            bindings.count(|b| matches!(b, Binding::BadBits | Binding::BadBitsOfWord));
        let unaccounted = counts.unaccounted();
        if unaccounted > 0 {
            counts.lost = counts.lost.saturating_add(unaccounted);
            let message = message!(
                "note-not-accounted",
                place = engine_id.message(),
                records = counts.read,
                unaccounted = unaccounted,
            );
            self.notes.push(Note::of_dump(Severity::Loss, message));
        }
        if counts != Counts::default() {
            self.lines.push(Line { engine_id, counts });
        }
    }
}

/// What is known of an engine's records, `None` where it has no file.
fn counts_of(cores: &Cores<'_>, ports: &[Port<'_>], engine_id: EngineId) -> Option<Counts> {
    if engine_id.engine == Engine::Cdma {
        return ports.iter().find(|p| p.index == engine_id.index).map(|p| p.counts);
    }
    let (_, core) = cores.iter().find(|(index, _)| *index == engine_id.index)?;
    core.counts.get(engine_id.engine as usize).copied()
}

/// The joined cores, by number.
pub(crate) type Cores<'d> = Vec<(u32, JoinedCore<'d>)>;

/// Reads all files in parallel and joins each core. The ports are read first: the anchor core needs
/// to know how many of its SDMA's sends are theirs.
fn join_all<'d>(dump: &'d Dump, clocks: Clocks) -> (Cores<'d>, Vec<Port<'d>>) {
    let chip = dump.chip;
    let is_static = dump.global.is_static;
    let mut ports: Vec<Port<'d>> = dump
        .ports
        .par_iter()
        .map(|f| Port::read(f.index, &f.path, f.bytes(), clocks.dma_mhz))
        .collect();
    let anchor_core = chip.core_num - 1;
    let has_anchor = !is_static && dump.cores.iter().any(|f| f.index == anchor_core);
    let mut anchored: Vec<&mut Port<'d>> = Vec::new();
    for port in ports.iter_mut().filter(|_| !is_static) {
        if port.repair(chip.preamble) && has_anchor {
            anchored.push(port);
        }
    }
    let mhz = (clocks.mhz(Engine::Tiu), clocks.dma_mhz);
    let sends_of_anchor = anchored.len();
    let join = |f: &'d SourceFile, words: Option<&BorrowedWords>| {
        let sends = if f.index == anchor_core { sends_of_anchor } else { 0 };
        let source = CoreSource::read(chip, f, mhz, dump.global.max_record_num, words);
        source.join(chip, f.command_bytes(), is_static, sends, mhz)
    };
    let joined = dump.cores.par_iter().map(|f| (f.index, join(f, None)));
    let mut cores: Cores<'d> = joined.collect();
    if !is_static {
        let join = |file, words: &BorrowedWords| join(file, Some(words));
        let mended = mend_words(chip, &dump.cores, &mut cores, join);
        compare_words(chip, &dump.cores, &mut cores, &mended, join);
    }
    compare_descriptors(chip, &dump.cores, &mut cores);
    for (index, core) in &cores {
        for (port, &send_end) in anchored.iter_mut().zip(&core.anchors) {
            port.anchor(*index, send_end);
        }
    }
    (cores, ports)
}

/// As many cores as there are files or `core_num` says, all empty.
fn empty_cores<'d>(dump: &Dump, cores: &Cores<'d>) -> Vec<Core<'d>> {
    let from_files = cores.iter().map(|(index, _)| index + 1).max().unwrap_or(0);
    let n = from_files.max(dump.global.core_num.unwrap_or(0));
    (0..n).map(Core::empty).collect()
}
