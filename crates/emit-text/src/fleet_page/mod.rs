//! `index.html` of a batch: what many dumps say together, each with a link to its own page.

mod line;
mod list;
mod stragglers;

use bigtpu_answers::{
    FleetAdvice, FleetDevice, FleetDump, FleetFacts, FleetOverview, Outlier, Trend,
};
use bigtpu_chip::Chip;
use bigtpu_measure::percent;
use bigtpu_messages::{Arg, Language, LocalizedText, Message, message};
use bigtpu_output::{
    Markup, Text, Untrusted, both, href_and_back, in_two_languages, page_in_two_languages, put,
    text,
};

use crate::answers::{share, us};
use crate::shade::shaded;
use line::line;
use list::List;

/// Name of the file.
pub const FLEET_PAGE: &str = "index.html";

/// Rows of a list of findings.
const FINDINGS: usize = 20;
/// Rows of the table of dumps, and of problems.
const DUMPS: usize = 2000;

const STYLE: &str = "\
.t2 tr>:nth-child(2),.t3 tr>:nth-child(3),.t4 tr>:nth-child(4),.t5 tr>:nth-child(5),.t6 tr>:nth-child(6),.t8 tr>:nth-child(8),\
.t9 tr>:nth-child(9),.t10 tr>:nth-child(10){text-align:left!important}svg{display:block}nav a{margin-right:1rem}";

/// A dump that has no results, or lost data.
pub struct FleetProblem<'a> {
    /// Its name.
    pub dump: &'a str,
    /// `failed` or `lost`.
    pub status: &'static str,
    /// What is wrong.
    pub texts: Vec<&'a str>,
}

/// What the page shows.
pub struct FleetPage<'a> {
    /// Dumps with results.
    pub dumps: &'a [FleetDump<'a>],
    /// The page of each, relative to this one; `None` where none was written.
    pub pages: &'a [Option<String>],
    /// What they say together.
    pub overview: &'a FleetOverview,
    /// Dumps without results or with losses.
    pub problems: &'a [FleetProblem<'a>],
}

/// Compute, exposed transfer, sync and idle of a dump, over its time.
#[must_use]
pub fn fleet_phases(facts: &FleetFacts) -> [String; 4] {
    [facts.compute_ns, facts.exposed_transfer_ns, facts.sync_ns, facts.idle_ns]
        .map(|ns| share(ns, facts.wall_ns))
}

fn device(device: &FleetDevice) -> String {
    let unknown = || device.dump.clone().unwrap_or_else(|| "dev?".to_owned());
    let number = device.device.map_or_else(unknown, |number| format!("dev{number}"));
    match &device.host {
        // The name of a dump has its host.
        Some(host) if device.device.is_some() => format!("{host} {number}"),
        _ => number,
    }
}

fn times(ratio: f64) -> String {
    format!("{ratio:.2}×")
}

