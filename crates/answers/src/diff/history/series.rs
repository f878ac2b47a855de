//! The builds of a unit, looked at one after another as they came.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{EventKind, HistoryEvent};
use super::levels::HistorySeries;
use super::line::{LEAST_EXACT, Line};
use super::record::{HistoryBuild, RunRecord, TOTAL};
use super::robust::{level, middle};
use super::watch::{Found, Watch};
use crate::diff::lineage::{Lineage, Owner};
use bigtpu_measure::round4;

/// A change that was reported this many builds from another one is the same.
const NEAR: u64 = 2;
/// A series changed like all together if it did by at least this part of their change.
const ALIKE: f64 = 0.5;

/// The builds of a unit.
#[derive(Debug)]
pub(super) struct UnitSeries {
    unit: String,
    /// The wall time first.
    lines: Vec<Line>,
    common_start: usize,
    /// Number among all builds, and name, of each build of the unit.
    builds: Vec<(usize, String)>,
    simulated: Vec<bool>,
    /// What the kernels or layers of the last build do.
    owners: Vec<Owner>,
    events: Vec<HistoryEvent>,
}

impl UnitSeries {
    pub(super) fn new(unit: &str) -> Self {
        let total = Line { name: TOTAL.to_owned(), ..Line::default() };
        Self {
            unit: unit.to_owned(),
            lines: vec![total],
            common_start: 0,
            builds: Vec::new(),
            simulated: Vec::new(),
            owners: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Adds a build, whose number among all is given, and looks what changed with it. `is_last`: its runs were just added.
    pub(super) fn add(
        &mut self,
        (number, build): (usize, &HistoryBuild),
        watch: &Watch,
        is_last: bool,
    ) {
        let records: Vec<&RunRecord> =
            build.records.iter().filter(|r| r.unit == self.unit).collect();
        if records.is_empty() {
            return;
        }
        self.builds.push((number, build.label().to_owned()));
        self.simulated.push(records.iter().all(|record| record.simulated));
        let mut found = self.take(&records);
        match &build.reported {
            Some(reported) => {
                let own: Vec<HistoryEvent> =
                    reported.iter().filter(|e| e.unit == self.unit).cloned().collect();
                found =
                    own.into_iter().map(|event| HistoryEvent { is_new: false, ..event }).collect();
                found.iter().for_each(|event| self.restart(event));
            }
            None => {
                found.iter_mut().for_each(|event| event.is_new = is_last);
                found.extend(self.changes(watch, is_last));
            }
        }
        self.events.extend(found);
    }

    /// The times of the last build, each the median of its runs. Returns what is new, gone or renamed.
    fn take(&mut self, records: &[&RunRecord]) -> Vec<HistoryEvent> {
        let at = self.builds.len() - 1;
        let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (name, ns) in records.iter().flat_map(|record| &record.times) {
            // Less than a ns can't be measured.
            times.entry(name).or_default().push(ns.max(1.0));
        }
        let times: BTreeMap<&str, f64> =
            times.into_iter().map(|(name, of_runs)| (name, middle(of_runs.into_iter()))).collect();
        // All runs of a build do the same work.
        let owners = records.iter().map(|record| record.owners()).find(|own| !own.is_empty());
        let owners = owners.unwrap_or_default();
        let renamed: BTreeMap<String, String> =
            Lineage::of_owners(&self.owners, &owners).renamed.into_iter().collect();
        let mut events = Vec::new();
        let known: BTreeSet<String> = self.lines.iter().map(|line| line.name.clone()).collect();
        let mut fresh: Vec<&str> =
            times.keys().copied().filter(|name| !known.contains(*name)).collect();
        for line in &mut self.lines {
            line.values.resize(at, f64::NAN);
            let ns = times.get(line.name.as_str());
            line.values.push(ns.map_or(f64::NAN, |ns| ns.ln()));
            if ns.is_some() && line.is_gone {
                line.is_gone = false;
                line.start = at;
            }
        }
        let was_there = |line: &Line| at > 0 && line.name != TOTAL && line.value(at - 1).is_some();
        let missing: Vec<usize> = (0..self.lines.len())
            .filter(|n| {
                self.lines.get(*n).is_some_and(|line| was_there(line) && !line.is_present())
            })
            .collect();
        for number in missing {
            let Some(line) = self.lines.get(number) else { continue };
            let before_ns = Some(round4(level(&line.known(at), 0.0).exp()));
            let name = line.name.clone();
            let new = renamed.get(&name).filter(|new| fresh.contains(&new.as_str()));
            if let Some(new) = new {
                fresh.retain(|name| name != new);
                let after_ns = times.get(new.as_str()).copied();
                let event = self.event(EventKind::Renamed, new, at);
                events.push(HistoryEvent { old_name: Some(name), before_ns, after_ns, ..event });
                if let Some(line) = self.lines.get_mut(number) {
                    line.name.clone_from(new);
                    if let (Some(slot), Some(ns)) = (line.values.last_mut(), after_ns) {
                        *slot = ns.ln();
                    }
                }
            } else {
                if self.is_unsaid(EventKind::Gone, &name) {
                    events
                        .push(HistoryEvent { before_ns, ..self.event(EventKind::Gone, &name, at) });
                }
                if let Some(line) = self.lines.get_mut(number) {
                    line.is_gone = true;
                }
            }
        }
        for name in fresh {
            let mut values = vec![f64::NAN; at];
            values.extend(times.get(name).map(|ns| ns.ln()));
            let line = Line { values, start: at, name: name.to_owned(), is_gone: false };
            self.lines.push(line);
            if at > 0 {
                let after_ns = times.get(name).copied();
                events.push(HistoryEvent { after_ns, ..self.event(EventKind::New, name, at) });
            }
        }
        self.owners = owners;
        events
    }

    /// What is longer or shorter with the last build.
    fn changes(&mut self, watch: &Watch, is_last: bool) -> Vec<HistoryEvent> {
        let found = match self.is_exact() {
            true => self.exact_changes(watch.least),
            false => {
                let values: Vec<Vec<f64>> =
                    self.lines.iter().map(|line| line.values.clone()).collect();
                let starts: Vec<usize> = self.lines.iter().map(|line| line.start).collect();
                watch.look(&values, &starts, self.common_start)
            }
        };
        let mut events = Vec::new();
        let mut taken = BTreeSet::new();
        if let Some(common) = found.iter().find(|found| found.series.is_none()) {
            let alike: Vec<usize> = (0..self.lines.len())
                .filter(|n| {
                    self.lines
                        .get(*n)
                        .and_then(|line| line.size(common.at))
                        .is_some_and(|size| size / common.size >= ALIKE)
                })
                .collect();
            if alike.len() * 2 > self.present() || found.len() == 1 {
                let first = alike.iter().copied().max_by(|a, b| {
                    let ns = |n: &usize| {
                        self.lines.get(*n).and_then(|l| l.values.last()).copied().unwrap_or(0.0)
                    };
                    (*a == 0).cmp(&(*b == 0)).then(ns(a).total_cmp(&ns(b)))
                });
                if let Some(first) = first {
                    let also = alike.iter().filter(|n| **n != first);
                    let also =
                        also.filter_map(|n| Some(self.lines.get(*n)?.name.clone())).collect();
                    taken.extend(alike.iter().copied());
                    let event = self.change(first, common);
                    events.extend(event.map(|event| HistoryEvent { also, ..event }));
                }
                self.common_start = common.at;
            }
        }
        for own in &found {
            if let Some(number) = own.series.filter(|number| taken.insert(*number)) {
                events.extend(self.change(number, own));
            }
        }
        // The wall time first, then what takes most of it.
        events.sort_by(|a, b| {
            let ns = |event: &HistoryEvent| {
                event.after_ns.unwrap_or(0.0) - event.before_ns.unwrap_or(0.0)
            };
            (b.name == TOTAL).cmp(&(a.name == TOTAL)).then(ns(b).abs().total_cmp(&ns(a).abs()))
        });
        let mut said: Vec<HistoryEvent> = Vec::new();
        for event in events {
            self.restart(&event);
            let is_near = |old: &&HistoryEvent| {
                old.number.abs_diff(event.number) <= NEAR && old.kind == event.kind
            };
            let is_said = self.events.iter().any(|old| {
                is_near(&old) && (old.name == event.name || old.also.contains(&event.name))
            });
            if is_said {
                continue;
            }
            let follows = self.events.iter().chain(&said).any(|old| is_near(&old));
            said.push(HistoryEvent { follows, is_new: is_last, ..event });
        }
        said
    }

    /// A series begins anew where an event found its change.
    fn restart(&mut self, event: &HistoryEvent) {
        if !matches!(event.kind, EventKind::Slower | EventKind::Faster) {
            return;
        }
        let at = usize::try_from(event.number).unwrap_or(1).saturating_sub(1);
        let is_common = !event.also.is_empty();
        if is_common {
            self.common_start = self.common_start.max(at);
        }
        for line in &mut self.lines {
            if is_common || line.name == event.name {
                line.start = line.start.max(at);
            }
        }
    }

    /// Times repeat exactly: they are simulated, or mostly equal those of the build before.
    fn is_exact(&self) -> bool {
        if self.simulated.iter().all(|simulated| *simulated) {
            return true;
        }
        let at = self.builds.len().saturating_sub(1);
        let total = self.lines.first();
        let has_enough = total.is_some_and(|total| total.known(at).len() >= LEAST_EXACT);
        has_enough && self.lines.iter().all(|line| line.is_exact(at))
    }

    /// The times of the last build that differ from those at the start of their level.
    fn exact_changes(&self, least: f64) -> Vec<Found> {
        let at = self.builds.len().saturating_sub(1);
        let change = |(number, line): (usize, &Line)| {
            let size = line.exact_size(at).filter(|size| size.abs() >= least && *size != 0.0)?;
            let (series, margin) = (Some(number), f64::INFINITY);
            Some(Found { series, at, size, chance: 0.0, margin })
        };
        self.lines.iter().enumerate().filter_map(change).collect()
    }

    /// The event of a change of a series.
    fn change(&self, number: usize, found: &Found) -> Option<HistoryEvent> {
        let line = self.lines.get(number)?;
        let before = level(&line.known(found.at), 0.0);
        let after = line.level_from(found.at)?;
        let kind = if found.size > 0.0 { EventKind::Slower } else { EventKind::Faster };
        let (before_ns, after_ns) = (before.exp(), after.exp());
        Some(HistoryEvent {
            before_ns: Some(round4(before_ns)),
            after_ns: Some(round4(after_ns)),
            relative: Some(round4(after_ns / before_ns.max(1.0) - 1.0)),
            chance: (found.margin.is_finite()).then_some(found.chance),
            ..self.event(kind, &line.name, found.at)
        })
    }

    fn event(&self, kind: EventKind, name: &str, at: usize) -> HistoryEvent {
        let label =
            |at: usize| self.builds.get(at).map(|(_, label)| label.clone()).unwrap_or_default();
        HistoryEvent {
            kind,
            unit: self.unit.clone(),
            name: name.to_owned(),
            old_name: None,
            run: label(at),
            number: at as u64 + 1,
            found: label(self.builds.len().saturating_sub(1)),
            before_ns: None,
            after_ns: None,
            relative: None,
            chance: None,
            also: Vec::new(),
            follows: false,
            is_new: false,
            found_at: self.builds.last().map_or(0, |(number, _)| *number),
        }
    }

    fn is_unsaid(&self, kind: EventKind, name: &str) -> bool {
        !self.events.iter().any(|event| event.kind == kind && event.name == name)
    }

    /// Lines that the last build has.
    fn present(&self) -> usize {
        self.lines.iter().filter(|line| line.is_present()).count()
    }

    /// Builds of the unit.
    pub(super) fn len(&self) -> usize {
        self.builds.len()
    }

    /// Its builds can be compared: their times repeat exactly, or are enough to know their noise.
    pub(super) fn is_enough(&self, least: usize) -> bool {
        self.len() >= least || (self.len() >= 2 && self.is_exact())
    }

    /// What happened, and all series.
    pub(super) fn finish(self) -> (Vec<HistoryEvent>, Vec<HistorySeries>) {
        let builds: Vec<usize> = self.builds.iter().map(|(number, _)| *number).collect();
        let series = self
            .lines
            .iter()
            .map(|line| HistorySeries::from_line(&self.unit, line, &builds, &self.events))
            .collect();

        (self.events, series)
    }
}
