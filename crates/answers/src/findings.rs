//! Everything that the answers of a run need, computed once.

use std::sync::{Arc, OnceLock};

use crate::advice::unaligned_shapes::Padding;
use crate::balance::{Imbalance, imbalances};
use crate::barriers::{Barriers, barriers};
use crate::buffering::Buffering;
use crate::communication::Communication;
use crate::evenness::Evenness;
use crate::gaps::{Bubbles, GapTable, Gaps};
use crate::roofline::{Roofline, kernel_rooflines, overall_roofline};
use crate::round_trips::{RoundTrips, SharedLoads};
use crate::steps::{StepSpans, Steps};
use bigtpu_chip::{Direction, Engine};
use bigtpu_machine::Hardware;
use bigtpu_measure::{Cells, CommandKind};
use bigtpu_measure::{CommandWaits, DumpModel, free_overlap_ns};
use bigtpu_measure::{CoreLaunches, core_launches};
use bigtpu_measure::{Intervals, Times};
use bigtpu_measure::{KernelTotals, kernel_totals};
use bigtpu_replay::WaitCause;
use bigtpu_timeline::EngineId;
use rayon::prelude::*;

/// Results about a run that several answers use.
#[derive(Debug, Clone)]
pub struct Findings<'m, 'a> {
    /// The events.
    pub model: &'m DumpModel<'a>,
    /// Commands by all that they may be grouped by.
    pub(crate) cells: Cells<'a>,
    /// The chip's roofs.
    pub hardware: Hardware,
    /// Where the wall time went, all cores and ports together.
    pub overall: Intervals,
    /// Where it went on each core.
    pub cores: Vec<Intervals>,
    /// ns of each core, in the order of `cores`, in which more overlap was possible as far as dependences tell.
    pub(crate) free_overlap_ns: Vec<i64>,
    /// Kernel functions, those that took longest first.
    pub kernels: Arc<[KernelTotals]>,
    /// The whole run under its roofs.
    pub roofline: Roofline,
    /// Each kernel under its roofs, in the kernels' order.
    pub kernel_rooflines: Vec<Roofline>,
    /// The gaps of each engine.
    pub(crate) gap_table: GapTable,
    /// The gaps that the report lists, with names.
    pub gaps: Gaps,
    /// Launches and what is between them, by core.
    pub launches: Vec<CoreLaunches>,
    /// Kernels that ran on several cores.
    pub imbalances: Vec<Imbalance>,
    /// Barriers between cores.
    pub barriers: Barriers,
    /// Why cores take different times side by side.
    pub(crate) evenness: Evenness,
    /// What a second buffer would save.
    pub(crate) buffering: Buffering,
    /// What goes out of local memory and comes back.
    pub(crate) round_trips: RoundTrips,
    /// What several cores load.
    pub(crate) shared_loads: SharedLoads,
    /// Whether the run is that of a compiled model, whose cores were chosen when it was compiled.
    pub(crate) is_static: bool,
    /// Transfers between devices and by SDMA.
    pub communication: Communication,
    /// Iterations, where the kernels repeat.
    pub steps: Option<Steps>,
    /// Whether it is known what commands wait for.
    pub(crate) knows_dependences: bool,
    /// What padding costs, once a rule asked for it.
    pub(crate) padding: OnceLock<Padding>,
    /// What large transfers of each direction reach in GB/s, once a rule asked for it.
    large_transfers: OnceLock<Vec<(Direction, f64)>>,
}

/// Bytes from which on a transfer's start takes a small part of its time.
const LARGE: u64 = 65536;

/// Commands that wait for another engine's are at least one of so many, and those whose dependences make no sense at most one of so many of
/// them, where programs say what their commands wait for.
const NAMED: u64 = 20;

/// Whether the commands of TIU and GDMA name each other. Programs may also wait by other means: then no command names one, or its field holds
/// something else.
fn names_dependences(model: &DumpModel<'_>, waits: &CommandWaits) -> bool {
    let names_others = |engine| {
        let (mut found, mut wrong, mut all) = (0, 0, 0);
        for (place, track) in model.tracks.iter().enumerate() {
            if track.engine_id.engine == engine {
                let own = waits.track(place);
                found += own.found;
                wrong += own.contradicted + own.unresolved;
                all += track.len() as u64;
            }
        }
        found * NAMED >= all && wrong * NAMED <= found
    };
    [Engine::Tiu, Engine::Gdma].into_iter().all(names_others)
}

