//! The program under the names `tpu_profile` and `bmprofile`: the regression steps of tpu-mlir on real dumps, and what PPL
//! reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::run::{Said, analyzed, finish, say};

fn real(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "fixtures", "real", name].iter().collect()
}

/// Runs the program under another name.
fn called(name: &str, args: &[&str]) -> Said {
    let bin = tempfile::tempdir().unwrap();
    let link = bin.path().join(name);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bigtpuprofile"), &link).unwrap();
    finish(Command::new(link).args(args).env("LC_ALL", "C"))
}

#[track_caller]
fn writes(args: &[&str], out: &Path, files: &[&str]) {
    let said = called("tpu_profile.py", args);
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    for file in files {
        let length = out.join(file).metadata().map(|found| found.len());
        assert!(length.is_ok_and(|length| length > 0), "{args:?}: no {file}");
    }
}

/// A table by its header's names.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let cells = |line: &str| -> Vec<String> {
        let mut quoted = false;
        let parts = line.split(|c| {
            quoted ^= c == '"';
            c == ',' && !quoted
        });
        parts.map(|cell| cell.trim_matches('"').to_owned()).collect()
    };
    let mut lines = text.lines().map(cells);
    let header = lines.next().unwrap();
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

/// As `regression/script_test` of tpu-mlir calls it, and the files that it checks.
#[test]
fn the_regression_steps_of_tpu_mlir_pass() {
    let dir = tempfile::tempdir().unwrap();
    let out = |name: &str| dir.path().join(name);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let x = out("bm1684x");
    let dump = text(&real("bmprofile_data-1_bm1684x"));
    let tables = ["layer.csv", "instruction.csv", "summary.csv", "mac_util.csv"];
    writes(&["--arch", "bm1684x", "--format", "layer", &dump, &text(&x)], &x, &tables);
    let page = ["result.html", "profile_data.js"];
    writes(&["--arch", "bm1684x", "--format", "html", &dump, &text(&x)], &x, &page);
    assert!(tables.iter().all(|file| x.join(file).is_file()), "the page replaced the tables");
    let workbook = ["PerfWeb/result.html", "PerfWeb/profile_data.js", "PerfDoc/PerfAI_output.xlsx"];
    for (name, arch) in [
        ("bmprofile_data-1_bm1688", "bm1688"),
        ("cdm_profile_data_dev0_bm1690", "BM1690"),
        ("bmprofile_data-1_cv184x", "cv184x"),
        ("bmprofile_data-1_cv184x", "MARS3"),
    ] {
        let (dump, out) = (text(&real(name)), out(&format!("{name}-{arch}")));
        writes(&[&dump, &text(&out), "--mode", "time", "--arch", arch], &out, &workbook);
    }
}

#[test]
fn names_of_chips_are_those_of_the_compilers() {
    let dir = tempfile::tempdir().unwrap();
    let dump = real("bmprofile_data-1_bm1688");
    for arch in ["A2", "a2", "tpul_6_0", "CV186X"] {
        let out = dir.path().join(arch);
        let args =
            [dump.to_str().unwrap(), out.to_str().unwrap(), "--arch", arch, "--format", "layer"];
        let said = called("tpu_profile", &[&args[..], &["--debug"]].concat());
        assert_eq!(said.code, Some(0), "{arch}: {}", said.stderr);
        assert!(!said.stderr.contains("names the chip"), "{}", said.stderr);
    }
    for arch in ["tpub_7_1", "TPUB_7_1_E", "tpu_6_0", "BM1684XE", "mars3"] {
        let said = say(&["info", dump.to_str().unwrap(), "--arch", arch]);
        assert_eq!(said.code, Some(0), "{arch}: {}", said.stderr);
    }
}

