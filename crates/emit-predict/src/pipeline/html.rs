//! A page: the comparison, and the picture of each pipeline.

use bigtpu_messages::{Language, message};
use bigtpu_output::{Markup, Text, page_in_two_languages, put, text};

use crate::pipeline::svg::{Drawing, headline, picture};
use crate::pipeline::table::comparison;
use crate::pipeline::{Labels, Titled};
use crate::words::both;

/// More events than this in all pictures of a page are left out of it; the trace has them.
const MOST_EVENTS: usize = 400_000;

const STYLE: &str = "\
.picture{overflow-x:auto;border:1px solid var(--line);border-radius:10px;background:var(--panel)}.picture svg{display:block;max-width:100%;height:auto;\
fill:var(--text);color:var(--text)}.picture .back{fill:var(--panel)}.picture .row{fill:var(--bg)}\
.bar{display:inline-block;height:10px;background:var(--tiu);vertical-align:middle;border-radius:2px}.idle{background:var(--bad)}";

/// The page, which needs no other file.
#[must_use]
pub fn page(shown: &[Titled], labels: &Labels) -> Text<Markup> {
    let [title, legend] = [message!("pipeline-schedules"), message!("pipeline-legend")];
    let mut out = text!("<h1>{}</h1>\n<p>{}</p>\n", both(&title), both(&legend));
    rows(&mut out, shown, labels);
    let scale = Drawing::scale_in_page(shown.iter().map(|titled| &titled.report));
    let mut drawn = 0;
    for titled in shown {
        put!(out, "<h2>{}</h2>", both(&headline(titled, labels)));
        drawn += titled.report.events.len();
        if drawn > MOST_EVENTS {
            put!(out, "<p>{}</p>", both(&message!("pipeline-left-out")));
            continue;
        }
        put!(out, "<div class=\"picture\">{}</div>", picture(titled, labels, scale));
    }
    out.own("\n");
    page_in_two_languages(&"Pipeline schedules".into(), STYLE, &out)
}

/// The comparison, and a bar for each makespan whose red part is the bubble.
fn rows(out: &mut Text<Markup>, shown: &[Titled], labels: &Labels) {
    let [english, chinese] = Language::ALL.map(|language| comparison(shown, labels, language));
    out.show(&english.html_in_two_languages(&chinese));
    let [schedule, work] = [message!("pipeline-schedule"), message!("pipeline-work-and-bubble")];
    put!(out, "<table><tr><th>{}</th><th>{}</th></tr>", both(&schedule), both(&work));
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
