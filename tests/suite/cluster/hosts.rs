//! Traces of the ranks' hosts, bits of capture mode 2, cores in the trace: what more than records says.

use std::collections::BTreeSet;
use std::fs;

use bigtpu_perfetto_protos::prost::Message as _;
use bigtpu_perfetto_protos::{Trace, trace_packet, track_descriptor};
use serde_json::Value;

use super::{Cluster, schema};
use crate::support::run::{fails, say};
use crate::support::validate::violations;

impl Cluster {
    fn truth(&self) -> Value {
        let text = fs::read_to_string(self.dir.path().join("run/truth.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Pattern of the hosts' traces.
    fn traces(&self) -> String {
        self.path("run/traces/rank{rank}.json")
    }

    /// Joins with the hosts' traces; the report, which keeps to its schema.
    fn with_hosts(&self, more: &[&str]) -> Value {
        let traces = self.traces();
        let args = ["--emit", "report", "--quiet", "--host-trace", &traces];
        let said = self.cluster("hosts", &[&args[..], more].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let report = self.report("hosts");
        assert_eq!(violations(&schema(), &report), Vec::<String>::new());
        report
    }
}

fn texts<'v>(rows: &'v Value, key: &str) -> Vec<&'v str> {
    rows.as_array().unwrap().iter().map(|row| row[key].as_str().unwrap_or("")).collect()
}

/// Without kernel names a ring may be all_reduce or all_gather; the hosts say which, and name the steps.
#[test]
fn hosts_name_operations_and_steps() {
    let args = ["--cluster", "4", "--program", "mixed", "--operations", "9", "--unnamed"];
    let cluster = Cluster::make(&[&args[..], &["--host-traces"]].concat());
    assert_eq!(cluster.cluster("alone", &["--emit", "report", "--quiet"]).code, Some(0));
    let alone = cluster.report("alone");
    assert_eq!(texts(&alone["operations"], "kind")[..2], ["ring", "ring"]);
    let report = cluster.with_hosts(&[]);
    let truth = cluster.truth();
    assert_eq!(texts(&report["operations"], "kind"), texts(&truth["operations"], "kind"));
    assert_eq!(texts(&report["operations"], "source"), ["host"; 9]);
    let steps = texts(&report["steps"], "name");
    assert_eq!((steps.len(), steps[3]), (9, "ProfilerStep#3"));
    assert!(report["steps"][3]["imbalance"].as_f64().unwrap() >= 1.0);
    // A part holds the same as the file beside it.
    let mut parts = Vec::new();
    for (number, dump) in cluster.dumps().iter().enumerate() {
        let part = cluster.path(&format!("parts/{number}.part"));
        let dump = dump.display().to_string();
        let trace = cluster.path(&format!("run/traces/rank{number}.json"));
        let args = ["cluster", "part", &dump, "-o", &part, "--quiet", "--host-trace", &trace];
        assert_eq!(say(&args).code, Some(0));
        parts.push(part);
    }
    let out = cluster.path("joined");
    let mut args = vec!["cluster", "join"];
    args.extend(parts.iter().map(String::as_str));
    args.extend([out.as_str(), "--quiet", "--emit", "report"]);
    assert_eq!(say(&args).code, Some(0));
    assert_eq!(cluster.report("joined")["operations"], report["operations"]);
    fails(
        &[
            "cluster",
            &cluster.path("run"),
            &cluster.path("none"),
            "--host-trace",
            "no/rank{rank}.json",
        ],
        "no file is named like",
    );
}

/// Links of a chain in one direction leave bounds, and the host's clock chooses inside them; islands of one host get one
/// clock. Clocks that links prove stay as they are.
#[test]
fn hosts_clocks_only_choose_what_links_leave_open() {
    let args = ["--cluster", "3", "--topology", "pipeline", "--operations", "3", "--host-traces"];
    let cluster = Cluster::make(&args);
    let report = cluster.with_hosts(&[]);
    let mut chosen = 0;
    for clock in report["clocks"].as_array().unwrap() {
        let of = |key: &str| clock[key].as_f64().unwrap();
        assert!(of("bound_low_ns") <= of("offset_ns") && of("offset_ns") <= of("bound_high_ns"));
        chosen += usize::from(clock["method"] == "host clocks");
    }
    assert_eq!((chosen, &report["ledger"]["violations"]), (2, &0.into()));
    // Two halves that do not communicate, on one host.
    let args = ["--cluster", "4", "--plant", "two-islands", "--host-traces", "--operations", "6"];
    let cluster = Cluster::make(&args);
    let report = cluster.with_hosts(&[]);
    assert_eq!(report["islands"].as_array().unwrap().len(), 1);
    let clock = &cluster.truth()["clocks"];
    let first = |rank: usize| {
        let of = |key: &str| clock[rank][key].as_f64().unwrap();
        of("a_ns") + (1.0 + of("b_ppm") * 1e-6) * of("first_ns")
    };
    let found = &report["clocks"][2];
    let error = found["offset_ns"].as_f64().unwrap() - (first(2) - first(0));
    assert!(error.abs() < 45_000.0, "{error}");
    assert!(found["sigma_ns"].as_f64().unwrap() >= 100_000.0);
    // On two hosts only if someone says how well their clocks agree.
    let hosts = ["--devices-per-host", "2"];
    let cluster = Cluster::make(&[&args[..], &hosts].concat());
    assert_eq!(cluster.with_hosts(&[])["islands"].as_array().unwrap().len(), 2);
    let stated = cluster.with_hosts(&["--host-sync", "1000000000"]);
    assert_eq!(stated["islands"].as_array().unwrap().len(), 1);
}

/// Full bits of mode 2: what combines, how many bytes it really is, who is at the other end of a one-sided command.
#[test]
fn bits_of_mode_2_say_kind_bytes_and_peers() {
    let args = ["--cluster", "4", "--mode", "2", "--unnamed", "--operations", "6", "--messages"];
    let more = ["--byte-unit", "128", "--flag-writes", "--program", "mixed", "--permute"];
    for chip in ["aks", "aksv"] {
        let cluster = Cluster::make(&[&args[..], &more, &["--chip", chip]].concat());
        let table = cluster.path("run/rank_table.json");
        let args = ["--emit", "report", "--quiet", "--rank-table", &table];
        assert_eq!(cluster.cluster("out", &args).code, Some(0));
        let (report, truth) = (cluster.report("out"), cluster.truth());
        assert_eq!(violations(&schema(), &report), Vec::<String>::new());
        assert_eq!(texts(&report["operations"], "kind"), texts(&truth["operations"], "kind"));
        assert_eq!(texts(&report["operations"], "source"), ["reduce bits"; 6]);
        let sent: u64 =
            truth["pairs"].as_array().unwrap().iter().map(|p| p["bytes"].as_u64().unwrap()).sum();
        let wire = report["operations"].as_array().unwrap().iter();
        let wire: u64 = wire.map(|o| o["wire_bytes"].as_u64().unwrap()).sum();
        assert_eq!(wire, sent);
        let notes = report["ledger"]["notes"].to_string();
        assert!(notes.contains("other bytes than the shapes"), "{notes}");
        let links: BTreeSet<(u64, u64)> = truth["links"]
            .as_array()
            .unwrap()
            .iter()
            .map(|l| (l["from"]["rank"].as_u64().unwrap(), l["to"]["rank"].as_u64().unwrap()))
            .collect();
        let rows = report["one_sided"].as_array().unwrap();
        assert!(rows.len() >= 4);
        for row in rows {
            let ends = (row["rank"].as_u64().unwrap(), row["peer"].as_u64().unwrap());
            assert!(links.contains(&ends), "{row}");
            assert_eq!(row["bytes"].as_u64().unwrap(), 64 * row["commands"].as_u64().unwrap());
        }
    }
}

/// Names of the tracks of a trace, and how many slices the tracks of engines have.
fn tracks(cluster: &Cluster, out: &str) -> (Vec<String>, usize) {
    let bytes = fs::read(cluster.dir.path().join(out).join("cluster.pftrace")).unwrap();
    let trace = Trace::decode(bytes.as_slice()).unwrap();
    let (mut names, mut engines, mut slices) = (Vec::new(), BTreeSet::new(), 0);
    for packet in &trace.packet {
        match &packet.data {
            Some(trace_packet::Data::TrackDescriptor(track)) => {
                let Some(track_descriptor::StaticOrDynamicName::Name(name)) =
                    &track.static_or_dynamic_name
                else {
                    continue;
                };
                if ["TIU", "GDMA", "SDMA"].contains(&name.as_str()) {
                    engines.insert(track.uuid.unwrap());
                }
                names.push(name.clone());
            }
            Some(trace_packet::Data::TrackEvent(event)) => {
                let is_begin = event.name_field.is_some();
                slices += usize::from(is_begin && engines.contains(&event.track_uuid.unwrap()));
            }
            _ => {}
        }
    }
    (names, slices)
}

/// Cores and engines are in the trace where the dumps are at hand: of all ranks, of none, of those that are named.
#[test]
fn the_trace_has_the_cores_that_are_asked_for() {
    let args = ["--cluster", "3", "--operations", "4", "--load-share", "0.3"];
    let cluster = Cluster::make(&args);
    let cores = |out: &str, more: &[&str]| {
        let said = cluster.cluster(out, &[&["--emit", "trace"], more].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let (names, slices) = tracks(&cluster, out);
        (names.iter().filter(|name| name.starts_with("Core ")).count(), slices, said.stdout)
    };
    let (all, slices, _) = cores("usual", &[]);
    // Core 0 works; the last one only has the preamble, which is no work.
    assert!(all >= 3 && slices >= 3 * 4 * 2 * 2, "{all} {slices}");
    assert_eq!(cores("full", &["--trace", "full"]).0, all);
    assert_eq!(cores("comm", &["--trace", "comm"]).0, 0);
    let (one, some, said) = cores("one", &["--trace", "ranks=1,7"]);
    assert_eq!((3 * one, 3 * some), (all, slices));
    assert!(said.contains("there is no rank 7"), "{said}");
    // Parts alone have none.
    let part = |number: usize, dump: &str| {
        let part = cluster.path(&format!("{number}.part"));
        assert_eq!(say(&["cluster", "part", dump, "-o", &part, "--quiet"]).code, Some(0));
        part
    };
    let dumps: Vec<String> = cluster.dumps().iter().map(|d| d.display().to_string()).collect();
    let parts: Vec<String> = dumps.iter().enumerate().map(|(n, dump)| part(n, dump)).collect();
    fs::remove_dir_all(cluster.dir.path().join("run")).unwrap();
    let out = cluster.path("joined");
    let mut args = vec!["cluster", "join"];
    args.extend(parts.iter().map(String::as_str));
    args.extend([out.as_str(), "--emit", "trace", "--trace", "full"]);
    let said = say(&args);
    assert_eq!((said.code, tracks(&cluster, "joined").1), (Some(0), 0), "{}", said.stderr);
    assert!(said.stdout.contains("no cores of rank"), "{}", said.stdout);
    let said = say(&["cluster", "run", "out", "--trace", "some"]);
    assert!(said.code == Some(2) && said.stderr.contains("none of full, comm and ranks"));
}
