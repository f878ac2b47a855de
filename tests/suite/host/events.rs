//! Every event of a trace that is made for it, with what becomes of it known from its making.

use std::collections::BTreeMap;

use super::{CASE, merge_text, with_file};
use crate::support::case::case;
use crate::support::multiset::assert_same;
use crate::support::run::analyzed;
use crate::support::trace::{Trace, Value};

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn next_below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A trace, and what is to be shown of it.
#[derive(Default)]
struct Made {
    events: Vec<String>,
    slices: Vec<String>,
    /// `start > end`, by the names of slices.
    arrows: Vec<String>,
    instants: Vec<String>,
    samples: Vec<String>,
    /// Events that are not shown.
    hidden: u64,
}

/// Times of torch: microseconds since 1970 with three decimals.
const BASE_US: u64 = 1_700_000_000_000_000;

fn ns(at: u64) -> String {
    format!("{}.{:03}", BASE_US + at / 1000, at % 1000)
}

impl Made {
    fn make(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut made = Self::default();
        let mut at = 1000;
        for number in 0..60u64 {
            at += 1 + random.next_below(5000);
            let (pid, tid) = (7 + random.next_below(2), 70 + random.next_below(3));
            let place = format!(r#""pid":{pid},"tid":{tid}"#);
            let on = format!("{pid}/{tid}");
            let start = (BASE_US * 1000 + at) as i64;
            match random.next_below(6) {
                // A launch, and one to four kernels that it leads to.
                0 | 1 => {
                    let length = 500 + random.next_below(900);
                    let name = format!("launch{number}");
                    made.slice(
                        &name,
                        &on,
                        (start, length as i64),
                        &format!("[(\"External id\", Int({number}))]"),
                    );
                    made.events.push(format!(
                        r#"{{"ph":"X","cat":"cuda_runtime","name":"{name}",{place},"ts":{},"dur":{}.{:03},"args":{{"External id":{number}}}}}"#,
                        ns(at), length / 1000, length % 1000
                    ));
                    let point = |phase: &str, place: &str, at: u64| {
                        format!(
                            r#"{{"ph":"{phase}","bp":"e","cat":"ac2g","name":"ac2g","id":{number},{place},"ts":{}}}"#,
                            ns(at)
                        )
                    };
                    made.events.push(point("s", &place, at + 100));
                    let kernels = random.next_below(5);
                    made.hidden += u64::from(kernels == 0);
                    for kernel in 0..kernels {
                        at += 2000 + random.next_below(3000);
                        let name = format!("kernel{number}.{kernel}");
                        let start = (BASE_US * 1000 + at) as i64;
                        made.slice(&name, "9/1", (start, 1500), "[]");
                        let place = r#""pid":9,"tid":1"#;
                        made.events.push(format!(
                            r#"{{"ph":"X","cat":"kernel","name":"{name}",{place},"ts":{},"dur":1.5}}"#, ns(at)
                        ));
                        made.events.push(point("f", place, at));
                        made.arrows.push(format!("launch{number} > {name}"));
                    }
                    at += 2000;
                }
                2 => {
                    let name = format!("begin{number}");
                    made.slice(
                        &name,
                        &on,
                        (start, 700),
                        "[(\"a\", Text(\"x\")), (\"b\", Double(0.5))]",
                    );
                    made.events.push(format!(
                        r#"{{"ph":"B","name":"{name}",{place},"ts":{},"args":{{"a":"x"}}}}"#,
                        ns(at)
                    ));
                    made.events.push(format!(
                        r#"{{"ph":"E",{place},"ts":{},"args":{{"b":0.5}}}}"#,
                        ns(at + 700)
                    ));
                    at += 1000;
                }
                3 => {
                    made.instants.push(format!("mark{number} @{start}"));
                    let phase = ["i", "I", "R", "P", "O"][random.next_below(5) as usize];
                    made.events.push(format!(
                        r#"{{"ph":"{phase}","name":"mark{number}",{place},"ts":{},"s":"t"}}"#,
                        ns(at)
                    ));
                }
                4 => {
                    let value = random.next_below(1000) as i64 - 500;
                    made.samples.push(format!("memory used @{start} = {value}"));
                    made.events.push(format!(
                        r#"{{"ph":"C","name":"memory","pid":7,"ts":{},"args":{{"used":{value}}}}}"#,
                        ns(at)
                    ));
                }
                _ => {
                    let (begin, end) =
                        if random.next_below(2) == 0 { ("b", "e") } else { ("S", "F") };
                    let name = format!("wait{number}");
                    made.slice(&name, "async", (start, 300), "[]");
                    for (phase, at) in [(begin, at), (end, at + 300)] {
                        made.events.push(format!(
                            r#"{{"ph":"{phase}","cat":"request","id":"0x{number}","name":"{name}",{place},"ts":{}}}"#, ns(at)
                        ));
                    }
                }
            }
        }
        made
    }

    fn slice(&mut self, name: &str, on: &str, (start, length): (i64, i64), args: &str) {
        self.slices.push(format!("{name} on {on} @{start}+{length} {args}"));
    }

    /// The text of the trace, its events in another order.
    fn text(&self, seed: u64) -> String {
        let mut random = Random(seed);
        let mut events = self.events.clone();
        // Begins and ends at one time keep their order: none are.
        for last in (1..events.len()).rev() {
            events.swap(last, random.next_below(last as u64 + 1) as usize);
        }
        format!(r#"{{"traceEvents":[{}],"displayTimeUnit":"ns"}}"#, events.join(","))
    }
}

/// Process and thread of a host's track, by their numbers; of others `async`.
fn thread_of(track: &str) -> String {
    let numbers: Vec<&str> = track
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty() && part.len() < 4)
        .collect();
    match (track.contains("request"), numbers.as_slice()) {
        (false, [pid, tid, ..]) => format!("{pid}/{tid}"),
        _ => "async".to_owned(),
    }
}

fn shown(trace: &Trace) -> [Vec<String>; 4] {
    let is_host = |name: &str| {
        ["launch", "kernel", "begin", "wait"].iter().any(|start| name.starts_with(start))
    };
    let own: Vec<_> = trace
        .slices
        .iter()
        .filter(|slice| {
            is_host(&slice.name)
                && !super::is_device(&slice.track)
                && slice.track.contains("cpu op")
        })
        .collect();
    let slices = own.iter().map(|slice| {
        let args: Vec<(&str, &Value)> =
            slice.args.iter().map(|(key, value)| (key.as_str(), value)).collect();
        format!(
            "{} on {} @{}+{} {args:?}",
            slice.name,
            thread_of(&slice.track),
            slice.ts,
            slice.dur
        )
    });
    let mut ends: BTreeMap<u64, [Option<&str>; 2]> = BTreeMap::new();
    for slice in &own {
        for (side, flows) in [&slice.flows, &slice.ended_flows].into_iter().enumerate() {
            for flow in flows {
                ends.entry(*flow).or_default()[side] = Some(&slice.name);
            }
        }
    }
    let arrows =
        ends.values().map(|[from, to]| format!("{} > {}", from.unwrap_or("?"), to.unwrap_or("?")));
    let marks = trace.instants.iter().map(|mark| format!("{} @{}", mark.name, mark.ts));
    let samples = trace.samples.iter().filter(|sample| sample.track.contains("memory used"));
    let samples = samples.map(|sample| format!("memory used @{} = {}", sample.ts, sample.value));
    [slices.collect(), arrows.collect(), marks.collect(), samples.collect()]
}

#[test]
fn every_event_of_a_host_trace_is_in_the_trace() {
    for seed in 1..=3 {
        let made = Made::make(seed);
        let run = merge_text(&made.text(seed), &["-v"]);
        let [slices, arrows, instants, samples] = shown(&run.trace());
        assert_same("slices", made.slices.iter().cloned(), slices);
        assert_same("arrows", made.arrows.iter().cloned(), arrows);
        assert_same("instants", made.instants.iter().cloned(), instants);
        assert_same("samples", made.samples.iter().cloned(), samples);
        assert!(made.arrows.len() > 20 && made.hidden > 0, "too few arrows for a test");
        // The line of conservation, here and in the metadata.
        let line = format!("{} events read = ", made.events.len());
        let said = run
            .said
            .stderr
            .lines()
            .chain(run.said.stdout.lines())
            .find(|text| text.contains(&line));
        let said = said.unwrap_or_else(|| panic!("{}", run.said.stderr));
        assert!(said.contains(&format!("{} not shown", made.hidden)), "{said}");
        let metadata = run.trace().attributes;
        let (_, metadata) = metadata.iter().find(|(key, _)| key == "bigtpuprofile.host").unwrap();
        assert!(said.ends_with(metadata.as_str()), "{said} {metadata}");
    }
}

#[test]
fn a_trace_with_a_host_says_its_clock() {
    let event = r#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":5.5,"dur":1}"#;
    let base = 1_700_000_000_000_000_000_u64;
    let with_base =
        merge_text(&format!(r#"{{"traceEvents":[{event}],"baseTimeNanoseconds":{base}}}"#), &[])
            .trace();
    assert_eq!(with_base.wall_at_zero, Some(base + 5500));
    let zero =
        |trace: &Trace| trace.attributes.iter().any(|(key, _)| key == "bigtpuprofile.time_zero");
    assert!(zero(&with_base));
    let since_1970 = merge_text(
        r#"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1700000000000000.5,"dur":1}]"#,
        &[],
    )
    .trace();
    assert_eq!(since_1970.wall_at_zero, Some(base + 500));
    let unknown = merge_text(&format!("[{event}]"), &[]).trace();
    assert_eq!((unknown.wall_at_zero, zero(&unknown)), (None, false));
    let alone = analyzed(&case(CASE).dump(), &["--perfetto"]).trace();
    assert_eq!(alone.wall_at_zero, None);
}

#[test]
fn several_traces_are_merged_on_one_clock() {
    let trace = |name: &str, base: u64| {
        format!(
            r#"{{"traceEvents":[{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":10,"dur":1}}],"baseTimeNanoseconds":{base}}}"#
        )
    };
    let base = 1_700_000_000_000_000_000;
    with_file(trace("one", base), |one| {
        with_file(trace("two", base + 7000), |two| {
            let args = [
                "--perfetto",
                "-v",
                "--trace_file",
                one.to_str().unwrap(),
                "--trace_file",
                two.to_str().unwrap(),
            ];
            let run = analyzed(&case(CASE).dump(), &args);
            assert_eq!(
                super::host_slices(&run.trace()),
                ["cpu op/thread 1 one 10000+1000", "cpu op/thread 1 two 17000+1000"]
            );
            assert!(run.said.stderr.contains("7000 ns were added"), "{}", run.said.stderr);
        });
    });
}
