//! A core's file taken apart: which block is what, and what is wrong with it.

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{Block, BlockKind, KvHeader, UnknownBlocks, blocks};

use crate::dump::SourceFile;
use crate::evidence::Decoded;
use crate::extras::Extras;
use crate::ledger::{Counts, Notes};
use crate::monitor::{Clean, clean, in_ns, note_lapped};
use crate::nodes::{Nodes, walk_block};
use crate::static_model::StaticStream;
use crate::streams::{Cache, group_descriptors};
use crate::turns::{Jump, lonely_jump, lower, rotate, same_turn};
use crate::wide_events::WideEvents;

/// The TIU, GDMA and SDMA of a core; also an index into `[T; 3]`.
pub(crate) const CORE_ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// What a core's file holds.
pub(crate) struct CoreSource<'d> {
    pub(crate) monitors: [Clean<'d>; 3],
    pub(crate) counts: [Counts; 3],
    pub(crate) nodes: Nodes,
    pub(crate) cache: Cache<'d>,
    pub(crate) des: [StaticStream; 3],
    /// Commands in the streams, repetitions included.
    pub(crate) decoded: Decoded,
    pub(crate) notes: Notes,
}

impl<'d> CoreSource<'d> {
    /// Reads a core's file. `mhz`: clocks of TIU and DMA; `ring`: slots of the PMU's rings, if known.
    pub(crate) fn read(
        chip: &Chip,
        file: &'d SourceFile,
        mhz: (f64, f64),
        ring: Option<u64>,
    ) -> Self {
        let mut source = Self {
            monitors: CORE_ENGINES.map(Clean::empty),
            counts: Default::default(),
            nodes: Nodes::default(),
            cache: Cache::default(),
            des: std::array::from_fn(|_| StaticStream { groups: Vec::new() }),
            decoded: [0; 3],
            notes: Notes::of(&file.path, file.bytes().len()),
        };
        let found = file.blocks(&mut source.notes);
        let mut seen = [false; 3];
        let mut extras = Extras::default();
        for block in &found {
            let origin = file.origin(block);
            source.notes.about(origin.map(|o| (o.path.as_path(), o.base, o.size)));
            match block.kind {
                BlockKind::MonitorTiu => source.monitor(chip, 0, block, ring, &mut seen),
                BlockKind::MonitorGdma => source.monitor(chip, 1, block, ring, &mut seen),
                BlockKind::MonitorSdma => source.monitor(chip, 2, block, ring, &mut seen),
                BlockKind::DynExtra => extras.add(block, &mut source.notes),
                BlockKind::DesTiu => source.static_block(chip, 0, block),
                BlockKind::DesGdma => source.static_block(chip, 1, block),
                BlockKind::DesSdma => source.static_block(chip, 2, block),
                BlockKind::DesKv => match KvHeader::split(block.content) {
                    Some((header, stream)) => {
                        source.cache.add(header, stream, block.offset + KvHeader::BYTES as u64);
                    }
                    None => {
                        let size = block.content.len() as u64;
                        let text = "DES_KV is too short for its header of 12";
                        source.notes.loss(block.offset, size, text);
                    }
                },
                BlockKind::MonitorCdma => source.notes.loss(
                    block.offset,
                    block.content.len() as u64,
                    "MONITOR_CDMA is in a core's file; it belongs in a cdma*_PORT.profile",
                ),
                BlockKind::DynData
                | BlockKind::DesCdma
                | BlockKind::NotNeeded(_)
                | BlockKind::Unknown(_) => {}
            }
        }
        source.notes.about(None);
        for (des, decoded) in source.des.iter_mut().zip(&mut source.decoded) {
            *decoded = des.len() as u64;
            des.groups.truncate(file.group_count().unwrap_or(usize::MAX));
            des.drop_repetitions(file.command_bytes());
        }
        source.count_from_one_turn(mhz, ring);
        let has_commands = found.iter().any(|b| b.kind == BlockKind::DynData);
        if !extras.is_empty() && !has_commands {
            let n = extras.len();
            let text = format!("DYN_EXTRA holds {n} commands' bits, but DYN_DATA is missing");
            source.notes.loss_anywhere(extras.first(), text);
        }
        let commands = || found.iter().filter(|b| b.kind == BlockKind::DynData);
        let words = commands().map(|block| block.content.len() / 4).sum();
        source.nodes.reserve(source.monitors.each_ref().map(|clean| clean.events.len()), words);
        // The commands may be before the extras that they take.
        for block in commands() {
            let (nodes, notes) = (&mut source.nodes, &mut source.notes);
            walk_block(chip, nodes, block.content, block.offset, &extras, notes);
        }
        source
    }

