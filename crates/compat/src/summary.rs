//! Totals of cores, ports and the whole dump: the summary's numbers (section 8.2).

use bigtpu_chip::{Engine, PortDirection};
use bigtpu_measure::{CommandKind, CommandTable, EngineTrack, TransferKind, quotient};
use bigtpu_timeline::{Binding, Core, Profile};
use rayon::prelude::*;

use crate::codes::DMA_WAIT;

/// Bytes and the cycles in which they moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Bytes.
    pub bytes: u64,
    /// DMA cycles.
    pub cycles: i64,
}

impl Moved {
    fn add(&mut self, bytes: u64, cycles: i64) {
        self.bytes += bytes;
        self.cycles += cycles;
    }

    /// Mean bandwidth in GB/s; 0 where no time passed.
    #[must_use]
    pub fn gbps(&self, mhz: f64) -> f64 {
        let ns = time_ns(self.cycles, mhz);
        if ns > 0 { quotient(self.bytes.into(), ns.into()) } else { 0.0 }
    }

    fn sum(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::default(), |mut all, part| {
            all.add(part.bytes, part.cycles);
            all
        })
    }
}

/// Totals of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreTotals {
    /// The core's number; 0 for all cores together.
    pub core: u32,
    /// TIU cycles of all but system commands.
    pub tiu_cycles: i64,
    /// Operations of the algorithm, all TIU events.
    pub alg_ops: i128,
    /// Operations after padding, all TIU events.
    pub uarch_ops: i128,
    /// GDMA cycles of all but system commands.
    pub gdma_cycles: i64,
    /// SDMA cycles of all but waits; sends count.
    pub sdma_cycles: i64,
    /// GDMA transfers with DDR on one side.
    pub gdma_ddr: Moved,
    /// GDMA transfers with on-chip shared memory and no DDR.
    pub gdma_l2: Moved,
    /// SDMA transfers with DDR on one side.
    pub sdma_ddr: Moved,
}

/// Totals of a CDMA port and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PortTotals {
    /// Port.
    pub port: u32,
    /// Events shown.
    pub events: u64,
    /// Commands that move data out, and what they moved.
    pub sent: (u64, Moved),
    /// Commands that move data in.
    pub received: (u64, Moved),
    /// Commands that do neither, such as writes and unknown ones.
    pub other: (u64, Moved),
    /// ns spent in system commands: sends and waits of messages.
    pub sync_ns: i64,
    /// ns in which any command ran that is no system command: without waits, as engines are busy.
    pub busy_ns: i64,
}

/// Totals of the whole dump.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Totals of each core that is shown.
    pub cores: Vec<CoreTotals>,
    /// Totals of each CDMA port that has events.
    pub ports: Vec<PortTotals>,
    /// From the earliest start to the latest end, in ns. `None` without any event.
    pub total_ns: Option<i64>,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
    /// DMA clock in MHz.
    pub dma_mhz: f64,
}

/// Cycles of a clock in whole ns: rounded to 2 decimals, then cut.
fn time_ns(cycles: i64, mhz: f64) -> i64 {
    let ns = cycles as f64 / mhz * 1000.0;
    format!("{ns:.2}").parse::<f64>().unwrap_or(ns).floor() as i64
}

/// Cycles of a clock as microseconds with 3 decimals.
#[must_use]
pub fn overall_us(cycles: i64, mhz: f64) -> String {
    format!("{:.3}", cycles as f64 / mhz)
}

impl Summary {
    /// Adds everything up.
    #[must_use]
    pub fn add_up(profile: &Profile<'_>, table: &CommandTable) -> Self {
        Self::of_events(profile, table, |_| true)
    }

    /// Adds up the commands of the descriptor streams of a static model, without what the runtime dispatched
    /// next to them, such as copies of inputs and outputs. Of a dynamic run it adds up everything.
    #[must_use]
    pub fn of_model(profile: &Profile<'_>, table: &CommandTable) -> Self {
        Self::of_events(profile, table, |binding| !profile.is_static || !binding.is_dispatched())
    }

