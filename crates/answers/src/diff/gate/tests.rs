use super::*;
use crate::diff::testing::run;
use crate::diff::{compare, diff};
use bigtpu_messages::Language;

fn check(limit: &str, diff: &Diff) -> LimitOutcome {
    limit.parse::<Limit>().unwrap().check(diff)
}

/// The lines of a limit in English.
fn texts(outcome: &LimitOutcome) -> Vec<String> {
    outcome.lines().iter().map(|line| line.message.text(Language::English)).collect()
}

#[track_caller]
fn expect(result: LimitResult, limits: &[&str], diff: &Diff) {
    for limit in limits {
        let outcome = check(limit, diff);
        assert_eq!(outcome.result, result, "{limit}: {outcome:?}");
    }
}

#[test]
fn limits_fail_or_are_ok() {
    let before = run(&[("matmul_a", 1000), ("v1.5", 500)], 0);
    let after = run(&[("matmul_a", 1060), ("v1.5", 500), ("fresh", 1)], 2);
    let diff = diff(&[before], &[after], false);
    let failed = [
        "total>+3%",
        "total > +60ns",
        "total>1us",
        "kernel:matmul*>+5%",
        "kernel:*.bandwidth<-5%",
        "loss>0",
        "kernel:fresh>+1000%",
        "kernel:v1.5.count<2",
        "loss.lost_records>1",
    ];
    expect(LimitResult::Failed, &failed, &diff);
    let ok = [
        "total>+5%",
        "kernel:matmul*>+6%",
        "kernel:v1.5>+0%",
        "loss>2",
        "engine:GDMA*>+70ns",
        "total<1us",
    ];
    expect(LimitResult::Ok, &ok, &diff);
    expect(LimitResult::Unmatched, &["kernel:conv*>+1%"], &diff);
    assert_eq!(
        texts(&check("kernel:matmul*>+5%", &diff)),
        [
            "FAILED: kernel:matmul*>+5%: kernel matmul_a: time went from 1000 to 1060 ns (+6.00%, 1.00 points \
             beyond +5.00%)"
        ]
    );
}

/// Rates of a kernel that is gone or new can't be compared; its time and count can.
#[test]
fn missing_kernels_fail_only_limits_on_sums() {
    let diff = diff(
        &[run(&[("a", 1000), ("old", 500)], 0)],
        &[run(&[("a", 1000), ("new", 500)], 0)],
        false,
    );
    expect(LimitResult::Unmatched, &["kernel:new.bandwidth>+1%"], &diff);
    let gone =
        ["kernel:old.bandwidth<-10%", "kernel:old.p95<-10%", "kernel:old>+5%", "kernel:o*>1ms"];
    expect(LimitResult::Gone, &gone, &diff);
    let limit = check("kernel:old>+5%", &diff);
    assert!(
        limit.lines()[0]
            .message
            .text(Language::English)
            .contains("kernel:old>+5%: old is gone: there is nothing to check")
    );
    expect(LimitResult::Ok, &["kernel:*.bandwidth<-10%"], &diff);
    expect(
        LimitResult::Failed,
        &["kernel:old.count<-1%", "kernel:old<-10%", "kernel:new>+5%"],
        &diff,
    );
}

#[test]
fn noise_fails_no_limit_on_changes() {
    let runs = |times: &[i64]| times.iter().map(|t| run(&[("k", *t)], 0)).collect::<Vec<_>>();
    let noisy = diff(&runs(&[100, 120, 110, 90]), &runs(&[119, 99, 125, 112]), false);
    expect(LimitResult::Ok, &["kernel:k>+5%", "kernel:k>+5ns"], &noisy);
    expect(LimitResult::Failed, &["kernel:k>110ns"], &noisy);
    let clear = diff(&runs(&[100, 102, 101]), &runs(&[130, 133, 131]), false);
    assert_eq!(
        texts(&check("kernel:k>+5%", &clear)),
        [
            "FAILED: kernel:k>+5%: kernel k: time went from 101 to 131 ns (+29.70%, 24.70 points beyond +5.00%; 90% \
             interval +18.81% to +38.61%)"
        ]
    );
}