    /// Turns cycles into ns, once the engines with one clock agree on the turns of their counter.
    fn count_from_one_turn(&mut self, mhz: (f64, f64), ring: Option<u64>) {
        for engine in 0..self.monitors.len() {
            self.settle_jump(engine, ring);
        }
        let first = |clean: &Clean<'_>| clean.events.start.first().copied();
        let from = if mhz.0 == mhz.1 { 0 } else { 1 };
        let base = self.monitors[from..].iter().find_map(first);
        for clean in &mut self.monitors[from..] {
            if let (Some(base), Some(own)) = (base, first(clean)) {
                clean.events.shift(same_turn(base, own));
            }
        }
        for (engine, clean) in self.monitors.iter_mut().enumerate() {
            in_ns(&mut clean.events, if engine == 0 { mhz.0 } else { mhz.1 });
        }
    }

    /// Undoes a jump of about a turn that the core's other engines do not know of.
    fn settle_jump(&mut self, engine: usize, ring: Option<u64>) {
        let events = |at: usize| self.monitors.get(at).map(|clean| &clean.events);
        let others: Vec<&WideEvents> =
            (0..self.monitors.len()).filter(|&at| at != engine).filter_map(events).collect();
        let Some(jump) = events(engine).and_then(|own| lonely_jump(own, &others)) else { return };
        let (counts, notes) = (&mut self.counts[engine], &mut self.notes);
        let events = &mut self.monitors[engine].events;
        match jump {
            Jump::FalseTurn(at) => {
                lower(events, at);
                counts.wrapped = counts.wrapped.saturating_sub(1);
            }
            Jump::Seam(at) => {
                rotate(events, at);
                counts.rotated += events.len() as u64;
                let first = events.id.first().copied().unwrap_or(0);
                let oldest = u32::try_from(first).unwrap_or(0);
                note_lapped(CORE_ENGINES[engine], oldest, events.len(), ring, None, counts, notes);
            }
            Jump::Unclear(at) => {
                let name = CORE_ENGINES[engine].name();
                let behind = events.len() - at;
                counts.lost += behind as u64;
                let text = format!(
                    "{name}: the counter jumps by about 2^32 cycles before record {at}, but no other engine of the core pauses there and no record is out of order: the times of {behind} records are doubtful; profile a shorter run"
                );
                notes.loss_anywhere(None, text);
            }
        }
    }

    fn monitor(
        &mut self,
        chip: &Chip,
        engine: usize,
        block: &Block<'d>,
        ring: Option<u64>,
        seen: &mut [bool; 3],
    ) {
        let (counts, notes) = (&mut self.counts[engine], &mut self.notes);
        if std::mem::replace(&mut seen[engine], true) {
            further_monitor(block, notes);
            return;
        }
        self.monitors[engine] = clean(chip, CORE_ENGINES[engine], block, ring, counts, notes);
    }

    fn static_block(&mut self, chip: &Chip, engine: usize, block: &Block<'d>) {
        let found = group_descriptors(
            chip,
            CORE_ENGINES[engine],
            block.content,
            block.offset,
            &mut self.notes,
        );
        self.des[engine].groups.extend(found);
    }
}

/// Notes a monitor block of a kind that the core's file already has.
pub(crate) fn further_monitor(block: &Block<'_>, notes: &mut Notes) {
    let (name, size) = (block.kind.name(), block.content.len());
    let text = format!("a further {name} block of {size} bytes; only a file's first is read");
    notes.loss(block.offset, size as u64, text);
}

/// A file's blocks, with notes of those that are unknown or cut.
pub(crate) fn sound_blocks<'d>(file: &'d [u8], notes: &mut Notes) -> Vec<Block<'d>> {
    let found = blocks(file);
    for run in &found.unknown {
        let UnknownBlocks { first, offset, count, bytes } = *run;
        let name = BlockKind::Unknown(first).name();
        let text = match count {
            1 => format!("{name} of {bytes} bytes, skipped"),
            _ => format!("{name} and {} more after it, {bytes} bytes, skipped", count - 1),
        };
        notes.loss(offset, bytes, text);
    }
    if let Some(damage) = found.damage {
        notes.loss(
            damage.offset,
            damage.bytes,
            format!(
                "{}; of the {} bytes from there on only complete records and commands are used; copy the file again",
                damage.what, damage.bytes
            ),
        );
    }
    found.blocks
}
