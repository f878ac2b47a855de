//! What a query found for scripts: the columns of the events, or those of gaps, as CSV or for JSON.

use bigtpu_emit_events::EventColumn;
use bigtpu_output::{Csv, Text};
use bigtpu_query::{NamedField, QueryField};

use super::answer::{Answer, value};
use super::item::Item;
use super::order::Value;

/// Rows are handed on in pieces of about this many bytes.
pub(super) const PIECE: usize = 1 << 16;

/// A column for scripts.
#[derive(Clone, Copy)]
pub(super) enum Column {
    Event(EventColumn),
    Gap(&'static str, QueryField),
    Register(usize),
}

/// Columns of gaps: times as in the events, from the same 0.
const GAP_COLUMNS: [(&str, QueryField); 10] = [
    ("engine", QueryField::Engine),
    ("index", QueryField::Core),
    ("start_ns", QueryField::Start),
    ("end_ns", QueryField::End),
    ("duration_ns", QueryField::Duration),
    ("cause", QueryField::Gap),
    ("saved_ns", QueryField::Saved),
    ("ended_by", QueryField::EndedBy),
    ("kernel", QueryField::Kernel),
    ("layer_id", QueryField::LayerId),
];

/// Value of a field of a command or gap; the times of a gap are on the events' time line.
pub(super) fn gap_value(item: &Item<'_, '_>, field: QueryField) -> Value {
    match (item, field) {
        (Item::Gap(gap), QueryField::Start) => Value::Number(gap.row.start as f64),
        (Item::Gap(gap), QueryField::End) => Value::Number(gap.row.end as f64),
        (item, field) => value(item, NamedField::Field(field)),
    }
}

impl<'a> Answer<'a> {
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
        let mut text = Text::<Csv>::joined(columns.iter().map(|column| self.name_of(*column)), ",");
        text.own("\n");
        self.each_item(most, |item| {
            for (number, column) in columns.iter().enumerate() {
                text.own(if number > 0 { "," } else { "" });
                self.put_cell(item, *column, &mut text);
            }
            text.own("\n");
            if text.len() >= PIECE {
                put(&text)?;
                text.clear();
            }
            Ok(())
        })?;
        put(&text)
    }

    fn groups_csv(&self, most: Option<usize>) -> Text<Csv> {
        let by = self.asked.by.map(|by| self.name(by)).unwrap_or_default();
        let mut text = Text::<Csv>::joined([by.as_str()], ",");
        text.own(",count,duration_ns,bytes,share\n");
        for group in self.groups().into_iter().take(most.unwrap_or(usize::MAX)) {
            text.show(&group.name()).own(",").int(group.totals.count).own(",").int(group.totals.ns);
            text.own(",");
            if let Some(bytes) = group.totals.bytes {
                text.int(bytes);
            }
            text.own(",").float(self.share(&group)).own("\n");
        }
        text
    }

    /// Calls `f` with each of the first items until one fails.
    pub(super) fn each_item<E>(
        &self,
        most: Option<usize>,
        mut f: impl FnMut(&Item<'_, 'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let places = self.registers(&[]);
        let reader = self.reader(&places);
        for place in self.places.iter().take(most.unwrap_or(usize::MAX)) {
            let Some(item) = self.items.get(*place, &reader) else { continue };
            f(&item)?;
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
            Column::Register(place) => self.name(NamedField::Register(place)),
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
                _ = text.show(&value(item, NamedField::Register(place)).to_string());
            }
        }
    }
}
