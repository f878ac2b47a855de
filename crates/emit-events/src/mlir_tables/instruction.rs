//! `instruction.csv`: a row for each command.

use bigtpu_chip::Engine;
use bigtpu_measure::{quotient, whole};
use bigtpu_output::{Csv, Text};

use super::registers::{COLUMNS, Fields, REGISTERS};
use super::share;
use crate::line::{Line, head};
use crate::row::Row;

/// The columns before those of [`REGISTERS`].
const BEFORE: [&str; 17] = [
    "EngineId",
    "Inst Function",
    "DMA data size(B)",
    "Direction",
    "Opd0 Dtype",
    "Res Dtype",
    "Layer ID",
    "Alg cycle",
    "1684x Cycle",
    "StartCycle",
    "EndCycle",
    "Inst ID",
    "Dep ID",
    "pmu_info",
    "Alg Ops",
    "uArch Ops",
    "uArch Rate",
];

/// Columns of our own behind them.
const BEHIND: [&str; 4] = ["Engine", "Core", "Layer", "Shape"];

pub(super) fn head_line() -> Text<Csv> {
    let registers = REGISTERS.get(..COLUMNS).unwrap_or_default();
    head(&[&BEFORE, registers, &BEHIND].concat())
}

pub(super) fn line(text: &mut Text<Csv>, row: &Row<'_>, fields: &Fields) {
    let (kind, engine) = (row.kind, row.engine_id().engine);
    let mhz = row.source.profile.clocks.mhz(engine);
    let cycle = |ns: i64| (ns as f64 * mhz / 1000.0).round() as i64;
    let (is_work, is_tiu) = (kind.activity.is_work(), engine == Engine::Tiu);
    let is_counted = is_work && is_tiu && kind.is_full();
    let (number, other) = match engine {
        Engine::Tiu => (0, Engine::Gdma),
        Engine::Gdma => (2, Engine::Tiu),
        Engine::Sdma => (3, Engine::Tiu),
        Engine::Cdma => (4, Engine::Tiu),
    };
    let types = kind.data_type.split_once(" -> ");
    let (from, to) = types.unwrap_or((&kind.data_type, &kind.data_type));
    let mut line = Line::begin(text);
    line.int(number).text(&kind.function_name);
    line.known((is_work && !is_tiu).then_some(row.bytes()).or(is_tiu.then_some(0)));
    line.text(kind.direction().map_or("", |way| way.text()));
    line.text(from).text(to).known(row.layer().map(|(id, _)| id));
    line.known(kind.ideal_cycles().map(whole)).int(row.cycles());
    line.int(cycle(row.start())).int(cycle(row.end()));
    line.text(&format!("{}-{}", engine.name(), row.command_id()));
    let awaited = fields.last().copied().flatten();
    line.text(&awaited.map_or_else(String::new, |id| format!("{}-{id}", other.name()))).text("");
    let cost = &kind.cost;
    line.known(is_counted.then(|| whole(cost.alg_ops)));
    line.known(is_counted.then(|| whole(cost.uarch_ops)));
    let has_rate = is_counted && cost.uarch_ops > 0;
    line.text(&share(has_rate.then(|| quotient(cost.alg_ops, cost.uarch_ops))));
    for field in fields.iter().take(COLUMNS) {
        line.known(*field);
    }
    line.text(engine.name()).known(row.core());
    line.text(row.layer().map_or("", |(_, name)| name)).text(&kind.shape).end();
}
