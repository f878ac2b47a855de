//! Single values of commands, by column: for those who ask for some and not for all.

use bigtpu_answers::Analysis;
use bigtpu_measure::{CommandTable, TrackCommand, TrackCommands};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::Profile;

use crate::Context;
use crate::cell::EventCell;
use crate::columns::{COLUMNS, Column};
use crate::row::{Event, Row};
use crate::rows::Source;

/// A column of `events.parquet`.
#[derive(Clone, Copy)]
pub struct EventColumn(&'static Column);

impl EventColumn {
    /// All, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        COLUMNS.iter().map(Self)
    }

    /// The column with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|column| column.name() == name)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }
}

/// The commands of a run's engines as rows.
#[derive(Clone, Copy)]
pub struct CommandRows<'a> {
    source: Source<'a>,
}

/// A command as a row.
#[derive(Clone, Copy)]
pub struct CommandRow<'a> {
    row: Row<'a>,
    command: TrackCommand<'a, 'a>,
}

impl<'a> CommandRows<'a> {
    /// Rows of a run's commands. `analysis`: what is derived from the run, for the columns that need it.
    #[must_use]
    pub fn new(
        context: &'a Context,
        profile: &'a Profile<'a>,
        table: &'a CommandTable,
        analysis: Option<&'a Analysis>,
    ) -> Self {
        let causes = analysis.and_then(|analysis| analysis.event_causes(profile));
        let steps = analysis.and_then(|analysis| analysis.steps(profile));
        let (layers, name) = (context.layers.as_deref(), context.source.as_str());
        Self { source: Source { profile, table, causes, runtime: None, layers, steps, name } }
    }

    /// The engines with their commands, in order.
    pub fn engines(self) -> impl Iterator<Item = EngineRows<'a>> {
        let source = self.source;
        source.table.all_commands(source.profile).map(move |commands| EngineRows {
            source,
            commands,
            causes: source.causes_of(commands.track.engine_id),
        })
    }
}

/// The commands of an engine as rows.
#[derive(Clone, Copy)]
pub struct EngineRows<'a> {
    source: Source<'a>,
    /// The commands.
    pub commands: TrackCommands<'a, 'a>,
    causes: Option<EngineCauses<'a>>,
}

impl<'a> EngineRows<'a> {
    /// The row of a command; `None` where the engine has none of that index.
    #[must_use]
    #[inline]
    pub fn row(&self, index: usize) -> Option<CommandRow<'a>> {
        let command = self.commands.get(index)?;
        let event = Event::Command(command, self.causes);
        Some(CommandRow { row: Row { source: self.source, kind: command.kind, event }, command })
    }
}

impl<'a> CommandRow<'a> {
    /// The command.
    #[must_use]
    pub fn command(&self) -> &TrackCommand<'a, 'a> {
        &self.command
    }

    /// The value of a column.
    #[must_use]
    #[inline]
    pub fn value(&self, column: EventColumn) -> EventCell<'a> {
        column.0.cell(&self.row)
    }
}
