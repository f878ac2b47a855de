//! Kernel slices (section 8.3), and the launches that they are parts of.

use bigtpu_timeline::{Core, EngineEvents, Mode, Profile};
use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use crate::kernel_runs::kernel_slices;

/// A run of events of one kernel launch on a core or port, or the whole launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelSlice {
    /// Index into [`Profile::kernels`].
    pub kernel: u32,
    /// ns.
    pub start: i64,
    /// ns.
    pub end: i64,
    /// ns in which its runs of events took place: of a launch whose events interleave with those of others less than
    /// from its start to its end.
    pub runs_ns: i64,
    /// Number of the launch over the whole dump; absent where the runtime did not say.
    pub scope: Option<u32>,
    /// Batches of its events, ascending.
    pub batches: Vec<u32>,
    /// Modes of its events: RVT, TDI, DES.
    pub modes: Vec<Mode>,
    /// Events in it.
    pub events: u64,
    /// Commands of its launch have no record, or records of another launch: its time and work are uncertain.
    pub has_missing_commands: bool,
}

/// The kernel slices and launches of every core and port.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launches {
    /// Launches by core.
    pub cores: Vec<Vec<KernelSlice>>,
    /// Launches by port, in the profile's order.
    pub ports: Vec<Vec<KernelSlice>>,
    /// Slices by core; none where they are the launches, as in most runs.
    core_slices: Vec<Vec<KernelSlice>>,
    /// Slices by port; none where they are the launches.
    port_slices: Vec<Vec<KernelSlice>>,
}

impl Launches {
    /// Collects the slices and launches of a profile, cores and ports in parallel.
    #[must_use]
    pub fn collect(profile: &Profile<'_>) -> Self {
        let of_core = |core: &Core<'_>| {
            let tracks: Vec<&EngineEvents<'_>> = core.tracks.iter().collect();
            with_launches(kernel_slices(profile, &tracks))
        };
        let of_port = |port: &EngineEvents<'_>| with_launches(kernel_slices(profile, &[port]));
        let (core_slices, cores) = profile.cores.par_iter().map(of_core).unzip();
        let (port_slices, ports) = profile.ports.par_iter().map(of_port).unzip();
        Self { cores, ports, core_slices, port_slices }
    }

    /// Slices by core, as views draw them.
    #[must_use]
    pub fn core_slices(&self) -> Vec<&[KernelSlice]> {
        slices_of(&self.core_slices, &self.cores)
    }

    /// Slices by port, in the profile's order.
    #[must_use]
    pub fn port_slices(&self) -> Vec<&[KernelSlice]> {
        slices_of(&self.port_slices, &self.ports)
    }
}

/// Slices by core or port, where they are the launches these.
fn slices_of<'l>(
    slices: &'l [Vec<KernelSlice>],
    launches: &'l [Vec<KernelSlice>],
) -> Vec<&'l [KernelSlice]> {
    let both = slices.iter().zip(launches);
    let own = |(slices, launches): (&'l Vec<_>, &'l Vec<_>)| match slices.is_empty() {
        true => launches.as_slice(),
        false => slices.as_slice(),
    };
    both.map(own).collect()
}

/// The slices of a core or port, or none if they are its launches; and the launches.
fn with_launches(slices: Vec<KernelSlice>) -> (Vec<KernelSlice>, Vec<KernelSlice>) {
    let mut seen: HashSet<u32> = HashSet::default();
    if slices.iter().filter_map(|slice| slice.scope).all(|scope| seen.insert(scope)) {
        return (Vec::new(), slices);
    }
    let launches = kernel_launches(&slices);
    (slices, launches)
}

/// Kernel launches of a core's or port's slices, in the order of their starts: all events of one scope, however they
/// interleave with those of others. Where the runtime did not say the scopes, a launch is a kernel slice.
fn kernel_launches(slices: &[KernelSlice]) -> Vec<KernelSlice> {
    let mut launches: Vec<KernelSlice> = Vec::new();
    let mut of_scope: HashMap<u32, usize> = HashMap::default();
    for slice in slices {
        let number = slice.scope.map(|scope| *of_scope.entry(scope).or_insert(launches.len()));
        match number.and_then(|number| launches.get_mut(number)) {
            Some(launch) => launch.join(slice),
            None => launches.push(slice.clone()),
        }
    }
    launches.shrink_to_fit();
    launches
}

impl KernelSlice {
    /// ns that it took. Records that lack commands may have events of another launch far away, so that only the runs
    /// count; a complete one also counts the time between them.
    #[must_use]
    pub fn duration_ns(&self) -> i64 {
        if self.has_missing_commands { self.runs_ns } else { self.end - self.start }
    }

    /// Adds a later part of the same launch.
    fn join(&mut self, part: &Self) {
        // Parts come in the order of their starts: what is new of one lies behind all before it.
        self.runs_ns += (part.end - part.start.max(self.end)).max(0);
        self.start = self.start.min(part.start);
        self.end = self.end.max(part.end);
        self.events += part.events;
        self.has_missing_commands |= part.has_missing_commands;
        self.batches.extend(&part.batches);
        self.batches.sort_unstable();
        self.batches.dedup();
        self.modes.extend(&part.modes);
        self.modes.sort_unstable();
        self.modes.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(scope: u32, start: i64, end: i64, has_missing_commands: bool) -> KernelSlice {
        KernelSlice {
            kernel: 0,
            start,
            end,
            runs_ns: end - start,
            scope: Some(scope),
            batches: Vec::new(),
            modes: Vec::new(),
            events: 1,
            has_missing_commands,
        }
    }

    /// A launch with an event of another one, far away, does not take all the time between.
    #[test]
    fn launches_that_lack_commands_take_the_time_of_their_runs() {
        let broken = [run(1, 0, 30, true), run(2, 20, 60, false), run(1, 25, 40, false)];
        let far = [run(1, 900, 910, false), run(2, 920, 930, false)];
        let launches = kernel_launches(&[broken.as_slice(), &far].concat());
        let times: Vec<_> = launches.iter().map(|l| (l.start, l.end, l.duration_ns())).collect();
        assert_eq!(times, [(0, 910, 50), (20, 930, 910)]);
    }

    #[test]
    fn slices_that_are_launches_are_kept_once() {
        for slices in [vec![run(1, 0, 30, false)], vec![run(1, 0, 30, false); 2]] {
            let (own, launches) = with_launches(slices.clone());
            assert_eq!(launches, kernel_launches(&slices));
            assert_eq!(slices_of(&[own], &[launches]), [slices]);
        }
    }
}
