//! The report: every answer on a run with names resolved, as one value that machines read and views show.
//!
//! `report.json` is this value as JSON; its schema is `docs/report.schema.json`.

mod definition;
mod dump;
mod index;
mod kernel;
mod legacy;
mod path;
mod port_phases;

use serde::{Deserialize, Serialize};

pub use bigtpu_measure::PortTimes;
pub use definition::Definition;
pub use dump::{
    CompletenessFacts, DumpFacts, LedgerFacts, LedgerLine, NoteFacts, QualityFacts, ReasonFacts,
    RuntimeFacts,
};
pub use index::{Alignment, CallBalance, DumpIndex, DumpName, DumpRow, TimeLine, TopKernel};
pub use kernel::Kernel;
pub use legacy::{LegacyRow, Port, PortSide};
pub use path::PathReport;
pub use port_phases::{PortPhases, PortTraffic};

use bigtpu_timeline::{ClockSource, Clocks, Profile};
use rayon::prelude::*;

use crate::advice::{Advice, advice};
use crate::balance::Imbalance;
use crate::barriers::Barriers;
use crate::communication::Communication;
use crate::ddr_bandwidth::DdrBandwidth;
use crate::expected::Expected;
use crate::findings::Findings;
use crate::gains::Together;
use crate::gaps::Gaps;
use crate::host::HostReport;
use crate::inferred_barriers::InferredBarriers;
use crate::roofline::Roofline;
use crate::steps::Steps;
use crate::units::{BlockRow, LayerRow};
use crate::verdict::RunVerdict;
use crate::work::WorkRow;
use bigtpu_compat::Summary;
use bigtpu_machine::{Hardware, Roof, RoofSource};
use bigtpu_measure::{AlikeCommands, Key, groups_of};
use bigtpu_measure::{CommandTable, CoreLaunches};
use bigtpu_measure::{CoreMean, Intervals};
use bigtpu_messages::Message;

/// Version of the report's layout: it rises when a field is renamed, removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 2;

/// Commands grouped by one key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grouping {
    /// What they are grouped by.
    pub by: Key,
    /// All groups, those that took longest first.
    pub groups: Vec<AlikeCommands>,
}

/// Where the wall time went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct AllIntervals {
    /// All cores and ports together: a moment of one core's computing and another's transfer is both.
    pub overall: Intervals,
    /// A core on average: the headline.
    pub core_mean: CoreMean,
    /// Each core.
    pub cores: Vec<Intervals>,
}

/// The run and its kernels under their roofs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Rooflines {
    /// The peaks of a core of this run: the fewer cores run commands, the more memory bandwidth each can reach. What is not
    /// known is null.
    pub hardware: Hardware,
    /// Each peak of a core with its scope and its source: measured, published, derived, assumed, given by `--hw`, or unknown.
    #[serde(default)]
    pub roofs: Vec<Roof>,
    /// The clocks of the engines, each with its source.
    #[serde(default)]
    pub clocks: Vec<Roof>,
    /// The whole run.
    pub overall: Roofline,
    /// Each kernel, in the order of [`Report::kernels`].
    pub kernels: Vec<Roofline>,
    /// Each layer of a static model, in the order of [`Report::layers`]; `kernel` is the layer's name.
    #[serde(default)]
    pub layers: Vec<Roofline>,
}

/// Who says how fast a clock is.
#[must_use]
pub fn clock_source(source: ClockSource) -> Message {
    match source {
        ClockSource::Option => Message::verbatim("--tiu_freq"),
        ClockSource::Dump => Message::new("source-dump-clock"),
        ClockSource::Chip => Message::new("source-usual-clock"),
    }
}

/// The clocks of a run, each with its source.
fn run_clocks(profile: &Profile<'_>) -> Vec<Roof> {
    let Clocks { tiu_mhz, dma_mhz, tiu_source, dma_source } = profile.clocks;
    let of = |engine, mhz, source| {
        let known = match source {
            ClockSource::Option => RoofSource::Given,
            ClockSource::Dump => RoofSource::Dump,
            ClockSource::Chip => RoofSource::Published,
        };
        Roof::of_clock(engine, mhz, known, clock_source(source))
    };
    vec![of("TIU", tiu_mhz as f64, tiu_source), of("DMA", dma_mhz, dma_source)]
}

/// How evenly the cores share the work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Balance {
    /// Kernels that ran on several cores, those that lose most first.
    pub kernels: Vec<Imbalance>,
    /// Layers of a static model that cores share; `kernel` is the layer's name. Only where the dump describes layers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Imbalance>,
    /// Barriers between cores.
    pub barriers: Barriers,
}

