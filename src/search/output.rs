//! What a search of a graph shows.

use anyhow::Result;
use bigtpu_output::{Lines, Table, Text, put, text};
use bigtpu_predict::search::Evaluation;
use bigtpu_session::search::{ChargedLinks, Found, SearchRequest};

use crate::args::search::Args;
use crate::console::{ignore_broken_pipe, render};
use crate::standard;

/// Operators that the console shows.
const FEW_OPS: usize = 40;

/// Shows a search.
pub(super) fn found(args: &Args, found: &Found) -> Result<()> {
    if args.json {
        return print_json(&found.json(&args.request())?);
    }
    print(text_of(&args.request(), found))
}

/// The links that were charged, with who says what they are.
pub(super) fn links_line(links: &ChargedLinks) -> String {
    format!(
        "links: {} GB/s ({}), {} ns of latency ({})",
        links.gbps,
        links.gbps_from.words(),
        links.latency_ns,
        links.latency_from.words()
    )
}

fn text_of(request: &SearchRequest, found: &Found) -> Text<Lines> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let first = found.start_ms.first().map_or(0.0, |(_, ms)| *ms);
    let first = found.one_device_ms.unwrap_or(first);
    let ratio = |ms: f64| if ms > 0.0 { format!("{:.2}", first / ms) } else { String::new() };
    if let Some(ms) = found.one_device_ms {
        rows.push(vec!["one device".to_owned(), format!("{ms:.6}"), ratio(ms)]);
    }
    for (name, ms) in &found.start_ms {
        rows.push(vec![name.replace('_', " "), format!("{ms:.6}"), ratio(*ms)]);
    }
    rows.push(vec![
        "best".to_owned(),
        format!("{:.6}", found.best.total_ms),
        ratio(found.best.total_ms),
    ]);
    let times = table("Strategies", &["Strategy", "Time (ms)", "Speedup"], rows);
    let configs = found.configs.iter().take(FEW_OPS).zip(&found.graph.ops).map(|(config, op)| {
        vec![op.name.clone(), op.kind.clone(), joined(&config.dims), joined(&config.devices)]
    });
    let best = table(
        "Best strategy",
        &["Operator", "Type", "Parts (batch first)", "Devices"],
        configs.collect(),
    );
    let mut text = text!("{}\n{}\n", render(&times), render(&best));
    if found.configs.len() > FEW_OPS {
        put!(text, "({} more operators: see --json or --export)\n", found.configs.len() - FEW_OPS);
    }
    put!(
        text,
        "{} proposals from each start, seed {}; the best came from the start {}. {:.0} % of the computing time is estimated, not measured.\n",
        request.proposals(),
        request.seed(),
        found.from,
        found.best.estimated_share * 100.0
    );
    if let Some(links) = &found.links {
        put!(text, "{}\n", links_line(links));
    }
    text
}

/// Shows the time of a given strategy.
pub(super) fn evaluated(args: &Args, found: &Evaluation) -> Result<()> {
    if args.json {
        return print_json(&serde_json::to_string(found)?);
    }
    let row = |name: &str, ms: f64| vec![name.to_owned(), format!("{ms:.6}")];
    let rows = vec![
        row("computing and communication", found.compute_and_comm_ms),
        row("update of weights", found.update_ms),
        row("memory penalty", found.memory_penalty_ms),
        row("total", found.total_ms),
    ];
    print(text!(
        "{}\n{} tasks\n",
        render(&table("Strategy", &["Part", "Time (ms)"], rows)),
        found.tasks
    ))
}

pub(super) fn table(title: &str, header: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table::new(title.to_owned(), header.iter().map(|&head| head.to_owned()), rows)
}

fn joined(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// Prints text; a reader that went away is no error.
pub(super) fn print(mut text: Text<Lines>) -> Result<()> {
    text.trim_end();
    text.own("\n");
    ignore_broken_pipe(standard::lines(&text).map_err(anyhow::Error::from))
}

/// Prints JSON; a reader that went away is no error.
pub(super) fn print_json(text: &str) -> Result<()> {
    ignore_broken_pipe(standard::json(&format!("{text}\n")).map_err(anyhow::Error::from))
}
