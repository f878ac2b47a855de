//! `devices.html`: several dumps on one page, each with a link to its own.

use std::collections::BTreeMap;

use bigtpu_answers::{DumpIndex, DumpRow};
use bigtpu_chip::Chip;
use bigtpu_measure::{percent, quotient};
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::{
    Markup, Text, Untrusted, both, href_and_back, page_in_two_languages, put, text,
};

use crate::answers::us;
use crate::shade::shaded;

/// Name of the file.
pub const DUMPS_PAGE: &str = "devices.html";

/// Kernels that the heat map shows.
const KERNELS: usize = 12;

const STYLE: &str = ".heat td{min-width:4.5rem}\
#dumps tr>:nth-child(2),#dumps tr>:nth-child(11){text-align:left!important}";

/// Heads of the table of dumps: ids of the catalogue.
const COLUMNS: [&str; 12] = [
    "fleet-device",
    "fleet-chip",
    "fleet-devices-events",
    "fleet-devices-start",
    "fleet-time",
    "fleet-work",
    "fleet-compute",
    "fleet-exposed",
    "fleet-sync",
    "fleet-idle",
    "fleet-top-kernel",
    "fleet-losses",
];

/// The kernels of a dump: names, and ns of all launches.
pub type KernelTimes = Vec<(String, i64)>;

/// The page: a table of all dumps, what each spent its time on, and the kernels of each as a heat map. `kernels`: of each
/// dump, in the index's order; `own_page`: where each dump's page is below its directory; `joined`: pages of devices on one
/// clock that are written with this one.
#[must_use]
pub fn dumps_page(
    index: &DumpIndex,
    kernels: &[KernelTimes],
    own_page: &str,
    joined: &[String],
) -> Text<Markup> {
    let name = |row: &DumpRow| -> Text<Markup> {
        let page = href_and_back(DUMPS_PAGE, &format!("{}/{own_page}", row.name.directory));
        text!("<a href=\"{}\">{}</a>", page, row.name.name)
    };
    let heading = message!("fleet-devices-heading", devices = index.dumps.len());
    let mut body = Text::new();
    put!(body, "<h1>{}</h1>\n", both(&heading));
    match &index.time_line.message {
        Some(note) => {
            let sentence = message!("fleet-time-line", note = note.clone());
            put!(body, "<p>{}</p>\n", both(&sentence));
        }
        None => put!(body, "<p>{}</p>\n", index.time_line.note),
    }
    for page in joined {
        let words = message!("fleet-devices-joined", page = page.as_str());
        put!(body, "<p><a href=\"{}\">{}</a></p>\n", href_and_back(DUMPS_PAGE, page), both(&words));
    }
    let runs = both(&message!("fleet-devices-runs"));
    put!(
        body,
        "<section class=\"panel\">\n<h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\"><table id=\"dumps\" class=\"data numbers\">\n<tr>",
        runs
    );
    for head in COLUMNS {
        put!(body, "<th>{}</th>", both(&Message::new(head)));
    }
    body.own("</tr>\n");
    for row in &index.dumps {
        put!(
            body,
            "<tr><td>{}</td><td>{}</td><td>{}</td>",
            name(row),
            Chip::title_of(&row.chip),
            row.events
        );
        put!(body, "<td>{}</td><td>{}</td>", us(row.start_ns), us(row.wall_ns));
        let parts =
            [row.work_ns, row.compute_ns, row.exposed_transfer_ns, row.sync_ns, row.idle_ns];
        for ns in parts {
            shaded(&mut body, ns, row.wall_ns);
        }
        let top = row.top_kernel.as_ref();
        let top = top
            .map_or_else(|| "-".to_owned(), |k| format!("{} ({})", k.kernel, percent(k.share, 1)));
        put!(body, "<td>{}</td><td>{}</td></tr>\n", top, row.losses);
    }
    body.own("</table></div>\n</section>\n");
    heat(&mut body, index, kernels, &name);
    page_in_two_languages(&Untrusted::from(heading.text(Language::English)), STYLE, &body)
}

/// How much longer or shorter each kernel took on each device than on all of them on average.
fn heat(
    body: &mut Text<Markup>,
    index: &DumpIndex,
    kernels: &[KernelTimes],
    name: &dyn Fn(&DumpRow) -> Text<Markup>,
) {
    let mut totals: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for (kernel, ns) in kernels.iter().flatten() {
        let total = totals.entry(kernel).or_default();
        *total = (total.0 + ns, total.1 + 1);
    }
    let mut longest: Vec<(&str, (i64, i64))> = totals.into_iter().collect();
    longest.sort_by_key(|(kernel, (ns, _))| (std::cmp::Reverse(*ns), *kernel));
    let all = longest.len();
    longest.truncate(KERNELS);
    if longest.is_empty() {
        return;
    }
    put!(
        body,
        "<section class=\"panel\">\n<h2>{}</h2>\n",
        both(&message!("fleet-devices-kernels"))
    );
    put!(body, "<p class=\"muted\">{}", both(&message!("fleet-devices-kernels-are")));
    if all > KERNELS {
        put!(body, " {}", both(&message!("fleet-first", shown = KERNELS, all = all)));
    }
    let device = both(&Message::new("fleet-device"));
    put!(
        body,
        "</p>\n<div class=\"scroll\" tabindex=\"0\"><table id=\"kernels\" class=\"data numbers heat\">\n<tr><th>{}</th>",
        device
    );
    for (kernel, _) in &longest {
        put!(body, "<th>{}</th>", *kernel);
    }
    body.own("</tr>\n");
    for (row, own) in index.dumps.iter().zip(kernels) {
        put!(body, "<tr><td>{}</td>", name(row));
        for (kernel, (total, count)) in &longest {
            let Some((_, ns)) = own.iter().find(|(name, _)| name == kernel) else {
                body.own("<td>-</td>");
                continue;
            };
            let mean = quotient((*total).into(), (*count).into());
            let change = if mean > 0.0 { *ns as f64 / mean - 1.0 } else { 0.0 };
            let shade = (change.abs() * 2.0).min(0.7);
            body.own(match change > 0.0 {
                true => "<td style=\"background:rgb(200 100 27/",
                false => "<td style=\"background:rgb(63 111 216/",
            });
            put!(body, "{:.2})\" title=\"{}\">{}</td>", shade, percent(change, 1), us(*ns));
        }
        body.own("</tr>\n");
    }
    body.own("</table></div>\n</section>\n");
}
