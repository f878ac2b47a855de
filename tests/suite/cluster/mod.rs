//! `cluster` on the command line: dumps, parts, exit codes, what is shown.

mod advice;
mod console;
mod hosts;
mod ports;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_perfetto_protos::prost::Message as _;
use bigtpu_perfetto_protos::{Trace, trace_packet};
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::run::{Said, fails, say};
#[cfg(unix)]
use crate::support::schedulers::Schedulers;
use crate::support::validate::violations;

/// A generated cluster in a directory of its own.
struct Cluster {
    dir: TempDir,
}

impl Cluster {
    fn make(args: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("run").display().to_string();
        let said = say(&[&["synth", &run, "--quiet"], args].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        Self { dir }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }

    fn cluster(&self, out: &str, args: &[&str]) -> Said {
        say(&[&["cluster", &self.path("run"), &self.path(out)], args].concat())
    }

    fn report(&self, out: &str) -> Value {
        let text = fs::read_to_string(self.dir.path().join(out).join("cluster.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    fn dumps(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.dir.path().join("run/host0")).unwrap();
        let mut dumps: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        dumps.sort();
        dumps
    }
}

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cluster.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_answer_comes_first_and_the_report_keeps_to_its_schema() {
    let cluster = Cluster::make(&["--cluster", "4", "--plant", "late-rank=2:1.3"]);
    let said = cluster.cluster("out", &["--scale", "link:0>1=2"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.starts_with("Rank 2 is late in 20 of 20 operations"), "{}", said.stdout);
    assert!(said.stdout.lines().count() <= 40, "{}", said.stdout);
    assert!(said.stdout.contains("not yet verified on hardware"));
    let mut report = cluster.report("out");
    assert_eq!(violations(&schema(), &report), Vec::<String>::new());
    assert!(report.as_object_mut().unwrap().remove("clocks").is_some());
    assert!(!violations(&schema(), &report).is_empty(), "the schema says yes to everything");
}

/// Its ports have a time of their own: its partners' clocks show that it is late, and nothing is predicted.
#[test]
fn a_late_rank_with_a_full_ring_is_named() {
    let plants = ["--plant", "ring-full=1", "--plant", "late-rank=1:1.3"];
    let cluster = Cluster::make(&[&["--cluster", "4"][..], &plants].concat());
    let said = cluster.cluster("out", &[]);
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.starts_with("Rank 1 is late in "), "{text}");
    assert!(text.contains("because ports are not on their devices' clocks"), "{text}");
    assert!(text.contains("aligned by 2 links") && !text.contains("What if"), "{text}");
    assert_eq!(violations(&schema(), &cluster.report("out")), Vec::<String>::new());
}

#[test]
fn parts_in_any_order_and_any_number_of_threads_give_the_same_report() {
    let cluster = Cluster::make(&["--cluster", "3", "--seed", "5"]);
    assert_eq!(cluster.cluster("one", &["-j1", "--quiet"]).code, Some(0));
    assert_eq!(cluster.cluster("many", &["-j3", "--quiet"]).code, Some(0));
    let mut parts = Vec::new();
    for (number, dump) in cluster.dumps().iter().enumerate() {
        let part = cluster.path(&format!("parts/{number}.part"));
        let dump = dump.display().to_string();
        let said = say(&["cluster", "part", &dump, "-o", &part, "--quiet"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        parts.push(part);
    }
    parts.reverse();
    let out = cluster.path("joined");
    let mut args = vec!["cluster", "join"];
    args.extend(parts.iter().map(String::as_str));
    args.extend([out.as_str(), "--quiet"]);
    assert_eq!(say(&args).code, Some(0));
    let text = |out: &str| fs::read(cluster.dir.path().join(out).join("cluster.json")).unwrap();
    assert_eq!(text("one"), text("many"));
    let without_hosts = |out: &str| {
        let mut report = cluster.report(out);
        for rank in report["ranks"].as_array_mut().unwrap() {
            rank.as_object_mut().unwrap().remove("host");
        }
        report
    };
    assert_eq!(without_hosts("one"), without_hosts("joined"));
    // A damaged part is a missing rank, not the end.
    let mut bytes = fs::read(&parts[0]).unwrap();
    let last = bytes.len() / 2;
    bytes[last] ^= 0x55;
    fs::write(&parts[0], bytes).unwrap();
    let said = say(&args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let report = cluster.report("joined");
    assert_eq!(report["ranks"].as_array().unwrap().len(), 2);
    let notes = report["ledger"]["notes"].to_string();
    assert!(notes.contains("damaged"), "{notes}");
    let verdict = report["verdict"][0].as_str().unwrap();
    assert!(verdict.starts_with("1 of 3 dumps could not be read"), "{verdict}");
    assert_eq!(say(&[&args[..], &["--strict"]].concat()).code, Some(3));
}

#[test]
fn ranks_have_the_numbers_of_the_table_and_missing_ones_are_told() {
    let args = ["--cluster", "4", "--permute", "--seed", "3", "--plant", "lost-dump=1"];
    let cluster = Cluster::make(&args);
    let table = cluster.path("run/rank_table.json");
    let said = cluster.cluster("out", &["--rank-table", &table, "--strict"]);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    let report = cluster.report("out");
    let missing: Vec<bool> =
        report["ranks"].as_array().unwrap().iter().map(|r| r["missing"] == true).collect();
    assert_eq!(missing, [false, true, false, false]);
    let truth = fs::read_to_string(cluster.dir.path().join("run/truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    for rank in [0, 2, 3] {
        assert_eq!(report["ranks"][rank]["device"], truth["clocks"][rank]["device"]);
    }
}

#[test]
fn what_is_no_cluster_is_refused_with_one_sentence() {
    let cluster = Cluster::make(&["--cluster", "2"]);
    let (out, one) = (cluster.path("out"), cluster.dumps()[0].display().to_string());
    fails(&["cluster", &one, &out], "two devices or more");
    fails(&["cluster", "join", &cluster.path("run/truth.json"), &out], "no part");
    let map = ["cluster", &cluster.path("run"), &out, "--rank-table", &one];
    fails(&map, "cannot be read");
    let copy = cluster.dir.path().join("run/host0/cdm_profile_data_dev0-0x");
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(&one).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.join(path.file_name().unwrap())).unwrap();
    }
    fails(&["cluster", &cluster.path("run"), &out], "are both of host");
}

/// The page holds all that it shows; the trace has a flow for each pair; tables have a row for each thing.
#[test]
fn all_ranks_are_on_one_page_one_trace_and_in_tables() {
    let cluster = Cluster::make(&["--cluster", "3", "--operations", "4", "--seed", "9"]);
    let said = cluster.cluster("out", &[]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.lines().count() <= 40, "{}", said.stdout);
    let report = cluster.report("out");
    let page = fs::read_to_string(cluster.dir.path().join("out/cluster.html")).unwrap();
    assert!(page.contains("script-src 'sha256-") && !page.contains("http://"));
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["cluster"]["links"], report["links"]);
    assert_eq!(data["heat"]["ranks"], serde_json::json!([0, 1, 2]));
    assert_eq!(data["cluster"]["stages"], report["stages"]);
    assert!(page.contains("Stages of pipelines"));
    let bytes = fs::read(cluster.dir.path().join("out/cluster.pftrace")).unwrap();
    let trace = Trace::decode(bytes.as_slice()).unwrap();
    let (mut begun, mut ended, mut depth) = (BTreeMap::new(), 0, BTreeMap::<u64, i64>::new());
    for packet in &trace.packet {
        let Some(trace_packet::Data::TrackEvent(event)) = &packet.data else { continue };
        let change = if event.name_field.is_some() { 1 } else { -1 };
        *depth.entry(event.track_uuid.unwrap()).or_default() += change;
        for flow in &event.flow_ids {
            begun.insert(*flow, packet.timestamp);
        }
    }
    for packet in &trace.packet {
        let Some(trace_packet::Data::TrackEvent(event)) = &packet.data else { continue };
        for flow in &event.terminating_flow_ids {
            assert!(begun[flow] < packet.timestamp, "flow {flow}");
            ended += 1;
        }
    }
    assert!(depth.values().all(|open| *open == 0), "{depth:?}");
    let pairs = report["ledger"]["paired"].as_u64().unwrap() / 2;
    assert_eq!((begun.len() as u64, ended), (pairs, pairs));
    let rows = |name: &str| {
        let file = fs::File::open(cluster.dir.path().join("out").join(name)).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        reader.metadata().file_metadata().num_rows() as u64
    };
    assert_eq!(rows("pairs.parquet"), pairs);
    assert_eq!(rows("operations.parquet"), 4 * 3);
    assert_eq!(rows("links.parquet"), 3);
    assert!(rows("states.parquet") > 30);
    // Only what is asked for.
    assert_eq!(cluster.cluster("few", &["--emit", "report", "--quiet"]).code, Some(0));
    assert!(!cluster.dir.path().join("few/cluster.html").exists());
    assert!(cluster.dir.path().join("few/cluster.json").exists());
}

/// Several dumps in an ordinary analysis: they lie where their links prove, and the page of all is beside them.
#[test]
fn an_analysis_of_several_dumps_uses_the_clocks_that_links_prove() {
    let cluster = Cluster::make(&["--cluster", "2", "--operations", "6", "--seed", "4"]);
    let dumps: Vec<String> = cluster.dumps().iter().map(|d| d.display().to_string()).collect();
    let out = cluster.path("several");
    let said = say(&[&dumps[0], &dumps[1], &out, "--emit", "page,trace,report,summary"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("cluster.html"), "{}", said.stdout);
    let text = fs::read_to_string(cluster.dir.path().join("several/report.json")).unwrap();
    let index: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(index["time_line"]["alignment"], "links");
    let truth = fs::read_to_string(cluster.dir.path().join("run/truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    let first_record = |rank: usize| {
        let of = |key: &str| truth["clocks"][rank][key].as_f64().unwrap();
        of("a_ns") + (1.0 + of("b_ppm") * 1e-6) * of("first_ns")
    };
    let start = |rank: usize| index["dumps"][rank]["start_ns"].as_f64().unwrap();
    let error = (start(1) - start(0)) - (first_record(1) - first_record(0));
    assert!(error.abs() < 60.0 && start(0).min(start(1)) == 0.0, "{error} {text}");
    let page = fs::read_to_string(cluster.dir.path().join("several/cluster.html")).unwrap();
    assert!(page.contains("cdm_profile_data_dev1-0/"), "no link to the page of a device");
}

/// A device whose transfers wait for a late one works no longer than that one.
#[test]
fn waiting_for_another_device_is_no_work() {
    let plant = ["--plant", "late-rank=2:1.5"];
    let cluster = Cluster::make(&[&["--cluster", "4", "--operations", "8"], &plant[..]].concat());
    let mut args: Vec<String> = cluster.dumps().iter().map(|d| d.display().to_string()).collect();
    args.extend([cluster.path("several"), "--emit".to_owned(), "report".to_owned()]);
    let said = say(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let text = fs::read_to_string(cluster.dir.path().join("several/report.json")).unwrap();
    let index: Value = serde_json::from_str(&text).unwrap();
    let call = &index["calls"][0];
    assert!(call["slowest"] == "dev2-0" && call["imbalance"].as_f64() > Some(0.1), "{call}");
    for dump in index["dumps"].as_array().unwrap() {
        let ns = |key: &str| dump[key].as_i64().unwrap();
        assert_eq!(ns("work_ns") + ns("sync_ns") + ns("idle_ns"), ns("wall_ns"), "{dump}");
        assert_eq!(ns("compute_ns") + ns("exposed_transfer_ns"), ns("work_ns"), "{dump}");
    }
}

/// The lines for schedulers are those of the document, run by a shell with stand-ins for the schedulers.
#[cfg(unix)]
#[test]
fn the_documented_lines_for_schedulers_give_the_same_report() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = fs::read_to_string(root.join("docs/cluster.md")).unwrap();
    let cluster = Cluster::make(&["--cluster", "3", "--operations", "4"]);
    assert_eq!(cluster.cluster("alone", &["--emit", "report", "--quiet"]).code, Some(0));
    let sbatch = "#!/bin/sh\nlast=$(($(wc -l < dumps) - 1))\nfor arg; do line=$arg; done\n\
                  for SLURM_ARRAY_TASK_ID in $(seq 0 $last); do export SLURM_ARRAY_TASK_ID; sh -ec \"$line\" || exit; done\n";
    let parallel = "#!/bin/sh\nn=0\nwhile read -r dump; do n=$((n + 1)); line=\n\
                    for arg; do [ \"$arg\" = :::: ] && break\n\
                    line=\"$line '$(printf %s \"$arg\" | sed \"s|{#}|$n|; s|{}|$dump|\")'\"; done\n\
                    eval \"$line\" || exit; done < dumps\n";
    let here = cluster.dir.path();
    Schedulers::new(&document, here, sbatch, parallel).run(|scheduler| {
        let mut joined = cluster.report("out");
        let mut alone = cluster.report("alone");
        for report in [&mut joined, &mut alone] {
            for rank in report["ranks"].as_array_mut().unwrap() {
                // Below `run` here, below a temporary directory there.
                rank.as_object_mut().unwrap().remove("dump");
            }
        }
        assert_eq!(joined, alone, "{scheduler}");
        fs::remove_dir_all(here.join("out")).unwrap();
        fs::remove_dir_all(here.join("parts")).unwrap();
    });
}

/// A dump that lost a file of a core, or the end of its commands, is no whole one, though no record is known to be lost.
#[test]
fn what_a_dump_of_a_rank_lacks_is_told_as_for_a_single_dump() {
    let cluster = Cluster::make(&["--cluster", "2", "--seed", "3"]);
    let strict = ["--strict", "--quiet"];
    assert_eq!(cluster.cluster("whole", &strict).code, Some(0));
    let rows = |out: &str| -> Vec<bool> {
        let report = cluster.report(out);
        let ranks = report["ranks"].as_array().unwrap().clone();
        ranks.iter().map(|rank| rank["has_loss"] == true).collect()
    };
    assert_eq!(rows("whole"), [false, false]);
    let dump = cluster.dumps()[1].clone();
    for (file, keep, note, line) in [
        ("cdmlib0_1.profile", None, "`bigtpuprofile info ", "1 dump incomplete"),
        ("cdmlib0_0.profile", Some(0.9), "records are lost: ", "records lost"),
    ] {
        let path = dump.join(file);
        let bytes = fs::read(&path).unwrap();
        match keep {
            None => fs::remove_file(&path).unwrap(),
            Some(share) => {
                let end = (bytes.len() as f64 * share) as usize;
                fs::write(&path, &bytes[..end]).unwrap();
            }
        }
        let said = cluster.cluster("out", &strict);
        assert_eq!(said.code, Some(3), "{file}: {}", said.stderr);
        assert!(said.stderr.contains("which --strict does not allow"), "{}", said.stderr);
        assert_eq!(rows("out"), [false, true], "{file}");
        let notes = cluster.report("out")["ledger"]["notes"].to_string();
        assert!(notes.contains("rank 1") && notes.contains(note), "{notes}");
        let said = cluster.cluster("out", &[]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        // A line is as wide as the console.
        let told: Vec<&str> = said.stdout.split_whitespace().collect();
        assert!(told.join(" ").contains(line), "{}", said.stdout);
        fs::write(&path, bytes).unwrap();
    }
}
