//! Every other field of the commands: those of the register texts that no column of the facts has.
//! Commands with the same keys share a chunk.

use bigtpu_compat::{KindRecord, Record, Records, Value};
use bigtpu_measure::TrackCommands;
use foldhash::{HashMap, HashMapExt};

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
    columns: Vec<Column>,
}

/// Part of a record, and place in the part.
type Place = (usize, usize);

/// How the fields of a kind's commands are kept.
#[derive(Default)]
struct Pattern {
    /// The [layout](KindRecord::layout) of the records that it was made of.
    of: u32,
    /// Number of the layout.
    layout: usize,
    /// What each of the layout's columns takes.
    columns: Vec<Kept>,
}

/// What a column takes.
#[derive(Debug, Clone, Copy)]
enum Kept {
    /// All commands of the kind have this number.
    Shared(i64),
    /// The value at this place, kept in this way.
    Own(Kind, Place),
}

/// The fields of a track's commands.
pub(crate) fn fields(commands: TrackCommands<'_, '_>) -> FieldsHead {
    let mut which = Column::plain("layout");
    let mut layouts: Vec<Layout> = Vec::new();
    let mut known: HashMap<Vec<Key>, usize> = HashMap::new();
    let mut records: Records<'_, Pattern> = Records::default();
    for command in commands.iter() {
        let of_kind = records.of(&command);
        if !of_kind.kept.fits(of_kind) {
            let (keys, places): (Vec<Key>, Vec<_>) = kept(&of_kind.record).into_iter().unzip();
            let layout = *known.entry(keys).or_insert_with_key(|keys| {
                layouts.push(Layout::new(keys));
                layouts.len() - 1
            });
            let columns = layouts.get_mut(layout).map(|l| &mut l.columns).into_iter().flatten();
            let columns = columns.zip(places);
            let columns =
                columns.map(|(column, (kind, place))| Kept::of(of_kind, column, kind, place));
            let columns = columns.collect();
            of_kind.kept = Pattern { of: of_kind.layout(), layout, columns };
        }
        let KindRecord { record, kept: pattern, .. } = &*of_kind;
        which.push(pattern.layout as i64);
        if let Some(layout) = layouts.get_mut(pattern.layout) {
            layout.push(pattern, record);
        }
    }
    let chunk = |l: Layout| LayoutHead { chunk: Chunk::of(l.columns) };
    FieldsHead { which: Chunk::of(vec![which]), layouts: layouts.into_iter().map(chunk).collect() }
}

/// The fields of a record that no other columns have: the key, how the value is kept, and where it is.
fn kept(record: &Record<'_>) -> Vec<(Key, (Kind, Place))> {
    let mut all = Vec::new();
    for (part, fields) in record.parts().into_iter().enumerate() {
        let is_prefixed = record.prefixed && part == Record::REGISTERS;
        for (place, (key, value)) in fields.iter().enumerate() {
            if !is_prefixed && ELSEWHERE.contains(key) {
                continue;
            }
            let key = if is_prefixed { format!("des_{key}") } else { (*key).to_owned() };
            let kind = kind(value);
            all.push(((key, kind), (kind, (part, place))));
        }
    }
    all
}

fn value<'r, 'a>(record: &'r Record<'a>, (part, place): Place) -> Option<&'r Value<'a>> {
    record.parts().get(part)?.get(place).map(|(_, value)| value)
}

impl Kept {
    fn of(
        of_kind: &KindRecord<'_, Pattern>,
        column: &mut Column,
        kind: Kind,
        place: Place,
    ) -> Self {
        let varies = of_kind.varying().get(place.0).and_then(|part| part.get(place.1));
        match (varies, value(&of_kind.record, place)) {
            (Some(false), Some(value)) => Self::Shared(number(column, kind, value)),
            _ => Self::Own(kind, place),
        }
    }
}

impl Pattern {
    /// Whether a record has the same keys, and values that are kept in the same way.
    fn fits(&self, of_kind: &KindRecord<'_, Self>) -> bool {
        let is_kept_so = |kept: &Kept| match *kept {
            Kept::Shared(_) => true,
            Kept::Own(of, place) => {
                value(&of_kind.record, place).is_some_and(|value| kind(value) == of)
            }
        };
        self.of == of_kind.layout() && self.columns.iter().all(is_kept_so)
    }
}

/// The number that a column holds for a value.
fn number(column: &mut Column, kind: Kind, value: &Value<'_>) -> i64 {
    match (kind, value) {
        (Kind::Number, Value::Int(n)) => (*n).try_into().unwrap_or(i64::MAX),
        (Kind::Float, Value::Float(x)) => (x * f64::from(FLOAT_SCALE)).round() as i64,
        (Kind::Text, Value::Text(text)) => column.text_number(text).into(),
        (_, value) => column.text_number(&value.to_string()).into(),
    }
}

impl Layout {
    fn new(keys: &[Key]) -> Self {
        let column = |(key, kind): &Key| match kind {
            Kind::Number => Column::differences(key),
            Kind::Float => Column::signed(key).scaled(FLOAT_SCALE),
            Kind::Text => Column::text(key),
        };
        Self { columns: keys.iter().map(column).collect() }
    }

    fn push(&mut self, pattern: &Pattern, record: &Record<'_>) {
        for (column, kept) in self.columns.iter_mut().zip(&pattern.columns) {
            let number = match *kept {
                Kept::Shared(number) => number,
                Kept::Own(kind, place) => match value(record, place) {
                    Some(value) => number(column, kind, value),
                    // Columns have one length.
                    None => 0,
                },
            };
            column.push(number);
        }
    }
}
