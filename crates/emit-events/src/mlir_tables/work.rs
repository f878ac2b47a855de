//! What the commands of layers did.

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::whole;

use crate::row::Row;

/// What commands did.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    /// Bytes from global to local memory, back, and of other transfers.
    pub(super) bytes: [u64; 3],
    pub(super) dma_cycles: i64,
    pub(super) dma_ns: i64,
    pub(super) ops: u64,
    pub(super) uarch_ops: u64,
    pub(super) tiu_cycles: i64,
    pub(super) tiu_ns: i64,
    /// Ideal cycles, and the ns that the commands took of which these are known.
    pub(super) ideal: (u64, i64),
    pub(super) data_types: Vec<String>,
    pub(super) layers: u64,
    pub(super) total_ns: i64,
}

impl Work {
    pub(super) fn add(&mut self, row: &Row<'_>) {
        let kind = row.kind;
        if !kind.activity.is_work() {
            return;
        }
        let ns = row.end() - row.start();
        if row.engine_id().engine == Engine::Tiu {
            self.tiu_cycles += row.cycles();
            self.tiu_ns += ns;
            if let Some(ideal) = kind.ideal_cycles() {
                self.ideal = (self.ideal.0 + whole(ideal), self.ideal.1 + ns);
            }
            if kind.is_full() {
                self.ops = self.ops.saturating_add(whole(kind.cost.alg_ops));
                self.uarch_ops = self.uarch_ops.saturating_add(whole(kind.cost.uarch_ops));
            }
            if !kind.data_type.is_empty() && !self.data_types.contains(&kind.data_type) {
                self.data_types.push(kind.data_type.clone());
            }
            return;
        }
        self.dma_cycles += row.cycles();
        self.dma_ns += ns;
        let sides = kind.direction().map(|direction| (direction.from, direction.to));
        let way = match sides {
            Some((from, Memory::Lmem)) if from != Memory::Lmem => 0,
            Some((Memory::Lmem, to)) if to != Memory::Lmem => 1,
            _ => 2,
        };
        if let Some(bytes) = self.bytes.get_mut(way) {
            *bytes += row.bytes();
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        for (own, more) in self.bytes.iter_mut().zip(other.bytes) {
            *own += more;
        }
        self.dma_cycles += other.dma_cycles;
        self.dma_ns += other.dma_ns;
        self.ops = self.ops.saturating_add(other.ops);
        self.uarch_ops = self.uarch_ops.saturating_add(other.uarch_ops);
        self.tiu_cycles += other.tiu_cycles;
        self.tiu_ns += other.tiu_ns;
        self.ideal = (self.ideal.0 + other.ideal.0, self.ideal.1 + other.ideal.1);
        for name in &other.data_types {
            if !self.data_types.contains(name) {
                self.data_types.push(name.clone());
            }
        }
        self.layers += other.layers;
        self.total_ns += other.total_ns;
    }
}
