//! Launches, calls and idle times that are known.

use bigtpu_chip::Engine;
use bigtpu_host_trace::{HostTrace, ReadOptions};
use bigtpu_measure::planted::Planted;
use bigtpu_measure::{DumpModel, Times};

use super::*;

/// Device time 0 is host time 1000 us.
const OFFSET: i64 = 1_000_000;

/// Two cores run matmul at 10..40 and 100..130, softmax at 40..60 us (core 1 begins 1 us later).
fn planted() -> Planted {
    let mut planted = Planted::default();
    for (name, start, end) in [
        ("matmul_fp16", 10, 40),
        ("softmax", 40, 60),
        ("matmul_fp16", 100, 130),
        ("softmax", 130, 150),
    ] {
        for core in [0, 1] {
            let (start, end) = ((start + i64::from(core)) * 1000, end * 1000);
            planted.kernel(core, name, start, end);
            planted.work(core, Engine::Tiu, start, end);
        }
    }
    planted
}

fn slice(cat: &str, name: &str, us: i64, dur: i64, tid: u32) -> String {
    let ts = us + OFFSET / 1000;
    format!(
        r#"{{"ph":"X","cat":"{cat}","name":"{name}","ts":{ts},"dur":{dur},"pid":1,"tid":{tid}}}"#
    )
}

fn host(events: &[String]) -> HostTrace {
    let text = format!("[{}]", events.join(","));
    HostTrace::read(text.as_bytes(), "host.json".as_ref(), &ReadOptions::default()).unwrap()
}

fn report(model: &DumpModel<'_>, host: &HostTrace, alignment: HostAlignment) -> HostReport {
    let trace = Arc::new(host.clone());
    let input = HostInput { trace, alignment, offset_ns: OFFSET, notes: Vec::new() };
    let found = HostMatches::find(model, &input);
    let steps = found.steps(host, None);
    let times = Times::compute(model);
    HostReport::compute(model, &times, &input, &found, steps.as_ref())
}

/// The host is ahead in the first step and late in the second.
fn calls(names: [&str; 2]) -> Vec<String> {
    let [first, second] = names;
    vec![
        slice("user_annotation", "ProfilerStep#0", 0, 50, 1),
        slice("cpu_op", "aten::linear", 1, 10, 1),
        slice("cpu_op", "aten::addmm", 2, 8, 1),
        slice("tpudnn", first, 4, 3, 2),
        slice("cpu_op", "aten::softmax", 14, 8, 1),
        slice("tpudnn", second, 15, 3, 2),
        slice("cpu_op", "aten::item", 52, 33, 1),
        slice("user_annotation", "ProfilerStep#1", 85, 60, 1),
        slice("cpu_op", "aten::addmm", 86, 8, 1),
        slice("tpudnn", first, 88, 3, 2),
        slice("cpu_op", "aten::softmax", 95, 8, 1),
        slice("tpudnn", second, 96, 3, 2),
    ]
}

#[test]
fn latency_queue_and_idle_time_are_those_planted() {
    let planted = planted();
    let model = planted.model();
    let host = host(&calls(["tpudnnMatmulAsync", "tpudnnSoftmaxAsync"]));
    let report = report(&model, &host, HostAlignment::DisableProfile);
    assert_eq!((report.calls, report.launches, report.matched), (4, 4, 4));
    assert_eq!((report.matching, report.before_call), (Some(Matching::Names), 0));
    // 6, 25, 12 and 34 us; the softmaxes waited in the queue.
    assert_eq!(
        (report.latency.durations.p50_ns, report.latency.durations.max_ns),
        (12_000, 34_000)
    );
    assert_eq!((report.free_latency.count, report.free_latency.durations.mean_ns), (2, 9000.0));
    // The window begins with the first command: calls before it count from there.
    assert_eq!((report.queue.max, report.queue.empty_ns), (2, 140_000 - 25_000 - 42_000));
    assert_eq!(report.queue.mean, 0.5071);
    // The chip is idle from 60 to 100; the call comes at 88.
    let idle = &report.idle;
    assert_eq!((idle.idle_ns, idle.host_bound_ns, idle.device_bound_ns), (40_000, 28_000, 12_000));
    assert_eq!(idle.longest[0].host, "aten::item");
    assert_eq!((idle.longest[0].start_ns, idle.longest[0].end_ns), (60_000, 88_000));
}

