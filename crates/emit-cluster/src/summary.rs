//! A cluster in at most 40 lines, the answer first.

use bigtpu_cluster::report::{Cluster, StateRow};
use bigtpu_measure::counted;
use bigtpu_output::{Lines, Text, put};

/// Rows of each table.
const ROWS: usize = 5;
/// Notes.
const NOTES: usize = 4;
/// Sentences of the verdict.
const SENTENCES: usize = 4;

/// The verdict, the clocks, what the ranks' time went to, operations, stragglers and notes. `report_file`: where all notes
/// are.
#[must_use]
pub fn summary(cluster: &Cluster, report_file: &str) -> Text<Lines> {
    let mut out = Text::new();
    for sentence in cluster.verdict.iter().take(SENTENCES) {
        line(&mut out, sentence);
    }
    let hosts: std::collections::BTreeSet<&str> =
        cluster.ranks.iter().filter(|r| !r.missing).map(|r| r.host.as_str()).collect();
    let missing = cluster.ranks.iter().filter(|r| r.missing).count();
    put!(
        out,
        "\n{} on {}, {}, {} missing\n",
        counted(cluster.ranks.len(), "rank"),
        counted(hosts.len(), "host"),
        counted(cluster.islands.len(), "island"),
        missing
    );
    line(&mut out, &clock_line(cluster));
    line(
        &mut out,
        "clock method not yet verified on hardware: no public dump of two connected devices exists",
    );
    states(&mut out, cluster);
    operations(&mut out, cluster);
    stragglers(&mut out, cluster);
    notes(&mut out, cluster, report_file);
    out
}

fn line(out: &mut Text<Lines>, text: &str) {
    put!(out, "{}\n", text);
}

fn clock_line(cluster: &Cluster) -> String {
    let clocks = cluster.clocks.iter().filter(|c| c.links > 0 && c.method != "reference");
    let sigma = clocks.clone().filter_map(|c| c.sigma_ns).fold(0.0, f64::max);
    let drift = clocks.clone().map(|c| c.drift_ppm.abs()).fold(0.0, f64::max);
    let bounds = clocks.clone().any(|c| c.method == "bounds only");
    let ends = clocks.clone().any(|c| c.method == "ends only");
    if cluster.links.is_empty() {
        return format!(
            "no link was found: each rank has a time of its own ({} threads of ports have no clear partner)",
            cluster.ambiguous.len()
        );
    }
    let mut line = format!(
        "aligned by {}: ±{sigma:.0} ns, drift up to {drift:.0} ppm, {} of {} orders violated",
        counted(cluster.links.len(), "link"),
        cluster.ledger.violations,
        cluster.ledger.orders
    );
    if ends {
        line += "; times: ends only";
    }
    if bounds {
        line += "; one-way chains: bounds only";
    }
    line
}

/// States of a row in percent of its window, the largest first.
fn shares(row: &StateRow) -> Vec<(&'static str, f64)> {
    let s = &row.states;
    let all = [
        ("compute", s.compute_ns),
        ("memory", s.memory_ns),
        ("link", s.link_ns),
        ("wait late sender", s.wait_late_sender_ns),
        ("wait late receiver", s.wait_late_receiver_ns),
        ("wait collective", s.wait_collective_ns),
        ("link overhead", s.link_overhead_ns),
        ("sync", s.sync_ns),
        ("launch", s.launch_ns),
        ("idle", s.idle_ns),
        ("not captured", s.not_captured_ns),
        ("lost", s.lost_ns),
    ];
    let window = row.window_ns.max(1) as f64;
    all.map(|(name, ns)| (name, 100.0 * ns as f64 / window)).into()
}

fn states(out: &mut Text<Lines>, cluster: &Cluster) {
    let n = cluster.states.len().max(1) as f64;
    let mut means: Vec<(&str, f64)> = Vec::new();
    for row in &cluster.states {
        for (at, (name, share)) in shares(row).into_iter().enumerate() {
            match means.get_mut(at) {
                Some(mean) => mean.1 += share / n,
                None => means.push((name, share / n)),
            }
        }
    }
    means.sort_by(|a, b| b.1.total_cmp(&a.1));
    let worst = cluster.states.iter().max_by_key(|row| row.exposed_ns);
    let text = |shares: &[(&str, f64)]| {
        let shown = shares.iter().filter(|(_, share)| *share >= 0.1).take(7);
        shown.map(|(name, share)| format!("{name} {share:.1}%")).collect::<Vec<_>>().join(", ")
    };
    put!(out, "\n");
    line(out, &format!("Time of the ranks, mean: {}", text(&means)));
    if let Some(row) = worst {
        let mut own = shares(row);
        own.sort_by(|a, b| b.1.total_cmp(&a.1));
        line(out, &format!("Most exposed communication, rank {}: {}", row.rank, text(&own)));
    }
}

fn operations(out: &mut Text<Lines>, cluster: &Cluster) {
    if cluster.operation_groups.is_empty() {
        return;
    }
    put!(out, "\nOperation, p50  ranks  count  transfer us   skew us  bus GB/s  most often late\n");
    for group in cluster.operation_groups.iter().take(ROWS) {
        let bus = group.bus_gbps.map_or_else(|| "-".to_owned(), |gbps| format!("{gbps:.2}"));
        let late = group.late_ranks.first();
        let late = late.map_or_else(String::new, |(rank, n)| format!("rank {rank}: {n}"));
        put!(
            out,
            "{:<15} {:>5} {:>6} {:>12.2} {:>9.2} {:>9}  {}\n",
            group.kind,
            group.ranks,
            group.count,
            group.transfer_p50_ns / 1000.0,
            group.skew_p50_ns / 1000.0,
            bus,
            late
        );
    }
}

fn stragglers(out: &mut Text<Lines>, cluster: &Cluster) {
    if !cluster.stragglers.is_empty() {
        put!(out, "\nStraggler   gain us   late   others waited us\n");
    }
    for s in cluster.stragglers.iter().take(ROWS) {
        let gain = match s.gain_ns > 0.0 || s.inherited_from.is_some() {
            true => format!("{:.1}", s.gain_ns / 1000.0),
            false => "?".to_owned(),
        };
        let cause = s.inherited_from.as_ref();
        let cause = cause.map_or_else(String::new, |link| format!("  because of link {link}"));
        put!(
            out,
            "rank {:<6} {:>7} {:>6} {:>18.1}{}\n",
            s.rank,
            gain,
            s.late,
            s.waited_ns as f64 / 1000.0,
            cause
        );
    }
    for change in cluster.whatif.iter().take(ROWS) {
        put!(
            out,
            "with {}: {:.1} us, {:.1} us less\n",
            change.scale,
            change.predicted_ns / 1000.0,
            change.gain_ns / 1000.0
        );
    }
}

fn notes(out: &mut Text<Lines>, cluster: &Cluster, report_file: &str) {
    let refused = cluster.ambiguous.len();
    if refused > 0 {
        let threads = counted(refused, "thread");
        line(
            out,
            &format!("note: {threads} of ports without a clear partner: no number uses them"),
        );
    }
    for note in cluster.ledger.notes.iter().take(NOTES) {
        line(out, &format!("note: {note}"));
    }
    let more = cluster.ledger.notes.len().saturating_sub(NOTES);
    if more > 0 {
        put!(out, "note: {} more in {}\n", more, report_file);
    }
}
