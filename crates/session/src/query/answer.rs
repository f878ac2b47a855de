//! What a query found, as tables and for scripts.

use bigtpu_emit_events::EventColumn;
use bigtpu_output::{Csv, Table, Text, amount};
use bigtpu_query::{Field, Found, Kind, Record as _, Register, Vocabulary as _};

use super::filter::filter;
use super::groups::{Group, Groups};
use super::item::{EngineItems, Item, Items, Place};
use super::order::{Order, Value};
use super::registers::Registers;
use super::vocabulary::Names;
use super::{Asked, json};

/// What a query found.
pub struct Answer<'a> {
    asked: &'a Asked,
    items: &'a Items<'a>,
    names: &'a Names<'a>,
    /// In the order in which they are shown.
    places: Vec<Place>,
    /// Sums of all.
    pub totals: Totals,
    /// Where nothing was found: what excluded the last.
    pub missed: Option<Missed>,
}

/// Sums of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// How many there are.
    pub count: u64,
    /// ns of all.
    pub ns: i64,
    /// Bytes of all; `None` where none has any.
    pub bytes: Option<u64>,
}

/// The part of a query that no command passes of those that pass all parts before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    /// The part.
    pub part: String,
    /// How many commands pass all parts before it.
    pub left: u64,
}

/// Rows of CSV or JSON are handed on in pieces of about this many bytes.
pub(super) const PIECE: usize = 1 << 16;

impl<'a> Answer<'a> {
    pub(super) fn find(asked: &'a Asked, names: &'a Names<'a>, items: &'a Items<'a>) -> Self {
        let query = &asked.query;
        let registers: &[String] =
            if query.registers().is_empty() { &[] } else { names.registers() };
        let found = filter(query, registers, items);
        let missed = found.places.is_empty().then(|| {
            let (last, left) = found.passed.iter().copied().enumerate().rfind(|(_, n)| *n > 0)?;
            Some(Missed { part: query.parts().get(last)?.clone(), left })
        });
        let count = found.places.len() as u64;
        let mut answer = Self {
            asked,
            items,
            names,
            places: found.places,
            totals: Totals { count, ns: found.ns, bytes: found.bytes },
            missed: missed.flatten(),
        };
        if asked.by.is_none() {
            answer.sort();
        }
        answer
    }

    /// By time, and by the value that gives the order.
    fn sort(&mut self) {
        let mut places = std::mem::take(&mut self.places);
        let start = |place: &Place| match self.items.engines.get(place.engine as usize) {
            Some(EngineItems::Commands(rows)) => {
                rows.commands.track.events.start.get(place.row as usize).copied()
            }
            Some(EngineItems::Gaps(gaps, _)) => {
                gaps.rows.get(place.row as usize).map(|gap| gap.start)
            }
            None => None,
        };
        places.sort_by_cached_key(|place| (start(place), *place));
        if let Some(Order::Value(found)) = self.asked.sort {
            let registers = self.registers(&[found]);
            let reader = self.reader(&registers);
            let mut keyed: Vec<(Value, Place)> = places
                .into_iter()
                .map(|place| (self.value(place, found, &reader), place))
                .collect();
            keyed.sort_by(|(a, _), (b, _)| a.compare(b));
            places = keyed.into_iter().map(|(_, place)| place).collect();
        }
        self.places = places;
    }

    /// Whether gaps were asked for.
    #[must_use]
    pub fn has_gaps(&self) -> bool {
        self.asked.query.asks_for_gaps()
    }

    /// Whether the answer is groups.
    #[must_use]
    pub fn has_groups(&self) -> bool {
        self.asked.by.is_some()
    }

    /// Places of the register fields that the query or others name.
    fn registers(&self, others: &[Found]) -> Vec<usize> {
        let mut places = self.asked.query.registers();
        for found in others {
            match found {
                Found::Register(place) if !places.contains(place) => places.push(*place),
                _ => {}
            }
        }
        places
    }

