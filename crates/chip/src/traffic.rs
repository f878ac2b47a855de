//! What a DMA record's PMU counters sum to (section 4.3): bytes, stalls, transactions.

use bigtpu_format::{Bm1684xDmaRecord, CdmaRecord, DmaRecord, DmaWideRecord, U32};

use crate::memory::Direction;

/// A record's counters, in the layout that the chip writes.
#[derive(Debug, Clone, Copy)]
pub enum Pmu<'a> {
    /// GDMA or SDMA of AKS and AKSV.
    Aks(&'a DmaRecord),
    /// GDMA of BM1684X.
    Bm1684x(&'a Bm1684xDmaRecord),
    /// GDMA or SDMA of BM1688.
    Bm1688(&'a DmaWideRecord),
    /// GDMA of CV184X.
    Cv184x(&'a DmaRecord),
    /// GDMA of CV84X6.
    Cv84x6(&'a DmaRecord),
    /// CDMA of AKS and AKSV.
    Cdma(&'a CdmaRecord),
}

/// Bytes and transactions on one side of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BusTotals {
    /// Bytes.
    pub bytes: u64,
    /// Transactions.
    pub transactions: u64,
}

/// Everything that is derived from a DMA record's counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// `DMA data size(B)`.
    pub bytes: u64,
    /// `Stall Cycle`.
    pub stall_cycles: u64,
    /// Off-chip and shared memory side. On AKS and AKSV only the transactions are known.
    pub global: BusTotals,
    /// Local memory side (BM1688 full commands and CV84X6).
    pub local: BusTotals,
}

impl Pmu<'_> {
    /// Totals of the counters. `full`: the command's bits are known; `direction` is its.
    #[must_use]
    #[inline]
    pub fn traffic(&self, full: bool, direction: Direction) -> Traffic {
        match self {
            Self::Aks(r) => Traffic {
                bytes: u64::from(r.gif_mem_w.get()) + u64::from(r.axi_d0_w.get()),
                stall_cycles: r.gif_wr_rd_stall.get().into(),
                global: BusTotals {
                    bytes: 0,
                    transactions: u64::from(r.axi_d0_wr_valid.get())
                        + u64::from(r.axi_d0_rd_valid.get()),
                },
                local: BusTotals::default(),
            },
            Self::Bm1684x(r) => bm1684x(r),
            Self::Bm1688(r) => bm1688(r, full),
            Self::Cv184x(r) => cv184x(r, direction),
            Self::Cv84x6(r) => cv84x6(r, direction),
            Self::Cdma(r) => Traffic {
                bytes: r.m0_data_aw.get().into(),
                stall_cycles: 0,
                global: BusTotals {
                    bytes: 0,
                    transactions: u64::from(r.ari_data_valid.get())
                        + u64::from(r.ati_data_valid.get())
                        + u64::from(r.m0_data_rd_valid.get())
                        + u64::from(r.m0_data_wr_valid.get()),
                },
                local: BusTotals::default(),
            },
        }
    }

    /// Whether the counters say that nothing was transferred: the mark of a system command.
    /// BM1688's cannot say.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        match self {
            Self::Aks(r) | Self::Cv184x(r) | Self::Cv84x6(r) => r.is_idle(),
            Self::Bm1684x(_) | Self::Bm1688(_) => false,
            Self::Cdma(r) => !r.moves_data(),
        }
    }

    /// Whether all that was written went to local memory, or none of it; `None` where both were written, or where counters can't say.
    #[must_use]
    pub fn writes_local(&self) -> Option<bool> {
        let Self::Aks(r) = self else { return None };
        match (r.gif_mem_w.get() > 0, r.axi_d0_w.get() > 0) {
            (local, global) if local != global => Some(local),
            _ => None,
        }
    }

    /// Bytes that were copied within global memory; `None` if nothing was, or if local memory took part.
    #[must_use]
    pub fn copied_bytes(&self) -> Option<u64> {
        let (read, written, local) = match self {
            Self::Aks(r) | Self::Cv184x(r) | Self::Cv84x6(r) => (
                r.axi_d0_rd_valid.get().into(),
                u64::from(r.axi_d0_w.get()),
                sum(&[r.gif_mem_w, r.gif_mem_ar]),
            ),
            Self::Bm1684x(Bm1684xDmaRecord { bytes, .. })
            | Self::Bm1688(DmaWideRecord { bytes, .. }) => {
                let [_, d0_wr, d0_ar, _, d1_wr, d1_ar, fmem @ .., _, _, _] = *bytes;
                (sum(&[d0_ar, d1_ar]), sum(&[d0_wr, d1_wr]), sum(&fmem))
            }
            Self::Cdma(_) => return None,
        };
        (read > 0 && written > 0 && local == 0).then_some(written)
    }
}

