//! A kernel function's row.

use serde::{Deserialize, Serialize};

use crate::findings::Findings;
use bigtpu_measure::{Distribution, quotient, ratio, round4};
use bigtpu_measure::{tops, whole};

/// A kernel function over all its launches. Times of launches are summed over all cores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its name.
    pub kernel: String,
    /// Launches, each core's counted.
    pub launches: u64,
    /// Launches that lack commands: records were lost, or may be those of another launch. Mean, percentiles and maximum
    /// leave them out, unless all lack commands; the total has the time of their runs.
    #[serde(default)]
    pub incomplete_launches: u64,
    /// Cores that ran it.
    pub cores: u32,
    /// ns of all launches; of one that lacks commands, the ns in which its runs of events took place.
    pub total_ns: i64,
    /// Distribution of the launches' durations.
    #[serde(flatten)]
    pub durations: Distribution,
    /// Its time over that of all kernels' launches.
    pub share: f64,
    /// Start of the first launch in ns.
    pub first_start_ns: i64,
    /// ns of commands by engine: TIU, GDMA, SDMA, CDMA; commands that overlap count each.
    pub busy_ns: [i64; 4],
    /// Its commands, system commands included; absent in reports of older versions.
    #[serde(default)]
    pub events: u64,
    /// Commands, system commands left out.
    pub commands: u64,
    /// Requested operations, of the commands whose full bits are known.
    pub ops: u64,
    /// Operations after padding.
    pub uarch_ops: u64,
    /// Requested operations / operations after padding.
    pub uarch_rate: f64,
    /// Bytes from or to DDR.
    pub ddr_bytes: u64,
    /// Bytes moved otherwise.
    pub other_bytes: u64,
    /// Bytes moved over the time of the launches, in GB/s.
    pub gbps: f64,
    /// Operations over the time of the launches, in tera-operations a second.
    pub tops: f64,
}

impl Kernel {
    pub(crate) fn all(findings: &Findings<'_, '_>) -> Vec<Self> {
        let all: i64 = findings.kernels.iter().map(|k| k.launches.total()).sum();
        let rows = findings.kernels.iter().map(|totals| {
            let launches = &totals.launches;
            Self {
                kernel: findings.model.kernel_name(totals.kernel).to_owned(),
                launches: launches.count(),
                incomplete_launches: totals.incomplete,
                cores: totals.cores,
                total_ns: launches.total(),
                durations: Distribution::compute(&totals.complete),
                share: ratio(launches.total(), all),
                first_start_ns: totals.first_start,
                busy_ns: totals.busy_ns,
                events: totals.events,
                commands: totals.demand.commands,
                ops: whole(totals.demand.alg_ops),
                uarch_ops: whole(totals.demand.uarch_ops),
                uarch_rate: round4(quotient(totals.demand.alg_ops, totals.demand.uarch_ops)),
                ddr_bytes: totals.ddr_bytes,
                other_bytes: totals.other_bytes,
                gbps: round4(totals.gbps()),
                tops: tops(totals.demand.alg_ops, launches.total()),
            }
        });
        rows.collect()
    }
}