    fn reader<'r>(&'r self, places: &'r [usize]) -> Registers<'r, 'a> {
        let names: &[String] = if places.is_empty() { &[] } else { self.names.registers() };
        Registers::new(names, places)
    }

    fn value(&self, place: Place, found: Found, reader: &Registers<'_, 'a>) -> Value {
        self.items.get(place, reader).map_or(Value::None, |item| value(&item, found))
    }

    /// Items with the same value of the field that makes groups.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        let Some(by) = self.asked.by else { return Vec::new() };
        let places = self.registers(&[by]);
        let reader = self.reader(&places);
        let mut groups = Groups::new();
        for place in &self.places {
            let Some(item) = self.items.get(*place, &reader) else { continue };
            let ns = item.number(Field::Duration).unwrap_or(0.0) as i64;
            let bytes = item.number(Field::Bytes).map(|bytes| bytes as u64);
            groups.add(value(&item, by), ns, bytes);
        }
        groups.sorted(self.asked.sort)
    }

    /// What a field is called.
    pub(super) fn name(&self, found: Found) -> String {
        match found {
            Found::Field(field) => field.name().to_owned(),
            Found::Register(place) => {
                self.names.registers().get(place).cloned().unwrap_or_default()
            }
        }
    }

    /// The groups as a table of at most so many rows.
    #[must_use]
    pub fn group_table(&self, groups: &[Group], most: usize) -> Table {
        let by = self.asked.by.map(|by| self.name(by)).unwrap_or_default();
        let header = [by.as_str(), "Count", "Time(us)", "Share", "Bytes"].map(str::to_owned);
        let rows = groups.iter().take(most).map(|group| {
            let name = if group.value == Value::None { "-".to_owned() } else { group.name() };
            [
                name,
                group.count.to_string(),
                micros(group.ns as f64),
                amount::percent(self.share(group)),
                group.bytes.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string()),
            ]
        });
        Table::new("Groups", header, rows)
    }

    /// Share of a group in the time of all.
    pub(super) fn share(&self, group: &Group) -> f64 {
        group.ns as f64 / self.totals.ns.max(1) as f64
    }

    /// What is shown of each item besides what all have: what the query, or the order, asks for.
    fn named(&self) -> Vec<Found> {
        let query = self.asked.query.fields().into_iter().map(Found::Field);
        let registers = self.asked.query.registers().into_iter().map(Found::Register);
        let sort = match self.asked.sort {
            Some(Order::Value(found)) => Some(found),
            _ => None,
        };
        let mut named: Vec<Found> = Vec::new();
        for found in query.chain(registers).chain(sort) {
            let is_base = matches!(found, Found::Field(field) if BASE.contains(&field));
            if !is_base && !named.contains(&found) {
                named.push(found);
            }
        }
        named
    }

    /// The first items as a table: what they are, and what the query asks of them.
    #[must_use]
    pub fn table(&self, most: usize) -> Table {
        let named = self.named();
        let places = self.registers(&named);
        let reader = self.reader(&places);
        let shown = self.places.get(..most.min(self.places.len())).unwrap_or_default();
        let base = BASE.iter().copied().map(Found::Field);
        let mut columns: Vec<(String, Vec<String>)> = Vec::new();
        for found in base.chain(named.iter().copied()) {
            let cells = shown.iter().map(|place| cell(found, &self.value(*place, found, &reader)));
            let cells: Vec<String> = cells.collect();
            // A column of nothing says nothing, unless it was asked for.
            let is_empty = cells.iter().all(|cell| cell == "-");
            if !is_empty || named.contains(&found) {
                columns.push((self.title(found), cells));
            }
        }
        let rows = (0..shown.len()).map(|row| {
            let cell = |(_, cells): &(String, Vec<String>)| cells.get(row).cloned();
            columns.iter().filter_map(cell).collect::<Vec<_>>()
        });
        Table::new(
            "Found",
            columns.iter().map(|(title, _)| title.clone()),
            rows.collect::<Vec<_>>(),
        )
    }

    fn title(&self, found: Found) -> String {
        let name = match found {
            Found::Field(field) if BASE.contains(&field) => base_title(field).to_owned(),
            found => self.name(found),
        };
        match found {
            Found::Field(field) if field.kind() == Kind::Ns => format!("{name}(us)"),
            _ => name,
        }
    }

    /// What is found as CSV, piece by piece: the columns of `events.csv`, and the register fields that the query names.
    ///
    /// # Errors
    /// What `put` says.
    pub fn csv<E>(
        &self,
        most: Option<usize>,
        put: &mut dyn FnMut(&Text<Csv>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.has_groups() {
            return put(&self.groups_csv(most));
        }
        let columns = self.columns();
        let places = self.registers(&[]);
        let reader = self.reader(&places);
        let mut text = Text::<Csv>::joined(columns.iter().map(|column| self.name_of(*column)), ",");
        text.own("\n");
        for place in self.places.iter().take(most.unwrap_or(usize::MAX)) {
            let Some(item) = self.items.get(*place, &reader) else { continue };
            for (number, column) in columns.iter().enumerate() {
                text.own(if number > 0 { "," } else { "" });
                self.put_cell(&item, *column, &mut text);
            }
            text.own("\n");
            if text.len() >= PIECE {
                put(&text)?;
                text.clear();
            }
        }
        put(&text)
    }

    fn groups_csv(&self, most: Option<usize>) -> Text<Csv> {
        let by = self.asked.by.map(|by| self.name(by)).unwrap_or_default();
        let mut text = Text::<Csv>::joined([by.as_str()], ",");
        text.own(",count,duration_ns,bytes,share\n");
        for group in self.groups().into_iter().take(most.unwrap_or(usize::MAX)) {
            text.show(&group.name()).own(",").int(group.count).own(",").int(group.ns);
            text.own(",");
            if let Some(bytes) = group.bytes {
                text.int(bytes);
            }
            text.own(",").float(self.share(&group)).own("\n");
        }
        text
    }

    /// What is found as JSON, piece by piece.
    ///
    /// # Errors
    /// What `put` says.
    pub fn json<E>(
        &self,
        most: Option<usize>,
        put: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        json::put(self, most, put)
    }

    pub(super) fn each_row<E>(
        &self,
        most: Option<usize>,
        columns: &[Column],
        mut row: impl FnMut(&[serde_json::Value]) -> Result<(), E>,
    ) -> Result<(), E> {
        let places = self.registers(&[]);
        let reader = self.reader(&places);
        for place in self.places.iter().take(most.unwrap_or(usize::MAX)) {
            let Some(item) = self.items.get(*place, &reader) else { continue };
            let cells: Vec<_> = columns.iter().map(|column| json::cell(&item, *column)).collect();
            row(&cells)?;
        }
        Ok(())
    }

    /// The columns for scripts.
    pub(super) fn columns(&self) -> Vec<Column> {
        let own: Vec<Column> = match self.has_gaps() {
            true => GAP_COLUMNS.iter().map(|(name, field)| Column::Gap(name, *field)).collect(),
            false => EventColumn::all().map(Column::Event).collect(),
        };
        let registers = self.asked.query.registers().into_iter().map(Column::Register);
        own.into_iter().chain(registers).collect()
    }

    pub(super) fn name_of(&self, column: Column) -> String {
        match column {
            Column::Event(column) => column.name().to_owned(),
            Column::Gap(name, _) => name.to_owned(),
            Column::Register(place) => self.name(Found::Register(place)),
        }
    }

    fn put_cell(&self, item: &Item<'_, 'a>, column: Column, text: &mut Text<Csv>) {
        match (column, item) {
            (Column::Event(column), Item::Command(command)) => command.row.value(column).put(text),
            (Column::Event(_), Item::Gap(_)) => {}
            (Column::Gap(_, field), item) => {
                _ = text.show(&gap_value(item, field).to_string());
            }
            (Column::Register(place), item) => {
                _ = text.show(&value(item, Found::Register(place)).to_string());
            }
        }
    }
}

