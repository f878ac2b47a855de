//! Fits sections of records to the groups of one or more launches.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::BoundModel;
use super::stream::Group;
use crate::align::align;
use crate::binding::Binding;
use crate::bound::Bound;
use crate::by_ids::path::{Found, IdRun, Rules, cheapest};
use crate::by_ids::{self, Break, Gap, RECORDS_PER_BREAK};
use crate::pair::spans;
use crate::quality::{Quality, mark};
use crate::sections::Section;
use crate::wide_events::WideEvents;

/// The runtime writes so many records of its own in a row.
const MOST_OF_RUNTIME: usize = 2;
/// Cost of one of them as the first of a model.
const COST_OF_RUNTIME: u32 = 16;

/// What a section that was cut, or lacks its first record, says of the model.
#[derive(Clone, Copy)]
struct Split {
    /// Id of a group's first command.
    base: i64,
    /// The record of a group's first command is lost.
    is_first_lost: bool,
}

/// Sections of records fitted to the groups of one or more launches.
pub(super) struct Fit<'a> {
    /// The groups of all launches, in order.
    groups: Vec<Group<'a>>,
    /// Sections and groups that fit each other.
    pairs: Vec<(usize, usize)>,
    /// Records in these sections.
    pub(super) records: u64,
    /// How often the groups were launched.
    launches: usize,
}

impl<'a> Fit<'a> {
    pub(super) fn new(sections: &[Section], groups: Vec<Group<'a>>) -> Self {
        let launches = launches(sections, &groups);
        let groups = groups.repeat(launches);
        let group_spans: Vec<u64> = groups.iter().map(|group| group.span as u64).collect();
        let pairs = align(&spans(sections), &group_spans);
        let records = pairs.iter().map(|&(r, _)| sections[r].len as u64).sum();
        Self { groups, pairs, records, launches }
    }

    pub(super) fn bind(&self, events: &mut WideEvents, sections: &[Section]) -> BoundModel {
        let commands = self.groups.iter().map(Group::certain).sum();
        let mut found = BoundModel { commands, ..BoundModel::default() };
        for &(r, c) in &self.pairs {
            found.bind(events, sections[r], &self.groups[c]);
        }
        found
    }

    /// Binds records by their ids where the lengths of sections leave some of the groups without records: damage
    /// changed a section. `None` where they leave none, or where there is more at odds than damage explains.
    pub(super) fn settle(
        &self,
        events: &mut WideEvents,
        sections: &[Section],
    ) -> Option<BoundModel> {
        let groups = self.launched(events.len() as u64);
        let is_whole = self.pairs.len() == groups.len() || self.pairs.len() == sections.len();
        let split = self.base_of_split(events, sections);
        if is_whole && split.is_none() || events.len() < FEWEST_TO_SETTLE {
            return None;
        }
        let base = split.map_or_else(|| self.first_id(events, sections), |split| split.base);
        let runtime = split.map_or_else(Vec::new, |split| self.runtime_records(&split, sections));
        let doubt = |record: usize, _| {
            if runtime.iter().any(|of_runtime| of_runtime.contains(&record)) {
                COST_OF_RUNTIME
            } else {
                0
            }
        };
        let runs: Vec<IdRun> = groups
            .iter()
            .map(|group| IdRun { first: base, span: group.commands.len() as u64 })
            .collect();
        let found = cheapest(&events.id, &runs, Rules::COMPILED, |_| usize::MAX, doubt);
        let bound = found.iter().flatten().count() as u64;
        let mut breaks = breaks_of(&found, &groups);
        let most = (events.len() / RECORDS_PER_BREAK) as u64;
        if bound < self.records || breaks.len() as u64 > most {
            return None;
        }
        let surplus = surplus(&events.id, &found);
        if surplus.len() as u64 <= most {
            breaks.extend(surplus);
            breaks.sort_by_key(|at| at.record);
        }
        let mut model = BoundModel { bound, ..BoundModel::default() };
        model.commands = groups.iter().map(Group::certain).sum();
        for (i, found) in found.iter().enumerate() {
            let Some(Found { run, at, by_id, .. }) = *found else { continue };
            let descriptor = groups.get(run).and_then(|group| group.commands.get(at as usize));
            let Some(&descriptor) = descriptor else { continue };
            events.bind(i, Bound::of_descriptor(descriptor), 0);
            model.commands += u64::from(descriptor.may_lack_record);
            if !by_id {
                mark(&mut events.marks, events.record[i], Quality::Repaired);
            }
        }
        model.breaks = breaks;
        Some(model)
    }

