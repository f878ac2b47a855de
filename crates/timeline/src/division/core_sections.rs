//! The sections of a core's records and commands, and how often the model was launched.

use foldhash::HashSet;

use super::search::EngineLists;
use super::{Joined, Reading};
use crate::sections::{self, Section};

/// The sections of a core, by engine.
pub(super) struct CoreSections {
    pub(super) records: [Vec<Section>; 3],
    /// Sections of dispatched commands.
    pub(super) commands: [Vec<Section>; 3],
}

impl CoreSections {
    pub(super) fn new(core: &Joined<'_, '_>, reading: Reading) -> Self {
        let whole = [0, 1, 2].map(|engine| core.sections(engine));
        let records = match reading {
            Reading::Whole => whole,
            Reading::Damaged => wrong_ids_cut(core, &whole),
            Reading::Merged => wrong_ids_cut(core, &cut_at_restarts(core, &whole)),
        };
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
                beheaded: beheaded(records, &core.events(engine).id),
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

/// The numbers of the sections whose first id is above that of most.
fn beheaded(records: &[Section], ids: &[i64]) -> HashSet<usize> {
    let first = |section: &Section| ids.get(section.first).copied().unwrap_or(0);
    let mut firsts: Vec<i64> = records.iter().map(first).collect();
    firsts.sort_unstable();
    let usual = firsts.get(firsts.len() / 2).copied().unwrap_or(0);
    (0..).zip(records).filter(|(_, section)| first(section) > usual).map(|(at, _)| at).collect()
}

fn wrong_ids_cut(core: &Joined<'_, '_>, sections: &[Vec<Section>; 3]) -> [Vec<Section>; 3] {
    [0, 1, 2].map(|engine| cut_at_wrong_ids(&sections[engine], &core.events(engine).id))
}

/// Cuts sections where the ids of another engine begin anew, if no record goes on over that pause.
fn cut_at_restarts(core: &Joined<'_, '_>, sections: &[Vec<Section>; 3]) -> [Vec<Section>; 3] {
    [0, 1, 2].map(|engine| {
        let events = core.events(engine);
        let others = (0..3).filter(|other| *other != engine);
        let mut restarts: Vec<(i64, i64)> = others
            .flat_map(|other| {
                let times = core.events(other);
                sections[other].windows(2).filter_map(|pair| {
                    let &[before, behind] = pair else { return None };
                    let last = before.first + before.len;
                    let end = times.end.get(before.first..last)?.iter().max()?;
                    Some((*end, *times.start.get(behind.first)?))
                })
            })
            .collect();
        restarts.sort_unstable();
        let cuts = |section: &Section| {
            let rows = section.first..section.first + section.len;
            let starts = events.start.get(rows.clone()).unwrap_or_default();
            // Only the pauses within its time: there are as many sections as pauses.
            let [from, to] = [starts.first(), starts.last()].map(|time| {
                time.map_or(0, |time| restarts.partition_point(|(end, _)| end <= time))
            });
            let within = restarts.get(from..to).unwrap_or_default();
            let mut cuts: Vec<usize> = within
                .iter()
                .filter_map(|&(end, start)| {
                    let row = section.first + starts.partition_point(|own| *own < end);
                    let is_inside = row > rows.start && row < rows.end;
                    (is_inside && events.end[row - 1] <= start).then_some(row)
                })
                .collect();
            cuts.sort_unstable();
            cuts.dedup();
            cuts
        };
        let cut =
            sections[engine].iter().map(|section| cut_at(section, &cuts(section), &events.id));
        cut.flatten().collect()
    })
}

/// The parts of a section between some of its rows.
fn cut_at(section: &Section, cuts: &[usize], ids: &[i64]) -> Vec<Section> {
    let mut bounds = vec![section.first];
    bounds.extend(cuts);
    bounds.push(section.first + section.len);
    let part = |bounds: &[usize]| {
        let rows = bounds[0]..bounds[1];
        let own = ids.get(rows.clone())?;
        let span = own.last()?.abs_diff(*own.first()?) + 1;
        Some(Section { span, first: rows.start, len: rows.len() })
    };
    bounds.windows(2).filter_map(part).collect()
}

/// Cuts sections before an id that is no restart, and goes on neither from the one before nor to the one behind: it is wrong, and may be
/// that of the next launch's first command.
fn cut_at_wrong_ids(sections: &[Section], ids: &[i64]) -> Vec<Section> {
    let cut = sections.iter().map(|section| {
        let is_wrong = |row: &usize| {
            let id = |row: usize| ids.get(row).copied();
            let follows = |a: usize, b: usize| id(a).zip(id(b)).is_some_and(|(a, b)| a + 1 == b);
            *row > section.first && !follows(row - 1, *row) && !follows(*row, row + 1)
        };
        let rows = section.first..section.first + section.len;
        cut_at(section, &rows.filter(is_wrong).collect::<Vec<_>>(), ids)
    });
    cut.flatten().collect()
}

/// How often an engine had the groups of its stream, if the number of its sections says so. Engines may differ: groups that repeat
/// themselves on one of them may have other addresses on another.
fn repetitions(groups: usize, of_model: usize) -> Option<usize> {
    if groups == 0 {
        return (of_model == 0).then_some(0);
    }
    of_model.checked_div(groups).filter(|times| *times > 0 && times * groups == of_model)
}
