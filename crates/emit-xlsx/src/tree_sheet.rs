//! `Model Tree`: the model, its blocks, their layers, the layers' commands as rows that fold; each with the sums of what is in it.

use std::collections::BTreeMap;

use bigtpu_answers::tables::{UnitKind, WorkUnit, unit_columns};
use bigtpu_answers::{BlockRow, Report, TreeLine, UnitWork};
use bigtpu_measure::CommandTable;
use bigtpu_measure::layers::{LayerRuns, Layers};
use bigtpu_replay::CriticalPath;
use bigtpu_timeline::{EngineId, Profile};

use crate::cells::Outline;
use crate::number::Shape;
use crate::sheet::{Result, Sheet};
use crate::unit_row;

/// Name of the sheet.
pub(crate) const NAME: &str = "Model Tree";

/// Columns of the sheet between the name and [`unit_row::WORK`].
const FACTS: [&str; 5] = ["layer_id", "operation", "core", "layers", "events"];

const NOTE: &str = "Path, engines, operations and bytes of each row are the sums of the rows in it. Total: of a layer from its first to its last command; of a block the time in which any of its layers ran, as layers may overlap.";
const FOLD_NOTE: &str =
    "The signs + and - at the left, or the levels above them, show and hide what is in a row.";

/// Row of the columns, from 0.
const HEADER_ROW: u32 = 4;

/// Most commands that are listed: those of the layers that took longest, as far as all of a layer fit. The sheets of the engines have
/// all commands.
const MOST_COMMANDS: u64 = 20_000;

/// Most layers and blocks that are listed.
const MOST_UNITS: usize = 1_000_000;

/// Deepest level of groups that spreadsheets know.
const DEEPEST: u32 = 7;

/// What the sheet shows.
pub(crate) struct Contents<'a, 'd> {
    pub(crate) profile: &'a Profile<'d>,
    pub(crate) table: &'a CommandTable,
    pub(crate) report: &'a Report,
    pub(crate) layers: &'a Layers,
    pub(crate) path: Option<&'a CriticalPath>,
}

/// A command of a layer.
struct Command {
    name: String,
    work: UnitWork,
}

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, contents: &Contents<'_, '_>) -> Result {
    let (styles, report) = (sheet.styles, contents.report);
    let blocks: Vec<WorkUnit<'_>> = WorkUnit::blocks(report).collect();
    let layers: Vec<WorkUnit<'_>> = WorkUnit::layers(report).collect();
    let tree = BlockRow::tree(&report.blocks, &report.layers);
    let listed = listed_layers(report);
    let commands = contents.commands(&listed);
    sheet.styled(0, 0, "The model, its blocks, layers and commands", styles.title)?;
    sheet.text(1, 0, NOTE)?;
    sheet.text(2, 0, FOLD_NOTE)?;
    if listed.len() < layers.len() {
        let note = format!(
            "Commands of {} of {} layers are listed: of those that took longest, up to {MOST_COMMANDS} commands. The sheets of the engines have all commands.",
            listed.len(),
            layers.len()
        );
        sheet.styled(3, 0, &note, styles.warning)?;
    }
    let columns = unit_columns(&[&FACTS[..], &unit_row::WORK].concat());
    sheet.styled(HEADER_ROW, 0, "Model, block, layer, command", styles.head)?;
    for (col, column) in (1..).zip(&columns) {
        sheet.styled(HEADER_ROW, col, &column.title_with_unit(), styles.head)?;
    }
    let mut row = HEADER_ROW;
    let mut deepest = 0;
    for (level, line) in tree.iter().take(MOST_UNITS) {
        row += 1;
        deepest = deepest.max(*level);
        let unit = match *line {
            TreeLine::Block(block) => blocks.get(block),
            TreeLine::Layer(layer) => layers.get(layer),
        };
        let Some(unit) = unit else { continue };
        let own = match unit.kind {
            UnitKind::Layer(layer) => commands.get(&layer.id),
            _ => None,
        };
        let name = if unit.name.is_empty() { "Model" } else { unit.name };
        let style = if matches!(line, TreeLine::Block(_)) { styles.title } else { styles.beside };
        sheet.styled(row, 0, &indented(*level, name), style)?;
        unit_row::write(sheet, (row, 1), &columns, unit, Shape::Percent1)?;
        sheet.cells.set_outline(row, outline(*level, false, own.is_some()));
        for command in own.into_iter().flatten() {
            row += 1;
            deepest = deepest.max(level + 1);
            let unit = WorkUnit {
                kind: UnitKind::Command,
                name: &command.name,
                work: command.work,
                layers: None,
                roofline: None,
            };
            sheet.text(row, 0, &indented(level + 1, unit.name))?;
            unit_row::write(sheet, (row, 1), &columns, &unit, Shape::Percent1)?;
            sheet.cells.set_outline(row, outline(level + 1, true, false));
        }
    }
    layout(sheet, deepest)
}