#[test]
fn one_run_that_lost_data_is_a_loss() {
    let side = |losses: &[u64]| losses.iter().map(|n| run(&[("k", 100)], *n)).collect::<Vec<_>>();
    let diff = diff(&side(&[0; 5]), &side(&[0, 0, 7, 0, 0]), false);
    expect(LimitResult::Failed, &["loss>0"], &diff);
    assert_eq!(
        texts(&check("loss>0", &diff)),
        ["FAILED: loss>0: loss: losses is 7 in a run of the new side (7 beyond 0)"]
    );
    expect(LimitResult::Ok, &["loss>7"], &diff);
}

/// A limit that checks nothing is no success, unless someone says so.
#[test]
fn limits_on_what_is_gone_or_was_never_there_fail() {
    let before = vec![run(&[("k", 100), ("old", 50)], 0)];
    let diff = compare(before, vec![run(&[("k", 100)], 0)], false).unwrap();
    let limits: Vec<Limit> = ["total>+1%", "kernel:conv*>+1%", "kernel:old>+1%"]
        .iter()
        .map(|l| l.parse().unwrap())
        .collect();
    let gate = Gate::check(&limits, GateOptions::default(), &diff);
    assert_eq!(gate.verdict, Verdict::Failed);
    assert!(
        gate.limits[1].lines()[0]
            .message
            .text(Language::English)
            .starts_with("FAILED: kernel:conv*>+1%: matches nothing")
    );
    assert!(
        gate.limits[2].lines()[0]
            .message
            .text(Language::English)
            .starts_with("FAILED: kernel:old>+1%: old is gone")
    );
    let text = gate.text.unwrap();
    assert!(text.starts_with("2 of 3 limits: kernel:conv*>+1%: matches nothing"), "{text}");
    let allowed = GateOptions { allows_missing: true, ..GateOptions::default() };
    let gate = Gate::check(&limits, allowed, &diff);
    assert_eq!((gate.verdict, gate.text.as_deref()), (Verdict::Ok, None));
    assert!(
        gate.limits[2].lines()[0]
            .message
            .text(Language::English)
            .starts_with("warning: kernel:old>+1%: old is gone")
    );
    assert_eq!(Gate::check(&[], GateOptions::default(), &diff).verdict, Verdict::NotChecked);
}

/// An older report lacks numbers that later versions have: they are not compared, and nothing fails because of them.
#[test]
fn a_number_that_one_side_lacks_is_not_compared() {
    let mut old = run(&[("k", 100)], 0);
    old.report.intervals.core_mean.overlap_ratio = None;
    old.report.kernels[0].gbps = None;
    let diff = diff(&[old], &[run(&[("k", 100)], 0)], false);
    let unknown = ["total.overlap_ratio<-1%", "total.overlap_ratio>+0.1", "kernel:k.bandwidth<-1%"];
    expect(LimitResult::Skipped, &unknown, &diff);
    expect(LimitResult::Ok, &["total>+1%", "kernel:k>+1%"], &diff);
}

/// A first run has nothing to be compared with: that no change was found is no success.
#[test]
fn without_a_baseline_limits_on_changes_are_skipped_and_those_on_values_count() {
    let same = || vec![run(&[("k", 100)], 0)];
    let diff = compare(same(), same(), false).unwrap();
    let first = GateOptions { no_baseline: true, ..GateOptions::default() };
    let gate = |limits: &[&str]| {
        let limits: Vec<Limit> = limits.iter().map(|limit| limit.parse().unwrap()).collect();
        Gate::check(&limits, first, &diff)
    };
    let skipped = gate(&["total>+3%", "total>1s"]);
    assert_eq!(skipped.verdict, Verdict::Skipped);
    let results: Vec<LimitResult> = skipped.limits.iter().map(|limit| limit.result).collect();
    assert_eq!(results, [LimitResult::Skipped, LimitResult::Ok]);
    assert_eq!(
        texts(&skipped.limits[0]),
        ["skipped: total>+3%: there is no baseline to compare with"]
    );
    assert_eq!(gate(&["total>+3%", "total>1ns"]).verdict, Verdict::Failed);
    assert_eq!(gate(&["total>1s"]).verdict, Verdict::Ok);
}
