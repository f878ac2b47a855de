//! Which sections of a core's records are a static model's, and which are those of kernels among its launches (section 6).
//!
//! Lengths alone leave several divisions open where a kernel has as many commands as a group. But a launch is the model's or a
//! kernel's on all engines at once, and engines work on the same launch at the same time; and records say whether they moved data,
//! and how much of it.

mod bind;
mod contradictions;
mod core_sections;
mod search;

use std::ops::Range;

use bigtpu_chip::Chip;
use bigtpu_messages::{Message, message};

use crate::monitor::Clean;
use crate::nodes::Node;
use crate::sections::{self, Section};
use crate::static_model::StaticStream;
use crate::tags::TagTable;
use crate::wide_events::WideEvents;
use contradictions::Contradictions;
use core_sections::CoreSections;
pub(crate) use search::Owner;
use search::{Choice, Divided, EngineLists, LaunchSections, divide};

/// Records, and what they are of.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) records: Records,
    /// What the first of them are of.
    pub(crate) owner: Owner,
    /// No other division that fits has it otherwise.
    pub(crate) is_sure: bool,
}

/// Records of an engine.
#[derive(Debug, Clone)]
pub(crate) enum Records {
    /// A section that has the length of what it is of.
    Fitting(Section),
    /// The events of a launch whose sections have not: damage changed one. They are of so many groups or sections of commands.
    Odd(Range<usize>, usize),
}

/// The sections of each engine's records.
pub(crate) struct Division {
    pub(crate) parts: [Vec<Part>; 3],
    /// Launches, and those of them that may be of others.
    pub(crate) launches: (usize, usize),
    /// One repetition, of engines whose only group repeats itself.
    pub(crate) repeated: [Option<StaticStream>; 3],
}

/// What a core has.
pub(crate) struct Joined<'a, 'd> {
    pub(crate) chip: &'static Chip,
    pub(crate) monitors: &'a [Clean<'d>; 3],
    pub(crate) nodes: &'a [Vec<Node>; 3],
    /// One launch of the model.
    pub(crate) model: [&'a StaticStream; 3],
    pub(crate) tags: &'a TagTable,
    /// The bytes that commands are in.
    pub(crate) file: &'a [u8],
}

/// What is not known of a core that ran both a model and kernels.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Undecided {
    /// Whose so many of its launches are, of how many.
    Launches(usize, usize),
    /// Any of it: no division explains its records.
    Core,
}

impl Undecided {
    pub(crate) fn message(self, core: u32) -> Message {
        match self {
            Self::Launches(launches, all) => {
                message!("note-undecided", core = core, launches = launches, all = all)
            }
            Self::Core => message!("note-undivided", core = core),
        }
    }
}

/// How the records of a core are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Each section of ids is one of a launch.
    Whole,
    /// Damage changed some of them.
    Damaged,
    /// Damage also merged sections of two launches: ids went on where records were lost at the end of one and the start of the next. They
    /// are cut where another engine begins anew.
    Merged,
}

impl Reading {
    fn allows_damage(self) -> bool {
        self != Self::Whole
    }
}

impl Division {
    /// Divides the records of a core with both a model and dispatched commands; `None` where no division explains its records, give
    /// or take a few sections that damage changed.
    pub(crate) fn find(core: &Joined<'_, '_>) -> Option<Self> {
        let whole = || Self::together(core, Reading::Whole).map(|(_, division)| division);
        whole().or_else(|| Self::apart(core)).or_else(|| {
            let readings = [Reading::Damaged, Reading::Merged];
            let all = readings.into_iter().filter_map(|reading| Self::together(core, reading));
            all.min_by_key(|(against, _)| *against).map(|(_, division)| division)
        })
    }

    /// Launches of all engines at once, and what speaks against it.
    fn together(core: &Joined<'_, '_>, reading: Reading) -> Option<(u32, Self)> {
        let sections = CoreSections::new(core, reading);
        let launches = simultaneous(core, &sections.records)?;
        let lists = sections.lists(core, reading.allows_damage())?;
        let mut contradictions = Contradictions::new(core, &sections);
        let Divided { choices, against } =
            decide(&lists, &launches, reading.allows_damage(), &mut contradictions)?;
        Some((against, Self::from_choices(&sections.records, [(launches, choices)])))
    }

