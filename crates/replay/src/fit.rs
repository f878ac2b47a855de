//! How long transfers take: `latency + bytes / bandwidth`, fitted robustly.
//!
//! A group of transfers (engine, direction, function) gives a line by Theil and Sen: the median of the slopes between
//! all pairs of points, then the median of what is left. A few outliers do not move it. A group whose transfers
//! are all of one size takes the line of all transfers of its engine and direction, then of its engine.

use bigtpu_chip::{Direction, Engine};
use bigtpu_measure::CommandKind;
use foldhash::{HashMap, HashMapExt};

use crate::input::{Input, Task, direction};

/// Time of a transfer: ns before the first byte, and ns a byte.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    pub(crate) latency: f64,
    pub(crate) per_byte: f64,
}

impl Line {
    /// Part of a transfer's time that depends on the bandwidth: all but the latency.
    fn bandwidth_ns(self, ns: i64) -> f64 {
        (ns as f64 - self.latency).max(0.0)
    }
}

/// What groups of transfers share. `None`: all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Group<'a> {
    engine: Engine,
    direction: Option<Direction>,
    function: Option<&'a str>,
}

/// Points of a group, thinned out evenly when there are too many.
#[derive(Default)]
struct Points {
    points: Vec<(u64, i64)>,
    stride: usize,
    seen: usize,
}

/// Points kept while reading, and used in pairs.
const KEPT: usize = 8192;
const PAIRED: usize = 256;

impl Points {
    fn add(&mut self, bytes: u64, ns: i64) {
        let stride = self.stride.max(1);
        if self.seen.is_multiple_of(stride) {
            self.points.push((bytes, ns));
            if self.points.len() == KEPT {
                let mut keep = false;
                self.points.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.stride = stride * 2;
            }
        }
        self.seen += 1;
    }

    /// The line, or `None` if all points are of one size.
    fn line(&mut self) -> Option<Fitted> {
        self.points.sort_unstable();
        let step = self.points.len().div_ceil(PAIRED).max(1);
        let points: Vec<(f64, f64)> = self
            .points
            .iter()
            .step_by(step)
            .map(|(bytes, ns)| (*bytes as f64, *ns as f64))
            .collect();
        let mut slopes = Vec::new();
        for (i, a) in points.iter().enumerate() {
            let later = points.iter().skip(i + 1).filter(|b| b.0 > a.0);
            slopes.extend(later.map(|b| (b.1 - a.1) / (b.0 - a.0)));
        }
        let per_byte = median(&mut slopes)?;
        if per_byte <= 0.0 {
            return None;
        }
        let latency_of = |per_byte: f64| {
            let mut rests: Vec<f64> = points.iter().map(|p| p.1 - per_byte * p.0).collect();
            median(&mut rests).map(|latency| latency.max(0.0))
        };
        let latency = latency_of(per_byte)?;
        let error = |p: &(f64, f64)| (p.1 - latency - per_byte * p.0).abs() / p.1.max(1.0);
        let mut errors: Vec<f64> = points.iter().map(error).collect();
        let ends = slope_ends(&mut slopes, points.len());
        let latencies = ends.map(|slope| latency_of(slope).unwrap_or(latency));
        let latency_error = latencies.map(|other| (other - latency).abs());
        let latency_error = latency_error[0].max(latency_error[1]);
        Some(Fitted {
            line: Line { latency, per_byte },
            error: median(&mut errors)?,
            latency_error,
        })
    }
}

/// A line through a group's points.
struct Fitted {
    line: Line,
    /// Median of the points' relative errors.
    error: f64,
    /// ns by which the latency may be off.
    latency_error: f64,
}

fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len().checked_sub(1)? / 2;
    nth(values, middle)
}

fn nth(values: &mut [f64], rank: usize) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let (_, value, _) = values.select_nth_unstable_by(rank.min(last), f64::total_cmp);
    Some(*value)
}

