//! Every phase of event becomes the right record.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use bigtpu_host_trace::{
    ArgsRef, CounterValue, EventError, EventId, ExactNs, FlowPhase, Hidden, Scope,
};
use common::{args, name, read};

#[test]
fn complete_events() {
    let trace = read(
        r#"{"schemaVersion":1,"traceEvents":[
        {"ph":"X","cat":"cpu_op","name":"a\u0062","pid":1102,"tid":"1262","ts":1712195495519698.687,"dur":49.743,
         "args":{"External id":2051,"grid":[1,-1,[]],"big":18446744073709551615,"f":0.5,"s":"x","b":true,"n":null}},
        {"name":5,"ph":"X","ts":"1.6e15","dur":"0.0009","pid":"Spans","args":{}},
        {"ph":"X","ts":1.0003,"dur":0.0007},
        {"ph":"X","ts":-0.0019}],
        "displayTimeUnit":"ns","baseTimeNanoseconds":1709251200000000000}"#,
    );
    let [a, b, c, d] = trace.slices[..] else { unreachable!() };
    assert_eq!((a.start_ns, a.end_ns), (1_712_195_495_519_698_687, 1_712_195_495_519_748_430));
    assert_eq!((name(&trace, a.name), name(&trace, a.cat)), ("ab", "cpu_op"));
    let expected = "{External id=Int(2051) grid=[Int(1) Int(-1) []] big=UInt(18446744073709551615) f=Double(0.5) s=x b=Bool(true) n=Null}";
    assert_eq!(args(&trace, a.args), expected);
    assert_eq!(
        (b.start_ns, b.end_ns, b.args),
        (1_600_000_000_000_000_000, 1_600_000_000_000_000_000, ArgsRef::NONE)
    );
    assert_eq!(name(&trace, b.name), "5");
    assert_eq!((c.start_ns, c.end_ns), (1000, 1001));
    assert_eq!((d.start_ns, d.end_ns), (-1, -1));
    let threads: Vec<_> =
        trace.threads.iter().map(|t| (trace.processes[t.process as usize].pid, t.tid)).collect();
    let threads: Vec<_> =
        threads.iter().map(|&(pid, tid)| (name(&trace, pid), name(&trace, tid))).collect();
    assert_eq!(threads, [("1102", "1262"), ("Spans", ""), ("", "")]);
    assert_eq!(
        (
            trace.files[0].stats.events,
            trace.files[0].stats.bad,
            trace.files[0].stats.without_duration
        ),
        (4, 0, 1)
    );
    assert_eq!(trace.display_time_unit.as_deref(), Some("ns"));
    assert_eq!(trace.base_time_ns, Some(1_709_251_200_000_000_000));
}

#[test]
fn begin_and_end_events() {
    let trace = read(
        r#"[{"ph":"B","name":"out","ts":1,"tid":1,"args":{"a":1}},{"ph":"B","name":"in","ts":2,"tid":1},
        {"ph":"E","ts":3,"tid":1},{"ph":"E","ts":4,"tid":1,"args":{"b":2}},{"ph":"X","name":"x","ts":0,"dur":9},
        {"ph":"E","ts":5,"tid":1},{"ph":"B","ts":6,"tid":2}]"#,
    );
    let text: Vec<_> = trace
        .slices
        .iter()
        .map(|s| (name(&trace, s.name), s.start_ns, s.end_ns, args(&trace, s.args)))
        .collect();
    let expected =
        [("x", 0, 9000, ""), ("out", 1000, 4000, "{a=Int(1) b=Int(2)}"), ("in", 2000, 3000, "")];
    assert_eq!(text, expected.map(|(name, start, end, args)| (name, start, end, args.to_owned())));
    assert_eq!(trace.complete_slices, 1);
    assert_eq!(
        (trace.files[0].stats.unmatched_begins, trace.files[0].stats.unmatched_ends),
        (1, 1)
    );
}

