//! A number on both sides, and a row of such numbers.

use serde::Serialize;

use super::design::{Design, Value};
use super::shift::{Bounds, Interval, Noise};
use super::stat::Stat;
use super::subject::{Measure, Metric, Subject};
use bigtpu_measure::round4;
use bigtpu_messages::Language;
use bigtpu_replay::Reason;

/// A number on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Change {
    /// What it is, such as `time`.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// What it measures.
    #[serde(skip)]
    pub measure: Measure,
    /// Before; absent for a new row.
    pub before: Option<Stat>,
    /// After; absent for a row that is gone.
    pub after: Option<Stat>,
    /// The estimated change, by the method of the comparison. A missing side
    /// counts as 0 where the row is missing on it; where only the number is missing, the change is unknown and 0 here.
    pub absolute: f64,
    /// The estimated change over the median before; absent where that is 0 or a side is missing.
    pub relative: Option<f64>,
    /// Where the true change lies; absent where the noise is unknown.
    pub interval: Option<Interval>,
    /// How likely ranks at least as far apart, in this direction, were without any change; absent where the noise is
    /// unknown.
    pub p_value: Option<f64>,
    /// Whether the change is more than noise.
    pub noise: Noise,
}

impl Change {
    /// Compares the values of both sides, by run. If a row is on both sides and one side has no values of it, nothing
    /// is known of the change: an older report does not have each number.
    pub(super) fn new(
        metric: Metric,
        presence: Presence,
        sides: [&[Value]; 2],
        design: &Design,
        bounds: &mut Bounds,
    ) -> Self {
        let [stat_before, stat_after] = sides.map(Stat::of_runs);
        let is_unknown = presence == Presence::Both && sides.iter().any(|side| side.is_empty());
        let moves_with_time = metric.measure.is_time() || metric.measure == Measure::Rate;
        let shift = match moves_with_time {
            _ if is_unknown => None,
            true => design.drifting(sides, bounds),
            false => design.shift(sides, bounds),
        };
        let median = |stat: Option<Stat>| stat.map_or(0.0, |s| s.median);
        let absolute = match shift {
            Some(shift) => shift.estimate,
            None if is_unknown => 0.0,
            None => median(stat_after) - median(stat_before),
        };
        let base = stat_before.filter(|s| s.median != 0.0 && stat_after.is_some());
        Self {
            metric: metric.name,
            unit: metric.unit,
            measure: metric.measure,
            before: stat_before,
            after: stat_after,
            absolute: round4(absolute),
            relative: base.map(|base| round4(absolute / base.median.abs())),
            interval: shift.and_then(|shift| shift.interval),
            p_value: shift.and_then(|shift| shift.p_value),
            noise: shift.map_or(Noise::Unknown, |shift| shift.noise()),
        }
    }
}

/// Whether a row is on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// On both.
    Both,
    /// Only after.
    New,
    /// Only before.
    Gone,
}

/// A core, engine, kernel or other subject on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Row {
    /// What it is about.
    pub subject: Subject,
    /// Its name; empty for the whole run.
    pub name: String,
    /// What is on the critical path there, which the name of a piece ends with; only of pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub reason: Option<Reason>,
    /// Its name before, where the same work has another name after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub old_name: Option<String>,
    /// Whether it is on both sides.
    pub presence: Presence,
    /// Its numbers, time first.
    pub changes: Vec<Change>,
}

impl Row {
    /// The change that rows are sorted by: the first.
    #[must_use]
    pub fn first(&self) -> Option<&Change> {
        self.changes.first()
    }

    /// Its name for people: the reason of a piece of the critical path is a word of the program.
    #[must_use]
    pub fn shown_name(&self, language: Language) -> String {
        let piece = self.reason.and_then(|reason| {
            let of = self.name.strip_suffix(reason.name())?;
            Some(format!("{of}{}", reason.message().text(language)))
        });
        piece.unwrap_or_else(|| self.name.clone())
    }

    /// Subject and name, as sentences say them.
    #[must_use]
    pub fn title(&self) -> String {
        match self.name.as_str() {
            "" => self.subject.name().to_owned(),
            name => format!("{} {name}", self.subject.name()),
        }
    }
}
