//! The axis of time.

use crate::pipeline::number::grouped;
use bigtpu_output::{Markup, Text, Untrusted, put};

/// Pixels between two ticks, at least.
const APART: f64 = 110.0;

/// Appends ticks with their times below `top`, from `left`, for `span` time at `scale` units a pixel.
pub(crate) fn draw(
    out: &mut Text<Markup>,
    left: f64,
    top: f64,
    span: u64,
    scale: f64,
    unit: &Untrusted<'_>,
) {
    let width = span as f64 / scale;
    put!(out, r#"<path d="M{} {}h{:.1}" stroke="currentColor"/>"#, left, top, width);
    let step = step(scale * APART);
    let mut time = 0;
    while time <= span {
        let x = left + time as f64 / scale;
        let label = grouped(time);
        put!(
            out,
            r#"<path d="M{:.1} {}v5" stroke="currentColor"/><text x="{:.1}" y="{}" font-size="11" text-anchor="middle">{}{}{}</text>"#,
            x,
            top,
            x,
            top + 17.0,
            label,
            if unit.is_empty() { "" } else { " " },
            unit
        );
        let Some(next) = time.checked_add(step) else { break };
        time = next;
    }
}

/// The least of 1, 2, 5, 10, 20, … that is not below `least`.
fn step(least: f64) -> u64 {
    let mut step = 1_u64;
    for factor in [2, 5, 10].into_iter().cycle() {
        if step as f64 >= least || step > u64::MAX / 100 {
            break;
        }
        let power = 10_u64.pow(step.ilog10());
        step = power.saturating_mul(factor);
    }
    step
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn steps_are_round() {
        assert_eq!([0.5, 1.5, 3.0, 6.0, 11.0, 4321.0].map(step), [1, 2, 5, 10, 20, 5000]);
    }
}
