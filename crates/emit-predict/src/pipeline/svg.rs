//! A pipeline as SVG: a row for each stage, a legend, an axis of time, and memory below.

use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_predict::pipeline::{Phase, PipelineReport, Placed};

use crate::axis;
use crate::pipeline::number::{grouped, percent};
use crate::pipeline::{Labels, Titled, memory_panel};
use crate::words::Languages;
use bigtpu_output::{Markup, Text, Untrusted, put, text};

const ROW: f64 = 20.0;
const BORDER: f64 = 1.0;
const LEFT: f64 = 120.0;
const RIGHT: f64 = 50.0;
const TOP: f64 = 34.0;
const AXIS: f64 = 30.0;
const LEGEND: f64 = 40.0;
/// Width of the events' area in pixels.
const WIDEST: f64 = 12_000.0;
const NARROWEST: f64 = 700.0;
/// Width of a whole picture in a page, which a window of 1280 pixels shows.
const IN_PAGE: f64 = 1200.0;
/// Narrower events get no label.
const LABELLED: f64 = 14.0;

/// The size of a picture, and how much time a pixel is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawing {
    /// Units of time a pixel.
    pub scale: f64,
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
}

impl Drawing {
    /// A scale at which pipelines can be compared: it leaves room for a label in the shortest event of all as far as the
    /// width of the longest one allows.
    #[must_use]
    pub fn scale_of<'a>(reports: impl Iterator<Item = &'a PipelineReport> + Clone) -> f64 {
        let span = reports.clone().map(|report| report.makespan).max().unwrap_or(1).max(1) as f64;
        let events = reports.flat_map(|report| &report.events);
        let shortest = events.map(|p| p.end - p.start).filter(|&d| d > 0).min();
        let wanted = shortest.unwrap_or(1) as f64 / (LABELLED + 4.0);
        wanted.clamp(span / WIDEST, span / NARROWEST)
    }

    /// A scale at which a page shows pipelines as wide as a window.
    #[must_use]
    pub fn scale_in_page<'a>(reports: impl Iterator<Item = &'a PipelineReport>) -> f64 {
        let span = reports.map(|report| report.makespan).max().unwrap_or(1).max(1) as f64;
        span / (IN_PAGE - LEFT - RIGHT)
    }

    /// The size of a pipeline's picture at a scale.
    #[must_use]
    pub fn new(report: &PipelineReport, scale: f64) -> Self {
        let span = report.makespan.max(1) as f64;
        let rows = f64::from(report.stages) * (ROW + BORDER);
        let memory = memory_panel::height(report.memory.len());
        Self {
            scale,
            width: LEFT + span / scale + RIGHT,
            height: TOP + rows + AXIS + memory + LEGEND,
        }
    }
}

/// The picture as a complete SVG file.
#[must_use]
pub fn svg(shown: &Titled, labels: &Labels) -> Text<Markup> {
    let scale = Drawing::scale_of(std::iter::once(&shown.report));
    draw(shown, labels, Languages::English, scale, 0.0)
}

/// The picture below a heading that says what it is, at a scale that other pictures have, too.
pub(crate) fn picture(shown: &Titled, labels: &Labels, scale: f64) -> Text<Markup> {
    draw(shown, labels, Languages::Both, scale, TOP - 8.0)
}

/// The picture from `top` on.
fn draw(shown: &Titled, labels: &Labels, words: Languages, scale: f64, top: f64) -> Text<Markup> {
    let report = &shown.report;
    let title = &headline(shown, labels);
    let Drawing { width, height, .. } = Drawing::new(report, scale);
    let visible = height - top;
    let mut out = text!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{:.0}" height="{:.0}" viewBox="0 {:.0} {:.0} {:.0}" font-family="system-ui, sans-serif" fill="#111" color="#111" role="img"><title>{}</title><rect class="back" y="{:.0}" width="100%" height="100%" fill="#fff"/>"##,
        width,
        visible,
        top,
        width,
        visible,
        words.name(title),
        top
    );
    if top == 0.0 {
        put!(out, r#"<text x="12" y="22" font-size="15">{}</text>"#, words.text(title));
    }
    rows(&mut out, report, labels, words, scale);
    let below = TOP + f64::from(report.stages) * (ROW + BORDER);
    let blank = if labels.unit.is_empty() { "" } else { " " };
    let label = |time: f64| format!("{}{blank}{}", grouped(time as u64), labels.unit.for_library());
    axis::draw(&mut out, LEFT + 1.0, below + 3.0, report.makespan as f64, scale, label);
    memory_panel::draw(
        &mut out,
        &report.memory,
        words,
        LEFT + 1.0,
        below + AXIS,
        report.makespan,
        scale,
    );
    legend(&mut out, report, words, height - LEGEND + 10.0);
    out.own("</svg>\n");
    out
}

