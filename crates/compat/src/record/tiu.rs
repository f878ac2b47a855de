//! A TIU event's record.

use bigtpu_chip::{Command, Engine, Family, Mask, Slot};
use bigtpu_measure::{CommandKind, TrackCommand, percent};
use bigtpu_timeline::Binding;

use super::cell::{Cell, CellField, Cells, Varying, shared};
use super::layout::{RecordLayout, register_cells};
use crate::codes::{TIU_SEND, TIU_WAIT};

pub(super) fn layout<'a>(command: &TrackCommand<'a, '_>, mask: Option<&Mask>) -> RecordLayout<'a> {
    let kind = command.kind;
    let (registers, after) = match command.bits() {
        Some(bits) => (register_cells(&bits, mask), cells_after_bits(command, &bits)),
        None => (word(command), Vec::new()),
    };
    let (prefixed, function_type) = (kind.is_full(), kind.function_type);
    RecordLayout { info: info(command), registers, prefixed, after, function_type }
}

/// What it is, when, and what it did.
fn info<'a>(command: &TrackCommand<'a, '_>) -> Cells<'a> {
    let kind = command.kind;
    match (kind.is_full(), command.all.profile.chip.family) {
        (false, Family::Cv184x | Family::Cv84x6) => condensed_cv84x6(kind),
        (false, _) => condensed(kind),
        (true, family) => full(command, family),
    }
}

/// Keys behind the fields of full bits.
fn cells_after_bits<'a>(command: &TrackCommand<'_, '_>, bits: &Command<'_>) -> Cells<'a> {
    let (kind, chip) = (command.kind, command.all.profile.chip);
    if chip.family == Family::Aks {
        return Vec::new();
    }
    let (message, count) = match (chip.is_system(Engine::Tiu, kind.task), kind.function) {
        (true, TIU_SEND | TIU_WAIT) if bits.register.has(Slot::Imm) => {
            (Varying::Slot(Slot::Imm, 0, 0x7f), Varying::Slot(Slot::Imm, 16, 7))
        }
        _ => return vec![("Msg Id", shared(0_u8)), ("Sd\\Wt Count", shared(0_u8))],
    };
    vec![("Msg Id", Cell::Varies(message)), ("Sd\\Wt Count", Cell::Varies(count))]
}

fn head<'a>() -> [CellField<'a>; 5] {
    [
        ("Start Time(ns)", Cell::Varies(Varying::Start)),
        ("End Time(ns)", Cell::Varies(Varying::End)),
        ("Cmd Id", Cell::Varies(Varying::Id)),
        ("Asic Cycle", Cell::Varies(Varying::Cycles)),
        ("Engine Id", shared(0_u8)),
    ]
}

fn names<'a>(kind: &'a CommandKind) -> [CellField<'a>; 2] {
    [
        ("Function Type", shared(kind.function_type)),
        ("Function Name", shared(kind.function_name.as_ref())),
    ]
}

fn full<'a>(command: &TrackCommand<'a, '_>, family: Family) -> Cells<'a> {
    let kind = command.kind;
    let rate = shared(percent(kind.uarch_rate(family), 1));
    let mut info: Cells<'a> = Vec::with_capacity(18);
    let [function_type, function_name] = names(kind);
    info.extend([function_name, function_type]);
    info.extend(head());
    info.push(("Alg Ops", shared(kind.cost.alg_ops)));
    info.push(("uArch Ops", shared(kind.cost.uarch_ops)));
    if family == Family::Aks {
        info.push(("uArch Rate", rate));
        info.push(("Alg Cycle", shared(kind.cost.alg_cycles)));
        return info;
    }
    info.push(("Alg Cycle", shared(kind.cost.alg_cycles)));
    info.push(("uArch Rate", rate));
    info.push(("Initial Cycle Ratio", Cell::Varies(Varying::InitialShare)));
    let is_counted = command.all.profile.chip.counts_bank_conflicts();
    if is_counted {
        info.push(("Bank Conflict Cycle", Cell::Varies(Varying::Conflicts)));
    }
    info.push(("Bank Conflict Ratio", Cell::Varies(Varying::ConflictShare)));
    if is_counted {
        info.push(("Thread Id", Cell::Varies(Varying::TiuThread)));
    }
    info.push(("Sim Power(W)", shared(0_u8)));
    info
}

fn condensed<'a>(kind: &'a CommandKind) -> Cells<'a> {
    let mut info: Cells<'a> = names(kind).into();
    info.extend(head());
    info.extend(unit(kind));
    info
}

fn unit<'a>(kind: &CommandKind) -> [CellField<'a>; 4] {
    [
        ("Alg Ops", shared(kind.cost.alg_ops)),
        ("uArch Ops", shared(kind.cost.uarch_ops)),
        ("Alg Cycle", shared(kind.cost.alg_cycles)),
        ("uArch Rate", shared("0.0%")),
    ]
}

fn condensed_cv84x6<'a>(kind: &'a CommandKind) -> Cells<'a> {
    let [start, end, id, cycles, engine] = head();
    let mut info: Cells<'a> = vec![engine, start, end, id, cycles];
    info.extend(names(kind));
    info.extend([
        ("Bank Conflict Cycle", Cell::Varies(Varying::Conflicts)),
        ("Bank Conflict Ratio", Cell::Varies(Varying::ConflictQuotient)),
        ("Thread Id", Cell::Varies(Varying::TiuThread)),
    ]);
    info.extend(unit(kind));
    info.push(("Sim Power(W)", shared(0_u8)));
    info
}

/// The registers of a command that is known by its word.
fn word<'a>(command: &TrackCommand<'_, '_>) -> Cells<'a> {
    let (kind, chip) = (command.kind, command.all.profile.chip);
    let word = kind.word;
    let mut registers: Cells<'a> = vec![
        ("type", shared(word.kind_number())),
        ("engine", shared(word.engine())),
        ("des_tsk_typ", shared(word.task())),
        ("des_tsk_eu_typ", shared(word.sub())),
    ];
    if let (Binding::Wrap, Some(wrap)) = (kind.binding, chip.wrap) {
        registers.push(("inst_id", shared(wrap.at)));
    }
    registers.push(("extra_info", shared(u32::from(word.info()))));
    let generator_indices = kind.is_rvt() && chip.names.has_rvt();
    if kind.function_type != "sys" && !generator_indices {
        registers.push(("des_opt_res0_prec", shared(u32::from(word.info() & 0x7f))));
    }
    registers
}
