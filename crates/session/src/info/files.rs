//! The table of a dump's files.

use bigtpu_chip::Engine;
use bigtpu_format::BlockKind;
use bigtpu_output::Table;
use bigtpu_timeline::{FileSurvey, Survey};

use crate::size;

const HEADER: [&str; 11] = [
    "File",
    "Size",
    "TIU",
    "GDMA",
    "SDMA",
    "CDMA",
    "DynWords",
    "DynExtra",
    "Descriptors",
    "Cached",
    "Other",
];

/// A row for each file: its size, records of each engine, words and bits of commands, other blocks.
pub(super) fn table(survey: &Survey) -> Table {
    Table::new("Files", HEADER, survey.files.iter().map(row))
}

fn row(file: &FileSurvey) -> Vec<String> {
    let bytes = |kinds: &[BlockKind]| -> u64 {
        kinds.iter().filter_map(|kind| file.of_kind(*kind)).map(|sum| sum.bytes).sum()
    };
    let other = file
        .blocks
        .iter()
        .filter(|sum| matches!(sum.kind, BlockKind::NotNeeded(_) | BlockKind::Unknown(_)));
    let name = file.path.file_name().map(|n| n.to_string_lossy().into_owned());
    let mut row = vec![name.unwrap_or_default(), size(file.bytes)];
    row.extend(Engine::ALL.map(|engine| file.records(engine).to_string()));
    row.push((bytes(&[BlockKind::DynData]) / 4).to_string());
    row.push(size(bytes(&[BlockKind::DynExtra])));
    let descriptors =
        [BlockKind::DesTiu, BlockKind::DesGdma, BlockKind::DesSdma, BlockKind::DesCdma];
    row.push(size(bytes(&descriptors)));
    row.push(file.of_kind(BlockKind::DesKv).map_or(0, |sum| sum.blocks).to_string());
    row.push(other.map(|sum| sum.blocks).sum::<u64>().to_string());
    row
}
