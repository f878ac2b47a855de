//! The axis of a chart.

use bigtpu_output::{Markup, Text, put};

/// Pixels between two ticks, at least.
const APART: f64 = 110.0;

/// Appends ticks below `top`, from `left` on, for values up to `span` at `scale` a pixel; `label` names a value.
pub(crate) fn draw(
    out: &mut Text<Markup>,
    left: f64,
    top: f64,
    span: f64,
    scale: f64,
    label: impl Fn(f64) -> String,
) {
    put!(out, r#"<path d="M{} {}h{:.1}" stroke="currentColor"/>"#, left, top, span / scale);
    let step = step(scale * APART);
    let ticks = (0..).map(|number| f64::from(number) * step).take_while(|value| *value <= span);
    for value in ticks {
        let x = left + value / scale;
        put!(
            out,
            r#"<path d="M{:.1} {}v5" stroke="currentColor"/><text x="{:.1}" y="{}" font-size="11" text-anchor="middle">{}</text>"#,
            x,
            top,
            x,
            top + 17.0,
            label(value)
        );
    }
}

/// The least of 1, 2, 5, 10, 20, … that is not below `least`.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1.0).log10().floor());
    let fits = |times: &f64| power * times >= least;
    [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let least = [0.5, 1.5, 3.0, 6.0, 11.0, 4321.0];
        assert_eq!(least.map(step), [1.0, 2.0, 5.0, 10.0, 20.0, 5000.0]);
    }

    #[test]
    fn an_axis_ends_with_its_values() {
        let mut out = Text::new();
        draw(&mut out, 10.0, 0.0, 1000.0, 2.0, |value| format!("{value} ns"));
        let labels =
            out.as_str().split("</text>").map(|tick| tick.rsplit('>').next().unwrap_or_default());
        assert_eq!(labels.collect::<Vec<_>>(), ["0 ns", "500 ns", "1000 ns", ""]);
    }
}
