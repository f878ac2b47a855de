//! Events as rows: tracks in the profile's order, events in their engine's.

use bigtpu_answers::Analysis;
use bigtpu_chip::Engine;
use bigtpu_layers::Layers;
use bigtpu_measure::{Kind, TrackCommand};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::{EngineId, Profile, RuntimeEvent, Tag};

use crate::runtime::RuntimeKinds;

/// What all rows of a dump share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Name of the chip.
    pub(crate) chip: &'a str,
    /// Name of the dump.
    pub(crate) dump: &'a str,
}

/// An event with all the data of its row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// Which engine of which core or port.
    pub(crate) engine_id: EngineId,
    /// The core of the engine; of a CDMA event the core that its command or kernel comes from, if known.
    pub(crate) core: Option<u32>,
    /// Index in its track; the runtime's own work has none.
    pub(crate) event: Option<usize>,
    /// `Cmd Id` of the register texts.
    pub(crate) command: i64,
    /// ns.
    pub(crate) start: i64,
    /// ns.
    pub(crate) end: i64,
    /// Cycles of the engine's clock.
    pub(crate) cycles: i64,
    /// What it is.
    pub(crate) kind: &'a Kind,
    /// What it belongs to.
    pub(crate) tag: Tag,
    /// Name of its kernel.
    pub(crate) kernel: Option<&'a str>,
    /// Bytes that the PMU counted.
    pub(crate) bytes: u64,
    /// Stall cycles, or those lost to bank conflicts.
    pub(crate) stalls: u64,
    /// ns; not known where the run can't be replayed.
    pub(crate) slack_ns: Option<i64>,
    /// Whether the critical path goes through it.
    pub(crate) on_path: Option<bool>,
    /// Number and operation of its layer.
    pub(crate) layer: Option<(usize, &'a str)>,
    /// Where it is from.
    pub(crate) source: Source<'a>,
}

/// What the rows of a dump are made of.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a, 'd> {
    pub(crate) profile: &'a Profile<'d>,
    pub(crate) analysis: &'a Analysis,
    pub(crate) runtime: &'a RuntimeKinds<'a>,
    pub(crate) layers: Option<&'a Layers>,
    pub(crate) source: Source<'a>,
}

impl<'a, 'd> Rows<'a, 'd> {
    /// All rows: events, then what the runtime did next to them.
    pub(crate) fn all(self) -> impl Iterator<Item = Row<'a>> {
        let events = self.analysis.table.all_commands(self.profile).flat_map(move |commands| {
            let causes = self.analysis.event_causes.as_ref();
            let causes = causes.and_then(|all| all.of_engine(commands.track.engine_id));
            commands.iter().map(move |command| self.event(command, causes))
        });
        events.chain(self.runtime.all().map(move |(event, kind)| self.runtime_event(event, kind)))
    }

    fn event(self, command: TrackCommand<'a, 'd>, causes: Option<EngineCauses<'_>>) -> Row<'a> {
        let (profile, tag, track) = (self.profile, command.tag(), command.all.track);
        let layer = self.layers.and_then(|layers| layers.of_event(track, command.index));
        Row {
            engine_id: track.engine_id,
            core: match track.engine_id.engine {
                Engine::Cdma => {
                    track.owner.get(command.index).copied().flatten().map(|owner| owner.core)
                }
                _ => Some(track.engine_id.index),
            },
            event: Some(command.index),
            command: command.id(),
            start: command.start(),
            end: command.end(),
            cycles: command.cycles(),
            kind: command.kind,
            tag,
            kernel: profile.kernel(tag),
            bytes: command.bytes(),
            stalls: command.stall_cycles(),
            slack_ns: causes.and_then(|causes| causes.slack_ns(command.index)),
            on_path: causes.and_then(|causes| causes.is_on_path(command.index)),
            layer: layer.map(|(id, layer)| (id, layer.name.as_str())),
            source: self.source,
        }
    }

    fn runtime_event(self, event: &RuntimeEvent, kind: &'a Kind) -> Row<'a> {
        Row {
            engine_id: event.engine_id,
            core: Some(event.engine_id.index),
            event: None,
            command: event.id.saturating_add(1),
            start: event.start,
            end: event.end,
            cycles: event.cycles,
            kind,
            tag: Tag::default(),
            kernel: None,
            bytes: event.bytes,
            stalls: 0,
            slack_ns: None,
            on_path: None,
            layer: None,
            source: self.source,
        }
    }
}
