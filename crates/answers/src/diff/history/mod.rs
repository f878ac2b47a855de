//! Runs over a long time: a record of each, and since when the wall time, a kernel or a layer takes another time.
//!
//! Each build is looked at when it is added, and what is said of it is kept, so that nothing is said twice. `docs/proof/ci.md` has the method.

mod event;
mod levels;
mod line;
mod moderate;
mod panel;
mod place;
mod record;
mod robust;
mod series;
mod watch;

use std::collections::BTreeSet;

use serde::Serialize;

pub use event::{EventKind, HistoryEvent, series_title};
pub use levels::{HistoryLevel, HistorySeries};
pub use record::{HISTORY_SCHEMA_VERSION, HistoryBuild, HistoryLine, LookedAt, RunRecord};

use bigtpu_messages::{Arg, LocalizedText, message};
use series::UnitSeries;
use watch::Watch;

/// Builds that changes need where times are measured.
pub const LEAST_HISTORY: usize = 7;

/// How changes are told from noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryOptions {
    /// One in so many builds has a false alarm, at most, all times of all units together.
    pub builds_per_alarm: f64,
    /// The least change, over the level before.
    pub least_change: f64,
}

impl Default for HistoryOptions {
    fn default() -> Self {
        Self { builds_per_alarm: 200.0, least_change: 0.01 }
    }
}

/// The result of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryVerdict {
    /// No time rose with the runs that were added last.
    Ok,
    /// The runs are too few.
    Skipped,
    /// Some time is longer since one of the last runs.
    Slower,
}

/// What a history shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    /// Version of this layout.
    pub schema_version: u32,
    /// The result.
    pub verdict: HistoryVerdict,
    /// The result in a sentence.
    #[serde(flatten)]
    pub text: LocalizedText,
    /// One in so many builds has a false alarm, at most.
    pub builds_per_alarm: f64,
    /// The least change that is one.
    pub least_change: f64,
    /// Builds.
    pub builds: u64,
    /// Runs.
    pub runs: u64,
    /// Runs that were added last.
    pub added: u64,
    /// Label and link of each build.
    #[serde(skip)]
    pub labels: Vec<(String, Option<String>)>,
    /// All times.
    pub series: Vec<HistorySeries>,
    /// What happened: new ones first, then the latest first.
    pub events: Vec<HistoryEvent>,
}

impl History {
    /// Looks at all builds in their order; the last `added` are new. Notes in each build that was not looked at yet
    /// what is reported of it.
    #[must_use]
    pub fn compute(builds: &mut [HistoryBuild], added: usize, options: HistoryOptions) -> Self {
        let units = |builds: &[HistoryBuild]| -> BTreeSet<String> {
            builds.iter().flat_map(|build| &build.records).map(|r| r.unit.clone()).collect()
        };
        let old = builds.len().saturating_sub(added);
        let mut of_units: Vec<UnitSeries> =
            units(builds).iter().map(|unit| UnitSeries::new(unit)).collect();
        for (number, build) in builds.iter().enumerate() {
            let together = units(std::slice::from_ref(build)).len().max(1) as f64;
            let watch = Watch {
                chance: 1.0 / options.builds_per_alarm.max(1.0) / together,
                least: options.least_change.max(0.0).ln_1p(),
            };
            for unit in &mut of_units {
                unit.add((number, build), &watch, number >= old);
            }
        }
        let is_enough = of_units.iter().any(|unit| unit.is_enough(LEAST_HISTORY));
        let (mut events, mut series) = (Vec::new(), Vec::new());
        for unit in of_units {
            let (own_events, own_series) = unit.finish();
            events.extend(own_events);
            series.extend(own_series);
        }
        for (number, build) in builds.iter_mut().enumerate() {
            if build.reported.is_some() {
                continue;
            }
            let is_own = |event: &&HistoryEvent| event.found_at == number;
            let said = events.iter().filter(is_own).cloned();
            build.reported =
                Some(said.map(|event| HistoryEvent { is_new: false, ..event }).collect());
        }
        events.sort_by(|a, b| {
            let rank = |event: &HistoryEvent| (event.is_alarm(), event.is_new);
            rank(b).cmp(&rank(a)).then(b.number.cmp(&a.number))
        });
        let runs: usize = builds.iter().map(|build| build.records.len()).sum();
        let new_runs: usize = builds.iter().skip(old).map(|build| build.records.len()).sum();
        let alarm = events.iter().find(|event| event.is_alarm());
        let verdict = match alarm {
            Some(_) => HistoryVerdict::Slower,
            None if is_enough => HistoryVerdict::Ok,
            None => HistoryVerdict::Skipped,
        };
        let latest = events.iter().find(|event| event.is_new);
        let count = Arg::Count(builds.len() as u64);
        let text = match (verdict, alarm.or(latest)) {
            (HistoryVerdict::Skipped, _) => {
                let least = Arg::Count(LEAST_HISTORY as u64);
                message!("history-too-few", builds = count, least = least)
            }
            (_, Some(event)) => event.message(),
            (_, None) => message!("history-nothing-new", builds = count),
        };
        Self {
            schema_version: HISTORY_SCHEMA_VERSION,
            verdict,
            text: text.into(),
            builds_per_alarm: options.builds_per_alarm,
            least_change: options.least_change,
            builds: builds.len() as u64,
            runs: runs as u64,
            added: new_runs as u64,
            labels: builds.iter().map(|b| (b.label().to_owned(), b.link.clone())).collect(),
            series,
            events,
        }
    }
}

#[cfg(test)]
mod simulation_tests;
#[cfg(test)]
mod tests;