/// All answers on a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: u32,
    /// The program's version.
    pub version: String,
    /// Why the run takes as long as it does.
    #[serde(default)]
    pub verdict: RunVerdict,
    /// What was analyzed.
    pub dump: DumpFacts,
    /// What was read, corrected, left out or lost.
    pub ledger: LedgerFacts,
    /// The columns of `summary.txt`: parallelism there is a sum of engine times and may pass 1.
    pub legacy_summary: Vec<LegacyRow>,
    /// Where the wall time went.
    pub intervals: AllIntervals,
    /// Kernel functions, those that took longest first.
    pub kernels: Vec<Kernel>,
    /// Layers of a static model, in its order; only where the dump describes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerRow>,
    /// The blocks of a static model, each before those in it; the first is the whole model. Only where there are layers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockRow>,
    /// Commands grouped by each key.
    pub groupings: Vec<Grouping>,
    /// Bubbles.
    pub gaps: Gaps,
    /// Iterations; none where no sequence of kernels repeats.
    #[serde(default)]
    pub steps: Option<Steps>,
    /// Launches and what is between them.
    pub launches: Vec<CoreLaunches>,
    /// Rooflines.
    pub roofline: Rooflines,
    /// Balance between cores.
    pub balance: Balance,
    /// Transfers between devices and by SDMA, apart from those that feed the computation.
    #[serde(default)]
    pub communication: Communication,
    /// How fast each sort of transfer engine, and all of them, read from off-chip memory and wrote to it.
    #[serde(default)]
    pub ddr_bandwidth: Vec<DdrBandwidth>,
    /// CDMA ports.
    pub ports: Vec<Port>,
    /// What the run waited for.
    #[serde(default)]
    pub critical_path: PathReport,
    /// What the commands of each core did for each kernel or layer.
    #[serde(default)]
    pub work: Vec<WorkRow>,
    /// What commands took beside what their bits explain; absent without full bits, and of a simulated run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// Advice, the greatest gain first.
    pub advice: Vec<Advice>,
    /// What all advice together would give; absent without advice, or where the run can't be replayed.
    #[serde(default)]
    pub advice_together: Option<Together>,
    /// Host and device; only with a host trace. All else is the same without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostReport>,
    /// Where each part is defined, and of which events it is made.
    #[serde(default)]
    pub definitions: Vec<Definition>,
}

impl Report {
    /// Iterations: by the host's markers where its trace has any, else by the kernels.
    #[must_use]
    pub fn iterations(&self) -> Option<&Steps> {
        self.host.as_ref().and_then(|host| host.steps.as_ref()).or(self.steps.as_ref())
    }
    /// Puts the findings on a profile together.
    #[must_use]
    pub fn new(
        profile: &Profile<'_>,
        table: &CommandTable,
        summary: &Summary,
        (dump, ledger): (DumpFacts, LedgerFacts),
        findings: Findings<'_, '_>,
    ) -> Self {
        // A simulated run is what the bits explain.
        let Findings { model, cells, overall, .. } = &findings;
        let expected = (!profile.is_simulated)
            .then(|| Expected::compute(model, cells, overall.wall_ns))
            .flatten();
        let mut report = Self::from_parts(dump, ledger, summary, findings);
        report.expected = expected;
        report.ddr_bandwidth = DdrBandwidth::all(profile, table, summary);
        report.roofline.clocks = run_clocks(profile);
        for port in &mut report.ports {
            let track = profile.ports.iter().find(|track| track.engine_id.index == port.port);
            let commands = track.and_then(|track| table.commands(profile, track));
            port.phases = commands.map_or_else(Vec::new, PortPhases::all);
        }
        report
    }

    pub(crate) fn from_parts(
        dump: DumpFacts,
        ledger: LedgerFacts,
        summary: &Summary,
        mut findings: Findings<'_, '_>,
    ) -> Self {
        let advice = advice(&findings);
        // What only the rules look at.
        findings.barriers.held_up.clear();
        findings.barriers.opened.clear();
        findings.barriers.inferred = InferredBarriers::default();
        let (ddr_gbps, sharing) = (findings.ddr_gbps(), findings.sharing_cores());
        let groupings = Key::ALL
            .into_par_iter()
            .map(|by| Grouping { by, groups: groups_of(findings.model, &findings.cells, &[by]) });
        Self {
            verdict: RunVerdict::default(),
            schema_version: SCHEMA_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            dump,
            ledger,
            legacy_summary: LegacyRow::all(summary),
            groupings: groupings.collect(),
            kernels: Kernel::all(&findings),
            layers: Vec::new(),
            blocks: Vec::new(),
            ddr_bandwidth: Vec::new(),
            ports: Port::all(summary),
            critical_path: PathReport::default(),
            work: WorkRow::of_kernels(findings.model, &findings.cells),
            expected: None,
            advice,
            advice_together: None,
            host: None,
            definitions: Definition::all(),
            intervals: AllIntervals {
                overall: findings.overall,
                core_mean: CoreMean::compute(&findings.cores),
                cores: findings.cores,
            },
            gaps: findings.gaps,
            communication: findings.communication,
            steps: findings.steps,
            launches: findings.launches,
            roofline: Rooflines {
                roofs: findings.hardware.roofs(sharing),
                clocks: Vec::new(),
                hardware: Hardware { ddr_gbps, ..findings.hardware },
                overall: findings.roofline,
                kernels: findings.kernel_rooflines,
                layers: Vec::new(),
            },
            balance: Balance {
                kernels: findings.imbalances,
                layers: Vec::new(),
                barriers: findings.barriers,
            },
        }
    }
}
