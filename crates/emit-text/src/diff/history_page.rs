//! `history.html`: a line for each time with its levels, and what happened to it. No script, no file next to it.

use bigtpu_answers::{EventKind, History, HistorySeries, series_title};
use bigtpu_messages::Language;
use bigtpu_output::{Markup, Text, Untrusted, page_in_two_languages, phrase, put};

use crate::diff::history_line::line;

/// Times that are drawn, the wall time first, then those that take longest.
const MOST_SERIES: usize = 300;
/// Events in the list.
const MOST_EVENTS: usize = 200;

const STYLE: &str = "\
svg{display:block;max-width:100%;height:auto}\
svg text{font-size:11px;fill:var(--muted)}.runs{fill:none;stroke:currentColor;opacity:.35}\
.dot{fill:currentColor;opacity:.6}.level{stroke:var(--accent);stroke-width:2.5}.change{stroke:var(--bad);stroke-dasharray:4 3}\
svg a .dot{fill:var(--accent);opacity:1}";

/// A text of ours in both languages.
fn both(english: &str, chinese: &str) -> Text<Markup> {
    phrase(&Untrusted::from(english), &Untrusted::from(chinese))
}

/// The page.
#[must_use]
pub fn history_page(history: &History) -> Text<Markup> {
    let mut body = Text::new();
    put!(body, "<h1>{}</h1>\n", both("TPU profile: history", "TPU 性能历史"));
    lead(history, &mut body);
    events(history, &mut body);
    let mut shown: Vec<&HistorySeries> = history.series.iter().filter(|s| s.builds > 0).collect();
    shown.sort_by(|a, b| {
        let ns = |series: &HistorySeries| series.levels.last().map_or(0.0, |level| level.ns);
        a.unit
            .cmp(&b.unit)
            .then((b.name == "total").cmp(&(a.name == "total")))
            .then(ns(b).total_cmp(&ns(a)))
            .then(a.name.cmp(&b.name))
    });
    let all = shown.len();
    let mut unit = None;
    for (number, series) in shown.into_iter().take(MOST_SERIES).enumerate() {
        if unit != Some(&series.unit) {
            match series.unit.as_str() {
                "" => put!(body, "<h2>{}</h2>\n", both("Times", "各项时间")),
                unit => put!(body, "<h2>{}</h2>\n", unit),
            }
        }
        unit = Some(&series.unit);
        section(history, number, series, &mut body);
    }
    if all > MOST_SERIES {
        let more = all - MOST_SERIES;
        let english = format!("{more} more times are in history.json.");
        put!(body, "<p>{}</p>\n", both(&english, &format!("其余 {more} 项见 history.json。")));
    }
    page_in_two_languages(&"TPU profile: history".into(), STYLE, &body)
}

/// What came out, and how changes are told from noise.
fn lead(history: &History, body: &mut Text<Markup>) {
    put!(body, "<p><b>{}</b></p>\n", both(&history.text.text, &history.text.text_zh));
    let (every, least) = (history.builds_per_alarm, history.least_change * 100.0);
    put!(
        body,
        "<p class=\"muted\">{}</p>\n",
        both(
            &format!(
                "{} builds, {} runs. One in {every} builds has a false alarm at most; changes below {least} % are none. Dots are builds, thick lines levels, dashed lines changes.",
                history.builds, history.runs
            ),
            &format!(
                "{} 个构建，{} 次运行。误报率不超过每 {every} 个构建一次；小于 {least} % 的变化不计。圆点为构建，粗线为水平，虚线为变化处。",
                history.builds, history.runs
            )
        )
    );
}

/// All that happened, each with a link to its line.
fn events(history: &History, body: &mut Text<Markup>) {
    if history.events.is_empty() {
        return;
    }
    put!(
        body,
        "<section class=\"panel\">\n<h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"data\">",
        both("What happened", "变化记录")
    );
    for event in history.events.iter().take(MOST_EVENTS) {
        let class = match event.kind {
            EventKind::Slower => "slower",
            EventKind::Faster => "faster",
            EventKind::New | EventKind::Gone | EventKind::Renamed => "",
        };
        put!(
            body,
            "<tr><td class=\"text {}\"><a href=\"#{}\">{}</a></td><td class=\"muted\">{}</td></tr>\n",
            class,
            anchor(&event.unit, &event.name),
            both(&event.sentence(Language::English), &event.sentence(Language::Chinese)),
            both(&format!("found with {}", event.found), &format!("在 {} 发现", event.found))
        );
    }
    body.own("</table></div>\n</section>\n");
}

/// A time: its level of now, its noise, its line.
fn section(history: &History, number: usize, series: &HistorySeries, body: &mut Text<Markup>) {
    let name = series.name.as_str();
    put!(body, "<h3 id=\"{}\">", anchor(&series.unit, name));
    match name {
        "total" => put!(body, "{}", both("wall time", "总时间")),
        _ => put!(body, "{}", bigtpu_output::both(&series_title(name))),
    }
    let now = series.levels.last().map_or(0.0, |level| level.ns / 1e3);
    let noise = series.noise.map_or_else(String::new, |noise| format!(" ± {:.2} %", noise * 100.0));
    put!(body, " <span class=\"muted\">{:.1} us{}</span></h3>\n", now, noise);
    line(history, number, series, body);
}

/// The place of a time in the page: letters and digits as they are, all else by its number, so that no two are the same.
fn anchor(unit: &str, name: &str) -> String {
    let mut anchor = String::from("t-");
    for byte in unit.bytes().chain(*b"/").chain(name.bytes()) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => anchor.push(byte.into()),
            other => anchor.push_str(&format!("_{other:02x}")),
        }
    }
    anchor
}
