//! The tracks of the trace, in the order in which they are shown.

use std::collections::{BTreeMap, HashMap};

use bigtpu_cluster::{AllStates, Joined, PairSide, PairView, RankView, StateRun, ThreadCommands};
use bigtpu_output::lanes::{Lanes, assign_lanes};
use bigtpu_perfetto_protos::{TrackDescriptor, track_descriptor};

use super::packets::{Argument, Packets, Slice};
use crate::tables::state_name;

/// Id of the track of all ranks.
const ROOT: u64 = 1;

/// Moments of ranks on the trace's time line. Islands begin together.
pub(super) struct Times {
    /// ns of each island's reference at the trace's 0.
    zero: Vec<f64>,
}

impl Times {
    pub(super) fn new(joined: &Joined) -> Self {
        let islands = joined.ranks().map(|r| r.clock.island + 1).max().unwrap_or(0);
        let mut zero = vec![f64::INFINITY; islands];
        for rank in joined.ranks() {
            if let Some(zero) = zero.get_mut(rank.clock.island) {
                *zero = zero.min(rank.clock.reference(rank.rank.part.window.0).round());
            }
        }
        Self { zero }
    }

    /// ns of the trace at ns of an island's reference.
    fn trace_ns(&self, island: usize, reference: f64) -> u64 {
        let zero = self.zero.get(island).copied().filter(|z| z.is_finite()).unwrap_or(0.0);
        (reference.round() - zero).max(0.0) as u64
    }

    pub(super) fn own(&self, rank: &RankView<'_>, own: i64) -> u64 {
        self.trace_ns(rank.clock.island, rank.clock.reference(own))
    }
}

/// A slice with those inside it.
type Nested = (Slice, Vec<Slice>);

/// Slices of a track. Those of one lane do not overlap, but each may hold others.
pub(super) struct Content {
    track: u64,
    /// Slices, each with those inside it.
    slices: Vec<Nested>,
}

impl Content {
    pub(super) fn write(self, packets: &mut Packets) {
        let mut free = 0;
        for (mut slice, inside) in self.slices {
            // Rounding may make a slice begin before the one before it has ended.
            slice.start = slice.start.max(free);
            slice.end = slice.end.max(slice.start);
            free = slice.end;
            let (end, mut from) = (slice.end, slice.start);
            packets.begin(self.track, slice);
            for mut part in inside {
                part.start = part.start.clamp(from, end);
                part.end = part.end.clamp(part.start, end);
                from = part.end;
                let part_end = part.end;
                packets.begin(self.track, part);
                packets.end(self.track, part_end);
            }
            packets.end(self.track, end);
        }
    }
}

/// The tracks of slices that may overlap: as many as are needed.
pub(super) struct LaneTracks {
    /// Id of the first; those of the others follow.
    first: u64,
    lanes: Lanes,
}

impl LaneTracks {
    /// The content of each.
    fn contents(&self, mut slices: Vec<Nested>) -> Vec<Content> {
        slices.sort_by_key(|(slice, _)| (slice.start, slice.end));
        let Lanes::Several(lanes) = &self.lanes else {
            return vec![Content { track: self.first, slices }];
        };
        let mut rest: Vec<Option<Nested>> = slices.into_iter().map(Some).collect();
        let mut take = |at: &u32| rest.get_mut(*at as usize).and_then(Option::take);
        let content = |(track, lane): (u64, &Vec<u32>)| Content {
            track,
            slices: lane.iter().filter_map(&mut take).collect(),
        };
        (self.first..).zip(lanes).map(content).collect()
    }
}

/// The tracks of a rank without its cores. Their slices are made when they are written: those of all ranks take many times
/// the memory of what they are made of.
pub(super) struct RankTracks {
    /// Id of the track of the rank's states; other tracks are below it.
    pub(super) own: u64,
    kernels: LaneTracks,
    /// The rows, by thread.
    ports: Vec<LaneTracks>,
}

/// All tracks.
pub(super) struct Tracks {
    pub(super) descriptors: Vec<TrackDescriptor>,
    pub(super) content: Vec<Content>,
    pub(super) of_ranks: Vec<RankTracks>,
    rank: i32,
}