    fn of_events(
        profile: &Profile<'_>,
        table: &CommandTable,
        counts: impl Fn(Binding) -> bool + Sync,
    ) -> Self {
        let (mut start, mut end, mut is_any) = (i64::MAX, i64::MIN, false);
        for events in profile.tracks().map(|track| &track.events) {
            let times = events.start.iter().zip(&events.end).zip(&events.binding);
            for ((first, last), _) in times.filter(|(_, binding)| counts(**binding)) {
                (start, end, is_any) = (start.min(*first), end.max(*last), true);
            }
        }
        let core = |(number, core): (u32, &Core<'_>)| {
            let tracks = core.tracks.each_ref().map(|track| table.track(track));
            let engines = tracks.map(|track| Counted::new(track, &counts));
            CoreTotals { core: number, ..core_totals(profile, engines) }
        };
        let cores: Vec<(u32, &Core<'_>)> = profile.shown_cores().collect();
        Self {
            cores: cores.into_par_iter().map(core).collect(),
            ports: profile
                .ports
                .iter()
                .filter(|track| !track.events.is_empty())
                .filter_map(|track| table.track(track))
                .map(|track| port_totals(&track))
                .collect(),
            total_ns: is_any.then(|| end.max(0) - start),
            tiu_mhz: profile.clocks.mhz(Engine::Tiu),
            dma_mhz: profile.clocks.dma_mhz,
        }
    }

    /// ns in which the TIU of a core worked.
    #[must_use]
    pub fn tiu_ns(&self, core: &CoreTotals) -> i64 {
        time_ns(core.tiu_cycles, self.tiu_mhz)
    }

    /// ns in which the GDMA of a core worked.
    #[must_use]
    pub fn gdma_ns(&self, core: &CoreTotals) -> i64 {
        time_ns(core.gdma_cycles, self.dma_mhz)
    }

    /// ns in which the SDMA of a core worked, sends included.
    #[must_use]
    pub fn sdma_ns(&self, core: &CoreTotals) -> i64 {
        time_ns(core.sdma_cycles, self.dma_mhz)
    }

    /// Sum of a core's engine times in ns: what the table calls parallelism, over the total time.
    /// The SDMA enters only where there are several cores.
    #[must_use]
    pub fn engines_ns(&self, core: &CoreTotals) -> i64 {
        let sdma = if self.cores.len() > 1 { self.sdma_ns(core) } else { 0 };
        self.tiu_ns(core) + self.gdma_ns(core) + sdma
    }

    /// All cores together: operations and moved bytes summed, cycles the greatest of any core.
    #[must_use]
    pub fn overall(&self) -> CoreTotals {
        let cores = || self.cores.iter();
        let most = |cycles: fn(&CoreTotals) -> i64| cores().map(cycles).max().unwrap_or(0);
        CoreTotals {
            core: 0,
            tiu_cycles: most(|c| c.tiu_cycles),
            alg_ops: cores().map(|c| c.alg_ops).sum(),
            uarch_ops: cores().map(|c| c.uarch_ops).sum(),
            gdma_cycles: most(|c| c.gdma_cycles),
            sdma_cycles: most(|c| c.sdma_cycles),
            gdma_ddr: Moved::sum(cores().map(|c| c.gdma_ddr)),
            gdma_l2: Moved::sum(cores().map(|c| c.gdma_l2)),
            sdma_ddr: Moved::sum(cores().map(|c| c.sdma_ddr)),
        }
    }
}

fn core_totals(profile: &Profile<'_>, engines: [Counted<'_>; 3]) -> CoreTotals {
    let mut totals = CoreTotals::default();
    let [tiu, gdma, sdma] = engines;
    for (kind, all) in tiu.of_kinds() {
        if counts_as_work(kind) {
            totals.tiu_cycles += all.cycles;
        }
        totals.alg_ops += kind.cost.alg_ops * all.commands;
        totals.uarch_ops += kind.cost.uarch_ops * all.commands;
    }
    for (kind, all) in gdma.of_kinds() {
        let Some(TransferKind { direction, .. }) = kind.transfer.filter(|_| counts_as_work(kind))
        else {
            continue;
        };
        totals.gdma_cycles += all.cycles;
        if direction.has_ddr() {
            totals.gdma_ddr.add(all.moved.bytes, all.moved.cycles);
        } else if direction.has_l2() {
            totals.gdma_l2.add(all.moved.bytes, all.moved.cycles);
        }
    }
    for (kind, all) in sdma.of_kinds() {
        // Type and function as the word has them, also where it is a node's generator index.
        if profile.chip.is_system(Engine::Gdma, kind.task) && kind.function == DMA_WAIT {
            continue;
        }
        totals.sdma_cycles += all.cycles;
        if kind.transfer.is_some_and(|t| t.direction.has_ddr()) {
            totals.sdma_ddr.add(all.moved.bytes, all.cycles);
        }
    }
    totals
}

