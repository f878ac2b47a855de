//! Which columns an engine's sheet has, and which of them a key of a record belongs to.

use std::collections::{HashMap, HashSet};

use bigtpu_chip::Engine;
use bigtpu_compat::{Field, Record, record};
use bigtpu_measure::TrackCommands;
use bigtpu_timeline::Tag;

use crate::{column_names, port_columns};

/// How a column's values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Numbers as numbers, texts as texts.
    Plain,
    /// Numbers as `0x` and hexadecimal digits, anything else not at all.
    Hex,
    /// `DDR Bandwidth(GB/s)` and `L2M Bandwidth(GB/s)`.
    Bandwidth,
    /// `Direction`: not shown of system commands.
    Direction,
    /// `Data Type`: of DMA commands as they say, of TIU commands from operand and result.
    DataType,
    /// `cmd_type`: shows system commands.
    Task,
    /// Precision code of the first operand.
    Operand,
    /// Precision code of the result.
    Result,
    /// `Layer Id`.
    LayerId,
    /// `Layer Name`.
    LayerName,
    /// `Avg Cycle Last 200`.
    AverageCycle,
    /// Of a data command of a port.
    Port,
}

impl Kind {
    fn of(name: &str) -> Self {
        match name {
            "Direction" => Self::Direction,
            "Data Type" => Self::DataType,
            "cmd_type" => Self::Task,
            "des_opt_opd0_prec" => Self::Operand,
            "des_opt_res0_prec" => Self::Result,
            "Layer Id" => Self::LayerId,
            "Layer Name" => Self::LayerName,
            "Avg Cycle Last 200" => Self::AverageCycle,
            _ if name.contains("Bandwidth") => Self::Bandwidth,
            _ if name.contains("addr") || name.contains("mask") => Self::Hex,
            _ => Self::Plain,
        }
    }

    /// Whether the column is filled from something else than the record's key of its name.
    fn is_derived(self, engine: Engine) -> bool {
        let of_tiu = engine == Engine::Tiu && matches!(self, Self::AverageCycle | Self::DataType);
        of_tiu || matches!(self, Self::LayerId | Self::LayerName | Self::Port)
    }
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

/// What is before the names of registers' fields in TIU columns.
const PREFIX: &str = "des_";

/// The columns of one sheet, in order.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) all: Vec<Column>,
    by_key: HashMap<&'static str, u16>,
    by_field: HashMap<&'static str, u16>,
}

impl Columns {
    /// The columns for the given keys: all that there are when the records have fewer keys than that,
    /// else those that some record has, and the derived ones.
    pub(crate) fn choose(engine: Engine, keys: &HashSet<String>) -> Self {
        let names: &[&'static str] = match engine {
            Engine::Tiu => &column_names::TIU,
            Engine::Gdma | Engine::Sdma | Engine::Cdma => &column_names::DMA,
        };
        let takes_all = keys.len() < names.len();
        let all: Vec<Column> = names
            .iter()
            .map(|&name| Column { name, kind: Kind::of(name) })
            .filter(|c| takes_all || keys.contains(c.name) || c.kind.is_derived(engine))
            .collect();
        Self::of_engine(engine, all)
    }

    /// These columns for the records of an engine.
    pub(crate) fn of_engine(engine: Engine, all: Vec<Column>) -> Self {
        let from_keys = || (0u16..).zip(&all).filter(|(_, c)| !c.kind.is_derived(engine));
        let by_key = from_keys().map(|(at, c)| (c.name, at)).collect();
        let by_field =
            from_keys().filter_map(|(at, c)| Some((c.name.strip_prefix(PREFIX)?, at))).collect();
        Self { by_key, by_field, all }
    }

    /// Adds those of a port with data commands.
    pub(crate) fn add_port(&mut self) {
        self.all.extend(port_columns::NAMES.map(|name| Column { name, kind: Kind::Port }));
    }

    /// Number of the first column of a kind.
    pub(crate) fn find(&self, kind: Kind) -> Option<u16> {
        (0u16..).zip(&self.all).find(|(_, c)| c.kind == kind).map(|(at, _)| at)
    }

    /// Number of the column of a name.
    pub(crate) fn named(&self, name: &str) -> Option<u16> {
        (0u16..).zip(&self.all).find(|(_, c)| c.name == name).map(|(at, _)| at)
    }

