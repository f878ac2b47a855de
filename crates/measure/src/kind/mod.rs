//! Kinds: what equal commands have in common.

pub(crate) mod dma;
mod shape;
pub(crate) mod tiu;

use std::borrow::Cow;

use bigtpu_chip::{Chip, Command, Direction, Engine, Family, Memory, OpCode, TiuCost};
use bigtpu_command_cost::CommandCost;
use bigtpu_format::Word;
use bigtpu_timeline::Binding;

use crate::activity::Activity;
use crate::number::quotient;

/// What commands of a kind have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandKind {
    /// The engine.
    pub engine: Engine,
    /// How its commands are known; [`Binding::Bits`] wherever their full bits are.
    pub binding: Binding,
    /// Operation and variant, where the full bits are known.
    pub code: Option<OpCode>,
    /// The dispatch word as the texts print it; of no meaning where the full bits are known.
    pub word: Word,
    /// Work, send, wait or another system command.
    pub activity: Activity,
    /// `Function Type` of the register texts: the operation's name, or the condensed type.
    pub function_type: &'static str,
    /// `Function Name` of the register texts: the variant's name.
    pub function_name: Cow<'static, str>,
    /// Type: `des_tsk_typ` of the TIU, `cmd_type` of the others. A generator index for RVT nodes of chips that have
    /// such.
    pub task: u8,
    /// Sub-type: `des_tsk_eu_typ` of the TIU, `cmd_special_function` of the others.
    pub function: u8,
    /// Data type of the first operand, and ` -> ` that of the result where it differs; of the source for DMA.
    /// Empty where it is not known, and for system commands.
    pub data_type: String,
    /// Sizes of the result, and of what is multiplied with where there is such, as `1x64x56x56 * 64x3x3`; of the
    /// source for DMA. Empty where they are not known, and for system commands.
    pub shape: String,
    /// TIU: operations and ideal cycles, as the register texts show them: a command known by type only counts as one
    /// operation. See [`CommandKind::work`].
    pub cost: TiuCost,
    /// DMA: where from and where to.
    pub transfer: Option<TransferKind>,
    /// Whether its commands have `cmd_id_dep`.
    pub has_dependence: bool,
    /// What its commands take by their bits alone; `None` without full bits, and for system commands.
    pub expected: Option<Box<CommandCost>>,
}

/// What transfers of a kind have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferKind {
    /// `Direction`.
    pub direction: Direction,
    /// `from_addr` and `to_addr`: they differ from the direction for CDMA commands known by type.
    pub sides: Direction,
    /// `src_data_format`; `None` where the command has none.
    pub data_format: Option<u8>,
    /// `Data Type`, also of system commands.
    pub data_type: &'static str,
    /// How often the record's counters count each byte that is moved, see `TransferKind::counts`.
    pub counts: u8,
}

impl TransferKind {
    /// How often the record's counters count each byte that is moved. Most count what is written; BM1688's full bits count
    /// both sides of the busier memory, and by type only all addresses, writes and reads (`docs/format.md`, section 5).
    pub(crate) fn counts(chip: &Chip, full: bool, direction: Direction) -> u8 {
        let is_within = direction.from == direction.to;
        match (chip.counts_read_and_written(), full) {
            (true, true) if is_within => 2,
            (true, false) => 3,
            _ => 1,
        }
    }
}

impl CommandKind {
    /// ns that its commands take by their bits, as durations count: to the start of the last cycle. `mhz`: the engine's clock.
    #[must_use]
    pub fn expected_ns(&self, mhz: f64) -> Option<f64> {
        let cost = self.expected.as_ref()?;
        Some((cost.total() - 1000).max(0) as f64 / mhz.max(1.0))
    }

