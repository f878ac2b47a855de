//! The builds of a unit, looked at one after another as they came.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::event::{EventKind, HistoryEvent};
use super::record::{HistoryBuild, Record, TOTAL};
use super::robust::{level, middle};
use super::watch::{Found, Watch};
use bigtpu_measure::round4;

/// A change that was reported this many builds from another one is the same.
const NEAR: u64 = 2;
/// A series changed like all together if it did by at least this part of their change.
const ALIKE: f64 = 0.5;
/// Builds of which times that are not marked as simulated repeat exactly if they mostly equal their neighbours.
const LEAST_EXACT: usize = 3;

/// A time over the builds of a unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistorySeries {
    /// Workload, host, device and call; empty where there is nothing to tell apart.
    pub unit: String,
    /// `total`, or a kernel or layer with its name.
    pub name: String,
    /// Builds that have it.
    pub builds: u64,
    /// ns by build: its number among all builds from 0, its number among those of the unit from 1, and the time.
    #[serde(skip)]
    pub points: Vec<(usize, u64, f64)>,
    /// Levels, the last one is that of now.
    pub levels: Vec<HistoryLevel>,
    /// Standard deviation of the noise around the last level, over the level; absent with fewer than three builds there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
}

/// A time that stayed the same but for noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HistoryLevel {
    /// The first build of the unit that has it, from 1.
    pub from: u64,
    /// The last.
    pub to: u64,
    /// ns.
    pub ns: f64,
}