/// What it is, how long it takes, and how much of that is bubble.
pub(crate) fn headline(shown: &Titled, labels: &Labels) -> Message {
    let PipelineReport { stages, microbatches, chunks, makespan, bubble_ratio, .. } = shown.report;
    let blank = if labels.unit.is_empty() { "" } else { " " };
    message!(
        "pipeline-headline",
        title = shown.title.clone(),
        stages = u64::from(stages),
        microbatches = u64::from(microbatches),
        chunks = u64::from(chunks),
        makespan = format!("{}{blank}{}", grouped(makespan), labels.unit.for_library()),
        bubble = percent(bubble_ratio)
    )
}

fn rows(
    out: &mut Text<Markup>,
    report: &PipelineReport,
    labels: &Labels,
    words: Languages,
    scale: f64,
) {
    let width = report.makespan as f64 / scale;
    let mut of_stage: Vec<Vec<Placed>> = vec![Vec::new(); report.stages as usize];
    for placed in &report.events {
        if let Some(row) = of_stage.get_mut(placed.event.stage as usize) {
            row.push(*placed);
        }
    }
    for (stage, events) in of_stage.iter().enumerate() {
        let y = TOP + stage as f64 * (ROW + BORDER);
        let parts = labels.stages.get(stage).cloned().unwrap_or_default();
        put!(
            out,
            r##"<g><title>{}</title><text x="12" y="{:.0}" font-size="13">{}</text></g><rect class="row" x="{}" y="{}" width="{:.1}" height="{}" fill="#f1f3f5"/>"##,
            parts,
            y + 15.0,
            words.text(&labels.row(stage)),
            LEFT,
            y,
            width + 1.0,
            ROW
        );
        boxes(out, events, report.chunks, y, scale, &labels.unit);
    }
}

/// The events of a stage. Events that are together narrower than a pixel are drawn as one.
fn boxes(
    out: &mut Text<Markup>,
    events: &[Placed],
    chunks: u32,
    y: f64,
    scale: f64,
    unit: &Untrusted<'_>,
) {
    let mut at = 0;
    while let Some(&first) = events.get(at) {
        let colour = colour(first.event.phase, first.event.chunk, chunks);
        let mut end = first.end;
        let mut next = at + 1;
        while let Some(more) = events.get(next)
            && (more.end - first.start) as f64 / scale < 1.0
        {
            end = more.end;
            next += 1;
        }
        let x = LEFT + 1.0 + first.start as f64 / scale;
        let width = ((end - first.start) as f64 / scale).max(0.2);
        let (from, to) = (grouped(first.start), grouped(end));
        out.own("<g><title>");
        if next - at > 1 {
            put!(out, "{} events, the first is ", next - at);
        }
        let blank = if unit.is_empty() { "" } else { " " };
        put!(out, "{}: {} to {}{}{}", first.event.to_string(), from, to, blank, unit);
        put!(
            out,
            r#"</title><rect x="{:.2}" y="{}" width="{:.2}" height="{}" fill="{}""#,
            x,
            y,
            width,
            ROW,
            colour
        );
        out.own(if width > 3.0 { r##" stroke="#000" stroke-width="0.6""## } else { "" }).own("/>");
        let label = first.event.microbatch.to_string();
        if width >= LABELLED.max(label.len() as f64 * 7.0 + 2.0) {
            put!(
                out,
                r##"<text x="{:.1}" y="{:.1}" font-size="12" text-anchor="middle" fill="#111">{}</text>"##,
                x + width / 2.0,
                y + 14.5,
                label
            );
        }
        out.own("</g>");
        at = next;
    }
}

fn legend(out: &mut Text<Markup>, report: &PipelineReport, words: Languages, y: f64) {
    let mut x = 12.0;
    for phase in Phase::ALL {
        if !report.events.iter().any(|placed| placed.event.phase == phase) {
            continue;
        }
        for chunk in 0..report.chunks.min(4) {
            let phase_name = match phase {
                Phase::Forward => message!("pipeline-forward"),
                Phase::Backward => message!("pipeline-backward"),
                Phase::Weight => message!("pipeline-weight"),
            };
            let name = match report.chunks {
                ..=1 => phase_name,
                _ => message!(
                    "pipeline-phase-of-chunk",
                    phase = phase_name,
                    chunk = Arg::Number(chunk.into())
                ),
            };
            put!(
                out,
                r##"<rect x="{}" y="{}" width="26" height="14" fill="{}" stroke="#000" stroke-width="0.6"/><text x="{}" y="{}" font-size="12">{}</text>"##,
                x,
                y,
                colour(phase, chunk, report.chunks),
                x + 32.0,
                y + 11.5,
                words.text(&name)
            );
            x += 50.0 + name.text(Language::English).len() as f64 * 7.0;
        }
    }
}

/// The colour of a phase, lighter for later chunks.
fn colour(phase: Phase, chunk: u32, chunks: u32) -> String {
    let base: [u8; 3] = match phase {
        Phase::Forward => [0x39, 0x7a, 0xf2],
        Phase::Backward => [0x3e, 0xb5, 0xbf],
        Phase::Weight => [0x29, 0x89, 0x40],
    };
    let last = chunks.saturating_sub(1).max(1);
    let light = 0.7 * f64::from(chunk) / f64::from(last);
    let [r, g, b] = base.map(|part| {
        let part = f64::from(part);
        (part + (255.0 - part) * light).round() as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}
