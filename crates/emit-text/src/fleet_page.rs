//! `index.html` of a batch: what many dumps say together, each with a link to its own page.

use bigtpu_answers::{
    FleetAdvice, FleetDevice, FleetDump, FleetFacts, FleetOverview, Outlier, SlowCall, SlowCore,
    SlowDevice, Trend,
};
use bigtpu_measure::{percent, quotient};
use bigtpu_output::{Markup, Text, Untrusted, page, put, text};

use crate::answers::{share, us};

/// Rows of a list of findings.
const FINDINGS: usize = 20;
/// Rows of the table of dumps, and of problems.
const DUMPS: usize = 2000;
/// Width and height of a trend's line.
const LINE: (f64, f64) = (160.0, 24.0);

const STYLE: &str = ":root{color-scheme:light dark}body{font:14px/1.45 system-ui,sans-serif;margin:1.5rem}\
h2{font-size:1.1rem;margin:1.6rem 0 .4rem}.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .7rem;text-align:right;border:1px solid #8884;white-space:nowrap}th:first-child,td:first-child,td.text,th.text{text-align:left}\
td.text{white-space:normal;min-width:20rem;max-width:60rem}p{max-width:90ch}.faint{opacity:.7}svg{display:block}\
nav a{margin-right:1rem}@media print{@page{size:A4 landscape}}";

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

/// A path as the value of a link: no character of it means anything else there.
fn href(path: &str) -> String {
    let mut href = String::from("./");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                href.push(byte.into());
            }
            other => href.push_str(&format!("%{other:02X}")),
        }
    }
    href
}

fn device(device: &FleetDevice) -> String {
    let number = device.device.map_or_else(|| "dev?".to_owned(), |number| format!("dev{number}"));
    match &device.host {
        Some(host) => format!("{host} {number}"),
        None => number,
    }
}

fn call(run: Option<&str>, call: Option<u32>) -> String {
    let call = call.map_or_else(|| "-".to_owned(), |call| call.to_string());
    run.map_or_else(|| call.clone(), |run| format!("{run} / {call}"))
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
        if o.devices.is_empty() && o.cores.is_empty() && o.trends.is_empty() {
            body.own("No device, core or trend stands out. ");
        }
        let lost = self.problems.len() - self.failed();
        put!(body, "{} failed, {} with lost data.</p>\n", self.failed(), lost);
    }

    /// A dump as a link to its page.
    fn link(&self, at: usize) -> Text<Markup> {
        let name = self.dumps.get(at).map_or("", |dump| dump.dump);
        let name = if name.is_empty() { "." } else { name };
        match self.pages.get(at).and_then(Option::as_deref) {
            Some(path) => text!("<a href=\"{}\">{}</a>", href(path), name),
            None => text!("{}", name),
        }
    }

    fn devices(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.devices;
        open(
            body,
            "devices",
            "Slow devices 慢设备",
            rows.len(),
            "Work of the dump over the median of like dumps; waiting is no work. 等待不计入工作时间。",
            &["Device 设备", "Calls 调用", "Work 工作", "Above median 多出 (us)", "Worst 最慢"],
        );
        for SlowDevice { device: of, calls, ratio, lost_ns, worst } in rows.iter().take(FINDINGS) {
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                device(of),
                calls,
                times(*ratio),
                us(*lost_ns),
                self.link(*worst)
            );
        }
        close(body, rows.len());
    }

    fn cores(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.cores;
        open(
            body,
            "cores",
            "Slow cores 慢核",
            rows.len(),
            "Work of the core over the median core of the same dump. 与同一次采集中各核的中位数相比。",
            &["Core 核", "Calls 调用", "Work 工作", "Above median 多出 (us)", "Worst 最慢"],
        );
        for SlowCore { device: of, core, calls, ratio, lost_ns, worst } in
            rows.iter().take(FINDINGS)
        {
            put!(
                body,
                "<tr><td>{} core {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                device(of),
                core,
                calls,
                times(*ratio),
                us(*lost_ns),
                self.link(*worst)
            );
        }
        close(body, rows.len());
    }

    fn calls(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.calls;
        open(
            body,
            "calls",
            "Calls with a straggler 有掉队设备的调用",
            rows.len(),
            "The device that worked longest in a call, over the median of its devices. 该调用中工作最久的设备与中位数之比。",
            &["Call 调用", "Devices 设备", "Work 工作", "Above median 多出 (us)", "Slowest 最慢"],
        );
        for SlowCall { run, call: number, devices, slowest, ratio, lost_ns } in
            rows.iter().take(FINDINGS)
        {
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                call(run.as_deref(), *number),
                devices,
                times(*ratio),
                us(*lost_ns),
                self.link(*slowest)
            );
        }
        close(body, rows.len());
    }

    fn outliers(
        &self,
        body: &mut Text<Markup>,
        id: &'static str,
        title: &'static str,
        rows: &[Outlier],
    ) {
        open(
            body,
            id,
            title,
            rows.len(),
            "Mean time of a launch or run over the median of like dumps. 单次执行的平均时间与同类采集的中位数之比。",
            &[
                "Name 名称",
                "Device 设备",
                "Calls 调用",
                "Mean 平均 (us)",
                "Median 中位数 (us)",
                "Ratio 倍数",
                "Above median 多出 (us)",
                "Worst 最慢",
            ],
        );
        for Outlier { name, device: of, calls, ratio, lost_ns, worst, mean_ns, median_ns } in
            rows.iter().take(FINDINGS)
        {
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
        }
        close(body, rows.len());
    }

    fn trends(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.trends;
        open(
            body,
            "trends",
            "Trends over calls 随调用的变化趋势",
            rows.len(),
            "Slope by Theil and Sen from the first call to the last, where the test of Mann and Kendall is certain (six calls or more). 至少六次调用。",
            &[
                "Device 设备",
                "Run 轮次",
                "Calls 调用",
                "Change 变化",
                "Time of the calls 各次时长",
                "Last 最后一次",
            ],
        );
        for Trend { device: of, run, calls, change, last } in rows.iter().take(FINDINGS) {
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
        }
        close(body, rows.len());
    }

    fn advice(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.advice;
        open(
            body,
            "advice",
            "Advice by total gain 建议（按总收益）",
            rows.len(),
            "Gains of one dump exclude each other, and are summed over dumps. 同一次采集的各项收益不可相加。",
            &[
                "Rule 规则",
                "Dumps 采集数",
                "Gain at most 最多可省 (us)",
                "Greatest in 收益最大",
                "There 说明",
            ],
        );
        for FleetAdvice { id, dumps, gain_ns, best, text } in rows.iter().take(FINDINGS) {
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
                id,
                dumps,
                us(*gain_ns),
                self.link(*best),
                text
            );
        }
        close(body, rows.len());
    }

    fn problems(&self, body: &mut Text<Markup>) {
        let rows = self.problems;
        open(
            body,
            "losses",
            "Failures and losses 失败与数据丢失",
            rows.len(),
            "",
            &["Dump 采集", "Status 状态", "What 说明"],
        );
        for FleetProblem { dump, status, texts } in rows.iter().take(DUMPS) {
            let texts = Text::<Markup>::joined(texts, "<br>");
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
                *dump,
                *status,
                texts
            );
        }
        close(body, rows.len());
    }

    /// All dumps with their phases.
    fn table(&self, body: &mut Text<Markup>) {
        open(
            body,
            "dumps",
            "All dumps 全部采集",
            self.dumps.len(),
            "Shares of the time from the first record to the last. 占总时长的比例。",
            &[
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
        );
        for (at, dump) in self.dumps.iter().enumerate().take(DUMPS) {
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
                let shade = quotient(ns.into(), facts.wall_ns.into()).clamp(0.0, 1.0) * 0.55;
                put!(
                    body,
                    "<td style=\"background:rgb(200 100 27/{:.2})\">{}</td>",
                    shade,
                    share(ns, facts.wall_ns)
                );
            }
            let top = facts.kernels.first().map_or("-", |kernel| kernel.name.as_str());
            let advice = facts.advice.first().map_or("-", |advice| advice.id.as_str());
            put!(body, "<td>{}</td><td>{}</td><td>{}</td></tr>\n", top, advice, facts.losses);
        }
        if self.dumps.len() > DUMPS {
            put!(body, "<tr><td>{} more in index.json</td></tr>\n", self.dumps.len() - DUMPS);
        }
        body.own("</table></div>\n");
    }
}

