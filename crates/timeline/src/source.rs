//! A core's file taken apart: which block is what, and what is wrong with it.

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{Block, BlockKind, KvHeader};
use bigtpu_messages::{Arg, Message, message};
use foldhash::HashSet;
use rayon::prelude::*;

use crate::borrowed_words::BorrowedWords;
use crate::core_engines::{CORE_ENGINES, Decoded};
use crate::engine_ends::settle_ends;
use crate::extras::{Damages, Extras, note_damage};
use crate::ledger::{Counts, Notes};
use crate::monitor::{Clean, clean, in_ns, note_lapped};
use crate::nodes::{Nodes, walk_block};
use crate::sections;
use crate::sound_blocks::further_monitor;
use crate::source_file::SourceFile;
use crate::static_model::StaticStream;
use crate::streams::{Cache, group_descriptors};
use crate::streams_dispatched::tell_wrong_keys;
use crate::turns::{Jump, lonely_jump, lower, rotate, same_turn};
use crate::wide_events::WideEvents;

/// What a core's file holds.
pub(crate) struct CoreSource<'d> {
    /// Number of the core.
    pub(crate) index: u32,
    pub(crate) monitors: [Clean<'d>; 3],
    pub(crate) counts: [Counts; 3],
    pub(crate) nodes: Nodes,
    pub(crate) cache: Cache<'d>,
    /// Launches with a word that may mean another stream than it says.
    pub(crate) doubtful: HashSet<u32>,
    pub(crate) des: [StaticStream; 3],
    /// Commands in the streams, repetitions included.
    pub(crate) decoded: Decoded,
    pub(crate) notes: Notes,
}

impl<'d> CoreSource<'d> {
    /// Reads a core's file. `mhz`: clocks of TIU and DMA; `ring`: slots of the PMU's rings, if known; `borrowed`: words to take in
    /// the place of the file's own.
    pub(crate) fn read(
        chip: &Chip,
        file: &'d SourceFile,
        mhz: (f64, f64),
        ring: Option<u64>,
        borrowed: Option<&BorrowedWords>,
    ) -> Self {
        let mut source = Self {
            index: file.index,
            monitors: CORE_ENGINES.map(Clean::empty),
            counts: Default::default(),
            nodes: Nodes::default(),
            cache: Cache::default(),
            doubtful: HashSet::default(),
            des: std::array::from_fn(|_| StaticStream { groups: Vec::new() }),
            decoded: [0; 3],
            notes: Notes::new(&file.path, file.bytes().len()),
        };
        let found = file.blocks(&mut source.notes);
        let place = |block: &Block<'_>| {
            file.origin(block).map(|origin| (origin.path.as_path(), origin.base, origin.size))
        };
        let beside = source.notes.empty_for_the_file();
        // A core's monitors and its commands know nothing of each other until they are joined.
        let (mut monitors, mut dispatched) = rayon::join(
            || {
                clean_all(&found, |engine, block| {
                    let (mut notes, mut counts) = (beside.empty_for_the_file(), Counts::default());
                    notes.set_file(place(block));
                    let clean = clean(chip, engine, block, ring, &mut counts, &mut notes);
                    Cleaned { clean, counts, notes }
                })
            },
            || Dispatched::read(chip, &found, borrowed, beside.empty_for_the_file()),
        );
        let has_model = found.iter().any(|block| {
            matches!(block.kind, BlockKind::DesTiu | BlockKind::DesGdma | BlockKind::DesSdma)
        });
        let recorded = monitors.each_ref().map(|monitor| match monitor {
            Some(Cleaned { clean, .. }) if has_model => spans_without_gap(&clean.events.id),
            _ => Vec::new(),
        });
        let mut damages = std::mem::take(&mut dispatched.damages).into_iter();
        for block in &found {
            source.notes.set_file(place(block));
            match block.kind {
                BlockKind::MonitorTiu => source.monitor(0, block, &mut monitors),
                BlockKind::MonitorGdma => source.monitor(1, block, &mut monitors),
                BlockKind::MonitorSdma => source.monitor(2, block, &mut monitors),
                BlockKind::DynExtra => {
                    if let Some(damage) = damages.next().flatten() {
                        note_damage(block, &damage, &mut source.notes);
                    }
                }
                BlockKind::DesTiu => source.static_block(chip, 0, block, &recorded[0]),
                BlockKind::DesGdma => source.static_block(chip, 1, block, &recorded[1]),
                BlockKind::DesSdma => source.static_block(chip, 2, block, &recorded[2]),
                BlockKind::DesKv => match KvHeader::split(block.content) {
                    Some((header, stream)) => {
                        source.cache.add(header, stream, block.offset + KvHeader::BYTES as u64);
                    }
                    None => {
                        let size = block.content.len() as u64;
                        let message = Message::new("note-des-kv-short");
                        source.notes.loss(block.offset, size, message);
                    }
                },
                BlockKind::MonitorCdma => source.notes.loss(
                    block.offset,
                    block.content.len() as u64,
                    Message::new("note-cdma-in-core"),
                ),
                BlockKind::DynData
                | BlockKind::DesCdma
                | BlockKind::NotNeeded(_)
                | BlockKind::Unknown(_) => {}
            }
        }
        source.notes.set_file(None);
        for (des, decoded) in source.des.iter_mut().zip(&mut source.decoded) {
            *decoded = des.len() as u64;
            des.groups.truncate(file.group_count().unwrap_or(usize::MAX));
            des.drop_repetitions(file.command_bytes());
        }
        source.count_from_one_turn(chip, mhz, ring);
        source.notes.append(dispatched.notes);
        source.nodes = dispatched.nodes;
        source.doubtful = dispatched.doubtful;
        source
    }

    /// Turns cycles into ns, once the engines with one clock agree on the turns of their counter.
    fn count_from_one_turn(&mut self, chip: &Chip, mhz: (f64, f64), ring: Option<u64>) {
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
        self.monitors.par_iter_mut().enumerate().for_each(|(engine, clean)| {
            in_ns(&mut clean.events, if engine == 0 { mhz.0 } else { mhz.1 });
        });
        settle_ends(chip, &mut self.monitors);
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
                let message = message!(
                    "note-counter-jump",
                    engine = name,
                    record = Arg::Number(at as i64),
                    records = behind,
                );
                notes.loss_anywhere(None, message);
            }
        }
    }

    /// Takes over the monitor that was read from the first block of its kind.
    fn monitor(
        &mut self,
        engine: usize,
        block: &Block<'d>,
        monitors: &mut [Option<Cleaned<'d>>; 3],
    ) {
        match monitors[engine].take() {
            Some(Cleaned { clean, counts, notes }) => {
                (self.monitors[engine], self.counts[engine]) = (clean, counts);
                self.notes.append(notes);
            }
            None => further_monitor(block, &mut self.notes),
        }
    }

    fn static_block(&mut self, chip: &Chip, engine: usize, block: &Block<'d>, recorded: &[u64]) {
        let stream = (block.content, block.offset);
        let found =
            group_descriptors(chip, CORE_ENGINES[engine], stream, recorded, &mut self.notes);
        self.des[engine].groups.extend(found);
    }
}

