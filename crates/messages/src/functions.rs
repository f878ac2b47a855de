//! Functions of the catalogue: how the one formatter writes an argument. A sentence chooses the form, the number stays the argument's.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::types::FluentNumber;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use crate::amount;

type Function = for<'a> fn(&[FluentValue<'a>], &FluentArgs<'_>) -> FluentValue<'a>;

/// Each with its name in the catalogue.
const FUNCTIONS: [(&str, Function); 10] = [
    ("US", |values, named| scaled(values, named, 1e-3, 1)),
    ("S", |values, named| scaled(values, named, 1e-9, 3)),
    ("MS", |values, named| scaled(values, named, 1e-6, 1)),
    ("RUN", of_run),
    ("PERCENT", |values, named| scaled(values, named, 100.0, 0)),
    ("BYTES", |values, _| sized(values, amount::bytes)),
    ("BINARY", |values, _| sized(values, amount::binary_bytes)),
    ("FIXED", |values, named| scaled(values, named, 1.0, 1)),
    ("SIGNED", signed),
    ("CAPITAL", capital),
];

pub(crate) fn add_functions(bundle: &mut FluentBundle<FluentResource>) {
    for (name, function) in FUNCTIONS {
        // Fails for a name that is taken only; a test formats with each function.
        let _ = bundle.add_function(name, function);
    }
    bundle.set_formatter(Some(|value, _| match value {
        FluentValue::Number(number) => Some(number_text(number)),
        _ => None,
    }));
}

/// With the decimals of its kind, rounded as Rust does; without any a whole number.
fn number_text(number: &FluentNumber) -> String {
    match number.options.maximum_fraction_digits {
        Some(digits) => format!("{:.digits$}", number.value),
        None => number.value.to_string(),
    }
}

fn digits(named: &FluentArgs<'_>, usual: usize) -> usize {
    match named.get("digits") {
        // A catalogue writes 0 to 9.
        Some(FluentValue::Number(number)) => number.value.clamp(0.0, 9.0) as usize,
        _ => usual,
    }
}

/// A division and not a product for units of time: 1.15 us is 1150 / 1000, which times 0.001 is not.
fn scaled<'a>(
    values: &[FluentValue<'a>],
    named: &FluentArgs<'_>,
    scale: f64,
    usual: usize,
) -> FluentValue<'a> {
    let digits = digits(named, usual);
    match values.first() {
        Some(FluentValue::Number(number)) => {
            let value = if scale < 1.0 {
                number.value / (1.0 / scale).round()
            } else {
                number.value * scale
            };
            format!("{value:.digits$}").into()
        }
        Some(other) => other.clone(),
        None => FluentValue::Error,
    }
}

/// Bytes in the unit that suits them.
fn sized<'a>(values: &[FluentValue<'a>], text: fn(u64) -> String) -> FluentValue<'a> {
    match values.first() {
        // Bytes are whole and not negative.
        Some(FluentValue::Number(number)) => text(number.value as u64).into(),
        Some(other) => other.clone(),
        None => FluentValue::Error,
    }
}

/// The time of a whole run in ms: to a microsecond below 10 ms, so that a small gain shows, and to two places above.
fn of_run<'a>(values: &[FluentValue<'a>], named: &FluentArgs<'_>) -> FluentValue<'a> {
    let usual = match values.first() {
        Some(FluentValue::Number(ns)) if ns.value < 10e6 => 3,
        _ => 2,
    };
    scaled(values, named, 1e-6, usual)
}

fn signed<'a>(values: &[FluentValue<'a>], named: &FluentArgs<'_>) -> FluentValue<'a> {
    match values.first() {
        Some(FluentValue::Number(number)) => {
            let digits = digits(named, number.options.maximum_fraction_digits.unwrap_or(0));
            format!("{:+.digits$}", number.value).into()
        }
        Some(other) => other.clone(),
        None => FluentValue::Error,
    }
}

/// The first letter of a phrase as that of a sentence.
fn capital<'a>(values: &[FluentValue<'a>], _: &FluentArgs<'_>) -> FluentValue<'a> {
    match values.first() {
        Some(FluentValue::String(text)) => {
            let mut letters = text.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>().into()
        }
        Some(other) => other.clone(),
        None => FluentValue::Error,
    }
}
