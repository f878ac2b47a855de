//! Every other field of the commands: those of the register texts that no column of the facts has.
//! Commands with the same keys share a chunk.

use std::rc::Rc;

use bigtpu_compat::{self as record, Cell, CellField, Kinds, OwnValues, RecordValue, Varying};
use bigtpu_measure::{TrackCommand, TrackCommands};
use foldhash::HashMap;

use crate::chunk::Chunk;
use crate::column::Column;
use crate::head::{FieldsHead, LayoutHead};

/// Decimals of bandwidths.
const FLOAT_SCALE: u32 = 10_000;

/// How a value is kept; a key is kept in one way within a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Number,
    Float,
    Text,
}

fn kind(value: &RecordValue<'_>) -> Kind {
    match value {
        // The page's numbers are doubles.
        RecordValue::Int(n) if n.unsigned_abs() < 1 << 53 => Kind::Number,
        RecordValue::Int(_) | RecordValue::Text(_) => Kind::Text,
        RecordValue::Float(_) => Kind::Float,
    }
}

/// A field: the prefix of its key, the key, and how its values are kept.
type Key = (&'static str, &'static str, Kind);

/// The fields of a track's commands.
pub(crate) fn fields(commands: TrackCommands<'_, '_>) -> FieldsHead {
    let mut which = Column::plain("layout");
    let mut fields = Fields::default();
    for command in commands.iter() {
        which.push(fields.add(&command) as i64);
    }
    let layouts = fields.layouts.into_iter().map(Layout::finish).collect();
    FieldsHead { which: Chunk::pack(vec![which]), layouts }
}

/// The fields of a track while commands are added.
#[derive(Default)]
struct Fields<'a> {
    kinds: Kinds<OfKind<'a>>,
    layouts: Vec<Layout>,
    /// Numbers of the layouts by their keys.
    known: HashMap<Vec<Key>, usize>,
    /// Patterns made so far.
    patterns: usize,
    /// The command's own values; here so that the memory is used again.
    values: Vec<RecordValue<'static>>,
}

/// A kind's fields that no other columns have.
struct OfKind<'a> {
    /// With the prefix of the key.
    fields: Vec<(&'static str, CellField<'a>)>,
    /// How they are kept: of the command that came last.
    pattern: Option<Pattern>,
}

/// How the fields of a kind's commands are kept.
struct Pattern {
    number: usize,
    /// Number of the layout.
    layout: usize,
    /// What each column of the layout takes.
    taken: Rc<[Taken]>,
    /// The columns that take each command's own number: how it is kept, and where its value is read.
    own: Vec<(usize, Kind, Varying)>,
    /// After a command of the pattern with this number: the columns whose shared number is another one now. Kinds mostly follow
    /// one another in the same order.
    after: (usize, Vec<(usize, i64)>),
}

/// What a column takes of a kind's commands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Taken {
    /// All of them have this number.
    Shared(i64),
    /// Each has its own.
    Own,
}

impl<'a> Fields<'a> {
    /// Adds a command. Returns the number of its layout.
    fn add(&mut self, command: &TrackCommand<'a, '_>) -> usize {
        let of_kind = self.kinds.get_or_make(command, OfKind::new);
        let mut read = OwnValues::new(command);
        let OfKind { fields, pattern } = of_kind;
        let pattern = match pattern {
            Some(pattern) if pattern.read(&mut read, &mut self.values) => pattern,
            _ => {
                self.patterns += 1;
                let made = Pattern::find(
                    self.patterns,
                    fields,
                    &mut read,
                    &mut self.known,
                    &mut self.layouts,
                );
                let made = pattern.insert(made);
                made.read(&mut read, &mut self.values);
                made
            }
        };
        if let Some(layout) = self.layouts.get_mut(pattern.layout) {
            layout.put(pattern, &self.values);
        }
        pattern.layout
    }
}

impl<'a> OfKind<'a> {
    fn new(layout: &record::RecordLayout<'a>) -> Self {
        let fields = layout.further_fields().map(|(prefix, field)| (prefix, field.clone()));
        Self { fields: fields.collect(), pattern: None }
    }
}

