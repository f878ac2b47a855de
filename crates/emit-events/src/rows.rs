//! Events as rows: tracks in the profile's order, events in their engine's.

use std::convert::Infallible;
use std::ops::Range;

use bigtpu_answers::StepSpans;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{CommandKind, CommandTable, TrackCommands};
use bigtpu_replay::{EngineCauses, EventCauses};
use bigtpu_timeline::{EngineId, Profile, RuntimeEvent};

use crate::row::{Event, Row};
use crate::runtime::RuntimeKinds;

/// What the rows of a dump are made of.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) profile: &'a Profile<'a>,
    pub(crate) table: &'a CommandTable,
    /// `None` where the run was not replayed, or can't be.
    pub(crate) causes: Option<&'a EventCauses>,
    /// `None`: rows of engines only.
    pub(crate) runtime: Option<&'a RuntimeKinds<'a>>,
    pub(crate) layers: Option<&'a Layers>,
    pub(crate) steps: Option<&'a StepSpans>,
    /// Name of the dump.
    pub(crate) name: &'a str,
}

/// Rows of one engine that follow each other.
#[derive(Clone)]
pub(crate) struct Part<'a> {
    pub(crate) source: Source<'a>,
    of: PartOf<'a>,
}

#[derive(Clone)]
enum PartOf<'a> {
    Commands(TrackCommands<'a, 'a>, Option<EngineCauses<'a>>, Range<usize>),
    /// One event, its kind and the kind's number.
    Runtime(&'a RuntimeEvent, &'a CommandKind, u32),
}

impl<'a> Source<'a> {
    /// All rows: events, then what the runtime did next to them.
    pub(crate) fn parts(self) -> impl Iterator<Item = Part<'a>> {
        let tracks = self.table.all_commands(self.profile);
        let commands = tracks.map(move |commands| {
            PartOf::Commands(commands, self.causes_of(commands.track.engine_id), 0..commands.len())
        });
        let first_kind = self.table.kinds.len() as u32;
        let runtime = (first_kind..).zip(self.runtime_kinds());
        let runtime = runtime.map(|(number, (event, kind))| PartOf::Runtime(event, kind, number));
        commands.chain(runtime).map(move |of| Part { source: self, of })
    }

    /// The kinds that rows have, by number.
    pub(crate) fn kinds(self) -> impl Iterator<Item = &'a CommandKind> {
        self.table.kinds.iter().chain(self.runtime_kinds().map(|(_, kind)| kind))
    }

    /// What the events of an engine waited for.
    pub(crate) fn causes_of(self, engine_id: EngineId) -> Option<EngineCauses<'a>> {
        self.causes.and_then(|all| all.of_engine(engine_id))
    }

    fn runtime_kinds(self) -> impl Iterator<Item = (&'a RuntimeEvent, &'a CommandKind)> {
        self.runtime.into_iter().flat_map(RuntimeKinds::all)
    }
}

impl<'a> Part<'a> {
    /// Calls `f` with each row.
    #[inline]
    pub(crate) fn each(&self, mut f: impl FnMut(&Row<'a>)) {
        let Ok(()) = self.try_each(|row| -> Result<(), Infallible> {
            f(row);
            Ok(())
        });
    }

    /// Calls `f` with each row until one fails.
    #[inline]
    pub(crate) fn try_each<E>(
        &self,
        mut f: impl FnMut(&Row<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = self.source;
        match &self.of {
            PartOf::Commands(commands, causes, range) => {
                let mut commands = range.clone().filter_map(|index| commands.get(index));
                commands.try_for_each(|command| {
                    let event = Event::Command(command, *causes);
                    f(&Row { source, kind: command.kind, event })
                })
            }
            PartOf::Runtime(event, kind, _) => {
                f(&Row { source, kind, event: Event::Runtime(event) })
            }
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        match &self.of {
            PartOf::Commands(.., range) => range.len(),
            PartOf::Runtime(..) => 1,
        }
    }

    /// The engine of all rows.
    pub(crate) fn engine_id(&self) -> EngineId {
        match &self.of {
            PartOf::Commands(commands, ..) => commands.track.engine_id,
            PartOf::Runtime(event, ..) => event.engine_id,
        }
    }

    /// The numbers of the rows' kinds, as [`Source::kinds`] counts.
    pub(crate) fn kind_numbers(&self) -> &[u32] {
        match &self.of {
            PartOf::Commands(commands, _, range) => {
                commands.columns.columns.kind.get(range.clone()).unwrap_or_default()
            }
            PartOf::Runtime(.., number) => std::slice::from_ref(number),
        }
    }

    /// The rows' tags, as indices into [`Profile::tags`].
    pub(crate) fn tag_numbers(&self) -> &[u32] {
        match &self.of {
            PartOf::Commands(commands, _, range) => {
                commands.track.events.tag.get(range.clone()).unwrap_or_default()
            }
            // The empty tag is the first.
            PartOf::Runtime(..) => &[0],
        }
    }

    /// Splits behind the first `n` rows.
    pub(crate) fn split(self, n: usize) -> (Self, Option<Self>) {
        let Self { source, of } = self;
        match of {
            PartOf::Commands(commands, causes, range) if n < range.len() => {
                let middle = range.start + n;
                let part = |range| Self { source, of: PartOf::Commands(commands, causes, range) };
                (part(range.start..middle), Some(part(middle..range.end)))
            }
            of => (Self { source, of }, None),
        }
    }
}

/// Parts by group: all groups have this many rows, except the last.
pub(crate) fn groups<'a>(parts: impl Iterator<Item = Part<'a>>, rows: usize) -> Vec<Vec<Part<'a>>> {
    let mut groups = Vec::new();
    let (mut group, mut filled) = (Vec::new(), 0);
    for part in parts {
        let mut rest = Some(part);
        while let Some(part) = rest.take() {
            let (part, behind) = part.split(rows - filled);
            filled += part.len();
            group.push(part);
            if filled == rows {
                groups.push(std::mem::take(&mut group));
                filled = 0;
            }
            rest = behind;
        }
    }
    if filled > 0 {
        groups.push(group);
    }
    groups
}
