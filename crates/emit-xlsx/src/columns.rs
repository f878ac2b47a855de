//! Which columns an engine's sheet has, and which of them a key of a record belongs to.

use std::collections::{HashMap, HashSet};

use bigtpu_chip::Engine;
use bigtpu_compat::{INDEX, Kinds, belongs};
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
    /// Port of a data command.
    Port,
}

impl Kind {
    fn from_name(name: &str) -> Self {
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
    pub(crate) fn choose(engine: Engine, keys: &Keys) -> Self {
        let names: &[&'static str] = match engine {
            Engine::Tiu => &column_names::TIU,
            Engine::Gdma | Engine::Sdma | Engine::Cdma => &column_names::DMA,
        };
        let takes_all = keys.0.len() < names.len();
        let all: Vec<Column> = names
            .iter()
            .map(|&name| Column { name, kind: Kind::from_name(name) })
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

    /// The column of a key with its prefix.
    pub(crate) fn column(&self, prefix: &str, key: &str) -> Option<(u16, Kind)> {
        let map = if prefix == PREFIX { &self.by_field } else { &self.by_key };
        let column = *map.get(key)?;
        Some((column, self.all.get(usize::from(column))?.kind))
    }
}

/// Keys of records: those of registers' fields without their prefix.
#[derive(Debug, Default)]
pub(crate) struct Keys(HashSet<(bool, &'static str)>);

impl Keys {
    fn add(&mut self, prefix: &str, key: &'static str) {
        self.0.insert(Self::split(prefix == PREFIX, key));
    }

    /// Whether a key is a field's, and the rest of it.
    fn split(is_field: bool, key: &'static str) -> (bool, &'static str) {
        match key.strip_prefix(PREFIX) {
            Some(rest) if !is_field => (true, rest),
            _ => (is_field, key),
        }
    }

    fn contains(&self, name: &'static str) -> bool {
        self.0.contains(&Self::split(false, name))
    }

    /// Adds the keys of all records of a track. They depend on the kind and on which tags there are, so only the first
    /// of each is looked at.
    pub(crate) fn add_track(&mut self, commands: TrackCommands<'_, '_>) {
        let mut seen_kinds: Vec<bool> = vec![false; commands.columns.kinds.len()];
        let mut kinds: Kinds<()> = Kinds::default();
        let mut seen_tags = [false; 16];
        for (command, &kind) in commands.iter().zip(&commands.columns.columns.kind) {
            let Tag { kernel, scope, batch, mode } = command.tag();
            let tags = [kernel.is_some(), scope.is_some(), batch.is_some(), mode.is_some()];
            let which = tags.iter().fold(0, |bits, &is| bits << 1 | usize::from(is));
            if seen_tags.get_mut(which).is_some_and(|seen| !std::mem::replace(seen, true)) {
                self.add("", INDEX);
                belongs(&command).into_iter().for_each(|(key, _)| self.add("", key));
            }
            let seen = seen_kinds.get_mut(kind as usize);
            if seen.is_some_and(|seen| !std::mem::replace(seen, true)) {
                kinds.get_or_make(&command, |layout| {
                    for (prefix, fields) in layout.parts() {
                        fields.iter().for_each(|(key, _)| self.add(prefix, key));
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_keys_take_all_columns_many_only_their_own() {
        let few = Columns::choose(Engine::Gdma, &Keys::default());
        assert_eq!((few.all.len(), few.last()), (55, 54));
        let mut keys = Keys::default();
        ["Cmd Id", "cmd_type"].iter().for_each(|key| keys.add("", key));
        assert_eq!(Columns::choose(Engine::Gdma, &keys).all.len(), 55);
        // So many that each column needs a key of its own.
        keys.0.extend(column_names::TIU.iter().map(|key| (true, *key)));
        let many = Columns::choose(Engine::Gdma, &keys);
        let names: Vec<_> = many.all.iter().map(|c| c.name).collect();
        assert_eq!(names, ["Cmd Id", "Layer Id", "Layer Name", "cmd_type"]);
        assert_eq!(many.find(Kind::Task), Some(3));
    }

    #[test]
    fn keys_find_their_columns_with_and_without_prefix() {
        let columns = Columns::choose(Engine::Tiu, &Keys::default());
        let name = |prefix, key| {
            columns.column(prefix, key).map(|(c, _)| columns.all[usize::from(c)].name)
        };
        assert_eq!(name("", "Cmd Id"), Some("Cmd Id"));
        assert_eq!(name("des_", "opt_opd0_prec"), Some("des_opt_opd0_prec"));
        assert_eq!(name("", "des_opt_opd0_prec"), Some("des_opt_opd0_prec"));
        assert_eq!(name("", "opt_opd0_prec"), None);
        assert_eq!(name("", "Data Type"), None, "derived");
    }
}
