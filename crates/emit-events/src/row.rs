//! A row: an event with all that its columns show.

use bigtpu_chip::Engine;
use bigtpu_measure::{CommandKind, TrackCommand};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::{EngineId, Quality, RuntimeEvent, Tag};

use crate::rows::Source;

/// An event with the dump that it is from.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) source: Source<'a>,
    /// What it is.
    pub(crate) kind: &'a CommandKind,
    pub(crate) event: Event<'a>,
}

/// What a row is made of.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    /// A command of a track, and what the events of its engine waited for.
    Command(TrackCommand<'a, 'a>, Option<EngineCauses<'a>>),
    /// The runtime's own work: it is no event of a track.
    Runtime(&'a RuntimeEvent),
}

impl<'a> Row<'a> {
    /// Which engine of which core or port.
    pub(crate) fn engine_id(&self) -> EngineId {
        match self.event {
            Event::Command(command, _) => command.all.track.engine_id,
            Event::Runtime(event) => event.engine_id,
        }
    }

    /// The core of the engine; of a CDMA event the core that its command or kernel comes from, if known.
    #[inline]
    pub(crate) fn core(&self) -> Option<u32> {
        match self.event {
            Event::Command(command, _) if self.engine_id().engine == Engine::Cdma => {
                let owner = command.all.track.owner.get(command.index).copied().flatten();
                owner.map(|owner| owner.core)
            }
            _ => Some(self.engine_id().index),
        }
    }

    /// Index in its track; the runtime's own work has none.
    #[inline]
    pub(crate) fn index(&self) -> Option<usize> {
        match self.event {
            Event::Command(command, _) => Some(command.index),
            Event::Runtime(_) => None,
        }
    }

    /// `Cmd Id` of the register texts.
    #[inline]
    pub(crate) fn command_id(&self) -> i64 {
        match self.event {
            Event::Command(command, _) => command.id(),
            Event::Runtime(event) => event.id.saturating_add(1),
        }
    }

    /// ns.
    #[inline]
    pub(crate) fn start(&self) -> i64 {
        match self.event {
            Event::Command(command, _) => command.start(),
            Event::Runtime(event) => event.start,
        }
    }

    /// ns.
    #[inline]
    pub(crate) fn end(&self) -> i64 {
        match self.event {
            Event::Command(command, _) => command.end(),
            Event::Runtime(event) => event.end,
        }
    }

    /// Cycles of the engine's clock.
    #[inline]
    pub(crate) fn cycles(&self) -> i64 {
        match self.event {
            Event::Command(command, _) => command.cycles(),
            Event::Runtime(event) => event.cycles,
        }
    }

    /// How well its command and times are known.
    #[inline]
    pub(crate) fn quality(&self) -> Quality {
        match self.event {
            Event::Command(command, _) => command.quality(),
            Event::Runtime(_) => Quality::Sure,
        }
    }

    /// What it belongs to.
    pub(crate) fn tag(&self) -> Tag {
        match self.event {
            Event::Command(command, _) => command.tag(),
            Event::Runtime(_) => Tag::default(),
        }
    }

    /// Bytes that the PMU counted.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        match self.event {
            Event::Command(command, _) => command.bytes(),
            Event::Runtime(event) => event.bytes,
        }
    }

    /// Stall cycles, or those lost to bank conflicts.
    #[inline]
    pub(crate) fn stall_cycles(&self) -> u64 {
        match self.event {
            Event::Command(command, _) => command.stall_cycles(),
            Event::Runtime(_) => 0,
        }
    }

    /// ns; not known where the run can't be replayed.
    #[inline]
    pub(crate) fn slack_ns(&self) -> Option<i64> {
        match self.event {
            Event::Command(command, causes) => causes?.slack_ns(command.index),
            Event::Runtime(_) => None,
        }
    }

    /// Whether the critical path goes through it.
    #[inline]
    pub(crate) fn is_on_path(&self) -> Option<bool> {
        match self.event {
            Event::Command(command, causes) => causes?.is_on_path(command.index),
            Event::Runtime(_) => None,
        }
    }

    /// ns that its bits explain.
    #[inline]
    pub(crate) fn expected_ns(&self) -> Option<i64> {
        let mhz = self.source.profile.clocks.mhz(self.kind.engine);
        Some(self.kind.expected_ns(mhz)?.round() as i64)
    }

    /// Number of its layer, and its name as the trace and the page have it.
    #[inline]
    pub(crate) fn layer(&self) -> Option<(usize, &'a str)> {
        let id = self.layer_id()?;
        Some((id, self.source.layers?.label(id)?))
    }

    /// The part of the model that its layer belongs to.
    #[inline]
    pub(crate) fn block(&self) -> Option<&'a str> {
        self.source.layers?.block(self.layer_id()?)
    }

    #[inline]
    fn layer_id(&self) -> Option<usize> {
        match self.event {
            Event::Command(command, _) => {
                Some(self.source.layers?.index_of_event(command.all.track, command.index)? + 1)
            }
            Event::Runtime(_) => None,
        }
    }

    /// Number of the step in which it starts.
    #[inline]
    pub(crate) fn step(&self) -> Option<u64> {
        match self.event {
            Event::Command(command, _) => self.source.steps?.number_at(command.start()),
            Event::Runtime(_) => None,
        }
    }
}
