//! A core's file in the making: how records and commands reach its parts.

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{BlockKind, EXTRA_HEAD_BYTES, KvHeader, Word, WordKind, extra_head};

use crate::core::Core;
use crate::kernel::KERNELS;
use crate::launch::{Issue, Launch, Observer};
use crate::monitor::Monitor;
use crate::output::{Part, Sink};
use crate::record;
use crate::streams::{ENGINES, Stream, of_launch};
use crate::template::Template;

/// Parts of the engines' records and static descriptors, in the order of [`ENGINES`].
const RECORDS: [Part; 3] = [Part::Tiu, Part::Gdma, Part::Sdma];
const STATIC: [(Part, BlockKind); 3] = [
    (Part::DesTiu, BlockKind::DesTiu),
    (Part::DesGdma, BlockKind::DesGdma),
    (Part::DesSdma, BlockKind::DesSdma),
];

/// How commands reach the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commands {
    /// Not at all.
    None,
    /// As words of DYN_DATA, with their bits in DYN_EXTRA in mode 2.
    Words,
    /// As cached streams; CDMA commands as words.
    Streams,
    /// As a static model's descriptors.
    Blocks,
}

/// A core's file in the making.
pub(crate) struct CoreFile<'a, S> {
    core: &'a Core<'a>,
    sink: &'a mut S,
    monitors: [Monitor; ENGINES.len()],
    pub(crate) commands: Commands,
    /// Within the tiles of a launch, records may be lost.
    pub(crate) in_tiles: bool,
    extras: u32,
}

impl<'a, S: Sink> CoreFile<'a, S> {
    /// The file of a core, empty as yet.
    pub(crate) fn new(core: &'a Core<'a>, sink: &'a mut S) -> Self {
        let options = core.session.options;
        Self {
            core,
            sink,
            monitors: RECORDS.map(|part| Monitor::new(options, part, core.core)),
            commands: Commands::Words,
            in_tiles: false,
            extras: 0,
        }
    }