/// The tables of layers under both names say the same.
#[test]
fn the_tables_of_layers_are_our_own_in_other_columns() {
    for name in ["bmprofile_data-1_bm1684x", "bmprofile_data-1_bm1688"] {
        let dir = tempfile::tempdir().unwrap();
        let (dump, out) = (real(name), dir.path().join("out"));
        let said = called(
            "tpu_profile",
            &["--format", "layer", dump.to_str().unwrap(), out.to_str().unwrap()],
        );
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let theirs = |file: &str| rows(&std::fs::read_to_string(out.join(file)).unwrap());
        let own = analyzed(&dump, &["--emit", "layers"]);
        let us = |row: &BTreeMap<String, String>, column: &str| -> i64 {
            (row[column].parse::<f64>().unwrap() * 1000.0).round() as i64
        };
        let pairs = |(theirs, own): (&BTreeMap<String, String>, &BTreeMap<String, String>)| {
            assert_eq!(us(theirs, "tiuTime(us)").to_string(), own["tiu_ns"]);
            assert_eq!(
                (&theirs["AlgOps"], &theirs["tiuCycles"]),
                (&own["ops"], &own["tiu_cycles"])
            );
        };
        let (layers, own_layers) = (theirs("layer.csv"), rows(&own.text("layers.csv")));
        assert_eq!(layers.len(), own_layers.len());
        for pair in layers.iter().zip(&own_layers) {
            pairs(pair);
            assert_eq!(us(pair.0, "totalTime(us)").to_string(), pair.1["total_ns"]);
            assert_eq!((&pair.0["Name"], &pair.0["ID"]), (&pair.1["layer"], &pair.1["layer_id"]));
        }
        let (operations, own_operations) =
            (theirs("summary.csv"), rows(&own.text("operations.csv")));
        assert_eq!(operations.len(), own_operations.len());
        operations.iter().zip(&own_operations).for_each(pairs);
        let instructions = theirs("instruction.csv");
        assert_eq!(instructions.len(), rows(&own.text("instructions.csv")).len());
        let cases = theirs("mac_util.csv");
        let whole = own_operations.last().unwrap();
        let known = !whole["mac_utilization"].is_empty();
        assert_eq!(cases.iter().all(|case| !case["macUtil(%)"].is_empty()), known, "{name}");
        assert_eq!(cases.len() > 2, known);
    }
}

/// How PPL reads the lines of `profile_data.js`: transfers and computations, start and end in us.
type Lines = (Vec<(f64, f64, f64)>, Vec<(f64, f64)>);

fn read_by_ppl(text: &str) -> Lines {
    let items = |line: &str| -> Vec<String> {
        let inside = &line[line.find('[').unwrap() + 1..line.find(']').unwrap()];
        inside.split(',').map(str::to_owned).collect()
    };
    let time = |item: &str| item.trim().parse::<f64>().unwrap();
    let (mut transfers, mut computations) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let has = |part: &str| line.find(part).is_some_and(|at| at > 0);
        if has("gdma_id=") && has("speed") {
            let items = items(line);
            let speed = &items[10];
            let speed = &speed[speed.find('=').unwrap() + 1..speed.find('G').unwrap()];
            transfers.push((time(&items[1]), time(&items[2]), speed.parse().unwrap()));
        }
        if has("bd_id=") && has("cycle") {
            let items = items(line);
            computations.push((time(&items[1]), time(&items[2])));
        }
    }
    (transfers, computations)
}

#[test]
fn ppl_reads_times_and_speeds_of_all_commands() {
    let dir = tempfile::tempdir().unwrap();
    let (dump, out) = (real("bmprofile_data-1_bm1684x"), dir.path().join("pro_out"));
    let args = ["--mode", "time", dump.to_str().unwrap(), out.to_str().unwrap()];
    let said = called("bmprofile", &args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let text = std::fs::read_to_string(out.join("profile_data.js")).unwrap();
    let (transfers, computations) = read_by_ppl(&text);
    let own = analyzed(&dump, &["--emit", "csv"]);
    let events = rows(&own.text("events.csv"));
    let of = |engine: &str| -> Vec<&BTreeMap<String, String>> {
        let is_own = |row: &&BTreeMap<String, String>| row["engine"] == engine;
        events.iter().filter(is_own).collect()
    };
    let ns = |us: f64| ((us * 1000.0).round() as i64).to_string();
    let moved: Vec<_> = of("GDMA").into_iter().filter(|row| row["activity"] == "work").collect();
    assert_eq!((transfers.len(), computations.len()), (moved.len(), of("TIU").len()));
    for ((start, end, speed), row) in transfers.into_iter().zip(moved) {
        assert_eq!((ns(start), ns(end)), (row["start_ns"].clone(), row["end_ns"].clone()));
        let gbps: f64 = row["gbps"].parse().unwrap();
        assert!((speed - gbps).abs() < 1e-3, "{speed} {gbps}");
    }
    for ((start, end), row) in computations.into_iter().zip(of("TIU")) {
        assert_eq!((ns(start), ns(end)), (row["start_ns"].clone(), row["end_ns"].clone()));
    }
}

#[test]
fn under_our_own_name_a_sentence_names_our_option() {
    for (args, words) in [
        (&["dump", "out", "--mode", "time"][..], "leave it out"),
        (&["dump", "out", "--format=layer"], "--emit layers"),
        (&["--debug", "dump", "out"], "--verbose"),
    ] {
        let said = say(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.stderr.contains(words) && said.stderr.contains("tpu_profile"), "{said:?}");
    }
    // Options of commands that have the same name are theirs.
    assert_eq!(say(&["synth", "--mode", "7", "x"]).code, Some(2));
    assert!(!say(&["synth", "--mode", "7", "x"]).stderr.contains("tpu_profile"));
    let said = called("tpu_profile", &["dump", "out", "--mode", "sim"]);
    assert_eq!(said.code, Some(2), "{said:?}");
}
