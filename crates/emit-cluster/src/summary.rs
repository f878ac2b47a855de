//! A cluster in at most 40 lines, the answer first.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_cluster::report::{AdviceRow, AmbiguousRow, ClockRow, Cluster, StateRow};
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::{Lines, Text, put};

/// How much of each kind is told.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// Sentences of the verdict.
    sentences: usize,
    /// Rows of each table.
    rows: usize,
    advice: usize,
    notes: usize,
}

impl Detail {
    const fn new(sentences: usize, rows: usize, advice: usize, notes: usize) -> Self {
        Self { sentences, rows, advice, notes }
    }
}

/// From most to least.
const DETAILS: [Detail; 5] = [
    Detail::new(4, 5, 3, 4),
    Detail::new(4, 3, 2, 3),
    Detail::new(3, 2, 2, 2),
    Detail::new(3, 1, 1, 1),
    Detail::new(2, 1, 0, 0),
];

/// The verdict, the clocks, what the ranks' time went to, operations, stragglers, advice and notes, in the greatest detail
/// that fits. `report_file`: where all notes are.
#[must_use]
pub fn summary(
    cluster: &Cluster,
    report_file: &str,
    language: Language,
    fits: impl Fn(&Text<Lines>) -> bool,
) -> Text<Lines> {
    let mut out = Text::new();
    for detail in DETAILS {
        out = told(cluster, report_file, language, detail);
        if fits(&out) {
            break;
        }
    }
    out
}

fn told(cluster: &Cluster, report_file: &str, language: Language, detail: Detail) -> Text<Lines> {
    let mut out = Lined { out: Text::new(), language };
    for sentence in cluster.verdict_messages.iter().take(detail.sentences) {
        out.say(sentence);
    }
    out.blank();
    out.say(&ranks_line(cluster));
    out.say(&clock_line(cluster));
    out.say(&message!("cluster-not-verified"));
    states(&mut out, cluster);
    operations(&mut out.out, cluster, detail.rows);
    stragglers(&mut out.out, cluster, detail.rows);
    changes(&mut out.out, cluster, detail.rows);
    advice(&mut out, cluster, detail.advice);
    notes(&mut out, cluster, report_file, detail.notes);
    out.out
}

/// Lines in a language.
struct Lined {
    out: Text<Lines>,
    language: Language,
}

impl Lined {
    fn say(&mut self, message: &Message) {
        put!(self.out, "{}\n", message.text(self.language));
    }

    fn blank(&mut self) {
        put!(self.out, "\n");
    }
}

/// What there is of ranks, and what is missing.
fn ranks_line(cluster: &Cluster) -> Message {
    let there = || cluster.ranks.iter().filter(|r| !r.missing);
    let hosts: BTreeSet<&str> = there().map(|r| r.host.as_str()).collect();
    let chips: BTreeSet<&str> = there().map(|r| r.chip.as_str()).collect();
    let missing = cluster.ranks.len() - there().count();
    let mut parts = vec![
        message!(
            "cluster-ranks",
            ranks = cluster.ranks.len(),
            chips = chips.into_iter().collect::<Vec<_>>().join(" / "),
            hosts = hosts.len(),
        ),
        message!("cluster-island-count", islands = cluster.islands.len()),
        message!("cluster-missing-count", missing = missing),
    ];
    let lost = cluster.ledger.lost_records;
    if lost > 0 {
        parts.push(message!("cluster-lost-count", records = lost));
    }
    let other = cluster.ranks.iter().filter(|r| r.has_loss && r.lost_records == 0).count();
    if other > 0 {
        parts.push(message!("cluster-incomplete-count", dumps = other));
    }
    message!("cluster-parts", parts = Arg::Items(parts))
}

