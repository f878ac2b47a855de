//! A session: what its cores and ports have in common, and the files that it becomes.

use bigtpu_chip::Engine;
use bigtpu_format::BlockKind;
use rayon::prelude::*;

use crate::clock::Clock;
use crate::core::Core;
use crate::file::FilePlan;
use crate::library::Library;
use crate::output::{Count, Part};
use crate::plan::Plan;
use crate::port::Port;
use crate::record;
use crate::rng::Chance;
use crate::streams::Streams;
use crate::{Options, Plant, Result};

/// What the cores and ports of a session have in common.
pub(crate) struct Session<'a> {
    pub(crate) options: &'a Options,
    pub(crate) library: Library,
    pub(crate) streams: Streams,
    /// Ports that each core submits to.
    pub(crate) ports: Vec<Vec<u8>>,
    /// Planted bubbles of each core.
    pub(crate) bubbles: Vec<Vec<(Engine, u64)>>,
    /// Slow ports with their factors.
    pub(crate) slow_ports: Vec<(u8, f64)>,
}

/// A planned session: every file's size is known.
pub(crate) struct Planned<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) plan: Plan,
    pub(crate) cores: Vec<FilePlan>,
    /// Ports that have records, and their files.
    pub(crate) ports: Vec<(u8, FilePlan)>,
}

/// The counters of cores and ports differ by up to this, in ps.
const OFFSET_PS: u64 = 800_000_000;
/// What the counters show at least when the session starts, in ps.
const BASE_PS: u64 = 1_000_000_000;

impl<'a> Session<'a> {
    pub(crate) fn new(options: &'a Options) -> Result<Self> {
        options.check()?;
        let library = Library::new(options);
        let active = options.active();
        let mut ports = vec![Vec::new(); options.cores as usize];
        for (port, core) in (0..options.ports).zip(active.iter().cycle()) {
            if let Some(ports) = ports.get_mut(*core as usize) {
                ports.push(port);
            }
        }
        let bubbles =
            (0..options.cores).map(|core| Plant::bubbles(&options.plants, core)).collect();
        let slow_ports = Plant::slow_ports(&options.plants);
        Ok(Self { options, streams: Streams::new(&library), library, ports, bubbles, slow_ports })
    }

    /// Counts all that is going to be written.
    pub(crate) fn plan(&'a self) -> Result<Planned<'a>> {
        let options = self.options;
        let counted: Vec<(Count, Vec<u32>)> = (0..options.cores)
            .into_par_iter()
            .map(|core| {
                let mut count = Count::default();
                let clock = self.clock_at_start();
                let arrivals = Core { session: self, core, clock }.run(None, &mut count);
                (count, arrivals)
            })
            .collect();
        let (counts, arrivals): (Vec<Count>, Vec<Vec<u32>>) = counted.into_iter().unzip();
        let plan = Plan::new(options, arrivals);
        let cores = counts.iter().enumerate().map(|(core, count)| {
            FilePlan::new(options, format!("cdmlib0_{core}.profile"), count, &self.rings(count))
        });
        let cores = cores.collect::<Result<_>>()?;
        let ports = (0..options.ports).map(|port| {
            let mut count = Count::default();
            if let Some(run) = self.port(port, 0) {
                run.run(&plan, &mut count);
            }
            let device = if options.writer.has_plain_port_names() { "" } else { "0" };
            let name = format!("cdma{device}_{port}.profile");
            Ok((port, FilePlan::new(options, name, &count, &[])?))
        });
        let mut ports = ports.collect::<Result<Vec<_>>>()?;
        ports.retain(|(_, file)| file.bytes > 0);
        Ok(Planned { session: self, plan, cores, ports })
    }

    /// Slots of the rings that lap: bytes of a record, and how many records are kept.
    fn rings(&self, count: &Count) -> Vec<(Part, u64, u64)> {
        let parts = [(Part::Tiu, Engine::Tiu), (Part::Gdma, Engine::Gdma)];
        let items = |part: Part| count.items[part as usize];
        let most = parts.iter().map(|(part, _)| items(*part)).max().unwrap_or(0);
        let slots = most - most / 4;
        let laps =
            parts.into_iter().filter(|(part, _)| self.options.lapped && items(*part) > slots);
        laps.map(|(part, engine)| (part, slots, record::length(self.options.chip, engine) as u64))
            .collect()
    }

    fn owner(&self, port: u8) -> Option<u32> {
        let at = self.ports.iter().position(|ports| ports.contains(&port))?;
        u32::try_from(at).ok()
    }

    fn port(&'a self, port: u8, end: u64) -> Option<Port<'a>> {
        let clock = self.clock(PORT_CLOCKS + u64::from(port), end);
        Some(Port { session: self, port, core: self.owner(port)?, clock })
    }

    fn clock_at_start(&self) -> Clock {
        let Options { chip, machine, .. } = self.options;
        Clock::new(chip, machine.tiu_mhz(chip), 0)
    }

    /// The counters of a core or port in a session that ends at `end`.
    fn clock(&self, owner: u64, end: u64) -> Clock {
        let mut chance = Chance::seeded(self.options.seed, [owner, 0, 3]);
        let clock = self.clock_at_start();
        let ahead = if self.options.wrap {
            // Half-way, plus or minus an eighth.
            clock.turn().saturating_sub(end / 2) + chance.next_below(end / 8)
        } else {
            BASE_PS + chance.next_below(OFFSET_PS)
        };
        clock.started(ahead)
    }
}

/// Owners of clocks from here on are ports.
const PORT_CLOCKS: u64 = 1 << 32;

impl Planned<'_> {
    /// A core of the session, by its number.
    pub(crate) fn core(&self, core: u32) -> Core<'_> {
        Core {
            session: self.session,
            core,
            clock: self.session.clock(core.into(), self.plan.end()),
        }
    }

    /// A port of the session.
    pub(crate) fn port(&self, port: u8) -> Option<Port<'_>> {
        self.session.port(port, self.plan.end())
    }
}

/// The block that a part's items are in; `None` for parts whose items are blocks themselves. `has_groups`: a static
/// model's descriptors are groups in one block.
pub(crate) fn block_of(part: Part, has_groups: bool) -> Option<BlockKind> {
    Some(match part {
        Part::DesTiu if has_groups => BlockKind::DesTiu,
        Part::DesGdma if has_groups => BlockKind::DesGdma,
        Part::DesSdma if has_groups => BlockKind::DesSdma,
        Part::Tiu => BlockKind::MonitorTiu,
        Part::Gdma => BlockKind::MonitorGdma,
        Part::Sdma => BlockKind::MonitorSdma,
        Part::Cdma => BlockKind::MonitorCdma,
        Part::Extra => BlockKind::DynExtra,
        Part::Data => BlockKind::DynData,
        Part::DesTiu | Part::DesGdma | Part::DesSdma | Part::DesKv => return None,
    })
}
