//! Gaps of engines, and gaps between launches.

use bigtpu_answers::{Edge, EngineGaps, Gap, Report};
use bigtpu_messages::{Language, Message};
use bigtpu_output::Table;

use super::{first_of, layer_text, share, short, table, us};

/// What each cause costs each engine.
pub(super) fn causes_table(report: &Report, language: Language) -> Table {
    let wall = report.intervals.overall.wall_ns;
    let rows = report.gaps.causes.iter().map(|c| {
        vec![
            format!("{} {}", c.engine, c.index),
            c.cause.message().text(language),
            c.count.to_string(),
            us(c.total_ns),
            share(c.total_ns, wall),
            us(c.max_ns),
        ]
    });
    let header = ["Engine", "Cause", "Count", "Total(us)", "Of wall", "Max(us)"];
    table(Message::new("report-table-causes").text(language), &header, rows.collect())
}

/// Busy time and gaps of each engine: together the length of the run.
pub(super) fn engine_gaps_table(report: &Report, language: Language) -> Table {
    let wall = report.intervals.overall.wall_ns;
    let rows = report.gaps.engines.iter().map(|of: &EngineGaps| {
        let own = report.gaps.causes.iter();
        let own = own.filter(|cause| (&cause.engine, cause.index) == (&of.engine, of.index));
        let longest = own.map(|cause| cause.max_ns).max().unwrap_or(0);
        vec![
            format!("{} {}", of.engine, of.index),
            us(of.busy_ns),
            share(of.busy_ns, wall),
            of.count.to_string(),
            us(of.total_ns),
            share(of.total_ns, wall),
            us(longest),
        ]
    });
    let header = ["Engine", "Busy(us)", "Of wall", "Gaps", "Total(us)", "Of wall", "Max(us)"];
    let title = Message::new("report-table-engine-gaps").text(language);
    table(title, &header, rows.collect())
}

/// The engine, and how many others waited for the same.
fn engines(gap: &Gap) -> String {
    let more = if gap.with.is_empty() { String::new() } else { format!(" +{}", gap.with.len()) };
    format!("{} {}{more}", gap.engine, gap.index)
}

/// The gaps that cost most.
pub(super) fn gaps_table(report: &Report, most: usize, language: Language) -> Table {
    let edge = |edge: &Option<Edge>| {
        let Some(edge) = edge else { return "-".to_owned() };
        let layer = edge.layer_id.zip(edge.layer.as_ref());
        let layer = layer.map_or_else(String::new, |(id, layer)| {
            format!(", {}", layer_text(id, layer, language))
        });
        short(&format!("{} ({}{layer})", edge.name, edge.event))
    };
    let rows = report.gaps.longest.iter().take(most).map(|gap| {
        vec![
            engines(gap),
            gap.start_ns.to_string(),
            us(gap.ns()),
            gap.saved_ns.map_or_else(|| "-".to_owned(), us),
            us(gap.cost_ns),
            gap.cause.message().text(language),
            us(gap.sync_ns),
            us(gap.other_engine_ns),
            us(gap.idle_ns),
            edge(&gap.before),
            edge(&gap.after),
            gap.ended_by().map_or_else(
                || Message::new("report-not-known").text(language),
                |end| format!("{} {} {}", end.engine, end.index, edge(&Some(end.command.clone()))),
            ),
        ]
    });
    let header = [
        "Engine",
        "At(ns)",
        "Length(us)",
        "CostOfRun(us)",
        "Cost(us)",
        "Cause",
        "Sync(us)",
        "Other(us)",
        "Idle(us)",
        "After",
        "Before",
        "EndedBy",
    ];
    let all = report.gaps.longest.len();
    let title = first_of(Message::new("report-table-gaps"), most, all);
    table(title.text(language), &header, rows.collect())
}

/// Launches of each core and the gaps between them.
pub(super) fn launches_table(report: &Report, language: Language) -> Table {
    let rows = report.launches.iter().map(|core| {
        vec![
            core.core.to_string(),
            core.launches.to_string(),
            us(core.idle_before_ns),
            us(core.idle_after_ns),
            core.gaps.to_string(),
            us(core.gap_ns),
            us(core.gap_p50_ns),
            us(core.gap_p95_ns),
        ]
    });
    let header = [
        "Core",
        "Launches",
        "IdleBefore(us)",
        "IdleAfter(us)",
        "Gaps",
        "GapTotal(us)",
        "p50(us)",
        "p95(us)",
    ];
    table(Message::new("report-table-launches").text(language), &header, rows.collect())
}
