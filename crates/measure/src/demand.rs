//! What commands ask of the arrays and the memories of the cores: the numerators of rooflines.

use bigtpu_chip::Engine;

use crate::kind::CommandKind;

/// What commands ask of the cores that run them. Ports have their own links and count as commands only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreDemand {
    /// Commands, system commands left out.
    pub commands: u64,
    /// Commands whose full bits are known.
    pub full: u64,
    /// Commands of the TIU.
    pub computing: u64,
    /// Commands of the TIU whose operations are known.
    pub counted: u64,
    /// Requested operations of the counted commands.
    pub alg_ops: i128,
    /// Operations after padding.
    pub uarch_ops: i128,
    /// TIU cycles of the counted commands at the chip's peak.
    cycles: i128,
    /// Bytes read from DDR; a copy within the DDR reads and writes.
    pub ddr_read_bytes: u64,
    /// Bytes written to DDR.
    pub ddr_written_bytes: u64,
    /// Bytes moved from or to the shared memory on the chip, and not from or to DDR.
    pub l2m_bytes: u64,
}

impl CoreDemand {
    /// Adds `count` commands of a kind, whose records count so many bytes.
    pub fn add(&mut self, kind: &CommandKind, count: u64, bytes: u64) {
        if !kind.activity.is_work() {
            return;
        }
        self.commands += count;
        self.full += if kind.is_full() { count } else { 0 };
        let times = i128::from(count);
        match kind.engine {
            Engine::Cdma => {}
            Engine::Tiu => {
                let work = kind.work();
                self.computing += count;
                self.alg_ops += work.alg_ops * times;
                self.uarch_ops += work.uarch_ops * times;
                if let Some(cycles) = work.roof_cycles {
                    self.counted += count;
                    self.cycles += cycles * times;
                }
            }
            Engine::Gdma | Engine::Sdma => {
                let (read, written) = kind.ddr_traffic(bytes);
                self.ddr_read_bytes += read;
                self.ddr_written_bytes += written;
                let is_l2m = kind.direction().is_some_and(|d| !d.has_ddr() && d.has_l2());
                self.l2m_bytes += if is_l2m { bytes } else { 0 };
            }
        }
    }

    /// TIU cycles at the chip's peak; `None` where commands compute and the operations of none are known.
    #[must_use]
    pub fn roof_cycles(&self) -> Option<i128> {
        self.knows_operations().then_some(self.cycles)
    }

    /// Whether the operations of any computing command are known, or there is none.
    #[must_use]
    pub fn knows_operations(&self) -> bool {
        self.computing == 0 || self.counted > 0
    }

    /// Bytes read from DDR and written to it.
    #[must_use]
    pub fn ddr_bytes(&self) -> u64 {
        self.ddr_read_bytes.saturating_add(self.ddr_written_bytes)
    }
}