    /// Whether its commands' full bits are known.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.code.is_some()
    }

    /// Whether the operations of its commands are known: of TIU work with full bits.
    #[must_use]
    #[inline]
    pub fn counts_operations(&self) -> bool {
        self.engine == Engine::Tiu && self.activity.is_work() && self.is_full()
    }

    /// Whether its commands are known: dispatched words or bits name them, and not only what the record shows.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        !matches!(self.binding, Binding::None | Binding::Send | Binding::Wait)
    }

    /// Whether the register texts name its function type as that of system commands. bigTpuProfile decides by this
    /// name what shows neither a rate nor a transfer; for commands of an RVT front end it says more than the activity.
    #[must_use]
    pub fn is_named_system(&self) -> bool {
        matches!(self.function_type, "sys" | "SYS")
    }

    /// Dispatched by an RVT front end.
    #[must_use]
    pub fn is_rvt(&self) -> bool {
        self.binding == Binding::Rvt
    }

    /// Operations and ideal cycles where they are known: of work with full bits; else 0.
    #[must_use]
    #[inline]
    pub fn work(&self) -> TiuCost {
        if self.is_full() && self.activity.is_work() { self.cost } else { TiuCost::default() }
    }

    /// Cycles of an ideal run as bigTpuProfile counts them: of TIU work with full bits, on chips for which it has a formula.
    #[must_use]
    pub fn ideal_cycles(&self) -> Option<i128> {
        let is_work = self.engine == Engine::Tiu && self.activity.is_work() && self.is_full();
        // A command with operations has cycles.
        let has_formula = self.cost.alg_cycles != 0 || self.cost.alg_ops == 0;
        (is_work && has_formula).then_some(self.cost.alg_cycles)
    }

    /// Bytes that transfers of this kind move, whose records count `bytes`.
    #[must_use]
    pub fn moved_bytes(&self, bytes: u64) -> u64 {
        bytes / self.transfer.map_or(1, |transfer| u64::from(transfer.counts.max(1)))
    }

    /// Bytes that transfers of this kind read from DDR and write to it, whose records count `bytes`.
    #[must_use]
    pub fn ddr_traffic(&self, bytes: u64) -> (u64, u64) {
        let Some(Direction { from, to }) = self.direction() else { return (0, 0) };
        let moved = self.moved_bytes(bytes);
        let is_fill = || {
            let transfer = self.expected.as_ref().and_then(|cost| cost.transfer);
            transfer.is_some_and(|transfer| transfer.kind.from.is_none())
        };
        match (from == Memory::Ddr, to == Memory::Ddr) {
            // A constant is written and nothing is read.
            (true, to_ddr) if is_fill() => (0, u64::from(to_ddr) * bytes),
            // Known by type only, it may be no copy: that it moves its bytes twice is not certain.
            (true, true) if !self.is_full() && moved == bytes => (moved / 2, moved - moved / 2),
            (reads, writes) => (u64::from(reads) * moved, u64::from(writes) * moved),
        }
    }

    /// Where a transfer's data come from and go to; `None` for the TIU and for system commands.
    #[must_use]
    #[inline]
    pub fn direction(&self) -> Option<Direction> {
        self.transfer.filter(|_| self.activity.is_work()).map(|t| t.direction)
    }

    /// Operations of the algorithm over padded ones; 0 for a command known by type only.
    #[must_use]
    pub fn uarch_rate(&self, family: Family) -> f64 {
        // Padded operations of 0 or less come from shapes with a size of 0; the families disagree on what that means.
        let padded = match family {
            Family::Aks => self.cost.uarch_ops,
            Family::Bm1684x | Family::Bm1688 | Family::Cv184x | Family::Cv84x6 => {
                self.cost.uarch_ops.max(1)
            }
        };
        if self.is_full() { quotient(self.cost.alg_ops, padded) } else { 0.0 }
    }

    /// The kind of a command with full bits.
    pub(crate) fn of_command(chip: &'static Chip, engine: Engine, command: &Command<'_>) -> Self {
        match engine {
            Engine::Tiu => tiu::of_command(chip, command),
            Engine::Gdma | Engine::Sdma | Engine::Cdma => dma::of_command(chip, engine, command),
        }
    }

    /// The kind of a record whose command is known by its word, or not at all.
    pub(crate) fn of_word(
        chip: &'static Chip,
        engine: Engine,
        binding: Binding,
        word: Word,
    ) -> Self {
        match engine {
            Engine::Tiu => tiu::of_word(chip, binding, word),
            Engine::Gdma | Engine::Sdma | Engine::Cdma => dma::of_word(chip, engine, binding, word),
        }
    }
}

/// Type of a record that no command explains.
const NO_TYPE: u8 = 31;

/// The word that the texts print for a record.
fn shown_word(binding: Binding, word: Word, system: u8, send: u8, wait: u8) -> Word {
    match binding {
        Binding::Send => Word::new(0, 0, system, send, 0),
        Binding::Wait => Word::new(0, 0, system, wait, 0),
        Binding::Word | Binding::Rvt | Binding::Wrap => word,
        _ => Word::new(0, 0, NO_TYPE, 0, 0),
    }
}

/// The variant index of an RVT node: the sub-type and 11 bits of info.
fn rvt_variant(word: Word) -> u32 {
    u32::from(word.sub()) | u32::from(word.info() & 0x7ff) << 5
}
