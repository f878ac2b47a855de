//! One engine's bubbles: the times between its work, compact until their names are needed.

use bigtpu_measure::{EngineTrack, Event, Model, Pause};

use super::by_start::ByStart;
use super::{Cause, Edge, Gap};

/// A time in which an engine did no work.
#[derive(Debug)]
pub(super) struct Bubble {
    /// ns.
    pub(super) start: i64,
    /// ns.
    pub(super) end: i64,
    sync_ns: i64,
    other_engine_ns: i64,
    pub(super) cost_ns: i64,
    pub(super) cause: Cause,
}

impl Bubble {
    /// Length in ns.
    pub(super) fn ns(&self) -> i64 {
        self.end - self.start
    }

    /// With its names; the send is found later.
    pub(super) fn gap(&self, model: &Model<'_>, track: &EngineTrack<'_>, order: &ByStart) -> Gap {
        let edge = |event: Option<usize>| Some(edge(model, &model.event(track, event?)?));
        let (before, after) = order.edges(track, self.start, self.end);
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
            before: edge(before),
            after: edge(after),
            waited_for: None,
            with: Vec::new(),
        }
    }
}

impl Bubble {
    /// What an engine's pause is.
    #[inline]
    pub(super) fn of(pause: &Pause) -> Self {
        let Pause { start, end, sync_ns, others_ns, .. } = *pause;
        let other_engine_ns = others_ns - pause.others_in_sync_ns;
        let idle_ns = end - start - sync_ns - other_engine_ns;
        let cause = if pause.is_first {
            Cause::Start
        } else if pause.is_last {
            Cause::End
        } else if sync_ns >= other_engine_ns.max(idle_ns) {
            Cause::Sync
        } else if other_engine_ns >= idle_ns {
            Cause::OtherEngine
        } else if pause.begins_launch {
            Cause::Launch
        } else {
            Cause::Idle
        };
        Self { start, end, sync_ns, other_engine_ns, cost_ns: end - start - others_ns, cause }
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