    /// Each engine for itself: their clocks may be apart.
    fn apart(core: &Joined<'_, '_>) -> Option<Self> {
        let sections = CoreSections::new(core, Reading::Whole);
        let lists = sections.lists(core, false)?;
        let mut against = Contradictions::new(core, &sections);
        let mut of_engine = |engine: usize| {
            let mut alone: [EngineLists; 3] = Default::default();
            alone[engine].clone_from(&lists[engine]);
            let launch = |at: usize| {
                let mut launch: LaunchSections = Default::default();
                launch[engine] = at..at + 1;
                launch
            };
            let launches: Vec<_> = (0..sections.records[engine].len()).map(launch).collect();
            let divided = decide(&alone, &launches, false, &mut against)?;
            Some((launches, divided.choices))
        };
        let engines: Option<Vec<_>> = (0..3).map(&mut of_engine).collect();
        Some(Self::from_choices(&sections.records, engines?))
    }

    fn from_choices(
        records: &[Vec<Section>; 3],
        divided: impl IntoIterator<Item = (Vec<LaunchSections>, Vec<Choice>)>,
    ) -> Self {
        let mut found =
            Self { parts: Default::default(), launches: (0, 0), repeated: Default::default() };
        for (launches, choices) in divided {
            found.launches.0 += launches.len();
            for (launch, choice) in launches.iter().zip(&choices) {
                found.launches.1 += usize::from(!choice.is_sure);
                for (engine, parts) in found.parts.iter_mut().enumerate() {
                    let own = &records[engine][launch[engine].clone()];
                    let (first, count) = choice.owners(engine, own.len());
                    let is_sure = choice.is_sure;
                    if choice.is_odd(engine) {
                        let start = own.first().map_or(0, |section| section.first);
                        let end = own.last().map_or(0, |section| section.first + section.len);
                        let records = Records::Odd(start..end, count);
                        parts.push(Part { records, owner: first, is_sure });
                        continue;
                    }
                    parts.extend(own.iter().zip(0..).map(|(section, nth)| Part {
                        records: Records::Fitting(*section),
                        owner: first.owner_after(nth),
                        is_sure,
                    }));
                }
            }
        }
        found
    }
}

/// The lengths and times first; counters only where these leave several divisions.
fn decide(
    lists: &[EngineLists; 3],
    launches: &[LaunchSections],
    allows_damage: bool,
    against: &mut Contradictions<'_, '_>,
) -> Option<Divided> {
    let by_lengths = divide(lists, launches, allows_damage, |_, _, _| 0)?;
    if by_lengths.choices.iter().all(|choice| choice.is_sure) {
        return Some(by_lengths);
    }
    divide(lists, launches, allows_damage, |engine, section, owner| {
        against.count(engine, section, owner)
    })
}

impl Joined<'_, '_> {
    pub(super) fn events(&self, engine: usize) -> &WideEvents {
        &self.monitors[engine].events
    }

    /// The sections of an engine's records; none of an engine without any command.
    fn sections(&self, engine: usize) -> Vec<Section> {
        match self.model[engine].is_empty() && self.nodes[engine].is_empty() {
            true => Vec::new(),
            false => sections::by_id(&self.events(engine).id, |id| *id),
        }
    }

    /// The kernel's launch that a section of commands is of.
    fn scope(&self, engine: usize, section: &Section) -> Option<u32> {
        self.tags.scope(self.nodes[engine].get(section.first)?.tag)
    }
}

/// The launches: sections of all engines that overlap in time. `None` where an engine's sections do.
fn simultaneous(core: &Joined<'_, '_>, records: &[Vec<Section>; 3]) -> Option<Vec<LaunchSections>> {
    let mut all = Vec::new();
    for (engine, sections) in records.iter().enumerate() {
        let events = core.events(engine);
        for (at, section) in sections.iter().enumerate() {
            let rows = section.first..section.first + section.len;
            let start = events.start.get(rows.clone())?.iter().min()?;
            let end = events.end.get(rows)?.iter().max()?;
            all.push((*start, *end, engine, at));
        }
    }
    all.sort_unstable();
    let mut launches: Vec<LaunchSections> = Vec::new();
    let mut open_until = i64::MIN;
    for (start, end, engine, at) in all {
        if start >= open_until {
            let ends = launches.last().map_or([0; 3], |last| last.each_ref().map(|own| own.end));
            launches.push(ends.map(|end| end..end));
        }
        let own = &mut launches.last_mut()?[engine];
        if own.end != at {
            return None;
        }
        own.end += 1;
        open_until = open_until.max(end);
    }
    Some(launches)
}
