//! What the tests of whole traces share.
#![allow(clippy::unwrap_used, unreachable_pub)]

use std::path::Path;

use bigtpu_host_trace::{ArgValue, ArgsRef, HostTrace, ReadOptions, StrId};

/// Reads a trace from its text.
pub fn read(json: &str) -> HostTrace {
    HostTrace::read(json.as_bytes(), Path::new("t.json"), &ReadOptions::default()).unwrap()
}

/// The arguments as text.
pub fn args(trace: &HostTrace, args: ArgsRef) -> String {
    fn text(trace: &HostTrace, value: ArgValue<'_>) -> String {
        match value {
            ArgValue::Str(id) => trace.strings.get(id).to_owned(),
            ArgValue::List(list) => {
                format!("[{}]", list.map(|v| text(trace, v)).collect::<Vec<_>>().join(" "))
            }
            ArgValue::Map(map) => {
                let entry = |(key, v)| format!("{}={}", trace.strings.get(key), text(trace, v));
                format!("{{{}}}", map.map(entry).collect::<Vec<_>>().join(" "))
            }
            other => format!("{other:?}"),
        }
    }
    trace.args.get(args).map_or_else(String::new, |value| text(trace, value))
}

/// The string `id` names.
pub fn name(trace: &HostTrace, id: StrId) -> &str {
    trace.strings.get(id)
}
