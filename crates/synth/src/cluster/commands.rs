//! The commands of a rank's ports.

use std::collections::BTreeMap;

use super::devices::Devices;
use super::options::ClusterOptions;
use super::simulation::{Pair, Simulation};
use super::words::{NOP, RECEIVE, RX_WAIT, SEND, SYSTEM, TX_WAIT, WRITE};

/// ns that a system command takes.
pub(super) const SYSTEM_NS: f64 = 11.0;
/// ns before an operation's first command at which its port is reset.
const NOP_NS: f64 = 600.0;
/// ns before the first start of any of an operation's commands at which its port is reset, at least: the wait for a message comes between.
const NOP_AHEAD_NS: f64 = 4.0 * SYSTEM_NS;
/// ns from an operation's last command to the one-sided write behind it, and the time that it takes.
const WRITE_NS: (f64, f64) = (200.0, 120.0);
/// Bytes of a one-sided write.
const WRITE_BYTES: u32 = 64;

/// A command of a port.
pub(super) struct PortCommand<'p> {
    pub(super) operation: u32,
    pub(super) port: u8,
    /// Type and sub-type.
    pub(super) code: (u8, u8),
    pub(super) id: u32,
    /// The pair and whether this is its receive; `None` for commands without a partner.
    pub(super) data: Option<(&'p Pair, bool)>,
    /// Bytes that it moves.
    pub(super) bytes: u32,
    /// Chips of source and destination of a one-sided command.
    pub(super) chips: Option<(u8, u8)>,
    pub(super) number: usize,
    pub(super) start: f64,
    pub(super) end: f64,
}

/// All commands of a rank's ports in the order of their dispatch.
pub(super) fn port_commands<'s>(
    options: &ClusterOptions,
    simulation: &'s Simulation<'_>,
    devices: &Devices,
    rank: u32,
) -> Vec<PortCommand<'s>> {
    let mut queue = PortQueue {
        commands: Vec::new(),
        next: [(u32::MAX, 0); 256],
        sent: BTreeMap::new(),
        devices,
        rank,
    };
    let first_starts = first_starts(simulation, rank);
    for (number, pair) in simulation.pairs.iter().enumerate() {
        if !devices.captures(rank, pair.operation) {
            continue;
        }
        let Some(link) = simulation.links.all.get(pair.link) else { continue };
        let sides = [(link.from, link.from_port, false), (link.to, link.to_port, true)];
        for (_, port, receives) in sides.into_iter().filter(|(of, ..)| *of == rank) {
            let operation = pair.operation;
            if options.has_writes && queue.sent.values().any(|(of, ..)| *of != operation) {
                queue.write_flags();
            }
            let times = if receives { pair.receive } else { pair.send };
            let place = queue.place(port);
            let is_new = place.0 != operation;
            if is_new && (options.has_resets || place.0 == u32::MAX) {
                *place = (operation, 0);
                // A receive may be posted long before the first send, which is dispatched first.
                let first = first_starts.get(&(operation, port)).copied().unwrap_or(times[0]);
                let start = (times[0] - NOP_NS).min(first - NOP_AHEAD_NS);
                queue.system(operation, port, NOP, number, start);
                if options.has_messages {
                    let wait = if receives { RX_WAIT } else { TX_WAIT };
                    queue.system(operation, port, wait, number, start + 2.0 * SYSTEM_NS);
                }
            }
            queue.place(port).0 = operation;
            queue.push(PortCommand {
                operation,
                port,
                code: (if receives { RECEIVE } else { SEND }, 0),
                id: 0,
                data: Some((pair, receives)),
                bytes: pair.bytes,
                chips: None,
                number,
                start: times[0],
                end: times[3],
            });
            if !receives {
                queue.sent.insert(port, (operation, link.to));
            }
        }
    }
    if options.has_writes {
        queue.write_flags();
    }
    queue.commands
}

/// First start of the commands of each operation and port of a rank.
fn first_starts(simulation: &Simulation<'_>, rank: u32) -> BTreeMap<(u32, u8), f64> {
    let mut starts: BTreeMap<(u32, u8), f64> = BTreeMap::new();
    for pair in &simulation.pairs {
        let Some(link) = simulation.links.all.get(pair.link) else { continue };
        let sides = [(link.from, link.from_port, pair.send), (link.to, link.to_port, pair.receive)];
        for (_, port, times) in sides.into_iter().filter(|(of, ..)| *of == rank) {
            let first = starts.entry((pair.operation, port)).or_insert(times[0]);
            *first = first.min(times[0]);
        }
    }
    starts
}

/// A rank's port commands in the making.
struct PortQueue<'p, 'd> {
    commands: Vec<PortCommand<'p>>,
    /// Operation that each port's ids count for, and the port's next id.
    next: [(u32, u32); 256],
    /// Operation and receiver of each port that sent in the operation at hand.
    sent: BTreeMap<u8, (u32, u32)>,
    devices: &'d Devices,
    rank: u32,
}

impl<'p> PortQueue<'p, '_> {
    fn place(&mut self, port: u8) -> &mut (u32, u32) {
        &mut self.next[usize::from(port)]
    }

    fn push(&mut self, command: PortCommand<'p>) {
        let place = self.place(command.port);
        let id = place.1;
        place.1 += 1;
        self.commands.push(PortCommand { id, ..command });
    }

    /// A command that moves nothing.
    fn system(&mut self, operation: u32, port: u8, what: u8, number: usize, start: f64) {
        let (data, chips, bytes, id) = (None, None, 0, 0);
        let (code, end) = ((SYSTEM, what), start + SYSTEM_NS);
        self.push(PortCommand {
            operation,
            port,
            code,
            id,
            data,
            bytes,
            chips,
            number,
            start,
            end,
        });
    }

    /// A one-sided write to each receiver of the operation that is done.
    fn write_flags(&mut self) {
        let sent = std::mem::take(&mut self.sent);
        for (port, (operation, to)) in sent {
            let own = self.commands.iter().filter(|c| c.operation == operation);
            let (number, done) = own.fold((0, 0.0f64), |(_, end), c| (c.number, end.max(c.end)));
            let chip = |rank: u32| self.devices.place(rank).1 as u8;
            let start = done + WRITE_NS.0;
            self.push(PortCommand {
                operation,
                port,
                code: (WRITE, 0),
                id: 0,
                data: None,
                bytes: WRITE_BYTES,
                chips: Some((chip(self.rank), chip(to))),
                number,
                start,
                end: start + WRITE_NS.1,
            });
        }
    }
}
