//! Kernel slices, runs of events of one kernel launch (section 8.3), and the launches that they are parts of.

use bigtpu_timeline::{Core, Mode, Profile, Tag, Track};
use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

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
    /// Slices by core, as views draw them.
    pub core_slices: Vec<Vec<KernelSlice>>,
    /// Slices by port.
    pub port_slices: Vec<Vec<KernelSlice>>,
}

impl Launches {
    /// Of a profile, cores and ports in parallel.
    #[must_use]
    pub fn of(profile: &Profile<'_>) -> Self {
        let of_core = |core: &Core<'_>| {
            let tracks: Vec<&Track<'_>> = core.tracks.iter().collect();
            with_launches(kernel_slices(profile, &tracks))
        };
        let of_port = |port: &Track<'_>| with_launches(kernel_slices(profile, &[port]));
        let (core_slices, cores) = profile.cores.par_iter().map(of_core).unzip();
        let (port_slices, ports) = profile.ports.par_iter().map(of_port).unzip();
        Self { cores, ports, core_slices, port_slices }
    }
}

fn with_launches(slices: Vec<KernelSlice>) -> (Vec<KernelSlice>, Vec<KernelSlice>) {
    let launches = kernel_launches(&slices);
    (slices, launches)
}

/// Kernel slices of the given tracks together (a core's engines, or one port), in time order.
#[must_use]
pub fn kernel_slices(profile: &Profile<'_>, tracks: &[&Track<'_>]) -> Vec<KernelSlice> {
    // Start, end and tag number of the events of kernels with a name; others are skipped.
    let mut parts: Vec<(i64, i64, u32)> =
        Vec::with_capacity(tracks.iter().map(|t| t.events.len()).sum());
    for track in tracks {
        let events = &track.events;
        let mut last = None;
        for ((&start, &end), &number) in events.start.iter().zip(&events.end).zip(&events.tag) {
            let is_named = match last {
                Some((of, is_named)) if of == number => is_named,
                _ => tag_of(profile, number).is_some_and(|tag| has_name(profile, tag)),
            };
            last = Some((number, is_named));
            if is_named {
                parts.push((start, end, number));
            }
        }
    }
    parts.sort_by_key(|&(start, end, _)| (start, end));
    let mut slices: Vec<KernelSlice> = Vec::new();
    let mut seen_batches: HashSet<u32> = HashSet::default();
    let mut last: Option<(u32, Tag)> = None;
    for (start, end, number) in parts {
        if let (Some(slice), true) = (slices.last_mut(), last.is_some_and(|l| l.0 == number)) {
            slice.end = slice.end.max(end);
            slice.events += 1;
            continue;
        }
        let Some(tag) = tag_of(profile, number) else { continue };
        let Some(kernel) = tag.kernel else { continue };
        let same = last.is_some_and(|(_, last)| same_launch(last, tag));
        last = Some((number, tag));
        if !same {
            seen_batches.clear();
            slices.push(KernelSlice {
                kernel,
                start,
                end,
                runs_ns: 0,
                scope: tag.scope,
                batches: Vec::new(),
                modes: Vec::new(),
                events: 0,
                has_missing_commands: false,
            });
        }
        let Some(slice) = slices.last_mut() else { continue };
        slice.end = slice.end.max(end);
        slice.events += 1;
        let lacks = profile.has_missing_commands.get(number as usize);
        slice.has_missing_commands |= lacks.is_some_and(|lacks| *lacks);
        if let Some(batch) = tag.batch.filter(|&b| seen_batches.insert(b)) {
            slice.batches.push(batch);
        }
        if let Some(mode) = tag.mode.filter(|m| !slice.modes.contains(m)) {
            slice.modes.push(mode);
        }
    }
    slices.shrink_to_fit();
    for slice in &mut slices {
        slice.runs_ns = slice.end - slice.start;
        slice.batches.sort_unstable();
        slice.modes.sort_unstable();
    }
    slices
}

fn tag_of(profile: &Profile<'_>, number: u32) -> Option<Tag> {
    profile.tags.get(number as usize).copied()
}

fn has_name(profile: &Profile<'_>, tag: Tag) -> bool {
    profile.kernel(tag).is_some_and(|name| !name.is_empty())
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

fn same_launch(last: Tag, tag: Tag) -> bool {
    if last.scope.is_some() || tag.scope.is_some() {
        last.scope == tag.scope
    } else {
        last.kernel == tag.kernel && last.batch == tag.batch
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
}