    /// The id of a group's first command, where a wrong id cut the group's section in two, of which one part happens to span as many
    /// ids as the group, or as the group without its end command, which may have no record.
    ///
    /// ```text
    ///   1 .. 31 81 │ 33 .. 81      of 32 became 81: the first part spans the group, and the other has the ids that it lacks
    ///   1 .. 32 │ 1 34 .. 81       of 33 became 1: the second part does
    ///   0 .. 79 │ 16               of 80, the end command, became 16
    ///   0 1 32 │ 1 2 .. 80         of 0 became 32 and stands behind the runtime's own records
    ///   0 1 │ 1 2 .. 80            the record of 0 is lost: the last record looks like the end command's
    /// ```
    fn base_of_split(&self, events: &WideEvents, sections: &[Section]) -> Option<Split> {
        let id = |i: usize| events.id.get(i).copied();
        let paired: HashMap<usize, usize> = self.pairs.iter().copied().collect();
        let least = sections.iter().filter_map(|section| id(section.first)).min()?;
        let has_hole = |section: &Section| section.span > section.len as u64;
        let follows = |before: Option<i64>, behind: Option<i64>| {
            before.zip(behind).is_some_and(|(before, behind)| before + 2 == behind)
        };
        let lacks_end = |group: &Group<'_>| group.commands.len() > group.skipped + group.span;
        let begins_late = |section: &Section, group: &Group<'_>| {
            id(section.first).is_some_and(|id| id - 1 - group.skipped as i64 == least)
        };
        let has_end = |section: &Section| {
            let last = events.binding.get(section.first + section.len - 1);
            last.is_some_and(|binding| matches!(binding, Binding::Send | Binding::Wait))
        };
        let lacks_first = self.pairs.iter().any(|&(r, c)| {
            let (section, group) = (&sections[r], &self.groups[c]);
            begins_late(section, group) && lacks_end(group) && has_end(section)
        });
        if lacks_first {
            return Some(Split { base: least, is_first_lost: true });
        }
        let mut parts = sections.windows(2).enumerate();
        let base = parts.find_map(|(r, parts)| {
            let [own, next] = parts else { return None };
            let last = own.first + own.len - 1;
            let group = |r: usize| paired.get(&r).and_then(|&c| self.groups.get(c));
            match (group(r), group(r + 1)) {
                (Some(group), None) => {
                    let is_cut =
                        own.len > 1 && has_hole(own) && follows(id(last - 1), id(next.first));
                    let is_end = lacks_end(group) && next.len == 1 && id(next.first) != Some(least);
                    let base = id(own.first)? - group.skipped as i64;
                    (is_cut || is_end).then_some(base)
                }
                (None, Some(group)) => {
                    let is_cut = next.len > 1 && has_hole(next);
                    if is_cut && follows(id(last), id(next.first + 1)) {
                        return Some(id(own.first)? - group.skipped as i64);
                    }
                    let is_first =
                        begins_late(next, group) && stands_apart(events, own, next, least);
                    is_first.then_some(least)
                }
                _ => None,
            }
        });
        Some(Split { base: base?, is_first_lost: false })
    }

    /// Where a model's first record is lost, the records beside it that have its id are the runtime's own.
    fn runtime_records(&self, split: &Split, sections: &[Section]) -> Vec<Range<usize>> {
        let is_paired = |r: usize| self.pairs.iter().any(|(paired, _)| *paired == r);
        let of_runtime = sections.iter().enumerate().filter(|(r, section)| {
            split.is_first_lost && section.len <= MOST_OF_RUNTIME && !is_paired(*r)
        });
        of_runtime.map(|(_, section)| section.first..section.first + section.len).collect()
    }

    /// The groups of all launches: as many as there are records for, since damage leaves no group whole in each of them.
    fn launched(&self, records: u64) -> Vec<Group<'a>> {
        let commands: u64 = self.groups.iter().map(|group| group.span as u64).sum();
        let once = &self.groups[..self.groups.len() / self.launches.max(1)];
        let of_one = commands / self.launches.max(1) as u64;
        let launches = (records + of_one / 2) / of_one.max(1);
        once.repeat((launches as usize).max(self.launches))
    }

    /// The id of the first command of a group, as most of the sections that pair have it.
    fn first_id(&self, events: &WideEvents, sections: &[Section]) -> i64 {
        let id =
            |&(r, c): &(usize, usize)| events.id[sections[r].first] - self.groups[c].skipped as i64;
        let mut ids: Vec<i64> = self.pairs.iter().map(id).collect();
        ids.sort_unstable();
        ids.get(ids.len() / 2).copied().unwrap_or(0)
    }
}

