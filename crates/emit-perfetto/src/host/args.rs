//! Arguments of host events.

use bigtpu_host_trace::{ArgValue as HostValue, ArgsRef, EventId, HostTrace, Instant};

use crate::args::{ArgValue, Args};

/// Arguments as they are in the trace: names, types and nesting kept.
pub(super) fn write_args(args: &mut Args<'_>, host: &HostTrace, at: ArgsRef) {
    if let Some(HostValue::Map(map)) = host.args.get(at) {
        for (name, value) in map {
            write_named(args, host, host.strings.get(name), value);
        }
    }
}

/// The event's own time, where it is shown at another one: see [`bigtpu_host_trace::Bulk`].
pub(super) fn write_own_time(args: &mut Args<'_>, host: &HostTrace, at_ns: i64) {
    if host.bulk.is_early(at_ns) {
        args.named("own time (ns)", ArgValue::Int(at_ns));
    }
}

/// What an instant is, where that is not clear without, and its id.
pub(super) fn write_kind(args: &mut Args<'_>, host: &HostTrace, instant: &Instant) {
    if let Some(kind) = instant.kind.name() {
        args.named("event", ArgValue::Text(kind));
    }
    match instant.id {
        Some(EventId::Number(number)) => args.named("id", ArgValue::Uint(number)),
        Some(EventId::Text(id)) => args.named("id", ArgValue::Text(host.strings.get(id))),
        None => {}
    }
}

fn write_named(args: &mut Args<'_>, host: &HostTrace, name: &str, value: HostValue<'_>) {
    match value {
        HostValue::Map(map) => args.named_dict(name, |args| {
            for (name, value) in map {
                write_named(args, host, host.strings.get(name), value);
            }
        }),
        HostValue::List(list) => args.named_list(name, |args| {
            for value in list {
                write_item(args, host, value);
            }
        }),
        _ => args.named(name, plain(host, value)),
    }
}

fn write_item(args: &mut Args<'_>, host: &HostTrace, value: HostValue<'_>) {
    match value {
        HostValue::Map(map) => args.nested_item(true, |args| {
            for (name, value) in map {
                write_named(args, host, host.strings.get(name), value);
            }
        }),
        HostValue::List(list) => args.nested_item(false, |args| {
            for value in list {
                write_item(args, host, value);
            }
        }),
        _ => args.item(plain(host, value)),
    }
}

fn plain<'h>(host: &'h HostTrace, value: HostValue<'_>) -> ArgValue<'h> {
    match value {
        HostValue::Bool(b) => ArgValue::Bool(b),
        HostValue::Int(n) => ArgValue::Int(n),
        HostValue::UInt(n) => ArgValue::Uint(n),
        HostValue::Double(x) => ArgValue::Double(x),
        HostValue::Str(id) => ArgValue::Text(host.strings.get(id)),
        HostValue::Null | HostValue::Map(_) | HostValue::List(_) => ArgValue::Text("null"),
    }
}
