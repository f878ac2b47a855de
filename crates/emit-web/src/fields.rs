//! Every other field of the commands: those of the register texts that no column of the facts has.
//! Commands with the same keys share a chunk.

use std::collections::HashMap;

use bigtpu_compat::{Field, Value, record};
use bigtpu_measure::TrackCommands;

use crate::chunk::Chunk;
use crate::column::Column;
use crate::head::{FieldsHead, LayoutHead};

/// Keys that columns of the times and facts have.
const ELSEWHERE: [&str; 22] = [
    "Function Name",
    "Function Type",
    "Start Time(ns)",
    "End Time(ns)",
    "Cmd Id",
    "Asic Cycle",
    "Global Idx",
    "Core Id",
    "mode",
    "kernel_func",
    "func_scope_id",
    "batch_launch",
    "Alg Ops",
    "uArch Ops",
    "uArch Rate",
    "Bank Conflict Cycle",
    "Direction",
    "Data Type",
    "Stall Cycle",
    "DMA data size(B)",
    "DDR Bandwidth(GB/s)",
    "L2M Bandwidth(GB/s)",
];

/// Decimals of bandwidths.
const FLOAT_SCALE: u32 = 10_000;

/// How a value is kept; a key is kept in one way within a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Number,
    Float,
    Text,
}

fn kind(value: &Value<'_>) -> Kind {
    match value {
        // The page's numbers are doubles.
        Value::Int(n) if n.unsigned_abs() < 1 << 53 => Kind::Number,
        Value::Int(_) | Value::Text(_) => Kind::Text,
        Value::Float(_) => Kind::Float,
    }
}

type Key = (String, Kind);

/// The commands with the same keys.
struct Layout {
    keys: Vec<Key>,
    columns: Vec<Column>,
}

/// The fields of a track's commands.
pub(crate) fn fields(commands: TrackCommands<'_, '_>) -> FieldsHead {
    let mut which = Column::plain("layout");
    let mut layouts: Vec<Layout> = Vec::new();
    let mut known: HashMap<Vec<Key>, usize> = HashMap::new();
    let mut last = None;
    for command in commands.iter() {
        let record = record(&command);
        let fields: Vec<(Field<'_>, bool)> = (record.info.into_iter().map(|f| (f, false)))
            .chain(record.meta.into_iter().map(|f| (f, false)))
            .chain(record.registers.into_iter().map(|f| (f, record.prefixed)))
            .chain(record.after.into_iter().map(|f| (f, false)))
            .filter(|((key, _), prefixed)| *prefixed || !ELSEWHERE.contains(key))
            .collect();
        let same = |l: &usize| layouts.get(*l).is_some_and(|l: &Layout| l.fits(&fields));
        let at = last.filter(same).unwrap_or_else(|| {
            let keys: Vec<Key> = fields
                .iter()
                .map(|((key, value), prefixed)| (full_key(key, *prefixed), kind(value)))
                .collect();
            *known.entry(keys).or_insert_with_key(|keys| {
                layouts.push(Layout::new(keys));
                layouts.len() - 1
            })
        });
        last = Some(at);
        which.push(at as i64);
        if let Some(layout) = layouts.get_mut(at) {
            layout.push(&fields);
        }
    }
    let chunk = |l: Layout| LayoutHead { chunk: Chunk::of(l.columns) };
    FieldsHead { which: Chunk::of(vec![which]), layouts: layouts.into_iter().map(chunk).collect() }
}

fn full_key(key: &str, prefixed: bool) -> String {
    if prefixed { format!("des_{key}") } else { key.to_owned() }
}

impl Layout {
    fn new(keys: &[Key]) -> Self {
        let column = |(key, kind): &Key| match kind {
            Kind::Number => Column::differences(key),
            Kind::Float => Column::signed(key).scaled(FLOAT_SCALE),
            Kind::Text => Column::text(key),
        };
        Self { keys: keys.to_vec(), columns: keys.iter().map(column).collect() }
    }

    fn fits(&self, fields: &[(Field<'_>, bool)]) -> bool {
        self.keys.len() == fields.len()
            && self.keys.iter().zip(fields).all(|((key, of), ((name, value), prefixed))| {
                let bare = if *prefixed { key.strip_prefix("des_") } else { Some(key.as_str()) };
                bare == Some(*name) && *of == kind(value)
            })
    }

    fn push(&mut self, fields: &[(Field<'_>, bool)]) {
        for (column, ((_, value), _)) in self.columns.iter_mut().zip(fields) {
            match value {
                _ if column.texts.is_some() => column.push_text(&value.to_string()),
                Value::Int(n) => column.push_wide(*n),
                Value::Float(x) => column.push((x * f64::from(FLOAT_SCALE)).round() as i64),
                Value::Text(_) => {}
            }
        }
    }
}
