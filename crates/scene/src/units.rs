//! Steps, and blocks of a static model, as tracks: each slice tells what the unit of work did.

use std::iter;

use bigtpu_answers::tables::{Datum, UnitKind, WorkUnit, unit_columns};
use bigtpu_answers::{BlockRow, DrawnUnits};
use bigtpu_measure::layers::LayerRuns;

use crate::model::{Content, Detail, Group, Owner, Role, Slice, Slices, Track, Value};

/// Name of the track of steps, and of its group.
const STEPS: &str = "Steps";

/// The argument that has a step's number: the host may name steps in another way.
const NUMBER: &str = "Step";

/// What slices tell: ids of columns, and the arguments' names, with the unit where it is one of time.
const TOLD: [(&str, &str); 9] = [
    ("launches", "Launches"),
    ("layers", "Layers"),
    ("events", "Events"),
    ("path_ns", "On the Path(ns)"),
    ("tiu_ns", "TIU Busy(ns)"),
    ("gdma_ns", "GDMA Busy(ns)"),
    ("sdma_ns", "SDMA Busy(ns)"),
    ("ddr_bytes", "DDR Bytes"),
    ("other_bytes", "Other Bytes"),
];

fn told(unit: &WorkUnit<'_>) -> Vec<(&'static str, Value)> {
    let value = |(id, name): (&str, &'static str)| match (unit_columns(&[id]).first()?.value)(unit)
    {
        Datum::Whole(value) => Some((name, Value::Int(value))),
        Datum::Number(value) => Some((name, Value::Double(value))),
        Datum::Text(_) | Datum::Bound(_) | Datum::Unknown(()) => None,
    };
    TOLD.into_iter().filter_map(value).collect()
}

/// The iterations; `None` where a run has none.
pub(crate) fn step_group(units: DrawnUnits<'_>) -> Option<Group> {
    let slice = |(at, unit): (usize, WorkUnit<'_>)| {
        let UnitKind::Step(step) = unit.kind else { return None };
        let category = if step.is_warm_up {
            "warm-up"
        } else if step.is_outlier {
            "outlier"
        } else {
            "step"
        };
        Some(Slice {
            start: unit.work.start_ns,
            end: unit.work.end_ns,
            name: match unit.name {
                "" => format!("Step {}", step.number),
                name => name.to_owned(),
            },
            detail: Detail::Unit {
                category,
                at,
                args: iter::once((NUMBER, Value::Int(step.number as i64)))
                    .chain(told(&unit))
                    .collect(),
            },
        })
    };
    let steps = &units.steps?.steps;
    let slices = WorkUnit::of_steps(steps).enumerate().filter_map(slice).collect();
    let track = Track { role: Role::Steps, content: Content::Slices(Slices::new(slices)) };
    Some(Group { owner: Owner::Named(STEPS.to_owned()), tracks: vec![track] })
}

/// The blocks of a static model on a core; `None` where it has none. `runs`: those of the core's layers.
pub(crate) fn block_track(units: DrawnUnits<'_>, runs: &LayerRuns) -> Option<Track> {
    let DrawnUnits { blocks, layers, .. } = units;
    let units: Vec<WorkUnit<'_>> = WorkUnit::of_blocks(blocks).collect();
    let runs = BlockRow::runs(blocks, layers, runs);
    let slices = runs.into_iter().filter_map(|run| {
        let unit = units.get(run.block)?;
        let slice = Slice {
            start: run.start_ns,
            end: run.end_ns,
            name: unit.name.to_owned(),
            detail: Detail::Unit { category: "block", at: run.block, args: told(unit) },
        };
        Some((blocks.get(run.block)?.level, slice))
    });
    let slices = Slices::by_level(slices.collect());
    let is_empty = slices.all().is_empty();
    (!is_empty).then_some(Track { role: Role::Blocks, content: Content::Slices(slices) })
}
