//! Metadata events: names, labels and order of processes and threads.

use crate::arg_value::ArgValue;
use crate::error::EventError;
use crate::fields::{Fields, text};
use crate::model::HostTrace;
use crate::places::Places;
use crate::strings::StrId;

/// Applies an `M` event; the last one of a kind wins. False for one whose name means nothing here.
pub(crate) fn apply(
    event: &Fields<'_>,
    trace: &mut HostTrace,
    places: &mut Places,
) -> Result<bool, EventError> {
    match text(event.name).as_ref() {
        "process_name" => {
            let name = Some(name(event, trace, "name")?);
            let process = places.process(trace, event)?;
            set(&mut trace.processes, process, |process| process.name = name);
        }
        "process_labels" => {
            let labels = Some(name(event, trace, "labels")?);
            let process = places.process(trace, event)?;
            set(&mut trace.processes, process, |process| process.labels = labels);
        }
        "process_sort_index" => {
            let sort_index = Some(sort_index(event, trace)?);
            let process = places.process(trace, event)?;
            set(&mut trace.processes, process, |process| process.sort_index = sort_index);
        }
        "thread_name" => {
            let name = Some(name(event, trace, "name")?);
            let thread = places.thread(trace, event)?;
            set(&mut trace.threads, thread, |thread| thread.name = name);
        }
        "thread_sort_index" => {
            let sort_index = Some(sort_index(event, trace)?);
            let thread = places.thread(trace, event)?;
            set(&mut trace.threads, thread, |thread| thread.sort_index = sort_index);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn set<T>(list: &mut [T], place: u32, change: impl FnOnce(&mut T)) {
    if let Some(item) = list.get_mut(place as usize) {
        change(item);
    }
}

/// The argument `key` of `event`.
fn argument<'t>(
    event: &Fields<'_>,
    trace: &'t HostTrace,
    key: &'static str,
) -> Result<ArgValue<'t>, EventError> {
    let found = match (trace.args.get(event.args), trace.strings.lookup(key)) {
        (Some(ArgValue::Map(map)), Some(id)) => map.get(id),
        _ => None,
    };
    found.ok_or(EventError::Metadata(key))
}

/// The text of the argument `key`: a string, or an integer.
fn name(event: &Fields<'_>, trace: &mut HostTrace, key: &'static str) -> Result<StrId, EventError> {
    let name = match argument(event, trace, key)? {
        ArgValue::Str(name) => trace.strings.get(name).to_owned(),
        ArgValue::Int(number) => number.to_string(),
        ArgValue::UInt(number) => number.to_string(),
        _ => return Err(EventError::Metadata(key)),
    };
    Ok(trace.strings.name(&name))
}

/// The argument `sort_index`: an integer, also as text or with an empty fraction.
fn sort_index(event: &Fields<'_>, trace: &HostTrace) -> Result<i64, EventError> {
    const KEY: &str = "sort_index";
    match argument(event, trace, KEY)? {
        ArgValue::Int(index) => Ok(index),
        // Only order counts: a fraction is cut off, and what is too large saturates.
        #[allow(clippy::cast_possible_truncation)]
        ArgValue::Double(index) if !index.is_nan() => Ok(index as i64),
        ArgValue::UInt(_) => Ok(i64::MAX),
        ArgValue::Str(text) => {
            trace.strings.get(text).trim().parse().map_err(|_| EventError::Metadata(KEY))
        }
        _ => Err(EventError::Metadata(KEY)),
    }
}