/// The ends of the 95 % interval of a Theil-Sen slope through so many points (Sen, 1968).
fn slope_ends(slopes: &mut [f64], points: usize) -> [f64; 2] {
    let (n, pairs) = (points as f64, slopes.len() as f64);
    let half = 1.96 * (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt();
    let ranks = [(pairs - half) / 2.0 - 1.0, (pairs + half) / 2.0];
    ranks.map(|rank| nth(slopes, rank.max(0.0) as usize).unwrap_or_default())
}

/// ns that a transfer may take before its first byte where no line says so: about what transfers took on hardware.
const USUAL_LATENCY_NS: f64 = 300.0;

/// How transfers divide into latency and bandwidth.
pub(crate) struct Fit {
    /// ns of each event's duration that depend on a memory's bandwidth.
    pub(crate) bandwidth_ns: Vec<u32>,
    /// Median of the relative errors, weighted by transfers; `None` without any fit.
    pub(crate) error: Option<f64>,
    /// Share of the transfers that have a line of their own or of a wider group.
    pub(crate) fitted: f64,
    /// Share by which the time that depends on a bandwidth may be greater or smaller.
    pub(crate) share_error: f64,
}

impl Fit {
    pub(crate) fn compute(input: &Input<'_>) -> Self {
        let (groups, count) = groups_of(input.kinds);
        let mut points: Vec<Points> = (0..count).map(|_| Points::default()).collect();
        each_transfer(input, |_, kind, bytes, ns| {
            for group in groups[kind] {
                points[group].add(bytes, ns);
            }
        });
        let lines: Vec<Option<Fitted>> = points.iter_mut().map(Points::line).collect();
        let mut bandwidth_ns = vec![0; input.events];
        let (mut all, mut fitted, mut error) = (0u64, 0u64, 0.0);
        let (mut moving_all, mut moving_error) = (0.0f64, 0.0f64);
        each_transfer(input, |node, kind, _, ns| {
            all += 1;
            let line = groups[kind].into_iter().find_map(|group| lines[group].as_ref());
            if let Some(own) = line {
                fitted += 1;
                error += own.error;
            }
            let moving = line.map_or(ns as f64, |fitted| fitted.line.bandwidth_ns(ns));
            moving_all += moving;
            moving_error +=
                line.map_or(USUAL_LATENCY_NS, |fitted| fitted.latency_error).min(ns as f64);
            bandwidth_ns[node] = moving.round() as u32;
        });
        Self {
            bandwidth_ns,
            error: (fitted > 0).then(|| error / fitted as f64),
            fitted: if all == 0 { 1.0 } else { fitted as f64 / all as f64 },
            share_error: (moving_error / moving_all.max(1.0)).min(1.0),
        }
    }
}

/// The groups that transfers of each kind belong to, narrowest first, by number; and how many groups there are.
fn groups_of<'k>(kinds: &'k [CommandKind]) -> (Vec<[usize; 3]>, usize) {
    let mut numbers: HashMap<Group<'k>, usize> = HashMap::new();
    let mut number = |group| {
        let next = numbers.len();
        *numbers.entry(group).or_insert(next)
    };
    let of_kind = |kind: &'k CommandKind| {
        let group = Group {
            engine: kind.engine,
            direction: Some(direction(kind)),
            function: Some(&*kind.function_name),
        };
        let by_direction = Group { function: None, ..group };
        [group, by_direction, Group { direction: None, ..by_direction }].map(&mut number)
    };
    (kinds.iter().map(of_kind).collect(), numbers.len())
}

fn each_transfer(input: &Input<'_>, mut see: impl FnMut(usize, usize, u64, i64)) {
    for track in &input.tracks {
        for i in 0..track.len() {
            let node = track.node(i);
            let class = input.class_of(node);
            if !class.is_some_and(|c| matches!(c.task, Task::Transfer(_))) {
                continue;
            }
            // A transfer has a kind: its class comes from it.
            let Some(kind) = track.kind_number(i) else { continue };
            see(node as usize, kind, track.bytes(i), track.end(i) - track.start(i));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_do_not_move_the_line() {
        let mut points = Points::default();
        for i in 1..100u64 {
            let outlier = if i % 10 == 0 { 5000 } else { 0 };
            points.add(i * 64, 300 + i as i64 * 32 + outlier);
        }
        let Fitted { line, error, latency_error } = points.line().unwrap();
        assert!((line.latency - 300.0).abs() < 5.0, "{line:?}");
        assert!((line.per_byte - 0.5).abs() < 0.01, "{line:?}");
        assert!(error < 0.01 && latency_error < 20.0, "{error} {latency_error}");
    }

    #[test]
    fn one_size_makes_no_line() {
        let mut points = Points::default();
        (0..10).for_each(|i| points.add(64, 100 + i));
        assert!(points.line().is_none());
    }
}
