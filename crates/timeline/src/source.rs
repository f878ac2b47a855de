//! A core's file taken apart: which block is what, and what is wrong with it.

use std::path::Path;

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{Block, BlockKind, ExtraItems, KvHeader, UnknownBlocks, blocks};

use crate::clock::same_turn;
use crate::ledger::{Counts, Notes};
use crate::monitor::{Clean, clean, in_ns};
use crate::nodes::{Extra, Nodes, walk_block};
use crate::pair::StaticStream;
use crate::streams::{Cache, descriptors};

/// The TIU, GDMA and SDMA of a core; also an index into `[T; 3]`.
pub(crate) const CORE_ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// What a core's file holds.
pub(crate) struct CoreSource<'d> {
    pub(crate) monitors: [Clean<'d>; 3],
    pub(crate) counts: [Counts; 3],
    pub(crate) nodes: Nodes,
    pub(crate) cache: Cache<'d>,
    pub(crate) des: [StaticStream; 3],
    pub(crate) notes: Notes,
}

impl<'d> CoreSource<'d> {
    /// Reads a core's file. `mhz`: clocks of TIU and DMA; `ring`: slots of the PMU's rings, if known.
    pub(crate) fn read(
        chip: &Chip,
        path: &Path,
        file: &'d [u8],
        mhz: (f64, f64),
        ring: Option<u64>,
    ) -> Self {
        let mut source = Self {
            monitors: CORE_ENGINES.map(Clean::empty),
            counts: Default::default(),
            nodes: Nodes::default(),
            cache: Cache::default(),
            des: std::array::from_fn(|_| StaticStream { blocks: Vec::new() }),
            notes: Notes::of(path, file.len()),
        };
        let found = sound_blocks(file, &mut source.notes);
        let mut seen = [false; 3];
        let mut extras = Vec::new();
        for block in &found {
            match block.kind {
                BlockKind::MonitorTiu => source.monitor(chip, 0, block, ring, &mut seen),
                BlockKind::MonitorGdma => source.monitor(chip, 1, block, ring, &mut seen),
                BlockKind::MonitorSdma => source.monitor(chip, 2, block, ring, &mut seen),
                BlockKind::DynExtra => source.extras(block, &mut extras),
                BlockKind::DesTiu => source.static_block(chip, 0, block),
                BlockKind::DesGdma => source.static_block(chip, 1, block),
                BlockKind::DesSdma => source.static_block(chip, 2, block),
                BlockKind::DesKv => match KvHeader::split(block.content) {
                    Some((header, stream)) => {
                        source.cache.add(header, stream, block.offset + KvHeader::BYTES as u64);
                    }
                    None => {
                        let size = block.content.len() as u64;
                        let text = "DES_KV is too short for its head of 12";
                        source.notes.loss(block.offset, size, text);
                    }
                },
                BlockKind::MonitorCdma => source.notes.loss(
                    block.offset,
                    block.content.len() as u64,
                    "MONITOR_CDMA stands in a core's file; it belongs into a cdma*_PORT.profile",
                ),
                BlockKind::DynData
                | BlockKind::DesCdma
                | BlockKind::NotNeeded(_)
                | BlockKind::Unknown(_) => {}
            }
        }
        source.count_from_one_turn(mhz);
        let has_commands = found.iter().any(|b| b.kind == BlockKind::DynData);
        if !extras.is_empty() && !has_commands {
            let n = extras.len();
            let first = extras.first().map(|extra| extra.offset);
            let text = format!("DYN_EXTRA holds {n} commands' bits, but DYN_DATA is missing");
            source.notes.loss_anywhere(first, text);
        }
        // The commands may stand before the extras that they take.
        for block in found.iter().filter(|b| b.kind == BlockKind::DynData) {
            let (nodes, notes) = (&mut source.nodes, &mut source.notes);
            walk_block(chip, nodes, block.content, block.offset, &extras, notes);
        }
        source
    }

    /// Turns cycles into ns. The engines' counters run together where their clocks are the same: one that wrapped
    /// before an engine's first record, and not before the other's, puts them 2^32 cycles apart.
    fn count_from_one_turn(&mut self, mhz: (f64, f64)) {
        let first = |clean: &Clean<'_>| clean.events.start.first().copied();
        let from = if mhz.0 == mhz.1 { 0 } else { 1 };
        let base = self.monitors[from..].iter().find_map(first);
        for (engine, clean) in self.monitors.iter_mut().enumerate() {
            if let (Some(base), Some(own), true) = (base, first(clean), engine >= from) {
                clean.events.shift(same_turn(base, own));
            }
            in_ns(&mut clean.events, if engine == 0 { mhz.0 } else { mhz.1 });
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

    fn extras(&mut self, block: &Block<'d>, extras: &mut Vec<Extra<'d>>) {
        let mut items = ExtraItems::new(block.content);
        for item in items.by_ref() {
            let offset = block.offset + item.offset as u64;
            extras.push(Extra { offset, bytes: item.bytes });
        }
        if let Some(damage) = items.damage() {
            let at = block.offset + damage.offset;
            self.notes.loss(
                at,
                damage.bytes,
                format!(
                    "DYN_EXTRA: {}; the {} bytes from there on are left out",
                    damage.what, damage.bytes
                ),
            );
        }
    }

    fn static_block(&mut self, chip: &Chip, engine: usize, block: &Block<'d>) {
        let found =
            descriptors(chip, CORE_ENGINES[engine], block.content, block.offset, &mut self.notes);
        self.des[engine].blocks.push(found);
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
            _ => format!("{name} and {} more behind it, {bytes} bytes, skipped", count - 1),
        };
        notes.loss(offset, bytes, text);
    }
    if let Some(damage) = found.damage {
        notes.loss(
            damage.offset,
            damage.bytes,
            format!(
                "{}; of the {} bytes from there on only whole records and commands are kept; copy the file again",
                damage.what, damage.bytes
            ),
        );
    }
    if file.is_empty() {
        notes.warn(None, "the file is empty");
    }
    found.blocks
}
