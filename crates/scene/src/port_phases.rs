//! What the time of a port's commands is made of: waiting for the peer, transfer, completion.

use bigtpu_chip::PortDirection;
use bigtpu_measure::{CommandTable, PortCommand, PortRole, PortTimes};
use bigtpu_timeline::EngineEvents;

use crate::model::{Content, Detail, Role, Slice, Slices, Track, Value};

/// A track for each direction whose records have moments of data; none where only ends are known.
pub(crate) fn phase_tracks(port: &EngineEvents<'_>, table: &CommandTable) -> Vec<Track> {
    let Some(found) = table.port(port.engine_id) else { return Vec::new() };
    let sides = [
        (PortDirection::Transmit, PortRole::Send, "waiting for credit"),
        (PortDirection::Receive, PortRole::Receive, "waiting for sender"),
    ];
    let tracks = sides.into_iter().filter_map(|(direction, role, waiting)| {
        let mut slices: Vec<Slice> = Vec::new();
        for command in found.commands.iter().filter(|command| command.role == role) {
            let Some((start, end)) = bounds(port, command) else { continue };
            let Some(times) = command.times(start, end) else { continue };
            add(&mut slices, command, start, &times, waiting);
        }
        (!slices.is_empty()).then(|| Track {
            role: Role::Phases(direction),
            content: Content::Slices(Slices::new(slices)),
        })
    });
    tracks.collect()
}

fn bounds(port: &EngineEvents<'_>, command: &PortCommand) -> Option<(i64, i64)> {
    let events = &port.events;
    Some((*events.start.get(command.event)?, *events.end.get(command.event)?))
}

/// The slices of a command; a phase of no time has none.
fn add(
    slices: &mut Vec<Slice>,
    command: &PortCommand,
    mut start: i64,
    times: &PortTimes,
    waiting: &str,
) {
    let event = ("Global Idx", Value::Int(command.event as i64));
    for (name, ns) in [
        (waiting, times.waiting_ns),
        ("transfer", times.transfer_ns),
        ("completion", times.completion_ns),
    ] {
        let mut args = vec![event.clone()];
        if name == "transfer" {
            args.push(("bytes", Value::Int(command.bytes as i64)));
            if command.bytes > 0 && ns > 0 {
                let gbps = command.bytes as f64 / ns as f64;
                args.push(("Link Bandwidth(GB/s)", Value::Double(gbps)));
            }
            args.push(("retries", Value::Int(command.replays.into())));
        }
        if ns > 0 {
            let detail = Detail::Other { category: "phase", args };
            slices.push(Slice { start, end: start + ns, name: name.to_owned(), detail });
        }
        start += ns;
    }
}