impl Pattern {
    /// Pattern of a kind's fields, as a command has them.
    fn find(
        number: usize,
        fields: &[(&'static str, CellField<'_>)],
        read: &mut OwnValues<'_, '_, '_>,
        known: &mut HashMap<Vec<Key>, usize>,
        layouts: &mut Vec<Layout>,
    ) -> Self {
        let mut key = |(prefix, (key, cell)): &(&'static str, CellField<'_>)| {
            let kind = match cell {
                Cell::Shared(value) => kind(value),
                Cell::Varies(varying) => kind(&read.get(*varying)),
            };
            (*prefix, *key, kind)
        };
        let keys: Vec<Key> = fields.iter().map(&mut key).collect();
        let kinds: Vec<Kind> = keys.iter().map(|(.., kind)| *kind).collect();
        let layout = *known.entry(keys).or_insert_with_key(|keys| {
            layouts.push(Layout::new(keys));
            layouts.len() - 1
        });
        let columns = layouts.get_mut(layout).map(|layout| &mut layout.columns);
        let mut own = Vec::new();
        let mut taken = Vec::with_capacity(fields.len());
        for ((place, column), ((_, (_, cell)), kind)) in
            columns.into_iter().flatten().enumerate().zip(fields.iter().zip(kinds))
        {
            taken.push(match cell {
                Cell::Shared(value) => Taken::Shared(self::number(column, kind, value)),
                Cell::Varies(varying) => {
                    own.push((place, kind, *varying));
                    Taken::Own
                }
            });
        }
        Self { number, layout, taken: taken.into(), own, after: (number, Vec::new()) }
    }

    /// Reads a command's own values. Returns whether they are kept as the pattern says.
    fn read(
        &self,
        read: &mut OwnValues<'_, '_, '_>,
        values: &mut Vec<RecordValue<'static>>,
    ) -> bool {
        values.clear();
        values.extend(self.own.iter().map(|(.., varying)| read.get(*varying)));
        self.own.iter().zip(&*values).all(|((_, of, _), value)| kind(value) == *of)
    }

    /// The columns whose shared number is another one than after a command of another pattern of the layout.
    fn changes(&self, before: &[Taken]) -> Vec<(usize, i64)> {
        let changed = |(place, (taken, before)): (usize, (&Taken, &Taken))| match taken {
            Taken::Shared(number) if taken != before => Some((place, *number)),
            _ => None,
        };
        self.taken.iter().zip(before).enumerate().filter_map(changed).collect()
    }
}

/// The number that a column holds for a value.
fn number(column: &mut Column, kind: Kind, value: &RecordValue<'_>) -> i64 {
    match (kind, value) {
        (Kind::Number, RecordValue::Int(n)) => (*n).try_into().unwrap_or(i64::MAX),
        (Kind::Float, RecordValue::Float(x)) => (x * f64::from(FLOAT_SCALE)).round() as i64,
        (Kind::Text, RecordValue::Text(text)) => column.text_number(text).into(),
        (_, value) => column.text_number(&value.to_string()).into(),
    }
}

/// The commands with the same keys.
struct Layout {
    columns: Vec<Column>,
    /// Commands so far.
    rows: usize,
    /// Number of the last command's pattern, and what the columns took of that command.
    last: (usize, Rc<[Taken]>),
}

impl Layout {
    fn new(keys: &[Key]) -> Self {
        let column = |(prefix, key, kind): &Key| {
            let key = format!("{prefix}{key}");
            match kind {
                Kind::Number => Column::differences(&key),
                Kind::Float => Column::signed(&key).scaled(FLOAT_SCALE),
                Kind::Text => Column::text(&key),
            }
        };
        let columns: Vec<Column> = keys.iter().map(column).collect();
        // Before the first command no column has a number that it shares with others.
        let last = (0, std::iter::repeat_n(Taken::Own, columns.len()).collect());
        Self { columns, rows: 0, last }
    }

    /// Adds a command with its own values. Only columns whose number may change are looked at.
    fn put(&mut self, pattern: &mut Pattern, values: &[RecordValue<'static>]) {
        let (before, taken) = &self.last;
        if *before != pattern.number {
            if *before != pattern.after.0 {
                pattern.after = (*before, pattern.changes(taken));
            }
            for &(place, number) in &pattern.after.1 {
                if let Some(column) = self.columns.get_mut(place) {
                    column.put(self.rows, number);
                }
            }
            self.last = (pattern.number, Rc::clone(&pattern.taken));
        }
        for ((place, kind, _), value) in pattern.own.iter().zip(values) {
            if let Some(column) = self.columns.get_mut(*place) {
                let number = number(column, *kind, value);
                column.put(self.rows, number);
            }
        }
        self.rows += 1;
    }

    fn finish(mut self) -> LayoutHead {
        self.columns.iter_mut().for_each(|column| column.fill(self.rows));
        LayoutHead { chunk: Chunk::pack(self.columns) }
    }
}