/// The name of one kernel is part of another's: each call belongs to the kernel of its very name.
#[test]
fn a_name_within_another_takes_no_call_of_it() {
    let mut planted = Planted::default();
    for (name, start) in
        [("add_rms_norm", 10), ("rms_norm", 20), ("add_rms_norm", 30), ("rms_norm", 40)]
    {
        planted.kernel(0, name, start * 1000, start * 1000 + 5000);
        planted.work(0, Engine::Tiu, start * 1000, start * 1000 + 5000);
    }
    let model = planted.model();
    let call = |name: &str, us| slice("tpudnn", name, us, 1, 2);
    let host = host(&[
        call("tpudnnAddRmsNormAsync", 5),
        call("tpudnnRmsNormAsync", 15),
        call("tpudnnAddRmsNormAsync", 25),
        call("tpudnnRmsNormAsync", 35),
    ]);
    let report = report(&model, &host, HostAlignment::FirstCall);
    assert_eq!((report.matched, report.matching), (4, Some(Matching::Names)));
    assert_eq!((report.latency.durations.p50_ns, report.latency.durations.max_ns), (5000, 5000));
}

#[test]
fn operators_have_the_time_that_they_caused() {
    let planted = planted();
    let model = planted.model();
    let host = host(&calls(["tpudnnMatmulAsync", "tpudnnSoftmaxAsync"]));
    let report = report(&model, &host, HostAlignment::DisableProfile);
    let of = |name: &str| {
        let operator = report.operators.iter().find(|o| o.name == name).unwrap();
        (operator.launches, operator.device_ns, operator.self_device_ns)
    };
    assert_eq!(report.operators[0].name, "aten::addmm");
    assert_eq!(of("aten::addmm"), (2, 60_000, 60_000));
    assert_eq!(of("aten::linear"), (1, 30_000, 0));
    assert_eq!(of("aten::softmax"), (2, 40_000, 40_000));
}

#[test]
fn markers_make_steps() {
    let planted = planted();
    let model = planted.model();
    let host = host(&calls(["tpudnnMatmulAsync", "tpudnnSoftmaxAsync"]));
    let steps = report(&model, &host, HostAlignment::DisableProfile).steps.unwrap();
    let found: Vec<_> = steps
        .steps
        .iter()
        .map(|s| (s.name.as_str(), s.work.start_ns, s.work.end_ns, s.launches))
        .collect();
    let expected =
        [("ProfilerStep#0", 10_000, 100_000, 2), ("ProfilerStep#1", 100_000, 150_000, 2)];
    assert_eq!(found, expected);
}

#[test]
fn without_names_order_counts_and_without_equal_numbers_time() {
    let planted = planted();
    let model = planted.model();
    let same = host(&calls(["opA", "opB"]));
    let found = report(&model, &same, HostAlignment::DisableProfile);
    assert_eq!((found.matching, found.latency.durations.max_ns), (Some(Matching::Order), 34_000));
    let fewer = host(&calls(["opA", "opB"])[..6]);
    let found = report(&model, &fewer, HostAlignment::DisableProfile);
    assert_eq!((found.matching, found.matched), (Some(Matching::Time), 4));
}

#[test]
fn without_an_alignment_nothing_is_said_of_times() {
    let planted = planted();
    let model = planted.model();
    let host = host(&calls(["tpudnnMatmulAsync", "tpudnnSoftmaxAsync"]));
    let report = report(&model, &host, HostAlignment::None);
    assert_eq!((report.calls, report.launches, report.matched), (4, 4, 0));
    assert_eq!((report.matching, report.idle.idle_ns, report.steps), (None, 0, None));
}