impl Tracks {
    pub(super) fn new(joined: &Joined, times: &Times) -> Self {
        let mut tracks =
            Self { descriptors: Vec::new(), content: Vec::new(), of_ranks: Vec::new(), rank: 0 };
        let root = named(ROOT, format!("{} ranks", joined.ranks().len()));
        tracks.descriptors.push(root);
        tracks.critical_path(joined, times);
        tracks.operations(joined, times);
        for rank in joined.ranks() {
            let rank = tracks.rank(&rank, times);
            tracks.of_ranks.push(rank);
        }
        tracks
    }

    /// A track, below another; its id.
    pub(super) fn add(&mut self, parent: u64, name: String) -> u64 {
        self.rank += 1;
        let uuid = ROOT + self.rank as u64;
        let descriptor = TrackDescriptor {
            parent_uuid: Some(parent),
            sibling_order_rank: Some(self.rank),
            ..named(uuid, name)
        };
        self.descriptors.push(descriptor);
        uuid
    }

    /// Tracks of slices that may overlap, with the slices.
    pub(super) fn add_slices(&mut self, parent: u64, name: &str, slices: Vec<Nested>) {
        let spans = slices.iter().map(|(slice, _)| (slice.start, slice.end)).collect();
        let tracks = self.add_lanes(parent, name, spans);
        self.content.extend(tracks.contents(slices));
    }

    /// Tracks of slices that may overlap. `spans`: their starts and ends.
    fn add_lanes(&mut self, parent: u64, name: &str, mut spans: Vec<(u64, u64)>) -> LaneTracks {
        spans.sort_unstable();
        let starts: Vec<i64> = spans.iter().map(|(start, _)| *start as i64).collect();
        let ends: Vec<i64> = spans.iter().map(|(_, end)| *end as i64).collect();
        let lanes = assign_lanes(&starts, &ends);
        let first = self.add(parent, name.to_owned());
        if let Lanes::Several(lanes) = &lanes {
            for number in 2..=lanes.len() {
                self.add(parent, format!("{name} ({number})"));
            }
        }
        LaneTracks { first, lanes }
    }

    fn critical_path(&mut self, joined: &Joined, times: &Times) {
        let number = |at: usize| joined.rank(at).map_or(0, |r| r.rank.number);
        let mut of_island: BTreeMap<usize, Vec<Nested>> = BTreeMap::new();
        for step in &joined.path {
            let name = match step.to {
                None => format!("r{}", number(step.rank)),
                Some(to) => format!("r{} > r{}", number(step.rank), number(to)),
            };
            let category = if step.to.is_some() { "link" } else { "own time" };
            let (from, to) = (
                times.trace_ns(step.island, step.start_ns),
                times.trace_ns(step.island, step.end_ns),
            );
            let slices = of_island.entry(step.island).or_default();
            slices.push((Slice::new(from, to, name, category), Vec::new()));
        }
        let several = joined.cluster.islands.len() > 1;
        for (island, slices) in of_island {
            let of = if several { format!(" of island {island}") } else { String::new() };
            let track = self.add(ROOT, format!("Critical path{of}"));
            self.content.push(Content { track, slices });
        }
    }

    /// A track for each group, and one for the operations of no group.
    fn operations(&mut self, joined: &Joined, times: &Times) {
        let mut of_group: BTreeMap<(bool, &str), Vec<Nested>> = BTreeMap::new();
        for (number, o) in joined.cluster.operations.iter().enumerate() {
            let (start, end) =
                (times.trace_ns(o.island, o.start_ns), times.trace_ns(o.island, o.end_ns));
            let mut slice = Slice::new(start, end, o.kind.to_owned(), "operation");
            slice.arguments = vec![
                Argument::Number("operation", number as i64),
                Argument::Number("ranks", o.ranks.len() as i64),
                Argument::Number("skew_ns", o.skew_ns.round() as i64),
                Argument::Number("transfer_ns", o.transfer_ns.round() as i64),
                Argument::Number("late_rank", o.late_rank.into()),
                Argument::Text("source", o.source.to_owned()),
            ];
            if let Some(bytes) = o.wire_bytes {
                slice.arguments.insert(2, Argument::Number("wire_bytes", bytes as i64));
            }
            if let Some(gbps) = o.bus_gbps {
                slice.arguments.push(Argument::Text("bus_bandwidth", format!("{gbps} GB/s")));
            }
            let group = o.group.as_deref();
            let key = (group.is_none(), group.unwrap_or_default());
            of_group.entry(key).or_default().push((slice, Vec::new()));
        }
        for ((_, name), slices) in of_group {
            let name = if name.is_empty() { "without group" } else { name };
            self.add_slices(ROOT, &format!("Operations {name}"), slices);
        }
    }

