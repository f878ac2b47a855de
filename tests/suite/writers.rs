//! Dumps in the forms that runtimes write, end to end: exit codes, what is said, and the reference's summary.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::case::fixture;
use crate::support::run::{analyze, finish, tool};
use crate::support::workbook;

/// The scenarios and their dump directories, in name order.
pub(crate) fn scenarios() -> Vec<(String, PathBuf)> {
    let mut found: Vec<_> = fs::read_dir(fixture("writers"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| (entry.file_name().into_string().unwrap(), dump_in(&entry.path())))
        .collect();
    found.sort();
    assert_eq!(found.len(), 46);
    found
}

fn dump_in(root: &Path) -> PathBuf {
    let mut inside = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    inside.find(|path| path.is_dir()).unwrap()
}

/// What ends otherwise than with 0 and silence under `--strict`.
fn expected_code(name: &str) -> i32 {
    match name {
        "aksv_op_odd_ring" => 3,
        "global_empty" | "only_global" | "cv_bmprofile_sibling" => 1,
        _ => 0,
    }
}

#[test]
fn healthy_captures_equal_the_reference() {
    let keep = tempfile::tempdir().unwrap();
    for (name, dump) in scenarios() {
        let out = keep.path().join(&name);
        let args = ["--emit", "summary", "--strict"];
        let said = finish(tool().arg(&dump).arg(&out).args(args));
        let code = expected_code(&name);
        assert_eq!(said.code, Some(code), "{name}: {}", said.stderr);
        if code == 0 {
            // What a model's layers need is no fault of the capture.
            let mut faults =
                said.stderr.lines().filter(|line| !line.starts_with("note: no layers: "));
            assert_eq!(faults.next(), None, "{name}");
        }
        if let Ok(reference) =
            fs::read_to_string(fixture("writers").join(&name).join("reference_summary.txt"))
        {
            let own = fs::read_to_string(out.join("summary.txt")).unwrap();
            assert!(own.starts_with(reference.trim_end()), "{name}:\n{own}\n{reference}");
        }
    }
}

/// A full ring is reported before what follows from it, with a size that would do and the page that says how.
#[test]
fn a_full_ring_is_reported_first() {
    let dump = dump_in(&fixture("writers").join("aksv_op_odd_ring"));
    let keep = tempfile::tempdir().unwrap();
    let said = finish(tool().arg(&dump).arg(keep.path()).args(["--emit", "summary"]));
    let first = said.stderr.lines().next().unwrap();
    assert!(first.starts_with("lost: global.profile: core 0 TIU: the PMU ring of 101"), "{first}");
    assert!(
        first.ends_with("max_record_num=256 (bigtpuprofile explain docs/capture.md)"),
        "{first}"
    );
}

#[test]
fn a_refusal_is_one_sentence() {
    for (name, dump) in scenarios().into_iter().filter(|(name, _)| expected_code(name) == 1) {
        let keep = tempfile::tempdir().unwrap();
        let said = finish(tool().arg(&dump).arg(keep.path().join("out")));
        assert_eq!(said.stderr.lines().count(), 1, "{name}: {}", said.stderr);
        assert!(said.stderr.starts_with("error: "), "{name}: {}", said.stderr);
    }
}

/// What libsophon leaves on a CV84X6: a dump, and the summaries of the runtime next to it.
#[test]
fn the_parent_of_a_dump_and_a_summary_is_the_dump() {
    let keep = tempfile::tempdir().unwrap();
    for name in ["cv_mode0_one_core", "cv_bmprofile_sibling"] {
        let from = dump_in(&fixture("writers").join(name));
        let to = keep.path().join("run").join(from.file_name().unwrap());
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(&from).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
    let out = keep.path().join("out");
    let said = finish(
        tool().arg(keep.path().join("run")).arg(&out).args(["--emit", "summary", "--strict"]),
    );
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for words in ["bmprofile_data0 is skipped", "the dump in it is used: cdm_profile_data_dev0"] {
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
    assert!(out.join("summary.txt").is_file());
    // The summary alone names the dump.
    let said = finish(tool().arg(keep.path().join("run/bmprofile_data0")).arg(&out));
    assert_eq!(said.code, Some(1));
    assert!(
        said.stderr.contains("did you mean") && said.stderr.contains("cdm_profile_data_dev0"),
        "{}",
        said.stderr
    );
}

/// Iterations of a container are steps of one run: side by side, or one by its number.
#[test]
fn iterations_are_shown_side_by_side_or_one_by_one() {
    let keep = tempfile::tempdir().unwrap();
    let dump = keep.path().join("bmprofile_data0");
    fs::create_dir(&dump).unwrap();
    for entry in fs::read_dir(dump_in(&fixture("writers").join("bm1688_bmrt"))).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, dump.join(path.file_name().unwrap())).unwrap();
    }
    fs::copy(dump.join("iter0.profile"), dump.join("iter1.profile")).unwrap();
    let run = |out: &str, args: &[&str]| {
        let out = keep.path().join(out);
        let said = finish(tool().arg(&dump).arg(&out).args(["--emit", "summary,text"]).args(args));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        out
    };
    let all = run("all", &[]);
    let one = run("one", &["--iteration", "1"]);
    let text = |path: PathBuf| fs::read_to_string(path.join("tiuRegInfo_1.txt")).unwrap();
    assert_eq!(text(all.join("bmprofile_data0_iter0")), text(one.clone()));
    assert_eq!(text(all.join("bmprofile_data0_iter1")), text(one));
    let said = finish(tool().arg(&dump).arg(keep.path().join("none")).args(["--iteration", "7"]));
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("no iteration 7; there are 0, 1"), "{}", said.stderr);
}

/// 2 input and 2 output copies a core; those before the first command are at time 0 in the trace.
#[test]
fn runtime_copies_are_in_every_view() {
    let dump = dump_in(&fixture("writers").join("cv_mode0_io_copies"));
    let run = analyze(&dump, &["--emit", "summary,trace,report,workbook,page,csv"]);
    assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
    let kinds = ["runtime input copy", "runtime output copy"];
    let summary = run.text("summary.txt");
    for kind in kinds {
        let words = format!("{kind} (DDR->DDR)");
        assert_eq!(summary.matches(&words).count(), 4, "{words}: {summary}");
    }
    let trace = run.trace();
    for core in 0..4 {
        let slices = trace.slices_on(&format!("Core {core}/Runtime GDMA"));
        assert_eq!(slices.len(), 4, "core {core}");
    }
    let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
    let told = report["ledger"]["runtime"].as_array().unwrap();
    assert!(told.iter().all(|copy| copy["bytes"] == 65536 && copy["engine"] == "GDMA"));
    let page = run.text("PerfWeb/result.html");
    let quality = workbook::rows(run.out_dir(), "Data Quality");
    let csv = run.text("events.csv");
    for kind in kinds {
        assert_eq!(told.iter().filter(|copy| copy["what"] == kind).count(), 8, "{kind}");
        assert_eq!(page.matches(&format!("\"what\":\"{kind}\"")).count(), 8, "{kind}");
        assert_eq!(quality.iter().filter(|row| row[1] == kind).count(), 8, "{kind}");
        let rows: Vec<&str> = csv.lines().filter(|row| row.contains(kind)).collect();
        assert_eq!(rows.len(), 8, "{kind}");
        assert!(rows.iter().all(|row| row.starts_with("GDMA,") && row.contains(",DDR->DDR,")));
    }
    // The columns that bigTpuProfile has stay as they are: the copies are no commands of the model.
    assert!(!run.text("PerfWeb/profile_data.js").contains("runtime"));
}
