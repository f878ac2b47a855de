//! A TIU event's record.

use bigtpu_chip::{Family, Slot};
use bigtpu_timeline::{Binding, Profile, Track};

use super::{Field, Fields, Record, Times};
use crate::tiu::{SEND, TiuView, WAIT, tiu};
use bigtpu_measure::{percent, quotient};

pub(super) fn tiu_record<'a>(profile: &'a Profile<'_>, track: &Track<'a>, i: usize) -> Record<'a> {
    let view = tiu(profile, track, i);
    let times = Times::of(track, i);
    let info = match (&view.command, profile.chip.family) {
        (None, Family::Cv84x6) => tiu_condensed_cv84x6(&view, &times),
        (None, _) => tiu_condensed(&view, &times),
        (Some(_), family) => tiu_full(&view, &times, family),
    };
    let (registers, after) = tiu_registers(profile, track, i, &view);
    Record {
        info,
        meta: Vec::new(),
        registers,
        prefixed: view.command.is_some(),
        after,
        function_type: view.function_type,
    }
}

fn tiu_head<'a>(times: &Times) -> [Field<'a>; 5] {
    [
        ("Start Time(ns)", times.start.into()),
        ("End Time(ns)", times.end.into()),
        ("Cmd Id", times.command.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Engine Id", 0u8.into()),
    ]
}

fn tiu_full<'a>(view: &TiuView<'a>, times: &Times, family: Family) -> Vec<Field<'a>> {
    let rate = percent(view.uarch_rate(), 1);
    let mut info: Vec<Field<'a>> = Vec::with_capacity(18);
    info.push(("Function Name", view.function_name.into()));
    info.push(("Function Type", view.function_type.into()));
    info.extend(tiu_head(times));
    info.push(("Alg Ops", view.cost.alg_ops.into()));
    info.push(("uArch Ops", view.cost.uarch_ops.into()));
    if family == Family::Aks {
        info.push(("uArch Rate", rate.into()));
        info.push(("Alg Cycle", view.cost.alg_cycles.into()));
        return info;
    }
    let share = |cycles: u32| percent(f64::from(cycles) / (times.cycles as f64 + 0.0001), 1);
    info.push(("Alg Cycle", view.cost.alg_cycles.into()));
    info.push(("uArch Rate", rate.into()));
    info.push(("Initial Cycle Ratio", share(view.cost.initial_cycles).into()));
    if family == Family::Cv84x6 {
        info.push(("Bank Conflict Cycle", view.bank_conflict_cycles.into()));
    }
    info.push(("Bank Conflict Ratio", share(view.bank_conflict_cycles).into()));
    if family == Family::Cv84x6 {
        info.push(("Thread Id", view.thread_id.into()));
    }
    info.push(("Sim Power(W)", 0u8.into()));
    info
}

fn tiu_condensed<'a>(view: &TiuView<'a>, times: &Times) -> Vec<Field<'a>> {
    let mut info: Vec<Field<'a>> = vec![
        ("Function Type", view.function_type.into()),
        ("Function Name", view.function_name.into()),
    ];
    info.extend(tiu_head(times));
    info.extend(tiu_unit(view));
    info
}

fn tiu_unit<'a>(view: &TiuView<'a>) -> [Field<'a>; 4] {
    [
        ("Alg Ops", view.cost.alg_ops.into()),
        ("uArch Ops", view.cost.uarch_ops.into()),
        ("Alg Cycle", view.cost.alg_cycles.into()),
        ("uArch Rate", "0.0%".into()),
    ]
}

fn tiu_condensed_cv84x6<'a>(view: &TiuView<'a>, times: &Times) -> Vec<Field<'a>> {
    let conflicts = view.bank_conflict_cycles;
    let share = quotient(i128::from(conflicts), i128::from(times.cycles));
    let [start, end, command, cycles, engine] = tiu_head(times);
    let mut info: Vec<Field<'a>> = vec![
        engine,
        start,
        end,
        command,
        cycles,
        ("Function Type", view.function_type.into()),
        ("Function Name", view.function_name.into()),
        ("Bank Conflict Cycle", conflicts.into()),
        ("Bank Conflict Ratio", percent(share, 1).into()),
        ("Thread Id", view.thread_id.into()),
    ];
    info.extend(tiu_unit(view));
    info.push(("Sim Power(W)", 0u8.into()));
    info
}

fn tiu_registers<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &TiuView<'a>,
) -> (Fields<'a>, Fields<'a>) {
    if let Some(command) = view.command {
        let fields = command.register.fields.iter();
        let fields = fields.map(|f| (f.name, f.value(command.bits).into())).collect();
        let mut after = Vec::new();
        if profile.chip.family != Family::Aks {
            let (message, count) = match (view.task == profile.chip.system.tiu, view.sub) {
                (true, SEND | WAIT) => {
                    let imm = command.get(Slot::Imm);
                    (imm & 0x7f, imm >> 16 & 7)
                }
                _ => (0, 0),
            };
            after.push(("Msg Id", message.into()));
            after.push(("Sd\\Wt Count", count.into()));
        }
        return (fields, after);
    }
    let word = view.word;
    let mut registers: Fields<'a> = vec![
        ("type", word.kind_number().into()),
        ("engine", word.engine().into()),
        ("des_tsk_typ", word.task().into()),
        ("des_tsk_eu_typ", word.sub().into()),
    ];
    if let (Some(Binding::Wrap), Some(wrap)) = (track.events.binding.get(i), profile.chip.wrap) {
        registers.push(("inst_id", wrap.at.into()));
    }
    registers.push(("extra_info", u32::from(word.info()).into()));
    let generator_indices = view.is_rvt && profile.chip.names.has_rvt();
    if view.function_type != "sys" && !generator_indices {
        registers.push(("des_opt_res0_prec", u32::from(word.info() & 0x7f).into()));
    }
    (registers, Vec::new())
}
