//! A part from the analyzed events of a dump.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_measure::{CommandTable, Launches, PortCommand, PortRole};
use bigtpu_timeline::{BuildOptions, Dump, EngineEvents, Profile};

use crate::alike::alike;
use crate::commands::DataCommand;
use crate::launches::Launch;
use crate::part::{DumpPart, Identity, OneSided, ThreadCommands};
use crate::runs::Runs;
use crate::runs::{CoreState, CoreStretch};

impl DumpPart {
    /// Analyzes a dump and takes its part.
    #[must_use]
    pub fn of_dump(identity: Identity, dump: &Dump, options: &BuildOptions) -> Self {
        let profile = Profile::build(dump, options);
        let table = CommandTable::decode(&profile);
        let launches = Launches::collect(&profile);
        Self::from_profile(identity, &profile, &table, &launches)
    }

    /// The part of an analyzed dump. `table` and `launches` are the profile's.
    #[must_use]
    pub fn from_profile(
        identity: Identity,
        profile: &Profile<'_>,
        table: &CommandTable,
        launches: &Launches,
    ) -> Self {
        let threads: Vec<ThreadCommands> =
            profile.ports.iter().flat_map(|track| threads_of(profile, track, table)).collect();
        let starts = profile.tracks().filter_map(|t| t.events.start.iter().min());
        let start = starts.min().copied().unwrap_or(0);
        let ends = profile.tracks().filter_map(|t| t.events.end.iter().max());
        let end = ends.max().copied().unwrap_or(start).max(start);
        let mut launch_list: Vec<Launch> = launches
            .cores
            .iter()
            .flatten()
            .map(|slice| Launch { kernel: slice.kernel, start: slice.start, end: slice.end })
            .collect();
        launch_list.sort_by_key(|l| (l.start, l.end, l.kernel));
        let lost = profile.ledger.lines.iter().map(|line| line.counts.lost).sum();
        Self {
            identity,
            window: (start, end),
            events: profile.event_count() as u64,
            lost_records: lost,
            has_loss: profile.ledger.has_loss(),
            has_commands: !profile.kernels.is_empty()
                || profile.ports.iter().any(|t| t.events.binding.iter().any(|b| b.is_bound())),
            kernels: profile.kernels.clone(),
            threads,
            one_sided: one_sided(profile, table),
            alike: alike(profile, table),
            runs: runs_of(profile, table, launches, (start, end)),
            launches: launch_list.into_iter().collect(),
            tail_offset_ns: profile.tail_offset_ns,
            latest_end: profile.latest_end,
            ..Self::default()
        }
    }
}

/// The threads of a port that moved data.
fn threads_of(
    profile: &Profile<'_>,
    track: &EngineEvents<'_>,
    table: &CommandTable,
) -> Vec<ThreadCommands> {
    let Some(found) = table.port(track.engine_id) else { return Vec::new() };
    let left_out = found.commands.iter().filter(|c| c.role == PortRole::Unknown).count() as u64;
    let line = profile.ledger.lines.iter().find(|line| line.engine_id == track.engine_id);
    let is_whole = line.is_some_and(|line| {
        let counts = &line.counts;
        counts.commands > 0 && (counts.unseen, counts.lost) == (0, 0)
    });
    let mut threads = Vec::new();
    for receives in [false, true] {
        let role = if receives { PortRole::Receive } else { PortRole::Send };
        let mut commands: Vec<DataCommand> = Vec::new();
        let mut section = 0;
        let mut last: Option<(u32, i64)> = None;
        let own = || found.commands.iter().filter(|c| c.role == role);
        let has_shapes = own().next().is_some() && own().all(|c| c.said.bytes.is_some());
        let differs = |c: &&PortCommand| c.bytes > 0 && Some(c.bytes) != c.said.bytes;
        let other_bytes = if has_shapes { own().filter(differs).count() as u64 } else { 0 };
        for command in own() {
            let i = command.event;
            let events = &track.events;
            let (Some(&start), Some(&end), Some(id)) =
                (events.start.get(i), events.end.get(i), events.id.get(i))
            else {
                continue;
            };
            let end = end.max(start);
            let tag = profile.tag(track, i);
            let scope = tag.scope.map_or(0, |scope| scope + 1);
            if last.is_some_and(|(before, before_id)| before != scope || id <= before_id) {
                section += 1;
            }
            last = Some((scope, id));
            let (first, last_data) = command.data.unwrap_or((start, end));
            commands.push(DataCommand {
                start,
                first: first.clamp(start, end),
                last: last_data.clamp(start, end),
                end,
                bytes: command.said.bytes.filter(|_| has_shapes).unwrap_or(command.bytes),
                replays: command.replays,
                kernel: tag.kernel.map_or(0, |kernel| kernel + 1),
                scope,
                section,
                reduces: command.said.reduces.map_or(0, |reduces| 1 + u8::from(reduces)),
                peer: command.said.peer.map_or(0, |chip| chip.saturating_add(1)),
            });
        }
        if commands.is_empty() && (receives || left_out == 0) {
            continue;
        }
        threads.push(ThreadCommands {
            port: track.engine_id.index,
            receives,
            is_anchored: track.anchor.is_some(),
            has_moments: found.has_moments(role),
            commands: commands.into_iter().collect(),
            has_shapes,
            is_whole,
            other_bytes,
            left_out: if receives { 0 } else { left_out },
        });
    }
    threads
}