/// What is found in the program of a run: its commands, their order and their addresses.
#[derive(Debug, Clone, Default)]
pub(crate) struct OfProgram {
    /// What a second buffer would save.
    pub(crate) buffering: Buffering,
    /// What goes out of local memory and comes back.
    pub(crate) round_trips: RoundTrips,
    /// What several cores load.
    pub(crate) shared_loads: SharedLoads,
    /// Whether it is a compiled model.
    pub(crate) is_static: bool,
}

impl<'m, 'a> Findings<'m, 'a> {
    /// Computes all of them. `waits`: those of the model's tracks; `steps`: where its steps are. `beside`: computes what a second buffer would save, what goes out and comes back, and whatever
    /// else can be done while one thread sorts durations; it gets the waits.
    // A stage of the budget has a name of its own.
    #[must_use]
    #[inline(never)]
    pub(crate) fn collect<T: Send>(
        model: &'m DumpModel<'a>,
        hardware: Hardware,
        waits: CommandWaits,
        steps: Option<&StepSpans>,
        beside: impl FnOnce(CommandWaits) -> (OfProgram, T) + Send,
    ) -> (Self, T) {
        let (times, mut cells, bubbles) = Times::with_cells(model, Bubbles::maker(model));
        let of_cells = || {
            let kernels = kernel_totals(model, &cells);
            let own = kernel_rooflines(model, &times, &kernels, &hardware);
            let roofline = overall_roofline(model, &cells, &times, &hardware);
            (kernels, own, roofline)
        };
        let of_cores = || {
            let cores = times.by_core(&model.shown_cores);
            let free = |core: &Intervals| {
                core.core.map_or(0, |core| free_overlap_ns(model, &times, &waits, core))
            };
            let free_overlap_ns: Vec<i64> = cores.par_iter().map(free).collect();
            (cores, free_overlap_ns)
        };
        let of_launches = || (core_launches(model, &times), imbalances(model, &times));
        let of_messages =
            || (barriers(model, &times), Communication::compute(model, &times, &hardware));
        let ((of_cells, gap_table), ((of_cores, of_launches), (of_messages, steps))) = rayon::join(
            || rayon::join(of_cells, || GapTable::collect(model, &times, bubbles)),
            || {
                rayon::join(
                    || rayon::join(of_cores, of_launches),
                    || rayon::join(of_messages, || Steps::timed(steps?, model, &times)),
                )
            },
        );
        let (kernels, kernel_rooflines, roofline) = of_cells;
        let (cores, free_overlap_ns) = of_cores;
        let (launches, imbalances) = of_launches;
        let (barriers, communication) = of_messages;
        let names_dependences = names_dependences(model, &waits);
        let evenness = Evenness::compute(model, &times, &cells, &barriers);
        let overall = times.overall();
        // Both the times and the durations take much memory.
        drop(times);
        let (beside, ()) = rayon::join(|| beside(waits), || cells.sort_durations(model));
        let (OfProgram { buffering, round_trips, shared_loads, is_static }, beside) = beside;
        let mut findings = Self {
            model,
            cells,
            overall,
            cores,
            free_overlap_ns,
            kernels: kernels.into(),
            roofline,
            kernel_rooflines,
            communication,
            hardware,
            gaps: Gaps::default(),
            gap_table,
            launches,
            imbalances,
            barriers,
            evenness,
            buffering,
            round_trips,
            shared_loads,
            is_static,
            steps,
            knows_dependences: false,
            padding: OnceLock::new(),
            large_transfers: OnceLock::new(),
        };
        findings.knows_dependences = names_dependences && findings.knows_most_bits();
        (findings, beside)
    }

    /// Computes the findings of planted events: these wait for their messages only, and a second buffer would save
    /// nothing.
    #[cfg(test)]
    pub(crate) fn of_planted(model: &'m DumpModel<'a>, hardware: Hardware) -> Self {
        let beside = |_| (OfProgram::default(), ());
        let steps = StepSpans::repeated(model);
        let (mut findings, ()) =
            Self::collect(model, hardware, CommandWaits::default(), steps.as_ref(), beside);
        findings.explain_gaps(|id, event| crate::gaps::planted_cause(model, id, event));
        findings
    }