    fn rank(&mut self, rank: &RankView<'_>, times: &Times) -> RankTracks {
        let part = &rank.rank.part;
        let identity = &part.identity;
        let name = format!("r{} {} dev{}", rank.rank.number, identity.host, identity.device);
        let own = self.add(ROOT, name);
        let span = |start: i64, end: i64| (times.own(rank, start), times.own(rank, end));
        let kernels = launches(rank).into_iter().map(|(_, start, end)| span(start, end)).collect();
        let kernels = self.add_lanes(own, "Kernels", kernels);
        let mut port = |thread: &ThreadCommands| {
            let direction = if thread.receives { "receive" } else { "send" };
            let spans = thread.commands.iter().map(|command| span(command.start, command.end));
            self.add_lanes(own, &format!("Port {} {direction}", thread.port), spans.collect())
        };
        let ports = part.threads.iter().map(&mut port).collect();
        RankTracks { own, kernels, ports }
    }
}

/// What the tracks of ranks are filled from.
pub(super) struct Filler<'j> {
    joined: &'j Joined,
    times: &'j Times,
    states: AllStates<'j>,
    pairs: Pairs<'j>,
}

impl<'j> Filler<'j> {
    pub(super) fn new(joined: &'j Joined, times: &'j Times) -> Self {
        Self { joined, times, states: joined.states(), pairs: Pairs::new(joined, times) }
    }

    /// Makes the slices of a rank's tracks and gives them to `write`, one track after the other.
    pub(super) fn write<E>(
        &self,
        place: usize,
        rank: &RankView<'_>,
        tracks: &RankTracks,
        mut write: impl FnMut(Content) -> Result<(), E>,
    ) -> Result<(), E> {
        let (part, times) = (&rank.rank.part, self.times);
        let mut at = part.window.0;
        let state = |run: StateRun| {
            let start = at;
            at = at.saturating_add(i64::try_from(run.ns).unwrap_or(i64::MAX));
            let name = state_name(run.state).replace('_', " ");
            let slice = Slice::new(times.own(rank, start), times.own(rank, at), name, "state");
            (slice, Vec::new())
        };
        let slices = self.states.runs_of(place).into_iter().map(state).collect();
        write(Content { track: tracks.own, slices })?;
        let kernels = launches(rank).into_iter().map(|(kernel, start, end)| {
            let name = part.kernels.get(kernel as usize).cloned().unwrap_or_default();
            let slice = Slice::new(times.own(rank, start), times.own(rank, end), name, "kernel");
            (slice, Vec::new())
        });
        tracks.kernels.contents(kernels.collect()).into_iter().try_for_each(&mut write)?;
        for (at, (thread, tracks)) in part.threads.iter().zip(&tracks.ports).enumerate() {
            let pairs = self.pairs.of_thread(place, at, thread);
            let slice = |(i, pair)| command(rank, thread, i, pair, self.joined, times);
            let slices = pairs.into_iter().enumerate().filter_map(slice).collect();
            tracks.contents(slices).into_iter().try_for_each(&mut write)?;
        }
        Ok(())
    }
}

/// The launches of all cores: those of one kernel that overlap are one.
fn launches(rank: &RankView<'_>) -> Vec<(u32, i64, i64)> {
    let mut merged: Vec<(u32, i64, i64)> = Vec::new();
    let mut last: HashMap<u32, usize> = HashMap::new();
    for launch in rank.rank.part.launches.iter() {
        let open = last.get(&launch.kernel).and_then(|at| merged.get_mut(*at));
        match open {
            Some(open) if launch.start <= open.2 => open.2 = open.2.max(launch.end),
            _ => {
                last.insert(launch.kernel, merged.len());
                merged.push((launch.kernel, launch.start, launch.end));
            }
        }
    }
    merged
}

/// A pair: its number, itself, and when its flow begins and ends.
type Pair = (usize, PairView, (u64, u64));

/// The pairs of each thread, made when its slices are.
struct Pairs<'j> {
    joined: &'j Joined,
    times: &'j Times,
    /// The links of a thread of a rank, and the number of each one's first pair.
    links: BTreeMap<(usize, usize), Vec<(usize, usize)>>,
}