/// The lengths of the sections of records that have all ids from their first to their last.
fn spans_without_gap(ids: &[i64]) -> Vec<u64> {
    let sections = sections::by_id(ids, |id| *id);
    let mut spans: Vec<u64> =
        sections.iter().filter(|s| s.span == s.len as u64).map(|s| s.span).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// A monitor that was read beside the others.
struct Cleaned<'d> {
    clean: Clean<'d>,
    counts: Counts,
    notes: Notes,
}

/// Cleans the first monitor block of each engine, engines in parallel.
fn clean_all<'d>(
    found: &[Block<'d>],
    clean: impl Fn(Engine, &Block<'d>) -> Cleaned<'d> + Sync,
) -> [Option<Cleaned<'d>>; 3] {
    let first = |engine, kind| {
        found.iter().find(|block| block.kind == kind).map(|block| clean(engine, block))
    };
    let (tiu, (gdma, sdma)) = rayon::join(
        || first(Engine::Tiu, BlockKind::MonitorTiu),
        || {
            rayon::join(
                || first(Engine::Gdma, BlockKind::MonitorGdma),
                || first(Engine::Sdma, BlockKind::MonitorSdma),
            )
        },
    );
    [tiu, gdma, sdma]
}

/// A core's dispatched commands, read beside its monitors.
struct Dispatched {
    nodes: Nodes,
    /// Launches with a word that may mean another stream than it says.
    doubtful: HashSet<u32>,
    /// What is wrong with the blocks of the commands' bits.
    damages: Damages,
    notes: Notes,
}

impl Dispatched {
    fn read(
        chip: &Chip,
        found: &[Block<'_>],
        borrowed: Option<&BorrowedWords>,
        mut notes: Notes,
    ) -> Self {
        let extras = Extras::read(found);
        let commands = || found.iter().filter(|block| block.kind == BlockKind::DynData);
        let mut nodes = Nodes::default();
        if commands().next().is_none() {
            let (n, damages) = extras.iter().finish();
            if n > 0 {
                notes.loss_anywhere(extras.first(), message!("note-extra-alone", commands = n));
            }
            return Self { nodes, doubtful: HashSet::default(), damages, notes };
        }
        let words = commands().map(|block| block.content.len() / 4).sum();
        let (tiu, dma) = chip.record_bytes;
        let records = |kind, bytes: usize| {
            let monitor = found.iter().find(|block| block.kind == kind);
            monitor.map_or(0, |block| block.content.len() / bytes.max(1))
        };
        let records = [
            records(BlockKind::MonitorTiu, tiu),
            records(BlockKind::MonitorGdma, dma),
            records(BlockKind::MonitorSdma, dma),
        ];
        nodes.reserve(records, words);
        let mut damages = Damages::new();
        let mut words_of_blocks = Vec::new();
        for block in commands() {
            // Each block of commands begins with the first bits again.
            let content = borrowed.map_or(block.content, |words| words.content.as_slice());
            damages = walk_block(chip, &mut nodes, content, block.offset, &extras, &mut notes);
            words_of_blocks.push((content, block.offset));
            borrowed.into_iter().for_each(|words| words.tell(block.offset, &mut notes));
        }
        let doubtful = tell_wrong_keys(found, &words_of_blocks, &mut notes);
        Self { nodes, doubtful, damages, notes }
    }
}
