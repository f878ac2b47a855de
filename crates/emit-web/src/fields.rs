//! Every other field of the commands: those of the register texts that no column of the facts has.
//! Commands with the same keys share a chunk.

use bigtpu_compat::{Field, KindRecord, Record, Records, Value};
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

/// How a field of a kind's records is kept.
#[derive(Debug, Clone, Copy)]
enum Kept {
    /// Other columns have it.
    Elsewhere,
    /// All commands of the kind have this number in the field's column.
    Shared(i64),
    /// In this way.
    Own(Kind),
}

/// How the fields of a kind's commands are kept: in the record's order the key, whether it has a prefix, and what becomes of it.
/// Commands of a kind have the same fields as a rule, so that neither keys nor layout are looked up for each.
#[derive(Default)]
struct Pattern<'a> {
    fields: Vec<(&'a str, bool, Kept)>,
    /// Number of the layout.
    layout: usize,
}

/// The fields of a track's commands.
pub(crate) fn fields(commands: TrackCommands<'_, '_>) -> FieldsHead {
    let mut which = Column::plain("layout");
    let mut layouts: Vec<Layout> = Vec::new();
    let mut known: HashMap<Vec<Key>, usize> = HashMap::new();
    let mut records: Records<'_, Pattern<'_>> = Records::default();
    for command in commands.iter() {
        let of_kind = records.of(&command);
        if !of_kind.kept.fits(&of_kind.record) {
            let mut pattern = Pattern::of(&of_kind.record);
            pattern.layout = *known.entry(pattern.keys()).or_insert_with_key(|keys| {
                layouts.push(Layout::new(keys));
                layouts.len() - 1
            });
            if let Some(layout) = layouts.get_mut(pattern.layout) {
                pattern.share(of_kind, layout);
            }
            of_kind.kept = pattern;
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

/// The parts of a record, and whether the keys have a prefix.
fn parts<'r, 'a>(record: &'r Record<'a>) -> [(&'r [Field<'a>], bool); 4] {
    [
        (&record.info, false),
        (&record.meta, false),
        (&record.registers, record.prefixed),
        (&record.after, false),
    ]
}

impl<'a> Pattern<'a> {
    /// Of a command's record; the layout is still unknown.
    fn of(record: &Record<'a>) -> Self {
        let field = |(key, value): &Field<'a>, prefixed: bool| {
            let is_kept = prefixed || !ELSEWHERE.contains(key);
            (*key, prefixed, if is_kept { Kept::Own(kind(value)) } else { Kept::Elsewhere })
        };
        let fields = parts(record).into_iter();
        let fields =
            fields.flat_map(|(part, prefixed)| part.iter().map(move |f| field(f, prefixed)));
        Self { fields: fields.collect(), layout: 0 }
    }

    fn keys(&self) -> Vec<Key> {
        let kept = self.fields.iter().filter_map(|(key, prefixed, kept)| {
            let key = if *prefixed { format!("des_{key}") } else { (*key).to_owned() };
            match kept {
                Kept::Own(kind) => Some((key, *kind)),
                Kept::Elsewhere | Kept::Shared(_) => None,
            }
        });
        kept.collect()
    }

    /// Finds the numbers that all commands of the kind have in the layout's columns.
    fn share(&mut self, of_kind: &KindRecord<'_, Self>, layout: &mut Layout) {
        let record = &of_kind.record;
        // Shared are those that are read from the bits.
        let first = match record.registers.len() {
            0 => 0,
            _ => record.info.len() + record.meta.len(),
        };
        let mut is_shared = of_kind.shared();
        let values = parts(record).into_iter().flat_map(|(part, _)| part);
        let mut columns = layout.columns.iter_mut();
        for (place, ((.., kept), (_, value))) in self.fields.iter_mut().zip(values).enumerate() {
            let is_shared = place >= first && is_shared.next() == Some(true);
            if let Kept::Own(kind) = *kept
                && let Some(column) = columns.next()
                && is_shared
            {
                *kept = Kept::Shared(number(column, kind, value));
            }
        }
    }

    /// Whether a record has the same keys, and values that are kept in the same way.
    fn fits(&self, record: &Record<'_>) -> bool {
        // Keys are constants: where they are in memory says more quickly than their text that they are the same.
        let is_same = |a: &str, b: &str| std::ptr::eq(a, b) || a == b;
        let parts = parts(record);
        let mut fields = self.fields.iter();
        parts.iter().map(|(part, _)| part.len()).sum::<usize>() == fields.len()
            && parts.into_iter().all(|(part, prefixed)| {
                part.iter().zip(fields.by_ref()).all(|((key, value), (own, own_prefix, kept))| {
                    let is_kept_so = match kept {
                        Kept::Shared(_) => return true,
                        Kept::Elsewhere => true,
                        Kept::Own(of) => *of == kind(value),
                    };
                    is_kept_so && is_same(key, own) && *own_prefix == prefixed
                })
            })
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

    fn push(&mut self, pattern: &Pattern<'_>, record: &Record<'_>) {
        let mut columns = self.columns.iter_mut();
        let mut fields = pattern.fields.iter();
        for (part, _) in parts(record) {
            for ((_, value), (.., kept)) in part.iter().zip(fields.by_ref()) {
                if matches!(kept, Kept::Elsewhere) {
                    continue;
                }
                let Some(column) = columns.next() else { return };
                let number = match kept {
                    Kept::Shared(number) => *number,
                    Kept::Own(kind) => number(column, *kind, value),
                    Kept::Elsewhere => continue,
                };
                column.push(number);
            }
        }
    }
}
