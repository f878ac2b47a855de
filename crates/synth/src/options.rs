//! Options of a synthetic dump.

use bigtpu_chip::{Chip, Family, Memory};
use bigtpu_messages::error_message;

use crate::{ChipSpeeds, Error, Plant, Result, Writer};

/// How commands are dispatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Kernel by kernel through the register interface, as eager PyTorch does.
    Op,
    /// Cached descriptor streams, one launch a stream of each engine.
    Graph,
    /// Through the RISC-V tensor front end (AKSV, CV84X6).
    Rvt,
    /// A static model: descriptors as blocks of their own. With a mode above 0 and no runtime in particular the last
    /// quarter of the launches is dispatched kernel by kernel.
    Bmodel,
}

/// Options of a synthetic dump. The same options give the same bytes.
#[derive(Debug, Clone)]
pub struct Options {
    /// The chip that the dump says it is from.
    pub chip: &'static Chip,
    /// Cores that took part, from 1 to the chip's number.
    pub cores: u32,
    /// The runtime in whose form the dump is written.
    pub writer: Writer,
    /// How commands are dispatched.
    pub style: Style,
    /// Capture mode: 0 records only, 1 also the dispatched commands, 2 also their full bits.
    pub mode: u8,
    /// Kernel launches on every core.
    pub launches: u64,
    /// Tiles of every launch.
    pub repeat: u32,
    /// CDMA ports in use, at most the chip's.
    pub ports: u8,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Share of records that are lost, from 0 to 1.
    pub loss: f64,
    /// Share of SDMA and CDMA records that are before their predecessor, from 0 to 1.
    pub disorder: f64,
    /// The PMU rings of TIU and GDMA hold three quarters of the core's records: the oldest are overwritten.
    pub lapped: bool,
    /// The TIU's 32-bit cycle counter wraps in the middle of the run.
    pub wrap: bool,
    /// Cores that run no kernel.
    pub idle: Vec<u32>,
    /// The loads of a tile are dispatched before the rest of the tile before it: transfers hide behind computation.
    pub is_pipelined: bool,
    /// Number of the kernel that every launch runs, in the order of [`crate::kernel_names`]; without, all in turn.
    pub kernel: Option<usize>,
    /// Launches end without a sync of the cores.
    pub is_unsynced: bool,
    /// The hardware's speeds.
    pub machine: ChipSpeeds,
    /// Faults.
    pub plants: Vec<Plant>,
}

impl Options {
    /// The defaults of a chip, by its name, alias or number.
    ///
    /// # Errors
    /// When there is no such chip.
    pub fn of_chip(name: &str) -> Result<Self> {
        let chip = Chip::find(name)?;
        Ok(Self {
            chip,
            cores: chip.core_num,
            writer: Writer::Plain,
            style: Style::Op,
            mode: 2,
            launches: 20,
            repeat: 8,
            ports: 0,
            seed: 0,
            loss: 0.0,
            disorder: 0.0,
            lapped: false,
            wrap: false,
            idle: Vec::new(),
            is_pipelined: false,
            kernel: None,
            is_unsynced: false,
            machine: ChipSpeeds::default(),
            plants: Vec::new(),
        })
    }

    /// Checks that such a dump is possible.
    ///
    /// # Errors
    /// [`Error::Options`] says which option is not possible and what is.
    pub fn check(&self) -> Result<()> {
        let chip = &self.chip.name;
        let has_front_end = self.chip.wrap.is_some() || self.chip.names.has_rvt();
        let share = |share: f64| (0.0..=1.0).contains(&share);
        let known = |core: u32| core < self.cores;
        let plant_is_known = |plant: &Plant| match plant {
            Plant::Imbalance { core, .. } | Plant::Bubble { core, .. } => known(*core),
            Plant::SlowKernel { name, .. } => {
                crate::kernel::KERNELS.iter().any(|kernel| kernel.name == name)
            }
            Plant::SlowPort { port, .. } => *port < self.ports,
            Plant::Straggler { .. }
            | Plant::Stages
            | Plant::LaunchGap { .. }
            | Plant::Serialized { .. }
            | Plant::SmallTransfers { .. }
            | Plant::Unaligned { .. }
            | Plant::BankConflicts { .. }
            | Plant::Weights { .. }
            | Plant::Spill { .. }
            | Plant::SharedLoads { .. }
            | Plant::IdleCores { .. }
            | Plant::Depthwise
            | Plant::DenseDepthwise => true,
        };
        let has_l2m = self.chip.arch_number("L2 Max BW(GB/s)").is_some_and(|gbps| gbps > 0.0);
        let needs = |plant: &Plant| match plant {
            Plant::BankConflicts { .. } if self.chip.family != Family::Cv84x6 => {
                Some(error_message!("problem-synth-bank-conflicts"))
            }
            Plant::IdleCores { count } if *count >= self.cores => {
                Some(error_message!("problem-synth-idle-cores"))
            }
            Plant::Weights { memory: Memory::L2m }
            | Plant::SharedLoads { memory: Memory::L2m, .. }
                if !has_l2m =>
            {
                Some(error_message!("problem-synth-weights"))
            }
            _ => None,
        };
        let names = || crate::kernel::KERNELS.iter().map(|k| k.name).collect::<Vec<_>>().join(", ");
        let what = if !self.chip.has_words() {
            error_message!("problem-synth-container", chip)
        } else if self.cores == 0 || self.cores > self.chip.core_num {
            error_message!(
                "problem-synth-cores",
                chip,
                most = self.chip.core_num,
                cores = self.cores
            )
        } else if u32::from(self.ports) > self.chip.cdma_ports {
            error_message!(
                "problem-synth-ports",
                chip,
                most = self.chip.cdma_ports,
                ports = self.ports
            )
        } else if self.mode > 2 {
            error_message!("problem-synth-mode", mode = self.mode)
        } else if self.style == Style::Rvt && !has_front_end {
            error_message!("problem-synth-rvt", chip)
        } else if !share(self.loss) || !share(self.disorder) {
            error_message!("problem-synth-shares")
        } else if !self.machine.is_possible() {
            error_message!("problem-synth-machine")
        } else if self.repeat == 0 || self.repeat > MAX_REPEAT {
            error_message!("problem-synth-repeat", max_repeat = MAX_REPEAT, repeat = self.repeat)
        } else if self.launches > MAX_LAUNCHES {
            error_message!(
                "problem-synth-launches",
                max_launches = MAX_LAUNCHES,
                launches = self.launches
            )
        } else if !self.idle.iter().all(|&core| known(core)) {
            error_message!("problem-synth-idle", cores = self.cores)
        } else if !self.plants.iter().all(plant_is_known) {
            error_message!(
                "problem-synth-plant",
                cores = self.cores,
                ports = self.ports,
                names = names()
            )
        } else if self.is_unsynced && self.active().len() > 1 {
            error_message!("problem-synth-no-sync")
        } else if let Some(what) = self.plants.iter().find_map(needs) {
            what
        } else if let Some(what) = self.writer.objection(self) {
            what
        } else {
            return Ok(());
        };
        Err(Error::Options { what })
    }

