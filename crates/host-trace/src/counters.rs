//! Counter events: each argument of a `C` event is one sample of one series.

use std::collections::HashMap;

use crate::arg_value::ArgValue;
use crate::model::EventId;
use crate::strings::{StrId, Strings};

/// One series of a counter.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Its process.
    pub process: u32,
    /// The counter's name.
    pub name: StrId,
    /// The counter's `id`, if several counters share a name.
    pub id: Option<EventId>,
    /// The series' name.
    pub series: StrId,
    /// Samples in file order; not always in time order.
    pub samples: Vec<CounterSample>,
}

/// One value of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CounterSample {
    /// From when on, ns.
    pub at_ns: i64,
    /// The value.
    pub value: CounterValue,
}

/// A finite number, exact if it is an integer of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CounterValue {
    /// An integer.
    Int(i64),
    /// Any other number.
    Double(f64),
}

impl CounterValue {
    /// The number in `value`, a number or a string that is one.
    pub(crate) fn read(value: ArgValue<'_>, strings: &Strings) -> Option<Self> {
        let double = |value: f64| value.is_finite().then_some(Self::Double(value));
        match value {
            ArgValue::Int(value) => Some(Self::Int(value)),
            // Rounded: beyond 2^63 a counter's last digits do not show.
            #[allow(clippy::cast_precision_loss)]
            ArgValue::UInt(value) => Some(Self::Double(value as f64)),
            ArgValue::Double(value) => double(value),
            ArgValue::Str(id) => {
                let text = strings.get(id).trim();
                text.parse()
                    .map_or_else(|_| double(text.parse().ok()?), |value| Some(Self::Int(value)))
            }
            _ => None,
        }
    }
}

/// Where each counter of a file is in the trace's list.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    places: HashMap<(u32, StrId, Option<EventId>, StrId), usize>,
}

impl Counters {
    /// Adds one sample to the series of `process`, `name`, `id` and `series`, which is in `list`.
    pub(crate) fn add(
        &mut self,
        (process, name, id, series): (u32, StrId, Option<EventId>, StrId),
        sample: CounterSample,
        list: &mut Vec<Counter>,
    ) {
        let place = *self.places.entry((process, name, id, series)).or_insert_with(|| {
            list.push(Counter { process, name, id, series, samples: Vec::new() });
            list.len() - 1
        });
        if let Some(counter) = list.get_mut(place) {
            counter.samples.push(sample);
        }
    }
}