/// Whether the last record of a section does not go on from the one before it, by its id, or is nearer to the next section's first
/// record.
fn stands_apart(events: &WideEvents, own: &Section, next: &Section, least: i64) -> bool {
    let last = own.first + own.len - 1;
    if own.len == 1 {
        return events.id[last] != least;
    }
    let pause = |before: usize, behind: usize| events.start[behind] - events.end[before];
    events.id[last] != events.id[last - 1] + 1 || pause(last, next.first) < pause(last - 1, last)
}

/// Fewer records say too little to tell damage from another run.
const FEWEST_TO_SETTLE: usize = by_ids::FEWEST_RECORDS;

/// Records without a command that go on from one with a command. The runtime's own records begin anew.
fn surplus(ids: &[i64], found: &[Option<Found>]) -> Vec<Break> {
    let mut breaks = Vec::new();
    let mut goes_on = false;
    for (i, is_free) in found.iter().map(Option::is_none).enumerate() {
        let before = i.checked_sub(1);
        let is_next = before.is_some_and(|b| ids.get(b).map(|id| id + 1) == ids.get(i).copied());
        let is_bound_before = before.is_some_and(|b| found.get(b).is_some_and(Option::is_some));
        goes_on = is_free && is_next && (is_bound_before || goes_on);
        if goes_on {
            breaks.push(Break { record: i, tag: 0, gap: Gap::Extra(1) });
        }
    }
    breaks
}

/// Where commands that have a record have none, and where ids are wrong. The runtime's own records are among those that
/// match no command.
fn breaks_of(found: &[Option<Found>], groups: &[Group<'_>]) -> Vec<Break> {
    let mut breaks = Vec::new();
    let (mut run, mut next) = (0, 0);
    let lost = |(run, next): (usize, usize), (to_run, to): (usize, usize)| {
        let within = |at: usize| {
            let commands = groups.get(at).map_or(&[][..], |group| group.commands);
            let from = if at == run { next.min(commands.len()) } else { 0 };
            let end = if at == to_run { to.min(commands.len()) } else { commands.len() };
            let commands = commands.get(from..end).unwrap_or_default();
            commands.iter().filter(|d| !d.may_lack_record).count() as u64
        };
        (run..=to_run).map(within).sum::<u64>()
    };
    let end = (groups.len(), 0);
    let places = found.iter().enumerate().filter_map(|(i, found)| Some((i, (*found)?)));
    for (i, Found { run: to_run, at, is_break, .. }) in places {
        let gap = lost((run, next), (to_run, at as usize));
        if gap > 0 {
            breaks.push(Break { record: i, tag: 0, gap: Gap::Lost(gap) });
        }
        if is_break {
            breaks.push(Break { record: i, tag: 0, gap: Gap::WrongId });
        }
        (run, next) = (to_run, at as usize + 1);
    }
    let gap = lost((run, next), end);
    if gap > 0 {
        breaks.push(Break { record: found.len(), tag: 0, gap: Gap::Lost(gap) });
    }
    breaks
}

/// How often the stream was launched: as often as each of its groups has sections of its span.
fn launches(sections: &[Section], groups: &[Group<'_>]) -> usize {
    let (mut compiled, mut recorded) = (HashMap::new(), HashMap::new());
    for group in groups {
        *compiled.entry(group.span as u64).or_insert(0_usize) += 1;
    }
    for section in sections {
        *recorded.entry(section.span).or_insert(0_usize) += 1;
    }
    let times = compiled.iter().map(|(span, n)| recorded.get(span).map_or(0, |times| times / n));
    times.min().unwrap_or(1).max(1)
}
