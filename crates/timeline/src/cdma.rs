//! CDMA ports (section 6): anchored to the SDMA of the chip's last core, and tried against every
//! core's commands.

use std::ops::Range;
use std::path::Path;

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{Block, BlockKind, PortThread};
use bigtpu_messages::{Message, message};

use crate::binding::Binding;
use crate::bound::Bound;
use crate::by_ids;
use crate::join::JoinedCore;
use crate::join_settle::{lost_places, tell_faults};
use crate::ledger::{Counts, Notes};
use crate::monitor::{Clean, RecordFault, clean_port};
use crate::owner::CdmaOwner;
use crate::pair::{Context, Sections, matches};
use crate::port_repair::repair_port;
use crate::quality::{Quality, mark};
use crate::sound::repair_thread_ids;
use crate::sound_blocks::sound_blocks;

/// A port's records.
pub(crate) struct Port<'d> {
    pub(crate) index: u32,
    pub(crate) clean: Clean<'d>,
    pub(crate) counts: Counts,
    pub(crate) notes: Notes,
    /// The core whose SDMA gave the port its time.
    pub(crate) anchor: Option<u32>,
    /// When the send of its sync pair ended, before the cores were put on one time line; ns. 0 without a pair.
    pub(crate) sync_ns: i64,
    /// The records of the sync pair.
    pair: Range<usize>,
    /// A full ring lost the sync pair.
    pair_is_lost: bool,
    /// Its times are those of the cores: a sync pair or launches bind it to one.
    pub(crate) is_placed: bool,
    /// The core that launched each event's command, and the command's tag there.
    pub(crate) launched_by: Vec<Option<(u32, u32)>>,
    /// The core that each event's command or tag comes from.
    pub(crate) owner: Vec<Option<CdmaOwner>>,
}

impl<'d> Port<'d> {
    pub(crate) fn read(index: u32, path: &Path, file: &'d [u8], mhz: f64) -> Self {
        let mut counts = Counts::default();
        let mut notes = Notes::new(path, file.len());
        let found = sound_blocks(file, &mut notes);
        let monitors: Vec<Block<'d>> =
            found.into_iter().filter(|b| b.kind == BlockKind::MonitorCdma).collect();
        let clean = clean_port(&monitors, mhz, &mut counts, &mut notes);
        Self {
            index,
            clean,
            counts,
            notes,
            anchor: None,
            sync_ns: 0,
            pair: 0..0,
            pair_is_lost: false,
            is_placed: true,
            launched_by: Vec::new(),
            owner: Vec::new(),
        }
    }

    /// Undoes the port's disorder. Returns whether it has a record to anchor.
    pub(crate) fn repair(&mut self, preamble: usize) -> bool {
        self.repair_ids();
        let Clean { monitor, events, .. } = &mut self.clean;
        if events.len() > 1 {
            let repair = repair_port(events, preamble, |record| monitor.port_record(record));
            self.counts.trimmed += repair.duplicates;
            self.counts.reordered += repair.moved;
            self.pair_is_lost = repair.pair.is_empty();
            self.pair = repair.pair;
        }
        events.len() > 1
    }

    /// Puts right ids of which a bit is wrong.
    fn repair_ids(&mut self) {
        let Clean { monitor, events, places, faults } = &mut self.clean;
        let thread = |i: &usize| {
            monitor.port_record(events.record[*i]).map(bigtpu_format::CdmaRecord::thread)
        };
        for of in [PortThread::Transmit, PortThread::Receive] {
            let own: Vec<usize> = (0..events.len()).filter(|i| thread(i) == Some(of)).collect();
            let mut ids: Vec<i64> = own.iter().map(|&i| events.id[i]).collect();
            for at in repair_thread_ids(&mut ids) {
                let record = events.record[own[at]];
                events.id[own[at]] = ids[at];
                mark(&mut events.marks, record, Quality::Repaired);
                let launch = Message::new("note-in-no-launch");
                let message =
                    message!("note-wrong-id", engine = Engine::Cdma.name(), launch = launch);
                faults.push(RecordFault { record, at: places.byte(record), message });
            }
        }
    }

    /// Tells what was wrong with its records.
    pub(crate) fn tell_faults(&mut self) {
        let no_launch = |_| Message::new("note-in-no-launch");
        tell_faults(&mut self.clean, no_launch, &mut self.notes);
    }

    /// Tells where records are lost, of which only their number was told so far. `missing`: how many, by the counts of the runtime.
    pub(crate) fn tell_lost_places(&mut self, missing: u64) {
        let Clean { monitor, events, places, .. } = &self.clean;
        let thread = |i: &usize| {
            monitor.port_record(events.record[*i]).map(bigtpu_format::CdmaRecord::thread)
        };
        let missing = missing.max(self.counts.unseen);
        for of in [PortThread::Transmit, PortThread::Receive] {
            let own = (0..events.len()).filter(|i| thread(i) == Some(of));
            let found = lost_places(events, own, missing);
            let byte = |i: usize| places.byte(*events.record.get(i)?);
            let launch = |_| Message::new("note-in-no-launch");
            by_ids::tell(Engine::Cdma.name(), &found, byte, launch, &mut self.notes);
        }
    }