/// A column for scripts.
#[derive(Clone, Copy)]
pub(super) enum Column {
    Event(EventColumn),
    Gap(&'static str, Field),
    Register(usize),
}

/// Columns of gaps: times as in the events, from the same 0.
const GAP_COLUMNS: [(&str, Field); 10] = [
    ("engine", Field::Engine),
    ("index", Field::Core),
    ("start_ns", Field::Start),
    ("end_ns", Field::End),
    ("duration_ns", Field::Duration),
    ("cause", Field::Gap),
    ("saved_ns", Field::Saved),
    ("ended_by", Field::EndedBy),
    ("kernel", Field::Kernel),
    ("layer_id", Field::LayerId),
];

/// What is shown of each item.
const BASE: [Field; 10] = [
    Field::Engine,
    Field::Core,
    Field::Index,
    Field::Start,
    Field::Duration,
    Field::Name,
    Field::Bytes,
    Field::Kernel,
    Field::Layer,
    Field::EndedBy,
];

fn base_title(field: Field) -> &'static str {
    match field {
        Field::Engine => "Engine",
        Field::Core => "Core",
        Field::Index => "Global Idx",
        Field::Start => "Start",
        Field::Duration => "Duration",
        Field::Name => "Function",
        Field::Bytes => "Bytes",
        Field::Kernel => "Kernel",
        Field::Layer => "Layer",
        _ => "Ended by",
    }
}

/// Of a gap; its times as the events have them.
pub(super) fn gap_value(item: &Item<'_, '_>, field: Field) -> Value {
    match (item, field) {
        (Item::Gap(gap), Field::Start) => Value::Number(gap.row.start as f64),
        (Item::Gap(gap), Field::End) => Value::Number(gap.row.end as f64),
        (item, field) => value(item, Found::Field(field)),
    }
}

pub(super) fn value(item: &Item<'_, '_>, found: Found) -> Value {
    match found {
        Found::Field(field) if field.kind() == Kind::Text => {
            item.text(field).map_or(Value::None, |text| Value::Text(text.to_owned()))
        }
        Found::Field(field) => item.number(field).map_or(Value::None, Value::Number),
        Found::Register(place) => match item.register(place) {
            Some(Register::Number(n)) => Value::Number(n),
            Some(Register::Text(text)) => Value::Text(text),
            None => Value::None,
        },
    }
}

/// A value as the table shows it.
fn cell(found: Found, value: &Value) -> String {
    let kind = match found {
        Found::Field(field) => field.kind(),
        Found::Register(_) => Kind::Count,
    };
    match (value, kind) {
        (Value::None, _) => "-".to_owned(),
        (Value::Number(ns), Kind::Ns) => micros(*ns),
        (Value::Number(n), Kind::Percent) => amount::percent(*n),
        (Value::Number(n), Kind::Gbps | Kind::Times) => format!("{n:.2}"),
        (Value::Number(n), Kind::Address) => format!("{:#x}", *n as u64),
        (value, _) => value.to_string(),
    }
}

/// ns as us, exact.
fn micros(ns: f64) -> String {
    format!("{:.3}", ns / 1e3)
}