    fn chip(&self) -> &'static Chip {
        self.core.session.options.chip
    }

    fn word(&mut self, word: Word) {
        if self.core.session.options.has_commands() {
            self.sink.put(Part::Data, 4, |to| to.extend_from_slice(&word.0.to_le_bytes()));
        }
    }

    /// A word of a kind that has a number.
    fn tagged(&mut self, kind: WordKind, payload: u32) {
        self.word(Word::with_payload(kind.number().unwrap_or(0), payload));
    }

    pub(crate) fn reset(&mut self, engine: Engine, port: u8) {
        let number = self.chip().engine_number(engine).unwrap_or(0);
        let kind = WordKind::IdReset.number().unwrap_or(0);
        self.word(Word::new(kind, number, 0, 0, u16::from(port) << 8));
    }

    pub(crate) fn reset_engines(&mut self) {
        let has_sdma = self.core.session.options.writer.has_sdma();
        let engines = ENGINES.into_iter().filter(|&e| e != Engine::Sdma || has_sdma);
        engines.for_each(|engine| self.reset(engine, 0));
    }

    /// A command of the firmware itself.
    pub(crate) fn own(&mut self, template: &Template, port: u8, start: u64, id: u32) {
        let end = start + template.least_ps;
        let (depends_on, address, noise) = (0, 0, 0);
        self.issue(&Issue { template, port, id, depends_on, address, start, end, noise });
    }

    /// A record of the TIU that no command explains.
    pub(crate) fn stray(&mut self, start: u64, id: u32) {
        let commands = std::mem::replace(&mut self.commands, Commands::None);
        self.own(&self.core.session.library.tiu_pair[0], 0, start, id);
        self.commands = commands;
    }

    /// The words before a launch's commands.
    pub(crate) fn open(&mut self, launch: &Launch<'_>) {
        let kernel = launch.library.kernel_of(launch.number);
        if self.commands == Commands::Blocks {
            return self.static_blocks(launch.number);
        }
        if launch.number.is_multiple_of(KERNELS.len() as u64) {
            let batch = launch.number / KERNELS.len() as u64;
            self.tagged(WordKind::BatchIdx, batch as u32 & 0x1ff_ffff);
        }
        let name = KERNELS.get(kernel).map_or("", |kernel| kernel.name).as_bytes();
        self.tagged(WordKind::Func, name.len() as u32);
        for word in name.chunks(4) {
            let mut padded = [0; 4];
            padded[..word.len()].copy_from_slice(word);
            self.word(Word(u32::from_le_bytes(padded)));
        }
        if self.commands == Commands::Streams {
            for (engine, stream) in self.core.session.streams.of_kernel(kernel) {
                self.tagged(WordKind::Des(engine as u8), stream_key(kernel, engine));
                self.word(Word(stream.commands));
            }
        } else {
            self.reset_engines();
        }
        for &port in launch.ports {
            self.reset(Engine::Cdma, port);
        }
    }

    /// The end of a launch.
    pub(crate) fn close(&mut self) {
        if self.commands != Commands::Blocks {
            self.tagged(WordKind::FuncEnd, 0);
        }
        self.monitors.iter_mut().for_each(|monitor| monitor.settle(self.sink));
    }

    /// A static model's descriptors of a launch: a block an engine, or a group in the engine's only block.
    fn static_blocks(&mut self, launch: u64) {
        let has_groups = self.core.session.options.has_groups();
        for (engine, stream) in self.streams(launch) {
            let Some((part, kind)) = STATIC.get(engine) else { continue };
            if has_groups {
                let length = stream.bits.len().next_multiple_of(GROUP_BYTES);
                self.sink.put(*part, length, |to| {
                    to.extend_from_slice(&stream.bits);
                    to.resize(to.len() + length - stream.bits.len(), 0);
                });
                continue;
            }
            let head = kind.head(stream.bits.len() as u32);
            self.sink.put(*part, head.len() + stream.bits.len(), |to| {
                to.extend_from_slice(&head);
                to.extend_from_slice(&stream.bits);
            });
        }
    }

    /// The streams of a launch on this core that hold commands, with their engines.
    fn streams(&self, launch: u64) -> impl Iterator<Item = (usize, Stream)> + use<S> {
        let streams = of_launch(&self.core.session.library, self.core.core, launch);
        streams.into_iter().enumerate().filter(|(_, stream)| stream.commands > 0)
    }

    /// The streams that DES words refer to.
    pub(crate) fn cached_streams(&mut self) {
        if !self.core.session.options.has_commands() {
            return;
        }
        let kernels = self.core.session.options.launches.min(KERNELS.len() as u64) as usize;
        for kernel in 0..kernels {
            for (engine, stream) in self.streams(kernel as u64) {
                let key = stream_key(kernel, engine);
                let kv = KvHeader { key, count: stream.commands }.head(0);
                let length = kv.len() + stream.bits.len();
                let head = BlockKind::DesKv.head(length as u32);
                self.sink.put(Part::DesKv, head.len() + length, |to| {
                    to.extend_from_slice(&head);
                    to.extend_from_slice(&kv);
                    to.extend_from_slice(&stream.bits);
                });
            }
        }
    }

    fn dispatch(&mut self, issue: &Issue<'_>) {
        let engine = issue.template.step.engine;
        match self.commands {
            Commands::Words => {}
            Commands::Streams if engine == Engine::Cdma => {}
            _ => return,
        }
        self.word(Word(issue.template.word.0 | u32::from(issue.port) << 28));
        let template = issue.template;
        if self.core.session.options.mode == 2 && template.takes_extra {
            let length = template.bits.len();
            let id = self.extras;
            self.extras = id.wrapping_add(1);
            self.sink.put(Part::Extra, EXTRA_HEAD_BYTES + length, |to| {
                to.extend_from_slice(&extra_head(id, length as u32));
                template.append(issue.address, issue.depends_on, to);
            });
        }
    }
}

/// The groups of a model start at multiples of this.
const GROUP_BYTES: usize = 128;

/// Key of a kernel's stream.
fn stream_key(kernel: usize, engine: usize) -> u32 {
    0x1000 + kernel as u32 * 64 + engine as u32 * 8
}

impl<S: Sink> Observer for CoreFile<'_, S> {
    fn issue(&mut self, issue: &Issue<'_>) {
        self.dispatch(issue);
        let chip = self.chip();
        let engine = issue.template.step.engine;
        // The DMA engine of BM1688 records no sends, waits and end commands.
        let is_silent = self.core.session.options.writer.is_container(chip)
            && issue.template.is_system
            && engine != Engine::Tiu;
        if is_silent {
            return;
        }
        let at = ENGINES.iter().position(|&e| e == engine);
        if let Some(monitor) = at.and_then(|at| self.monitors.get_mut(at)) {
            let (clock, length) = (&self.core.clock, record::length(chip, engine));
            let fill = |to: &mut Vec<u8>| record::append(chip, clock, issue, to);
            monitor.record(!self.in_tiles, length, fill, self.sink);
        }
    }
}
