//! The line of a time: its builds, levels and changes.

use bigtpu_answers::{History, HistorySeries};
use bigtpu_output::{Markup, Text, put, text};

/// Builds that are drawn, the last ones.
const MOST_BUILDS: usize = 300;
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 130.0;
/// Left of the line for the axis, and around it.
const LEFT: f64 = 64.0;
const EDGE: f64 = 14.0;
const BELOW: f64 = 20.0;
/// Labels of builds below the line, at most.
const LABELS: usize = 6;
/// Characters of a label below the line.
const LABEL: usize = 14;

/// Where a build and a time are drawn.
struct Scale {
    first: u64,
    last: u64,
    low: f64,
    high: f64,
}

impl Scale {
    fn fit(points: &[(usize, u64, f64)]) -> Self {
        let times = || points.iter().map(|(.., ns)| *ns);
        let (low, high) = (times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max));
        // Noise of a per mille shall not look like a mountain.
        let margin = ((high - low) * 0.08).max(high * 0.01);
        let number = |at: Option<&(usize, u64, f64)>| at.map_or(1, |(_, own, _)| *own);
        let (first, last) = (number(points.first()), number(points.last()));
        Self { first, last, low: (low - margin).max(0.0), high: high + margin }
    }

    fn x(&self, build: u64) -> f64 {
        let all = self.last.saturating_sub(self.first).max(1) as f64;
        LEFT + build.saturating_sub(self.first) as f64 / all * (WIDTH - LEFT - EDGE)
    }

    fn y(&self, ns: f64) -> f64 {
        let share = (ns - self.low) / (self.high - self.low).max(1e-9);
        HEIGHT - BELOW - share * (HEIGHT - BELOW - EDGE)
    }
}

/// Draws a series; `number` makes the title's name unique.
pub(super) fn line(
    history: &History,
    number: usize,
    series: &HistorySeries,
    body: &mut Text<Markup>,
) {
    let points = &series.points;
    let points = points.get(points.len().saturating_sub(MOST_BUILDS)..).unwrap_or_default();
    let scale = Scale::fit(points);
    put!(
        body,
        "<svg viewBox=\"0 0 {:.0} {:.0}\" width=\"{:.0}\" role=\"img\" aria-labelledby=\"n{}\"><title id=\"n{}\">{}</title>\n",
        WIDTH,
        HEIGHT,
        WIDTH,
        number,
        number,
        series.name.as_str()
    );
    for ns in [scale.low, scale.high] {
        put!(
            body,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{:.1} us</text>",
            LEFT - 6.0,
            scale.y(ns) + 4.0,
            ns / 1e3
        );
    }
    body.own("<polyline class=\"runs\" points=\"");
    for (_, own, ns) in points {
        put!(body, "{:.1},{:.1} ", scale.x(*own), scale.y(*ns));
    }
    body.own("\"/>\n");
    for level in series.levels.iter().filter(|level| level.to >= scale.first) {
        let (from, to) = (scale.x(level.from.max(scale.first)), scale.x(level.to));
        // The level of a single build is to be seen, too.
        let (from, to) = if from == to { (from - 3.0, to + 3.0) } else { (from, to) };
        let y = scale.y(level.ns);
        put!(
            body,
            "<line class=\"level\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"><title>{:.1} us</title></line>",
            from,
            to,
            y,
            y,
            level.ns / 1e3
        );
    }
    for level in series.levels.iter().skip(1).filter(|level| level.from >= scale.first) {
        let x = scale.x(level.from);
        put!(
            body,
            "<line class=\"change\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.0}\" y2=\"{:.0}\"/>",
            x,
            x,
            EDGE / 2.0,
            HEIGHT - BELOW
        );
    }
    for (build, own, ns) in points {
        let (label, link) = history.labels.get(*build).cloned().unwrap_or_default();
        let dot: Text<Markup> = text!(
            "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"><title>{}: {:.1} us</title></circle>",
            scale.x(*own),
            scale.y(*ns),
            label,
            ns / 1e3
        );
        match link {
            Some(link) => put!(body, "<a href=\"{}\">{}</a>", link, dot),
            None => put!(body, "{}", dot),
        }
    }
    labels(history, &scale, points, series, body);
    body.own("</svg>\n");
}

/// Labels below the line: of the first and last build, of changes, and of some between.
fn labels(
    history: &History,
    scale: &Scale,
    points: &[(usize, u64, f64)],
    series: &HistorySeries,
    body: &mut Text<Markup>,
) {
    let apart = (WIDTH - LEFT - EDGE) / LABELS as f64;
    let is_change = |own: u64| series.levels.iter().skip(1).any(|level| level.from == own);
    let ends = points.first().into_iter().chain(points.last());
    let changes = points.iter().filter(|(_, own, _)| is_change(*own));
    let mut taken: Vec<f64> = Vec::new();
    for (build, own, _) in changes.chain(ends).chain(points) {
        let x = scale.x(*own);
        if taken.iter().any(|other| (other - x).abs() < apart) {
            continue;
        }
        taken.push(x);
        let label = history.labels.get(*build).map_or("", |(label, _)| label.as_str());
        let place = if x < LEFT + 40.0 {
            "start"
        } else if x > WIDTH - 60.0 {
            "end"
        } else {
            "middle"
        };
        put!(
            body,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"{}\">{}</text>",
            x,
            HEIGHT - 5.0,
            place,
            crate::diff::short(label, LABEL)
        );
    }
}
