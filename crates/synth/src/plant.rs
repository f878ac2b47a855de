//! Faults that an analysis should find: each is planted with exact numbers, so that a test can expect them.

use bigtpu_chip::{Engine, Memory};

use crate::kernel::{Shape, Step};

/// A planted fault. Times are exact to one cycle of the engine's clock.
#[derive(Debug, Clone, PartialEq)]
pub enum Plant {
    /// `imbalance=CORE:FACTOR`: every command of this core's tiles takes `factor` times as long as it does
    /// without the plant. System commands keep their times but for the waits: the other cores wait at the end
    /// of each launch. Transfers over links keep their times: a slow core has no slow links.
    Imbalance {
        /// The slow core.
        core: u32,
        /// What its times are multiplied by.
        factor: f64,
    },
    /// `straggler=FACTOR`: in each launch another core is slow: every command of its tiles takes `factor` times as long.
    Straggler {
        /// What the core's times are multiplied by.
        factor: f64,
    },
    /// `stages`: a launch's tiles run on one core, those of the next launch on the next core; the other cores run the first tile
    /// only.
    Stages,
    /// `slow-port=PORT:FACTOR`: every transfer of this CDMA port takes `factor` times as long.
    SlowPort {
        /// The port.
        port: u8,
        /// What its times are multiplied by.
        factor: f64,
    },
    /// `bubble=CORE:ENGINE:US`: in launch number `launches / 2` (counted from 0), tile `repeat / 2`, the first
    /// command of the engine starts this many us later than it could; the rest of the launch waits for it.
    Bubble {
        /// The core.
        core: u32,
        /// TIU or GDMA.
        engine: Engine,
        /// How long the engine is idle, in us.
        us: u64,
    },
    /// `slow-kernel=NAME:FACTOR`: every command of this kernel's tiles takes `factor` times as long, on every
    /// core. System commands keep their times.
    SlowKernel {
        /// Name of the kernel.
        name: String,
        /// What its times are multiplied by.
        factor: f64,
    },
    /// `launch-gap=US`: launch number `launches / 2` (counted from 0) begins this many us later, on every core.
    LaunchGap {
        /// How much longer the chip is idle before it, in us.
        us: u64,
    },
    /// `serialized=PERCENT`: in this percentage of a launch's tiles, TIU and GDMA take turns: a command also waits for
    /// all that was dispatched to the other engine before it. What commands say of dependences stays.
    Serialized {
        /// Tiles, in percent.
        percent: u32,
    },
    /// `small-transfers=COUNT`: each tile loads as many times 256 bytes of constants, which otherwise stay in local memory.
    SmallTransfers {
        /// Loads of a tile.
        count: u32,
    },
    /// `unaligned=CHANNELS`: arithmetic commands have this many channels, and more rows instead. They take the time of
    /// their shape after padding.
    Unaligned {
        /// Channels.
        channels: u16,
    },
    /// `bank-conflicts=CYCLES`: every TIU command of the tiles takes this many cycles more, which the PMU counts (CV84X6).
    BankConflicts {
        /// Lost cycles of a command.
        cycles: u32,
    },
    /// `weights=MEMORY`: all tiles of a launch use the same weights. From `ddr` each tile loads them; from `l2m` only the
    /// first one loads them from DDR.
    Weights {
        /// Where the tiles after the first one load them from.
        memory: Memory,
    },
    /// `spill=BYTES`: before its last store, each tile stores so many bytes of its result to DDR and loads them again.
    Spill {
        /// Bytes of a tile: a multiple of 128.
        bytes: u32,
    },
    /// `shared-loads=BYTES`: each tile begins with a load of so many bytes of weights, which all cores load from the same place of DDR;
    /// `shared-loads=BYTES:l2m`: from L2M.
    SharedLoads {
        /// Bytes of a tile: a multiple of 128.
        bytes: u32,
        /// Where they load them from.
        memory: Memory,
    },
    /// `idle-cores=N`: the last N cores have no work; the others run their tiles besides.
    IdleCores {
        /// Cores without work.
        count: u32,
    },
    /// `depthwise`: the convolution of `conv_relu` works channel by channel, and one of 1x1 mixes them.
    Depthwise,
    /// `dense-depthwise`: the same, but in every second tile a command that multiplies all channels with all does the work of
    /// the first one.
    DenseDepthwise,
}

/// Channels and bytes of an element of what a tile moves by a fault.
const PLANE: (u16, u32) = (64, 2);
/// Most bytes of the weights of a tile that all cores load: those of a slot of the addresses.
const MOST_SHARED: u32 = 1 << 17;

impl Plant {
    /// What the times of a kernel's commands on a core are multiplied by, or on its links without a core.
    pub(crate) fn factor(plants: &[Self], kernel: &str, on: Option<u32>) -> f64 {
        let factor = |plant: &Self| match plant {
            Self::Imbalance { core, factor } if Some(*core) == on => *factor,
            Self::SlowKernel { name, factor } if name == kernel => *factor,
            _ => 1.0,
        };
        plants.iter().map(factor).product()
    }

    /// What the times of commands are multiplied by on the core whose turn it is.
    pub(crate) fn straggling(plants: &[Self]) -> f64 {
        let factor = |plant: &Self| match plant {
            Self::Straggler { factor } => *factor,
            _ => 1.0,
        };
        plants.iter().map(factor).product()
    }

    /// Whether most tiles of a launch run on one core.
    pub(crate) fn has_stages(plants: &[Self]) -> bool {
        plants.contains(&Self::Stages)
    }

