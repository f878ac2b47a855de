//! Bars of time and energy, target by target, as SVG.

use bigtpu_messages::{Message, message};
use bigtpu_predict::estimate::Estimate;

use crate::axis;
use crate::estimate::page::part_name;
use crate::estimate::tables::target_name;
use crate::estimate::units::{Column, energy, time};
use crate::words::Languages;
use bigtpu_output::{Markup, Text, legend, put, text};

const WIDTH: f64 = 900.0;
const LABEL: f64 = 170.0;
const VALUE: f64 = 110.0;
const BAR: f64 = 20.0;
const ROW: f64 = 34.0;
const TOP: f64 = 8.0;
/// Room for the axis below the bars.
const AXIS: f64 = 24.0;

/// A bar's pieces, each with a name and a value, and the text behind it.
struct Bar {
    label: Message,
    pieces: Vec<(&'static str, f64)>,
    /// Length of the whole bar where pieces overlap.
    whole: f64,
    text: Message,
}

/// Times: the bar is the whole time; its pieces are the parts in proportion, as parts overlap.
pub(crate) fn times(estimates: &[Estimate]) -> Text<Markup> {
    let bars = estimates.iter().map(|estimate| {
        let mut pieces: Vec<(&'static str, f64)> = Vec::new();
        for phase in &estimate.phases {
            for (name, ns) in phase.time.named() {
                match pieces.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, sum)) => *sum += ns,
                    None => pieces.push((name, ns)),
                }
            }
        }
        let whole = estimate.time_ns();
        Bar { label: target_name(estimate), pieces, whole, text: Message::verbatim(time(whole)) }
    });
    let bars: Vec<Bar> = bars.collect();
    let unit = Column::of_times(bars.iter().map(|bar| bar.whole).reduce(f64::max));
    svg(&message!("predict-times"), &bars, unit, time)
}

/// Energies, where they are known.
pub(crate) fn energies(estimates: &[Estimate]) -> Text<Markup> {
    let bars = estimates.iter().map(|estimate| {
        let mut pieces: Vec<(&'static str, f64)> = Vec::new();
        for phase in estimate.phases.iter().filter(|_| estimate.energy_known) {
            for (name, pj) in phase.energy.named() {
                match pieces.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, sum)) => *sum += pj,
                    None => pieces.push((name, pj)),
                }
            }
        }
        let whole = estimate.energy_pj().unwrap_or(0.0);
        Bar {
            label: target_name(estimate),
            pieces,
            whole,
            text: match estimate.energy_pj() {
                Some(pj) => Message::verbatim(energy(pj)),
                None => message!("predict-unknown"),
            },
        }
    });
    let bars: Vec<Bar> = bars.collect();
    let unit = Column::of_energies(bars.iter().map(|bar| bar.whole).reduce(f64::max));
    svg(&message!("predict-energies"), &bars, unit, energy)
}

/// The parts that any bar has, each with its meaning.
fn keys(bars: &[Bar]) -> Text<Markup> {
    let mut parts: Vec<&'static str> = Vec::new();
    let pieces = bars.iter().flat_map(|bar| &bar.pieces).filter(|(_, value)| *value > 0.0);
    for (part, _) in pieces {
        if !parts.contains(part) {
            parts.push(part);
        }
    }
    legend(parts.into_iter().map(|part| (part, part_name(part))))
}

/// What the colours are, and the bars. `name` is what a screen reader says; `show` names a value, with its unit.
fn svg(name: &Message, bars: &[Bar], unit: Column, show: impl Fn(f64) -> String) -> Text<Markup> {
    let greatest = bars.iter().map(|bar| bar.whole).fold(0.0, f64::max);
    let room = WIDTH - LABEL - VALUE;
    let below = TOP * 2.0 + ROW * bars.len() as f64;
    let mut text = text!(
        "{}<svg class=\"bars\" viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title>\n",
        keys(bars),
        WIDTH,
        below + AXIS,
        Languages::Both.name(name)
    );
    for (row, bar) in bars.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        let middle = y + BAR * 0.75;
        let length = if greatest > 0.0 { bar.whole / greatest * room } else { 0.0 };
        let sum: f64 = bar.pieces.iter().map(|(_, value)| value).sum();
        put!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
            LABEL - 10.0,
            middle,
            Languages::Both.text(&bar.label)
        );
        let mut x = LABEL;
        for (name, value) in bar.pieces.iter().filter(|(_, value)| *value > 0.0) {
            let width = value / sum * length;
            put!(
                text,
                "<rect class=\"part {}\" x=\"{:.2}\" y=\"{}\" width=\"{:.2}\" height=\"{}\"><title>{}: {} {}</title></rect>\n",
                name,
                x,
                y,
                width,
                BAR,
                Languages::Both.name(&bar.label),
                Languages::Both.name(&part_name(name)),
                show(*value)
            );
            x += width;
        }
        put!(
            text,
            "<text x=\"{:.2}\" y=\"{}\">{}</text>\n",
            LABEL + length + 8.0,
            middle,
            Languages::Both.text(&bar.text)
        );
    }
    if greatest > 0.0 {
        axis::draw(&mut text, LABEL, below, greatest, greatest / room, |value| unit.tick(value));
    }
    text.own("</svg>\n");
    text
}