/// ns in the unit that shows them best.
fn short(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

fn clock_line(cluster: &Cluster) -> Message {
    let clocks = cluster.clocks.iter().filter(|c| c.links > 0 && c.method != "reference");
    let sigma = clocks.clone().filter_map(|c| c.sigma_ns).fold(0.0, f64::max);
    let drift = clocks.clone().map(|c| c.drift_ppm.abs()).fold(0.0, f64::max);
    let bounds = clocks.clone().any(|c| c.method == "bounds only");
    let ends = clocks.clone().any(|c| c.method == "ends only");
    if cluster.links.is_empty() {
        let threads = cluster.ambiguous.iter().filter(|row| !row.stated).count();
        return message!("cluster-no-link", threads = threads);
    }
    let is_placed = |rank: u32| {
        let of_rank = |c: &&ClockRow| c.rank == rank && c.method == "ports not placed";
        !cluster.clocks.iter().any(|clock| of_rank(&clock))
    };
    let placed = cluster.links.iter().filter(|l| is_placed(l.from.rank) && is_placed(l.to.rank));
    let aligned = placed.count();
    if aligned == 0 {
        return message!("cluster-no-clock", links = cluster.links.len());
    }
    let mut parts = vec![message!(
        "cluster-aligned",
        links = aligned,
        error = short(sigma),
        drift = Arg::Value(drift, 0),
        violations = cluster.ledger.violations,
        orders = cluster.ledger.orders
    )];
    if ends {
        parts.push(message!("cluster-ends-only"));
    }
    if bounds {
        parts.push(message!("cluster-bounds-only"));
    }
    message!("cluster-parts", parts = Arg::Clauses(parts))
}

/// States of a row in percent of its window.
fn shares(row: &StateRow) -> Vec<(&'static str, f64)> {
    let s = &row.states;
    let all = [
        ("cluster-state-compute", s.compute_ns),
        ("cluster-state-memory", s.memory_ns),
        ("cluster-state-link", s.link_ns),
        ("cluster-state-late-sender", s.wait_late_sender_ns),
        ("cluster-state-late-receiver", s.wait_late_receiver_ns),
        ("cluster-state-collective", s.wait_collective_ns),
        ("cluster-state-overhead", s.link_overhead_ns),
        ("cluster-state-sync", s.sync_ns),
        ("cluster-state-launch", s.launch_ns),
        ("cluster-state-idle", s.idle_ns),
        ("cluster-state-not-captured", s.not_captured_ns),
        ("cluster-state-lost", s.lost_ns),
    ];
    let window = row.window_ns.max(1) as f64;
    all.map(|(name, ns)| (name, ns as f64 / window)).into()
}

fn states(out: &mut Lined, cluster: &Cluster) {
    let n = cluster.states.len().max(1) as f64;
    let mut means: Vec<(&'static str, f64)> = Vec::new();
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
    let told = |shares: &[(&'static str, f64)]| {
        let shown = shares.iter().filter(|(_, share)| *share >= 0.001).take(7);
        let told = |(name, share): &(&'static str, f64)| {
            message!("cluster-state", state = Message::new(name), share = Arg::Share(*share))
        };
        Arg::Items(shown.map(told).collect())
    };
    out.blank();
    out.say(&message!("cluster-mean-time", states = told(&means)));
    if let Some(row) = worst {
        let mut own = shares(row);
        own.sort_by(|a, b| b.1.total_cmp(&a.1));
        let rank = Arg::Number(row.rank.into());
        out.say(&message!("cluster-most-exposed", rank = rank, states = told(&own)));
    }
}

fn operations(out: &mut Text<Lines>, cluster: &Cluster, rows: usize) {
    if cluster.operation_groups.is_empty() {
        return;
    }
    put!(out, "\nOperation, p50  ranks  count  transfer us   skew us  bus GB/s  most often late\n");
    for group in cluster.operation_groups.iter().take(rows) {
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

fn stragglers(out: &mut Text<Lines>, cluster: &Cluster, rows: usize) {
    if !cluster.stragglers.is_empty() {
        put!(out, "\nStraggler   gain us   late   others waited us\n");
    }
    for s in cluster.stragglers.iter().take(rows) {
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
}

/// Predictions; of which island, where there are several.
fn changes(out: &mut Text<Lines>, cluster: &Cluster, rows: usize) {
    if !cluster.whatif.is_empty() {
        put!(out, "\nWhat if (--scale)          run us     gain us\n");
    }
    for change in cluster.whatif.iter().take(rows) {
        let island = match cluster.islands.len() > 1 {
            true => format!("  island {}", change.island),
            false => String::new(),
        };
        put!(
            out,
            "{:<22} {:>10.1} {:>11.1}{}\n",
            change.scale,
            change.predicted_ns / 1000.0,
            change.gain_ns / 1000.0,
            island
        );
    }
}

/// Rules whose first finding the verdict names.
const IN_VERDICT: [&str; 4] = ["late-rank", "late-launch", "slow-link", "retrying-link"];

/// Advice that the verdict has not given, of each rule the first.
fn advice(out: &mut Lined, cluster: &Cluster, most: usize) {
    let is_told = |row: &&AdviceRow| !IN_VERDICT.contains(&row.id);
    let mut rules: Vec<(&AdviceRow, usize)> = Vec::new();
    for row in cluster.advice.iter().filter(is_told) {
        match rules.iter_mut().find(|(first, _)| first.id == row.id) {
            Some((_, more)) => *more += 1,
            None => rules.push((row, 0)),
        }
    }
    if most > 0 && !rules.is_empty() {
        out.blank();
    }
    for (row, more) in rules.into_iter().take(most) {
        let gain = row.gain_ns.map(|ns| match row.id {
            "exposed-communication" => message!("cluster-gain-at-most", gain = short(ns)),
            _ => message!("cluster-gain", gain = short(ns)),
        });
        let more = (more > 0).then(|| message!("cluster-more-like-it", count = more));
        let behind: Vec<String> =
            gain.iter().chain(&more).map(|part| format!(" {}", part.text(out.language))).collect();
        let text = row.said.to(out.language);
        put!(out.out, "{}: {}{}\n", row.id, text, behind.concat());
    }
}

fn notes(out: &mut Lined, cluster: &Cluster, report_file: &str, most: usize) {
    let (stated, open): (Vec<&AmbiguousRow>, Vec<&AmbiguousRow>) =
        cluster.ambiguous.iter().partition(|row| row.stated);
    let mut all = Vec::new();
    if !stated.is_empty() {
        all.push(message!("cluster-links-contradicted", links = stated.len()));
    }
    all.extend(without_partner(&open));
    all.extend(cluster.ledger.notes.iter().take(most).cloned());
    let more = cluster.ledger.notes.iter().len().saturating_sub(most);
    if more > 0 {
        all.push(message!("cluster-more-in", count = more, file = report_file));
    }
    for note in all {
        let severity = Message::new("note-remark");
        out.say(&message!("note-line", severity = severity, note = note));
    }
}

/// How many threads have no clear partner, mostly why, and what helps.
fn without_partner(open: &[&AmbiguousRow]) -> Option<Message> {
    let mut reasons: BTreeMap<&str, (&Message, usize)> = BTreeMap::new();
    for row in open {
        reasons.entry(&row.why).or_insert((&row.why_message, 0)).1 += 1;
    }
    let (why, _) = reasons.into_values().max_by_key(|(_, count)| *count)?;
    let (threads, reason) = (open.len(), why.clone());
    // What nothing fits has its partner elsewhere; all else is too little to tell.
    Some(match WITHOUT_CAPTURE.contains(&&*why.id) {
        true => message!("cluster-without-partner", threads = threads, why = reason),
        false => message!("cluster-capture-more", threads = threads, why = reason),
    })
}

/// Reasons by which the partner may not be captured.
const WITHOUT_CAPTURE: [&str; 3] =
    ["cluster-no-candidate", "cluster-fits-worse", "cluster-commands-without-partner"];

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(advice: &[(&'static str, &str)]) -> Cluster {
        let row = |(id, text): &(&'static str, &str)| AdviceRow {
            id,
            said: Message::verbatim(*text).into(),
            gain_ns: (*id == "exposed-communication").then_some(2_500.0),
        };
        Cluster { advice: advice.iter().map(row).collect(), ..Cluster::default() }
    }

    /// What the verdict has said is not said again; of several pipelines one stands for all.
    #[test]
    fn advice_is_told_once() {
        let all = [
            ("late-rank", "rank 3"),
            ("exposed-communication", "a"),
            ("pipeline-bubble", "b"),
            ("pipeline-bubble", "c"),
            ("pipeline-bubble", "d"),
        ];
        let lined = || Lined { out: Text::new(), language: Language::English };
        let mut out = lined();
        advice(&mut out, &cluster(&all), 3);
        let said = "\nexposed-communication: a (gain at most 2.50 us)\npipeline-bubble: b (2 more like it)\n";
        assert_eq!(out.out.as_str(), said);
        let mut out = lined();
        advice(&mut out, &cluster(&all[..1]), 3);
        assert_eq!(out.out.as_str(), "");
    }

    /// Less is told until it fits; the least is told whatever it takes.
    #[test]
    fn the_greatest_detail_that_fits_is_told() {
        let mut many = cluster(&[("pipeline-bubble", "b")]);
        many.verdict_messages =
            (0..9).map(|n| Message::verbatim(format!("Sentence {n}."))).collect();
        many.ledger.notes = (0..9).map(|n| Message::verbatim(format!("note {n}"))).collect();
        let lines = |most: usize| {
            let text = summary(&many, "cluster.json", Language::English, |t| {
                t.as_str().lines().count() <= most
            });
            (text.as_str().matches("Sentence").count(), text.as_str().matches("note: note").count())
        };
        assert_eq!(lines(100), (4, 4));
        assert_eq!(lines(15), (3, 2));
        assert_eq!(lines(0), (2, 0));
    }
}
