//! What a TIU event is.

use bigtpu_chip::{Command, Family, Slot, TiuCost};
use bigtpu_format::Word;
use bigtpu_timeline::{Binding, Profile, Track};

use bigtpu_measure::quotient;

/// Type of a record that no command explains.
pub(crate) const NO_TYPE: u8 = 31;

/// Send and wait among the TIU's system commands.
pub(crate) const SEND: u8 = 8;
pub(crate) const WAIT: u8 = 9;

/// A TIU event, described.
#[derive(Debug, Clone, Copy)]
pub struct TiuView<'d> {
    /// `Function Type`: the operation's name, or the condensed type.
    pub function_type: &'d str,
    /// `Function Name`: the variant's name.
    pub function_name: &'d str,
    /// Work and ideal time.
    pub cost: TiuCost,
    /// The command's full bits, if known.
    pub command: Option<Command<'d>>,
    /// The DYN_DATA word as the texts print it; of no meaning where `command` is known.
    pub word: Word,
    /// `des_tsk_typ`.
    pub task: u8,
    /// `des_tsk_eu_typ`.
    pub sub: u8,
    /// Dispatched by the RVT front end.
    pub is_rvt: bool,
    /// Cycles lost to bank conflicts: from the PMU on CV84X6, else estimated.
    pub bank_conflict_cycles: u32,
    /// Thread id (CV84X6).
    pub thread_id: u32,
    /// The chip's family.
    pub family: Family,
}

impl TiuView<'_> {
    /// Algorithm operations over padded ones; 0 for a command known by type only.
    #[must_use]
    pub fn uarch_rate(&self) -> f64 {
        match self.command {
            None => 0.0,
            // Padded operations of 0 or less come from shapes with a size of 0; the families
            // disagree on what that means.
            Some(_) if self.family == Family::Aks => {
                quotient(self.cost.alg_ops, self.cost.uarch_ops)
            }
            Some(_) => quotient(self.cost.alg_ops, self.cost.uarch_ops.max(1)),
        }
    }

    /// Whether the type is that of system commands. Generator indices of RVT commands never are.
    #[must_use]
    pub fn is_system(&self, profile: &Profile<'_>) -> bool {
        self.task == profile.chip.system.tiu && !self.is_rvt
    }
}

/// Describes event `i` of a TIU track.
#[must_use]
pub fn tiu<'d>(profile: &Profile<'d>, track: &Track<'d>, i: usize) -> TiuView<'d> {
    let chip = profile.chip;
    let binding = track.events.binding.get(i).copied().unwrap_or(Binding::None);
    let flags = track.events.record.get(i).and_then(|&r| track.monitor.tiu_flags(r)).unwrap_or(0);
    let is_cv = chip.family == Family::Cv84x6;
    let (pmu_conflicts, thread_id) = if is_cv { (flags >> 1, flags & 1) } else { (0, 0) };
    if let Some(command) = profile.command(track, i) {
        let cost = TiuCost::of(chip, &command);
        return TiuView {
            function_type: command.op.name,
            function_name: command.variant_name(),
            cost,
            command: Some(command),
            word: Word(0),
            task: command.get(Slot::Task) as u8,
            sub: command.get(Slot::SubTask) as u8,
            is_rvt: false,
            bank_conflict_cycles: if is_cv { pmu_conflicts } else { cost.bank_conflict_cycles },
            thread_id,
            family: chip.family,
        };
    }
    let word = match binding {
        Binding::Send => Word::new(0, 0, chip.system.tiu, SEND, 0),
        Binding::Wait => Word::new(0, 0, chip.system.tiu, WAIT, 0),
        Binding::Word | Binding::Rvt | Binding::Wrap => {
            track.events.word.get(i).copied().unwrap_or_default()
        }
        _ => Word::new(0, 0, NO_TYPE, 0, 0),
    };
    let is_rvt = binding == Binding::Rvt;
    let (function_type, function_name) = if is_rvt && chip.names.has_rvt() {
        chip.names.rvt(word.task(), rvt_variant(word))
    } else {
        chip.names.tiu(word.task(), word.sub())
    };
    TiuView {
        function_type,
        function_name,
        cost: TiuCost::UNIT,
        command: None,
        word,
        task: word.task(),
        sub: word.sub(),
        is_rvt,
        bank_conflict_cycles: pmu_conflicts,
        thread_id,
        family: chip.family,
    }
}

/// The variant index of an RVT node: the sub-type and 11 bits of info.
pub(crate) fn rvt_variant(word: Word) -> u32 {
    u32::from(word.sub()) | u32::from(word.info() & 0x7ff) << 5
}
