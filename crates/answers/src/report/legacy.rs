//! The numbers of `summary.txt`: its first table by core, and its CDMA ports.

use serde::{Deserialize, Serialize};

use super::port_phases::PortPhases;
use bigtpu_compat::{Moved, PortTotals, Summary};
use bigtpu_measure::whole;
use bigtpu_measure::{quotient, ratio, round4};

/// A core's row of the first table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LegacyRow {
    /// Core.
    pub core: u32,
    /// Sum of the engines' times over the total time: above 1 where engines overlap.
    pub parallelism: f64,
    /// The TIU's time over the total time.
    pub tiu_working_ratio: f64,
    /// TIU cycles of all but system commands.
    pub tiu_cycles: i64,
    /// Requested operations.
    pub alg_ops: u64,
    /// Operations after padding.
    pub uarch_ops: u64,
    /// Requested operations / operations after padding.
    pub uarch_rate: f64,
    /// GDMA cycles of all but system commands.
    pub gdma_cycles: i64,
    /// Mean DDR bandwidth of the GDMA in GB/s.
    pub gdma_ddr_gbps: f64,
    /// Mean L2M bandwidth of the GDMA in GB/s.
    pub gdma_l2m_gbps: f64,
    /// SDMA cycles of all but waits.
    pub sdma_cycles: i64,
    /// Mean DDR bandwidth of the SDMA in GB/s.
    pub sdma_ddr_gbps: f64,
}

impl LegacyRow {
    pub(super) fn all(summary: &Summary) -> Vec<Self> {
        let total = summary.total_ns.unwrap_or(0);
        let rows = summary.cores.iter().map(|totals| Self {
            core: totals.core,
            parallelism: ratio(summary.engines_ns(totals), total),
            tiu_working_ratio: ratio(summary.tiu_ns(totals), total),
            tiu_cycles: totals.tiu_cycles,
            alg_ops: whole(totals.alg_ops),
            uarch_ops: whole(totals.uarch_ops),
            uarch_rate: round4(quotient(totals.alg_ops, totals.uarch_ops)),
            gdma_cycles: totals.gdma_cycles,
            gdma_ddr_gbps: round4(totals.gdma_ddr.gbps(summary.dma_mhz)),
            gdma_l2m_gbps: round4(totals.gdma_l2.gbps(summary.dma_mhz)),
            sdma_cycles: totals.sdma_cycles,
            sdma_ddr_gbps: round4(totals.sdma_ddr.gbps(summary.dma_mhz)),
        });
        rows.collect()
    }
}

/// What a port moved one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PortSide {
    /// Commands.
    pub commands: u64,
    /// Bytes.
    pub bytes: u64,
    /// Mean bandwidth in GB/s while they ran.
    pub gbps: f64,
}

/// A CDMA port.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Port {
    /// Port.
    pub port: u32,
    /// Events shown.
    pub events: u64,
    /// What went out.
    pub sent: PortSide,
    /// What came in.
    pub received: PortSide,
    /// Other commands.
    pub other: PortSide,
    /// ns in system commands.
    pub sync_ns: i64,
    /// ns in which any command ran that is no system command.
    pub busy_ns: i64,
    /// What the time of its sends and receives is made of; none of a port without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PortPhases>,
}

impl Port {
    pub(super) fn all(summary: &Summary) -> Vec<Self> {
        let side = |(commands, moved): &(u64, Moved)| PortSide {
            commands: *commands,
            bytes: moved.bytes,
            gbps: round4(moved.gbps(summary.dma_mhz)),
        };
        let port = |totals: &PortTotals| Self {
            port: totals.port,
            events: totals.events,
            sent: side(&totals.sent),
            received: side(&totals.received),
            other: side(&totals.other),
            sync_ns: totals.sync_ns,
            busy_ns: totals.busy_ns,
            phases: Vec::new(),
        };
        summary.ports.iter().map(port).collect()
    }
}