impl FleetPage<'_> {
    /// The page.
    #[must_use]
    pub fn text(&self) -> Text<Markup> {
        let mut body = Text::new();
        let all = message!("dumps-heading", dumps = self.dumps.len() + self.failed());
        put!(body, "<h1>{}</h1>\n", both(&all));
        self.lead(&mut body);
        self.devices(&mut body);
        self.cores(&mut body);
        self.calls(&mut body);
        self.outliers(&mut body, "kernels", "fleet-slow-kernels", &self.overview.kernels);
        self.outliers(&mut body, "layers", "fleet-slow-layers", &self.overview.layers);
        self.trends(&mut body);
        self.advice(&mut body);
        self.problems(&mut body);
        self.table(&mut body);
        let title = Untrusted::from(format!("{} dumps", self.dumps.len()));
        page_in_two_languages(&title, STYLE, &body)
    }

    fn failed(&self) -> usize {
        self.problems.iter().filter(|problem| problem.status == "failed").count()
    }

    /// The most important finding of each kind.
    fn lead(&self, body: &mut Text<Markup>) {
        let o = self.overview;
        let slow = o.devices.first().map(|slow| {
            message!("fleet-device-works", device = device(&slow.device), times = times(slow.ratio))
        });
        let core = o.cores.first().map(|core| {
            message!(
                "fleet-core-works",
                core = Arg::Number(core.core.into()),
                device = device(&core.device),
                times = times(core.ratio)
            )
        });
        let trend = o.trends.first().map(|trend| {
            let change = percent(trend.change, 1);
            message!("fleet-trend", device = device(&trend.device), change = change)
        });
        let mut said = Vec::from_iter([slow, core, trend].into_iter().flatten());
        let unchecked = &o.unchecked;
        if said.is_empty() {
            let looked_at = [
                unchecked.devices.is_none().then(|| message!("fleet-a-device")),
                Some(message!("fleet-a-core")),
                unchecked.trends.is_none().then(|| message!("fleet-a-trend")),
            ];
            let looked_at: Vec<Message> = looked_at.into_iter().flatten().collect();
            said.push(match looked_at.as_slice() {
                [most @ .., last] if !most.is_empty() => message!(
                    "fleet-none-of",
                    first = Arg::Items(most.to_vec()),
                    last = last.clone()
                ),
                _ => message!("fleet-no-core"),
            });
        }
        let devices = unchecked.devices.clone();
        said.extend(devices.map(|why| message!("fleet-devices-unchecked", why = why)));
        let calls = unchecked.calls.clone();
        said.extend(calls.map(|why| message!("fleet-calls-unchecked", why = why)));
        let trends = unchecked.trends.clone();
        said.extend(trends.map(|why| message!("fleet-trends-unchecked", why = why)));
        let lost = self.problems.len() - self.failed();
        said.push(message!("fleet-failed", failed = self.failed(), lost = lost));
        let said = LocalizedText::new(said);
        let said = in_two_languages(&[said.text, said.text_zh]);
        put!(body, "<p id=\"lead\">{}</p>\n", said);
    }

    /// A dump as a link to its page.
    fn link(&self, at: usize) -> Text<Markup> {
        let name = self.dumps.get(at).map_or("", |dump| dump.dump);
        let name = if name.is_empty() { "." } else { name };
        match self.pages.get(at).and_then(Option::as_deref) {
            Some(path) => text!("<a href=\"./{}\">{}</a>", href_and_back(FLEET_PAGE, path), name),
            None => text!("{}", name),
        }
    }

    fn outliers(
        &self,
        body: &mut Text<Markup>,
        id: &'static str,
        title: &'static str,
        rows: &[Outlier],
    ) {
        let list = List {
            id,
            title,
            definition: Some("fleet-slow-kernels-are"),
            columns: &[
                "fleet-name",
                "fleet-device",
                "fleet-calls",
                "fleet-mean",
                "fleet-median",
                "fleet-ratio",
                "fleet-above",
                "fleet-worst",
            ],
            texts: &[2, 8],
            most: FINDINGS,
        };
        let unchecked = self.overview.unchecked.devices.is_some();
        list.write_if_checked(body, rows, unchecked, |body, row| {
            let Outlier { name, device: of, calls, ratio, lost_ns, worst, mean_ns, median_ns } = row;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                name,
                device(of),
                calls,
                mean_ns / 1000.0,
                median_ns / 1000.0,
                times(*ratio),
                us(*lost_ns),
                self.link(*worst)
            );
        });
    }

    fn trends(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.trends;
        let list = List {
            id: "trends",
            title: "fleet-trends",
            definition: Some("fleet-trends-are"),
            columns: &[
                "fleet-device",
                "fleet-run",
                "fleet-calls",
                "fleet-change",
                "fleet-times",
                "fleet-last",
            ],
            texts: &[2, 6],
            most: FINDINGS,
        };
        let unchecked = self.overview.unchecked.trends.is_some();
        list.write_if_checked(body, rows, unchecked, |body, row| {
            let Trend { device: of, run, calls, change, last } = row;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>",
                device(of),
                run.as_deref().unwrap_or("-"),
                calls.len(),
                percent(*change, 1)
            );
            line(body, calls);
            put!(body, "</td><td>{}</td></tr>\n", self.link(*last));
        });
    }

    fn advice(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.advice;
        let list = List {
            id: "advice",
            title: "fleet-advice",
            definition: Some("fleet-advice-is"),
            columns: &[
                "fleet-rule",
                "fleet-dump-count",
                "fleet-gain",
                "fleet-greatest",
                "fleet-there",
            ],
            texts: &[4, 5],
            most: FINDINGS,
        };
        list.write(body, rows, |body, row| {
            let FleetAdvice { id, dumps, gain_ns, bound_ns, best, text } = row;
            let bound = match (*bound_ns, gain_ns - bound_ns) {
                (0, _) => Text::new(),
                (_, 0) => text!(" ({})", both(&message!("fleet-bound"))),
                (bound, _) => text!(" ({} {})", both(&message!("fleet-bound")), us(bound)),
            };
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
                id,
                dumps,
                us(*gain_ns),
                bound,
                self.link(*best),
                in_two_languages(&[text.text.clone(), text.to(Language::Chinese).to_owned()])
            );
        });
    }

    fn problems(&self, body: &mut Text<Markup>) {
        let rows = self.problems;
        let list = List {
            id: "losses",
            title: "fleet-problems",
            definition: None,
            columns: &["fleet-dump", "fleet-status", "fleet-what"],
            texts: &[2, 3],
            most: DUMPS,
        };
        list.write(body, rows, |body, row| {
            let FleetProblem { dump, status, texts } = row;
            let texts = Text::<Markup>::joined(texts, "<br>");
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
                *dump,
                both(&Message::new(match *status {
                    "failed" => "fleet-status-failed",
                    _ => "fleet-status-lost",
                })),
                texts
            );
        });
    }

    /// All dumps with their phases.
    fn table(&self, body: &mut Text<Markup>) {
        let list = List {
            id: "dumps",
            title: "fleet-all-dumps",
            definition: Some("fleet-all-dumps-are"),
            columns: &[
                "fleet-dump",
                "fleet-chip",
                "fleet-time",
                "fleet-work",
                "fleet-compute",
                "fleet-exposed",
                "fleet-sync",
                "fleet-idle",
                "fleet-top-kernel",
                "fleet-first-advice",
                "fleet-losses",
            ],
            texts: &[2, 9, 10],
            most: DUMPS,
        };
        let numbers: Vec<usize> = (0..self.dumps.len()).collect();
        list.write(body, &numbers, |body, at| {
            let Some(dump) = self.dumps.get(*at) else { return };
            let facts = dump.facts;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td>",
                self.link(*at),
                Chip::title_of(dump.chip),
                us(facts.wall_ns)
            );
            let parts = [
                facts.work_ns,
                facts.compute_ns,
                facts.exposed_transfer_ns,
                facts.sync_ns,
                facts.idle_ns,
            ];
            for ns in parts {
                shaded(body, ns, facts.wall_ns);
            }
            let top = facts.kernels.first().map_or("-", |kernel| kernel.name.as_str());
            let advice = facts.advice.first().map_or("-", |advice| advice.id.as_str());
            put!(body, "<td>{}</td><td>{}</td><td>{}</td></tr>\n", top, advice, facts.losses);
        });
    }
}
