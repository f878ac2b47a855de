//! Ports whose files are those of other ports, or of another capture.
//!
//! No record says of which port or capture it is. But what a port and the SDMA of its core hand over to each other shows: after idle time
//! one goes on right after the other has ended. Records of another capture do so by chance only, and so do those of two exchanged files,
//! until each is taken for the other. Where full bits are known, exchanged records count the bytes of each other's commands.

use bigtpu_chip::Chip;
use bigtpu_messages::{Arg, Message, message};

use crate::cdma::Port;
use crate::join::Cores;
use crate::port_bytes::exchanged_by_bytes;
use crate::port_hand_overs::{Meetings, meetings, sdma};
use crate::port_messages::Files;

/// Fewer commands that go on after idle time say nothing.
const FEWEST: usize = 5;

impl Meetings {
    /// Nearly all commands go on right after the other side.
    fn fits(self) -> bool {
        self.all >= FEWEST && self.met * 4 >= self.all * 3
    }

    /// Hardly any does. Healthy ports whose SDMA waits for others have up to a quarter.
    fn is_apart(self) -> bool {
        self.all >= FEWEST && self.met * 8 <= self.all
    }

    /// Not more than half of them do.
    fn is_odd(self) -> bool {
        self.all >= FEWEST && self.met * 2 <= self.all
    }
}

/// Tells the ports whose files are those of other ports or of another capture. `files`: the bytes with the commands of each core.
pub(crate) fn tell_misplaced(
    chip: &'static Chip,
    cores: &Cores<'_>,
    ports: &mut [Port<'_>],
    files: &Files<'_>,
) {
    let number = |at: usize| Arg::Number(ports.get(at).map_or(0, |port| port.index).into());
    let by_bytes = exchanged_by_bytes(chip, ports, files);
    let mut told: Vec<(usize, Message)> = by_bytes
        .into_iter()
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .map(|(at, other)| (at, message!("note-ports-exchanged-by-bytes", other = number(other))))
        .collect();
    if told.is_empty() {
        told = apart_from_sdma(cores, ports);
    }
    for (at, message) in told {
        if let Some(port) = ports.get_mut(at) {
            port.notes.loss_anywhere(None, message);
        }
    }
}

/// The ports that a sync pair places, and whose commands are apart from what the SDMA did, though those of other ports are not, or
/// would not be if two files were exchanged; and what is told of them.
fn apart_from_sdma(cores: &Cores<'_>, ports: &[Port<'_>]) -> Vec<(usize, Message)> {
    let anchored: Vec<usize> = (0..ports.len())
        .filter(|at| ports.get(*at).is_some_and(|port| port.anchor.is_some()))
        .collect();
    if anchored.len() < 2 {
        return Vec::new();
    }
    let sdma = sdma(cores);
    let of = |records: usize, commands: usize| match (ports.get(records), ports.get(commands)) {
        (Some(records), Some(commands)) => meetings(&sdma, cores, records, commands),
        _ => Meetings::default(),
    };
    let own: Vec<(usize, Meetings)> = anchored.iter().map(|at| (*at, of(*at, *at))).collect();
    let odd = || own.iter().filter(|(_, meetings)| meetings.is_odd());
    let mut told: Vec<(usize, Message)> = Vec::new();
    for (at, meetings) in odd() {
        let exchanged = odd()
            .map(|(other, _)| *other)
            .find(|other| other != at && of(*at, *other).fits() && of(*other, *at).fits());
        let sound = own.iter().find(|(_, fitting)| meetings.is_apart() && fitting.fits());
        let number = |at: usize| ports.get(at).map_or(0, |port| port.index);
        if let Some(other) = exchanged {
            told.push((
                *at,
                message!("note-ports-exchanged", other = Arg::Number(number(other).into())),
            ));
        } else if let Some((other, fitting)) = sound {
            told.push((
                *at,
                message!(
                    "note-port-of-other-capture",
                    met = meetings.met,
                    all = meetings.all,
                    other = Arg::Number(number(*other).into()),
                    other_met = fitting.met,
                    other_all = fitting.all,
                ),
            ));
        }
    }
    told
}
