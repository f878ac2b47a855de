use std::collections::BTreeMap;

use super::*;
use bigtpu_messages::Language;

/// A run of a night with these times.
pub(super) fn record(night: usize, times: BTreeMap<String, f64>) -> RunRecord {
    RunRecord {
        schema_version: HISTORY_SCHEMA_VERSION,
        run: format!("v{}", night + 1),
        is_labelled: true,
        unit: String::new(),
        simulated: false,
        times,
        works: BTreeMap::new(),
        order: Vec::new(),
    }
}

/// Builds of one run with a kernel that takes half of the wall time.
fn nights(times: &[f64]) -> Vec<HistoryBuild> {
    let build = |(night, ns): (usize, &f64)| {
        let times = BTreeMap::from([("total".into(), ns * 2.0), ("kernel k".into(), *ns)]);
        HistoryBuild { records: vec![record(night, times)], ..HistoryBuild::default() }
    };
    times.iter().enumerate().map(build).collect()
}

/// Adds the builds one by one, as a job each night does, with the file written and read in between.
fn one_by_one(all: Vec<HistoryBuild>) -> Vec<History> {
    let mut text = String::new();
    let mut found = Vec::new();
    for build in all {
        let read: Vec<HistoryLine> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut builds = HistoryBuild::of_lines(read);
        for record in build.records {
            HistoryBuild::add(&mut builds, record);
        }
        found.push(History::compute(&mut builds, 1, HistoryOptions::default()));
        let lines = builds.into_iter().flat_map(HistoryBuild::into_lines);
        text = lines.map(|line| serde_json::to_string(&line).unwrap() + "\n").collect();
    }
    found
}

const NOISY: [f64; 12] = [
    1e5, 1.01e5, 0.99e5, 1.005e5, 0.995e5, 1.002e5, 0.998e5, 1.25e5, 1.26e5, 1.24e5, 1.255e5,
    1.245e5,
];

#[test]
fn a_change_is_said_once_and_in_its_place() {
    let found = one_by_one(nights(&NOISY));
    let alarms: Vec<usize> = (1..)
        .zip(&found)
        .filter(|(_, h)| h.verdict == HistoryVerdict::Slower)
        .map(|(n, _)| n)
        .collect();
    assert_eq!(alarms.len(), 1, "{found:#?}");
    assert!((8..=11).contains(&alarms[0]), "{alarms:?}");
    let said = &found[alarms[0] - 1];
    assert!(
        said.text.text.starts_with("since run 8 (v8) the wall time is 25."),
        "{}",
        said.text.text
    );
    assert!(said.text.text.ends_with("; kernel k changed alike"), "{}", said.text.text);
    let last = found.last().unwrap();
    assert!(last.text.text == "nothing new in 12 builds" && last.events.len() == 1, "{last:#?}");
    let levels: Vec<(u64, u64)> = last.series[0].levels.iter().map(|l| (l.from, l.to)).collect();
    assert_eq!(levels, [(1, 7), (8, 12)]);
    assert_eq!(found[5].verdict, HistoryVerdict::Skipped);
    // All at once is the same.
    let mut all = nights(&NOISY);
    let at_once = History::compute(&mut all, NOISY.len(), HistoryOptions::default());
    let places = |history: &History| -> Vec<(String, u64, String)> {
        history.events.iter().map(|e| (e.name.clone(), e.number, e.found.clone())).collect()
    };
    assert_eq!(places(&at_once), places(last));
}

/// A run that became longer and less even: its last builds have no level in common.
#[test]
fn a_change_that_brings_noise_is_found() {
    let times = [
        92030.0, 93318.0, 92574.0, 92385.0, 102_380.0, 93150.0, 94806.0, 94073.0, 319_134.0,
        243_881.0, 262_850.0, 246_116.0,
    ];
    let found = one_by_one(nights(&times));
    let said: Vec<&HistoryEvent> =
        found.iter().flat_map(|history| history.events.iter().filter(|e| e.is_new)).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!((said[0].kind, said[0].run.as_str()), (EventKind::Slower, "v9"));
}

/// A simulated run repeats exactly: the second build already shows a change.
#[test]
fn a_change_of_times_that_repeat_exactly_is_found_at_once() {
    let simulated = |mut builds: Vec<HistoryBuild>| {
        builds.iter_mut().flat_map(|b| &mut b.records).for_each(|record| record.simulated = true);
        one_by_one(builds)
    };
    let found = simulated(nights(&[1e5, 1e5, 1.61e5, 1.61e5]));
    let verdicts: Vec<HistoryVerdict> = found.iter().map(|h| h.verdict).collect();
    use HistoryVerdict::{Ok, Skipped, Slower};
    assert_eq!(verdicts, [Skipped, Ok, Slower, Ok]);
    assert!(
        found[2].text.text.contains("since run 3 (v3) the wall time is 61.00 % longer"),
        "{}",
        found[2].text.text
    );
    // Small steps add up.
    let slow: Vec<f64> = (0..12).map(|n| 1e5 * (1.0 + 0.004 * f64::from(n))).collect();
    let alarms = simulated(nights(&slow)).iter().filter(|h| h.verdict == Slower).count();
    assert_eq!(alarms, 3, "each time it is 1 % more than at the last report");
    // Measured times that repeat do so, too, when three builds show it.
    let measured = one_by_one(nights(&[1e5, 1e5, 1e5, 1e5, 1.1e5]));
    assert_eq!(measured.last().unwrap().verdict, Slower);
}