/// A name, as far to the right as it is deep.
fn indented(level: u32, name: &str) -> String {
    format!("{}{name}", "    ".repeat(level as usize))
}

fn outline(level: u32, is_hidden: bool, is_folded: bool) -> Outline {
    Outline { level: u8::try_from(level.min(DEEPEST)).unwrap_or(0), is_hidden, is_folded }
}

fn layout(sheet: &mut Sheet<'_>, deepest: u32) -> Result {
    let inner = &mut *sheet.inner;
    inner.set_column_width(0, 52)?;
    inner.set_column_range_width(1, (FACTS.len() + unit_row::WORK.len()) as u16, 14)?;
    inner.set_freeze_panes(HEADER_ROW + 1, 1)?;
    inner.group_symbols_above(true);
    // The library tells the deepest level of its own rows, and ours are none of these.
    for _ in 0..deepest.clamp(2, DEEPEST) {
        inner.group_rows(HEADER_ROW, HEADER_ROW)?;
    }
    Ok(())
}

/// The layers whose commands are listed, by id: those that took longest.
fn listed_layers(report: &Report) -> Vec<u64> {
    let mut longest: Vec<_> = report.layers.iter().collect();
    longest.sort_by_key(|layer| std::cmp::Reverse(layer.work.total_ns));
    let mut left = MOST_COMMANDS;
    let fits = longest.into_iter().filter(|layer| match left.checked_sub(layer.work.events) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    fits.map(|layer| layer.id).collect()
}

impl Contents<'_, '_> {
    /// Commands of each layer in the order of their starts. `listed`: the layers that are asked for.
    fn commands(&self, listed: &[u64]) -> BTreeMap<u64, Vec<Command>> {
        let wall_ns = self.report.intervals.overall.wall_ns;
        let mut path_ns: BTreeMap<(EngineId, usize), i64> = BTreeMap::new();
        for segment in self.path.into_iter().flat_map(CriticalPath::segments) {
            *path_ns.entry((segment.engine_id, segment.event)).or_default() +=
                segment.end - segment.start;
        }
        let mut all: BTreeMap<u64, Vec<Command>> =
            listed.iter().map(|id| (*id, Vec::new())).collect();
        for core in &self.profile.cores {
            let runs = LayerRuns::find(self.layers, core);
            for (track, of_event) in core.tracks.iter().zip(&runs.of_event) {
                let id = track.engine_id;
                let mhz = self.profile.clocks.mhz(id.engine);
                let commands = self.table.commands(self.profile, track);
                for (command, run) in commands.into_iter().flat_map(|all| all.iter()).zip(of_event)
                {
                    let slice = run.and_then(|run| runs.slices.get(run as usize));
                    let own = slice.and_then(|slice| all.get_mut(&(slice.layer as u64 + 1)));
                    let Some(own) = own else { continue };
                    let of_path = || path_ns.get(&(id, command.index)).copied().unwrap_or(0);
                    let path_ns = self.path.map(|_| of_path());
                    let (engine, index) = (id.engine.name(), id.index);
                    let name = &command.kind.function_name;
                    own.push(Command {
                        name: format!("{engine} {index} {name} #{}", command.index),
                        work: UnitWork::of_command(&command, mhz, wall_ns, path_ns),
                    });
                }
            }
        }
        for commands in all.values_mut() {
            commands.sort_by_key(|command| command.work.start_ns);
        }
        all
    }
}
