use super::*;
use crate::diff::compared::Compared;
use crate::diff::diff;
use crate::identity::Unit;

/// Work of a core: commands, ns, bytes, operations, operations after padding.
type Row = (u32, &'static str, [u64; 5]);

/// A run of one kernel whose path has these ns by reason, and whose cores did this.
fn run(wall: u64, path: &[(&str, u64)], work: &[Row]) -> SourcedRun {
    let piece = |(reason, ns): &(&str, u64)| serde_json::json!({"kernel": "matmul", "engine": engine(reason), "reason": reason, "ns": ns, "count": 1});
    let row = |(core, reason, [commands, ns, bytes, ops, uarch_ops]): &Row| {
        serde_json::json!({"kernel": "matmul", "engine": engine(reason), "index": core, "reason": reason,
            "commands": commands, "ns": ns, "bytes": bytes, "ops": ops, "uarch_ops": uarch_ops})
    };
    let report = serde_json::json!({
        "schema_version": 2,
        "intervals": {"overall": {"wall_ns": wall}},
        "critical_path": {"refusal": null, "pieces": path.iter().map(piece).collect::<Vec<_>>()},
        "work": work.iter().map(row).collect::<Vec<_>>(),
    });
    let report = Compared::read(&report.to_string()).unwrap();
    SourcedRun { name: "run".into(), unit: Unit::default(), occasion: None, report }
}

fn engine(reason: &str) -> &'static str {
    if reason == "compute" { "TIU" } else { "GDMA" }
}

fn verdict(before: SourcedRun, after: SourcedRun) -> DiffVerdict {
    diff(&[before], &[after], false).verdict.unwrap()
}

/// A run of transfers on two cores, the path on the one with more ns.
fn transfers(cores: [[u64; 3]; 2]) -> SourcedRun {
    let most = cores.iter().map(|core| core[1]).max().unwrap();
    let row = |(core, [commands, ns, bytes]): (u32, [u64; 3])| {
        (core, "ddr_transfer", [commands, ns, bytes, 0, 0])
    };
    let rows: Vec<Row> = (0..).zip(cores).map(row).collect();
    run(most, &[("ddr_transfer", most)], &rows)
}

#[test]
fn the_same_commands_on_a_slow_core_name_the_core() {
    let even = transfers([[10, 90_400, 4096], [10, 90_400, 4096]]);
    let slow = transfers([[10, 90_400, 4096], [10, 135_600, 4096]]);
    let found = verdict(even.clone(), slow.clone());
    assert_eq!(
        found.text.text,
        "135.6 us instead of 90.4 us (+45.2 us, +50.00 %). Core 1's matmul takes 1.50 times as long for the same bytes \
         (DDR transfer): +45.2 us of +45.2 us: check clock and memory channel there."
    );
    let cause = &found.causes[0];
    assert_eq!((cause.kind, &cause.cores[..]), (CauseKind::SameCommands, &[1][..]));
    assert_eq!((cause.ns, cause.ratio, found.rest_ns), (45_200.0, Some(1.5), 0.0));
    let back = verdict(slow, even);
    assert_eq!((back.causes[0].ns, back.causes[0].remedy.as_str()), (-45_200.0, ""));
    assert!(back.text.text.contains("takes 0.67 times as long"), "{}", back.text.text);
}

/// A run with so many launches of its kernel.
fn launched(run: SourcedRun, launches: u64) -> SourcedRun {
    let SourcedRun { mut report, .. } = run.clone();
    let kernels = serde_json::json!([{"kernel": "matmul", "launches": launches}]);
    report.kernels = serde_json::from_value(kernels).unwrap();
    SourcedRun { report, ..run }
}

/// Half as many launches more are no bytes to keep on the chip; what else changed is told beside it.
#[test]
fn more_launches_are_a_cause_of_their_own() {
    let before = launched(transfers([[10, 10_000, 4_000]; 2]), 20);
    let found = verdict(before.clone(), launched(transfers([[15, 15_000, 6_000]; 2]), 30));
    assert_eq!(
        found.text.text,
        "15.0 us instead of 10.0 us (+5.000 us, +50.00 %). matmul is launched 1.50 times as often: +5.000 us of +5.000 us: \
         compare runs with the same launches, or the time of one launch."
            .replace(": +5.000 us of", " (DDR transfer): +5.000 us of")
    );
    assert_eq!(found.causes.len(), 1);
    // Slower besides.
    let slower = verdict(before, launched(transfers([[15, 18_000, 6_000]; 2]), 30));
    let kinds: Vec<_> = slower.causes.iter().map(|cause| (cause.kind, cause.ns)).collect();
    assert_eq!(kinds, [(CauseKind::Launches, 5_000.0), (CauseKind::SameCommands, 3_000.0)]);
    // Pauses between launches are as many as launches.
    let paused = |ns, launches| {
        let work = [(0, "compute", [launches, 10, 0, 1, 1])];
        launched(run(ns, &[("launch_gap", ns)], &work), launches)
    };
    let found = verdict(paused(2_000, 20), paused(3_000, 30));
    assert_eq!((found.causes.len(), found.causes[0].kind), (1, CauseKind::Launches));
}

