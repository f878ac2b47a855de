//! The sections of a core's records and commands, and how often the model was launched.

use foldhash::HashSet;

use super::Joined;
use super::search::EngineLists;
use crate::sections::{self, Section};

/// The sections of a core, by engine.
pub(super) struct CoreSections {
    pub(super) records: [Vec<Section>; 3],
    /// Sections of dispatched commands.
    pub(super) commands: [Vec<Section>; 3],
}

impl CoreSections {
    pub(super) fn new(core: &Joined<'_, '_>, allows_damage: bool) -> Self {
        let records = [0, 1, 2].map(|engine| match allows_damage {
            true => cut_at_wrong_ids(core.sections(engine), &core.events(engine).id),
            false => core.sections(engine),
        });
        Self { records, commands: core.nodes.each_ref().map(|nodes| sections::of_nodes(nodes)) }
    }

    /// What each engine has. `allows_damage`: the number of sections need not fit.
    pub(super) fn lists(
        &self,
        core: &Joined<'_, '_>,
        allows_damage: bool,
    ) -> Option<[EngineLists; 3]> {
        let mut lists: [EngineLists; 3] = Default::default();
        for (engine, list) in lists.iter_mut().enumerate() {
            let (records, commands) = (&self.records[engine], &self.commands[engine]);
            let groups = core.model[engine].group_spans();
            let of_model = records.len().checked_sub(commands.len());
            let times = match allows_damage {
                true => (of_model.unwrap_or(0) + groups.len() / 2)
                    .checked_div(groups.len())
                    .unwrap_or(0),
                false => repetitions(groups.len(), of_model?)?,
            };
            let scope = |section: &Section| (section.span, core.scope(engine, section));
            *list = EngineLists {
                records: records.iter().map(|section| section.span).collect(),
                groups: as_recorded(&groups, records).repeat(times),
                commands: commands.iter().map(scope).collect(),
            };
        }
        Some(lists)
    }
}

/// Ids that the records of groups span: an engine records the commands at their ends that may have no record, or does not. `groups`: with
/// them, and without.
fn as_recorded(groups: &[[u64; 2]], records: &[Section]) -> Vec<u64> {
    let fitting = |variant: usize| {
        let spans: HashSet<u64> = groups.iter().map(|spans| spans[variant]).collect();
        records.iter().filter(|section| spans.contains(&section.span)).count()
    };
    let variant = usize::from(fitting(1) > fitting(0));
    groups.iter().map(|spans| spans[variant]).collect()
}

/// Cuts sections before an id that is no restart, and goes on neither from the one before nor to the one behind: it is wrong, and may be
/// that of the next launch's first command.
fn cut_at_wrong_ids(sections: Vec<Section>, ids: &[i64]) -> Vec<Section> {
    let mut cut = Vec::new();
    for section in sections {
        let end = section.first + section.len;
        let is_wrong = |row: &usize| {
            let id = |row: usize| ids.get(row).copied();
            let follows = |a: usize, b: usize| id(a).zip(id(b)).is_some_and(|(a, b)| a + 1 == b);
            *row > section.first && !follows(row - 1, *row) && !follows(*row, row + 1)
        };
        let mut bounds = vec![section.first];
        bounds.extend((section.first..end).filter(is_wrong));
        bounds.push(end);
        cut.extend(bounds.windows(2).filter_map(|bounds| {
            let rows = bounds[0]..bounds[1];
            let own = ids.get(rows.clone())?;
            let span = own.last()?.abs_diff(*own.first()?) + 1;
            Some(Section { span, first: rows.start, len: rows.len() })
        }));
    }
    cut
}

/// How often an engine had the groups of its stream, if the number of its sections says so. Engines may differ: groups that repeat
/// themselves on one of them may have other addresses on another.
fn repetitions(groups: usize, of_model: usize) -> Option<usize> {
    if groups == 0 {
        return (of_model == 0).then_some(0);
    }
    of_model.checked_div(groups).filter(|times| *times > 0 && times * groups == of_model)
}