    /// Whether the run is one of a static model.
    pub(crate) fn is_static(&self) -> bool {
        self.style == Style::Bmodel
    }

    /// Whether the run is that of a static model by a runtime, with end commands and copies.
    pub(crate) fn has_groups(&self) -> bool {
        self.is_static() && self.writer.has_groups()
    }

    /// Whether `global.profile` says that the run is a static model's: libsophon always does.
    pub(crate) fn has_marker(&self) -> bool {
        self.is_static() || self.writer == Writer::Libsophon
    }

    /// Whether commands are written at all.
    pub(crate) fn has_commands(&self) -> bool {
        self.mode > 0
    }

    /// Cores that run kernels.
    pub(crate) fn active(&self) -> Vec<u32> {
        (0..self.cores).filter(|core| !self.is_idle(*core)).collect()
    }

    /// Whether a core runs no kernels.
    pub(crate) fn is_idle(&self, core: u32) -> bool {
        let with_work = self.cores.saturating_sub(Plant::idle_cores(&self.plants));
        core >= with_work || self.idle.contains(&core)
    }

    /// Tiles of each core's part of a launch: cores with work run those of planted idle cores.
    pub(crate) fn tiles(&self) -> u32 {
        let with_work = self.cores.saturating_sub(Plant::idle_cores(&self.plants)).max(1);
        let all = u64::from(self.repeat) * u64::from(self.cores);
        u32::try_from(all.div_ceil(u64::from(with_work))).unwrap_or(u32::MAX)
    }

    /// The core that sends the ports' anchors, if it is there: the chip's last, in a dynamic run.
    pub(crate) fn anchor(&self) -> Option<u32> {
        let last = self.chip.core_num.checked_sub(1)?;
        (self.ports > 0 && !self.is_static() && self.cores > last).then_some(last)
    }

    /// Launches whose descriptors are a static model's.
    pub(crate) fn static_launches(&self) -> u64 {
        match (self.style, self.mode) {
            (Style::Bmodel, _) if self.mode == 0 || self.has_groups() => self.launches,
            (Style::Bmodel, _) => self.launches - self.launches / 4,
            _ => 0,
        }
    }

    /// Whether the TIU monitor has the strays of CV84X6.
    pub(crate) fn has_strays(&self) -> bool {
        self.chip.family == Family::Cv84x6
    }
}

/// A launch's commands fit the id counters, and its arrival fits 32 bits of ns.
const MAX_REPEAT: u32 = 10_000;
/// The plan of the session holds 4 bytes a launch.
const MAX_LAUNCHES: u64 = 100_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |chip: &str, change: fn(&mut Options)| {
            let mut options = Options::of_chip(chip).unwrap();
            options.check().unwrap();
            change(&mut options);
            options.check().unwrap_err().to_string()
        };
        for (chip, change, word) in [
            ("aks", (|o| o.cores = 9) as fn(&mut Options), "1 to 8 cores"),
            ("bm1688", |o| o.ports = 1, "0 CDMA ports"),
            ("aks", |o| o.style = Style::Rvt, "style rvt is for AKSV"),
            ("aks", |o| o.mode = 3, "0, 1 and 2"),
            ("aks", |o| o.loss = f64::NAN, "shares"),
            ("aks", |o| o.repeat = 0, "tiles"),
            ("aks", |o| o.plants = vec![Plant::IdleCores { count: o.cores }], "no core with work"),
            ("aks", |o| o.plants = vec!["bank-conflicts=9".parse().unwrap()], "for CV84X6"),
            ("bm1688", |o| o.plants = vec!["weights=l2m".parse().unwrap()], "with an L2M"),
            ("cv84x6", |o| o.idle = vec![4], "below 4"),
            ("cv84x6", |o| o.plants = vec!["slow-kernel=x:2".parse().unwrap()], "flash_attention"),
        ] {
            let error = refused(chip, change);
            assert!(error.contains(word), "{error}");
        }
    }
}