/// Other cores are no commands that became fewer.
#[test]
fn another_number_of_cores_is_a_cause_of_its_own() {
    let [two, one] = [[[10, 10_000, 4_000]; 2], [[10, 10_500, 4_000], [0, 0, 0]]].map(transfers);
    let mut two = two;
    two.report.intervals.overall.wall_ns = Some(10_600.0);
    let found = verdict(two.clone(), one);
    assert!(found.causes.iter().all(|cause| cause.kind != CauseKind::Commands), "{found:#?}");
    // The same work on one core.
    let all = verdict(two, transfers([[20, 20_000, 8_000], [0, 0, 0]]));
    assert_eq!(all.causes[0].kind, CauseKind::Cores, "{all:#?}");
    assert!(
        all.text.text.contains("The same work is divided among 1 cores instead of 2 in matmul"),
        "{}",
        all.text.text
    );
}

/// What takes longer because there is more of it, and what because it runs at a lower rate.
#[test]
fn more_bytes_more_commands_and_a_lower_rate_are_told_apart() {
    let kinds = |after: [[u64; 3]; 2]| -> Vec<(CauseKind, f64)> {
        let before = transfers([[10, 10_000, 4_000], [10, 10_000, 4_000]]);
        verdict(before, transfers(after)).causes.iter().map(|c| (c.kind, c.ns)).collect()
    };
    let both = |core: [u64; 3]| [core, core];
    assert_eq!(kinds(both([20, 20_000, 8_000])), [(CauseKind::Bytes, 10_000.0)]);
    assert_eq!(kinds(both([60, 25_000, 4_000])), [(CauseKind::Commands, 15_000.0)]);
    assert_eq!(kinds(both([10, 12_000, 4_000])), [(CauseKind::SameCommands, 2_000.0)]);
    // Twice the bytes would take 20 us; they take 25.
    assert_eq!(
        kinds(both([20, 25_000, 8_000])),
        [(CauseKind::Bytes, 10_000.0), (CauseKind::Rate, 5_000.0)]
    );
}

#[test]
fn operations_and_their_padding_are_told_apart() {
    let compute = |ns, ops, uarch_ops| {
        run(ns, &[("compute", ns)], &[(0, "compute", [4, ns, 0, ops, uarch_ops])])
    };
    let kind = |after: SourcedRun| verdict(compute(1_000, 800, 1_000), after).causes[0].kind;
    assert_eq!(kind(compute(2_000, 1_600, 2_000)), CauseKind::Operations);
    assert_eq!(kind(compute(2_000, 800, 2_000)), CauseKind::Padding);
    assert_eq!(kind(compute(2_000, 800, 1_000)), CauseKind::SameCommands);
}

/// The transfers take as long as before, but they were hidden behind the computation.
#[test]
fn work_that_is_no_longer_hidden_is_not_slower() {
    let work = [(0, "compute", [4, 1_000, 0, 8, 8]), (0, "ddr_transfer", [4, 900, 64, 0, 0])];
    let before = run(1_000, &[("compute", 1_000)], &work);
    let after = run(1_900, &[("compute", 1_000), ("ddr_transfer", 900)], &work);
    let found = verdict(before, after);
    assert_eq!((found.causes.len(), found.causes[0].kind), (1, CauseKind::Overlap));
    assert!(
        found.text.text.contains("Less of matmul's work runs side by side"),
        "{}",
        found.text.text
    );
}

#[test]
fn pauses_and_older_reports_are_named_without_a_reason() {
    let paused = |ns| run(ns, &[("launch_gap", ns)], &[(0, "compute", [1, 10, 0, 1, 1])]);
    let found = verdict(paused(1_000), paused(3_000));
    assert_eq!(found.causes[0].kind, CauseKind::Pauses);
    assert!(found.text.text.contains("Between launches passes more time in matmul: +2.000 us of"));
    let old = |ns| run(ns, &[("compute", ns)], &[]);
    assert_eq!(verdict(old(1_000), old(3_000)).causes[0].kind, CauseKind::Unknown);
    assert_eq!(verdict(old(1_000), old(1_000)).text.text, "The run takes the same time: 1.000 us.");
}

/// With several runs a side, what is no more than noise is no cause.
#[test]
fn noise_has_no_cause() {
    let side = |times: [u64; 5]| -> Vec<SourcedRun> {
        times.iter().map(|&ns| transfers([[1, ns, 64], [1, ns, 64]])).collect()
    };
    let same =
        diff(&side([1000, 1010, 990, 1005, 995]), &side([1001, 1011, 991, 1004, 996]), false);
    let verdict = same.verdict.unwrap();
    assert!(
        verdict.causes.is_empty() && verdict.text.text.ends_with("no more than noise."),
        "{verdict:?}"
    );
}