/// A series while its builds are looked at.
#[derive(Debug, Clone, Default)]
struct Line {
    /// Logarithms of ns by build of the unit; NaN where a build has none.
    values: Vec<f64>,
    /// Its first build at the level of now.
    start: usize,
    /// Its name now.
    name: String,
    /// Its kernel is gone.
    is_gone: bool,
}

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
    works: BTreeMap<String, String>,
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
            works: BTreeMap::new(),
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
        let records: Vec<&Record> = build.records.iter().filter(|r| r.unit == self.unit).collect();
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
    fn take(&mut self, records: &[&Record]) -> Vec<HistoryEvent> {
        let at = self.builds.len() - 1;
        let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (name, ns) in records.iter().flat_map(|record| &record.times) {
            // Less than a ns can't be measured.
            times.entry(name).or_default().push(ns.max(1.0));
        }
        let times: BTreeMap<&str, f64> =
            times.into_iter().map(|(name, of_runs)| (name, middle(of_runs.into_iter()))).collect();
        let works: BTreeMap<String, String> =
            records.iter().flat_map(|record| record.works.clone()).collect();
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
        let was_there = |line: &Line| {
            at > 0 && line.name != TOTAL && line.values.get(at - 1).is_some_and(|v| v.is_finite())
        };
        let is_there = |line: &Line| line.values.last().is_some_and(|v| v.is_finite());
        let missing: Vec<usize> = (0..self.lines.len())
            .filter(|n| self.lines.get(*n).is_some_and(|line| was_there(line) && !is_there(line)))
            .collect();
        for number in missing {
            let Some(line) = self.lines.get(number) else { continue };
            let before_ns = Some(round4(level(&self.known(line, at), 0.0).exp()));
            let own = self.works.get(&line.name);
            // The same work under a name that is new.
            let alike = |name: &&&str| own.is_some() && works.get(**name) == own;
            let renamed = fresh.iter().filter(alike).copied().collect::<Vec<&str>>();
            let name = line.name.clone();
            if let [new] = renamed.as_slice() {
                fresh.retain(|name| name != new);
                let after_ns = times.get(new).copied();
                let event = self.event(EventKind::Renamed, new, at);
                events.push(HistoryEvent { old_name: Some(name), before_ns, after_ns, ..event });
                if let Some(line) = self.lines.get_mut(number) {
                    line.name = (*new).to_owned();
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
        self.works = works;
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
                    self.size(*n, common.at).is_some_and(|size| size / common.size >= ALIKE)
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
        let is_exact = |line: &Line| {
            let known = self.known(line, at);
            let equal = known.iter().zip(known.iter().skip(1)).filter(|(a, b)| a == b).count();
            known.len() < 2 || (known.len() >= LEAST_EXACT && equal * 3 >= (known.len() - 1) * 2)
        };
        let has_enough =
            self.lines.first().is_some_and(|total| self.known(total, at).len() >= LEAST_EXACT);
        has_enough && self.lines.iter().all(is_exact)
    }

    /// The times of the last build that differ from those at the start of their level.
    fn exact_changes(&self, least: f64) -> Vec<Found> {
        let at = self.builds.len().saturating_sub(1);
        let change = |(number, line): (usize, &Line)| {
            let own = line.values.get(line.start..at)?.iter().find(|v| v.is_finite())?;
            let size = line.values.last().copied().filter(|v| v.is_finite())? - own;
            (size.abs() >= least && size != 0.0).then_some(Found {
                series: Some(number),
                at,
                size,
                chance: 0.0,
                margin: f64::INFINITY,
            })
        };
        self.lines.iter().enumerate().filter_map(change).collect()
    }

    /// The event of a change of a series.
    fn change(&self, number: usize, found: &Found) -> Option<HistoryEvent> {
        let line = self.lines.get(number)?;
        let before = level(&self.known(line, found.at), 0.0);
        let after = self.level_from(line, found.at)?;
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

    /// Values of a series since the start of its level, before a build.
    fn known(&self, line: &Line, at: usize) -> Vec<f64> {
        let own = line.values.get(line.start.min(at)..at).unwrap_or_default();
        own.iter().copied().filter(|v| v.is_finite()).collect()
    }

    fn level_from(&self, line: &Line, at: usize) -> Option<f64> {
        let own: Vec<f64> =
            line.values.get(at..)?.iter().copied().filter(|v| v.is_finite()).collect();
        (!own.is_empty()).then(|| middle(own.into_iter()))
    }

    /// How much a series changed at a build, as a difference of logarithms.
    fn size(&self, number: usize, at: usize) -> Option<f64> {
        let line = self.lines.get(number)?;
        let before = self.known(line, at);
        (!before.is_empty()).then_some(self.level_from(line, at)? - middle(before.into_iter()))
    }

    /// HistorySeries that the last build has.
    fn present(&self) -> usize {
        self.lines.iter().filter(|line| line.values.last().is_some_and(|v| v.is_finite())).count()
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
        let series = self.lines.iter().map(|line| self.series(line)).collect();
        (self.events, series)
    }

    fn series(&self, line: &Line) -> HistorySeries {
        let points: Vec<(usize, u64, f64)> = line
            .values
            .iter()
            .zip(&self.builds)
            .zip(1..)
            .filter(|((value, _), _)| value.is_finite())
            .map(|((value, (number, _)), own)| (*number, own, round4(value.exp())))
            .collect();
        let is_of = |event: &&HistoryEvent| {
            matches!(event.kind, EventKind::Slower | EventKind::Faster)
                && (event.name == line.name || event.also.contains(&line.name))
        };
        let mut bounds: Vec<u64> =
            self.events.iter().filter(is_of).map(|event| event.number).collect();
        bounds.extend([0, self.len() as u64 + 1]);
        bounds.sort_unstable();
        bounds.dedup();
        let within = |from: u64, to: u64| {
            let own = points.iter().filter(move |(_, own, _)| (from..to).contains(own));
            own.map(|(_, own, ns)| (*own, *ns)).collect::<Vec<_>>()
        };
        let levels = bounds.iter().zip(bounds.iter().skip(1)).filter_map(|(from, to)| {
            let own = within(*from, *to);
            let ns = round4(middle(own.iter().map(|(_, ns)| *ns)));
            Some(HistoryLevel { from: own.first()?.0, to: own.last()?.0, ns })
        });
        let levels: Vec<HistoryLevel> = levels.collect();
        let noise = levels.last().and_then(|last| {
            let own: Vec<f64> =
                within(last.from, last.to + 1).iter().map(|(_, ns)| ns.ln()).collect();
            let (_, variance) = super::robust::level_and_variance(&own);
            (own.len() >= 3).then(|| round4(variance.variance.sqrt()))
        });
        HistorySeries {
            unit: self.unit.clone(),
            name: line.name.clone(),
            builds: points.len() as u64,
            points,
            levels,
            noise,
        }
    }
}
