//! One launch on one core: what is dispatched, and when the engines do it.
//!
//! Engines work in order and side by side. A command starts when its engine is free, the buffers that it reads are
//! full and the one that it fills has been read. A launch ends with a sync of all cores, so that nothing is
//! carried over: the core's part of a launch follows from the seed, the core and the launch's number alone.

use bigtpu_chip::Engine;

use crate::PlantedPauses;
use crate::kernel::{BUFFERS, KERNELS, WEIGHTS_OF_ALL};
use crate::library::Library;
use crate::rng::Chance;
use crate::template::Template;

/// A command, and when it ran.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Issue<'t> {
    pub(crate) template: &'t Template,
    /// CDMA port; 0 on other engines.
    pub(crate) port: u8,
    /// Number of the command on its engine or port, from 0.
    pub(crate) id: u32,
    /// `cmd_id_dep`: 1 more than the id of the other engine's command that this one waits for, or 0.
    pub(crate) depends_on: u32,
    /// Low word of the address in off-chip memory.
    pub(crate) address: u32,
    /// In ps of the session.
    pub(crate) start: u64,
    /// In ps of the session.
    pub(crate) end: u64,
    /// Chance for the record's counters.
    pub(crate) noise: u32,
}

/// What follows a launch, command by command in dispatch order.
pub(crate) trait Observer {
    /// A command was dispatched and ran.
    fn issue(&mut self, issue: &Issue<'_>);
}

/// A core's part of a launch.
#[derive(Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) library: &'a Library,
    pub(crate) seed: u64,
    pub(crate) core: u32,
    /// Number of the launch.
    pub(crate) number: u64,
    /// When it starts, in ps of the session.
    pub(crate) start: u64,
    /// CDMA ports that the core submits to.
    pub(crate) ports: &'a [u8],
    /// What times are multiplied by.
    pub(crate) factor: f64,
    /// What times of transfers over links are multiplied by.
    pub(crate) link_factor: f64,
    /// Ports that are slow, with what their times are multiplied by besides.
    pub(crate) slow_ports: &'a [(u8, f64)],
    /// The core runs the first tile of this launch only.
    pub(crate) is_short: bool,
    /// Pauses before the first command of an engine's middle tile, in ps.
    pub(crate) bubbles: &'a [(Engine, u64)],
    /// Pauses of the engines.
    pub(crate) pauses: PlantedPauses,
}

/// Where the engines of a launch are.
#[derive(Debug)]
pub(crate) struct Engines {
    /// When each is free: TIU, GDMA, SDMA, then the ports.
    free: Vec<u64>,
    /// Commands of each so far.
    ids: Vec<u32>,
    pauses: PlantedPauses,
}

/// Times vary by up to 64 of these parts.
const JITTER_PARTS: u64 = 256;

const UNITS_BEFORE_PORTS: usize = 3;

fn unit(engine: Engine, port: usize) -> usize {
    match engine {
        Engine::Tiu => 0,
        Engine::Gdma => 1,
        Engine::Sdma => 2,
        Engine::Cdma => UNITS_BEFORE_PORTS + port,
    }
}

/// A buffer: when it was filled and read last, and by which command.
#[derive(Debug, Clone, Copy, Default)]
struct Buffer {
    full: u64,
    read: u64,
    writer: Option<(Engine, u32)>,
    reader: Option<(Engine, u32)>,
}

