//! Columns as data: what a number of a table is called, what it means, its unit and its value, declared once. Console, text,
//! workbook, page and documentation choose columns by their ids and only lay them out.

use serde::{Serialize, Serializer};

use crate::roofline::Bound;

/// A text in English and in Chinese.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Bilingual(pub &'static str, pub &'static str);

/// What the values of a column are; each sink writes a unit in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A name.
    Text,
    /// A number of things.
    Count,
    /// A duration in ns.
    Duration,
    /// A moment in ns from the start of the run.
    Moment,
    /// A part of a whole: 1 is all of it.
    Share,
    /// Bytes.
    Bytes,
    /// GB/s.
    Gbps,
    /// Tera-operations a second.
    Tops,
    /// Any other number.
    Number,
}

/// Which values are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Lower ones.
    Lower,
    /// Higher ones.
    Higher,
    /// Neither: it depends.
    Neither,
}

/// A value of a column.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Datum<'a> {
    /// A name.
    Text(&'a str),
    /// What bounds a unit: its name in data, for people a word of their language.
    Bound(
        #[serde(serialize_with = "name_of_bound")]
        #[cfg_attr(feature = "page-types", ts(type = "string"))]
        Bound,
    ),
    /// A whole number: a count, bytes, ns.
    Whole(i64),
    /// Any other number.
    Number(f64),
    /// Not known.
    Unknown(()),
}

impl Datum<'_> {
    /// The number; `None` of a name and where it is not known.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Whole(value) => Some(value as f64),
            Self::Number(value) => Some(value),
            Self::Text(_) | Self::Bound(_) | Self::Unknown(()) => None,
        }
    }
}

fn name_of_bound<S: Serializer>(bound: &Bound, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(bound.name())
}

impl From<Bound> for Datum<'_> {
    fn from(bound: Bound) -> Self {
        Self::Bound(bound)
    }
}

impl From<u64> for Datum<'_> {
    fn from(value: u64) -> Self {
        Self::Whole(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Datum<'_> {
    fn from(value: u32) -> Self {
        Self::Whole(value.into())
    }
}

impl From<i64> for Datum<'_> {
    fn from(value: i64) -> Self {
        Self::Whole(value)
    }
}

impl From<f64> for Datum<'_> {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl<'a> From<&'a str> for Datum<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Self>> From<Option<T>> for Datum<'_> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Unknown(()), Into::into)
    }
}

/// A column of a table. `Value` is a function from a row to a [`Datum`].
#[derive(Debug)]
pub struct TableColumn<Value> {
    /// Its name in options, in JSON and on the page; of a JSON property the property's name.
    pub id: &'static str,
    /// Its title, without the unit.
    pub title: Bilingual,
    /// A title for narrow tables, without the unit.
    pub short: &'static str,
    /// What its values are.
    pub unit: Unit,
    /// Which values are better.
    pub better: Better,
    /// What it means.
    pub definition: Bilingual,
    /// Its value in a row.
    pub value: Value,
}

/// A column without its values, as pages get it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct TableColumnHead {
    /// Its name.
    pub id: &'static str,
    /// Its title, without the unit.
    pub title: Bilingual,
    /// What its values are.
    pub unit: Unit,
    /// Which values are better.
    pub better: Better,
    /// What it means.
    pub definition: Bilingual,
}

impl<Value> TableColumn<Value> {
    /// The column without its values.
    #[must_use]
    pub fn head(&self) -> TableColumnHead {
        let &Self { id, title, unit, better, definition, .. } = self;
        TableColumnHead { id, title, unit, better, definition }
    }

    /// The title with the unit, as tables of numbers show it: `Total(us)`.
    #[must_use]
    pub fn title_with_unit(&self) -> String {
        with_unit(self.title.0, self.unit)
    }

    /// The short title with the unit, as text shows it, with moments in us.
    #[must_use]
    pub fn short_with_unit(&self) -> String {
        match self.unit {
            Unit::Moment => format!("{}(us)", self.short),
            unit => with_unit(self.short, unit),
        }
    }
}

fn with_unit(title: &str, unit: Unit) -> String {
    match unit {
        Unit::Duration => format!("{title}(us)"),
        Unit::Moment => format!("{title}(ns)"),
        Unit::Gbps if title != "GB/s" => format!("{title}(GB/s)"),
        _ => title.to_owned(),
    }
}