#[test]
fn births_deaths_and_new_names_are_events() {
    let with = |night: usize, kernels: &[(&str, &str)]| {
        let mut own = record(night, BTreeMap::from([("total".into(), 1e5)]));
        for (name, work) in kernels {
            own.times.insert(format!("kernel {name}"), 1e4);
            own.works.insert(format!("kernel {name}"), (*work).to_owned());
        }
        HistoryBuild { records: vec![own], ..HistoryBuild::default() }
    };
    let found = one_by_one(vec![
        with(0, &[("a", "2 10 4000 700"), ("b", "2 10 5000 800")]),
        with(1, &[("a2", "2 10 4000 700"), ("b", "2 10 5000 800"), ("c", "2 10 6000 900")]),
        with(2, &[("a2", "2 10 4000 700"), ("c", "2 10 6000 900")]),
        with(3, &[("a2", "2 10 4000 700"), ("c", "2 10 6000 900")]),
    ]);
    let new = |history: &History| -> Vec<String> {
        history
            .events
            .iter()
            .filter(|e| e.is_new)
            .map(|event| event.sentence(Language::English))
            .collect()
    };
    assert_eq!(new(&found[0]), [""; 0]);
    assert_eq!(
        new(&found[1]),
        [
            "since run 2 (v2) kernel a2 is the new name of kernel a",
            "since run 2 (v2) kernel c is new: 10.0 us"
        ]
    );
    assert_eq!(new(&found[2]), ["since run 3 (v3) kernel b is gone: it took 10.0 us"]);
    assert_eq!(new(&found[3]), [""; 0]);
    let renamed = found[3].series.iter().find(|series| series.name == "kernel a2").unwrap();
    assert_eq!((renamed.builds, renamed.levels.len()), (4, 1), "its line goes on");
}

/// Three kernels that do the same get other names with one build: their order tells which is which, and none is gone or new.
#[test]
fn kernels_of_equal_work_keep_their_lines() {
    let with = |night: usize, names: [&str; 3]| {
        let mut own = record(night, BTreeMap::from([("total".into(), 1e5)]));
        for (name, ns) in names.iter().zip([1e4, 2e4, 3e4]) {
            own.times.insert(format!("kernel {name}"), ns);
            own.works.insert(format!("kernel {name}"), "2 10 4000 700".into());
            own.order.push(format!("kernel {name}"));
        }
        HistoryBuild { records: vec![own], ..HistoryBuild::default() }
    };
    let found = one_by_one(vec![with(0, ["q", "k", "v"]), with(1, ["z", "y", "x"])]);
    let mut said: Vec<(Option<&str>, &str)> = Vec::new();
    for event in &found[1].events {
        assert_eq!(event.kind, EventKind::Renamed, "{event:?}");
        said.push((event.old_name.as_deref(), event.name.as_str()));
    }
    said.sort_unstable();
    let expected = [
        (Some("kernel k"), "kernel y"),
        (Some("kernel q"), "kernel z"),
        (Some("kernel v"), "kernel x"),
    ];
    assert_eq!(said, expected);
}

/// A label says which run it is: equal numbers of another label are another run.
#[test]
fn a_label_is_an_identity() {
    let of = |label: &str, is_labelled: bool| {
        let own = record(0, BTreeMap::from([("total".into(), 5.0)]));
        RunRecord { run: label.into(), is_labelled, ..own }
    };
    assert!(of("a", true).is_same_run(&of("a", true)));
    assert!(!of("a", true).is_same_run(&of("b", true)));
    assert!(of("x/1", false).is_same_run(&of("y/1", false)), "a copy of the results");
    let simulated = |label: &str| RunRecord { simulated: true, ..of(label, false) };
    assert!(!simulated("x/1").is_same_run(&simulated("x/2")));
}

/// A file of the version before has only runs: they are looked at as if they came one by one, and are not new.
#[test]
fn histories_of_the_version_before_are_read() {
    let mut lines: String = NOISY[..11]
        .iter()
        .enumerate()
        .map(|(n, ns)| format!("{{\"schema_version\":1,\"run\":\"c{n}\",\"unit\":\"\",\"times\":{{\"total\":{ns}}}}}\n"))
        .collect();
    let mut builds =
        HistoryBuild::of_lines(lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect());
    HistoryBuild::add(&mut builds, record(11, BTreeMap::from([("total".into(), NOISY[11])])));
    let found = History::compute(&mut builds, 1, HistoryOptions::default());
    assert_eq!((found.verdict, found.events.len(), found.builds), (HistoryVerdict::Ok, 1, 12));
    assert_eq!(found.events[0].run, "c7");
    lines.clear();
}

#[test]
fn few_runs_are_skipped() {
    let mut few = nights(&NOISY[..5]);
    let found = History::compute(&mut few, 5, HistoryOptions::default());
    assert_eq!((found.verdict, found.series.len()), (HistoryVerdict::Skipped, 2));
    assert_eq!(
        History::compute(&mut [], 0, HistoryOptions::default()).verdict,
        HistoryVerdict::Skipped
    );
}
