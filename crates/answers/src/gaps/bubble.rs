//! One engine's bubbles: the times between its work, compact until their names are needed.

use bigtpu_chip::Engine;
use bigtpu_measure::{EngineTrack, Event, Model, Times};
use bigtpu_timeline::Tag;

use super::{Cause, Edge, Gap};

/// A time in which an engine did no work, with the events at its edges.
pub(super) struct Bubble {
    /// ns.
    pub(super) start: i64,
    /// ns.
    pub(super) end: i64,
    sync_ns: i64,
    other_engine_ns: i64,
    pub(super) cost_ns: i64,
    pub(super) cause: Cause,
    before: Option<u32>,
    after: Option<u32>,
}

impl Bubble {
    /// Length in ns.
    pub(super) fn ns(&self) -> i64 {
        self.end - self.start
    }

    /// With its names; the send is found later.
    pub(super) fn gap(&self, model: &Model<'_>, track: &EngineTrack<'_>) -> Gap {
        let edge = |event: Option<u32>| Some(edge(model, &model.event(track, event? as usize)?));
        Gap {
            engine: track.engine_id.engine.name().to_owned(),
            index: track.engine_id.index,
            start_ns: self.start,
            end_ns: self.end,
            sync_ns: self.sync_ns,
            other_engine_ns: self.other_engine_ns,
            idle_ns: self.ns() - self.sync_ns - self.other_engine_ns,
            cost_ns: self.cost_ns,
            cause: self.cause,
            before: edge(self.before),
            after: edge(self.after),
            waited_for: None,
            with: Vec::new(),
        }
    }
}

/// Shows a track's bubbles in order; a track that did no work has none.
pub(super) fn for_each_bubble(
    model: &Model<'_>,
    times: &Times,
    number: usize,
    track: &EngineTrack<'_>,
    mut show: impl FnMut(Bubble),
) {
    let Some(own) = times.tracks.get(number).filter(|own| own.commands > 0) else {
        return;
    };
    let core = Some(track.engine_id).filter(|id| id.engine != Engine::Cdma);
    let core = core.and_then(|id| times.cores.get(id.index as usize));
    let core_work = core.map_or(&own.work, |core| &core.work);
    // The engine itself does not work in its bubbles: what works on the core is another.
    let mut any_engine = core_work.coverage();
    let sync_alone = own.sync.without(core_work);
    let (mut sync, mut sync_alone) = (own.sync.coverage(), sync_alone.coverage());
    let mut bubble = |start: i64, end: i64, before: Option<u32>, after: Option<u32>| {
        let sync_ns = sync.covered(start, end);
        let any_engine_ns = any_engine.covered(start, end);
        let meanwhile = if sync_ns == 0 { 0 } else { sync_ns - sync_alone.covered(start, end) };
        let other_engine_ns = any_engine_ns - meanwhile;
        let idle_ns = end - start - sync_ns - other_engine_ns;
        let cost_ns = end - start - any_engine_ns;
        let cause = match (before, after) {
            (None, _) => Cause::Start,
            (_, None) => Cause::End,
            _ if sync_ns >= other_engine_ns.max(idle_ns) => Cause::Sync,
            _ if other_engine_ns >= idle_ns => Cause::OtherEngine,
            (Some(b), Some(a)) if begins_launch(model, track, b, a) => Cause::Launch,
            _ => Cause::Idle,
        };
        Bubble { start, end, sync_ns, other_engine_ns, cost_ns, cause, before, after }
    };
    let show = |start, end, before, after| show(bubble(start, end, before, after));
    let spans = own.work.spans();
    // Events of no length may be in a bubble: they are its edge neither way.
    let work_of = |event: u32| {
        let i = event as usize;
        let (start, end) = (*track.events.start.get(i)?, *track.events.end.get(i)?);
        let is_work = start < end && track.kind(i)?.activity.is_work();
        is_work.then_some(Work { event, start, end })
    };
    // The events by start, where they are in another order.
    let by_start = (!track.events.start.is_sorted()).then(|| {
        let mut all: Vec<u32> = (0..track.len() as u32).collect();
        all.sort_by_key(|&i| track.events.start[i as usize]);
        all
    });
    let in_order = |i: u32| by_start.as_ref().map_or(i, |order| order[i as usize]);
    let work = (0..track.len() as u32).map(in_order).filter_map(work_of);
    for_each_pause(times.window, spans, work, show);
}

/// A command that worked; times in ns.
struct Work {
    /// Index in its track.
    event: u32,
    start: i64,
    end: i64,
}

/// Shows the times of a window between the spans in which a track worked: start, end, the work at the edges. `work`: its work in
/// the order of the starts.
#[inline]
fn for_each_pause(
    (window_start, window_end): (i64, i64),
    spans: &[(i64, i64)],
    mut work: impl Iterator<Item = Work>,
    mut show: impl FnMut(i64, i64, Option<u32>, Option<u32>),
) {
    let mut next = work.next();
    // The work that ended last so far.
    let mut last: Option<u32> = None;
    let mut last_end = i64::MIN;
    let mut until = window_start;
    // No work is left behind the last span.
    for &(start, end) in spans.iter().chain([&(window_end, window_end)]) {
        if start > until {
            show(until, start, last, next.as_ref().map(|work| work.event));
        }
        while let Some(work_of_span) = next.as_ref().filter(|work| work.start < end) {
            if work_of_span.end >= last_end {
                (last, last_end) = (Some(work_of_span.event), work_of_span.end);
            }
            next = work.next();
        }
        until = end;
    }
}

fn edge(model: &Model<'_>, event: &Event<'_>) -> Edge {
    let kernel = model.tag(event.tag()).kernel;
    Edge {
        event: event.index as u64,
        name: event.kind.function_name.to_string(),
        kernel: kernel.map_or("", |k| model.kernel_name(k)).to_owned(),
        layer: None,
        layer_id: None,
    }
}

/// Whether a kernel launch begins between two commands of a track.
#[inline]
fn begins_launch(model: &Model<'_>, track: &EngineTrack<'_>, before: u32, after: u32) -> bool {
    let number = |i: u32| track.events.tag.get(i as usize).copied();
    let (before, after) = (number(before), number(after));
    // Most neighbours are of one launch.
    if before == after {
        return false;
    }
    let tag = |number: Option<u32>| number.map_or(Tag::default(), |number| model.tag(number));
    let (a, b) = (tag(before), tag(after));
    (a.kernel, a.scope, a.batch) != (b.kernel, b.scope, b.batch) && b.kernel.is_some()
}
