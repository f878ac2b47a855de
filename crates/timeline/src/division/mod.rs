//! Which sections of a core's records are a static model's, and which are those of kernels among its launches (section 6).
//!
//! Lengths alone leave several divisions open where a kernel has as many commands as a group. But a launch is the model's or a
//! kernel's on all engines at once, and engines work on the same launch at the same time; and records say whether they moved data,
//! and how much of it.

mod bind;
mod contradictions;
mod search;

use bigtpu_chip::Chip;

use crate::monitor::Clean;
use crate::nodes::Node;
use crate::sections::{self, Section};
use crate::static_model::StaticStream;
use crate::tags::TagTable;
use crate::wide_events::WideEvents;
use contradictions::Contradictions;
pub(crate) use search::Owner;
use search::{Choice, EngineLists, LaunchSections, divide};

/// A section of records, and what it is of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) section: Section,
    pub(crate) owner: Owner,
    /// No other division that fits has it otherwise.
    pub(crate) is_sure: bool,
}

/// The sections of each engine's records.
#[derive(Debug)]
pub(crate) struct Division {
    pub(crate) parts: [Vec<Part>; 3],
    /// Launches, and those of them that may be of others.
    pub(crate) launches: (usize, usize),
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

impl Division {
    /// Divides the records of a core with both a model and dispatched commands; `None` where it has not, and where no division
    /// explains all its records: then some are lost or are the runtime's own.
    pub(crate) fn find(core: &Joined<'_, '_>) -> Option<Self> {
        let has_both =
            |engine: usize| !core.model[engine].is_empty() && !core.nodes[engine].is_empty();
        if !(0..3).any(has_both) {
            return None;
        }
        let records = [0, 1, 2].map(|engine| core.sections(engine));
        let commands = core.nodes.each_ref().map(|nodes| sections::of_nodes(nodes));
        let mut lists: [EngineLists; 3] = Default::default();
        for (engine, list) in lists.iter_mut().enumerate() {
            let groups = core.model[engine].group_spans();
            let (of_records, of_kernels) = (records[engine].len(), commands[engine].len());
            let times = repetitions(groups.len(), of_records, of_kernels)?;
            let scope = |section: &Section| (section.span, core.scope(engine, section));
            *list = EngineLists {
                records: records[engine].iter().map(|section| section.span).collect(),
                groups: groups.repeat(times),
                commands: commands[engine].iter().map(scope).collect(),
            };
        }
        let mut against = Contradictions::new(core, &records, &commands);
        let launches = simultaneous(core, &records);
        let found = launches.and_then(|launches| {
            let choices = decide(&lists, &launches, &mut against)?;
            Some(Self::from_choices(&records, [(launches, choices)]))
        });
        found.or_else(|| {
            // The engines' clocks may be apart: each for itself.
            let of_engine = |engine: usize| {
                let mut alone: [EngineLists; 3] = Default::default();
                alone[engine].clone_from(&lists[engine]);
                let launch = |at: usize| {
                    let mut launch: LaunchSections = Default::default();
                    launch[engine] = at..at + 1;
                    launch
                };
                let launches: Vec<_> = (0..records[engine].len()).map(launch).collect();
                let choices = decide(&alone, &launches, &mut against)?;
                Some((launches, choices))
            };
            let engines: Option<Vec<_>> = (0..3).map(of_engine).collect();
            Some(Self::from_choices(&records, engines?))
        })
    }

    fn from_choices(
        records: &[Vec<Section>; 3],
        divided: impl IntoIterator<Item = (Vec<LaunchSections>, Vec<Choice>)>,
    ) -> Self {
        let mut found = Self { parts: Default::default(), launches: (0, 0) };
        for (launches, choices) in divided {
            found.launches.0 += launches.len();
            for (launch, choice) in launches.iter().zip(&choices) {
                found.launches.1 += usize::from(!choice.is_sure);
                for (engine, parts) in found.parts.iter_mut().enumerate() {
                    parts.extend(launch[engine].clone().map(|at| Part {
                        section: records[engine][at],
                        owner: choice.owner(engine, launch, at),
                        is_sure: choice.is_sure,
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
    against: &mut Contradictions<'_, '_>,
) -> Option<Vec<Choice>> {
    let by_lengths = divide(lists, launches, |_, _, _| 0)?;
    if by_lengths.iter().all(|choice| choice.is_sure) {
        return Some(by_lengths);
    }
    divide(lists, launches, |engine, section, owner| against.count(engine, section, owner))
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

/// How often an engine had the groups of its stream, if the number of its sections says so. Engines may differ: groups that repeat
/// themselves on one of them may have other addresses on another.
fn repetitions(groups: usize, records: usize, kernels: usize) -> Option<usize> {
    let of_model = records.checked_sub(kernels)?;
    if groups == 0 {
        return (of_model == 0).then_some(0);
    }
    of_model.checked_div(groups).filter(|times| *times > 0 && times * groups == of_model)
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
