//! Renaming, splitting and fusing kernels, several at once and of equal work.

use super::*;
use crate::diff::testing::planted_run;
use crate::diff::{CauseKind, Gate, GateOptions, LimitResult, Presence, Subject, compare, diff};

/// A run of kernels, each with its ns, bytes and operations.
fn run(kernels: &[(&str, i64, u64, i64)]) -> SourcedRun {
    planted_run(kernels)
}

const BEFORE: [(&str, i64, u64, i64); 3] =
    [("embed", 500, 4_000, 70), ("matmul_gate_up", 2_000, 9_000, 4_000), ("norm", 300, 2_000, 90)];

#[test]
fn a_renamed_kernel_is_compared_with_itself() {
    let mut after = BEFORE;
    (after[1].0, after[1].1) = ("mm_gate_up_v2", 2_600);
    let found = diff(&[run(&BEFORE)], &[run(&after)], false);
    let kernels: Vec<_> = found
        .rows
        .iter()
        .filter(|row| row.subject == Subject::Kernel)
        .map(|row| (row.name.as_str(), row.old_name.as_deref(), row.presence))
        .collect();
    assert_eq!(kernels[0], ("mm_gate_up_v2", Some("matmul_gate_up"), Presence::Both));
    assert!(kernels.iter().all(|(.., presence)| *presence == Presence::Both));
    let causes = found.verdict.unwrap().causes;
    assert_eq!(causes[0].kind, CauseKind::SameCommands, "{causes:#?}");
    let renamed = causes.iter().find(|cause| cause.kind == CauseKind::Renamed).unwrap();
    assert_eq!(renamed.text.text, "matmul_gate_up is now called mm_gate_up_v2: the same work");
    // A limit on the old name follows.
    let comparison = compare(vec![run(&BEFORE)], vec![run(&after)], false).unwrap();
    let limits = ["kernel:matmul_gate_up>+5%".parse().unwrap()];
    let gate = Gate::check(&limits, GateOptions::default(), &comparison);
    assert_eq!(gate.limits[0].result, LimitResult::Failed, "{gate:#?}");
    assert!(gate.limits[0].failures[0].text.contains("+30.00%"), "{gate:#?}");
}

#[test]
fn split_and_fused_kernels_are_named_together() {
    let parts =
        [BEFORE[0], ("mm_gate", 1_200, 5_000, 2_000), ("mm_up", 1_100, 5_500, 2_000), BEFORE[2]];
    let cause = |before: &[(&str, i64, u64, i64)], after: &[(&str, i64, u64, i64)]| {
        let found = diff(&[run(before)], &[run(after)], false).verdict.unwrap();
        assert_eq!(found.rest_ns, 0.0, "{found:#?}");
        found.causes[0].clone()
    };
    let split = cause(&BEFORE, &parts);
    assert_eq!((split.kind, split.ns), (CauseKind::Split, 300.0));
    assert_eq!(
        split.text.text,
        "matmul_gate_up is split into mm_gate, mm_up: +0.300 us of +0.300 us"
    );
    let fused = cause(&parts, &BEFORE);
    assert_eq!((fused.kind, fused.ns), (CauseKind::Fused, -300.0));
    assert!(
        fused.text.text.starts_with("mm_gate, mm_up are fused into matmul_gate_up: "),
        "{fused:?}"
    );
}

/// The kernels of a layer, of which several do the same: their order tells them apart.
const LAYER: [(&str, i64, u64, i64); 7] = [
    ("norm", 300, 2_000, 90),
    ("q_proj", 1_000, 5_000, 2_000),
    ("k_proj", 1_000, 5_000, 2_000),
    ("v_proj", 1_000, 5_000, 2_000),
    ("rope", 200, 3_000, 0),
    ("gate", 2_000, 9_000, 4_000),
    ("up", 2_000, 9_000, 4_000),
];

fn pairs(lineage: &Lineage) -> Vec<(&str, &str)> {
    lineage.renamed.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect()
}

fn sets(lineage: &Lineage) -> Vec<String> {
    let set =
        |(old, new): &(Vec<String>, Vec<String>)| format!("{} > {}", old.join(" "), new.join(" "));
    lineage.divided.iter().map(set).collect()
}

