//! The forms in which runtimes write dumps (section 1.1).

use bigtpu_chip::{Chip, Family};
use bigtpu_messages::Message;

use crate::{Options, Style};

/// Who writes the dump: its keys, its files, and what the runtime itself does on the engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Writer {
    /// A simple form of no particular runtime: all keys, and a file for each core that took part.
    #[default]
    Plain,
    /// tpudnn's op mode on AKS and AKSV.
    Tpudnn,
    /// The model runtime of AKS and AKSV: static models.
    ModelRuntime,
    /// libsophon: CV84X6, and BM1688 in a container of its own.
    Libsophon,
}

impl Writer {
    /// Name as shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Tpudnn => "tpudnn",
            Self::ModelRuntime => "model-rt",
            Self::Libsophon => "libsophon",
        }
    }

    /// Why the runtime writes no such dump, if so.
    pub(crate) fn objection(self, options: &Options) -> Option<Message> {
        let Options { chip, style, mode, .. } = options;
        let is_static = *style == Style::Bmodel;
        let has_tpu_kernel = matches!(chip.family, Family::Aks);
        let id = match self {
            Self::Plain => return None,
            Self::Tpudnn | Self::ModelRuntime if !has_tpu_kernel => "problem-writer-aks",
            Self::Libsophon if has_tpu_kernel => "problem-writer-cv84x6",
            Self::Libsophon if *style == Style::Graph => "problem-writer-streams",
            Self::Tpudnn if is_static => "problem-writer-no-static",
            Self::ModelRuntime if !is_static => "problem-writer-static",
            Self::ModelRuntime if options.ports > 0 => "problem-writer-port",
            _ if self.is_container(chip) && !is_static => "problem-writer-bm1688",
            _ if self.is_container(chip) && *mode > 0 => "problem-writer-bm1688-mode",
            _ if !self.is_container(chip) && options.cores != chip.core_num => {
                "problem-writer-idle"
            }
            _ => return None,
        };
        Some(Message::new(id).with("writer", self.name()))
    }

    /// Whether the dump is libsophon's container (section 1.2).
    pub(crate) fn is_container(self, chip: &Chip) -> bool {
        self == Self::Libsophon && chip.family == Family::Bm1688
    }

    /// Whether the firmware lets all cores meet before anything else.
    pub(crate) fn has_barrier(self) -> bool {
        matches!(self, Self::Tpudnn | Self::ModelRuntime)
    }

    /// Whether a static model's groups end with end commands and are in one block, with the runtime's copies around
    /// them.
    pub(crate) fn has_groups(self) -> bool {
        self != Self::Plain
    }

    /// Whether the SDMA is used.
    pub(crate) fn has_sdma(self) -> bool {
        self != Self::Libsophon
    }

    /// Whether the file of a core that ran nothing is empty.
    pub(crate) fn leaves_idle_cores_empty(self) -> bool {
        self == Self::Libsophon
    }

    /// Whether a port's file is named by its port alone.
    pub(crate) fn has_plain_port_names(self) -> bool {
        self == Self::Tpudnn
    }
}
