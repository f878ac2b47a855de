//! A TIU event's record.

use bigtpu_chip::{Command, Engine, Family, Slot};
use bigtpu_measure::{Kind, TrackCommand, percent, quotient};
use bigtpu_timeline::Binding;

use super::{Field, Fields, Record, Times};
use crate::codes::{TIU_SEND, TIU_WAIT};

pub(super) fn tiu_record<'a>(command: &TrackCommand<'a, '_>) -> Record<'a> {
    let kind = command.kind;
    let (registers, after) = match command.bits() {
        Some(bits) => {
            let fields = bits.register.fields.iter();
            let fields = fields.map(|f| (f.name(), f.value(bits.bits).into())).collect();
            (fields, after(command, &bits))
        }
        None => (tiu_word(command), Vec::new()),
    };
    Record {
        info: info(command),
        meta: Vec::new(),
        registers,
        prefixed: kind.is_full(),
        after,
        function_type: kind.function_type,
    }
}

/// What it is, when, and what it did.
pub(super) fn info<'a>(command: &TrackCommand<'a, '_>) -> Fields<'a> {
    let times = Times::of(command);
    let kind = command.kind;
    match (kind.is_full(), command.all.profile.chip.family) {
        (false, Family::Cv184x | Family::Cv84x6) => tiu_condensed_cv84x6(command, &times),
        (false, _) => tiu_condensed(kind, &times),
        (true, family) => tiu_full(command, &times, family),
    }
}

/// Where the times are in the fields of a command with full bits.
pub(super) const TIMES: usize = 2;

/// Whether of all fields that are not read from the bits only the times differ between commands of a kind.
pub(super) fn has_times_alone(command: &TrackCommand<'_, '_>) -> bool {
    command.kind.is_full() && command.all.profile.chip.family == Family::Aks
}

/// Keys behind the fields of full bits.
pub(super) fn after<'a>(command: &TrackCommand<'a, '_>, bits: &Command<'_>) -> Fields<'a> {
    let (kind, chip) = (command.kind, command.all.profile.chip);
    if chip.family == Family::Aks {
        return Vec::new();
    }
    let (message, count) = match (chip.is_system(Engine::Tiu, kind.task), kind.function) {
        (true, TIU_SEND | TIU_WAIT) => {
            let imm = bits.get(Slot::Imm);
            (imm & 0x7f, imm >> 16 & 7)
        }
        _ => (0, 0),
    };
    vec![("Msg Id", message.into()), ("Sd\\Wt Count", count.into())]
}

fn tiu_head<'a>(times: &Times) -> [Field<'a>; 5] {
    let [start, end, command, cycles] = times.values();
    [
        ("Start Time(ns)", start),
        ("End Time(ns)", end),
        ("Cmd Id", command),
        ("Asic Cycle", cycles),
        ("Engine Id", 0u8.into()),
    ]
}

fn tiu_full<'a>(command: &TrackCommand<'a, '_>, times: &Times, family: Family) -> Vec<Field<'a>> {
    let kind = command.kind;
    let conflicts = command.stall_cycles();
    let rate = percent(kind.uarch_rate(family), 1);
    let mut info: Vec<Field<'a>> = Vec::with_capacity(18);
    info.push(("Function Name", kind.function_name.as_ref().into()));
    info.push(("Function Type", kind.function_type.into()));
    info.extend(tiu_head(times));
    info.push(("Alg Ops", kind.cost.alg_ops.into()));
    info.push(("uArch Ops", kind.cost.uarch_ops.into()));
    if family == Family::Aks {
        info.push(("uArch Rate", rate.into()));
        info.push(("Alg Cycle", kind.cost.alg_cycles.into()));
        return info;
    }
    let share = |cycles: u64| percent(cycles as f64 / (times.cycles as f64 + 0.0001), 1);
    info.push(("Alg Cycle", kind.cost.alg_cycles.into()));
    info.push(("uArch Rate", rate.into()));
    info.push(("Initial Cycle Ratio", share(kind.cost.initial_cycles.into()).into()));
    let is_counted = command.all.profile.chip.counts_bank_conflicts();
    if is_counted {
        info.push(("Bank Conflict Cycle", conflicts.into()));
    }
    info.push(("Bank Conflict Ratio", share(conflicts).into()));
    if is_counted {
        info.push(("Thread Id", command.tiu_thread().into()));
    }
    info.push(("Sim Power(W)", 0u8.into()));
    info
}

fn tiu_condensed<'a>(kind: &'a Kind, times: &Times) -> Vec<Field<'a>> {
    let mut info: Vec<Field<'a>> = vec![
        ("Function Type", kind.function_type.into()),
        ("Function Name", kind.function_name.as_ref().into()),
    ];
    info.extend(tiu_head(times));
    info.extend(tiu_unit(kind));
    info
}

fn tiu_unit<'a>(kind: &Kind) -> [Field<'a>; 4] {
    [
        ("Alg Ops", kind.cost.alg_ops.into()),
        ("uArch Ops", kind.cost.uarch_ops.into()),
        ("Alg Cycle", kind.cost.alg_cycles.into()),
        ("uArch Rate", "0.0%".into()),
    ]
}

fn tiu_condensed_cv84x6<'a>(command: &TrackCommand<'a, '_>, times: &Times) -> Vec<Field<'a>> {
    let kind = command.kind;
    let conflicts = command.stall_cycles();
    let share = quotient(i128::from(conflicts), i128::from(times.cycles));
    let [start, end, id, cycles, engine] = tiu_head(times);
    let mut info: Vec<Field<'a>> = vec![
        engine,
        start,
        end,
        id,
        cycles,
        ("Function Type", kind.function_type.into()),
        ("Function Name", kind.function_name.as_ref().into()),
        ("Bank Conflict Cycle", conflicts.into()),
        ("Bank Conflict Ratio", percent(share, 1).into()),
        ("Thread Id", command.tiu_thread().into()),
    ];
    info.extend(tiu_unit(kind));
    info.push(("Sim Power(W)", 0u8.into()));
    info
}

/// The registers of a command that is known by its word.
fn tiu_word<'a>(command: &TrackCommand<'a, '_>) -> Fields<'a> {
    let (kind, chip) = (command.kind, command.all.profile.chip);
    let word = kind.word;
    let mut registers: Fields<'a> = vec![
        ("type", word.kind_number().into()),
        ("engine", word.engine().into()),
        ("des_tsk_typ", word.task().into()),
        ("des_tsk_eu_typ", word.sub().into()),
    ];
    if let (Binding::Wrap, Some(wrap)) = (kind.binding, chip.wrap) {
        registers.push(("inst_id", wrap.at.into()));
    }
    registers.push(("extra_info", u32::from(word.info()).into()));
    let generator_indices = kind.is_rvt() && chip.names.has_rvt();
    if kind.function_type != "sys" && !generator_indices {
        registers.push(("des_opt_res0_prec", u32::from(word.info() & 0x7f).into()));
    }
    registers
}