/// All at once have new names, which tell nothing, one of them is slower, and one without operations is among them.
#[test]
fn kernels_of_equal_work_are_told_apart_by_their_order() {
    let mut after = LAYER;
    for (kernel, name) in after.iter_mut().zip(["norm", "f1", "f2", "f3", "f4", "f5", "f6"]) {
        kernel.0 = name;
    }
    after[2].1 = 1_500;
    let lineage = Lineage::trace(&[run(&LAYER)], &[run(&after)]);
    let expected = [
        ("q_proj", "f1"),
        ("k_proj", "f2"),
        ("v_proj", "f3"),
        ("rope", "f4"),
        ("gate", "f5"),
        ("up", "f6"),
    ];
    assert_eq!((pairs(&lineage), sets(&lineage).len()), (expected.to_vec(), 0));
    let found = diff(&[run(&LAYER)], &[run(&after)], false);
    let slow = found.rows.iter().find(|row| row.name == "f2").unwrap();
    assert_eq!((slow.old_name.as_deref(), slow.first().unwrap().absolute), (Some("k_proj"), 500.0));
    let causes = found.verdict.unwrap().causes;
    assert_eq!(
        (causes[0].kind, causes[0].owners.as_slice()),
        (CauseKind::SameCommands, &["f2".to_owned()][..])
    );
    assert_eq!(causes.iter().filter(|cause| cause.kind == CauseKind::Renamed).count(), 6);
}

/// Two kernels of equal work are each split, and two others fused, at once.
#[test]
fn kernels_of_equal_work_are_split_and_fused_apart() {
    let after = [
        LAYER[0],
        ("qkv", 2_500, 11_000, 6_000),
        LAYER[4],
        ("gate_1", 1_100, 4_500, 2_000),
        ("gate_2", 1_100, 4_500, 2_000),
        ("up_1", 1_100, 4_500, 2_000),
        ("up_2", 1_100, 4_500, 2_000),
    ];
    let (before, after) = (run(&LAYER), run(&after));
    let lineage = Lineage::trace(std::slice::from_ref(&before), std::slice::from_ref(&after));
    assert_eq!(lineage.renamed, []);
    let split = ["q_proj k_proj v_proj > qkv", "gate > gate_1 gate_2", "up > up_1 up_2"];
    assert_eq!(sets(&lineage), split);
    let back = Lineage::trace(&[after], &[before]);
    assert_eq!(
        sets(&back),
        ["qkv > q_proj k_proj v_proj", "gate_1 gate_2 > gate", "up_1 up_2 > up"]
    );
}

/// What is renamed and moved, too, is found where all of its work tells it apart, by the nearest name.
#[test]
fn a_kernel_that_moved_is_found_by_its_work() {
    let mut after = LAYER;
    after[1..4].rotate_left(1);
    after[0].0 = "rms";
    after.swap(0, 6);
    let lineage = Lineage::trace(&[run(&LAYER)], &[run(&after)]);
    assert_eq!(pairs(&lineage), [("norm", "rms")]);
}

/// How often a kernel is idle depends on its times: that is no work.
#[test]
fn idle_time_is_no_work() {
    let mut after = run(&[("embed", 500, 4_000, 70), ("mm", 2_600, 9_000, 4_000), BEFORE[2]]);
    let mut idle = after.report.work.iter().find(|work| work.owner() == "mm").unwrap().clone();
    (idle.reason, idle.commands) = (bigtpu_replay::Reason::Unexplained, Some(3.0));
    (idle.bytes, idle.ops, idle.uarch_ops) = (Some(0.0), Some(0.0), Some(0.0));
    after.report.work.push(idle);
    let lineage = Lineage::trace(&[run(&BEFORE)], &[after.clone()]);
    assert_eq!(pairs(&lineage), [("matmul_gate_up", "mm")]);
    assert!(
        after
            .report
            .program()
            .is_same(&run(&[BEFORE[0], ("mm", 1, 9_000, 4_000), BEFORE[2]]).report.program())
    );
}

#[test]
fn what_does_other_work_is_new_or_gone() {
    let mut after = BEFORE;
    after[1] = ("conv", 2_000, 9_000, 5_000);
    let lineage = Lineage::trace(&[run(&BEFORE)], &[run(&after)]);
    assert_eq!(lineage, Lineage::default());
}
