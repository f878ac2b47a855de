//! Fields of a kind's commands: what all of them share, and where the rest is read.

use bigtpu_chip::{Command, Field as RegisterField, Pmu, Slot};
use bigtpu_measure::{Addresses, TrackCommand, Transfer, percent, quotient};

use super::RecordValue;

/// A field of a kind's commands.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// All of them have this value.
    Shared(RecordValue<'a>),
    /// Each has its own.
    Varies(Varying),
}

/// A key and its cell.
pub type CellField<'a> = (&'static str, Cell<'a>);

pub(super) type Cells<'a> = Vec<CellField<'a>>;

/// A value that commands of a kind have in common.
pub(super) fn shared<'a>(value: impl Into<RecordValue<'a>>) -> Cell<'a> {
    Cell::Shared(value.into())
}

/// A value that commands of a kind do not share, by where it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Varying {
    /// Start in ns.
    Start,
    /// End in ns.
    End,
    /// `Cmd Id`.
    Id,
    /// Cycles of the engine's clock.
    Cycles,
    /// A field of the full bits.
    Register(RegisterField),
    /// Bits of a field of the full bits: the field, the first of the bits, and a mask for those from there on.
    Slot(Slot, u8, u64),
    /// Where a transfer reads from.
    Source,
    /// Where a transfer writes to.
    Destination,
    /// `Stall Cycle` of a transfer.
    Stalls,
    /// Bytes of a transfer.
    Bytes,
    /// Bytes of its global side.
    GlobalBytes,
    /// Transactions of its global side.
    GlobalTransactions,
    /// Bytes of its local side.
    LocalBytes,
    /// Transactions of its local side.
    LocalTransactions,
    /// `DDR Bandwidth(GB/s)`.
    DdrGbps,
    /// `L2M Bandwidth(GB/s)`.
    L2Gbps,
    /// Bandwidth of its global side, in GB/s.
    GlobalGbps,
    /// Bandwidth of its local side, in GB/s.
    LocalGbps,
    /// Which of a DMA engine's threads ran it (CV84X6).
    DmaThread,
    /// `AR Latency Cycle` (CV84X6).
    Latency,
    /// Which of the TIU's threads ran it.
    TiuThread,
    /// `Bank Conflict Cycle`.
    Conflicts,
    /// Share of initial cycles, as a text.
    InitialShare,
    /// Share of cycles lost to bank conflicts, as a text: with full bits, and of commands that are known by their words.
    ConflictShare,
    /// See [`Varying::ConflictShare`].
    ConflictQuotient,
}

const NO_ADDRESSES: Addresses = Addresses { source: 0, destination: 0 };

/// The values of a command that others of its kind do not share, each read when it is asked for.
pub struct OwnValues<'c, 'a, 'd> {
    command: &'c TrackCommand<'a, 'd>,
    bits: Option<Command<'d>>,
    transfer: Option<Transfer>,
    addresses: Option<Addresses>,
}

impl<'c, 'a, 'd> OwnValues<'c, 'a, 'd> {
    /// Values of a command.
    #[must_use]
    pub fn new(command: &'c TrackCommand<'a, 'd>) -> Self {
        Self { command, bits: command.bits(), transfer: None, addresses: None }
    }

    /// One of the values.
    pub fn get(&mut self, varying: Varying) -> RecordValue<'static> {
        let command = self.command;
        match varying {
            Varying::Start => command.start().into(),
            Varying::End => command.end().into(),
            Varying::Id => command.id().into(),
            Varying::Cycles => command.cycles().into(),
            Varying::Register(field) => self.bits.map_or(0, |bits| field.value(bits.bits)).into(),
            Varying::Slot(slot, first, mask) => {
                self.bits.map_or(0, |bits| bits.get(slot) >> first & mask).into()
            }
            Varying::Source => self.addresses().source.into(),
            Varying::Destination => self.addresses().destination.into(),
            Varying::Stalls => self.transfer().traffic.stall_cycles.into(),
            Varying::Bytes => self.transfer().traffic.bytes.into(),
            Varying::GlobalBytes => self.transfer().traffic.global.bytes.into(),
            Varying::GlobalTransactions => self.transfer().traffic.global.transactions.into(),
            Varying::LocalBytes => self.transfer().traffic.local.bytes.into(),
            Varying::LocalTransactions => self.transfer().traffic.local.transactions.into(),
            Varying::DdrGbps => self.transfer().ddr_gbps().into(),
            Varying::L2Gbps => self.transfer().l2_gbps().into(),
            Varying::GlobalGbps => RecordValue::Float(self.side_gbps().0),
            Varying::LocalGbps => RecordValue::Float(self.side_gbps().1),
            Varying::DmaThread => (self.latency() & 1).into(),
            Varying::Latency => (self.latency() >> 1 & 0x7_ffff).into(),
            Varying::TiuThread => command.tiu_thread().into(),
            Varying::Conflicts => command.stall_cycles().into(),
            Varying::InitialShare => self.share(command.kind.cost.initial_cycles.into()).into(),
            Varying::ConflictShare => self.share(command.stall_cycles()).into(),
            Varying::ConflictQuotient => {
                let (conflicts, cycles) = (command.stall_cycles(), command.cycles());
                percent(quotient(i128::from(conflicts), i128::from(cycles)), 1).into()
            }
        }
    }

    /// Where a transfer reads and writes, computed once.
    fn addresses(&mut self) -> &Addresses {
        self.addresses.get_or_insert_with(|| {
            let family = self.command.all.profile.chip.family;
            self.bits.map_or(NO_ADDRESSES, |bits| Addresses::read(family, &bits))
        })
    }

    /// Bytes, transactions and bandwidths, computed once.
    fn transfer(&mut self) -> &Transfer {
        self.transfer.get_or_insert_with(|| self.command.transfer())
    }

    /// Bandwidths of the global and the local side, in GB/s.
    fn side_gbps(&mut self) -> (f64, f64) {
        let family = self.command.all.profile.chip.family;
        self.transfer().side_gbps(family)
    }

    /// The word with thread and latency.
    fn latency(&self) -> u32 {
        let TrackCommand { all, index, .. } = self.command;
        match all.profile.pmu(all.track, *index) {
            Some(Pmu::Cv84x6(record)) => record.latency.get(),
            _ => 0,
        }
    }

    /// A share of all cycles in percent. The small summand is in the reference's formula: no cycles give no division by 0.
    fn share(&self, cycles: u64) -> String {
        percent(cycles as f64 / (self.command.cycles() as f64 + 0.0001), 1)
    }
}