#[test]
fn instants_flows_and_asynchronous_events() {
    let trace = read(
        r#"[{"ph":"i","s":"g","name":"start","ts":5,"args":{"k":[{}]}},{"ph":"I","ts":6,"s":"p"},{"ph":"R","ts":7},
        {"ph":"s","id":7,"cat":"ac2g","name":"ac2g","ts":1},{"ph":"t","id":"7","ts":2},{"ph":"f","id":"0x7","ts":3,"bp":"e"},
        {"ph":"b","cat":"c","id":1,"pid":3,"name":"a","ts":1},{"ph":"n","cat":"c","id":"1","pid":3,"name":"n","ts":2},
        {"ph":"e","cat":"c","id":1,"pid":3,"ts":3},{"ph":"b","id2":{"local":"0x1"},"ts":4}]"#,
    );
    let scopes: Vec<Scope> = trace.instants.iter().map(|i| i.scope).collect();
    assert_eq!(scopes, [Scope::Global, Scope::Process, Scope::Thread]);
    assert_eq!(args(&trace, trace.instants[0].args), "{k=[{}]}");
    let flows: Vec<_> = trace.flows.iter().map(|f| (f.phase, f.at_ns, f.binds_enclosing)).collect();
    assert_eq!(
        flows,
        [
            (FlowPhase::Start, 1000, false),
            (FlowPhase::Step, 2000, false),
            (FlowPhase::End, 3000, true)
        ]
    );
    let ids: Vec<EventId> = trace.flows.iter().map(|f| f.id).collect();
    let hex = trace.strings.lookup("0x7").unwrap();
    assert_eq!(ids, [EventId::Number(7), EventId::Number(7), EventId::Text(hex)]);
    assert_eq!(trace.async_tracks.len(), 2);
    let [slice] = trace.async_slices[..] else { unreachable!() };
    assert_eq!((slice.track, slice.start_ns, slice.end_ns), (0, 1000, 3000));
    assert_eq!((trace.async_instants[0].track, trace.async_instants[0].at_ns), (0, 2000));
    assert_eq!(trace.files[0].stats.unmatched_begins, 1);
}

#[test]
fn counters_and_metadata() {
    let trace = read(
        r#"[{"ph":"C","pid":1,"name":"mem","ts":1,"args":{"used":5,"free":"2.5"}},
        {"ph":"C","pid":1,"name":"mem","ts":2,"args":{"used":-6,"what":"no number","nan":NaN}},
        {"ph":"M","pid":1,"name":"process_name","args":{"name":"python"}},
        {"ph":"M","pid":1,"tid":0,"name":"process_sort_index","args":{"sort_index":"-5"}},
        {"ph":"M","pid":1,"name":"process_labels","args":{"labels":"GPU 0"}},
        {"ph":"M","pid":1,"tid":9,"name":"thread_name","args":{"name":7}},
        {"ph":"M","pid":1,"tid":9,"name":"thread_sort_index","args":{"sort_index":3}},
        {"ph":"M","pid":1,"name":"num_cpus","args":{"number":4}},{"ph":"M","name":"thread_name"}]"#,
    );
    let counters: Vec<_> =
        trace.counters.iter().map(|c| (name(&trace, c.series), c.samples.len())).collect();
    assert_eq!(counters, [("used", 2), ("free", 1)]);
    assert_eq!(trace.counters[0].samples[1].value, CounterValue::Int(-6));
    assert_eq!(trace.counters[1].samples[0].value, CounterValue::Double(2.5));
    let (process, thread) = (trace.processes[0], trace.threads[0]);
    assert_eq!(name(&trace, process.name.unwrap()), "python");
    assert_eq!((name(&trace, process.labels.unwrap()), process.sort_index), ("GPU 0", Some(-5)));
    assert_eq!((name(&trace, thread.name.unwrap()), thread.sort_index), ("7", Some(3)));
    let stats = &trace.files[0].stats;
    assert_eq!((stats.skipped_counter_values, stats.bad, stats.repaired), (2, 1, 1));
    assert_eq!(trace.tally.hidden.get(&Hidden::Metadata), Some(&1));
    assert_eq!((trace.tally.counters, trace.tally.metadata), (2, 5));
    assert_eq!(stats.first_bad[0].why, EventError::Metadata("name"));
}

#[test]
fn anchors_come_from_the_exact_decimals() {
    let trace = read(
        r#"{"traceEvents":[{"ph":"X","cat":"tpudnn","name":"enable_profile","ts":1,"dur":1},
        {"ph":"X","cat":"tpudnn","name":"op","ts":1700000000000155.0,"dur":12.527924999999998},
        {"ph":"B","cat":"tpudnn","name":"disable_profile","ts":1800000000000000},{"ph":"E","ts":1800000000000001},
        {"ph":"X","cat":"tpudnn","name":"disable_profile","ts":1700000000000517.0,"dur":400.0002},
        {"ph":"X","cat":"cpu_op","name":"PyTorch Profiler (0)","ts":1,"dur":1}]}"#,
    );
    assert!(trace.anchors.has_tpudnn());
    assert_eq!(trace.anchors.device_start_ns(), Some(1_700_000_000_000_167_527));
    let tail = |text| trace.anchors.device_end_ns(&ExactNs::parse_ns(text).unwrap());
    assert_eq!(tail("250000.2"), Some(1_700_000_000_000_667_000));
    assert_eq!(tail("250000.3"), Some(1_700_000_000_000_666_999));
    let kept: Vec<_> =
        trace.kept_slices().map(|(place, slice)| (place, name(&trace, slice.name))).collect();
    assert_eq!(kept, [(1, "op")]);
    assert_eq!(trace.kept_by_thread(), [vec![1]]);
}