impl Launch<'_> {
    /// Runs the opening, where the style has one, and all tiles. Returns the engines at the end.
    pub(crate) fn tiles(&self, observer: &mut impl Observer) -> Engines {
        let units = UNITS_BEFORE_PORTS + self.ports.len();
        let mut engines =
            Engines { free: vec![self.start; units], ids: vec![0; units], pauses: self.pauses };
        let mut chance = Chance::seeded(self.seed, [self.core.into(), self.number, 0]);
        for template in &self.library.opening {
            engines.system(template, None, observer);
        }
        let mut buffers = [[Buffer::default(); BUFFERS]; 2];
        let mut bubbles = self.bubbles.to_vec();
        let parts = self.library.parts(self.number);
        let parts = parts.filter(|(tile, ..)| *tile == 0 || !self.is_short);
        for (tile, begins, templates) in parts {
            let Some(buffers) = buffers.get_mut(usize::from(tile % 2 == 1)) else { continue };
            // What is planted takes no random numbers: all else stays as it is without.
            let planted = self.library.constants.iter().chain(&self.library.shared);
            for template in planted.filter(|_| begins) {
                let place = Place { template, port: 0, tile, noise: 0, pause: 0 };
                self.step(&place, &mut engines, buffers, observer);
            }
            for template in templates {
                let engine = template.step.engine;
                let is_middle = tile == self.library.repeat / 2;
                let pauses = bubbles.iter().position(|b| is_middle && b.0 == engine);
                let pause = pauses.map_or(0, |at| bubbles.swap_remove(at).1);
                let repeats = if engine == Engine::Cdma { self.ports.len() } else { 1 };
                for port in 0..repeats {
                    let noise = if template.is_planted { 0 } else { chance.bits() };
                    let place = Place { template, port, tile, noise, pause };
                    self.step(&place, &mut engines, buffers, observer);
                }
            }
        }
        engines
    }

    fn step(
        &self,
        place: &Place<'_>,
        engines: &mut Engines,
        buffers: &mut [Buffer; BUFFERS],
        observer: &mut impl Observer,
    ) {
        let template = place.template;
        let step = template.step;
        let at = unit(step.engine, place.port);
        let (Some(&free), Some(&id)) = (engines.free.get(at), engines.ids.get(at)) else { return };
        let mut ready = 0;
        let mut depends_on = 0;
        let mut wait_for = |time: u64, command: Option<(Engine, u32)>| {
            if let Some((engine, id)) = command {
                ready = ready.max(time + self.pauses.handover_ps);
                if engine != step.engine && matches!(engine, Engine::Tiu | Engine::Gdma) {
                    depends_on = depends_on.max(id + 1);
                }
            }
        };
        for buffer in step.reads.iter().filter_map(|&b| buffers.get(usize::from(b))) {
            wait_for(buffer.full, buffer.writer);
        }
        if let Some(buffer) = step.writes.and_then(|b| buffers.get(usize::from(b))) {
            wait_for(buffer.full, buffer.writer);
            wait_for(buffer.read, buffer.reader);
        }
        let turn = match step.engine {
            _ if !self.library.is_serialized(place.tile) => 0,
            Engine::Tiu => engines.end(Engine::Gdma) + self.pauses.handover_ps,
            Engine::Gdma => engines.end(Engine::Tiu) + self.pauses.handover_ps,
            Engine::Sdma | Engine::Cdma => 0,
        };
        let start = ready.max(free + self.pauses.of_engine(step.engine)).max(turn) + place.pause;
        let jitter = JITTER_PARTS + (place.noise & 63);
        let time = if template.is_system {
            template.least_ps
        } else {
            let time = template.least_ps * jitter / JITTER_PARTS;
            let is_link = step.engine == Engine::Cdma;
            let factor = if is_link { self.factor_of_port(place.port) } else { self.factor };
            // A factor of 1 must change nothing.
            if factor == 1.0 { time } else { (time as f64 * factor) as u64 }
        };
        let end = start + time + template.lost.1;
        for buffer in step.reads.iter() {
            if let Some(buffer) = buffers.get_mut(usize::from(*buffer)) {
                buffer.read = buffer.read.max(end);
                buffer.reader = Some((step.engine, id));
            }
        }
        if let Some(buffer) = step.writes.and_then(|b| buffers.get_mut(usize::from(b))) {
            (buffer.full, buffer.writer) = (end, Some((step.engine, id)));
        }
        engines.free[at] = end;
        engines.ids[at] = id + 1;
        observer.issue(&Issue {
            template,
            port: self.ports.get(place.port).copied().unwrap_or(0),
            id,
            depends_on,
            address: if template.is_of_all_cores {
                self.address(0, place.tile, Some(WEIGHTS_OF_ALL))
            } else {
                let tile = if template.is_shared { 0 } else { place.tile };
                self.address(self.core, tile, step.writes.or(step.reads.first().copied()))
            },
            start,
            end,
            noise: (place.noise >> 32) as u32,
        });
    }

    /// What the times of transfers are multiplied by on a port of the core.
    fn factor_of_port(&self, at: usize) -> f64 {
        let port = self.ports.get(at);
        let slow = self.slow_ports.iter().filter(|(slow, _)| Some(slow) == port);
        self.link_factor * slow.map(|(_, factor)| factor).product::<f64>()
    }

    /// Each kernel has a region of 256 MiB in off-chip memory, in which layers, cores, tiles and their buffers follow
    /// one another: each launch of a kernel is another layer with its own weights, of which each core has a part.
    fn address(&self, core: u32, tile: u32, buffer: Option<u8>) -> u32 {
        let kernel = self.library.kernel_of(self.number) as u32;
        let layer = self.number / KERNELS.len() as u64;
        let part = layer * u64::from(self.library.cores) + u64::from(core);
        let tile = part * u64::from(self.library.repeat) + u64::from(tile);
        let slot = tile * BUFFERS as u64 + u64::from(buffer.unwrap_or(0));
        (kernel << 28) | (((slot % (1 << 11)) as u32) << 17)
    }

    /// The sync that ends a launch: TIU and GDMA each send, and wait until all cores are there. The end commands of a
    /// model's group follow.
    pub(crate) fn sync(&self, mut engines: Engines, release: u64, observer: &mut impl Observer) {
        for (send, wait) in &self.library.syncs {
            engines.system(send, None, observer);
            engines.system(wait, Some(release), observer);
        }
        for end in &self.library.ends {
            if engines.has_run(end) {
                engines.system(end, None, observer);
            }
        }
    }
}

struct Place<'a> {
    template: &'a Template,
    /// Place of the port among those of the core.
    port: usize,
    tile: u32,
    noise: u64,
    pause: u64,
}

impl Engines {
    /// When the last engine is done, with room for the sends of the sync.
    pub(crate) fn arrival(&self) -> u64 {
        const SENDS_PS: u64 = 100_000;
        self.free.iter().copied().max().unwrap_or(0) + SENDS_PS
    }

    /// When an engine has done all that was dispatched to it.
    fn end(&self, engine: Engine) -> u64 {
        self.free.get(unit(engine, 0)).copied().unwrap_or(0)
    }

    /// Whether the engine of a command has had any.
    fn has_run(&self, template: &Template) -> bool {
        self.ids.get(unit(template.step.engine, 0)).is_some_and(|&id| id > 0)
    }

    /// A system command; one that waits ends at its release.
    fn system(&mut self, template: &Template, release: Option<u64>, observer: &mut impl Observer) {
        let at = unit(template.step.engine, 0);
        let (Some(free), Some(id)) = (self.free.get_mut(at), self.ids.get_mut(at)) else { return };
        let start = *free + self.pauses.of_engine(template.step.engine);
        let end = release.map_or(start + template.least_ps, |release| release.max(start));
        observer.issue(&Issue {
            template,
            port: 0,
            id: *id,
            depends_on: 0,
            address: 0,
            start,
            end,
            noise: 0,
        });
        (*free, *id) = (end, *id + 1);
    }
}
