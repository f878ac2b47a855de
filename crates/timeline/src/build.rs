//! From an opened dump to its [`Profile`]: files are read and joined in parallel, cores and ports are put on one time line, and what the
//! parts say about each other is compared.

use std::collections::BTreeMap;
use std::mem;
use std::ops::Range;

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, message};
use rayon::prelude::*;

use crate::binding::{Binding, BindingCounts};
use crate::borrowed_words::BorrowedWords;
use crate::capture;
use crate::cdma::Port;
use crate::clocks::Clocks;
use crate::core_engines::CORE_ENGINES;
use crate::core_engines::Decoded;
use crate::core_set::CoreSet;
use crate::core_tracks::TracksOfCore;
use crate::descriptors_compared::compare_descriptors;
use crate::dump::Dump;
use crate::events::Events;
use crate::evidence::Evidence;
use crate::join::Cores;
use crate::ledger::{Counts, EngineId, Ledger, Line};
use crate::merged::Merged;
use crate::note::{Note, Severity};
use crate::options::BuildOptions;
use crate::port_files::tell_misplaced;
use crate::port_place::place_ports;
use crate::profile::{Core, EngineEvents, Profile};
use crate::runtime_shown::shown_runtime;
use crate::source::CoreSource;
use crate::source_file::SourceFile;
use crate::time_line::{align_cores, shift_to_zero, trim};
use crate::totals_check::{Verdict, check_counts};
use crate::words_compared::compare_words;
use crate::words_of_others::mend_words;

impl<'d> Profile<'d> {
    /// Analyzes an opened dump, its files in parallel.
    #[must_use]
    pub fn build(dump: &'d Dump, options: &BuildOptions) -> Self {
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

    /// Adds what the dump's parts say about each other. Missing parts come first: they are the cause of what the other
    /// notes show.
    fn judge(&mut self, dump: &Dump, decoded: &[Decoded]) {
        let evidence = Evidence::new(dump, self, decoded);
        let (mut losses, mut doubts) = (evidence.losses(), evidence.doubts());
        let captures = capture::compare(dump, self);
        losses.extend(captures.contradictions);
        self.ledger.notes.splice(0..0, losses);
        self.ledger.notes.extend(captures.doubts.iter().cloned());
        doubts.extend(captures.doubts);
        self.ledger.ask_for_one_ring();
        self.ledger.completeness.lose(&self.ledger.notes);
        self.ledger.completeness.doubt(doubts);
        let unseen = self.ledger.lines.iter().map(|line| line.counts.unseen);
        self.ledger.completeness.skip(unseen.sum());
    }

    fn add_core(&mut self, core: TracksOfCore<'d>, tags: Range<u32>, file: &'d [u8]) {
        let TracksOfCore { index, tracks, counts, notes, runtime, undecided } = core;
        let Some(slot) = self.cores.get_mut(index as usize) else { return };
        self.ledger.notes.extend(notes.finish());
        if let Some(undecided) = undecided {
            let note = Note::of_dump(Severity::Warning, undecided.message(index));
            self.ledger.notes.push(note.clone());
            self.ledger.completeness.doubt(vec![note]);
        }
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
        let mut track = EngineEvents::new(engine_id, port.clean);
        (track.owner, track.anchor, track.is_placed) = (port.owner, port.anchor, port.is_placed);
        self.ledger.add(engine_id, port.counts, &track.events);
        self.ports.push(track);
    }
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
