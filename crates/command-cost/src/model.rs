//! A chip's constants, ready for use.

use bigtpu_chip::{
    Checked, Chip, Command, ConstantSource, Direction, DmaTiming, Engine, Grade, Op, Pauses, Slot,
    TiuFamily, TiuTiming, TransferTiming,
};

use crate::cost::CommandCost;
use crate::mark::Mark;
use crate::part::TimePart;
use crate::tiu;
use crate::transfer::{self, MemoryRoute};
use crate::window::Windows;

/// A chip's constants: those that are compiled in, or others that a user measured.
#[derive(Debug, Clone)]
pub struct CostModel {
    /// The chip.
    pub chip: &'static Chip,
    /// Constants of the TIU.
    pub tiu: TiuTiming,
    /// Constants of the DMA engines; those of the kinds of transfers are in `transfers`.
    pub dma: DmaTiming,
    /// Between commands.
    pub pauses: Pauses,
    /// The kinds of transfers.
    pub transfers: TransferConstants,
    /// Operations that were compared with hardware.
    pub checked: Vec<Checked>,
}

/// Constants of the kinds of transfers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransferConstants(pub Vec<TransferTiming>);

impl TransferConstants {
    /// Constants of a kind of transfers.
    #[must_use]
    pub fn get(&self, kind: MemoryRoute) -> Option<&TransferTiming> {
        self.0.iter().find(|known| known.from == kind.from && known.to == kind.to)
    }
}

impl CostModel {
    /// The constants that are compiled in.
    #[must_use]
    pub fn compiled_in(chip: &'static Chip) -> Self {
        let timing = &chip.timing;
        Self {
            chip,
            tiu: timing.tiu,
            dma: timing.dma,
            pauses: timing.pauses,
            transfers: TransferConstants(timing.dma.transfers.to_vec()),
            checked: timing.checked.to_vec(),
        }
    }

    /// What a command of an engine takes. `windows` keeps what was counted before.
    #[must_use]
    pub fn cost(
        &self,
        engine: Engine,
        command: &Command<'_>,
        windows: &mut Windows,
    ) -> CommandCost {
        match engine {
            Engine::Tiu => tiu::cost(self, command, windows),
            Engine::Gdma => transfer::cost(self, command),
            // No dump of hardware has transfers of these engines.
            Engine::Sdma => transfer::cost(self, command).at_most(Mark::Estimated),
            Engine::Cdma => transfer::cost(self, command).at_most(Mark::NotValidated),
        }
    }

    /// All that addresses change in what a command takes, below 2^15: commands that are equal but for addresses, ids and
    /// messages, and have equal classes and directions, take the same time.
    #[must_use]
    pub fn address_class(&self, engine: Engine, command: &Command<'_>) -> u16 {
        match engine {
            Engine::Tiu => tiu::address_class(command),
            _ => self.transfer_class(command, Direction::of_command(self.chip, command)),
        }
    }

    /// What of an operation's addresses [`CostModel::address_class`] looks at besides the direction: bits of fields, by the
    /// fields' own numbering.
    #[must_use]
    pub fn address_bits(&self, engine: Engine, op: &Op) -> Vec<(Slot, u64)> {
        match engine {
            Engine::Tiu => tiu::address_bits(op),
            _ => transfer::address_bits(self, op),
        }
    }

    /// Returns [`CostModel::address_class`] of a command of a DMA engine, whose direction is known.
    #[must_use]
    #[inline]
    pub fn transfer_class(&self, command: &Command<'_>, direction: Direction) -> u16 {
        transfer::address_class(self, command, direction)
    }

    /// What a command takes whose bits are not known: as a system command.
    #[must_use]
    pub fn unknown_cost(&self, engine: Engine) -> CommandCost {
        let cycles = if engine == Engine::Tiu { 5 } else { self.dma.system_cycles.value };
        CommandCost::new(Mark::NotValidated).with(TimePart::StartUp, cycles.into())
    }

    /// What a first transfer from DDR takes instead of `cost`.
    #[must_use]
    pub fn first_from_ddr(&self, mut cost: CommandCost) -> CommandCost {
        let more = i128::from(self.dma.first_from_ddr_milli.value) - 1000;
        let more = i128::from(cost.data()) * more / 1000;
        cost.parts.add(TimePart::First, i64::try_from(more).unwrap_or(i64::MAX));
        cost
    }

    /// How well a rule of a TIU command is known. `data_type`: code of its first operand, or of its result.
    pub(crate) fn mark(&self, command: &Command<'_>, data_type: u8) -> Mark {
        let is_same = |checked: &&Checked| {
            checked.task == command.op.task()
                && checked.variant == command.variant
                && checked.data_type.is_none_or(|code| code == data_type)
        };
        match self.checked.iter().find(is_same).map(|checked| checked.grade) {
            Some(Grade::Exact) => Mark::Exact,
            Some(Grade::Fitted) => Mark::Fitted,
            None => Mark::Estimated,
        }
    }

    /// Whether the chip's transfers were measured.
    pub(crate) fn is_measured(timing: &TransferTiming) -> bool {
        timing.rate_milli.source == ConstantSource::Measured
    }

    /// Whether a TIU command neither computes nor moves data.
    pub(crate) fn is_system(command: &Command<'_>) -> bool {
        command.op.family == TiuFamily::Sys
    }
}
