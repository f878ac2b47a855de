//! When each launch starts: cores meet at the end of each, so the slowest decides.

use crate::Options;
use crate::plant::Plant;
use crate::rng::Chance;

/// When each launch starts.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Time from each launch's start until the last core is done with it, in ns.
    arrivals: Vec<u32>,
    seed: u64,
    /// Shortest pause between launches, in us.
    gap_us: f64,
    /// Number of the launch that begins later, and by how many ps.
    late: (u64, u64),
    /// Least pause between launches, in ps: the end commands of a group run in it.
    least_ps: u64,
}

/// A launch's start and the release of its sync, in ps of the session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) release: u64,
}

/// Launches start after the firmware's own commands.
const FIRST_START_PS: u64 = 30_000_000;
/// Time for a group's end commands.
const ENDS_PS: u64 = 200_000;
/// Time from the last send of a sync to the end of all waits.
const RELEASE_PS: u64 = 300_000;

impl Plan {
    /// The plan of what each core needs for each launch.
    pub(crate) fn new(options: &Options, cores: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let mut arrivals = Vec::new();
        for core in cores {
            arrivals.resize(arrivals.len().max(core.len()), 0);
            for (slowest, own) in arrivals.iter_mut().zip(core) {
                *slowest = own.max(*slowest);
            }
        }
        Self {
            arrivals,
            seed: options.seed,
            gap_us: options.machine.launch_gap_us,
            late: (options.launches / 2, Plant::launch_gap(&options.plants)),
            least_ps: if options.has_groups() { ENDS_PS } else { 0 },
        }
    }

    /// All launches in order.
    pub(crate) fn spans(&self) -> impl Iterator<Item = Span> {
        let mut start = FIRST_START_PS;
        self.arrivals.iter().zip(0..).map(move |(&arrival, launch)| {
            let release = start + u64::from(arrival) * 1000 + RELEASE_PS;
            let span = Span { start, release };
            start = release + self.pause(launch);
            span
        })
    }

    /// Time in which the host prepares the next launch: 1 to 4 us, and now and then much more.
    fn pause(&self, launch: u64) -> u64 {
        let mut chance = Chance::seeded(self.seed, [u64::MAX, launch, 2]);
        let rare = if chance.next_below(16) == 0 { chance.next_below(40_000_000) } else { 0 };
        let pause = 1_000_000 + chance.next_below(3_000_000) + rare;
        // A gap of 1 us must change nothing.
        let pause = if self.gap_us == 1.0 { pause } else { (pause as f64 * self.gap_us) as u64 };
        let planted = if launch + 1 == self.late.0 { self.late.1 } else { 0 };
        pause.max(self.least_ps) + planted
    }

    /// End of the last launch, in ps of the session.
    pub(crate) fn end(&self) -> u64 {
        self.spans().last().map_or(FIRST_START_PS, |span| span.release)
    }
}