    /// Whether nothing relates its times to those of the cores: its ring was full, and nothing else places it. Where the
    /// cores captured no sync, the port keeps its pair, and all counters are shown from one zero, as 0.3.7 does.
    pub(crate) fn counts_alone(&self) -> bool {
        self.pair_is_lost && !self.is_placed
    }

    /// Shifts the port so that the first record of its sync pair ends with the SDMA's send, and drops the pair.
    pub(crate) fn anchor(&mut self, core: u32, send_end: i64) {
        let Range { start: first, end } = self.pair.clone();
        let events = &mut self.clean.events;
        let Some(&wait_end) = events.end.get(first).filter(|_| first < end) else { return };
        if first == 0 {
            events.drop_front(end);
        } else {
            let kept: Vec<usize> = (0..first).chain(end..events.len()).collect();
            events.reorder(&kept);
            self.counts.lost += first as u64;
            self.notes.loss_anywhere(None, message!("note-before-sync-pair", records = first));
        }
        self.counts.preamble += (end - first) as u64;
        events.shift(send_end - wait_end);
        (self.anchor, self.sync_ns) = (Some(core), send_end);
    }

    /// Binds each record that exactly one core's commands explain, and labels the other system
    /// records. `cores`: number and joined core of each file.
    pub(crate) fn pair(&mut self, chip: &Chip, cores: &mut [(u32, JoinedCore<'d>)]) {
        let Clean { monitor, events, .. } = &mut self.clean;
        self.owner = vec![None; events.len()];
        self.launched_by = vec![None; events.len()];
        monitor.label(chip, events, false);
        let all: Vec<usize> = (0..events.len()).collect();
        let mut found: Vec<Option<(u32, Bound, u32)>> = vec![None; events.len()];
        let mut ambiguous = vec![false; events.len()];
        let mut only_tag: Vec<Option<(u32, u32)>> = vec![None; events.len()];
        let mut commands = 0;
        for (core, joined) in cores.iter_mut() {
            let JoinedCore { cdma_nodes, cache, notes, .. } = joined;
            let Some(nodes) = cdma_nodes.get(self.index as usize) else { continue };
            // The anchor core recorded the sync pair that was dropped from the port.
            let is_anchor_core = *core + 1 == chip.core_num;
            let skip = if is_anchor_core { chip.preamble.min(nodes.len()) } else { 0 };
            let nodes = &nodes[skip..];
            commands += nodes.len() as u64;
            let streams = Some((cache, notes));
            let mut context = Context { chip, engine: Engine::Cdma, streams };
            let sections = Sections::divide(&events.id, &all, nodes);
            let parts = (all.as_slice(), nodes, &sections);
            matches(&mut context, &events.id, parts, |i, bound, tag| {
                let Some(bound) = bound else {
                    only_tag[i] = Some((*core, tag));
                    return;
                };
                // A command that fits, even if another core's does too, is better known than a tag.
                only_tag[i] = None;
                if found[i].is_some_and(|(other, ..)| other != *core) {
                    ambiguous[i] = true;
                } else {
                    found[i] = Some((*core, bound, tag));
                }
            });
        }
        let mut bound_count = 0;
        for (i, found) in found.into_iter().enumerate() {
            if let Some((core, bound, tag)) = found.filter(|_| !ambiguous[i]) {
                self.launched_by[i] = Some((core, tag));
                // Commands of a descriptor stream carry no tags of their own, and unlike on a
                // core those of the node that dispatched it are not passed on.
                let tag = if bound.binding.comes_from_stream() { 0 } else { tag };
                events.bind(i, bound, tag);
                self.owner[i] = Some(CdmaOwner { core, submitted: true });
                bound_count += 1;
            } else if let Some((core, tag)) = only_tag[i] {
                events.tag[i] = tag;
                self.launched_by[i] = Some((core, tag));
                self.owner[i] = Some(CdmaOwner { core, submitted: false });
            }
        }
        let unclear = ambiguous.iter().filter(|&&a| a).count();
        self.counts.commands = commands;
        self.counts.unseen = commands.saturating_sub(bound_count);
        self.tell_unmatched(unclear);
    }

    /// Says which records have no command, and which commands no record. `unclear`: records that several cores explain.
    fn tell_unmatched(&mut self, unclear: usize) {
        let Self { clean, counts, notes, .. } = self;
        if unclear > 0 {
            notes.warn(None, message!("note-port-unclear", records = unclear));
        }
        let bindings = &clean.events.binding;
        let records = bindings.len();
        let unmatched = bindings.iter().filter(|b| !b.is_bound()).count();
        let Counts { commands, unseen, .. } = *counts;
        if commands == 0 || records == 0 {
            return;
        }
        if unmatched * 2 >= records {
            let message = message!("note-port-unmatched", unmatched = unmatched, records = records);
            notes.warn(None, message);
        }
        let unbound = bindings.iter().filter(|b| **b == Binding::None).count() as u64;
        let message = match (unclear, unseen, unbound) {
            (1.., ..) | (0, 0, 0) => return,
            (0, 0, _) => message!("note-port-unbound", unbound = unbound, records = records),
            (0, _, 0) => message!("note-port-unseen", unseen = unseen, commands = commands),
            (0, ..) => message!(
                "note-port-unseen-and-unbound",
                unseen = unseen,
                commands = commands,
                unbound = unbound,
            ),
        };
        counts.lost = counts.lost.max(unseen).max(unbound);
        notes.loss_anywhere(None, message);
    }
}
