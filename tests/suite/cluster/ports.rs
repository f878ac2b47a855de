//! Ports of one dump: waiting, transfer, completion and retries in all views.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Cluster;
use crate::support::run::say;
use crate::support::trace::{Slice, Trace};
use crate::support::workbook;

/// The results of a device whose link repeats packets; `bus`: which moments its records have.
struct Device {
    _cluster: Cluster,
    out: PathBuf,
}

impl Device {
    fn new(bus: &str, views: &str) -> Self {
        let args = ["--cluster", "2", "--operations", "4", "--moments", bus];
        let cluster = Cluster::make(&[&args[..], &["--plant", "retries=0>1"]].concat());
        let dump = cluster.dumps().remove(0).display().to_string();
        let out = cluster.path("one");
        let said = say(&[&dump, &out, "--emit", views, "--quiet"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        Self { _cluster: cluster, out: PathBuf::from(out) }
    }

    fn phases(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.out.join("report.json")).unwrap();
        let report: Value = serde_json::from_str(&text).unwrap();
        let ports = report["ports"].as_array().unwrap().iter();
        ports.flat_map(|port| port["phases"].as_array().into_iter().flatten().cloned()).collect()
    }
}

/// The report of one dump divides the time of its ports: waiting for the peer, transfer, completion; or says that only
/// ends are known.
#[test]
fn ports_of_one_dump_show_waiting_transfer_completion_and_retries() {
    for (bus, has_moments) in [("m0", true), ("none", false)] {
        let phases = Device::new(bus, "report").phases();
        let directions: Vec<&Value> = phases.iter().map(|of| &of["direction"]).collect();
        assert!(directions.contains(&&"send".into()) && directions.contains(&&"receive".into()));
        for of in &phases {
            assert_eq!(of["parts"].is_object(), has_moments, "{of}");
            if has_moments {
                let part = |name: &str| of["parts"][name].as_i64().unwrap();
                let sum = part("waiting_ns") + part("transfer_ns") + part("completion_ns");
                assert_eq!(sum, of["total_ns"].as_i64().unwrap());
                assert!(part("transfer_ns") > 0);
            }
        }
        assert!(phases.iter().any(|of| of["retries"].as_u64().unwrap() > 0));
    }
}

fn ns(slice: &Slice, key: &str) -> i64 {
    slice.arg(key).and_then(|value| value.int()).map_or(-1, |n| n as i64)
}

/// The trace has the phases as tracks of their own and as arguments of each command; both add up to what the report says.
#[test]
fn the_trace_has_phases_of_ports() {
    let device = Device::new("m0", "report,trace");
    let trace = Trace::open(&device.out.join("perfetto.pftrace"));
    assert_eq!(trace.problems, Vec::<String>::new());
    let waits = ["waiting for credit", "waiting for sender"];
    for (side, waiting, of) in [("TX", waits[0], "send"), ("RX", waits[1], "receive")] {
        let all = device.phases();
        let all = all.iter().filter(|phases| phases["direction"] == of);
        let total = |part: &str| -> i64 {
            all.clone().map(|phases| phases["parts"][part].as_i64().unwrap()).sum()
        };
        let on = |name: &str| -> Vec<&Slice> {
            let end = format!("{side}{name}");
            trace.slices.iter().filter(|slice| slice.track.ends_with(&end)).collect()
        };
        for (name, key, part) in [
            (waiting, format!("{waiting}(ns)"), "waiting_ns"),
            ("transfer", "transfer(ns)".to_owned(), "transfer_ns"),
            ("completion", "completion(ns)".to_owned(), "completion_ns"),
        ] {
            let slices: i64 = on(" phases").iter().filter(|s| s.name == name).map(|s| s.dur).sum();
            let commands = on("").into_iter().filter(|s| s.arg("retries").is_some());
            let args: i64 = commands.map(|s| ns(s, &key)).sum();
            assert_eq!((slices, args), (total(part), total(part)), "{side} {name}");
        }
        let retries: i64 = on("").iter().map(|s| ns(s, "retries").max(0)).sum();
        let expected: u64 = all.clone().map(|phases| phases["retries"].as_u64().unwrap()).sum();
        assert_eq!((retries as u64, expected > 0), (expected, side == "TX"));
    }
    // Without moments there is nothing to divide.
    let device = Device::new("none", "trace");
    let trace = Trace::open(&device.out.join("perfetto.pftrace"));
    assert!(trace.slices.iter().all(|slice| !slice.track.ends_with("phases")));
    let says = |slice: &&Slice| slice.arg("times").and_then(|v| v.text()) == Some("ends only");
    assert!(trace.slices.iter().filter(says).count() > 8);
}

/// Sheets of ports have the parts behind the columns of bigTpuProfile; the register texts have none of them.
#[test]
fn the_workbook_has_phases_of_ports_and_the_register_texts_have_not() {
    for (bus, times) in [("ati", "data times"), ("none", "ends only")] {
        let device = Device::new(bus, "report,workbook,text");
        let names = workbook::names(&device.out);
        let sheet = names.iter().find(|name| name.starts_with("CDMA_")).unwrap();
        let rows = workbook::rows(&device.out, sheet);
        let head = rows.iter().position(|row| row[0] == "Engine Id").unwrap();
        let at = |name: &str| rows[head].iter().position(|title| title == name).unwrap();
        let data: Vec<&Vec<String>> =
            rows[head + 1..].iter().filter(|row| row[at("Times")] == times).collect();
        assert!(data.len() >= 8, "{bus}");
        for row in data {
            let number = |name: &str| row[at(name)].parse::<f64>().ok();
            let parts = ["Waiting For Peer(ns)", "Transfer(ns)", "Completion(ns)"].map(number);
            let whole = number("End Time(ns)").unwrap() - number("Start Time(ns)").unwrap();
            let sum: Option<f64> = parts.into_iter().sum();
            assert_eq!(sum, (bus != "none").then_some(whole), "{row:?}");
            assert!(number("Link Retries").is_some());
        }
        let ports = fs::read_dir(&device.out).unwrap().map(|entry| entry.unwrap().path());
        let ports: Vec<PathBuf> = ports.filter(|path| is_port_text(path)).collect();
        assert!(!ports.is_empty());
        for path in ports {
            let text = fs::read_to_string(path).unwrap();
            assert!(!text.contains("Retries") && !text.contains("Completion"), "{text}");
        }
    }
}

fn is_port_text(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("cdmaRegInfo"))
}