    /// A moment as ns since the run's start, from where the axes of the page and of trace viewers count; tables of commands keep the dump's
    /// times. Few rules ask for it, and each for a few moments.
    pub(crate) fn since_start(&self, ns: i64) -> i64 {
        ns - self.model.first_start().unwrap_or(0)
    }

    /// Adds the gaps with what ended each; see [`GapTable::explain`].
    pub(crate) fn explain_gaps(&mut self, cause: impl Fn(EngineId, usize) -> Option<WaitCause>) {
        self.gap_table.explain(self.model, cause);
        self.gaps = Gaps::from_table(self.model, &self.gap_table);
    }

    /// Whether the full bits of most work of the cores are known.
    pub(crate) fn knows_most_bits(&self) -> bool {
        let (mut full, mut all) = (0u64, 0u64);
        for core in 0..self.model.cores as u32 {
            for track in self.model.core(core) {
                let work = track.event_kinds().filter(|kind| kind.activity.is_work());
                work.for_each(|kind| (full, all) = (full + u64::from(kind.is_full()), all + 1));
            }
        }
        full * 2 > all
    }

    /// DDR ceiling in GB/s of one direction of each of the cores that ran anything; `None` where it is not known.
    #[must_use]
    pub fn ddr_gbps(&self) -> Option<f64> {
        self.hardware.ddr_gbps_of_core(self.sharing_cores())
    }

    /// ns that the bytes of a transfer need at the ceiling of the memory that bounds it, or at the rate of the run's large transfers in this
    /// direction, if they are faster; `None` where it is not known, and of what is no transfer.
    pub(crate) fn transfer_ns(&self, kind: &CommandKind, bytes: u64) -> Option<f64> {
        let direction = kind.direction()?;
        let (read, written) = kind.ddr_traffic(bytes);
        let needed = if direction.has_ddr() {
            self.hardware.ddr_ns(read, written, self.sharing_cores())
        } else {
            // Local memory is as fast as what it is filled from.
            let gbps = self.hardware.l2m_gbps.or_else(|| self.ddr_gbps());
            gbps.map(|gbps| kind.moved_bytes(bytes) as f64 / gbps)
        };
        let reached = self.large_transfers.get_or_init(|| self.rates_of_large_transfers());
        let reached = reached.iter().find(|(known, _)| *known == direction);
        let moved = kind.moved_bytes(bytes) as f64;
        let reached = reached.map_or(f64::INFINITY, |(_, gbps)| moved / gbps);
        needed.map(|needed| needed.min(reached))
    }

    /// GB/s of all large transfers of a direction together.
    fn rates_of_large_transfers(&self) -> Vec<(Direction, f64)> {
        let mut sums: Vec<(Direction, u64, i64)> = Vec::new();
        for cell in self.cells.iter() {
            let moved = cell.kind.moved_bytes(cell.bytes);
            let is_large = moved > 0 && moved >= LARGE * cell.count as u64;
            let Some(direction) = cell.kind.direction().filter(|_| is_large) else { continue };
            match sums.iter_mut().find(|(known, ..)| *known == direction) {
                Some((_, bytes, ns)) => (*bytes, *ns) = (*bytes + moved, *ns + cell.total_ns),
                None => sums.push((direction, moved, cell.total_ns)),
            }
        }
        let rate = |(direction, bytes, ns)| (direction, bytes as f64 / (ns as f64).max(1.0));
        sums.into_iter().map(rate).collect()
    }

    /// Cores that ran and shared memory, those that an option leaves out with them: what is left out changes no ceiling. At least 1.
    #[must_use]
    pub fn sharing_cores(&self) -> u32 {
        let shown = u32::try_from(self.active_cores()).unwrap_or(u32::MAX);
        shown.saturating_add(self.model.left_out.active)
    }

    /// Cores that ran anything, of those that no option leaves out; at least 1.
    #[must_use]
    pub fn active_cores(&self) -> i64 {
        (self.cores.iter().filter(|c| !c.engines.is_empty()).count() as i64).max(1)
    }
}
