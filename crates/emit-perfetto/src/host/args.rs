//! Arguments of host events.

use bigtpu_host_trace::{ArgValue as HostValue, ArgsRef, HostTrace};

use crate::args::{ArgValue, Args};

/// Arguments as they are in the trace: names, types and nesting kept.
pub(super) fn write_args(args: &mut Args<'_>, host: &HostTrace, at: ArgsRef) {
    if let Some(HostValue::Map(map)) = host.args.get(at) {
        for (name, value) in map {
            write_named(args, host, host.strings.get(name), value);
        }
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
