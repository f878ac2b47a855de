//! Units of work as the page shows them: layers, blocks, steps and the columns of their values.

use std::collections::BTreeMap;

use bigtpu_answers::Report;
use bigtpu_answers::tables::{
    KERNEL_COLUMNS, TableColumn, TableColumnHead, WorkUnit, unit_columns,
};
use bigtpu_measure::layers::{Layers, Tensor};

use crate::head::{BlockHead, LayerHead, StepHead};
use crate::strings::Strings;

/// The columns of kernels.
pub(crate) fn kernel_columns() -> Vec<&'static str> {
    const MORE: [&str; 11] = [
        "tops",
        "uarch_rate",
        "bound",
        "roof",
        "incomplete_launches",
        "path_ns",
        "wall_share",
        "tiu_ns",
        "gdma_ns",
        "sdma_ns",
        "bytes",
    ];
    [&KERNEL_COLUMNS[..], &MORE].concat()
}

/// The columns of layers and blocks.
const LAYERS: [&str; 18] = [
    "layers",
    "core",
    "runs",
    "total_ns",
    "wall_share",
    "path_ns",
    "tiu_ns",
    "gdma_ns",
    "sdma_ns",
    "uarch_rate",
    "mac_utilization",
    "ops",
    "bytes",
    "ddr_gbps",
    "ddr_intensity",
    "expected_ns",
    "explained_ns",
    "events",
];

/// The columns of steps.
const STEPS: [&str; 17] = [
    "start_ns",
    "total_ns",
    "wall_share",
    "path_ns",
    "compute_only_ns",
    "overlapped_ns",
    "transfer_only_ns",
    "sync_ns",
    "idle_ns",
    "launches",
    "tiu_ns",
    "gdma_ns",
    "sdma_ns",
    "uarch_rate",
    "ops",
    "bytes",
    "events",
];

/// The columns of steps that a page has: none without steps.
pub(crate) fn step_columns(report: &Report) -> &'static [&'static str] {
    if report.iterations().is_none() { &[] } else { &STEPS }
}

/// The steps.
pub(crate) fn steps<'a>(report: &'a Report, strings: &mut Strings) -> Vec<StepHead<'a>> {
    let columns = unit_columns(&STEPS);
    let heads = WorkUnit::steps(report).map(|unit| StepHead {
        name: strings.index(unit.name),
        cells: columns.iter().map(|column| (column.value)(&unit)).collect(),
    });
    heads.collect()
}

/// The columns of layers and blocks that a page has: none without layers.
pub(crate) fn layer_columns(report: &Report) -> &'static [&'static str] {
    if report.layers.is_empty() { &[] } else { &LAYERS }
}

/// What columns are called and mean.
pub(crate) fn heads(ids: &[&str]) -> Vec<TableColumnHead> {
    unit_columns(ids).into_iter().map(TableColumn::head).collect()
}

/// The layers as the page names them.
pub(crate) fn layers<'a>(
    layers: &Layers,
    report: &'a Report,
    strings: &mut Strings,
) -> Vec<LayerHead<'a>> {
    let columns = unit_columns(&LAYERS);
    let rows = report.layers.iter().map(|row| row.id).zip(WorkUnit::layers(report));
    let mut rows: BTreeMap<u64, WorkUnit<'a>> = rows.collect();
    let names = report.blocks.iter().map(|block| block.name.as_str());
    let places: BTreeMap<&str, i64> = names.zip(0..).collect();
    let blocks = layers.blocks();
    let numbered = (1..).zip(layers.layers.iter().zip(blocks));
    let heads = numbered.map(|(id, (layer, block))| {
        let mut texts = |tensors: &[Option<Tensor>]| -> Vec<u32> {
            let named = tensors.iter().flatten().map(|tensor| {
                let at = tensor.address.map_or_else(String::new, |at| format!("@{at:#x}"));
                format!("{}{at} {tensor}", tensor.name)
            });
            named.map(|text| strings.index(text.trim_start())).collect()
        };
        let (reads, writes) = (texts(&layer.operands), texts(&layer.results));
        let unit = rows.remove(&(id as u64));
        LayerHead {
            id,
            name: strings.index(&layer.name),
            label: strings.index(layer.label(id as u64).as_str()),
            block: strings.index(block),
            parent: unit.map_or(-1, |_| places.get(block.as_str()).copied().unwrap_or(0)),
            reads,
            writes,
            line: layer.line,
            cells: unit.map_or_else(Vec::new, |unit| {
                columns.iter().map(|column| (column.value)(&unit)).collect()
            }),
        }
    });
    heads.collect()
}

/// The blocks.
pub(crate) fn blocks<'a>(report: &'a Report, strings: &mut Strings) -> Vec<BlockHead<'a>> {
    let columns = unit_columns(&LAYERS);
    let heads = report.blocks.iter().zip(WorkUnit::blocks(report)).map(|(block, unit)| BlockHead {
        name: strings.index(&block.name),
        parent: block.parent.and_then(|parent| i64::try_from(parent).ok()).unwrap_or(-1),
        cells: columns.iter().map(|column| (column.value)(&unit)).collect(),
    });
    heads.collect()
}