fn sum(counters: &[U32]) -> u64 {
    counters.iter().map(|c| u64::from(c.get())).sum()
}

/// Bytes written anywhere are the bytes of the transfer. Write counters are exact; those of write
/// addresses are rounded up to 64 bytes.
fn bm1684x(r: &Bm1684xDmaRecord) -> Traffic {
    let [_, d0_wr, d0_ar, _, d1_wr, d1_ar, _, fmem_wr, fmem_ar, ..] = r.bytes;
    let [d0_wr_valid, d0_rd_valid, d1_wr_valid, d1_rd_valid, fmem_wr_valid, fmem_rd_valid, ..] =
        r.valid;
    let [.., fmem_wr_stall, fmem_rd_stall, _, _] = r.stall;
    Traffic {
        bytes: sum(&[d0_wr, d1_wr, fmem_wr]),
        stall_cycles: sum(&[fmem_wr_stall, fmem_rd_stall]),
        global: BusTotals {
            bytes: sum(&[d0_wr, d0_ar, d1_wr, d1_ar]),
            transactions: sum(&[d0_wr_valid, d0_rd_valid, d1_wr_valid, d1_rd_valid]),
        },
        local: BusTotals {
            bytes: sum(&[fmem_wr, fmem_ar]),
            transactions: sum(&[fmem_wr_valid, fmem_rd_valid]),
        },
    }
}

fn bm1688(r: &DmaWideRecord, full: bool) -> Traffic {
    let [d0_aw, _, d0_ar, d1_aw, _, d1_ar, fmem_aw, _, fmem_ar, ..] = r.bytes;
    if !full {
        return Traffic {
            bytes: sum(&r.bytes),
            stall_cycles: sum(&r.stall),
            global: BusTotals { bytes: 0, transactions: sum(&r.valid) },
            local: BusTotals::default(),
        };
    }
    let global = sum(&[d0_aw, d0_ar, d1_aw, d1_ar]);
    let local = sum(&[fmem_aw, fmem_ar]);
    let [_, _, _, _, fmem_wr_stall, fmem_rd_stall, ..] = r.stall;
    Traffic {
        bytes: global.max(local),
        stall_cycles: sum(&[fmem_wr_stall, fmem_rd_stall]),
        global: BusTotals { bytes: global, transactions: global / 16 },
        local: BusTotals { bytes: local, transactions: local / 16 },
    }
}

/// Bytes written anywhere are the bytes of the transfer.
fn cv184x(r: &DmaRecord, direction: Direction) -> Traffic {
    let bytes = sum(&[r.gif_mem_w, r.axi_d0_w]);
    Traffic {
        bytes,
        stall_cycles: r.gif_wr_rd_stall.get().into(),
        global: BusTotals {
            bytes: if direction.has_ddr() { bytes } else { 0 },
            transactions: sum(&[r.axi_d0_wr_valid, r.axi_d0_rd_valid]),
        },
        local: BusTotals {
            bytes: sum(&[r.gif_mem_w, r.gif_mem_ar]),
            transactions: sum(&[r.gif_wr_valid, r.gif_rd_valid]),
        },
    }
}

fn cv84x6(r: &DmaRecord, direction: Direction) -> Traffic {
    let bytes = r.axi_d0_w.get().max(r.gif_mem_w.get()).max(r.gif_mem_ar.get()).into();
    Traffic {
        bytes,
        stall_cycles: sum(&[r.axi_d0_wr_stall, r.axi_d0_rd_stall, r.gif_wr_rd_stall]),
        global: BusTotals {
            bytes: if direction.has_ddr() { bytes } else { 0 },
            transactions: sum(&[r.axi_d0_ar, r.axi_d0_aw]),
        },
        local: BusTotals {
            bytes: sum(&[r.gif_mem_w, r.gif_mem_ar]),
            transactions: sum(&[r.gif_wr_valid, r.gif_rd_valid]),
        },
    }
}
