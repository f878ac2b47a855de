//! What a DMA record's counters say of one transfer: bytes, stalls, bandwidths (section 4.3).

use bigtpu_chip::{Family, Traffic};
use bigtpu_timeline::{Profile, Track};

use crate::kind::{Kind, TransferKind};
use crate::number::{quotient, round4};

/// A transfer's bytes, stalls, transactions and bandwidths.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Transfer {
    /// Bytes, stalls and transactions.
    pub traffic: Traffic,
    /// Bytes that count for the bandwidth from or to DDR; `None` where none is computed.
    pub ddr_bytes: Option<u64>,
    /// Bytes that count for the bandwidth from or to shared on-chip memory; `None` where none is computed.
    pub l2_bytes: Option<u64>,
    /// Length of the transfer, at least 1 ns.
    ns: i64,
}

impl Transfer {
    /// Of event `i` of a GDMA, SDMA or CDMA track; nothing where the event has no record, or its kind is none of a DMA.
    #[must_use]
    pub fn of(profile: &Profile<'_>, track: &Track<'_>, i: usize, kind: &Kind) -> Self {
        let Some(transfer) = &kind.transfer else { return Self::default() };
        let full = kind.is_full();
        let pmu = profile.pmu(track, i);
        let traffic = pmu.map_or_else(Traffic::default, |p| p.traffic(full, transfer.direction));
        let events = &track.events;
        let ns = match (events.start.get(i), events.end.get(i)) {
            (Some(start), Some(end)) => end - start,
            _ => 1,
        };
        let (ddr_bytes, l2_bytes) = counted(profile.chip.family, full, transfer, &traffic);
        Self { traffic, ddr_bytes, l2_bytes, ns }
    }

    /// `DDR Bandwidth(GB/s)`; `None` where the texts print a plain 0.
    #[must_use]
    pub fn ddr_gbps(&self) -> Option<f64> {
        self.ddr_bytes.map(|bytes| self.gbps(bytes))
    }

    /// `L2M Bandwidth(GB/s)`; `None` where the texts print a plain 0.
    #[must_use]
    pub fn l2_gbps(&self) -> Option<f64> {
        self.l2_bytes.map(|bytes| self.gbps(bytes))
    }

    /// Bandwidth of the global and local sides, in GB/s (BM1688 full commands and CV84X6).
    #[must_use]
    pub fn side_gbps(&self, family: Family) -> (f64, f64) {
        let local = match family {
            Family::Cv84x6 => self.traffic.bytes,
            Family::Bm1684x | Family::Bm1688 | Family::Cv184x | Family::Aks => {
                self.traffic.local.bytes
            }
        };
        (self.gbps(self.traffic.global.bytes), self.gbps(local))
    }

    /// Bytes over the transfer's length, in GB/s with 4 decimals.
    fn gbps(&self, bytes: u64) -> f64 {
        const EXACT: u64 = 1 << 53;
        let ns = self.ns.max(1);
        if bytes <= EXACT && ns as u64 <= EXACT {
            return round4(bytes as f64 / ns as f64);
        }
        round4(quotient(i128::from(bytes), i128::from(ns)))
    }
}

/// The bytes that count for the bandwidths of DDR and of shared on-chip memory.
fn counted(
    family: Family,
    full: bool,
    transfer: &TransferKind,
    traffic: &Traffic,
) -> (Option<u64>, Option<u64>) {
    let (bytes, global, direction) = (traffic.bytes, traffic.global.bytes, transfer.direction);
    match (family, full) {
        (Family::Aks | Family::Bm1684x | Family::Bm1688 | Family::Cv184x, false) => {
            (Some(bytes), None)
        }
        (Family::Aks, true) if direction.has_ddr() => (Some(bytes), None),
        (Family::Aks, true) if direction.has_l2() => (None, Some(bytes)),
        (Family::Aks, true) => (None, None),
        (Family::Bm1684x | Family::Bm1688, true) => (Some(global.max(traffic.local.bytes)), None),
        (Family::Cv184x, true) => (Some(global), None),
        (Family::Cv84x6, _) => (Some(global), Some(if direction.has_l2() { bytes } else { 0 })),
    }
}
