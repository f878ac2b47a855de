//! What the commands of layers did.

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::whole;

use super::registers::{Fields, REGISTERS};
use crate::row::Row;

/// What commands did.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    /// Bytes from global to local memory, back, and of other transfers.
    pub(super) bytes: [u64; 3],
    /// ns that each took.
    pub(super) way_ns: [i64; 3],
    pub(super) dma_cycles: i64,
    pub(super) dma_ns: i64,
    pub(super) ops: u64,
    pub(super) uarch_ops: u64,
    pub(super) tiu_cycles: i64,
    pub(super) tiu_ns: i64,
    /// Ideal cycles, and the ns that the commands took of which these are known.
    pub(super) ideal: (u64, i64),
    pub(super) data_types: Vec<String>,
    /// Window of convolutions and the like: see [`KERNEL`].
    pub(super) kernel: Option<[i128; KERNEL.len()]>,
    pub(super) layers: u64,
    /// Bytes of constant operands; `None` where those of a layer are not known.
    pub(super) weights: Option<u64>,
    pub(super) total_ns: i64,
}

/// The fields that tell the window of a convolution or pooling: its height and width, how far it moves, and the padding around.
const KERNEL: [&str; 8] = [
    "des_opd1_h",
    "des_opd1_w",
    "des_res_op_y_str",
    "des_res_op_x_str",
    "des_opd0_up_pad",
    "des_opd0_dn_pad",
    "des_opd0_lf_pad",
    "des_opd0_rt_pad",
];

impl Work {
    pub(super) fn add(&mut self, row: &Row<'_>, fields: &Fields) {
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
            if has_window(&kind.function_name) {
                self.add_window(fields);
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
        if let (Some(bytes), Some(way_ns)) = (self.bytes.get_mut(way), self.way_ns.get_mut(way)) {
            *bytes += row.bytes();
            *way_ns += ns;
        }
    }

    /// The largest values of the commands are the layer's: at the edges of tiles some have less padding.
    fn add_window(&mut self, fields: &Fields) {
        let value = |name: &str| {
            let at = REGISTERS.iter().position(|own| *own == name)?;
            fields.get(at).copied().flatten()
        };
        let window = KERNEL.map(value);
        if window.iter().any(Option::is_some) {
            let known = self.kernel.get_or_insert_default();
            for (own, more) in known.iter_mut().zip(window) {
                *own = (*own).max(more.unwrap_or(0));
            }
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        for (own, more) in self.bytes.iter_mut().zip(other.bytes) {
            *own += more;
        }
        for (own, more) in self.way_ns.iter_mut().zip(other.way_ns) {
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
        self.weights = match self.layers {
            0 => other.weights,
            _ => self.weights.zip(other.weights).map(|(own, more)| own.saturating_add(more)),
        };
        self.layers += other.layers;
        self.total_ns += other.total_ns;
    }
}

/// Whether commands of such a name slide a window over their operand.
fn has_window(name: &str) -> bool {
    ["conv.", "pord."].iter().any(|unit| name.starts_with(unit))
}
