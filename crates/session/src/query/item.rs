//! Commands and gaps as what a query finds.

use bigtpu_answers::{Analysis, EngineGapRows, StepSpans};
use bigtpu_emit_events::{CommandRows, EngineRows, EventColumn};
use bigtpu_measure::layers::Layers;
use bigtpu_query::{QueryField, QueryRecord, RegisterValue};
use bigtpu_timeline::{EngineEvents, EngineId, Profile};

use super::command::CommandItem;
use super::gap::GapItem;
use super::registers::Registers;

/// All commands of a run, or all its gaps.
pub(super) struct Items<'a> {
    /// Items of each engine: its commands, and its gaps where these are asked for.
    pub(super) engines: Vec<EngineItems<'a>>,
    pub(super) run: RunFacts<'a>,
}

/// Commands or gaps of an engine.
pub(super) enum EngineItems<'a> {
    Commands(EngineRows<'a>),
    Gaps(&'a EngineGapRows, &'a EngineEvents<'a>),
}

/// What all items share.
pub(super) struct RunFacts<'a> {
    pub(super) profile: &'a Profile<'a>,
    pub(super) layers: Option<&'a Layers>,
    pub(super) texts: &'a RunTexts,
    /// Known where the run was analyzed.
    steps: Option<&'a StepSpans>,
    /// ns of the first event.
    pub(super) start: i64,
    /// The columns that are fields, by field.
    columns: Vec<Option<EventColumn>>,
}

/// Texts that are made of others: engines with their cores.
pub(super) struct RunTexts(Vec<(EngineId, String)>);

impl RunTexts {
    pub(super) fn new(profile: &Profile<'_>) -> Self {
        let name = |id: EngineId| format!("{} {}", id.engine.name(), id.index);
        Self(profile.tracks().map(|track| (track.engine_id, name(track.engine_id))).collect())
    }
}

impl<'a> RunFacts<'a> {
    /// Number of the step in which something starts.
    pub(super) fn step(&self, start_ns: i64) -> Option<u64> {
        self.steps?.number_at(start_ns)
    }

    /// An engine and its core.
    pub(super) fn engine_name(&self, id: EngineId) -> Option<&'a str> {
        let name = self.texts.0.iter().find(|(own, _)| *own == id);
        name.map(|(_, name)| name.as_str())
    }

    /// The column of the events that has a field's values.
    pub(super) fn column(&self, field: QueryField) -> Option<EventColumn> {
        self.columns.get(field as usize).copied().flatten()
    }

    /// The clock of an engine.
    pub(super) fn mhz(&self, engine_id: EngineId) -> f64 {
        self.profile.clocks.mhz(engine_id.engine)
    }
}

impl<'a> Items<'a> {
    /// `has_gaps`: gaps are asked for instead of commands.
    pub(super) fn new(
        profile: &'a Profile<'a>,
        rows: CommandRows<'a>,
        (analysis, has_gaps): (Option<&'a Analysis>, bool),
        layers: Option<&'a Layers>,
        texts: &'a RunTexts,
    ) -> Self {
        let steps = analysis.and_then(|analysis| analysis.steps(profile));
        let gaps = analysis.filter(|_| has_gaps).map(|analysis| analysis.gaps(profile));
        let engines = match gaps {
            None => rows.engines().map(EngineItems::Commands).collect(),
            Some(gaps) => {
                let track = |id: EngineId| profile.tracks().find(|track| track.engine_id == id);
                let of =
                    |gaps: &'a EngineGapRows| Some(EngineItems::Gaps(gaps, track(gaps.engine_id)?));
                gaps.engines.iter().filter_map(of).collect()
            }
        };
        let starts = profile.tracks().flat_map(|track| track.events.start.iter().copied());
        let named =
            |field: &QueryField| field.names().iter().find_map(|name| EventColumn::named(name));
        let columns = QueryField::ALL.iter().map(named).collect();
        let start = starts.min().unwrap_or(0);
        Self { engines, run: RunFacts { profile, layers, texts, steps, start, columns } }
    }

    /// An item.
    pub(super) fn get<'r>(
        &'r self,
        place: Place,
        registers: &'r Registers<'r, 'a>,
    ) -> Option<Item<'r, 'a>> {
        self.engines.get(place.engine as usize)?.get(place.row as usize, &self.run, registers)
    }
}

impl<'a> EngineItems<'a> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Commands(rows) => rows.commands.len(),
            Self::Gaps(gaps, _) => gaps.rows.len(),
        }
    }

    #[inline]
    pub(super) fn get<'r>(
        &self,
        index: usize,
        run: &'r RunFacts<'a>,
        registers: &'r Registers<'r, 'a>,
    ) -> Option<Item<'r, 'a>> {
        Some(match self {
            Self::Commands(rows) => {
                Item::Command(CommandItem { row: rows.row(index)?, run, registers })
            }
            Self::Gaps(gaps, track) => {
                let (engine_id, row) = (gaps.engine_id, gaps.rows.get(index)?);
                Item::Gap(GapItem { engine_id, track, index, row, run })
            }
        })
    }
}

/// Where an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Index into [`Items::engines`].
    pub(super) engine: u32,
    /// Index there.
    pub(super) row: u32,
}

/// A command or a gap.
#[expect(
    clippy::large_enum_variant,
    reason = "an item is on the stack, for as long as it is looked at"
)]
pub(super) enum Item<'r, 'a> {
    Command(CommandItem<'r, 'a>),
    Gap(GapItem<'r, 'a>),
}

impl<'a> QueryRecord<'a> for Item<'_, 'a> {
    #[inline]
    fn number(&self, field: QueryField) -> Option<f64> {
        match self {
            Self::Command(command) => command.number(field),
            Self::Gap(gap) => gap.number(field),
        }
    }

    #[inline]
    fn text(&self, field: QueryField) -> Option<&'a str> {
        match self {
            Self::Command(command) => command.text(field),
            Self::Gap(gap) => gap.text(field),
        }
    }

    fn layer_operation(&self) -> Option<&'a str> {
        match self {
            Self::Command(command) => command.layer_operation(),
            Self::Gap(gap) => gap.layer_operation(),
        }
    }

    fn register(&self, place: usize) -> Option<RegisterValue> {
        match self {
            Self::Command(command) => command.register(place),
            Self::Gap(_) => None,
        }
    }

    fn mhz(&self) -> f64 {
        match self {
            Self::Command(command) => command.mhz(),
            Self::Gap(gap) => gap.mhz(),
        }
    }
}
