//! A page: the comparison, and the picture of each pipeline.

use bigtpu_output::{Markup, Text, put};

use crate::pipeline::svg::{Drawing, headline, picture};
use crate::pipeline::table::comparison;
use crate::pipeline::{Labels, Titled};

/// More events than this in all pictures of a page are left out of it; the trace has them.
const MOST_EVENTS: usize = 400_000;

const STYLE: &str = "\
:root{color-scheme:light}body{font:14px/1.5 system-ui,sans-serif;margin:24px;color:#111;background:#fff}\
h1{font-size:22px}h2{font-size:16px;margin:28px 0 6px}table{border-collapse:collapse}\
th,td{padding:4px 12px;text-align:right;border-bottom:1px solid #ddd}th:first-child,td:first-child{text-align:left}\
th{background:#f5f6f8;font-weight:600}.picture svg{max-width:100%;height:auto}.picture{overflow-x:auto;border:1px solid #ddd;border-radius:6px}\
.bar{display:inline-block;height:10px;background:#397af2;vertical-align:middle;border-radius:2px}\
.idle{background:#e03131}p{max-width:80ch;color:#444}";

/// The page, which needs no other file.
#[must_use]
pub fn page(shown: &[Titled], labels: &Labels) -> Text<Markup> {
    let mut out = Text::of("<h1>Pipeline schedules 流水线调度</h1>");
    out.own(
        "<p>Each row of a picture is a stage (device). F is the forward pass, B the backward pass, W the gradient of \
         the weights. The bubble is the share of time in which the stages are idle. All pictures have the same scale of time.</p>",
    );
    rows(&mut out, shown, labels);
    let scale = Drawing::scale_of(shown.iter().map(|titled| &titled.report));
    let mut drawn = 0;
    for titled in shown {
        put!(out, "<h2>{}</h2>", headline(titled, labels));
        drawn += titled.report.events.len();
        if drawn > MOST_EVENTS {
            out.own("<p>This picture is left out, as the page would be too large; see pipeline.pftrace.</p>");
            continue;
        }
        put!(out, "<div class=\"picture\">{}</div>", picture(titled, labels, scale));
    }
    out.own("\n");
    bigtpu_output::page(&"Pipeline schedules".into(), STYLE, &out)
}

/// The comparison, and a bar for each makespan whose red part is the bubble.
fn rows(out: &mut Text<Markup>, shown: &[Titled], labels: &Labels) {
    out.show(&comparison(shown, labels).html(|_| ""));
    out.own("<table><tr><th>Schedule</th><th>Work and bubble</th></tr>");
    let longest =
        shown.iter().map(|titled| titled.report.makespan).max().unwrap_or(1).max(1) as f64;
    for titled in shown {
        let whole = titled.report.makespan as f64 / longest * 260.0;
        let idle = whole * titled.report.bubble_ratio;
        put!(
            out,
            "<tr><td>{}</td><td style=\"text-align:left;white-space:nowrap\"><span class=\"bar\" style=\"width:{:.1}px\"></span>\
             <span class=\"bar idle\" style=\"width:{:.1}px\"></span></td></tr>",
            titled.title,
            whole - idle,
            idle
        );
    }
    out.own("</table>");
}
