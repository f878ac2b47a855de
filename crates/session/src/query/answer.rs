//! What a query found, as tables and for scripts.

use bigtpu_output::{Table, amount};
use bigtpu_query::{
    NamedField, QueryField, QueryRecord as _, RegisterValue, ValueKind, Vocabulary as _,
};

use super::filter::filter;
use super::groups::{Groups, QueryGroup};
use super::item::{EngineItems, Item, Items, Place};
use super::order::{Order, Value};
use super::registers::Registers;
use super::totals::Totals;
use super::vocabulary::Names;
use super::{Asked, json};

/// What a query found.
pub struct Answer<'a> {
    pub(super) asked: &'a Asked,
    pub(super) items: &'a Items<'a>,
    names: &'a Names<'a>,
    /// In the order in which they are shown.
    pub(super) places: Vec<Place>,
    /// Sums of all.
    pub totals: Totals,
    /// Where nothing was found: what excluded the last.
    pub missed: Option<Missed>,
}

/// The part of a query that no command passes of those that pass all parts before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    /// The part.
    pub part: String,
    /// How many commands pass all parts before it.
    pub left: u64,
}

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
        let mut answer = Self {
            asked,
            items,
            names,
            places: found.places,
            totals: found.totals,
            missed: missed.flatten(),
        };
        if asked.by.is_none() {
            answer.sort();
        }
        answer
    }

    /// Sorts the found items by time, and then by the value that gives the order.
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
    pub(super) fn registers(&self, others: &[NamedField]) -> Vec<usize> {
        let mut places = self.asked.query.registers();
        for found in others {
            match found {
                NamedField::Register(place) if !places.contains(place) => places.push(*place),
                _ => {}
            }
        }
        places
    }

    pub(super) fn reader<'r>(&'r self, places: &'r [usize]) -> Registers<'r, 'a> {
        let names: &[String] = if places.is_empty() { &[] } else { self.names.registers() };
        Registers::new(names, places)
    }

    fn value(&self, place: Place, found: NamedField, reader: &Registers<'_, 'a>) -> Value {
        self.items.get(place, reader).map_or(Value::None, |item| value(&item, found))
    }

    /// Items with the same value of the field that makes groups.
    #[must_use]
    pub fn groups(&self) -> Vec<QueryGroup> {
        let Some(by) = self.asked.by else { return Vec::new() };
        let places = self.registers(&[by]);
        let reader = self.reader(&places);
        let mut groups = Groups::new();
        for place in &self.places {
            let Some(item) = self.items.get(*place, &reader) else { continue };
            groups.add(value(&item, by), &item);
        }
        groups.sorted(self.asked.sort)
    }

    /// What a field is called.
    pub(super) fn name(&self, found: NamedField) -> String {
        match found {
            NamedField::Field(field) => field.name().to_owned(),
            NamedField::Register(place) => {
                self.names.registers().get(place).cloned().unwrap_or_default()
            }
        }
    }

    /// The groups as a table of at most so many rows.
    #[must_use]
    pub fn group_table(&self, groups: &[QueryGroup], most: usize) -> Table {
        let by = self.asked.by.map(|by| self.name(by)).unwrap_or_default();
        let header = [by.as_str(), "Count", "Time(us)", "Share", "Bytes"].map(str::to_owned);
        let rows = groups.iter().take(most).map(|group| {
            let name = if group.value == Value::None { "-".to_owned() } else { group.name() };
            [
                name,
                group.totals.count.to_string(),
                micros(group.totals.ns as f64),
                amount::percent(self.share(group)),
                group.totals.bytes.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string()),
            ]
        });
        Table::new("Groups", header, rows)
    }

    /// Share of a group in the time of all.
    pub(super) fn share(&self, group: &QueryGroup) -> f64 {
        group.totals.ns as f64 / self.totals.ns.max(1) as f64
    }

    /// What is shown of each item besides what all have: what the query, or the order, asks for.
    fn named(&self) -> Vec<NamedField> {
        let query = self.asked.query.fields().into_iter().map(NamedField::Field);
        let registers = self.asked.query.registers().into_iter().map(NamedField::Register);
        let sort = match self.asked.sort {
            Some(Order::Value(found)) => Some(found),
            _ => None,
        };
        let mut named: Vec<NamedField> = Vec::new();
        for found in query.chain(registers).chain(sort) {
            let is_base = matches!(found, NamedField::Field(field) if BASE.contains(&field));
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
        let base = BASE.iter().copied().map(NamedField::Field);
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

    fn title(&self, found: NamedField) -> String {
        let name = match found {
            NamedField::Field(field) if BASE.contains(&field) => base_title(field).to_owned(),
            found => self.name(found),
        };
        match found {
            NamedField::Field(field) if field.kind() == ValueKind::Ns => format!("{name}(us)"),
            _ => name,
        }
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
}

/// What is shown of each item.
const BASE: [QueryField; 10] = [
    QueryField::Engine,
    QueryField::Core,
    QueryField::Index,
    QueryField::Start,
    QueryField::Duration,
    QueryField::Name,
    QueryField::Bytes,
    QueryField::Kernel,
    QueryField::Layer,
    QueryField::EndedBy,
];

fn base_title(field: QueryField) -> &'static str {
    match field {
        QueryField::Engine => "Engine",
        QueryField::Core => "Core",
        QueryField::Index => "Global Idx",
        QueryField::Start => "Start",
        QueryField::Duration => "Duration",
        QueryField::Name => "Function",
        QueryField::Bytes => "Bytes",
        QueryField::Kernel => "Kernel",
        QueryField::Layer => "Layer",
        _ => "Ended by",
    }
}

pub(super) fn value(item: &Item<'_, '_>, found: NamedField) -> Value {
    match found {
        NamedField::Field(field) if field.kind() == ValueKind::Text => {
            item.text(field).map_or(Value::None, |text| Value::Text(text.to_owned()))
        }
        NamedField::Field(field) => item.number(field).map_or(Value::None, Value::Number),
        NamedField::Register(place) => match item.register(place) {
            Some(RegisterValue::Number(n)) => Value::Number(n),
            Some(RegisterValue::Text(text)) => Value::Text(text),
            None => Value::None,
        },
    }
}

/// A value as the table shows it.
fn cell(found: NamedField, value: &Value) -> String {
    let kind = match found {
        NamedField::Field(field) => field.kind(),
        NamedField::Register(_) => ValueKind::Count,
    };
    match (value, kind) {
        (Value::None, _) => "-".to_owned(),
        (Value::Number(ns), ValueKind::Ns) => micros(*ns),
        (Value::Number(n), ValueKind::Percent) => amount::percent(*n),
        (Value::Number(n), ValueKind::Gbps | ValueKind::Times) => format!("{n:.2}"),
        (Value::Number(n), ValueKind::Address) => format!("{:#x}", *n as u64),
        (value, _) => value.to_string(),
    }
}

/// ns as us, exact.
fn micros(ns: f64) -> String {
    format!("{:.3}", ns / 1e3)
}