/// Commands of ports that have no partner.
fn one_sided(profile: &Profile<'_>, table: &CommandTable) -> Vec<OneSided> {
    let mut all: BTreeMap<(u32, Option<u8>), OneSided> = BTreeMap::new();
    for track in &profile.ports {
        let Some(found) = table.port(track.engine_id) else { continue };
        let port = track.engine_id.index;
        for command in found.commands.iter().filter(|c| c.role == PortRole::OneSided) {
            let peer = command.said.peer;
            let row =
                all.entry((port, peer)).or_insert(OneSided { port, peer, ..OneSided::default() });
            let times =
                (track.events.start.get(command.event), track.events.end.get(command.event));
            let ns =
                times.0.zip(times.1).map_or(0, |(start, end)| end.saturating_sub(*start).max(0));
            row.commands += 1;
            row.bytes += command.said.bytes.unwrap_or(command.bytes);
            row.ns += ns as u64;
        }
    }
    all.into_values().collect()
}

/// Intervals that overlap or touch become one.
fn union(mut intervals: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    intervals.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (start, end) in intervals {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ if end > start => joined.push((start, end)),
            _ => {}
        }
    }
    joined
}

/// What the cores did, by priority, from the window's start to its end.
fn runs_of(
    profile: &Profile<'_>,
    table: &CommandTable,
    launches: &Launches,
    window: (i64, i64),
) -> Runs {
    let mut of_state: [Vec<(i64, i64)>; 3] = Default::default();
    for track in table.tracks(profile) {
        if track.engine_id.engine == Engine::Cdma {
            continue;
        }
        let is_tiu = track.engine_id.engine == Engine::Tiu;
        let times = track.events.start.iter().zip(&track.events.end);
        for ((start, end), kind) in times.zip(track.event_kinds()) {
            let state = match (kind.activity.is_work(), is_tiu) {
                (true, true) => 0,
                (true, false) => 1,
                (false, _) => 2,
            };
            if let Some(list) = of_state.get_mut(state) {
                list.push((*start, *end));
            }
        }
    }
    let in_launch: Vec<(i64, i64)> =
        launches.cores.iter().chain(&launches.ports).flatten().map(|l| (l.start, l.end)).collect();
    let has_launches = !in_launch.is_empty();
    let [compute, memory, sync] = of_state.map(union);
    let layers = [compute, memory, sync, union(in_launch)];
    // By moment: how each layer's being changes.
    let mut changes: BTreeMap<i64, [i32; 4]> = BTreeMap::new();
    for (layer, intervals) in layers.iter().enumerate() {
        for (start, end) in intervals {
            changes.entry(*start).or_default()[layer] += 1;
            changes.entry(*end).or_default()[layer] -= 1;
        }
    }
    let mut runs: Vec<CoreStretch> = Vec::new();
    let mut now = [0i32; 4];
    let mut at = window.0;
    let mut push = |state: CoreState, ns: i64| {
        let ns = ns.max(0) as u64;
        match runs.last_mut() {
            _ if ns == 0 => {}
            Some(last) if last.state == state => last.ns += ns,
            _ => runs.push(CoreStretch { state, ns }),
        }
    };
    for (moment, change) in changes {
        let moment = moment.clamp(window.0, window.1);
        push(state_of(now, has_launches), moment - at);
        at = moment.max(at);
        now.iter_mut().zip(change).for_each(|(now, change)| *now += change);
    }
    push(state_of(now, has_launches), window.1 - at);
    runs.into_iter().collect()
}

fn state_of(now: [i32; 4], has_launches: bool) -> CoreState {
    match now {
        [1..=i32::MAX, ..] => CoreState::Compute,
        [_, 1..=i32::MAX, ..] => CoreState::Memory,
        [_, _, 1..=i32::MAX, _] => CoreState::Sync,
        [.., 1..=i32::MAX] => CoreState::Idle,
        _ if has_launches => CoreState::Launch,
        _ => CoreState::Idle,
    }
}
