//! What a core's file holds: its records, and the commands that it was sent.

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{BlockKind, EXTRA_HEAD_BYTES, KvHeader, Word, WordKind, extra_head};

use crate::clock::Clock;
use crate::kernel::{KERNELS, of_launch};
use crate::launch::{Issue, Launch, Observer};
use crate::monitor::Monitor;
use crate::output::{Part, Sink};
use crate::plan::Plan;
use crate::record;
use crate::session::Session;
use crate::streams::ENGINES;
use crate::template::Template;
use crate::{Plant, Style};

/// A core of a session.
pub(crate) struct Core<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) core: u32,
    pub(crate) clock: Clock,
}

/// Parts of the engines' records and static descriptors, in the order of [`ENGINES`].
const RECORDS: [Part; 3] = [Part::Tiu, Part::Gdma, Part::Sdma];
const STATIC: [(Part, BlockKind); 3] = [
    (Part::DesTiu, BlockKind::DesTiu),
    (Part::DesGdma, BlockKind::DesGdma),
    (Part::DesSdma, BlockKind::DesSdma),
];

/// Distance of the firmware's own commands, in ps.
const OWN_PS: u64 = 1_000_000;

impl Core<'_> {
    /// Puts all that the core's file holds into the sink. Without a plan, times are those of a session in
    /// which nobody waits. Returns how long the core needs for each launch, in ns.
    pub(crate) fn run(&self, plan: Option<&Plan>, sink: &mut impl Sink) -> Vec<u32> {
        let options = self.session.options;
        let mut file = CoreFile {
            core: self,
            sink,
            monitors: RECORDS.map(|part| Monitor::new(options, part, self.core)),
            commands: Commands::Words,
            in_tiles: false,
            extras: 0,
        };
        self.firmware(&mut file);
        let mut arrivals = Vec::new();
        if !options.idle.contains(&self.core) {
            if options.style == Style::Graph {
                file.cached_streams();
            }
            let mut spans = plan.map(Plan::spans);
            for number in 0..options.launches {
                let span = spans.as_mut().and_then(Iterator::next);
                arrivals.push(self.launch(number, span, &mut file));
            }
        }
        if options.has_strays() && options.is_static() {
            file.stray(plan.map_or(0, Plan::end) + OWN_PS, 9);
        }
        arrivals
    }

    /// The commands with which the firmware itself syncs engines, cores and ports (section 6).
    fn firmware(&self, file: &mut CoreFile<'_, impl Sink>) {
        let options = self.session.options;
        let library = &self.session.library;
        for id in 0..options.chip.preamble as u32 {
            for template in [&library.dma_sends[0], &library.tiu_pair[1], &library.dma_sends[1]] {
                file.own(template, 0, u64::from(id) * OWN_PS, id);
            }
        }
        let anchors = if options.anchor() == Some(self.core) { options.ports } else { 0 };
        for (port, id) in (0..anchors).zip(options.chip.preamble as u32..) {
            file.own(&library.dma_sends[1], 0, anchor_start(port), id);
        }
        if options.has_strays() {
            file.stray(0, 7);
            if !options.is_static() {
                for (template, id) in library.tiu_pair.iter().zip(0..) {
                    file.own(template, 0, u64::from(id + 1) * OWN_PS, id);
                }
            }
        }
        file.reset_engines();
        for port in 0..anchors {
            for (template, id) in library.port_pair.iter().zip(0..) {
                file.own(template, port, 0, id);
            }
            file.reset(Engine::Cdma, port);
        }
    }

    fn launch(
        &self,
        number: u64,
        span: Option<crate::plan::Span>,
        file: &mut CoreFile<'_, impl Sink>,
    ) -> u32 {
        let options = self.session.options;
        let is_static = number < options.static_launches();
        file.commands = match options.style {
            _ if is_static => Commands::Blocks,
            Style::Graph => Commands::Streams,
            _ => Commands::Words,
        };
        let start = span.map_or(0, |span| span.start);
        let launch = self.session.launch(self.core, number, start);
        file.open(&launch);
        file.in_tiles = true;
        let engines = launch.tiles(file);
        file.in_tiles = false;
        let arrival = engines.arrival();
        launch.sync(engines, span.map_or(arrival, |span| span.release), file);
        file.close();
        u32::try_from((arrival - start).div_ceil(1000)).unwrap_or(u32::MAX)
    }
}

