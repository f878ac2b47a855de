//! What a core's file holds: its records, and the commands that it was sent.

use bigtpu_chip::Engine;

use crate::clock::Clock;
use crate::core_file::{Commands, CoreFile};
use crate::kernel::KERNELS;
use crate::launch::Launch;
use crate::output::Sink;
use crate::plan::Plan;
use crate::rng::Chance;
use crate::session::Session;
use crate::{Plant, Style};

/// A core of a session.
pub(crate) struct Core<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) core: u32,
    pub(crate) clock: Clock,
}

/// Distance of the firmware's own commands, in ps.
const OWN_PS: u64 = 1_000_000;
/// Copies of inputs, and as many of outputs.
const COPIES: u32 = 2;
/// When the copies of inputs start, in ps of the session: behind the firmware's own commands.
const INPUTS_PS: u64 = 20_000_000;

impl Core<'_> {
    /// Puts all that the core's file holds into the sink. Without a plan, times are those of a session in
    /// which no core waits for another. Returns how long the core needs for each launch, in ns.
    pub(crate) fn run(&self, plan: Option<&Plan>, sink: &mut impl Sink) -> Vec<u32> {
        let options = self.session.options;
        let mut file = CoreFile::new(self, sink);
        let mut arrivals = Vec::new();
        let is_idle = options.is_idle(self.core);
        if is_idle && options.writer.leaves_idle_cores_empty() {
            return arrivals;
        }
        self.firmware(&mut file);
        let has_copies = options.has_groups() && !is_idle;
        if has_copies {
            self.copies(INPUTS_PS, &mut file);
        }
        if !is_idle {
            if options.style == Style::Graph {
                file.cached_streams();
            }
            let mut spans = plan.map(Plan::spans);
            for number in 0..options.launches {
                let span = spans.as_mut().and_then(Iterator::next);
                arrivals.push(self.launch(number, span, &mut file));
            }
        }
        if options.has_strays() && options.has_marker() {
            file.stray(plan.map_or(0, Plan::end) + OWN_PS, 9);
        }
        if has_copies {
            file.commands = Commands::Words;
            self.copies(plan.map_or(0, Plan::end) + 2 * OWN_PS, &mut file);
        }
        arrivals
    }

    /// The commands with which the firmware itself syncs engines, cores and ports (section 6).
    fn firmware(&self, file: &mut CoreFile<'_, impl Sink>) {
        let options = self.session.options;
        let library = &self.session.library;
        // Ids continue from the kernel before where a runtime wrote the dump.
        let mut first_id = 0;
        if options.writer.has_barrier() {
            first_id = Chance::seeded(options.seed, [u64::MAX, 0, 4]).next_below(1000) as u32;
            for place in 0..2 {
                let start = place as u64 * OWN_PS;
                for (pair, nth) in library.barrier.iter().zip(0..) {
                    file.own(&pair[place], 0, start + nth * OWN_PS / 8, first_id + place as u32);
                }
            }
        } else {
            for id in 0..options.chip.preamble as u32 {
                for template in [&library.dma_sends[0], &library.tiu_pair[1], &library.dma_sends[1]]
                {
                    file.own(template, 0, u64::from(id) * OWN_PS, id);
                }
            }
        }
        let anchors = if options.anchor() == Some(self.core) { options.ports } else { 0 };
        for (port, id) in (0..anchors).zip(first_id + options.chip.preamble as u32..) {
            file.own(&library.dma_sends[1], 0, anchor_start(port), id);
        }
        if options.has_strays() {
            file.stray(0, 7);
            if !options.has_marker() {
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

    /// The runtime's copies of inputs or outputs, in a section of ids of their own. `start`: in ps of the session.
    fn copies(&self, start: u64, file: &mut CoreFile<'_, impl Sink>) {
        let copy = &self.session.library.copy;
        file.reset_engines();
        for id in 0..COPIES {
            let start = start + u64::from(id) * (copy.least_ps + OWN_PS / 8);
            file.own(copy, 0, start, id);
        }
        file.reset_engines();
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

impl<'a> Session<'a> {
    /// A core's part of a launch.
    pub(crate) fn launch(&'a self, core: u32, number: u64, start: u64) -> Launch<'a> {
        let kernel = KERNELS.get(self.library.kernel_of(number)).map_or("", |kernel| kernel.name);
        let is_middle = number == self.options.launches / 2;
        let at = core as usize;
        let plants = &self.options.plants;
        let is_turn = self.has_turn(core, number);
        let straggling = if is_turn { Plant::straggling(plants) } else { 1.0 };
        Launch {
            library: &self.library,
            seed: self.options.seed,
            core,
            number,
            start,
            ports: self.ports.get(at).map_or(&[], Vec::as_slice),
            is_short: Plant::has_stages(plants) && !is_turn,
            factor: straggling * Plant::factor(plants, kernel, Some(core)),
            link_factor: Plant::factor(plants, kernel, None),
            slow_ports: &self.slow_ports,
            bubbles: match self.bubbles.get(at) {
                Some(bubbles) if is_middle => bubbles,
                _ => &[],
            },
            pauses: self.options.machine.pauses,
        }
    }

    /// Whether it is the core's turn in a launch: one core after the other.
    fn has_turn(&self, core: u32, launch: u64) -> bool {
        let cores = (0..self.options.cores).filter(|core| !self.options.is_idle(*core));
        let active = cores.clone().count() as u64;
        cores.zip(0..).any(|(other, at)| other == core && launch % active.max(1) == at)
    }
}