/// Heading, definition and head of a table; without rows a word.
fn open(
    body: &mut Text<Markup>,
    id: &'static str,
    title: &'static str,
    rows: usize,
    definition: &'static str,
    head: &[&'static str],
) {
    put!(
        body,
        "<h2 id=\"{}\">{} <span class=\"faint\">{}</span></h2>\n",
        id,
        Text::<Markup>::of(title),
        rows
    );
    if rows == 0 {
        body.own("<p class=\"faint\">None. 无。</p>\n");
        return;
    }
    put!(body, "<p class=\"faint\">{}</p>\n<div class=\"wide\"><table>\n<tr>", definition);
    for name in head {
        put!(body, "<th>{}</th>", *name);
    }
    body.own("</tr>\n");
}

/// The end of a table of findings, and how many are left out.
fn close(body: &mut Text<Markup>, rows: usize) {
    if rows == 0 {
        return;
    }
    body.own("</table></div>\n");
    if rows > FINDINGS {
        put!(
            body,
            "<p class=\"faint\">The first {} of {}. 仅列出前 {} 项。</p>\n",
            FINDINGS,
            rows,
            FINDINGS
        );
    }
}

/// Times of calls as a line.
fn line(body: &mut Text<Markup>, calls: &[(u32, i64)]) {
    let (width, height) = LINE;
    let least = calls.iter().map(|(_, ns)| *ns).min().unwrap_or(0);
    let most = calls.iter().map(|(_, ns)| *ns).max().unwrap_or(0);
    let first = calls.first().map_or(0, |(call, _)| *call);
    let last = calls.last().map_or(0, |(call, _)| *call);
    put!(
        body,
        "<svg width=\"{:.0}\" height=\"{:.0}\" role=\"img\"><title>{} to {} us</title>",
        width,
        height,
        us(least),
        us(most)
    );
    body.own("<polyline fill=\"none\" stroke=\"currentColor\" points=\"");
    for (call, ns) in calls {
        let x = quotient((call - first).into(), (last - first).into()) * (width - 4.0) + 2.0;
        let y =
            height - 2.0 - quotient((ns - least).into(), (most - least).into()) * (height - 4.0);
        put!(body, "{:.1},{:.1} ", x, y);
    }
    body.own("\"/></svg>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_means_anything_else_in_a_link() {
        assert_eq!(href("a b/#x?.html"), "./a%20b/%23x%3F.html");
        assert_eq!(href("javascript:alert(1)"), "./javascript%3Aalert%281%29");
        assert_eq!(href("机/dev0-0"), "./%E6%9C%BA/dev0-0");
    }
}