    /// Slow ports with their factors.
    pub(crate) fn slow_ports(plants: &[Self]) -> Vec<(u8, f64)> {
        let slow = |plant: &Self| match plant {
            Self::SlowPort { port, factor } => Some((*port, *factor)),
            _ => None,
        };
        plants.iter().filter_map(slow).collect()
    }

    /// How much later the launch in the middle begins, in ps.
    pub(crate) fn launch_gap(plants: &[Self]) -> u64 {
        let gap = |plant: &Self| match plant {
            Self::LaunchGap { us } => us * 1_000_000,
            _ => 0,
        };
        plants.iter().map(gap).sum()
    }

    /// The bubbles of a core, in ps.
    pub(crate) fn bubbles(plants: &[Self], on: u32) -> Vec<(Engine, u64)> {
        let bubble = |plant: &Self| match plant {
            Self::Bubble { core, engine, us } if *core == on => Some((*engine, us * 1_000_000)),
            _ => None,
        };
        plants.iter().filter_map(bubble).collect()
    }

    /// How many of 100 tiles are serialized.
    pub(crate) fn serialized_percent(plants: &[Self]) -> u32 {
        let percent = |plant: &Self| match plant {
            Self::Serialized { percent } => *percent,
            _ => 0,
        };
        plants.iter().map(percent).max().unwrap_or(0)
    }

    /// Loads of constants of each tile.
    pub(crate) fn small_transfers(plants: &[Self]) -> u32 {
        let count = |plant: &Self| match plant {
            Self::SmallTransfers { count } => *count,
            _ => 0,
        };
        plants.iter().map(count).sum()
    }

    /// Cycles that a TIU command loses to bank conflicts.
    pub(crate) fn bank_conflicts(plants: &[Self]) -> u32 {
        let cycles = |plant: &Self| match plant {
            Self::BankConflicts { cycles } => *cycles,
            _ => 0,
        };
        plants.iter().map(cycles).sum()
    }

    /// A step with few channels and many rows, if it is arithmetic and its channels can be divided so.
    pub(crate) fn unaligned(plants: &[Self], step: &Step) -> Option<Step> {
        let few = plants.iter().find_map(|plant| match plant {
            Self::Unaligned { channels } => Some(*channels),
            _ => None,
        })?;
        let Shape { c, h, .. } = step.shape;
        let is_possible = step.is_elementwise() && c > few && c.is_multiple_of(few);
        let shape = Shape { c: few, h: (c / few).checked_mul(h)?, ..step.shape };
        is_possible.then_some(Step { shape, ..*step })
    }

    /// What each tile stores and loads again: its shape.
    pub(crate) fn spilled(plants: &[Self]) -> Option<Shape> {
        let bytes = plants.iter().find_map(|plant| match plant {
            Self::Spill { bytes } => Some(*bytes),
            _ => None,
        })?;
        plane_of(bytes)
    }

    /// The weights of a tile that all cores load: their shape, and where they are.
    pub(crate) fn shared_loads(plants: &[Self]) -> Option<(Shape, Memory)> {
        let (bytes, memory) = plants.iter().find_map(|plant| match plant {
            Self::SharedLoads { bytes, memory } => Some((*bytes, *memory)),
            _ => None,
        })?;
        Some((plane_of(bytes)?, memory))
    }

    /// Whether all cores can load so many bytes.
    pub(crate) fn can_share(bytes: u32) -> bool {
        Self::can_spill(bytes) && bytes <= MOST_SHARED
    }

    /// Whether so many bytes can be spilled.
    pub(crate) fn can_spill(bytes: u32) -> bool {
        let of_column = u32::from(PLANE.0) * PLANE.1;
        bytes.is_multiple_of(of_column) && (1..=4096).contains(&(bytes / of_column))
    }

    /// Cores without work.
    pub(crate) fn idle_cores(plants: &[Self]) -> u32 {
        let count = |plant: &Self| match plant {
            Self::IdleCores { count } => *count,
            _ => 0,
        };
        plants.iter().map(count).max().unwrap_or(0)
    }

    /// Whether convolutions work channel by channel, and whether one of this tile multiplies all channels nevertheless.
    pub(crate) fn depthwise(plants: &[Self], odd: bool) -> Option<bool> {
        plants.iter().find_map(|plant| match plant {
            Self::Depthwise => Some(false),
            Self::DenseDepthwise => Some(odd),
            _ => None,
        })
    }

    /// Where the tiles of a launch load the weights from that they share.
    pub(crate) fn weights(plants: &[Self]) -> Option<Memory> {
        plants.iter().find_map(|plant| match plant {
            Self::Weights { memory } => Some(*memory),
            _ => None,
        })
    }
}

/// The shape of so many bytes.
fn plane_of(bytes: u32) -> Option<Shape> {
    let (channels, element) = PLANE;
    let columns = u16::try_from(bytes / (u32::from(channels) * element)).ok()?;
    Some(Shape { n: 1, c: channels, h: 1, w: columns, k: 1, window: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply() {
        let plants =
            ["imbalance=1:2", "slow-kernel=rope:3"].map(|text| text.parse::<Plant>().unwrap());
        assert_eq!(Plant::factor(&plants, "rope", Some(1)), 6.0);
        assert_eq!(Plant::factor(&plants, "rope", Some(0)), 3.0);
        assert_eq!(Plant::factor(&plants, "rope", None), 3.0);
        assert_eq!(Plant::factor(&plants, "other", Some(0)), 1.0);
    }
}
