//! All ranks as one Perfetto trace on the aligned clock.
//!
//! ```text
//! 8 ranks
//!   Critical path            own time and links, by rank
//!   Operations g0            the operations of a group
//!   r0 host0 dev0            states of the rank
//!     Kernels
//!     Port 0 send            commands; inside each: waiting, start-up, transfer, completion
//!     Port 1 receive
//!     Core 0                 engines, where the dump is at hand and they are asked for
//!       TIU
//! ```
//!
//! Flows go from the transfer of a send to that of its receive.

mod cores;
mod packets;
mod tracks;

use bigtpu_cluster::{Joined, RankView};
use bigtpu_output::{ByLibrary, OutDir, OutputError, Written};
use rayon::prelude::*;

pub use cores::{CoreEvent, CoreTrack};
use packets::{Attribute, Packets};
use tracks::{Filler, Times, Tracks};

/// Name of the trace.
pub const TRACE_FILE: &str = "cluster.pftrace";

/// Bytes that a command of a port with its phases, and what else is on its rank, takes at most.
const BYTES_PER_COMMAND: u64 = 900;
/// Bytes of a stretch of a state or a launch.
const BYTES_PER_RUN: u64 = 130;

/// Bytes of the trace, at most about. Beyond `enough` the states, which take long to find, are not counted.
#[must_use]
pub fn trace_bytes_at_most(joined: &Joined, enough: u64) -> u64 {
    let of_ports = |rank: RankView<'_>| {
        let part = &rank.rank.part;
        part.command_count() as u64 * BYTES_PER_COMMAND + part.launches.len() as u64 * BYTES_PER_RUN
    };
    let ports: u64 = joined.ranks().map(of_ports).sum();
    if ports > enough {
        return ports;
    }
    let all = joined.states();
    let states = (0..joined.ranks().len()).into_par_iter();
    let states: u64 = states.map(|place| all.runs_of(place).len() as u64 * BYTES_PER_RUN).sum();
    ports + states
}

/// Bytes that the cores and engines of a rank add, at most about.
#[must_use]
pub fn core_bytes_at_most(rank: &RankView<'_>) -> u64 {
    rank.rank.part.events * cores::BYTES_PER_EVENT
}

/// Gives the engines of a rank's cores; `None`: they are not shown.
pub type Cores<'c> = dyn FnMut(&RankView<'_>) -> Option<Vec<CoreTrack>> + 'c;

/// Writes the trace.
///
/// # Errors
/// [`OutputError`] when it can't be written.
pub fn write_trace(
    joined: &Joined,
    cores: &mut Cores<'_>,
    out: &OutDir,
) -> Result<Written, OutputError> {
    let mut file = out.file(TRACE_FILE)?;
    let mut packets = Packets::default();
    packets.attributes(attributes(joined));
    let times = Times::new(joined);
    let mut tracks = Tracks::new(joined, &times);
    for descriptor in std::mem::take(&mut tracks.descriptors) {
        packets.track(descriptor);
    }
    file.append(&ByLibrary(&packets.take()))?;
    for track in std::mem::take(&mut tracks.content) {
        track.write(&mut packets);
        file.append(&ByLibrary(&packets.take()))?;
    }
    let of_ranks = std::mem::take(&mut tracks.of_ranks);
    let filler = Filler::new(joined, &times);
    for (place, (rank, own)) in joined.ranks().zip(&of_ranks).enumerate() {
        filler.write(place, &rank, own, |content| {
            content.write(&mut packets);
            file.append(&ByLibrary(&packets.take()))
        })?;
    }
    for (rank, own) in joined.ranks().zip(&of_ranks) {
        if let Some(all) = cores(&rank) {
            cores::write(all, &rank, own.own, &mut tracks, &times, &mut packets);
            file.append(&ByLibrary(&packets.take()))?;
        }
    }
    file.commit()
}

/// What the trace says of itself.
fn attributes(joined: &Joined) -> Vec<Attribute> {
    let cluster = &joined.cluster;
    let sigma = cluster.clocks.iter().filter_map(|c| c.sigma_ns).fold(0.0, f64::max);
    let time_line = format!(
        "one clock for the ranks of an island, from sends and receives: greatest standard error {sigma:.0} ns, {} of {} \
         orders violated; the method is not yet verified on hardware; islands begin together",
        cluster.ledger.violations, cluster.ledger.orders
    );
    vec![
        ("bigtpuprofile.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("bigtpuprofile.time_line".to_owned(), time_line),
        ("bigtpuprofile.verdict".to_owned(), cluster.verdict.join(" ")),
    ]
}
