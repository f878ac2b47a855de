//! Ports whose records count the bytes of another port's commands: their files are exchanged.

use bigtpu_chip::{Chip, Direction, Engine};

use crate::cdma::Port;
use crate::port_messages::Files;
use crate::transfers_compared::plain_bytes;
use crate::wide_events::WideEvents;

/// A send of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sent {
    /// Bytes, as the command says.
    expected: u64,
    /// Bytes, as the record says.
    counted: u64,
}

/// Pairs of ports each of which counts what the other was told to send, and not what it was told itself. `files`: the bytes with the
/// commands of each core.
pub(crate) fn exchanged_by_bytes(
    chip: &'static Chip,
    ports: &[Port<'_>],
    files: &Files<'_>,
) -> Vec<(usize, usize)> {
    let sent: Vec<Vec<Sent>> = ports.iter().map(|port| sends(chip, port, files)).collect();
    let contradicts = |own: &[Sent]| own.iter().any(|sent| sent.counted != sent.expected);
    let odd: Vec<usize> =
        (0..sent.len()).filter(|at| sent.get(*at).is_some_and(|own| contradicts(own))).collect();
    let pairs = odd.iter().enumerate().flat_map(|(nth, a)| {
        let others = odd.iter().skip(nth + 1);
        others.map(|b| (*a, *b))
    });
    let are_exchanged = |(a, b): &(usize, usize)| {
        sent.get(*a).zip(sent.get(*b)).is_some_and(|(a, b)| fits(a, b) && fits(b, a))
    };
    pairs.filter(are_exchanged).collect()
}

/// Whether the records of a port count what the commands of another one send.
fn fits(records: &[Sent], commands: &[Sent]) -> bool {
    let counted = records.iter().map(|sent| sent.counted);
    counted.eq(commands.iter().map(|sent| sent.expected))
}

/// What a port sent by commands whose full bits are known.
fn sends(chip: &'static Chip, port: &Port<'_>, files: &Files<'_>) -> Vec<Sent> {
    let events = &port.clean.events;
    let sent = |at: usize| {
        let owner = port.owner.get(at).copied().flatten()?;
        let bits = files.get(&owner.core)?.get(place_of_bits(events, at)?..)?;
        let command = chip.ops(Engine::Cdma).command(*events.code.get(at)?, bits)?;
        let expected = plain_bytes(chip, Engine::Cdma, &command).filter(|bytes| *bytes > 0)?;
        let pmu = port.clean.monitor.pmu(chip, *events.record.get(at)?)?;
        let direction = Direction::of_command(chip, &command);
        Some(Sent { expected, counted: pmu.traffic(true, direction).bytes })
    };
    (0..events.len()).filter_map(sent).collect()
}

/// Where the full bits of an event's command are, as far as they are known.
fn place_of_bits(events: &WideEvents, at: usize) -> Option<usize> {
    let is_bound = events.binding.get(at)?.is_bound();
    let place = events.bits.get(at).filter(|place| is_bound && **place > 0)?;
    usize::try_from(*place).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(all: &[(u64, u64)]) -> Vec<Sent> {
        all.iter().map(|&(expected, counted)| Sent { expected, counted }).collect()
    }

    #[test]
    fn a_port_fits_the_commands_whose_bytes_it_counts() {
        let (a, b) = (sent(&[(4096, 64), (128, 128)]), sent(&[(64, 4096), (128, 128)]));
        assert!(fits(&a, &b) && fits(&b, &a) && !fits(&a, &a));
        assert!(!fits(&a, &b[..1]));
    }
}
