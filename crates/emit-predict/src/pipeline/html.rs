//! A page: the comparison, and the picture of each pipeline.

use bigtpu_messages::{Language, message};
use bigtpu_output::{
    Markup, PanelDefinition, Text, legend, page_in_two_languages, panel, put, text,
};

use crate::pipeline::svg::{Drawing, headline, picture};
use crate::pipeline::table::comparison;
use crate::pipeline::{Labels, Titled};
use crate::words::both;

/// More events than this in all pictures of a page are left out of it; the trace has them.
const MOST_EVENTS: usize = 400_000;

const STYLE: &str = "\
.picture{overflow-x:auto}.picture svg{display:block;max-width:100%;height:auto;fill:var(--text);color:var(--text)}\
.picture .back{fill:var(--panel)}.picture .row{fill:var(--bg)}\
.length{display:inline-block;height:10px;background:var(--part);vertical-align:middle;border-radius:2px}\
.work{--part:var(--tiu)}.bubble{--part:var(--bad)}";

/// What the numbers are.
const SCHEDULES: PanelDefinition = PanelDefinition {
    id: "pipeline-schedules-are",
    source: "prediction/pipeline.md#comparison-of-schedules",
};
const PICTURE: PanelDefinition = PanelDefinition {
    id: "pipeline-picture-is",
    source: "prediction/pipeline.md#comparison-of-schedules",
};

/// The page, which needs no other file.
#[must_use]
pub fn page(shown: &[Titled], labels: &Labels) -> Text<Markup> {
    let mut out = text!("<h1>{}</h1>\n", both(&message!("pipeline-schedules")));
    let [english, chinese] = Language::ALL.map(|language| comparison(shown, labels, language));
    out.show(&english.panel(&chinese, &SCHEDULES, &Text::new()));
    let heading = both(&message!("pipeline-work-and-bubble"));
    out.show(&panel(&heading, Some(&SCHEDULES), &bars(shown)));
    let scale = Drawing::scale_in_page(shown.iter().map(|titled| &titled.report));
    let mut drawn = 0;
    for titled in shown {
        drawn += titled.report.events.len();
        let picture = match drawn > MOST_EVENTS {
            true => text!("<p>{}</p>\n", both(&message!("pipeline-left-out"))),
            false => text!("<div class=\"picture\">{}</div>\n", picture(titled, labels, scale)),
        };
        out.show(&panel(&both(&headline(titled, labels)), Some(&PICTURE), &picture));
    }
    page_in_two_languages(&"Pipeline schedules".into(), STYLE, &out)
}

/// A bar for each makespan, whose red part is the bubble.
fn bars(shown: &[Titled]) -> Text<Markup> {
    let keys = [("work", message!("pipeline-work")), ("bubble", message!("pipeline-bubble"))];
    let mut out = text!("{}<table class=\"data\">\n", legend(keys));
    let longest =
        shown.iter().map(|titled| titled.report.makespan).max().unwrap_or(1).max(1) as f64;
    for titled in shown {
        let whole = titled.report.makespan as f64 / longest * 260.0;
        let idle = whole * titled.report.bubble_ratio;
        put!(
            out,
            "<tr><td>{}</td><td><span class=\"length work\" style=\"width:{:.1}px\"></span>\
             <span class=\"length bubble\" style=\"width:{:.1}px\"></span></td></tr>\n",
            both(&titled.title),
            whole - idle,
            idle
        );
    }
    out.own("</table>\n");
    out
}
