//! Arguments of messages: values with a kind, so that a reader of JSON knows the unit and the catalogue the form.

use std::borrow::Cow;

use fluent_bundle::FluentValue;
use fluent_bundle::types::{FluentNumber, FluentNumberOptions};
use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::message::Message;

/// An argument. In JSON it is an object with its kind as the key: `{"time_ns": 8200}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub enum Arg {
    /// How many there are; the catalogue chooses singular and plural by it.
    Count(u64),
    /// The number of a core, port, rank, layer or record: its name, not an amount.
    Number(i64),
    /// A time or a difference of times in ns; `{ US($x) }` writes it in us, `{ MS($x) }` in ms, `{ S($x) }` in s, `{ RUN($x) }` in ms with more
    /// places below 10 ms.
    TimeNs(i64),
    /// A median of times or a change of it in ns; written in us, with three decimals below 10 us and one from there on.
    MedianNs(f64),
    /// Bytes.
    Bytes(u64),
    /// Cycles of a clock.
    Cycles(i64),
    /// A part of a whole, 1.0 for all of it; `{ PERCENT($x) }` writes it as percent, without the sign.
    Share(f64),
    /// A number of percent; `{ SIGNED($x) }` writes a change with its sign.
    Percent(f64),
    /// How many times as long, as many, as fast; two decimals.
    Factor(f64),
    /// A factor where values near 1 count: three decimals within a tenth of 1.
    Ratio(f64),
    /// GB/s; one decimal.
    RateGbps(f64),
    /// Any other measured value, with its decimals.
    Value(f64, u8),
    /// A name from outside or a word that is the same in all languages: kernel, file, opcode.
    Name(String),
    /// Numbers of cores, ports or ranks. The catalogue finds the list in `$x` (`2, 5`), the same with a word before the last one in
    /// `$x_and` (`2 and 5`), and how many they are in `$x_count`.
    Numbers(Vec<i64>),
    /// A message within the sentence.
    Message(Box<Message>),
    /// Messages within the sentence, as a list. `$x_count` is how many they are.
    List(Vec<Message>),
    /// Messages within the sentence, with commas between them.
    Items(Vec<Message>),
    /// Clauses within the sentence, one behind another.
    Clauses(Vec<Message>),
}

/// Numbers of a float's digits that hold each whole number.
const EXACT: u64 = 1 << 53;

impl Arg {
    /// Numbers of cores, ports or ranks.
    pub fn numbers(numbers: impl IntoIterator<Item = u32>) -> Self {
        Self::Numbers(numbers.into_iter().map(i64::from).collect())
    }

    /// What the catalogue gets for `$name`.
    pub(crate) fn value(&self, language: Language) -> FluentValue<'static> {
        match self {
            Self::Count(count) | Self::Bytes(count) if *count < EXACT => whole(*count as f64),
            Self::Count(count) | Self::Bytes(count) => count.to_string().into(),
            Self::Number(number) => number.to_string().into(),
            Self::TimeNs(number) | Self::Cycles(number) if number.unsigned_abs() < EXACT => {
                whole(*number as f64)
            }
            Self::TimeNs(number) | Self::Cycles(number) => number.to_string().into(),
            Self::MedianNs(ns) => decimal(*ns / 1e3, if ns.abs() < 10_000.0 { 3 } else { 1 }),
            Self::Ratio(ratio) => decimal(*ratio, if (*ratio - 1.0).abs() < 0.1 { 3 } else { 2 }),
            Self::Share(share) => decimal(*share, 4),
            Self::Percent(change) => decimal(*change, 1),
            Self::Factor(factor) => decimal(*factor, 2),
            Self::RateGbps(rate) => decimal(*rate, 1),
            Self::Value(value, digits) => decimal(*value, (*digits).into()),
            Self::Name(name) => name.clone().into(),
            Self::Numbers(numbers) => {
                let items: Vec<String> = numbers.iter().map(i64::to_string).collect();
                items.join(language.choose(", ", "、")).into()
            }
            Self::Message(message) => message.text(language).into(),
            Self::Items(messages) => {
                let items: Vec<String> = messages.iter().map(|item| item.text(language)).collect();
                items.join(language.choose(", ", "，")).into()
            }
            Self::Clauses(messages) => {
                let items: Vec<String> = messages.iter().map(|item| item.text(language)).collect();
                items.join(language.choose("; ", "；")).into()
            }
            Self::List(messages) => {
                let items: Vec<String> = messages.iter().map(|item| item.text(language)).collect();
                language.list(&items).into()
            }
        }
    }

    /// What else the catalogue gets of a list, by the end of the name.
    pub(crate) fn more_values(
        &self,
        language: Language,
    ) -> Vec<(&'static str, FluentValue<'static>)> {
        match self {
            Self::Numbers(numbers) => {
                let items: Vec<String> = numbers.iter().map(i64::to_string).collect();
                let list = language.list(&items).into();
                vec![("_count", whole(numbers.len() as f64)), ("_and", list)]
            }
            Self::List(messages) => vec![("_count", whole(messages.len() as f64))],
            _ => Vec::new(),
        }
    }
}

fn whole(value: f64) -> FluentValue<'static> {
    FluentValue::Number(FluentNumber::new(value, FluentNumberOptions::default()))
}

fn decimal(value: f64, digits: usize) -> FluentValue<'static> {
    let options = FluentNumberOptions {
        minimum_fraction_digits: Some(digits),
        maximum_fraction_digits: Some(digits),
        ..FluentNumberOptions::default()
    };
    FluentValue::Number(FluentNumber::new(value, options))
}

// Arguments are measured values and never a NaN, the only float that is not equal to itself.
impl Eq for Arg {}

impl From<u64> for Arg {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for Arg {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl From<usize> for Arg {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<&str> for Arg {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for Arg {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl From<Cow<'_, str>> for Arg {
    fn from(name: Cow<'_, str>) -> Self {
        Self::Name(name.into_owned())
    }
}

impl From<&String> for Arg {
    fn from(name: &String) -> Self {
        Self::Name(name.clone())
    }
}

impl From<Message> for Arg {
    fn from(message: Message) -> Self {
        Self::Message(Box::new(message))
    }
}

impl From<Vec<Message>> for Arg {
    fn from(messages: Vec<Message>) -> Self {
        Self::List(messages)
    }
}
