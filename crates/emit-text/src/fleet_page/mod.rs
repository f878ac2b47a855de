//! `index.html` of a batch: what many dumps say together, each with a link to its own page.

mod line;
mod list;
mod stragglers;

use bigtpu_answers::{
    FleetAdvice, FleetDevice, FleetDump, FleetFacts, FleetOverview, Outlier, Trend,
};
use bigtpu_measure::percent;
use bigtpu_messages::Language;
use bigtpu_output::{Markup, Text, Untrusted, href, page, put, text};

use crate::answers::{share, us};
use crate::shade::shaded;
use line::line;
use list::List;

/// Rows of a list of findings.
const FINDINGS: usize = 20;
/// Rows of the table of dumps, and of problems.
const DUMPS: usize = 2000;

const STYLE: &str = "th,td{border:1px solid var(--line);white-space:nowrap}td.text,\
.t2 tr>:nth-child(2),.t3 tr>:nth-child(3),.t4 tr>:nth-child(4),.t5 tr>:nth-child(5),.t6 tr>:nth-child(6),.t8 tr>:nth-child(8),\
.t9 tr>:nth-child(9),.t10 tr>:nth-child(10){text-align:left}\
td.text{white-space:normal;min-width:20rem;max-width:60rem}svg{display:block}nav a{margin-right:1rem}";

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
        put!(body, "<h1>{} dumps 次采集</h1>\n", self.dumps.len() + self.failed());
        self.lead(&mut body);
        self.devices(&mut body);
        self.cores(&mut body);
        self.calls(&mut body);
        self.outliers(
            &mut body,
            "kernels",
            "Kernels above the fleet's median 慢于全体中位数的核函数",
            &self.overview.kernels,
        );
        self.outliers(
            &mut body,
            "layers",
            "Layers above the fleet's median 慢于全体中位数的层",
            &self.overview.layers,
        );
        self.trends(&mut body);
        self.advice(&mut body);
        self.problems(&mut body);
        self.table(&mut body);
        page(&Untrusted::from(format!("{} dumps", self.dumps.len())), STYLE, &body)
    }

    fn failed(&self) -> usize {
        self.problems.iter().filter(|problem| problem.status == "failed").count()
    }

    /// The most important finding of each kind.
    fn lead(&self, body: &mut Text<Markup>) {
        let o = self.overview;
        body.own("<p id=\"lead\">");
        if let Some(slow) = o.devices.first() {
            put!(
                body,
                "{} works {} as long as the median of like dumps. ",
                device(&slow.device),
                times(slow.ratio)
            );
        }
        if let Some(core) = o.cores.first() {
            put!(
                body,
                "Core {} of {} works {} as long as the device's median core. ",
                core.core,
                device(&core.device),
                times(core.ratio)
            );
        }
        if let Some(trend) = o.trends.first() {
            put!(
                body,
                "{}: {} from its first call to its last. ",
                device(&trend.device),
                percent(trend.change, 1)
            );
        }
        let unchecked = &o.unchecked;
        let looked_at = [
            (o.devices.is_empty() && unchecked.devices.is_none(), "device"),
            (o.cores.is_empty(), "core"),
            (o.trends.is_empty() && unchecked.trends.is_none(), "trend"),
        ];
        let none: Vec<&str> =
            looked_at.iter().filter(|(is_none, _)| *is_none).map(|(_, what)| *what).collect();
        if let [most @ .., last] = none.as_slice()
            && o.devices.is_empty()
            && o.cores.is_empty()
            && o.trends.is_empty()
        {
            let before = most.join(", ");
            let or = if most.is_empty() { "" } else { " or " };
            put!(body, "No {}{}{} stands out. ", before.as_str(), or, *last);
        }
        let reasons = [
            ("Devices are not compared", unchecked.devices),
            ("Calls are not compared", unchecked.calls),
            ("Trends are not looked for", unchecked.trends),
        ];
        for (what, reason) in reasons {
            if let Some([english, _]) = reason {
                put!(body, "{}: {}. ", what, english);
            }
        }
        let lost = self.problems.len() - self.failed();
        put!(body, "{} failed, {} with lost data.</p>\n", self.failed(), lost);
    }

    /// A dump as a link to its page.
    fn link(&self, at: usize) -> Text<Markup> {
        let name = self.dumps.get(at).map_or("", |dump| dump.dump);
        let name = if name.is_empty() { "." } else { name };
        match self.pages.get(at).and_then(Option::as_deref) {
            Some(path) => text!("<a href=\"./{}\">{}</a>", href(path), name),
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
            definition: "Mean time of a launch or run over the median of like dumps. 单次执行的平均时间与同类采集的中位数之比。",
            columns: &[
                "Name 名称",
                "Device 设备",
                "Calls 调用",
                "Mean 平均 (us)",
                "Median 中位数 (us)",
                "Ratio 倍数",
                "Above median 多出 (us)",
                "Worst 最慢",
            ],
            texts: &[2, 8],
            most: FINDINGS,
        };
        if list.is_unchecked(body, rows, self.overview.unchecked.devices) {
            return;
        }
        list.write(body, rows, |body, row| {
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
            title: "Trends over calls 随调用的变化趋势",
            definition: "Slope by Theil and Sen from the first call to the last, where the test of Mann and Kendall is certain (six calls or more). 至少六次调用。",
            columns: &[
                "Device 设备",
                "Run 轮次",
                "Calls 调用",
                "Change 变化",
                "Time of the calls 各次时长",
                "Last 最后一次",
            ],
            texts: &[2, 6],
            most: FINDINGS,
        };
        if list.is_unchecked(body, rows, self.overview.unchecked.trends) {
            return;
        }
        list.write(body, rows, |body, row| {
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
            title: "Advice by total gain 建议（按总收益）",
            definition: "Gains of one dump exclude each other, and are summed over dumps. 同一次采集的各项收益不可相加。",
            columns: &[
                "Rule 规则",
                "Dumps 采集数",
                "Gain at most 最多可省 (us)",
                "Greatest in 收益最大",
                "There 说明",
            ],
            texts: &[4, 5],
            most: FINDINGS,
        };
        list.write(body, rows, |body, row| {
            let FleetAdvice { id, dumps, gain_ns, best, text } = row;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
                id,
                dumps,
                us(*gain_ns),
                self.link(*best),
                text.to(Language::English)
            );
        });
    }

    fn problems(&self, body: &mut Text<Markup>) {
        let rows = self.problems;
        let list = List {
            id: "losses",
            title: "Failures and losses 失败与数据丢失",
            definition: "",
            columns: &["Dump 采集", "Status 状态", "What 说明"],
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
                *status,
                texts
            );
        });
    }

    /// All dumps with their phases.
    fn table(&self, body: &mut Text<Markup>) {
        let list = List {
            id: "dumps",
            title: "All dumps 全部采集",
            definition: "Shares of the time from the first record to the last. 占总时长的比例。",
            columns: &[
                "Dump 采集",
                "Chip 芯片",
                "Time 时长 (us)",
                "Work 工作",
                "Compute 计算",
                "Exposed transfer 未隐藏的搬运",
                "Sync 同步",
                "Idle 空闲",
                "Top kernel 最耗时的核函数",
                "First advice 首要建议",
                "Notes of loss 数据丢失",
            ],
            texts: &[2, 9, 10],
            most: DUMPS,
        };
        list.begin(body, self.dumps.len());
        for (at, dump) in self.dumps.iter().enumerate().take(list.most) {
            let facts = dump.facts;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td>",
                self.link(at),
                dump.chip,
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
        }
        if self.dumps.len() > list.most {
            put!(body, "<tr><td>{} more in index.json</td></tr>\n", self.dumps.len() - list.most);
        }
        body.own("</table></div>\n");
    }
}
