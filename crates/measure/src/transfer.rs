//! What a DMA record's counters say of one transfer: bytes, stalls, bandwidths (section 4.3).

use bigtpu_chip::{Family, Traffic};
use bigtpu_timeline::{EngineEvents, Profile};

use crate::kind::{CommandKind, TransferKind};
use crate::number::{quotient, round4};
use crate::track_commands::TrackCommands;

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
    /// Reads the transfer that is event `i` of a GDMA, SDMA or CDMA track; returns an empty one where the event has no
    /// record, or its kind is none of a DMA.
    #[must_use]
    pub fn read(
        profile: &Profile<'_>,
        track: &EngineEvents<'_>,
        i: usize,
        kind: &CommandKind,
    ) -> Self {
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
    #[inline]
    pub fn ddr_gbps(&self) -> Option<f64> {
        self.ddr_bytes.map(|bytes| self.gbps(bytes))
    }

    /// `L2M Bandwidth(GB/s)`; `None` where the texts print a plain 0.
    #[must_use]
    #[inline]
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
    #[inline]
    fn gbps(&self, bytes: u64) -> f64 {
        gbps(bytes, self.ns)
    }
}

/// Bytes over ns, in GB/s with 4 decimals.
#[inline]
pub(crate) fn gbps(bytes: u64, ns: i64) -> f64 {
    const EXACT: u64 = 1 << 53;
    let ns = ns.max(1);
    if (bytes | ns as u64) < EXACT {
        return round4(bytes.cast_signed() as f64 / ns as f64);
    }
    exact_gbps(bytes, ns)
}

#[cold]
fn exact_gbps(bytes: u64, ns: i64) -> f64 {
    round4(quotient(i128::from(bytes), i128::from(ns)))
}

/// What slices and counters show of a transfer: bytes, and the bandwidths from or to DDR and shared on-chip memory in GB/s, 0
/// where none is computed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Shown {
    /// `DMA data size(B)`.
    pub bytes: u64,
    /// DDR, in GB/s.
    pub ddr_gbps: f64,
    /// On-chip shared memory, in GB/s.
    pub l2_gbps: f64,
}

/// What the bytes of a kind's transfers count for, found once for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteCounts {
    /// Nothing: it is none, or nobody asks.
    Nothing,
    /// No bandwidth.
    Bytes,
    /// The bandwidth from or to DDR.
    Ddr,
    /// The bandwidth from or to shared on-chip memory.
    L2,
    /// The record of each transfer says it.
    ByRecord,
}

impl ByteCounts {
    /// Whether there may be a bandwidth from or to DDR.
    #[must_use]
    pub fn counts_ddr(self) -> bool {
        matches!(self, Self::Ddr | Self::ByRecord)
    }

    /// Whether there may be a bandwidth from or to shared on-chip memory.
    #[must_use]
    pub fn counts_l2(self) -> bool {
        matches!(self, Self::L2 | Self::ByRecord)
    }

    /// Finds what the bytes of a kind's transfers count for.
    #[must_use]
    pub fn read(profile: &Profile<'_>, kind: &CommandKind) -> Self {
        let Some(transfer) = &kind.transfer else { return Self::Nothing };
        let (family, full) = (profile.chip.family, kind.is_full());
        if !counts_all_bytes(family, full) {
            return Self::ByRecord;
        }
        let traffic = Traffic { bytes: 1, ..Traffic::default() };
        match counted(family, full, transfer, &traffic) {
            (Some(_), None) => Self::Ddr,
            (None, Some(_)) => Self::L2,
            (None, None) => Self::Bytes,
            (Some(_), Some(_)) => Self::ByRecord,
        }
    }
}

impl TrackCommands<'_, '_> {
    /// Returns what is shown of the transfer that is event `i` of the track: from the columns where these say all,
    /// which takes much less time than [`Transfer::read`].
    #[must_use]
    #[inline]
    pub fn shown_transfer(&self, i: usize, kind: &CommandKind) -> Shown {
        let Some(transfer) = &kind.transfer else { return Shown::default() };
        let (family, full) = (self.profile.chip.family, kind.is_full());
        let events = &self.track.events;
        let (true, Some(start), Some(end)) = (
            counts_all_bytes(family, full) && self.track.simulated_bytes.is_empty(),
            events.start.get(i),
            events.end.get(i),
        ) else {
            return self.shown_by_record(i, kind);
        };
        let traffic = Traffic { bytes: self.columns.bytes(i), ..Traffic::default() };
        let (ddr_bytes, l2_bytes) = counted(family, full, transfer, &traffic);
        Transfer { traffic, ddr_bytes, l2_bytes, ns: end - start }.shown()
    }

    #[inline(never)]
    fn shown_by_record(&self, i: usize, kind: &CommandKind) -> Shown {
        Transfer::read(self.profile, self.track, i, kind).shown()
    }
}

impl Transfer {
    #[inline]
    fn shown(&self) -> Shown {
        Shown {
            bytes: self.traffic.bytes,
            ddr_gbps: self.ddr_gbps().unwrap_or(0.0),
            l2_gbps: self.l2_gbps().unwrap_or(0.0),
        }
    }
}

/// Whether [`counted`] needs no more than the bytes of all, which a column has.
#[inline]
fn counts_all_bytes(family: Family, full: bool) -> bool {
    match family {
        Family::Aks => true,
        Family::Bm1684x | Family::Bm1688 | Family::Cv184x => !full,
        Family::Cv84x6 => false,
    }
}

/// The bytes that count for the bandwidths of DDR and of shared on-chip memory.
#[inline]
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
