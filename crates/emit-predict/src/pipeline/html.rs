//! A page: the comparison, and the picture of each pipeline.

use bigtpu_output::{Markup, Text, page_in_two_languages, put, text};

use crate::pipeline::svg::{Drawing, headline, picture};
use crate::pipeline::table::comparison;
use crate::pipeline::{Labels, Titled};
use crate::words::{both, chinese, sentences};

/// More events than this in all pictures of a page are left out of it; the trace has them.
const MOST_EVENTS: usize = 400_000;

const STYLE: &str = "\
.picture{overflow-x:auto;border:1px solid var(--line);border-radius:10px;background:var(--panel)}.picture svg{display:block;max-width:100%;height:auto;\
fill:var(--text);color:var(--text)}.picture .back{fill:var(--panel)}.picture .row{fill:var(--bg)}\
.bar{display:inline-block;height:10px;background:var(--tiu);vertical-align:middle;border-radius:2px}.idle{background:var(--bad)}";

/// The page, which needs no other file.
#[must_use]
pub fn page(shown: &[Titled], labels: &Labels) -> Text<Markup> {
    let legend = sentences(
        "Each row of a picture is a stage (device). The bubble is the share of time in which the stages are idle. All pictures have the \
         same scale of time; pipeline.svg and pipeline.pftrace show more.",
        "图中每一行是一级（一个设备）。气泡是各级空闲时间的占比。所有图的时间比例相同；pipeline.svg 和 pipeline.pftrace 显示更多细节。",
    );
    let mut out = text!("<h1>{}</h1>\n<p>{}</p>\n", both("Pipeline schedules"), legend);
    rows(&mut out, shown, labels);
    let scale = Drawing::scale_in_page(shown.iter().map(|titled| &titled.report));
    let mut drawn = 0;
    for titled in shown {
        put!(out, "<h2>{}</h2>", both(headline(titled, labels).for_library()));
        drawn += titled.report.events.len();
        if drawn > MOST_EVENTS {
            let left_out = sentences(
                "This picture is left out, as the page would be too large; see pipeline.pftrace.",
                "此图略去，否则页面过大；请看 pipeline.pftrace。",
            );
            put!(out, "<p>{}</p>", left_out);
            continue;
        }
        put!(out, "<div class=\"picture\">{}</div>", picture(titled, labels, scale));
    }
    out.own("\n");
    page_in_two_languages(&"Pipeline schedules".into(), STYLE, &out)
}

/// The comparison, and a bar for each makespan whose red part is the bubble.
fn rows(out: &mut Text<Markup>, shown: &[Titled], labels: &Labels) {
    out.show(&comparison(shown, labels).html_in_two_languages(chinese));
    let [schedule, work] = ["Schedule", "Work and bubble"].map(both);
    put!(out, "<table><tr><th>{}</th><th>{}</th></tr>", schedule, work);
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