/// When the anchor core sends to a port, in ps of the session.
pub(crate) fn anchor_start(port: u8) -> u64 {
    u64::from(port) * OWN_PS + 4 * OWN_PS
}

/// How commands reach the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Commands {
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
struct CoreFile<'a, S> {
    core: &'a Core<'a>,
    sink: &'a mut S,
    monitors: [Monitor; ENGINES.len()],
    commands: Commands,
    /// Within the tiles of a launch, records may be lost.
    in_tiles: bool,
    extras: u32,
}

impl<S: Sink> CoreFile<'_, S> {
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

    fn reset(&mut self, engine: Engine, port: u8) {
        let number = self.chip().engine_number(engine).unwrap_or(0);
        let kind = WordKind::IdReset.number().unwrap_or(0);
        self.word(Word::new(kind, number, 0, 0, u16::from(port) << 8));
    }

    fn reset_engines(&mut self) {
        ENGINES.into_iter().for_each(|engine| self.reset(engine, 0));
    }

    /// A command of the firmware itself.
    fn own(&mut self, template: &Template, port: u8, start: u64, id: u32) {
        let end = start + template.least_ps;
        let (depends_on, address, noise) = (0, 0, 0);
        self.issue(&Issue { template, port, id, depends_on, address, start, end, noise });
    }

    /// A record of the TIU that no command explains.
    fn stray(&mut self, start: u64, id: u32) {
        let commands = std::mem::replace(&mut self.commands, Commands::None);
        self.own(&self.core.session.library.tiu_pair[0], 0, start, id);
        self.commands = commands;
    }

    /// The words before a launch's commands.
    fn open(&mut self, launch: &Launch<'_>) {
        let kernel = of_launch(launch.number);
        if self.commands == Commands::Blocks {
            return self.static_blocks(kernel);
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
    fn close(&mut self) {
        if self.commands != Commands::Blocks {
            self.tagged(WordKind::FuncEnd, 0);
        }
        self.monitors.iter_mut().for_each(|monitor| monitor.settle(self.sink));
    }

    /// A static model's descriptors of a launch: a block an engine.
    fn static_blocks(&mut self, kernel: usize) {
        for (engine, stream) in self.core.session.streams.of_kernel(kernel) {
            let Some((part, kind)) = STATIC.get(engine) else { continue };
            let head = kind.head(stream.bits.len() as u32);
            self.sink.put(*part, head.len() + stream.bits.len(), |to| {
                to.extend_from_slice(&head);
                to.extend_from_slice(&stream.bits);
            });
        }
    }

    /// The streams that DES words refer to.
    fn cached_streams(&mut self) {
        if !self.core.session.options.has_commands() {
            return;
        }
        let kernels = self.core.session.options.launches.min(KERNELS.len() as u64) as usize;
        for kernel in 0..kernels {
            for (engine, stream) in self.core.session.streams.of_kernel(kernel) {
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

/// Key of a kernel's stream.
fn stream_key(kernel: usize, engine: usize) -> u32 {
    0x1000 + kernel as u32 * 64 + engine as u32 * 8
}

impl<S: Sink> Observer for CoreFile<'_, S> {
    fn issue(&mut self, issue: &Issue<'_>) {
        self.dispatch(issue);
        let chip = self.chip();
        let engine = issue.template.step.engine;
        let at = ENGINES.iter().position(|&e| e == engine);
        if let Some(monitor) = at.and_then(|at| self.monitors.get_mut(at)) {
            let (clock, length) = (&self.core.clock, record::length(chip, engine));
            let fill = |to: &mut Vec<u8>| record::append(chip, clock, issue, to);
            monitor.record(!self.in_tiles, length, fill, self.sink);
        }
    }
}

impl<'a> Session<'a> {
    /// A core's part of a launch.
    pub(crate) fn launch(&'a self, core: u32, number: u64, start: u64) -> Launch<'a> {
        let kernel = KERNELS.get(of_launch(number)).map_or("", |kernel| kernel.name);
        let is_middle = number == self.options.launches / 2;
        let at = core as usize;
        Launch {
            library: &self.library,
            seed: self.options.seed,
            core,
            number,
            start,
            ports: self.ports.get(at).map_or(&[], Vec::as_slice),
            factor: Plant::factor(&self.options.plants, kernel, core),
            bubbles: match self.bubbles.get(at) {
                Some(bubbles) if is_middle => bubbles,
                _ => &[],
            },
        }
    }
}
