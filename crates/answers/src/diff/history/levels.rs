//! The lines of a history as they are shown: points and levels.

use serde::Serialize;

use super::event::{EventKind, HistoryEvent};
use super::line::Line;
use super::robust::{level_and_variance, middle};
use bigtpu_measure::round4;

/// Builds at a level whose noise is stated, at least.
const LEAST_NOISE: usize = 3;

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

impl HistorySeries {
    /// Builds the series from a line of the unit. `builds`: the numbers of the unit's builds among all builds.
    pub(super) fn from_line(
        unit: &str,
        line: &Line,
        builds: &[usize],
        events: &[HistoryEvent],
    ) -> Self {
        let points = line.values.iter().zip(builds).zip(1..);
        let points = points.filter(|((value, _), _)| value.is_finite());
        let points: Vec<(usize, u64, f64)> =
            points.map(|((value, number), own)| (*number, own, round4(value.exp()))).collect();
        let is_of = |event: &&HistoryEvent| {
            matches!(event.kind, EventKind::Slower | EventKind::Faster)
                && (event.name == line.name || event.also.contains(&line.name))
        };
        let mut bounds: Vec<u64> = events.iter().filter(is_of).map(|event| event.number).collect();
        bounds.extend([0, builds.len() as u64 + 1]);
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
            let own = within(last.from, last.to + 1);
            let own: Vec<f64> = own.iter().map(|(_, ns)| ns.ln()).collect();
            let (_, variance) = level_and_variance(&own);
            (own.len() >= LEAST_NOISE).then(|| round4(variance.variance.sqrt()))
        });
        Self {
            unit: unit.to_owned(),
            name: line.name.clone(),
            builds: points.len() as u64,
            points,
            levels,
            noise,
        }
    }
}