    /// Number of the last column.
    pub(crate) fn last(&self) -> u16 {
        u16::try_from(self.all.len()).unwrap_or(u16::MAX).saturating_sub(1)
    }

    /// The column of a key; `field` for that of a register's field without its prefix.
    fn of(&self, key: &str, field: bool) -> Option<u16> {
        let map = if field { &self.by_field } else { &self.by_key };
        map.get(key).copied()
    }
}

/// Adds the keys of all records of a track. They depend on the kind and on which tags there are, so only the first
/// of each is looked at.
pub(crate) fn record_keys(commands: TrackCommands<'_, '_>, keys: &mut HashSet<String>) {
    let mut seen: Vec<u16> = vec![0; commands.columns.kinds.len()];
    for (command, &kind) in commands.iter().zip(&commands.columns.columns.kind) {
        let Tag { kernel, scope, batch, mode } = command.tag();
        let tags = [kernel.is_some(), scope.is_some(), batch.is_some(), mode.is_some()];
        let which = tags.iter().fold(0, |bits, &is| bits << 1 | u32::from(is));
        if let Some(seen) = seen.get_mut(kind as usize).filter(|seen| **seen >> which & 1 == 0) {
            *seen |= 1 << which;
            add_keys(keys, &record(&command));
        }
    }
}

/// Adds all keys of a record as the register texts print them.
fn add_keys(keys: &mut HashSet<String>, record: &Record<'_>) {
    let mut add = |prefix: &str, fields: &[Field<'_>]| {
        keys.extend(fields.iter().map(|(key, _)| format!("{prefix}{key}")));
    };
    add("", &record.info);
    add("", &record.meta);
    add(if record.prefixed { PREFIX } else { "" }, &record.registers);
    add("", &record.after);
}

/// Finds the columns of keys. It remembers the last record's: most records are like the one before.
#[derive(Debug)]
pub(crate) struct Finder<'c> {
    columns: &'c Columns,
    /// By the place of a key in its record: its address and length, whether it is a register's field, its
    /// column.
    last: Vec<(usize, usize, bool, Option<u16>)>,
}

impl<'c> Finder<'c> {
    pub(crate) fn new(columns: &'c Columns) -> Self {
        Self { columns, last: Vec::new() }
    }

    /// The column of the key at a place in its record.
    pub(crate) fn find(&mut self, place: usize, key: &str, field: bool) -> Option<(u16, Kind)> {
        let address = key.as_ptr() as usize;
        let known = self.last.get(place).filter(|k| (k.0, k.1, k.2) == (address, key.len(), field));
        let column = match known {
            Some(&(.., column)) => column,
            None => {
                let column = self.columns.of(key, field);
                self.last.resize(self.last.len().max(place + 1), (0, 0, false, None));
                if let Some(slot) = self.last.get_mut(place) {
                    *slot = (address, key.len(), field, column);
                }
                column
            }
        }?;
        Some((column, self.columns.all.get(usize::from(column))?.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_keys_take_all_columns_many_only_their_own() {
        let few = Columns::choose(Engine::Gdma, &HashSet::new());
        assert_eq!((few.all.len(), few.last()), (55, 54));
        let many: HashSet<String> = (0..60)
            .map(|n| format!("key {n}"))
            .chain(["Cmd Id".into(), "cmd_type".into()])
            .collect();
        let many = Columns::choose(Engine::Gdma, &many);
        let names: Vec<_> = many.all.iter().map(|c| c.name).collect();
        assert_eq!(names, ["Cmd Id", "Layer Id", "Layer Name", "cmd_type"]);
        assert_eq!(many.find(Kind::Task), Some(3));
    }

    #[test]
    fn keys_find_their_columns_with_and_without_prefix() {
        let columns = Columns::choose(Engine::Tiu, &HashSet::new());
        let mut finder = Finder::new(&columns);
        let name =
            |found: Option<(u16, Kind)>| found.map(|(c, _)| columns.all[usize::from(c)].name);
        for _ in 0..2 {
            assert_eq!(name(finder.find(0, "Cmd Id", false)), Some("Cmd Id"));
            assert_eq!(name(finder.find(1, "opt_opd0_prec", true)), Some("des_opt_opd0_prec"));
            assert_eq!(name(finder.find(2, "opt_opd0_prec", false)), None);
            assert_eq!(name(finder.find(3, "Data Type", false)), None, "derived");
        }
        assert_eq!(name(finder.find(0, "Asic Cycle", false)), Some("Asic Cycle"));
    }
}