/// Commands of an engine that count, by kind.
struct Counted<'a> {
    kinds: &'a [CommandKind],
    /// Sums of each kind, by its number; empty for an engine that is not there.
    sums: Vec<OfKind>,
}

/// Commands of a kind.
#[derive(Debug, Clone, Copy, Default)]
struct OfKind {
    commands: i128,
    cycles: i64,
    /// Sums of the commands that moved anything.
    moved: Moved,
}

impl<'a> Counted<'a> {
    fn new(track: Option<EngineTrack<'a>>, counts: &impl Fn(Binding) -> bool) -> Self {
        let Some(track) = track else { return Self { kinds: &[], sums: Vec::new() } };
        let mut sums = vec![OfKind::default(); track.kinds.len()];
        let rows = track.events.binding.iter().zip(track.events.all_cycles());
        for (i, (kind, (binding, cycles))) in track.columns.kind.iter().zip(rows).enumerate() {
            if !counts(*binding) {
                continue;
            }
            if let Some(of_kind) = sums.get_mut(*kind as usize) {
                of_kind.commands += 1;
                of_kind.cycles += cycles;
                let bytes = track.bytes(i);
                of_kind.moved.add(bytes, if bytes > 0 { cycles } else { 0 });
            }
        }
        Self { kinds: track.kinds, sums }
    }

    /// The kinds that have any, with what their commands add up to.
    fn of_kinds(&self) -> impl Iterator<Item = (&'a CommandKind, &OfKind)> {
        self.kinds.iter().zip(&self.sums).filter(|(_, of_kind)| of_kind.commands > 0)
    }
}

/// Whether bigTpuProfile counts the cycles of TIU and GDMA commands of this kind: those of all RVT commands, waits too.
fn counts_as_work(kind: &CommandKind) -> bool {
    kind.activity.is_work() || kind.is_rvt()
}

fn port_totals(track: &EngineTrack<'_>) -> PortTotals {
    let events = track.events;
    let mut totals = PortTotals {
        port: track.engine_id.index,
        events: events.len() as u64,
        ..PortTotals::default()
    };
    for (i, (kind, cycles)) in track.event_kinds().zip(events.all_cycles()).enumerate() {
        if !kind.activity.is_work() {
            totals.sync_ns += events.end[i] - events.start[i];
            continue;
        }
        let side = match PortDirection::from_command(kind.task, kind.function) {
            PortDirection::Transmit => &mut totals.sent,
            PortDirection::Receive => &mut totals.received,
            PortDirection::Neither => &mut totals.other,
        };
        side.0 += 1;
        side.1.add(track.bytes(i), cycles);
    }
    totals.busy_ns = work_ns(track);
    totals
}

/// ns in which at least one event of the track ran that is no system command.
fn work_ns(track: &EngineTrack<'_>) -> i64 {
    let times = track.events.start.iter().copied().zip(track.events.end.iter().copied());
    let work = track.event_kinds().zip(times).filter(|(kind, _)| kind.activity.is_work());
    let mut spans: Vec<(i64, i64)> = work.map(|(_, time)| time).collect();
    spans.sort_unstable();
    let (mut covered, mut until) = (0, i64::MIN);
    for (start, end) in spans {
        covered += (end - start.max(until)).max(0);
        until = until.max(end);
    }
    covered
}