impl<'j> Pairs<'j> {
    fn new(joined: &'j Joined, times: &'j Times) -> Self {
        let mut links: BTreeMap<_, Vec<(usize, usize)>> = BTreeMap::new();
        let mut first = 0;
        for (number, link) in joined.links().enumerate() {
            for end in [link.from, link.to] {
                links.entry(end).or_default().push((number, first));
            }
            first += link.pairs;
        }
        Self { joined, times, links }
    }

    /// The pair of each command of a thread.
    fn of_thread(&self, rank: usize, at: usize, thread: &ThreadCommands) -> Vec<Option<Pair>> {
        let mut all = vec![None; thread.commands.len()];
        for &(link, first) in self.links.get(&(rank, at)).into_iter().flatten() {
            for (number, pair) in (first..).zip(self.joined.pairs_of(link)) {
                let side = if thread.receives { &pair.receive } else { &pair.send };
                if let Some(own) = all.get_mut(side.command as usize) {
                    *own = Some((number, pair, self.flow(&pair)));
                }
            }
        }
        all
    }

    fn flow(&self, pair: &PairView) -> (u64, u64) {
        let first = |side: &PairSide| {
            let rank = self.joined.rank(side.rank as usize)?;
            let command = self.joined.command(side)?;
            let waited = side.phases.waiting + side.phases.start_up;
            Some(self.times.own(&rank, command.start + waited))
        };
        (first(&pair.send).unwrap_or(0), first(&pair.receive).unwrap_or(0))
    }
}

/// The slice of a command, with its phases inside it.
fn command(
    rank: &RankView<'_>,
    thread: &ThreadCommands,
    at: usize,
    pair: Option<Pair>,
    joined: &Joined,
    times: &Times,
) -> Option<Nested> {
    let command = thread.commands.get(at)?;
    let (start, end) = (times.own(rank, command.start), times.own(rank, command.end));
    let view: Option<&PairView> = pair.as_ref().map(|(_, view, _)| view);
    let link = view.and_then(|p| joined.cluster.links.get(p.link as usize));
    let (verb, peer) = match thread.receives {
        true => ("receive from", link.map(|l| l.from.rank)),
        false => ("send to", link.map(|l| l.to.rank)),
    };
    let name = match peer {
        Some(peer) => format!("{verb} r{peer}"),
        None => format!("{} without partner", if thread.receives { "receive" } else { "send" }),
    };
    let mut slice = Slice::new(start, end, name, "port");
    let bytes = i64::try_from(command.bytes).unwrap_or(i64::MAX);
    slice.arguments.push(Argument::Number("bytes", bytes));
    slice.arguments.push(Argument::Number("own_start_ns", command.start));
    if command.replays > 0 {
        slice.arguments.push(Argument::Number("retries", command.replays.into()));
    }
    let Some((number, view, (first, last))) = pair else {
        return Some((slice, Vec::new()));
    };
    if let Some(operation) = view.operation {
        slice.arguments.push(Argument::Number("operation", operation.into()));
    }
    let side = if thread.receives { &view.receive } else { &view.send };
    let p = side.phases;
    let waiting = if thread.receives { "late sender" } else { "late receiver" };
    let mut inside = Vec::new();
    let mut from = command.start;
    for (name, ns) in [
        (waiting, p.waiting),
        ("start-up", p.start_up),
        ("transfer", p.transfer),
        ("completion", p.completion),
    ] {
        let is_transfer = name == "transfer";
        if ns > 0 || is_transfer {
            let (start, end) = (times.own(rank, from), times.own(rank, from + ns));
            let mut part = Slice::new(start, end, name.to_owned(), "phase");
            if is_transfer {
                if p.is_estimated {
                    part.arguments.push(Argument::Text("times", "ends only: estimated".to_owned()));
                }
                // Flows follow time: where an estimate turns the two round there is none; 2 ns are rounding.
                if first + 2 < last {
                    (part.flow, part.ends_flow) = (Some(number as u64 + 1), thread.receives);
                }
            }
            inside.push(part);
        }
        from += ns;
    }
    Some((slice, inside))
}

fn named(uuid: u64, name: String) -> TrackDescriptor {
    let by_rank = track_descriptor::ChildTracksOrdering::Explicit;
    TrackDescriptor {
        uuid: Some(uuid),
        child_ordering: Some(by_rank.into()),
        static_or_dynamic_name: Some(track_descriptor::StaticOrDynamicName::Name(name)),
        ..TrackDescriptor::default()
    }
}
