//! `bigtpuprofile simulate`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::run::say;

fn real(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/real").join(name).display().to_string()
}

fn json(args: &[&str]) -> Value {
    let said = say(args);
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

#[test]
fn a_real_dump_is_predicted_beside_its_measured_time() {
    let said = say(&["simulate", &real("bmprofile_data-1_bm1688")]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        said.stdout.starts_with("BM1688, simulated: 302.222 us, measured 303.967 us (-0.57 %)\n"),
        "{}",
        said.stdout
    );
    let answer = json(&["simulate", &real("bmprofile_data-1_bm1688"), "--json"]);
    assert_eq!(answer["tiu"]["exact"], answer["tiu"]["commands"]);
    let shares = ["exact", "fitted", "estimated", "not_validated"];
    let sum: f64 = shares.iter().map(|mark| answer["marks"][mark].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{answer}");
}

#[test]
fn every_output_says_that_the_run_is_simulated() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let said = say(&["simulate", &real("bmprofile_data_bm1688_2core"), &out.display().to_string()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let read = |name: &str| fs::read(out.join(name)).unwrap();
    let report: Value = serde_json::from_slice(&read("report.json")).unwrap();
    assert_eq!(report["dump"]["simulated"], true);
    let has = |name: &str, text: &str| {
        let bytes = read(name);
        assert!(bytes.windows(text.len()).any(|part| part == text.as_bytes()), "{name}: {text}");
    };
    has("perfetto.pftrace", "bigtpuprofile.simulated");
    has("simulate.pftrace", "bigtpuprofile.Simulated.simulated");
    has("summary.txt", "simulated: the times are predicted");
    let csv = String::from_utf8(read("commands.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    let cells = rows[0].split(',').count();
    assert!(rows.iter().all(|row| row.split(',').count() == cells));
    // Sends and waits of the DMA have no records.
    assert!(rows.len() > 471, "{}", rows.len());
    assert!(out.join("simulate.html").is_file() && out.join("PerfWeb/result.html").is_file());
}

#[test]
fn what_is_not_validated_is_said_in_the_line_of_the_total() {
    let dir = tempfile::tempdir().unwrap();
    let dump = dir.path().join("demo").display().to_string();
    assert_eq!(say(&["synth", &dump, "--cores", "1", "--launches", "2", "-q"]).code, Some(0));
    let said = say(&["simulate", &dump]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let first = said.stdout.lines().next().unwrap();
    assert!(first.contains("estimated or not validated: the error is not known"), "{first}");
    assert!(said.stdout.contains("mm2.nn"), "{}", said.stdout);
}

#[test]
fn wrong_inputs_end_with_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let says = |args: &[&str], text: &str| {
        let said = say(args);
        assert_eq!(said.code, Some(1), "{args:?}: {}", said.stdout);
        assert!(said.stderr.contains(text), "{args:?}: {}", said.stderr);
        assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    };
    says(&["simulate", &write("a.bmodel", b"nothing")], "a .bmodel with 0xff55aaee");
    says(&["simulate", &write("b.txt", b"nothing")], "is no dump directory, no .bmodel");
    says(&["simulate", &write("c.bmodel", &[0xee, 0xaa, 0x55, 0xff, 64, 0, 0, 0])], "truncated");
    let files = tempfile::tempdir().unwrap();
    let command = files.path().join("op-0-0.BD.0");
    fs::write(&command, [0xff; 200]).unwrap();
    let command = command.display().to_string();
    says(&["simulate", &command], "--chip");
    says(&["simulate", &command, "--chip", "bm1690"], "TIU commands at byte 192");
    let records_only = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/aks-mode0-cdma/dump");
    says(&["simulate", &records_only.display().to_string()], "no command has descriptors");
}
