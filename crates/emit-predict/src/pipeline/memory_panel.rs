//! Memory of the stages over time, below the rows of a pipeline.

use bigtpu_messages::message;
use bigtpu_output::{Markup, Text, put, text};

use bigtpu_predict::pipeline::MemoryCurve;

use crate::pipeline::number::bytes;
use crate::words::Languages;

/// Height of a stage's panel and the gap above it, in pixels.
const HEIGHT: f64 = 48.0;
const GAP: f64 = 10.0;

/// Height of the panels of so many stages.
pub(crate) fn height(stages: usize) -> f64 {
    if stages == 0 { 0.0 } else { 16.0 + stages as f64 * (HEIGHT + GAP) }
}

/// Appends a panel for each stage from `top` on; all panels have one scale of bytes.
pub(crate) fn draw(
    out: &mut Text<Markup>,
    curves: &[MemoryCurve],
    words: Languages,
    left: f64,
    top: f64,
    span: u64,
    scale: f64,
) {
    let most = curves.iter().map(MemoryCurve::peak).max().unwrap_or(0).max(1) as f64;
    for (stage, curve) in curves.iter().enumerate() {
        let base = top + 16.0 + (stage + 1) as f64 * (HEIGHT + GAP) - GAP;
        let y = |held: i64| base - held.max(0) as f64 / most * (HEIGHT - 4.0);
        let mut path: Text<Markup> = text!("M{} {}", left, base);
        let mut last = None;
        for &(time, held) in &curve.points {
            let (x, y) = (left + time as f64 / scale, y(held));
            // Steps that share a pixel column and height would not be seen.
            if last.is_none_or(|(before_x, before_y): (f64, f64)| {
                x - before_x > 0.2 || (y - before_y).abs() > 0.5
            }) {
                put!(path, "H{:.1}V{:.1}", x, y);
                last = Some((x, y));
            }
        }
        let right = left + span as f64 / scale;
        put!(path, "H{:.1}V{}Z", right, base);
        let peak = bytes(curve.peak());
        put!(
            out,
            r##"<g><title>Memory of stage {}: at most {}</title><path d="{}" fill="#c4b5fd" stroke="#7c3aed" stroke-width="0.7"/><text x="12" y="{:.1}" font-size="12">{}</text><text x="12" y="{:.1}" font-size="10" opacity="0.7">{}</text></g>"##,
            stage,
            peak,
            path,
            base - HEIGHT / 2.0,
            words.text(&message!("pipeline-memory", stage = stage.to_string())),
            base - HEIGHT / 2.0 + 13.0,
            peak
        );
    }
}
