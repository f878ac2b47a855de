//! Straight lines through the differences of pairs: offset and drift of two clocks.

use super::MOST_NS;

/// No two crystals differ by more than this.
const MOST_SLOPE: f64 = 2.2e-4;
/// ns; a clock is a straight line for at least this long.
const KNOT_NS: f64 = 5e8;
/// Fewest pairs of a straight line.
const LINE_PAIRS: usize = 32;
/// A straight line.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Line {
    /// At the center.
    level: f64,
    slope: f64,
    pub(crate) center: f64,
}

impl Line {
    pub(crate) fn value_at(&self, time: f64) -> f64 {
        self.level + self.slope * (time - self.center)
    }
}

/// A straight line over a piece of time: until when it holds.
struct Piece {
    until: f64,
    line: Line,
}

/// Straight lines through the differences of pairs: one, or one for each half second.
pub(super) struct Lines(Vec<Piece>);

fn pieces(points: &[(f64, f64)]) -> Vec<Piece> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let count = ((last.0 - first.0) / KNOT_NS).floor().max(1.0);
    let count = count.min((points.len() / LINE_PAIRS).max(1) as f64);
    let length = ((last.0 - first.0) / count).max(1.0);
    let mut rest = points;
    let mut pieces = Vec::new();
    for piece in 1..=count as usize {
        let is_last = piece == count as usize;
        let until = if is_last { f64::INFINITY } else { first.0 + length * piece as f64 };
        let (own, later) = rest.split_at(rest.partition_point(|point| point.0 < until));
        pieces.push(Piece { until, line: line(own) });
        rest = later;
    }
    pieces
}

impl Lines {
    /// Fits the lines of points.
    pub(super) fn fit(points: &[(f64, f64)]) -> Self {
        Self(pieces(points))
    }

    /// What remains of each point when the lines are removed.
    pub(super) fn residuals(&self, points: &[(f64, f64)]) -> Vec<f64> {
        let Self(pieces) = self;
        let mut at = 0;
        let residual = |(time, d): &(f64, f64)| {
            while pieces.get(at).is_some_and(|piece| piece.until <= *time) {
                at += 1;
            }
            pieces.get(at).map_or(0.0, |piece| (d - piece.line.value_at(*time)).abs())
        };
        points.iter().map(residual).collect()
    }

    /// The line in the middle.
    pub(super) fn middle(&self) -> Line {
        self.0.get(self.0.len() / 2).map(|piece| piece.line).unwrap_or_default()
    }

    /// Pairs of all commands that are where the lines say, within the usual residual of known pairs.
    pub(super) fn matched(&self, sends: &[i64], receives: &[i64], usual: f64) -> Vec<(u32, u32)> {
        let Self(pieces) = self;
        let expected = |time: f64| {
            let at = pieces.partition_point(|piece| piece.until <= time);
            time + pieces.get(at).map_or(f64::INFINITY, |piece| piece.line.value_at(time))
        };
        matched_at(sends, receives, expected, (12.0 * usual).clamp(50.0, MOST_NS))
    }
}

/// Pairs of all commands that are where they are expected, each with the nearest.
pub(super) fn matched_at(
    sends: &[i64],
    receives: &[i64],
    expected: impl Fn(f64) -> f64,
    tolerance: f64,
) -> Vec<(u32, u32)> {
    let (mut found, mut j) = (Vec::new(), 0usize);
    for (i, send) in (0u32..).zip(sends) {
        let expected = expected(*send as f64);
        let off = |j: usize| receives.get(j).map(|r| *r as f64 - expected);
        while off(j).is_some_and(|off| off < -tolerance) {
            j += 1;
        }
        while let (Some(own), Some(next)) = (off(j), off(j + 1)) {
            if own.abs() <= next.abs() {
                break;
            }
            j += 1;
        }
        match off(j) {
            Some(off) if off <= tolerance => {
                found.push((i, j as u32));
                j += 1;
            }
            Some(_) => {}
            None => break,
        }
    }
    found
}

/// How often a straight line is fitted.
const ROUNDS: usize = 3;

/// A straight line by least squares, several times, each without what lies far off.
fn line(points: &[(f64, f64)]) -> Line {
    let Some(first) = points.first() else { return Line::default() };
    let center = (first.0 + points.last().map_or(first.0, |p| p.0)) / 2.0;
    let middle = points.len() / 2;
    // Values of which the median is looked for.
    let mut values: Vec<f64> = points.iter().map(|p| p.1).collect();
    let mut level = quantile(&mut values, middle).unwrap_or(0.0);
    let mut slope = 0.0;
    let mut limit = f64::INFINITY;
    for round in 1..=ROUNDS {
        let near = |p: &&(f64, f64)| (p.1 - level - slope * (p.0 - center)).abs() <= limit;
        let (mut n, mut st, mut sd, mut stt, mut std) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (t, d) in points.iter().filter(near) {
            let (t, d) = (t - center, d - level);
            (n, st, sd, stt, std) = (n + 1.0, st + t, sd + d, stt + t * t, std + t * d);
        }
        let determinant: f64 = n * stt - st * st;
        if n < 2.0 || determinant <= 0.0 {
            break;
        }
        let new_slope = ((n * std - st * sd) / determinant).clamp(-MOST_SLOPE, MOST_SLOPE);
        let new_level = level + (sd - new_slope * st) / n;
        (level, slope) = (new_level, new_slope);
        if round < ROUNDS {
            values.clear();
            values.extend(points.iter().map(|(t, d)| (d - level - slope * (t - center)).abs()));
            limit = 6.0 * quantile(&mut values, middle).unwrap_or(0.0) + 1.0;
        }
    }
    Line { level, slope, center }
}

/// The value that would be at a place if all were sorted. Smaller ones are before it then, and greater ones behind it.
pub(crate) fn quantile(values: &mut [f64], place: usize) -> Option<f64> {
    let place = place.min(values.len().checked_sub(1)?);
    Some(*values.select_nth_unstable_by(place, f64::total_cmp).1)
}
